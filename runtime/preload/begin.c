/* SPDX-License-Identifier: MIT */
/*
 * The start files that compilers link into each object let its initialisation begin with a call of
 * __gmon_start__(), if somebody defines that. That is how gprof has always got into programs; here
 * it tells of libraries before any of their constructors. In the shared library only, and only
 * where calls are counted in code.
 */
#include <stdint.h>

#include "calls/calls.h"
#include "life.h"
#include "preload/wakes.h"
#include "state.h"

PUBLIC void __gmon_start__(void);

PUBLIC void __gmon_start__(void)
{
	life_begin_early();
	wakes_library_begins((uintptr_t)__builtin_return_address(0));
	calls_library_begins((uintptr_t)__builtin_return_address(0));
}

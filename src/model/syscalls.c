/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of system calls. */
#include "config.h"

#include "model/syscalls.h"

#include <stddef.h>

enum { ALL = NTARGET_CALLS - 1 };

static const struct {
	const char *name;
	short number[ALL];
} table[] = {
#define CALL(name, x86_64, i386, arm, generic, s390x, powerpc) \
	{ #name, { x86_64, i386, arm, generic, s390x, powerpc } },
#define SAME(name, number) { #name, { number, number, number, number, number, number } },
#include "model/syscalls.def"
#undef CALL
#undef SAME
};

const char *syscalls_name(enum target_calls machine, unsigned number)
{
	for (size_t i = 0; machine != CALLS_UNKNOWN && i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].number[machine - 1] == (int)number)
			return table[i].name;
	}
	return NULL;
}

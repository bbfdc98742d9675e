/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of code that was made at run time, from the file that just-in-time compilers write for
 * profilers: /tmp/perf-PID.map, lines "START SIZE NAME" in hexadecimal (jit-interface.txt of
 * Linux's perf). Node, Java, .NET, LuaJIT, Julia, Erlang, PHP and Python know it.
 */
#ifndef IO_PROFILE_PERF_MAP_H
#define IO_PROFILE_PERF_MAP_H

#include "io/profile/made_names.h"

/*
 * Adds the names that the text tells, which must last as long as *names. Where lines overlap, the
 * later one counts; lines that are none are skipped. n log n in lines and addresses.
 */
void perf_map_apply(struct made_names *names, const char *text, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of code that was made at run time, from the file that just-in-time compilers write for
 * profilers: /tmp/perf-PID.map, lines "START SIZE NAME" in hexadecimal (jit-interface.txt of
 * Linux's perf). Node, Java, .NET, LuaJIT, Julia, Erlang, PHP and Python know it.
 */
#ifndef IO_PROFILE_PERF_MAP_H
#define IO_PROFILE_PERF_MAP_H

#include "base/diag.h"
#include "model/recorded.h"

/* The most bytes of a file that are read, and of a name that are kept. */
enum { PERF_MAP_MOST_BYTES = 64 << 20, PERF_MAP_NAME_BYTES = 400 };

/*
 * Gives the functions of stacks that are in no module the names that the text tells for their
 * addresses: their nodes become those of a module "[jit]" with MODULE_MADE. Where lines overlap,
 * the later one counts; lines that are none are skipped, long names cut, control characters in them
 * written as "\ooo". Only names of functions on stacks are kept. Everything lives in mem; the
 * recording stays as it is if no name fits. n log n in lines and nodes.
 */
void perf_map_apply(struct recorded *rec, const char *text, size_t n, struct arena *mem);

/*
 * Reads the map of the recording's only process, in `directory` or in /tmp, and applies it. A file
 * that is a link, is not the user's, or is older than the process is not used, and of a long file
 * only the beginning is: a warning says so.
 */
void perf_map_read(struct recorded *rec, const char *directory, struct arena *mem,
		   struct diag *diag);

#endif

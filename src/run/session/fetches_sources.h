/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files that are fetched by debuginfod. */
#ifndef RUN_SESSION_FETCHES_SOURCES_H
#define RUN_SESSION_FETCHES_SOURCES_H

#include "run/session/session.h"

/* A source file of a report. */
struct source_wish {
	const char *file; /* as debug information has it */
	uint64_t pc;      /* the address of code that is from it, of the session's program */
	double ticks;     /* the file's part of the time; the most come first */
};
typedef ARRAY(struct source_wish) source_wishes;

/*
 * Returns copies of those of the files that are not on this machine, in s->mem: those that the
 * client of debuginfod has kept; and, with s->input->fetch, those that it fetches, by the build id
 * of what has the code. Then a note says what was fetched, what not, and why; once a file has taken
 * longer than the limit, no more are asked for. A file may be wished for several times.
 */
source_copies fetches_sources_make(const struct session *s, const source_wishes *wishes);

#endif

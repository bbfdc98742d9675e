/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Telling what is wrong with a program and its data files: --explain, and the note without it. */
#ifndef RUN_COMMAND_EXPLAIN_H
#define RUN_COMMAND_EXPLAIN_H

#include "run/line/options.h"
#include "run/session/session.h"

enum { EXPLAIN_CAUSE = 3 }; /* the exit status if anything is wrong */

/*
 * Reads into an open session the program, which may lack symbols, and the data files, which may be
 * missing, and writes what is found. 0 if nothing is wrong, EXPLAIN_CAUSE if anything is, -1 with
 * the reason said if a file cannot be read.
 */
int explain_run(struct session *s, const struct options *opt, struct output *out);

/*
 * If a data file does not exist, says so, with the reason as far as the program tells, as an error.
 * Whether it does not. One look at each file; the program is read into the open session only if
 * one is missing.
 */
bool explain_missing(struct session *s, const struct options *opt);

/*
 * What is wrong, as "! KEY: SENTENCE" each, the most important first, in s->mem; *n is how many
 * there are. The last may say what explain_inlined() does. The session was analysed.
 */
const char *const *explain_causes(const struct session *s, const struct options *opt, size_t *n);

/*
 * If `reports` are empty, or have less than half of the samples, or the data are of another program
 * though they have a report, a note that says the most likely cause; not with the first screen,
 * which says it itself. Cheap otherwise. The session was analysed.
 */
void explain_note(const struct session *s, const struct options *opt, unsigned reports);

/*
 * A note if inlined functions hold more than a fifth of the time, and reports that GNU gprof lacks
 * do not show them; not of programs of more than 64 MiB, whose debug information would take long to
 * read. The session was analysed, for these reports.
 */
void explain_inlined(const struct session *s, const struct options *opt, unsigned reports);

/*
 * If an --entry names a function that has none, since it was inlined wherever it is called, an
 * error that names the command which shows it. Whether that was said. Debug information is read
 * only if a name is not found. The session was symbolized.
 */
bool explain_unlisted(const struct session *s, const struct options *opt);

/*
 * A note on how much of the functions that GNU gprof leaves out is in other functions' rows of
 * `reports`, if anything is. The session was analysed, for these reports.
 */
void explain_dropped(const struct session *s, const struct options *opt, unsigned reports);

#endif

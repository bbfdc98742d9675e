/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out what is wrong with a program and its data, for --explain, --top, and notes. */
#ifndef RUN_COMMAND_EXAMINE_H
#define RUN_COMMAND_EXAMINE_H

#include "model/evidence.h"
#include "model/finding.h"
#include "model/top.h"
#include "run/command/command.h"
#include "run/session/session.h"

/* Findings refer to the evidence beside them, so this must not be copied. */
struct examination {
	struct evidence evidence;
	struct findings findings;
};

/*
 * Examines the analysis of a session, made from samples and calls, not from call stacks. `missing`
 * is the data file that does not exist, or NULL. `inlined` is the number of ticks in inlined
 * functions, or 0 if that does not matter.
 */
void examine_analysis(struct examination *found, const struct session *s, const struct command *c,
		      const char *missing, double inlined);

/*
 * Examines a session that was analysed in any way. Uses its analysis, if that was made of all
 * functions from samples and calls, else makes another one. Returns -1 if the program cannot be
 * read again for that.
 */
int examine_session(struct examination *found, const struct session *s, const struct command *c);

/*
 * Analyses a session from samples and calls, without warnings, with the user's choice of functions.
 */
void examine_analyze(struct session *s, const struct command *c);

/*
 * Whether the program's file has at most 64 MiB. Reading the debug information of larger files
 * takes too long if nobody asked for it.
 */
bool examine_is_small(const struct session *s);

/*
 * Returns the percentage of all time that inlined functions have, if that is more than 20, inlined
 * functions have no rows of their own, and the program is small; else 0. Reads debug information.
 */
double examine_inlined(const struct session *s);

/* Returns the style in which findings show names. */
enum demangle_style examine_style(const struct command *c);

/* Whether any time comes from call stacks. */
bool examine_has_stack_times(const struct session *s);

/*
 * Returns a sentence, in s->mem, on why the profile that --run made has little or no time, and sets
 * *key to the key of that finding. Returns NULL if there is nothing to say. session_analyze() must
 * have been called.
 */
const char *examine_run(const struct session *s, const struct command *c, const char **key);

/*
 * Returns what is wrong as lines "! KEY: SENTENCE", the most important first, in s->mem, and sets
 * *n to their number. The last line may be about the time that examine_inlined() returns.
 * session_analyze() must have been called, and `top` must have what top_head.h sets.
 */
const char *const *examine_causes(const struct session *s, const struct command *c,
				  const struct top *top, size_t *n);

#endif

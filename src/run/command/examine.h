/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a program and its data, for --explain, --top, and notes. */
#ifndef RUN_COMMAND_EXAMINE_H
#define RUN_COMMAND_EXAMINE_H

#include "model/evidence.h"
#include "model/finding.h"
#include "run/command/command.h"
#include "run/session/session.h"

/* The findings refer to the evidence, so it is not to be copied. */
struct examination {
	struct evidence evidence;
	struct findings findings;
};

/*
 * Looks for causes in the analysis of a session by samples and calls, not by stacks. `missing` is
 * the data file that does not exist, or NULL; `inlined` how many ticks are in inlined functions, or
 * 0 where that does not matter.
 */
void examine_analysis(struct examination *found, const struct session *s, const struct command *c,
		      const char *missing, double inlined);

/*
 * The same of a session that was analysed in any way: by its analysis, if that is of all functions
 * and by samples and calls, or else by another one. -1 if the program cannot be read so.
 */
int examine_session(struct examination *found, const struct session *s, const struct command *c);

/* Analyses a session by samples and calls, without warnings and with the user's choice of
 * functions. */
void examine_analyze(struct session *s, const struct command *c);

/* Whether the program's file has at most 64 MiB: debug information of larger ones takes too long to
 * read where nobody asked for it. */
bool examine_is_small(const struct session *s);

/* The share of all time that inlined functions have, in percent, if that is more than 20, they have
 * no rows of their own, and the program is small; else 0. Reads debug information. */
double examine_inlined(const struct session *s);

/* How findings show names. */
enum demangle_style examine_style(const struct command *c);

/* Whether any time is from call stacks. */
bool examine_has_stack_times(const struct session *s);

/*
 * Why the profile that --run made has little of the time, or none: a sentence in s->mem, and in
 * *key what findings call such a cause. NULL if there is nothing to say. The session was analysed.
 */
const char *examine_run(const struct session *s, const struct command *c, const char **key);

/*
 * What is wrong, as "! KEY: SENTENCE" each, the most important first, in s->mem; *n is how many
 * there are. The last may say what examine_inlined() returns. The session was analysed.
 */
const char *const *examine_causes(const struct session *s, const struct command *c, size_t *n);

#endif

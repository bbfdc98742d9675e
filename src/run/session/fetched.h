/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line that says what debuginfod has fetched, what not, and why. */
#ifndef RUN_SESSION_FETCHED_H
#define RUN_SESSION_FETCHED_H

#include "base/diag.h"
#include "run/launch/fetch.h"

#include <stdbool.h>

/* All zero but mem: nothing was asked for. */
struct fetched {
	struct arena *mem;
	size_t ngot;
	const char *got, *missed; /* names, separated by commas; NULL: none */
};

/* What was asked for, in words. */
struct fetched_words {
	const char *one, *many; /* "the source of ", "sources of " */
	const char *nothing;    /* "no source" */
	const char *wrong;      /* why a file that was fetched is not used */
};

/* Notes down what came of a file; `used` says whether it is of use. */
void fetched_add(struct fetched *f, const char *name, enum fetch_result result, bool used,
		 const struct fetched_words *words);

/* Gives the note, if anything was asked for. */
void fetched_say(const struct fetched *f, const struct fetched_words *words, struct diag *diag);

#endif

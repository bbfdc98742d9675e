/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of --diff. */
#ifndef RUN_LINE_DIFFKEYS_H
#define RUN_LINE_DIFFKEYS_H

#include "analysis/diff/compare.h"
#include "analysis/diff/match.h"
#include "base/diag.h"

struct diff_request {
	const char *base; /* a data file, or a directory of them; NULL: no difference is wanted */
	const char *program; /* that the base is of; NULL: the same path as the new one's */
	struct compare_options compare; /* but for the style of names */
	match_renames renames;
	bool all;    /* rows without a difference, too */
	bool fails;  /* if anything is slower by more than: */
	double fail; /* percent of the base's total */
};

/* Parses BASE[,KEY[=VALUE]...]; strings live in mem. 0, or -1 with the reason said. */
int diffkeys_parse(struct diff_request *request, const char *text, struct arena *mem,
		   struct diag *diag);

#endif

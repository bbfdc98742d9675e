/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arguments with keys of --diff, --order and --ranks. Those of --export are in export/, of
 * --run in run/launch/. */
#ifndef RUN_LINE_OPTION_KEYS_H
#define RUN_LINE_OPTION_KEYS_H

#include "analysis/diff/compare.h"
#include "analysis/diff/match.h"
#include "analysis/order/function_order.h"
#include "base/diag.h"
#include "model/ranks.h"
#include "report/linker.h"

struct diff_request {
	const char *base; /* a data file, or a directory of them; NULL: no difference is wanted */
	const char *program; /* that the base is of; NULL: the same path as the new one's */
	struct compare_options compare; /* but for the style of names */
	match_renames renames;
	bool all;    /* rows without a difference, too */
	bool fails;  /* if anything is slower by more than: */
	double fail; /* percent of the base's total */
};

struct order_request {
	enum linker_style style; /* LINKER_NONE: no order is wanted */
	struct function_order_options placement;
	const char *file; /* NULL or "-": standard output */
};

/* All take an argument whose copy lives in mem; they return 0, or -1 with the reason said. */

/* BASE[,KEY[=VALUE]...] */
int option_keys_diff(struct diff_request *request, const char *text, struct arena *mem,
		     struct diag *diag);

/* STYLE[,KEY[=VALUE]...] */
int option_keys_order(struct order_request *request, const char *text, struct arena *mem,
		      struct diag *diag);

/* KEY[=VALUE],..., or NULL: none. *csv is whether the key "csv" is among them. */
int option_keys_ranks(struct ranks_request *request, bool *csv, const char *text, struct arena *mem,
		      struct diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arguments with keys of --diff, --order and --ranks. The arguments of --export are parsed in
 * export/, those of --run in run/launch/.
 */
#ifndef RUN_LINE_OPTION_KEYS_H
#define RUN_LINE_OPTION_KEYS_H

#include "analysis/diff/compare.h"
#include "analysis/diff/match.h"
#include "analysis/order/function_order.h"
#include "base/diag.h"
#include "model/ranks.h"
#include "report/linker.h"

struct diff_request {
	const char *base; /* a data file or a directory of data files; NULL: --diff was not given */
	const char *program; /* the program of the base; NULL: the program of the new side */
	/* except the style of demangled names, which is set later */
	struct compare_options compare;
	match_renames renames;
	bool all;    /* also show rows without a difference */
	bool fails;  /* exit with a failure if anything is slower by more than `fail` */
	double fail; /* percent of the base's total */
};

struct order_request {
	enum linker_style style; /* LINKER_NONE: --order was not given */
	struct function_order_options placement;
	const char *file; /* where the order is written; NULL or "-": to standard output */
};

/*
 * Each function parses the argument of one option. The request points into a copy of `text` in mem.
 * Returns 0, or -1 after saying what is wrong.
 */

/* BASE[,KEY[=VALUE]...] */
int option_keys_diff(struct diff_request *request, const char *text, struct arena *mem,
		     struct diag *diag);

/* STYLE[,KEY[=VALUE]...] */
int option_keys_order(struct order_request *request, const char *text, struct arena *mem,
		      struct diag *diag);

/* KEY[=VALUE],...; `text` may be NULL for no keys. Sets *csv if the key "csv" is among them. */
int option_keys_ranks(struct ranks_request *request, bool *csv, const char *text, struct arena *mem,
		      struct diag *diag);

#endif

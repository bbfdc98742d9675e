/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arguments of options that have keys. Those of --export are in export/. */
#ifndef RUN_LINE_OPTION_KEYS_H
#define RUN_LINE_OPTION_KEYS_H

#include "analysis/diff/compare.h"
#include "analysis/diff/match.h"
#include "analysis/functions/named.h"
#include "analysis/order/function_order.h"
#include "base/diag.h"
#include "base/keys.h"
#include "model/ranks.h"
#include "report/linker.h"
#include "run/launch/launch.h"

/* The keys of all options, which are rows of options.def. */
enum {
#define KEY(id, ...) KEY_##id,
#include "run/line/options.def"
	OPTION_KEYS
};
extern const struct keys_row option_keys[OPTION_KEYS];

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

/* KEY[=VALUE],..., or NULL: none. */
int option_keys_run(struct launch_request *request, const char *text, struct arena *mem,
		    struct diag *diag);

/* An option for NAME[,KEY=N] or NAME,KEY. Commas in NAME, which is not empty, are part of it. */
struct option_keys_named {
	const char *name;  /* "entry" */
	const char *usage; /* the syntax, for a message */
	unsigned initial;  /* the number if there is no key */
};
int option_keys_named(struct named_request *request, const struct option_keys_named *option,
		      const char *text, struct arena *mem, struct diag *diag);

#endif

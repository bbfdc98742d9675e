/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that exclude each other. Each 0, or -1 with the reason said. */
#ifndef RUN_LINE_CHECK_OPTIONS_H
#define RUN_LINE_CHECK_OPTIONS_H

#include "analysis/order/order.h"
#include "export/export.h"
#include "run/line/option_keys.h"
#include "run/session/input.h"

/* Two on standard output: nobody could tell where the second begins. */
int check_options_exports(const export_requests *exports, struct diag *diag);

/* What the -o in front of all exports names, if there is one: the first export, which gets it
 * unless it has a file, or else the sum. */
int check_options_output(unsigned reports, const char *file, const char **sum,
			 export_requests *exports, struct diag *diag);

/* Two choices of functions. */
int check_options_symbols(bool gnu_symbols, const struct session_input *input, struct diag *diag);

/* A comparison, and exports that cannot show it, or another option, or NULL, that asks for
 * something else. */
int check_options_diff(const struct diff_request *diff, const export_requests *exports,
		       const char *other, struct diag *diag);

/* Call stacks, demanded or needed by one of a set of reports, and what excludes them. */
int check_options_times(unsigned reports, const struct session_input *input, struct diag *diag);

/* One order: that of a map's files, if there is a map, which is stored. */
int check_options_order(const char *mapfile, enum order_kind *order, struct diag *diag);

/* An order for a linker, and what else is asked for, or NULL. */
int check_options_linker(const struct order_request *order, const char *other, struct diag *diag);

#endif

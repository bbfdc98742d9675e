/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks for options that exclude each other. Each function returns 0, or -1 after saying which
 * options conflict.
 */
#ifndef RUN_LINE_CHECK_OPTIONS_H
#define RUN_LINE_CHECK_OPTIONS_H

#include "analysis/order/order.h"
#include "export/export.h"
#include "run/launch/experiment.h"
#include "run/line/option_keys.h"
#include "run/session/input.h"

/* Rejects two exports to standard output: nobody could tell where the second begins. */
int check_options_exports(const export_requests *exports, struct diag *diag);

/*
 * Decides what a -o before all exports names: the first export's file, unless that export has a
 * file already; then the file of the sum, *sum; and without exports and sum, that of the text
 * reports, *report.
 */
int check_options_output(unsigned reports, const char *file, const char **sum, const char **report,
			 export_requests *exports, struct diag *diag);

/* Rejects two different choices of the functions that are shown. */
int check_options_symbols(bool gnu_symbols, const struct session_input *input, struct diag *diag);

/*
 * Rejects --diff together with exports that cannot show a difference, or with `other`: an option
 * that asks for another output, or NULL.
 */
int check_options_diff(const struct diff_request *diff, const export_requests *exports,
		       const char *other, struct diag *diag);

/*
 * Rejects --versus without --run, together with exports that cannot show a difference, or with
 * `other`, as above.
 */
int check_options_versus(const struct experiment_request *versus, const char *history, bool runs,
			 const export_requests *exports, const char *other, struct diag *diag);

/*
 * Rejects options that exclude call stacks where call stacks were asked for, or where a report of a
 * certain set needs them.
 */
int check_options_times(unsigned reports, const struct session_input *input, struct diag *diag);

/*
 * Rejects two orders of the functions. If there is a file with an order (mapfile), sets *order to
 * the order by that file.
 */
int check_options_order(const char *mapfile, enum order_kind *order, struct diag *diag);

/* Rejects --order together with `other`: an option that asks for another output, or NULL. */
int check_options_linker(const struct order_request *order, const char *other, struct diag *diag);

#endif

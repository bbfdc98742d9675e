/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command line says. Made by options_parse(); constant from there on. */
#ifndef RUN_LINE_CHOICES_H
#define RUN_LINE_CHOICES_H

#include "analysis/analyze.h"
#include "base/diag.h"
#include "export/export.h"
#include "model/ranks.h"
#include "report/report.h"
#include "run/launch/launch.h"
#include "run/line/mistakes.h"
#include "run/line/option_keys.h"
#include "run/line/values.h"
#include "run/session/input.h"

struct options {
	struct session_input input;
	struct analysis_options analysis;
	struct report_options report;
	bool explain;          /* no report: say what is wrong */
	enum color_when color; /* of what goes to standard output */
	struct ranks_request ranks;
	const char *sum;            /* the file of the sum; NULL: gmon.sum; "-": standard output */
	export_requests exports;    /* instead of the reports, unless those are asked for */
	struct diff_request diff;   /* the report, unless others are asked for, too */
	struct order_request order; /* no report: this, if it is wanted */
	struct launch_request launch;
	separate_words separate; /* operands that may be arguments of options */
	bool gnu_symbols;    /* exports and --explain, too, have only the functions of GNU gprof */
	bool no_pager;       /* write to a terminal directly */
	bool trace;          /* tell what each step found */
	bool convert_blocks; /* do nothing but this: --bb-convert */
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command line asks for. options_parse() makes it; nothing changes it afterwards. */
#ifndef RUN_LINE_CHOICES_H
#define RUN_LINE_CHOICES_H

#include "analysis/analyze.h"
#include "base/diag.h"
#include "export/export.h"
#include "model/ranks.h"
#include "report/report.h"
#include "run/launch/experiment.h"
#include "run/launch/launch.h"
#include "run/line/mistakes.h"
#include "run/line/option_keys.h"
#include "run/line/values.h"
#include "run/session/input.h"

struct options {
	struct session_input input;
	struct analysis_options analysis;
	struct report_options report;
	bool explain;          /* write no report, but what may be wrong with the data */
	enum color_when color; /* when standard output gets colours */
	struct ranks_request ranks;
	const char *report_file; /* the file that gets text reports; "-": standard output; NULL:
				    where destination.h says */
	const char *sum; /* the file that gets the sum; NULL: gmon.sum; "-": standard output */
	/* written instead of the reports, or beside those that are asked for */
	export_requests exports;
	/* written instead of the reports, or beside those that are asked for */
	struct diff_request diff;
	/* --run runs two programs, in pairs, which are compared */
	struct experiment_request versus;
	const char *history;        /* the file that --versus adds what it found to, or NULL */
	struct order_request order; /* written instead of all reports, if its style is set */
	struct launch_request launch;
	separate_words separate; /* operands that the user may have meant as arguments of options */
	/* exports and --explain are limited to the functions that GNU gprof shows */
	bool gnu_symbols;
	bool no_pager;       /* write to a terminal without a pager */
	bool trace;          /* -D: say what each step found */
	bool convert_blocks; /* do nothing but convert basic-block counts: --bb-convert */
};

#endif

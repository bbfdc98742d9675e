/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "analysis/analyze.h"
#include "base/diag.h"
#include "export/export.h"
#include "report/report.h"
#include "run/diffkeys.h"
#include "run/launch.h"
#include "run/mistakes.h"
#include "run/session.h"
#include "run/values.h"

struct options {
	struct session_input input;
	struct analysis_options analysis;
	struct report_options report;
	bool explain;             /* no report: say what is wrong */
	enum color_when color;    /* of what goes to standard output */
	export_requests exports;  /* instead of the reports, unless those are asked for */
	struct diff_request diff; /* the report, unless others are asked for, too */
	struct launch_request launch;
	separate_words separate; /* operands that may be arguments of options */
	bool gnu_symbols;    /* exports and --explain, too, have only the functions of GNU gprof */
	bool no_pager;       /* write to a terminal directly */
	bool trace;          /* tell what each step found */
	bool convert_blocks; /* do nothing but this: see blocks_convert() */
};

enum options_result {
	OPTIONS_RUN,   /* go on */
	OPTIONS_DONE,  /* help or version was written to out */
	OPTIONS_WRONG, /* the reason was said */
};

/*
 * Parses a command line by the rules of GNU getopt_long: options and operands in any order, long
 * names shortened at will. Reorders argv, and points into it. Options act in the order given, so
 * --help before a wrong option succeeds.
 */
enum options_result options_parse(struct options *opt, int argc, char **argv, struct output *out,
				  struct arena *mem, struct diag *diag);

/*
 * What is read for exports and --explain: as for the reports, but with the functions that GNU gprof
 * counts with their neighbours, unless --gnu-symbols declines them. Of no list: that is as it is.
 */
struct session_input options_own_input(const struct options *opt);

#endif

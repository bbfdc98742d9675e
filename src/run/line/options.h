/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsing the command line. */
#ifndef RUN_LINE_OPTIONS_H
#define RUN_LINE_OPTIONS_H

#include "run/line/choices.h"

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

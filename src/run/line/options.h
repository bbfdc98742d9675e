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
 * --help before a wrong option succeeds. *parsed lives in mem.
 */
enum options_result options_parse(const struct options **parsed, int argc, char **argv,
				  struct output *out, struct arena *mem, struct diag *diag);

#endif

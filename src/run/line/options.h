/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the command line. */
#ifndef RUN_LINE_OPTIONS_H
#define RUN_LINE_OPTIONS_H

#include "run/line/choices.h"

enum options_result {
	OPTIONS_RUN,   /* continue with the command */
	OPTIONS_DONE,  /* help or version was written to out */
	OPTIONS_WRONG, /* wrong option; the reason was said */
};

/*
 * Parses a command line by the rules of GNU getopt_long: options and operands in any order, long
 * names shortened as far as they stay unique. Reorders argv; the result points into it. Options
 * take effect in the order given, so --help before a wrong option succeeds. *parsed lives in mem.
 */
enum options_result options_parse(const struct options **parsed, int argc, char **argv,
				  struct output *out, struct arena *mem, struct diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggests gprof's option for the first words that users of perf and of pprof type. */
#ifndef RUN_LINE_SYNONYMS_H
#define RUN_LINE_SYNONYMS_H

#include "base/diag.h"

/*
 * If the first word of the command line is a command of perf or pprof and not the name of a file,
 * reports an error that names gprof's option, and returns true. Returns false for all other words.
 */
bool synonyms_say_command(int argc, char **argv, struct diag *diag);

/*
 * Returns what gprof has in place of a long option of perf or pprof, or of an option with the name
 * of an export format; NULL: nothing. `name` has no dashes and ends at '=' or with the text.
 */
const char *synonyms_option(const char *name);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What users of perf and of pprof type first: the words of these for what gprof does otherwise. */
#ifndef RUN_LINE_SYNONYMS_H
#define RUN_LINE_SYNONYMS_H

#include "base/diag.h"

/*
 * If the first word of a command line is one of theirs, and no file, an error that names the
 * command of gprof's. Whether that was said: else nothing is known of the word.
 */
bool synonyms_say_command(int argc, char **argv, struct diag *diag);

/* What a long option of theirs, or one with the name of a format, is here, without its dashes and
 * up to '=' or its end; or NULL. */
const char *synonyms_option(const char *name);

#endif

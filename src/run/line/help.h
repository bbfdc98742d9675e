/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of --help and --version. */
#ifndef RUN_LINE_HELP_H
#define RUN_LINE_HELP_H

#include "base/output.h"

/* Every row of options.def under the heading of its group, in at most 79 columns. */
void help_write(struct output *out);

/* Writes the version and the licence. */
void help_write_version(struct output *out);

#endif

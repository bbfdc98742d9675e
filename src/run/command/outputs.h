/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files a command line writes. */
#ifndef RUN_COMMAND_OUTPUTS_H
#define RUN_COMMAND_OUTPUTS_H

#include "run/launch/confine.h"
#include "run/line/choices.h"

/* Adds the names of all files that will be written, or of others in their directories. In mem. */
void outputs_list(confine_paths *outputs, const struct options *opt, struct arena *mem);

#endif

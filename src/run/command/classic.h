/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GNU gprof's reports, and all combinations of reports, sums and exports. */
#ifndef RUN_COMMAND_CLASSIC_H
#define RUN_COMMAND_CLASSIC_H

#include "run/command/command.h"

int classic_run(const struct command *c);

#endif

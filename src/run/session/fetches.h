/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which debug files are fetched by debuginfod. */
#ifndef RUN_SESSION_FETCHES_H
#define RUN_SESSION_FETCHES_H

#include "run/session/input.h"

/*
 * Fetches, by input->fetch, the debug files of the objects that have at least 1 % of the
 * recording's samples, a build id, and no debug information on this machine, those with most
 * samples first; without call stacks, that of the program. So are the supplementary files that
 * these debug files name. A note says what was fetched, what not, and why. Nothing may have been
 * read of the program but what image_open() reads.
 */
void fetches_make(const struct session_input *input, struct image *program,
		  const struct recorded *recorded, struct arena *mem, struct diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the recordings of a run: --run=keep. */
#ifndef RUN_SESSION_KEEP_H
#define RUN_SESSION_KEEP_H

#include "run/session/input.h"

/*
 * Writes each recording of the input's run as gmon.out and gmon.out.ext, or their sum if one file
 * is for all processes, if the user wants to keep them. What cannot be read is left out, without a
 * word: reading it for the report says so. 0, or -1 with the reason said if a file cannot be
 * written. Linear.
 */
int keep_recordings(const struct session_input *input, struct arena *mem, struct diag *diag);

#endif

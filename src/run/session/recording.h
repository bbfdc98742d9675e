/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recording of one process of a run. */
#ifndef RUN_SESSION_RECORDING_H
#define RUN_SESSION_RECORDING_H

#include "run/session/input.h"

/*
 * Reads recording i of input->run into prof, which has a target, `keeps_pipes` and nothing else. A
 * process that was ended before it could say how, or whose end only gprof has seen, is completed as
 * recording_complete() does. Results live in mem, the name of the file, and its bytes if they are
 * kept, in `lasting`. 0, or -1 with the reason said. Linear.
 */
int recording_read(struct profile *prof, const struct session_input *input, size_t i,
		   struct arena *mem, struct arena *lasting, struct diag *diag);

/*
 * Completes the record of the process in a recording that was read from `path`, or adds it, if the
 * process was killed before it could write one, or still runs: how it ended, and its CPU time.
 * Allocates in mem.
 */
void recording_complete(struct recorded *r, const char *path, const struct session_input *input,
			struct arena *mem);

/*
 * If the input's run has several processes, makes it about the program with most of the samples,
 * whose file exists: with nice, env and sh -c about the one that these start. Of more than 1,000
 * recordings, the first that many decide. The path lives in mem. Linear in these.
 */
void recording_choose_program(struct session_input *input, struct arena *mem);

#endif

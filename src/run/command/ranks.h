/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the data files of a session, or their threads. */
#ifndef RUN_COMMAND_RANKS_H
#define RUN_COMMAND_RANKS_H

#include "run/command/command.h"
#include "run/session/session.h"

/*
 * Checks whether the data files of the session can be compared as the request asks: there are
 * several, or they have several threads. Returns 0, or -1 after saying why not. session_read() must
 * have been called.
 */
int ranks_check(const struct session *s, const struct ranks_request *request, struct diag *diag);

/* Whether all data files are regular files, which can be read again. */
bool ranks_can_read_again(const struct session *s);

/*
 * For which functions each rank's time is kept: for none; for those with much time in some rank;
 * for all, with their calls.
 */
enum ranks_cells { RANKS_NO_CELLS, RANKS_LARGE_CELLS, RANKS_ALL_CELLS };

/*
 * Compares the ranks of a session that was analysed; the result is in s->mem and has the cells that
 * were asked for; outliers need cells, too. Without call stacks, and for calls, data files are read
 * again, and once more for cells. `notes` gets which files are no ranks. Returns NULL after saying
 * why not. Takes memory for functions, for one file, and for the cells.
 */
const struct ranks *ranks_gather(struct session *s, const struct options *opt,
				 enum ranks_cells cells, struct diag *notes);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the data files of a session, or their threads, differ by. */
#ifndef RUN_COMMAND_RANKS_H
#define RUN_COMMAND_RANKS_H

#include "run/command/command.h"
#include "run/session/session.h"

/*
 * Whether the data files of a session that was read can be compared as the request wants it: they
 * are several, or have several threads. 0, or -1 with the reason said.
 */
int ranks_check(const struct session *s, const struct ranks_request *request, struct diag *diag);

/* Whether all data files are regular ones, which can be read again. */
bool ranks_can_read_again(const struct session *s);

/* Whether it is to be known what each rank has of each function: of none; of those that have much
 * time in some rank; or of all, with their calls. */
enum ranks_cells { RANKS_NO_CELLS, RANKS_LARGE_CELLS, RANKS_ALL_CELLS };

/*
 * From a session that was analysed, with cells or, unless outliers are asked for, without; in
 * s->mem. Without call stacks, or for calls, data files are read once more, and again for cells.
 * Which files are no ranks is told to `notes`. NULL with the reason said. Memory is that of
 * functions and of a file, and of the cells.
 */
const struct ranks *ranks_gather(struct session *s, const struct options *opt,
				 enum ranks_cells cells, struct diag *notes);

#endif

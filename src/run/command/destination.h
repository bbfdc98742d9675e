/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where text reports go: standard output, standard error, or the file of -o. */
#ifndef RUN_COMMAND_DESTINATION_H
#define RUN_COMMAND_DESTINATION_H

#include "io/outfiles.h"
#include "run/line/choices.h"

struct destination {
	struct output *out; /* what reports are written to */
	bool is_file;       /* out is the file of -o */
	struct outfiles files;
};

/*
 * Whether the file of -o, if there is one, can be made where its name says: to be asked before a
 * program runs for nothing. If not, says why.
 */
bool destination_is_possible(const struct options *opt, struct arena *mem, struct diag *diag);

/*
 * Opens the destination. It is `standard`, which is open on standard output, unless -o names a
 * file, or --run has let a program write there, as it does without --versus: then it is standard
 * error, unless standard output is a terminal. A file takes the place of none that `data` or --diff
 * names. Returns 0, or -1 after saying why not. Lives in mem, as does what it opens.
 */
int destination_open(struct destination *to, const struct options *opt,
		     const struct session_input *data, struct output *standard, struct arena *mem,
		     struct diag *diag);

/*
 * Writes what is buffered and closes what destination_open() has opened, but not `standard`. A file
 * gets its name if the report is `good`. Returns 0, or -1 after saying what went wrong.
 */
int destination_close(struct destination *to, bool good);

#endif

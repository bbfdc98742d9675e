/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are replaced as a whole: under their name stands the old one or the new one. */
#ifndef IO_NEWFILE_H
#define IO_NEWFILE_H

#include "base/arena.h"
#include "base/diag.h"
#include "io/fileids.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>

/*
 * A file in the making. It has no name until it is whole, so whatever ends the program leaves
 * nothing of it. Where a file system has no such files, it has a name beside its own, and signals
 * that users send wait until it is done.
 */
struct newfile {
	const char *path;
	char *temporary;
	int fd;          /* for writing, and for reading what was written */
	bool has_name;   /* `temporary`, already */
	unsigned rights; /* permissions that it may have at most */
	struct stat old; /* st_mode is 0 if there is none */
	sigset_t before; /* signals that were blocked */
};

/*
 * Begins the file `path`, which must outlive it. Under that name there may be nothing, or a file
 * that could be written: to put a new one in its place would not ask. Anything else is refused: a
 * file of `inputs`, and a symbolic link as well, since somebody else may have put it there. The new
 * one has the permissions of the old one or, without one, those that the umask leaves; none that
 * are not in `rights`; and before it is whole, no more than then. 0, or -1 with the reason said.
 */
int newfile_open(struct newfile *file, const char *path, const file_ids *inputs, unsigned rights,
		 struct arena *mem, struct diag *diag);

/*
 * Ends it: if it is good it is put on the disk and gets its name, with owner and permissions of the
 * old file, as far as we may give them; if not, it goes. 0, or -1 if it was not good or with the
 * reason said. Allocates nothing.
 */
int newfile_close(struct newfile *file, bool good, struct diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are replaced as a whole: under their name stands the old one or the new one. */
#ifndef IO_NEWFILE_H
#define IO_NEWFILE_H

#include "base/arena.h"
#include "base/diag.h"

#include <stdbool.h>
#include <sys/stat.h>

/* A file in the making, under a name of its own beside the one that it gets. */
struct newfile {
	const char *path;
	char *temporary;
	int fd;
	struct stat old; /* st_mode is 0 if there is none */
};

/*
 * Begins the file `path`, which must outlive it. Under that name there may be nothing, or a file
 * that could be written: to put a new one in its place would not ask. Anything else is refused, a
 * symbolic link as well, since somebody else may have put it there. 0, or -1 with the reason said.
 */
int newfile_open(struct newfile *file, const char *path, struct arena *mem, struct diag *diag);

/*
 * Ends it: if it is good it gets its name, with owner and permissions of the old file, as far as we
 * may give them; if not, it goes. 0, or -1 if it was not good or with the reason said.
 */
int newfile_close(struct newfile *file, bool good, struct diag *diag);

#endif

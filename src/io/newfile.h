/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces files as a whole: their name always refers to the old or the complete new file. */
#ifndef IO_NEWFILE_H
#define IO_NEWFILE_H

#include "base/arena.h"
#include "base/diag.h"
#include "io/fileids.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>

/*
 * A file being written. It has no name until it is complete, so nothing is left of it if the
 * program dies. On file systems without such files it has a temporary name beside its own, and
 * signals that users send are held back until it is complete.
 */
struct newfile {
	const char *path;
	char *temporary;
	int fd;          /* for writing, and for reading back */
	bool has_name;   /* `temporary` exists */
	unsigned rights; /* the most permissions that the file may get */
	struct stat old; /* the file that will be replaced; st_mode is 0 if there is none */
	sigset_t before; /* the signal mask before newfile_open() */
};

/*
 * Begins the file `path`, a string that must outlive it. The name must be free, or belong to a file
 * that the user may write to, since renaming would replace any file without asking. Files of
 * `inputs` are refused, and so are symbolic links, which somebody else may have put there. The new
 * file gets the permissions of the old one, or what the umask leaves, without those that are not in
 * `rights`; until it is complete, no more than that. Returns 0, or -1 after an error message.
 */
int newfile_open(struct newfile *file, const char *path, const file_ids *inputs, unsigned rights,
		 struct arena *mem, struct diag *diag);

/*
 * Ends the file. If `good`, it is written to disk and gets its name, and owner and permissions of
 * the old file as far as possible; otherwise it is removed. Returns 0, or -1 if it was not good or
 * after an error message. Allocates nothing.
 */
int newfile_close(struct newfile *file, bool good, struct diag *diag);

/*
 * Ends two good files, of which `beside` was opened last and belongs to certain contents of `file`.
 * Both are written to disk; then `beside` gets the name `waiting`, which tells to which contents it
 * belongs; `file` gets its name; and `beside` its own, which it gets at once if nothing has that.
 * So whenever the process is killed, what belongs to the contents of `file` is beside it under one
 * of two names, and nothing that belongs to the old contents goes before these do. Returns 0, or -1
 * after an error message; then the old files are unchanged, unless only the last step failed.
 * Allocates nothing.
 */
int newfile_close_pair(struct newfile *file, struct newfile *beside, const char *waiting,
		       struct diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the files that a run writes; none of them may overwrite another one, or a file that the
 * run reads. */
#ifndef IO_OUTFILES_H
#define IO_OUTFILES_H

#include "base/array.h"
#include "base/output.h"
#include "io/newfile.h"

/* All zero but mem and diag; outfiles_start() makes it ready. One file is open at a time. */
struct outfiles {
	struct output_set set;
	struct arena *mem;
	struct diag *diag;
	/* the files that the run reads, set by the owner; they are never replaced */
	file_ids inputs;
	bool failed;    /* some file could not be written */
	bool is_stream; /* the open file is a pipe or device that is written to directly; if false,
			   it is a new file */
	struct newfile file;
	struct output *out;        /* one large writer for all files, made for the first */
	ARRAY(const char *) names; /* of the files written so far */
	file_ids written;
};

/*
 * Makes set.open() and set.close() work. If a name or file was already used in this run, ".2" and
 * so on is added to the name, and a note says so. Files are made as newfile_open() does. Nothing
 * may be allocated while one is open: an arena without memory ends the program, which could leave a
 * file half written under its temporary name.
 */
void outfiles_start(struct outfiles *files);

/*
 * Opens like set.open() a file that the user named: a pipe, terminal or other character device, or
 * /dev/fd/N is written to directly. Such a pipe or descriptor can be used once.
 */
struct output *outfiles_open_named(struct outfiles *files, const char *name, const char *what,
				   unsigned rights);

/* Notes that another part of the run has written the file `name`. */
void outfiles_add_written(struct outfiles *files, const char *name);

/* Removes the open file: for handlers that end the program. */
void outfiles_drop(struct outfiles *files);

#endif

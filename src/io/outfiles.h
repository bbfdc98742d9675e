/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that a run writes, none of which may spoil another, or what the run reads. */
#ifndef IO_OUTFILES_H
#define IO_OUTFILES_H

#include "base/array.h"
#include "base/output.h"
#include "io/newfile.h"

/* Zero but for mem and diag, and made ready by outfiles_start(). One file is open at a time. */
struct outfiles {
	struct output_set set;
	struct arena *mem;
	struct diag *diag;
	file_ids inputs; /* what the run reads, and the owner fills in: not to be replaced */
	bool failed;     /* whether any file could not be written */
	bool is_stream;  /* the open one; else it is a new file */
	struct newfile file;
	struct output *out;        /* one that serves for all, made for the first; it is large */
	ARRAY(const char *) names; /* written so far */
	file_ids written;
};

/*
 * Makes set.open() and set.close() work: a name or a file that was already used in this run gets a
 * number behind it, ".2" and so on, and a note says so. Files are new ones, as newfile_open() has
 * it. Nothing may be allocated while one is open: an arena that ends the program might leave it
 * half written, under its temporary name.
 */
void outfiles_start(struct outfiles *files);

/*
 * As set.open(), for a name that the user gave: a pipe, a terminal, another character device, or
 * /dev/fd/N is written to as it is. Such a pipe or descriptor can be used once.
 */
struct output *outfiles_open_named(struct outfiles *files, const char *name, const char *what,
				   unsigned rights);

/* Another part of the run has written the file of that name. */
void outfiles_add_written(struct outfiles *files, const char *name);

/* Removes the open file, for handlers that end the program. */
void outfiles_drop(struct outfiles *files);

#endif

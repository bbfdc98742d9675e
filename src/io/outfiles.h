/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports that fill files of their own in the current directory. */
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
	bool failed; /* whether any file could not be written */
	struct newfile file;
	struct output out;
	ARRAY(const char *) names; /* written so far */
};

/*
 * Makes set.open() and set.close() work: a name that was already used in this run gets a number
 * behind it, ".2" and so on, and a note says so. Files are new ones, as newfile_open() has it.
 * Nothing may be allocated while one is open: an arena that ends the program would leave it half
 * written, under its temporary name.
 */
void outfiles_start(struct outfiles *files);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports that fill files of their own in the current directory. */
#ifndef IO_OUTFILES_H
#define IO_OUTFILES_H

#include "base/array.h"
#include "base/output.h"

/* Zero but for mem and diag, and made ready by outfiles_start(). One file is open at a time. */
struct outfiles {
	struct output_set set;
	struct arena *mem;
	struct diag *diag;
	struct output out;
	ARRAY(const char *) names; /* written so far */
};

/*
 * Makes set.open() and set.close() work: a name that was already used in this run gets a number
 * behind it, ".2" and so on, and a note says so.
 */
void outfiles_start(struct outfiles *files);

#endif

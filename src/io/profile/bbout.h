/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the text file bb.out, in which programs compiled with the -a of old gcc counted basic
 * blocks. */
#ifndef IO_PROFILE_BBOUT_H
#define IO_PROFILE_BBOUT_H

#include "base/diag.h"
#include "model/profile.h"

/*
 * Makes prof, which has a target and nothing else, of a bb.out of `size` bytes; its arrays live in
 * mem. A block is a line
 *
 *     Block #N: executed COUNT time(s) address= 0xADDRESS ...
 *
 * Each run appends its blocks to the file, so addresses repeat, and their counts are added up.
 * Other lines are ignored. Returns 0, or -1 after an error message: a number that does not fit, or
 * no block at all. Linear.
 */
int bbout_read(struct profile *prof, const char *text, size_t size, const char *name,
	       struct arena *mem, struct diag *diag);

#endif

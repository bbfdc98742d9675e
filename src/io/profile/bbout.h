/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the text file bb.out, in which programs compiled with the -a of old gcc counted basic
 * blocks. */
#ifndef IO_PROFILE_BBOUT_H
#define IO_PROFILE_BBOUT_H

#include "base/diag.h"
#include "model/profile.h"

/*
 * Makes prof, which has a target and nothing else, of a bb.out of `size` bytes; its arrays live in
 * mem. A line that says
 *
 *     Block #N: executed COUNT time(s) address= 0xADDRESS ...
 *
 * is a block; a run appends its blocks to the file, so that addresses repeat and add up. What else
 * stands in the file is of no account. 0, or -1 with the reason said: a number that does not fit,
 * or no block at all. Linear.
 */
int bbout_read(struct profile *prof, const char *text, size_t size, const char *name,
	       struct arena *mem, struct diag *diag);

#endif

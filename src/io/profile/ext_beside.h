/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the file of call stacks (gmon.out.ext) beside a data file. */
#ifndef IO_PROFILE_EXT_BESIDE_H
#define IO_PROFILE_EXT_BESIDE_H

#include "io/file.h"
#include "model/profile_sum.h"

/* Returns the name of the .ext file that belongs to a data file of this name, in mem. */
const char *ext_beside_name(const char *path, struct arena *mem);

/* The .ext file of a data file, opened before that is read. */
struct ext_beside {
	int fd; /* -1: there is none, or it cannot be opened */
	struct stat st;
};

/*
 * Opens the .ext file of the data file `path`, which then may be read. Another program may replace
 * both meanwhile: what is open belongs to the data file that was there before.
 */
struct ext_beside ext_beside_open(const char *path, const struct arena *mem);

/*
 * Returns how many processes the .ext file of the data file `path` says to be of, without reading
 * more than its head; 0: it says none, or cannot be read here.
 */
uint64_t ext_beside_processes(const char *path, const struct arena *mem);

/* Closes what ext_beside_open() has opened, if the data file could not be read. */
void ext_beside_close(struct ext_beside *beside);

/*
 * Adds the call stacks in the .ext file of the sum's last data file, which was read from `path` and
 * had these bytes; or notes that there are none. The file is the one that is open or, if that
 * belongs to another profile, the one that waits for its name, which a warning says (ext_name.h),
 * or the one that now has the name. If the last file has stacks itself, does nothing. A data file
 * that is no regular file has none; a file of stacks that cannot be read, or belongs to another
 * profile, is ignored with a warning. Closes `beside`. Returns 0, or -1 after an error message if
 * the sum would be too large, and must not be used. Linear in the bytes of both.
 */
int ext_beside_read(struct profile_sum *sum, const char *path, const struct file *profile,
		    struct ext_beside *beside, struct diag *diag);

/*
 * The same for call stacks in memory, such as those that came as text with the profile: `name` is
 * what they are called in messages. None if their size is 0. They are ignored, with a warning, if
 * they are wrong or belong to another profile.
 */
struct ext_given {
	const char *name;
	const unsigned char *profile, *bytes;
	size_t profile_size, size;
};
int ext_beside_take_given(struct profile_sum *sum, const struct ext_given *given,
			  struct diag *diag);

#endif

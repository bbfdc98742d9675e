/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes gmon.out.ext: see gmon_ext.h. */
#ifndef IO_PROFILE_EXT_WRITE_H
#define IO_PROFILE_EXT_WRITE_H

#include "base/output.h"
#include "io/newfile.h"
#include "model/recorded.h"
#include "model/target.h"

/*
 * The section of strings, and for each string that a record refers to its offset there, in the
 * order of the file.
 */
struct ext_texts {
	ARRAY(char) bytes;
	ARRAY(uint32_t) offsets;
};

/*
 * Collects the strings of rec, in mem. Returns false if they are too many for offsets of 32 bits.
 * Expected linear.
 */
bool ext_texts_make(struct ext_texts *texts, const struct recorded *rec, struct arena *mem);

/* Writes rec, whose strings are `texts`, to out. Linear; allocates nothing. */
void ext_print(const struct recorded *rec, const struct ext_texts *texts,
	       const struct target *target, uint64_t stamp, struct output *out);

/* A file of stacks that is being written together with its profile. */
struct ext_writer {
	const struct recorded *rec;
	const struct target *target;
	const char *path;
	struct ext_texts texts;
	struct newfile file;
	char *waiting; /* its name until the profile has its own: ext_name_waiting() */
};

/*
 * Prepares the file, which takes all the memory that is needed. target, rec and path must outlive
 * the writer. Returns 0, or -1 after an error message.
 */
int ext_writer_prepare(struct ext_writer *w, const struct recorded *rec,
		       const struct target *target, const char *path, struct arena *mem,
		       struct diag *diag);

/*
 * Writes the file, with the stamp of the profile in the descriptor `profile`, and sets `waiting`; a
 * few bytes of mem are taken. newfile_close_pair() is to give both files their names. `out` is room
 * for a writer. Returns 0, or -1 after an error message, with nothing to close.
 */
int ext_writer_write(struct ext_writer *w, int profile, const file_ids *inputs, struct output *out,
		     struct arena *mem, struct diag *diag);

#endif

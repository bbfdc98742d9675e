/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of gmon.out.ext: see gmon_ext.h. */
#ifndef IO_PROFILE_EXT_WRITE_H
#define IO_PROFILE_EXT_WRITE_H

#include "base/output.h"
#include "io/newfile.h"
#include "model/recorded.h"
#include "model/target.h"

/* The section of strings, and where in it those of all records begin, in the order of the file. */
struct ext_texts {
	ARRAY(char) bytes;
	ARRAY(uint32_t) offsets;
};

/* All in mem. False if they are more than offsets of 32 bits can tell. Expected linear. */
bool ext_texts_make(struct ext_texts *texts, const struct recorded *rec, struct arena *mem);

/* Writes rec, whose texts these are, to out. Linear; allocates nothing. */
void ext_print(const struct recorded *rec, const struct ext_texts *texts,
	       const struct target *target, uint64_t stamp, struct output *out);

/* A file of stacks in the making, beside a profile in the making. */
struct ext_writer {
	const struct recorded *rec;
	const struct target *target;
	const char *path;
	struct ext_texts texts;
	struct newfile file;
};

/*
 * Prepares what needs memory. target, rec and path must outlive the writer. 0, or -1 with the
 * reason said.
 */
int ext_writer_prepare(struct ext_writer *w, const struct recorded *rec,
		       const struct target *target, const char *path, struct arena *mem,
		       struct diag *diag);

/*
 * Writes the file beside the profile that is in the descriptor, whose bytes its stamp is of, and
 * gives it its name, as newfile_open() and newfile_close() have it; so only a few bytes of mem are
 * taken, for a name. `out` is for use in between. 0, or -1 with the reason said.
 */
int ext_writer_write(struct ext_writer *w, int profile, const file_ids *inputs, struct output *out,
		     struct arena *mem, struct diag *diag);

/* Removes the file, which goes with a profile that is no more, if it is of this format. */
void ext_remove(const char *path);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One program with its profiles, from files to values. */
#ifndef LOAD_H
#define LOAD_H

#include "base/bitset.h"
#include "base/diag.h"
#include "base/output.h"
#include "io/image/image.h"
#include "io/profile/gmon_read.h"
#include "io/source.h"
#include "model/profile.h"
#include "model/program.h"

struct input_options {
	const char *image;
	bool image_named;            /* by the user, not by default */
	bool profile_named;          /* the same; else there is one, gmon.out */
	const char *const *profiles; /* one or more, to be added up */
	int nprofiles;
	enum gmon_format format;
	struct image_choice symbols;
	string_array source_path; /* directories to look for source files in */
	bool by_line;             /* make symbols of source lines, too */
	bool static_calls;        /* also the calls that are in the code */
	const char *symfile;      /* a list of functions to use instead of the image's, or NULL */
	const char *mapfile;      /* which functions are in which object files, or NULL */
	bool has_image_base;
	uint64_t image_base; /* where the image lay when it was profiled, if that was said */
};

/*
 * Reads the symbols, and on request the lines, of an open image into prog and the data files into
 * prof. Results live in mem. 0, or -1 with the reason said.
 */
int load(struct program *prog, struct profile *prof, struct image *image,
	 const struct input_options *input, struct arena *mem, struct diag *diag);

/* The functions alone, and nothing else of the program. 0, or -1 with the reason said. */
int load_functions(struct program *prog, struct image *image, const struct input_options *input,
		   struct arena *mem, struct diag *diag);

/* The first data file that does not exist, or NULL. */
const char *load_missing(const struct input_options *input);

/*
 * Reads what there is: of a stripped program no functions, and of data files that are not all there
 * no profile. 0, or -1 with the reason said.
 */
int load_some(struct program *prog, struct profile *prof, bool has_files, struct image *image,
	      const struct input_options *input, struct arena *mem, struct diag *diag);

/*
 * The profile with the addresses that the image is linked for, if input says where it was loaded;
 * else as it is. What is new lives in mem.
 */
struct profile load_moved(const struct profile *prof, const struct image *image,
			  const struct input_options *input, struct arena *mem);

/*
 * Writes the sum of all data files to gmon.sum, in the format of input. 0, or -1 with the reason
 * said.
 */
int save_sum(const struct profile *prof, const struct input_options *input, const struct arena *mem,
	     struct diag *diag);

/*
 * Reads a bb.out from standard input and writes its counts to out as a data file, for the machine
 * of the image if one was named, else for this one. 0, or -1 with the reason said.
 */
int convert_blocks(const struct input_options *input, struct output *out, struct arena *mem,
		   struct diag *diag);

/*
 * One location for each symbol, in mem: those in `wanted`, or if NULL all, looked up, the others
 * empty. Symbols of a list have none; with source lines, all have been looked up by load().
 */
const struct location *load_locations(struct image *image, const struct program *prog,
				      const struct bitset *wanted, struct progress *progress,
				      struct arena *mem);

/*
 * The texts of the files that a report has, looked for along the path, in mem; others, and those
 * that are not found, of which a warning tells, have no bytes.
 */
const struct source_text *load_sources(const struct source_files *files, bool zeros,
				       const string_array *path, struct arena *mem,
				       struct diag *diag);

#endif

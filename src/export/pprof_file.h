/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writer of pprof files (profile.proto, compressed): messages, and a string table to which they
 * refer by number.
 */
#ifndef EXPORT_PPROF_FILE_H
#define EXPORT_PPROF_FILE_H

#include "base/gzip.h"
#include "base/proto.h"
#include "base/strtable.h"

/* Fields of the profile that are numbers or messages. */
enum pprof_field {
	PPROF_SAMPLE_TYPE = 1,
	PPROF_PERIOD_TYPE = 11,
	PPROF_PERIOD = 12,
	PPROF_COMMENT = 13,
	PPROF_DEFAULT_TYPE = 14
};

/* The first strings of the table, at these indices. */
enum pprof_word {
	PPROF_EMPTY,
	PPROF_SAMPLES,
	PPROF_COUNT,
	PPROF_CALLS,
	PPROF_CPU,
	PPROF_NANOSECONDS,
	PPROF_THREAD,
	PPROF_TID,
	PPROF_WORDS
};

struct pprof_file {
	struct gzip gz;
	struct proto part, inner; /* empty between messages */
	struct arena *mem;
	struct strtable names;       /* names of source files and threads */
	ARRAY(uint64_t) name_string; /* by name: its index in the file's string table */
	uint64_t nstrings, nfunctions, nlocations;
};

/* A function at a location, and the line in it. */
struct pprof_line {
	uint64_t function;
	unsigned line;
};

/* A mapped object. */
struct pprof_mapping {
	uint64_t lo, hi, offset;
	const char *path, *build_id; /* build_id may be NULL */
	bool has_lines;
};

/* Begins a file; all its memory is from mem. */
struct pprof_file pprof_file_begin(struct output *out, struct arena *mem);
void pprof_file_end(struct pprof_file *f);

/* Adds a string. Returns its index in the string table. */
uint64_t pprof_file_string(struct pprof_file *f, const char *text);

/*
 * The string index of the name of a source file or thread, which may be NULL. Expected cost: linear
 * in its length.
 */
uint64_t pprof_file_name(struct pprof_file *f, const char *name);

void pprof_file_number(struct pprof_file *f, enum pprof_field field, uint64_t n);
void pprof_file_comment(struct pprof_file *f, const char *text);
void pprof_file_type(struct pprof_file *f, enum pprof_field field, uint64_t what, uint64_t unit);

/* Adds a mapping. The caller numbers mappings from 1. */
void pprof_file_mapping(struct pprof_file *f, uint64_t id, const struct pprof_mapping *mapping);

/* Adds a function; `file` is a result of pprof_file_name(). Returns its number. */
uint64_t pprof_file_function(struct pprof_file *f, const char *name, const char *system_name,
			     uint64_t file, unsigned line);

/* Adds a location with n lines, the innermost first; mapping 0 is none. Returns its number. */
uint64_t pprof_file_location(struct pprof_file *f, uint64_t mapping, uint64_t address,
			     const struct pprof_line *line, uint32_t n);

/* A sample: its locations, the innermost first, its values, and its thread. */
struct pprof_sample {
	const uint64_t *location, *value;
	uint32_t nlocations, nvalues;
	uint64_t thread; /* string index of its name from pprof_file_name(), or PPROF_EMPTY */
	uint32_t tid;
};

void pprof_file_sample(struct pprof_file *f, const struct pprof_sample *sample);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the exports that were asked for. */
#ifndef RUN_COMMAND_EXPORT_FILES_H
#define RUN_COMMAND_EXPORT_FILES_H

#include "base/demangle.h"
#include "export/export.h"
#include "io/outfiles.h"
#include "io/source.h"
#include "model/difference.h"
#include "model/history.h"
#include "model/integer_costs.h"
#include "model/line_costs.h"
#include "model/paired.h"
#include "model/trees.h"
#include "model/view.h"

/* The base of a difference; the view of exports_input is the new side. */
struct exports_difference {
	const struct difference *difference;
	const struct difference_match *match;
	const struct paired *paired;   /* NULL: data files were compared */
	const struct history *history; /* NULL: no --history */
	const char *directory;         /* the current one; NULL: not known */
	const struct analysis *base;
	const struct integer_costs *base_amounts; /* of `base` */
	const struct call_trees *base_trees; /* of `base`; NULL: times are not from call stacks */
	uint64_t least; /* a path is tested only if it has this many samples on one side */
};

/* The values that exports are made of. All must outlive export_files_write(). */
struct exports_input {
	/* the locations that export_files_locations() added are looked up */
	const struct view *view;
	/* from integer_costs_make(), for the view's analysis */
	const struct integer_costs *integer_costs;
	const struct line_costs *line_costs; /* NULL unless export_files_want_lines() */
	/* of the functions with most time, for exports with source text; NULL: none */
	const struct instruction_listings *code;
	struct line_wholes wholes; /* with what was inlined there; empty without NEEDS_SOURCES */
	const struct call_trees *trees;              /* NULL: times are not from call stacks */
	const struct exports_difference *difference; /* NULL: no difference is shown */
	struct mapping mapping;                      /* the program's, from image_mapping() */
	struct outfiles *files;                      /* started; knows the files that were read */
	const string_array *source_path; /* directories in which source files are looked for */
	source_copies copies;            /* of source files that are in none */
	enum demangle_style style;       /* style of names; DEMANGLE_NONE: linker names */
};

/* Adds to `wanted` the symbols whose locations the exports need. Linear in listed symbols. */
void export_files_locations(const export_requests *requests,
			    const struct integer_costs *integer_costs, struct bitset wanted);

/* Whether an export shows the text of source files. */
bool export_files_want_texts(const export_requests *requests);

/* Whether an export shows the lines or addresses of samples and calls. */
bool export_files_want_lines(const export_requests *requests);

/* Whether an export shows what threads did one after the other. */
bool export_files_want_slices(const export_requests *requests);

/* Whether an export shows threads, or the lines or addresses of samples and calls. */
bool export_files_want_threads(const export_requests *requests);

/*
 * Writes each export to its file, which is either complete or not written at all, or to out. If one
 * fails, the others are written nevertheless. On a terminal, notes say what was written where.
 * Returns 0, or -1 after saying why not. Without requests, `input` is not read.
 */
int export_files_write(const export_requests *requests, const struct exports_input *input,
		       struct output *out, struct arena *mem);

#endif

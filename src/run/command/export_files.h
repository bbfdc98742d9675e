/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the exports that were asked for. */
#ifndef RUN_COMMAND_EXPORT_FILES_H
#define RUN_COMMAND_EXPORT_FILES_H

#include "base/demangle.h"
#include "export/export.h"
#include "io/outfiles.h"
#include "io/source.h"
#include "model/difference.h"
#include "model/integer_costs.h"
#include "model/line_costs.h"
#include "model/trees.h"
#include "model/view.h"

/* Two sides, of which the view of exports_input is the new one. */
struct exports_difference {
	const struct difference *difference;
	const struct difference_match *match;
	const struct analysis
		*base; /* with its integer_costs and, if times are from stacks, its trees */
	const struct integer_costs *base_amounts;
	const struct call_trees *base_trees;
	uint64_t least; /* samples of a path, to be tested */
};

/* What exports are made of. All of it outlives export_files_write(). */
struct exports_input {
	const struct view *view; /* with the locations that export_files_locations() adds */
	const struct integer_costs *integer_costs;   /* of its analysis, by integer_costs_make() */
	const struct line_costs *line_costs;         /* if export_files_want_lines(), else NULL; */
	struct line_sums lines;                      /* and by source line */
	const struct call_trees *trees;              /* if times are from call stacks, else NULL */
	const struct exports_difference *difference; /* what is to be shown, or NULL */
	struct mapping mapping;                      /* of the program, by image_mapping() */
	struct outfiles *files;                      /* started, with the inputs that are known */
	const string_array *source_path;             /* where source files are looked for */
	enum demangle_style style; /* of names; DEMANGLE_NONE: as the linker knows them */
};

/* Adds the symbols whose locations the requests need. Linear in listed symbols. */
void export_files_locations(const export_requests *requests,
			    const struct integer_costs *integer_costs, struct bitset wanted);

/* Whether any of them shows in which lines, or at which addresses, samples and calls are. */
bool export_files_want_lines(const export_requests *requests);

/* Whether any of them shows threads, or what export_files_want_lines() asks for. */
bool export_files_want_threads(const export_requests *requests);

/*
 * Writes each to its file, complete or not at all, or to out. Goes on to the next if one cannot be
 * written. On a terminal it is said what was written where. 0, or -1 with the reason said. Without
 * requests, input is not read.
 */
int export_files_write(const export_requests *requests, const struct exports_input *input,
		       struct output *out, struct arena *mem);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which reports there are, and writing them. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/bitset.h"
#include "base/demangle.h"
#include "base/output.h"
#include "model/analysis.h"

/* The reports that a user can ask for, as bits. */
enum report_bit {
	REPORT_INFO = 1,
	REPORT_FLAT = 2,
	REPORT_GRAPH = 4,
	REPORT_COUNTS = 8,
	REPORT_ORDER = 16,
	REPORT_SOURCE = 32,
	REPORT_SUM = 64, /* not text: the data files added up, written by save_sum() */
};

struct report_options {
	unsigned wanted;    /* reports asked for */
	unsigned mentioned; /* reports asked for or declined: not to be added by default */
	bool brief;         /* leave out the explanations */
	bool zeros;         /* list functions without calls and time, too */
	bool traditional;   /* in the layout of BSD gprof, with linker names */
	bool print_path;    /* show directories of source files */
	bool inline_files;  /* show file and line behind each name */
	bool terminal;      /* the output is one: foreign text is escaped */
	int width;          /* of the index, in columns, from 1 */
	bool raw_names;     /* show names as the linker knows them, whatever the style */
	enum demangle_style demangle;
	bool all_lines;           /* annotate all lines with code, with the last count known */
	uint64_t min_count;       /* of executions, for a line not to be marked as not executed */
	int table_length;         /* of the busiest lines of a source file */
	bool separate_files;      /* annotated source to files of its own, */
	struct output_set *files; /* which come from here */
	const struct source_text *sources; /* one for each file of the analysis */
};

/* How names are shown. */
static inline enum demangle_style report_style(const struct report_options *opt)
{
	return opt->raw_names || opt->traditional ? DEMANGLE_NONE : opt->demangle;
}

/* What a run without any request for a report shows: whatever the data has. */
void reports_choose(struct report_options *opt, const struct profile *prof);

/* The symbols whose source location the reports will print or sort by. The set lives in mem. */
struct bitset reports_locations(const struct analysis *a, const struct report_options *opt,
				struct arena *mem);

/*
 * Writes the wanted reports. `locations` has one for each symbol, those that reports_locations()
 * asked for filled in. 0, or -1 with the reason said if the data lacks what a report needs.
 */
int reports_write(const struct analysis *a, const struct location *locations,
		  const struct report_options *opt, struct output *out, struct arena *mem,
		  struct diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text reports, and writing them. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/bitset.h"
#include "base/demangle.h"
#include "base/output.h"
#include "model/view.h"

/* The reports that a user can request, as bits. */
enum report_bit {
	REPORT_INFO = 1,
	REPORT_FLAT = 2,
	REPORT_GRAPH = 4,
	REPORT_COUNTS = 8,
	REPORT_ORDER = 16,
	REPORT_SOURCE = 32,
	REPORT_INCLUSIVE = 128,
	REPORT_TREE = 256,
	REPORT_THREADS = 512,
	REPORT_TOP = 1024,
	REPORT_LISTING = 2048,
	REPORT_INSTRUCTIONS = 65536,
	REPORT_OBJECTS = 4096,
	REPORT_PROCESSES = 8192,
	REPORT_PROGRAMS = 32768, /* for data of several programs; has no option */
	REPORT_RANKS = 16384,
	REPORT_BLAME = 131072,
	REPORT_SUM = 64, /* not a text: the sum of the data files, written by save_sum() */
};

/* What a report does, for questions about all that are asked for, as bits. */
enum report_trait {
	REPORT_LISTS = 1,   /* has a row for each function */
	REPORT_REPEATS = 2, /* names functions again and again */
	REPORT_WAITS = 4,   /* shows waiting, if it was recorded */
};

/* Reports that GNU gprof does not have, and the sum. */
enum {
	OWN_REPORTS = REPORT_SUM | REPORT_INCLUSIVE | REPORT_TREE | REPORT_THREADS |
		      REPORT_LISTING | REPORT_INSTRUCTIONS | REPORT_TOP | REPORT_OBJECTS |
		      REPORT_PROCESSES | REPORT_PROGRAMS | REPORT_RANKS | REPORT_BLAME
};

struct report_options {
	unsigned wanted;    /* reports requested */
	unsigned mentioned; /* reports requested or declined, which are not added by default */
	bool objects;       /* a list of objects comes first, unless reports are requested */
	bool brief;         /* omit the explanations */
	bool zeros;         /* list functions without calls and time, too */
	bool traditional;   /* use the layout of BSD gprof, with linker names */
	bool print_path;    /* show directories of source files */
	bool inline_files;  /* show file and line after each name */
	uint32_t top;       /* functions on the first screen; 0: as many as fit */
	int width;          /* width of the index in columns, at least 1 */
	bool raw_names;     /* show names as the linker has them, whatever the style */
	enum demangle_style demangle;
	bool all_lines;      /* annotate all lines with code, with the latest count */
	uint64_t min_count;  /* least executions for a line not to be marked as not executed */
	int table_length;    /* length of the table of the busiest lines of a source file */
	bool time_columns;   /* time of each line of annotated source */
	bool separate_files; /* write annotated source to separate files */
};

/* Returns the style of names. */
static inline enum demangle_style report_style(const struct report_options *opt)
{
	return opt->raw_names || opt->traditional ? DEMANGLE_NONE : opt->demangle;
}

/*
 * Returns the reports of a run, as bits: those requested or, if there are none, all that the data
 * allow.
 */
unsigned report_choose(const struct report_options *opt, const struct profile *prof);

/* Returns what a set of reports needs, as bits of model/needs.h. */
unsigned report_needs(unsigned reports);

/* Those of a set of reports that have one of the traits. */
unsigned report_having(unsigned reports, unsigned traits);

/* The option of the first of a set of reports that can be shown from call stacks alone, or NULL. */
const char *report_measured_option(unsigned reports);

/* Returns 0, or -1 after reporting what the profile lacks for one of a set of reports. */
int report_check(unsigned reports, const struct profile *prof, struct diag *diag);

/* Returns the symbols whose source location a set of reports prints or sorts by, in mem. */
struct bitset report_locations(unsigned reports, const struct analysis *a,
			       const struct report_options *opt, struct arena *mem);

/*
 * Writes a set of reports. view->locations must have those of report_locations(). Returns 0, or -1
 * after reporting an error like report_check(); reports that need nothing and precede the first
 * with needs are written even then.
 */
int report_write(unsigned reports, const struct view *view, const struct report_options *opt,
		 struct output *out, struct arena *mem, struct diag *diag);

#endif

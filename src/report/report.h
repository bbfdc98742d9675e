/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which reports there are, and writing them. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/bitset.h"
#include "base/demangle.h"
#include "base/output.h"
#include "model/view.h"

/* The reports that a user can ask for, as bits. */
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
	REPORT_OBJECTS = 4096,
	REPORT_PROCESSES = 8192, /* of data that have some; there is no such option */
	REPORT_RANKS = 16384,
	REPORT_SUM = 64, /* not text: the data files added up, written by save_sum() */
};

/* Those that GNU gprof has not, and the sum alone. */
enum {
	OWN_REPORTS = REPORT_SUM | REPORT_INCLUSIVE | REPORT_TREE | REPORT_THREADS |
		      REPORT_LISTING | REPORT_TOP | REPORT_OBJECTS | REPORT_PROCESSES | REPORT_RANKS
};

struct report_options {
	unsigned wanted;    /* reports asked for */
	unsigned mentioned; /* reports asked for or declined: not to be added by default */
	bool objects;       /* a list of these comes first, unless reports are asked for */
	bool brief;         /* leave out the explanations */
	bool zeros;         /* list functions without calls and time, too */
	bool traditional;   /* in the layout of BSD gprof, with linker names */
	bool print_path;    /* show directories of source files */
	bool inline_files;  /* show file and line behind each name */
	uint32_t top;       /* functions on the first screen; 0: as many as fit */
	int width;          /* of the index, in columns, from 1 */
	bool raw_names;     /* show names as the linker knows them, whatever the style */
	enum demangle_style demangle;
	bool all_lines;      /* annotate all lines with code, with the last count known */
	uint64_t min_count;  /* of executions, for a line not to be marked as not executed */
	int table_length;    /* of the busiest lines of a source file */
	bool time_columns;   /* time of each line of annotated source */
	bool separate_files; /* annotated source to files of its own */
};

/* How names are shown. */
static inline enum demangle_style report_style(const struct report_options *opt)
{
	return opt->raw_names || opt->traditional ? DEMANGLE_NONE : opt->demangle;
}

/*
 * The reports of a run, as bits: those asked for or, if there are none, whatever the data has.
 */
unsigned reports_choose(const struct report_options *opt, const struct profile *prof);

/* What a set of reports needs, as model/needs.h has it. */
unsigned reports_need(unsigned reports);

/* 0, or -1 with the reason said if the profile lacks what one of a set of reports needs. */
int reports_check(unsigned reports, const struct profile *prof, struct diag *diag);

/* The symbols whose source location a set of reports prints or sorts by. It lives in mem. */
struct bitset reports_locations(unsigned reports, const struct analysis *a,
				const struct report_options *opt, struct arena *mem);

/*
 * Writes a set of reports. Of view->locations, those of reports_locations() are filled in. 0, or -1
 * as reports_check() says it; what stands before the first report with needs is written then.
 */
int reports_write(unsigned reports, const struct view *view, const struct report_options *opt,
		  struct output *out, struct arena *mem, struct diag *diag);

#endif

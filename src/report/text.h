/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the text reports share: their input, units and pages. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report/report.h"

/* How a symbol is written: its demangled name, with its place if requested. */
struct label {
	const char *text; /* not NUL-terminated; NULL until it is made */
	uint32_t len;
	uint32_t number; /* index number in the call graph; see labels_are_whole */
};

/* The context of all reports of a run. Nodes are numbered as in costs.h. */
struct text {
	const struct analysis *a; /* the analysis of `view` */
	const struct view *view;
	const struct report_options *opt;
	unsigned reports; /* reports of the run, as bits */
	struct arena *mem;
	struct progress *progress; /* progress of writing, or NULL */
	const uint32_t *order;     /* nodes with data and cycles, in the order of the call graph */
	uint32_t norder;
	const uint32_t *number;  /* index number of each node, from 1; 0 without data */
	const uint32_t *rank;    /* rank of each symbol by name, equal for equal names; NULL unless
				    most symbols can be printed, in which case all labels are made */
	const uint32_t *by_name; /* all symbols in that order; NULL without `rank` */
	bool numbered;           /* a call graph is wanted, so `order` and `number` are set */
	struct label *labels;    /* by symbol, made when first written; NULL: none are kept */
	bool labels_are_made;    /* all that are printed are made, so threads may read them */
	bool labels_are_whole;   /* a label includes the rest of the symbol's line; `number` is the
				    length of that rest */
	struct arena *line;      /* memory of the current line's labels if none are kept */
	double rate;             /* ticks per unit of time */
	const char *dimension;   /* name of that unit, for example "seconds" */
	char abbrev;             /* first letter of that unit */
	/* waiting time of threads, besides the times; NULL: there is none */
	const struct costs_waits *waits;
};

/*
 * Returns the context of a set of reports. The caller then calls entries_order() and labels_make(),
 * in this order, which set the other members; these live in mem.
 */
struct text text_prepare(unsigned reports, const struct view *view,
			 const struct report_options *opt, struct arena *mem);

/* Writes gprof's own lines in a style. */
void text_heading(struct output *out, enum output_style style, const char *lines);

/* The explanation of a report; each part ends with a newline. */
struct explanation {
	const char *title, *text;
	const char *note; /* written on a separate page, as programs that split the output expect */
	const char *intervals; /* follows the text if there are intervals; may be NULL */
};

void text_explain(const struct text *t, const struct explanation *explanation, struct output *out);

/* Writes lines of explanation, refilled if one has more columns; 0: as they are. */
void text_refill(uint32_t columns, const char *text, struct output *out);

/*
 * text_begin_sentence() returns where a sentence starts in the buffer of `out`, in which it stays.
 * text_fold() replaces blanks of what was written since by newlines, so that no line has more than
 * `columns` columns; 0: it does nothing.
 */
size_t text_begin_sentence(struct output *out);
void text_fold(uint32_t columns, size_t start, struct output *out);

/* Whether a part is a large share of the total: a tenth or more. */
bool text_is_hot(double part, double total);

/* A number of columns that is no limit. */
#define TEXT_ALL UINT32_MAX

/*
 * Returns the columns left on a line that began when out->total was `start` and is ASCII so far. On
 * a terminal there are at least a few, so that names stay recognizable; else the result is
 * TEXT_ALL.
 */
uint32_t text_room(const struct text *t, uint64_t start, const struct output *out);

/*
 * Returns the seconds in which threads were ready to run but not on a CPU, if these are enough to
 * matter to the reader; else 0. t->waits must not be NULL.
 */
double text_queued(const struct text *t);

/* Starts a new page: with a form feed or, on a terminal, where pagers show that as ^L, with an
 * empty line. */
void text_new_page(struct output *out);

/* Starts a new page, unless the output is still empty. */
void text_page(struct output *out);

/*
 * Returns a part of a nonzero total in tenths of a percent: at least 1 if the part is not 0, and
 * less than 1000 if it is not the total.
 */
unsigned text_tenths(uint64_t part, uint64_t total);

/*
 * With call stacks: writes the number of samples, their threads, and the shares of complete,
 * guessed, broken and cut stacks, as "1204 samples, 99.9 % of complete stacks.", without a newline.
 * Shares are computed by text_tenths(). Samples in the profiler's own functions, which count for no
 * time, are listed separately. For waiting, seconds replace samples; waiting in addition to times
 * is written after them.
 */
void text_samples(const struct text *t, struct output *out);

/* The kind of intervals of a report, if the user wants any. */
enum text_intervals { TEXT_NO_INTERVALS, TEXT_OF_SELF, TEXT_OF_INCLUSIVE };

/* Writes "Each sample counts as 0.01 seconds" and what text_samples() does, or only the latter;
 * with intervals, what they belong to. Ends the line. */
void text_unit_line(const struct text *t, enum text_intervals intervals, struct output *out);

/* Whether times are waiting times, which are not sampled. */
bool text_is_clocked(const struct text *t);

/* With waiting besides times: returns the sum of ticks and `waits`, in the unit of `rate`. */
double text_with_waits(const struct text *t, double ticks, double waits);

/*
 * CPU time of processes without samples, mostly of those that ended before the first one, in ns; 0:
 * no more than chance explains, or not known of what is shown.
 */
uint64_t text_without_samples(const struct text *t);

/* Whether times of single calls are known: not for a selection of threads, since calls are counted
 * for all. */
bool text_has_call_times(const struct text *t);

/* Returns the bytes of code that a sample covers. */
long text_granularity(const struct text *t);

/* Writes how many bytes a sample covers and what share of `total` ticks it is, or `nothing` if
 * total is 0; with call stacks, text_samples() on a separate line, and what intervals belong to. */
void text_granularity_line(const struct text *t, double total, const char *nothing,
			   enum text_intervals intervals, struct output *out);

#endif

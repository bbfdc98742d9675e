/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the text reports share: all that they look at, units and pages. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report/report.h"

/* How a symbol is written: its readable name, with its place if that was asked for. */
struct label {
	const char *text; /* without a NUL at its end; NULL until it is made */
	uint32_t len;
	uint32_t number; /* of its entry, if there is a call graph; or see labels_are_whole */
};

/* One for all reports of a run. Nodes are numbered as in costs.h. */
struct text {
	const struct analysis *a; /* the view's */
	const struct view *view;
	const struct report_options *opt;
	unsigned reports; /* of the run, as bits */
	struct arena *mem;
	struct progress *progress; /* of writing, or NULL */
	const uint32_t *order;     /* nodes with data and cycles, as the call graph lists them */
	uint32_t norder;
	const uint32_t *number;  /* a node's index number, from 1; 0 without data */
	const uint32_t *rank;    /* of symbols by name, alike for equal ones, if most can be
				    printed: then all labels are made; else NULL */
	const uint32_t *by_name; /* all symbols in that order, if there is a rank */
	bool numbered;           /* a call graph is wanted: order and number are made */
	struct label *labels;    /* of symbols, made when first written; NULL: none are kept */
	bool labels_are_made;  /* those that are printed: no more are kept, so threads read them */
	bool labels_are_whole; /* behind a name is the rest of its lines, of so many bytes */
	struct arena *line;    /* then it has the one of a line */
	double rate;           /* ticks in a unit of time */
	const char *dimension; /* that unit, "seconds" */
	char abbrev;           /* and its letter */
	const struct costs_waits *waits; /* how long threads waited, beside the times; or NULL */
};

/*
 * The context of a set of reports, without what entries_order() and labels_make() add to it, in
 * that order. What is added lives in mem.
 */
struct text text_prepare(unsigned reports, const struct view *view,
			 const struct report_options *opt, struct arena *mem);

/* Writes lines of the report's own in a style. */
void text_heading(struct output *out, enum output_style style, const char *lines);

/* What explains a report, each with a newline at its end. */
struct explanation {
	const char *title, *text;
	const char *note;      /* on a page of its own, as programs that divide the output expect */
	const char *intervals; /* behind the text if there are any; or NULL */
};

void text_explain(const struct text *t, const struct explanation *explanation, struct output *out);

/* Whether a part is so large a share of all that one looks there first: a tenth. */
bool text_is_hot(double part, double total);

/* In place of a number of columns: as many as it takes. */
#define TEXT_ALL UINT32_MAX

/*
 * How many columns are left on a line of which all so far is ASCII, and which began when out->total
 * was `start`: on a terminal at least a few, so that names stay names; else TEXT_ALL.
 */
uint32_t text_room(const struct text *t, uint64_t start, const struct output *out);

/* Seconds in which threads were neither on the CPU nor waiting, but ready to run while others ran,
 * if they are so many that a reader would look for them; else 0. t->waits is not NULL. */
double text_queued(const struct text *t);

/* Starts a new page: with a form feed, but on a terminal, whose pager shows that as ^L, with an
 * empty line. */
void text_new_page(struct output *out);

/* The same unless the output is still empty. */
void text_page(struct output *out);

/* A part of a total, which is not 0, in tenths of a percent: of what there is at least one, and
 * less than all if it is not all. */
unsigned text_tenths(uint64_t part, uint64_t total);

/*
 * With call stacks: writes how many samples there are, of which threads, and of how many the stacks
 * are complete, guessed, broken and cut, as "1204 samples, 99.9 % of complete stacks.", without a
 * newline. Shares are those of text_tenths(). Those in the profiler's own functions, which no time
 * has, are told apart. Of waiting, seconds stand for samples; where it is beside the times, it is
 * told behind them.
 */
void text_samples(const struct text *t, struct output *out);

/* What intervals a report has, if the user wants any. */
enum text_intervals { TEXT_NO_INTERVALS, TEXT_OF_SELF, TEXT_OF_INCLUSIVE };

/* The same behind "Each sample counts as 0.01 seconds"; or that alone. With intervals, what they
 * are of. Ends the line. */
void text_unit_line(const struct text *t, enum text_intervals intervals, struct output *out);

/* Whether times are of waiting, which is not sampled. */
bool text_is_clocked(const struct text *t);

/* With waiting beside the times: that of ticks and so many of waiting, in the unit of `rate`. */
double text_with_waits(const struct text *t, double ticks, double waits);

/* Whether times of single calls can be told: not of some threads, as calls are those of all. */
bool text_has_call_times(const struct text *t);

/* Bytes of code that a sample stands for. */
long text_granularity(const struct text *t);

/*
 * Writes how many bytes a sample stands for and what share of `total` ticks, or `nothing` without
 * any; with call stacks, text_samples() on a line of its own, and what intervals are of.
 */
void text_granularity_line(const struct text *t, double total, const char *nothing,
			   enum text_intervals intervals, struct output *out);

#endif

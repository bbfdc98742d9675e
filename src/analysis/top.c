/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/top.h"

#include "analysis/confidence.h"
#include "analysis/functions/resolve.h"
#include "analysis/lines/line_sums.h"
#include "analysis/top_frames.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

/* Half of the confidence interval of n ticks out of `all`; `files` as for confidence_share(). */
static double top_error(const struct confidence *c, double n, double all, double files)
{
	struct interval share = confidence_share(c, n, all, files);

	return all * (share.high - share.low) / 2.0;
}

/* Compares as the flat profile does. */
static int top_compare(uint32_t x, uint32_t y, const void *analysis)
{
	const struct analysis *a = analysis;
	const struct sym *sym = a->program->symtab.sym;

	if (a->costs.self[x] != a->costs.self[y])
		return a->costs.self[x] > a->costs.self[y] ? -1 : 1;
	if (a->costs.calls.outer[x] != a->costs.calls.outer[y])
		return a->costs.calls.outer[x] > a->costs.calls.outer[y] ? -1 : 1;
	return strcmp(sym[x].name, sym[y].name);
}

/*
 * Finds the caller with the most time, or with equal times the most calls. Arcs from the function's
 * own cycle have no time; such callers count only if there are no others.
 */
static void top_find_caller(struct top_row *row, const struct analysis *a)
{
	const struct graph *g = &a->graph;
	sym_id s = row->function;
	double all = a->costs.graph.root ? costs_arc_sum(&a->costs.graph.root[s]) : 0.0,
	       calls = 0.0;
	double most = all, most_calls = 0.0;
	sym_id by_time = SYM_NONE, by_calls = SYM_NONE;

	for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++) {
		const struct arc *arc = &g->arc[g->in_arc[i]];
		double time = costs_arc_sum(&a->costs.graph.up[g->in_arc[i]]);
		double ncalls = (double)arc->ncalls;

		if (arc->from == s)
			continue;
		calls += ncalls;
		if (ncalls > most_calls) {
			most_calls = ncalls;
			by_calls = arc->from;
		}
		if (analysis_is_inside(a, arc->from, s))
			continue;
		all += time;
		if (time > most) {
			most = time;
			by_time = arc->from;
		}
	}
	row->caller = all > 0.0 ? by_time : by_calls;
	if (row->caller != SYM_NONE)
		row->caller_share = all > 0.0 ? most / all : most_calls / calls;
}

static void top_find_cycles(struct top *top, const struct analysis *a, double credit)
{
	double most = 0.0;

	for (uint32_t c = 0; c < a->cycles.ncycles; c++) {
		uint32_t node = a->graph.nnodes + c;
		double self = 0.0, time;

		for (uint32_t i = a->cycles.start[c]; i < a->cycles.start[c + 1]; i++)
			self += a->costs.self[a->cycles.member[i]];
		time = credit * (self + a->costs.children[node]);
		if (time <= 0.0)
			continue;
		top->ncycles++;
		if (time > most) {
			most = time;
			top->cycle = c + 1;
		}
	}
	top->cycle_share = top->total > 0.0 ? most / top->total : 0.0;
}

static uint64_t top_calls(const struct profile *prof)
{
	uint64_t n = 0;

	for (size_t i = 0; i < prof->arcs.n; i++) {
		if (__builtin_add_overflow(n, prof->arcs.at[i].ncalls, &n))
			return UINT64_MAX;
	}
	return n;
}

/*
 * Returns the row of a function, whose error and callers are not set. `credit` is resolve_fit(), by
 * which times are multiplied.
 */
static struct top_row top_row_make(const struct analysis *a, sym_id s, double credit)
{
	double self = credit * a->costs.self[s];

	return (struct top_row){ .function = s,
				 .self = self,
				 .inclusive = self + credit * a->costs.children[s],
				 .ncalls = a->costs.calls.outer[s],
				 .caller = SYM_NONE,
				 .own_caller = { SYM_NONE, SYM_NONE } };
}

/* Returns half of the interval of a row's self time, which may be waiting. */
static double top_self_error(const struct top *top, const struct analysis *a,
			     const struct confidence *c, const struct top_row *row)
{
	if (top->has_wait_errors)
		return top->z * a->costs.wait_errors.self[row->function];
	return top_error(c, row->self, top->total, confidence_files(c->self, row->function));
}

struct top top_make(const struct analysis *a, uint32_t most, struct arena *mem)
{
	struct top top = { .total = a->costs.total, .ncalls = top_calls(a->profile) };
	struct arena scratch = arena_scratch(mem);
	sym_id *order = arena_array(&scratch, sym_id, a->graph.nnodes);
	struct confidence c = confidence_to_show(a, mem);
	double credit = resolve_fit(&a->costs, a->graph.nnodes);
	struct top_row *rows;

	top.level = c.level;
	top.z = c.z;
	top.per_sample = fmax(c.per_sample, 1.0);
	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (bitset_has(a->selection.flat, s) && a->costs.self[s] > 0.0)
			order[top.nsampled++] = s;
	}
	sort_ids(order, top.nsampled, top_compare, a, &scratch);
	top.nrows = top.nsampled < most ? top.nsampled : most;
	rows = arena_array(mem, struct top_row, top.nrows);
	top.has_wait_errors = clock_is_waiting(&a->costs.origin.clock) && a->costs.wait_errors.self;
	for (uint32_t i = 0; i < top.nrows; i++) {
		rows[i] = top_row_make(a, order[i], credit);
		rows[i].error = top_self_error(&top, a, &c, &rows[i]);
		top_find_caller(&rows[i], a);
	}
	if (a->tree.n > 0) {
		top.frame = top_frames_make(a, &top.nframes, mem);
		top_frames_find_callers(a, rows, top.nrows, mem);
	}
	arena_free(&scratch);
	top.row = rows;
	if (top.total > 0.0)
		top.error =
			top_error(&c, top.total / 2.0, top.total, CONFIDENCE_UNKNOWN) / top.total;
	top_find_cycles(&top, a, credit);
	return top;
}

void top_add_lines(struct top *top, const struct analysis *a, const struct line_costs *costs,
		   struct arena *mem)
{
	struct top_row *rows = arena_array(mem, struct top_row, top->nrows);

	for (uint32_t i = 0; i < top->nrows; i++) {
		rows[i] = top->row[i];
		if (top_frames_has_line(a, rows[i].function))
			rows[i].line = line_sums_hottest(costs, rows[i].function,
							 &rows[i].line_share, mem);
	}
	top->row = rows;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/top.h"

#include "analysis/confidence.h"
#include "analysis/functions/resolve.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

/* Percent of cases in which the truth is within the error, if nobody asks for another level. */
#define TOP_LEVEL 95.0

static double top_time(const struct arc_time *time)
{
	return time->self + time->children;
}

/* Half of the interval for n of so many, in ticks; `files` as confidence.h has it. */
static double top_error(const struct confidence *c, double n, double all, double files)
{
	struct interval share = confidence_share(c, n, all, files);

	return all * (share.high - share.low) / 2.0;
}

/* As the flat profile is sorted. */
static int top_compare(uint32_t x, uint32_t y, const void *analysis)
{
	const struct analysis *a = analysis;
	const struct sym *sym = a->program->symtab.sym;

	if (a->ticks.self[x] != a->ticks.self[y])
		return a->ticks.self[x] > a->ticks.self[y] ? -1 : 1;
	if (a->calls.outer[x] != a->calls.outer[y])
		return a->calls.outer[x] > a->calls.outer[y] ? -1 : 1;
	return strcmp(sym[x].name, sym[y].name);
}

/*
 * The caller with the most time, or where no time tells them apart, the most calls. Callers in the
 * function's own cycle have time for no one, and count only where there are no others.
 */
static void top_find_caller(struct top_row *row, const struct analysis *a)
{
	const struct graph *g = &a->graph;
	sym_id s = row->function;
	double all = a->weights.root ? top_time(&a->weights.root[s]) : 0.0, calls = 0.0;
	double most = all, most_calls = 0.0;
	sym_id by_time = SYM_NONE, by_calls = SYM_NONE;

	for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++) {
		const struct arc *arc = &g->arc[g->in_arc[i]];
		double time = top_time(&a->weights.arc[g->in_arc[i]]);
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
			self += a->ticks.self[a->cycles.member[i]];
		time = credit * (self + a->weights.inherited[node]);
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

struct top top_make(const struct analysis *a, uint32_t most, struct arena *mem)
{
	struct top top = { .total = a->ticks.total, .ncalls = top_calls(a->profile) };
	struct arena scratch = arena_scratch(mem);
	sym_id *order = arena_array(&scratch, sym_id, a->graph.nnodes);
	struct confidence c = { .level = TOP_LEVEL };
	double credit = resolve_fit(&a->ticks, a->graph.nnodes);
	struct top_row *rows;

	if (a->confidence.level > 0.0) {
		c = a->confidence;
	} else {
		c.z = interval_normal(c.level);
		confidence_weigh(&c, a, NULL, mem);
	}
	top.level = c.level;
	top.z = c.z;
	top.per_sample = fmax(c.per_sample, 1.0);
	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (bitset_has(a->selection.flat, s) && a->ticks.self[s] > 0.0)
			order[top.nsampled++] = s;
	}
	sort_ids(order, top.nsampled, top_compare, a, &scratch);
	top.nrows = top.nsampled < most ? top.nsampled : most;
	rows = arena_array(mem, struct top_row, top.nrows);
	for (uint32_t i = 0; i < top.nrows; i++) {
		sym_id s = order[i];
		double self = credit * a->ticks.self[s];

		rows[i] = (struct top_row){ .function = s,
					    .self = self,
					    .error = top_error(&c, self, top.total,
							       confidence_files(c.self, s)),
					    .inclusive = self + credit * a->weights.inherited[s],
					    .ncalls = a->calls.outer[s],
					    .caller = SYM_NONE };
		top_find_caller(&rows[i], a);
	}
	arena_free(&scratch);
	top.row = rows;
	if (top.total > 0.0)
		top.error =
			top_error(&c, top.total / 2.0, top.total, CONFIDENCE_UNKNOWN) / top.total;
	if (!a->stacks)
		top_find_cycles(&top, a, credit);
	return top;
}

/* By file and line. */
static int top_compare_lines(uint32_t x, uint32_t y, const void *places)
{
	const struct line_costs *p = places;
	const struct source_frame *a = &p->frame[p->at[x].frame], *b = &p->frame[p->at[y].frame];
	int order = strcmp(a->file, b->file);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void top_find_line(struct top_row *row, const struct line_costs *places,
			  const struct arena *mem)
{
	uint32_t first = places->start[row->function], end = places->start[row->function + 1];
	struct arena scratch = arena_scratch(mem);
	uint32_t *order = arena_array(&scratch, uint32_t, end - first), n = 0;
	double all = 0.0, most = 0.0, sum = 0.0;

	for (uint32_t i = first; i < end; i++) {
		all += (double)places->at[i].self;
		if (places->frame[places->at[i].frame].file)
			order[n++] = i;
	}
	sort_ids(order, n, top_compare_lines, places, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		const struct source_frame *frame = &places->frame[places->at[order[i]].frame];

		if (i > 0 && top_compare_lines(order[i - 1], order[i], places) != 0)
			sum = 0.0;
		sum += (double)places->at[order[i]].self;
		if (sum > most) {
			most = sum;
			row->line = (struct location){ frame->file, frame->line };
		}
	}
	row->line_share = most > 0.0 ? most / all : 0.0;
	arena_free(&scratch);
}

const struct top_row *top_add_lines(const struct top *top, const struct line_costs *places,
				    struct arena *mem)
{
	struct top_row *rows = arena_array(mem, struct top_row, top->nrows);

	for (uint32_t i = 0; i < top->nrows; i++) {
		rows[i] = top->row[i];
		top_find_line(&rows[i], places, mem);
	}
	return rows;
}

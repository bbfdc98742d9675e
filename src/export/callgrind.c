/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format of valgrind's callgrind, for kcachegrind and callgrind_annotate: functions with their
 * self cost, and each arc with the cost of the calls and all below them. A name is written once and
 * is a number from then on. With -l, costs are those of lines; else they are given at the first
 * line of the function. Linear in functions and arcs.
 *
 * callgrind_annotate reckons a function's cost with callees as the sum of what its calls bring.
 * Calls that the estimate cuts, because they lead back, bring nothing. So a function of which all
 * calls do, such as the first of a cycle that nobody else calls, would seem to cost nothing. Its
 * calls therefore share, by their numbers, what it has with its callees.
 */
#include "config.h"

#include "export/view.h"

#include "base/quote.h"
#include "base/rounding.h"

#include <string.h>

struct callgrind {
	const struct export_view *e;
	struct output *out;
	const char *const *name;
	const uint64_t *arc;
	uint32_t *fn, *file; /* numbers of the names of a symbol and of its file */
	struct bitset fns_written, files_written; /* by number */
};

static const char unknown[] = "???";

/* Divides what a function has with its callees among its calls, if these all come back to it. */
static void callgrind_divide(const struct export_view *e, sym_id s, uint64_t *cost)
{
	const struct graph *g = &e->a->graph;
	struct rounding part = { .scale = (double)e->amounts->inclusive[s] };
	double ncalls = 0.0;

	for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++) {
		uint32_t arc = g->in_arc[i];

		if (cost[arc] != 0)
			return;
		ncalls += export_has_arc(e, arc) ? (double)g->arc[arc].ncalls : 0.0;
	}
	for (uint32_t i = g->in[s]; ncalls > 0.0 && i < g->in[s + 1]; i++) {
		uint32_t arc = g->in_arc[i];

		if (export_has_arc(e, arc))
			cost[arc] = rounding_next(&part, (double)g->arc[arc].ncalls / ncalls);
	}
}

static const uint64_t *callgrind_arc_costs(const struct export_view *e)
{
	const struct graph *g = &e->a->graph;
	uint64_t *cost = arena_array(e->mem, uint64_t, g->narcs);

	for (uint32_t i = 0; i < g->narcs; i++)
		cost[i] = e->amounts->arc[i];
	for (uint32_t i = 0; i < e->amounts->nlisted; i++)
		callgrind_divide(e, e->amounts->listed[i], cost);
	return cost;
}

static const char *callgrind_file(const struct export_view *e, sym_id s)
{
	return e->locations[s].file ? e->locations[s].file : unknown;
}

static void callgrind_number_names(struct callgrind *c)
{
	const struct export_view *e = c->e;
	uint32_t nfiles, nfns;

	c->file = arena_array(e->mem, uint32_t, e->a->graph.nnodes);
	c->fn = arena_array(e->mem, uint32_t, e->a->graph.nnodes);
	nfiles = export_number_files(e, unknown, c->file);
	nfns = export_number(e, c->name, c->fn);
	c->files_written = bitset_empty(e->mem, (size_t)nfiles + 1);
	c->fns_written = bitset_empty(e->mem, (size_t)nfns + 1);
}

/* "fn=(7) name" the first time, then "fn=(7)". */
static void callgrind_write_number(struct callgrind *c, const char *what, uint32_t number,
				   const char *name, struct bitset written)
{
	output_text(c->out, what);
	output_text(c->out, "=(");
	output_uint(c->out, number, 0);
	output_char(c->out, ')');
	if (!bitset_has(written, number)) {
		bitset_add(written, number);
		output_char(c->out, ' ');
		quote_plain(c->out, name, "", '?');
	}
	output_char(c->out, '\n');
}

static void callgrind_write_cost(struct callgrind *c, sym_id s, uint64_t cost)
{
	output_uint(c->out, c->e->locations[s].line, 0);
	output_char(c->out, ' ');
	output_uint(c->out, cost, 0);
	output_char(c->out, '\n');
}

static void callgrind_write_call(struct callgrind *c, uint32_t i)
{
	const struct arc *arc = &c->e->a->graph.arc[i];

	if (c->file[arc->to] != c->file[arc->from])
		callgrind_write_number(c, "cfi", c->file[arc->to], callgrind_file(c->e, arc->to),
				       c->files_written);
	callgrind_write_number(c, "cfn", c->fn[arc->to], c->name[arc->to], c->fns_written);
	output_text(c->out, "calls=");
	output_uint(c->out, arc->ncalls, 0);
	output_char(c->out, ' ');
	output_uint(c->out, c->e->locations[arc->to].line, 0);
	output_char(c->out, '\n');
	callgrind_write_cost(c, arc->from, c->arc[i]);
}

static void callgrind_write_function(struct callgrind *c, sym_id s, sym_id before)
{
	const struct graph *g = &c->e->a->graph;
	bool same_file = before != SYM_NONE && c->file[s] == c->file[before];

	if (!same_file)
		callgrind_write_number(c, "fl", c->file[s], callgrind_file(c->e, s),
				       c->files_written);
	if (!same_file || c->fn[s] != c->fn[before])
		callgrind_write_number(c, "fn", c->fn[s], c->name[s], c->fns_written);
	callgrind_write_cost(c, s, c->e->amounts->self[s]);
	for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++) {
		if (export_has_arc(c->e, i))
			callgrind_write_call(c, i);
	}
}

static void callgrind_write_head(const struct export_view *e, struct output *out)
{
	output_text(out, "# callgrind format\nversion: 1\ncreator: " PACKAGE_STRING "\ncmd: ");
	quote_plain(out, e->a->program->path, "", '?');
	output_text(out, "\npositions: line\n");
	output_text(out, e->amounts->timed ? "event: ns : Time in nanoseconds\nevents: ns\n"
					   : "event: ticks : Samples\nevents: ticks\n");
	output_text(out, "\nob=(1) ");
	quote_plain(out, e->a->program->path, "", '?');
	output_char(out, '\n');
}

static void callgrind_write(const struct export_view *e, struct output *out)
{
	struct callgrind c = {
		.e = e,
		.out = out,
		.name = e->a->program->by_line ? e->name : e->unique,
		.arc = callgrind_arc_costs(e),
	};
	sym_id before = SYM_NONE;

	callgrind_number_names(&c);
	callgrind_write_head(e, out);
	for (uint32_t i = 0; i < e->amounts->nlisted; i++) {
		callgrind_write_function(&c, e->amounts->listed[i], before);
		before = e->amounts->listed[i];
	}
	output_text(out, "\ntotals: ");
	output_uint(out, e->amounts->total, 0);
	output_char(out, '\n');
}

const struct exporter export_callgrind = {
	.write = callgrind_write,
};

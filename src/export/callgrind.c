/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format of valgrind's callgrind, for kcachegrind and callgrind_annotate: functions with their
 * self cost by line, and each call site with the inclusive cost of its calls. A name is written in
 * full once and as a number from then on. Code of inlined functions is listed in the function that
 * contains it, with its own file and line, as callgrind itself does. Linear in functions, call
 * sites and addresses, but for sorting these.
 *
 * callgrind_annotate computes a function's inclusive cost as the sum of the costs of the calls to
 * it. Recursive calls that the estimate cuts have no cost, so a function that is called only by
 * such calls, for example the first of a cycle that nobody else calls, would seem to cost nothing.
 * Its inclusive cost is therefore divided among its calls by their counts. With call stacks, a
 * call's cost is measured_pair.up, so that the sum is right in spite of recursion.
 */
#include "config.h"

#include "export/export_view.h"

#include "base/quote.h"
#include "base/rounding.h"
#include "base/sort.h"
#include "base/strtable.h"

/* A line of a function with its cost, and the number of its file. */
struct callgrind_line {
	uint32_t file;
	unsigned line;
	uint64_t cost;
};

struct callgrind {
	const struct export_view *e;
	struct output *out;
	const uint64_t *arc;
	uint32_t *fn;              /* number of the name of each symbol */
	struct bitset fns_written; /* names already written, by number */
	struct strtable files;     /* a file's number is its index here plus 1 */
	ARRAY(bool) file_written;  /* by index in `files` */
	uint32_t fl, file; /* the file of the current function, and the file of its current lines */
	uint32_t ob;       /* object of the current function */
	struct bitset obs_written; /* objects whose name has been written */
	ARRAY(struct callgrind_line) lines;
};

static const char unknown[] = "???";

/* Divides the inclusive cost of s among the calls to it if all of these are recursive. */
static void callgrind_divide(const struct export_view *e, sym_id s, uint64_t *cost)
{
	const struct graph *g = &e->a->graph;
	struct rounding part = { .scale = (double)e->integer_costs->inclusive[s] };
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
		cost[i] = e->integer_costs->up[i];
	for (uint32_t i = 0; !e->a->costs.origin.measured && i < e->integer_costs->nlisted; i++)
		callgrind_divide(e, e->integer_costs->listed[i], cost);
	return cost;
}

static uint32_t callgrind_file(struct callgrind *c, const char *file)
{
	return strtable_place(&c->files, file ? file : unknown) + 1;
}

/* Writes "fn=(7) name" the first time, then "fn=(7)". */
static void callgrind_write_number(struct callgrind *c, const char *what, uint32_t number,
				   const char *name)
{
	output_text(c->out, what);
	output_text(c->out, "=(");
	output_uint(c->out, number, 0);
	output_char(c->out, ')');
	if (name) {
		output_char(c->out, ' ');
		quote_plain(c->out, name, "", '?');
	}
	output_char(c->out, '\n');
}

static void callgrind_write_file(struct callgrind *c, const char *what, uint32_t number)
{
	bool *known;

	while (c->file_written.n < number)
		array_push(c->e->mem, &c->file_written) = false;
	known = &c->file_written.at[number - 1];
	callgrind_write_number(c, what, number, *known ? NULL : c->files.texts.at[number - 1].s);
	*known = true;
}

static void callgrind_write_fn(struct callgrind *c, const char *what, sym_id s)
{
	bool known = bitset_has(c->fns_written, c->fn[s]);

	bitset_add(c->fns_written, c->fn[s]);
	callgrind_write_number(c, what, c->fn[s], known ? NULL : c->e->unique[s]);
}

enum { OB_PROGRAM = 1 };

/* Returns the number of a symbol's object; every library has its own number. */
static uint32_t callgrind_object(const struct callgrind *c, sym_id s)
{
	const struct address_space *space = c->e->a->program->address_space;
	uint32_t module = export_module(c->e, s);

	if (!space || !space->located || !(c->e->a->program->symtab.sym[s].flags & SYM_FOREIGN) ||
	    module == space->own)
		return OB_PROGRAM;
	return module == RECORDED_NONE ? OB_PROGRAM + 1 : module + OB_PROGRAM + 2;
}

/* Writes the object of the following functions if `what` is "ob", of the next callee if "cob". */
static void callgrind_write_object(struct callgrind *c, const char *what, uint32_t ob)
{
	const char *name = NULL;

	if (ob == c->ob)
		return;
	if (ob != OB_PROGRAM && !bitset_has(c->obs_written, ob)) {
		const struct address_space *space = c->e->a->program->address_space;

		name = ob == OB_PROGRAM + 1 ? unknown
					    : space->recorded->modules.at[ob - OB_PROGRAM - 2].path;
		bitset_add(c->obs_written, ob);
	}
	callgrind_write_number(c, what, ob, name);
}

static void callgrind_write_cost(struct callgrind *c, unsigned line, uint64_t cost)
{
	output_uint(c->out, line, 0);
	output_char(c->out, ' ');
	output_uint(c->out, cost, 0);
	output_char(c->out, '\n');
}

/* Switches to the file of a line in a function whose own file is `own`. */
static void callgrind_enter_file(struct callgrind *c, uint32_t file, uint32_t own)
{
	if (file == c->file)
		return;
	c->file = file;
	callgrind_write_file(c, file == own ? "fe" : "fi", file);
}

/*
 * Returns the line of a frame in the code of s; if its file is unknown, the function's file is
 * used.
 */
static struct callgrind_line callgrind_line(struct callgrind *c, uint32_t frame, sym_id s,
					    uint64_t cost)
{
	const struct source_frame *at = &c->e->line_costs->frame[frame];
	const char *file = at->file ? at->file : c->e->locations[s].file;

	return (struct callgrind_line){ callgrind_file(c, file), at->line, cost };
}

static int callgrind_compare(uint32_t x, uint32_t y, const void *lines)
{
	const struct callgrind_line *a = (const struct callgrind_line *)lines + x;
	const struct callgrind_line *b = (const struct callgrind_line *)lines + y;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/*
 * Writes c->lines in order, those of the function's file first, and adds up those of the same line.
 */
static void callgrind_write_lines(struct callgrind *c, uint32_t own)
{
	struct arena scratch = arena_scratch(c->e->mem);
	uint32_t n = (uint32_t)c->lines.n, *order = arena_array(&scratch, uint32_t, n);
	struct callgrind_line *lines = c->lines.at;

	for (uint32_t i = 0; i < n; i++) {
		order[i] = i;
		lines[i].file = lines[i].file == own ? 0 : lines[i].file;
	}
	sort_ids(order, n, callgrind_compare, lines, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		struct callgrind_line *line = &lines[order[i]];

		if (i + 1 < n && callgrind_compare(order[i], order[i + 1], lines) == 0) {
			lines[order[i + 1]].cost += line->cost;
			continue;
		}
		callgrind_enter_file(c, line->file ? line->file : own, own);
		callgrind_write_cost(c, line->line, line->cost);
	}
	arena_free(&scratch);
}

/* Returns the part of arc i, which has n call sites, that belongs to one call site. */
static double callgrind_part(const struct callgrind *c, uint32_t i,
			     const struct call_site_cost *call, uint32_t n)
{
	double ncalls = (double)c->e->a->graph.arc[i].ncalls;

	if (c->e->a->costs.origin.measured && c->e->integer_costs->arc[i] > 0)
		return (double)call->time / (double)c->e->integer_costs->arc[i];
	return ncalls > 0.0 ? (double)call->ncalls / ncalls : 1.0 / n;
}

/*
 * Writes a call. Calls that were seen on stacks but not counted are written as one call, since
 * viewers ignore calls with count 0.
 */
static void callgrind_write_call(struct callgrind *c, sym_id to, uint64_t ncalls, unsigned line,
				 uint64_t cost)
{
	const struct location *loc = &c->e->locations[to];

	callgrind_write_object(c, "cob", callgrind_object(c, to));
	if (callgrind_file(c, loc->file) != c->file)
		callgrind_write_file(c, "cfi", callgrind_file(c, loc->file));
	callgrind_write_fn(c, "cfn", to);
	output_text(c->out, "calls=");
	output_uint(c->out, ncalls > 0 ? ncalls : 1, 0);
	output_char(c->out, ' ');
	output_uint(c->out, loc->line, 0);
	output_char(c->out, '\n');
	callgrind_write_cost(c, line, cost);
}

/* Writes the arc's calls, added up by line. */
static void callgrind_write_calls(struct callgrind *c, uint32_t i, uint32_t own)
{
	const struct export_view *e = c->e;
	const struct arc *arc = &e->a->graph.arc[i];
	const struct call_site_cost *call = e->line_costs->call + e->line_costs->arc_start[i];
	uint32_t n = e->line_costs->arc_start[i + 1] - e->line_costs->arc_start[i];
	struct rounding part = { .scale = (double)c->arc[i] };
	uint64_t ncalls = 0, cost = 0;

	for (uint32_t k = 0; k < n; k++) {
		struct callgrind_line line = callgrind_line(c, call[k].frame, arc->from, 0), next;

		ncalls += call[k].ncalls;
		cost += rounding_next(&part, callgrind_part(c, i, &call[k], n));
		if (k + 1 < n) {
			next = callgrind_line(c, call[k + 1].frame, arc->from, 0);
			if (next.file == line.file && next.line == line.line)
				continue;
		}
		if (ncalls == 0 && cost == 0)
			continue;
		callgrind_enter_file(c, line.file, own);
		callgrind_write_call(c, arc->to, ncalls, line.line, cost);
		ncalls = cost = 0;
	}
}

/* Adds a caller for functions that are roots of stacks but are called, too: viewers compute a
 * function's inclusive cost from the calls to it. */
static void callgrind_write_roots(struct callgrind *c)
{
	const struct export_view *e = c->e;
	bool any = false;

	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		sym_id s = e->integer_costs->listed[i];

		if (e->integer_costs->root[s] == 0 ||
		    e->integer_costs->root[s] == e->integer_costs->inclusive[s])
			continue;
		if (!any) {
			callgrind_write_object(c, "ob", OB_PROGRAM);
			c->ob = OB_PROGRAM;
			callgrind_write_file(c, "fl", callgrind_file(c, NULL));
			output_text(c->out, "fn=[root]\n");
			c->fl = c->file = callgrind_file(c, NULL);
		}
		any = true;
		callgrind_write_call(c, s, 0, 0, e->integer_costs->root[s]);
	}
}

static void callgrind_write_function(struct callgrind *c, sym_id s)
{
	const struct graph *g = &c->e->a->graph;
	const struct line_costs *costs = c->e->line_costs;
	uint32_t own = callgrind_file(c, c->e->locations[s].file);

	callgrind_write_object(c, "ob", callgrind_object(c, s));
	c->ob = callgrind_object(c, s);
	if (own != c->fl || own != c->file)
		callgrind_write_file(c, "fl", own);
	c->fl = c->file = own;
	callgrind_write_fn(c, "fn", s);
	c->lines.n = 0;
	for (uint32_t i = costs->start[s]; i < costs->start[s + 1]; i++)
		array_push(c->e->mem, &c->lines) =
			callgrind_line(c, costs->at[i].frame, s, costs->at[i].self);
	if (c->lines.n == 0)
		callgrind_write_cost(c, c->e->locations[s].line, c->e->integer_costs->self[s]);
	callgrind_write_lines(c, own);
	for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++) {
		if (export_has_arc(c->e, i))
			callgrind_write_calls(c, i, own);
	}
}

/* Writes the name of the event, as the data file has it. */
static void callgrind_write_events(const struct export_view *e, struct output *out)
{
	output_text(out, "event: events : ");
	quote_plain(out, e->integer_costs->counted, "", '?');
	output_text(out, "\nevents: events\n");
}

static void callgrind_write_head(const struct export_view *e, struct output *out)
{
	output_text(out, "# callgrind format\nversion: 1\ncreator: " PACKAGE_STRING "\ncmd: ");
	quote_plain(out, e->a->program->path, "", '?');
	output_text(out, "\npositions: line\n");
	if (e->integer_costs->timed)
		output_text(out, "event: ns : Time in nanoseconds\nevents: ns\n");
	else if (strcmp(e->integer_costs->counted, "samples") == 0)
		output_text(out, "event: ticks : Samples\nevents: ticks\n");
	else
		callgrind_write_events(e, out);
	output_text(out, "\nob=(1) ");
	quote_plain(out, e->a->program->path, "", '?');
	output_char(out, '\n');
}

static void callgrind_write(const struct export_view *e, struct output *out)
{
	struct callgrind c = {
		.e = e,
		.out = out,
		.arc = callgrind_arc_costs(e),
		.fn = arena_array(e->mem, uint32_t, e->a->graph.nnodes),
		.files.mem = e->mem,
		.ob = OB_PROGRAM,
	};
	const struct address_space *space = e->a->program->address_space;

	c.fns_written = bitset_empty(e->mem, (size_t)export_number(e, e->unique, c.fn) + 1);
	c.obs_written =
		bitset_empty(e->mem, (space ? space->recorded->modules.n : 0) + OB_PROGRAM + 2);
	callgrind_write_head(e, out);
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++)
		callgrind_write_function(&c, e->integer_costs->listed[i]);
	callgrind_write_roots(&c);
	output_text(out, "\ntotals: ");
	output_uint(out, e->integer_costs->total, 0);
	output_char(out, '\n');
}

const struct exporter export_callgrind = {
	.write = callgrind_write,
};

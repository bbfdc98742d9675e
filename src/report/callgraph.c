/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph: each function between its callers and its callees. */
#include "config.h"

#include "base/number.h"
#include "report/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char explanation[] =
	"\n"
	"How to read the call graph\n"
	"\n"
	"Each block between dashes is about one function: the line that begins with a number in\n"
	"brackets. The lines above it are its callers, those below it the functions it called.\n"
	"\n"
	"The function's own line:\n"
	" index        its number, to find it by\n"
	" % time       share of all time spent in it and in what it called\n"
	" self         time in the function itself\n"
	" children     time in the functions that it called, as far as spent for it\n"
	" called       how often it was called; behind a '+', how often by itself\n"
	" name         the function, its cycle if it is in one, its number\n"
	"\n"
	"A caller's line:\n"
	" self         the function's own time that was spent for this caller\n"
	" children     the time of the function's callees that was spent for this caller\n"
	" called       calls by this caller / all calls of the function, its own aside\n"
	"\n"
	"A callee's line:\n"
	" self         the callee's own time that was spent for the function\n"
	" children     the time of the callee's callees that was spent for the function\n"
	" called       calls by the function / all calls of the callee, its own aside\n"
	"\n"
	"<spontaneous> stands for callers that are not known, such as the start of the program.\n"
	"Functions that call each other in a circle form a cycle. It has an entry as a whole,\n"
	"with its callers and members; calls inside it carry no time. Numbers in parentheses\n"
	"belong to functions without an entry here.\n"
	"\n"
	"A function's time is divided among its callers by their calls, as if each call had cost\n"
	"the same.\n";

enum { CHILDREN_WIDTH = 7, TRADITIONAL_CHILDREN_WIDTH = 11 };
enum {
	INDEX_WIDTH = 6,
	PERCENT_WIDTH = 5,
	TIME_COLUMN = 13,
	SELF_WIDTH = 7,
	CALLS_WIDTH = 7,
	NAME_INDENT = 5
};

static int children_width(const struct text *t)
{
	return t->opt->traditional ? TRADITIONAL_CHILDREN_WIDTH : CHILDREN_WIDTH;
}

/* An arc as a line of an entry. */
struct line {
	uint32_t arc;
	enum { BY_OTHERS, BY_CYCLE, BY_ITSELF } kind;
	uint32_t seen; /* the smaller, the earlier in the data */
	double time;
	uint64_t ncalls;
};

static int compare_numbers(double x, double y)
{
	return (x > y) - (x < y);
}

/* Least time first, then fewest calls; inside the cycle by calls alone. */
static int compare_lines(const struct line *x, const struct line *y)
{
	if (x->kind == BY_OTHERS && x->time != y->time)
		return compare_numbers(x->time, y->time);
	return (x->ncalls > y->ncalls) - (x->ncalls < y->ncalls);
}

/* The heaviest caller stands next to the function, and so does the heaviest callee. */
static int compare_parents(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = x->kind != y->kind ? (int)y->kind - (int)x->kind : compare_lines(x, y);

	return order ? order : (x->seen > y->seen) - (x->seen < y->seen);
}

static int compare_children(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = x->kind != y->kind ? (int)x->kind - (int)y->kind : compare_lines(y, x);

	return order ? order : (x->seen > y->seen) - (x->seen < y->seen);
}

static struct line make_line(const struct analysis *a, uint32_t arc_id, uint32_t seen)
{
	const struct arc *arc = &a->graph.arc[arc_id];
	uint32_t cycle = a->cycles.of_node[arc->from];
	bool inside = cycle && cycle == a->cycles.of_node[arc->to];

	return (struct line){
		.arc = arc_id,
		.kind = arc->from == arc->to ? BY_ITSELF
			: inside             ? BY_CYCLE
					     : BY_OTHERS,
		.seen = seen,
		.time = a->weights.arc_self[arc_id] + a->weights.arc_children[arc_id],
		.ncalls = arc->ncalls,
	};
}

/* One caller or callee, `other`, across the arc; `callee` is the arc's callee. */
static void write_line(const struct text *t, const struct line *line, sym_id other, sym_id callee,
		       struct output *out)
{
	const struct analysis *a = t->a;

	if (line->kind == BY_OTHERS) {
		output_blanks(out, TIME_COLUMN);
		output_fixed(out, a->weights.arc_self[line->arc] / t->rate, SELF_WIDTH, 2);
		output_char(out, ' ');
		output_fixed(out, a->weights.arc_children[line->arc] / t->rate, children_width(t),
			     2);
		output_char(out, ' ');
		output_uint(out, line->ncalls, CALLS_WIDTH);
		output_char(out, '/');
		output_uint(out, a->calls.outer[analysis_whole(a, callee)], -CALLS_WIDTH);
		output_blanks(out, NAME_INDENT);
	} else {
		output_blanks(out, (size_t)(TIME_COLUMN + SELF_WIDTH + 1 + children_width(t) + 1));
		output_uint(out, line->ncalls, CALLS_WIDTH);
		output_blanks(out, 1 + CALLS_WIDTH + NAME_INDENT);
	}
	text_graph_name(t, other, out);
	output_char(out, '\n');
}

static void write_parents(const struct text *t, sym_id s, struct line *lines, struct output *out)
{
	const struct graph *g = &t->a->graph;
	uint32_t first = g->in[s], n = g->in[s + 1] - first;

	if (n == 0) {
		output_format(out, "%6s %5s %7s %*s %7s %7s     <spontaneous>\n", "", "", "",
			      children_width(t), "", "", "");
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		lines[i] = make_line(t->a, g->in_arc[first + i], n - i);
		text_expect_name(t, g->arc[g->in_arc[first + i]].from);
	}
	qsort(lines, n, sizeof(*lines), compare_parents);
	for (uint32_t i = 0; i < n; i++)
		write_line(t, &lines[i], g->arc[lines[i].arc].from, s, out);
}

static void write_children(const struct text *t, sym_id s, struct line *lines, struct output *out)
{
	const struct graph *g = &t->a->graph;
	uint32_t first = g->out[s], n = g->out[s + 1] - first;

	for (uint32_t i = 0; i < n; i++)
		lines[i] = make_line(t->a, first + i, n - i);
	qsort(lines, n, sizeof(*lines), compare_children);
	for (uint32_t i = 0; i < n; i++) {
		sym_id callee = g->arc[lines[i].arc].to;

		write_line(t, &lines[i], callee, callee, out);
	}
}

/* The columns that begin an entry's own line, up to "children". */
static void write_primary_start(const struct text *t, uint32_t node, struct output *out)
{
	const struct weights *w = &t->a->weights;
	double base = w->total > 0.0 ? w->total : 1.0;
	char number[NUMBER_BYTES + 2];
	size_t len = number_uint(number + 1, t->number[node]) + 2;

	number[0] = '[';
	number[len - 1] = ']';
	output_bytes(out, number, len < INDEX_WIDTH ? len : INDEX_WIDTH);
	output_blanks(out, len < INDEX_WIDTH ? INDEX_WIDTH - len + 1 : 1);
	output_fixed(out, 100.0 * (w->self[node] + w->children[node]) / base, PERCENT_WIDTH, 1);
	output_char(out, ' ');
	output_fixed(out, w->self[node] / t->rate, SELF_WIDTH, 2);
	output_char(out, ' ');
	output_fixed(out, w->children[node] / t->rate, children_width(t), 2);
}

/* "+n" for n calls of its own, or blanks. */
static void write_self_calls(uint64_t n, struct output *out)
{
	if (n != 0) {
		output_char(out, '+');
		output_uint(out, n, -CALLS_WIDTH);
	} else {
		output_blanks(out, 1 + CALLS_WIDTH);
	}
}

static void write_primary(const struct text *t, sym_id s, struct output *out)
{
	uint64_t outer = t->a->calls.outer[s], self = t->a->calls.self[s];

	write_primary_start(t, s, out);
	output_char(out, ' ');
	if (outer + self == 0) {
		output_blanks(out, CALLS_WIDTH + 1 + CALLS_WIDTH);
	} else {
		output_uint(out, outer, CALLS_WIDTH);
		write_self_calls(self, out);
	}
	output_char(out, ' ');
	text_graph_name(t, s, out);
	output_char(out, '\n');
}

/* A cycle's member and what its place among the members depends on. */
struct member {
	sym_id sym;
	uint32_t place;
	double time;
	uint64_t ncalls;
};

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->ncalls != y->ncalls)
		return x->ncalls > y->ncalls ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static void write_cycle(const struct text *t, uint32_t node, struct output *out)
{
	const struct analysis *a = t->a;
	uint32_t cycle = node - a->graph.nnodes + 1;
	uint32_t first = a->cycles.start[cycle - 1], n = a->cycles.start[cycle] - first;
	struct arena scratch = arena_scratch(t->mem);
	struct member *members = arena_array(&scratch, struct member, n);

	write_primary_start(t, node, out);
	output_format(out, " %7" PRIu64, a->calls.outer[node]);
	write_self_calls(a->calls.self[node], out);
	output_format(out, " <cycle %" PRIu32 " as a whole> [%" PRIu32 "]\n", cycle,
		      t->number[node]);
	for (uint32_t i = 0; i < n; i++) {
		sym_id s = a->cycles.member[first + i];

		members[i] = (struct member){
			.sym = s,
			.place = i,
			.time = a->weights.self[s] + a->weights.children[s],
			.ncalls = a->calls.outer[s] + a->calls.self[s],
		};
	}
	qsort(members, n, sizeof(*members), compare_members);
	for (uint32_t i = 0; i < n; i++) {
		sym_id s = members[i].sym;

		output_blanks(out, TIME_COLUMN);
		output_fixed(out, a->weights.self[s] / t->rate, SELF_WIDTH, 2);
		output_char(out, ' ');
		output_fixed(out, a->weights.children[s] / t->rate, children_width(t), 2);
		output_char(out, ' ');
		output_uint(out, a->calls.outer[s], CALLS_WIDTH);
		write_self_calls(a->calls.self[s], out);
		output_text(out, "     ");
		text_graph_name(t, s, out);
		output_char(out, '\n');
	}
	arena_free(&scratch);
}

static void write_heading(const struct text *t, struct output *out)
{
	double total = t->a->weights.total;

	if (!t->opt->traditional)
		output_text(out, t->opt->brief ? "\t\t\tCall graph\n\n"
					       : "\t\t     Call graph (explanation follows)\n\n");
	text_granularity_line(t, total, "no time propagated", out);
}

static void write_column_heads(const struct text *t, struct output *out)
{
	if (!t->opt->traditional) {
		output_text(out, "index % time    self  children    called     name\n");
		return;
	}
	output_text(out, "                                  called/total       parents \n"
			 "index  %time    self descendants  called+self    name    \tindex\n"
			 "                                  called/total       children\n\n");
}

static bool has_entry(const struct text *t, uint32_t node)
{
	const struct analysis *a = t->a;

	/* A source line has no callers, and a cycle of lines says little. */
	if (a->program->by_line &&
	    (node >= a->graph.nnodes || !(a->program->symtab.sym[node].flags & SYM_FUNC)))
		return false;
	return bitset_has(a->weights.shown, node) &&
	       (t->opt->zeros || a->calls.outer[node] != 0 || a->calls.self[node] != 0 ||
		a->weights.self[node] != 0.0 || a->weights.children[node] != 0.0);
}

/* The most lines that one list of callers or callees has. */
static uint32_t longest_list(const struct graph *g)
{
	uint32_t longest = 0;

	for (sym_id s = 0; s < g->nnodes; s++) {
		uint32_t in = g->in[s + 1] - g->in[s], out = g->out[s + 1] - g->out[s];
		uint32_t more = in > out ? in : out;

		longest = more > longest ? more : longest;
	}
	return longest;
}

enum { STEP = 6, MOST = 8 };

static uint32_t at_most(uint32_t first, uint32_t end)
{
	return end - first > MOST ? first + MOST : end;
}

/* What the entries 4, 3, 2 and 1 steps ahead lead to, the first few of their lines. */
static void look_ahead(const struct text *t, uint32_t i, uint32_t nnodes)
{
	const struct graph *g = &t->a->graph;
	const struct weights *w = &t->a->weights;

	for (unsigned stage = 1; stage <= 4 && i + stage * STEP < nnodes; stage++) {
		uint32_t s = t->order[i + stage * STEP];

		if (s >= g->nnodes)
			continue;
		if (stage == 4) {
			__builtin_prefetch(&g->in[s]);
			__builtin_prefetch(&g->out[s]);
			__builtin_prefetch(&w->self[s]);
			__builtin_prefetch(&w->children[s]);
			text_expect(t, s);
			continue;
		}
		if (stage == 3) {
			__builtin_prefetch(&g->in_arc[g->in[s]]);
			__builtin_prefetch(&g->arc[g->out[s]]);
			__builtin_prefetch(&w->arc_self[g->out[s]]);
			__builtin_prefetch(&w->arc_children[g->out[s]]);
			text_expect_name(t, s);
			continue;
		}
		for (uint32_t k = g->in[s]; k < at_most(g->in[s], g->in[s + 1]); k++) {
			uint32_t arc = g->in_arc[k];

			if (stage == 2) {
				__builtin_prefetch(&g->arc[arc]);
				__builtin_prefetch(&w->arc_self[arc]);
				__builtin_prefetch(&w->arc_children[arc]);
			} else {
				text_expect(t, g->arc[arc].from);
			}
		}
		for (uint32_t k = g->out[s]; k < at_most(g->out[s], g->out[s + 1]); k++) {
			if (stage == 2)
				text_expect(t, g->arc[k].to);
			else
				text_expect_name(t, g->arc[k].to);
		}
	}
}

void callgraph_write(const struct text *t, struct output *out)
{
	const struct graph *g = &t->a->graph;
	struct arena scratch = arena_scratch(t->mem);
	struct line *lines = arena_array(&scratch, struct line, longest_list(g));
	uint32_t nnodes = analysis_nnodes(t->a);

	text_page(out);
	if (t->opt->traditional && !t->opt->brief) {
		output_text(out, "\n\n\ncall graph profile:\n");
		output_text(out, explanation);
	}
	write_heading(t, out);
	write_column_heads(t, out);
	for (uint32_t i = 0; i < nnodes; i++) {
		uint32_t node = t->order[i];

		look_ahead(t, i, nnodes);

		if (!has_entry(t, node))
			continue;
		if (node >= g->nnodes) {
			write_cycle(t, node, out);
		} else {
			write_parents(t, node, lines, out);
			write_primary(t, node, out);
			write_children(t, node, lines, out);
		}
		output_text(out, t->opt->traditional
					 ? "\n-----------------------------------------------\n\n"
					 : "-----------------------------------------------\n");
	}
	if (!t->opt->traditional && !t->opt->brief)
		output_text(out, explanation);
	arena_free(&scratch);
}

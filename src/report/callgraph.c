/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph: each function between its callers and its callees. */
#include "config.h"

#include "base/number.h"
#include "base/parallel_output.h"
#include "report/intervals.h"
#include "report/labels.h"
#include "report/neighbours.h"
#include "report/prefetch.h"
#include "report/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLGRAPH_TITLE "How to read the call graph\n"
#define CALLGRAPH_COLUMNS                                                                          \
	"\n"                                                                                       \
	"Each block between dashes is about one function: the line that begins with a number in\n" \
	"brackets. The lines above it are its callers, those below it the functions it called.\n"  \
	"\n"                                                                                       \
	"The function's own line:\n"                                                               \
	" index        its number, to find it by\n"                                                \
	" % time       share of all time spent in it and in what it called\n"                      \
	" self         time in the function itself\n"                                              \
	" children     time in the functions that it called, as far as spent for it\n"             \
	" called       how often it was called; behind a '+', how often by itself\n"               \
	" name         the function, its cycle if it is in one, its number\n"                      \
	"\n"                                                                                       \
	"A caller's line:\n"                                                                       \
	" self         the function's own time that was spent for this caller\n"                   \
	" children     the time of the function's callees that was spent for this caller\n"        \
	" called       calls by this caller / all calls of the function, its own aside\n"          \
	"\n"                                                                                       \
	"A callee's line:\n"                                                                       \
	" self         the callee's own time that was spent for the function\n"                    \
	" children     the time of the callee's callees that was spent for the function\n"         \
	" called       calls by the function / all calls of the callee, its own aside\n"

#define CALLGRAPH_OFF                                                                                          \
	"\n"                                                                                                   \
	"Behind its times, and +-, the function's own line has how far these together may be off by chance\n"  \
	"of sampling, in the percentage of runs given above, if samples fall regardless of what the program\n" \
	"does. With three runs or more it is more where these differ by more than chance. "

static const struct explanation callgraph_explanation = {
	CALLGRAPH_TITLE,
	CALLGRAPH_COLUMNS
	"\n"
	"<spontaneous> stands for callers that are not known, such as the start of the program.\n"
	"Functions that call each other in a circle form a cycle. It has an entry as a whole,\n"
	"with its callers and members; calls inside it carry no time. Numbers in parentheses\n"
	"belong to functions without an entry here.\n",
	"A function's time is divided among its callers by their calls, as if each call had cost\n"
	"the same.\n",
	CALLGRAPH_OFF "That calls\n"
		      "cost the same is another error, which can be larger and is not in it.\n",
};

static const struct explanation callgraph_measured = {
	CALLGRAPH_TITLE,
	CALLGRAPH_COLUMNS
	"\n"
	"Each sample counts once for a function, however often its call stack has the function: for\n"
	"the caller of the outermost, and for what the innermost called. Callers' lines add up to\n"
	"the function's own line, and callees' lines to its children. Calls 0/n are those of code\n"
	"that does not count them.\n"
	"\n"
	"<root> is the beginning of a thread. <outside> has the calls that were counted from outside of\n"
	"the program, whoever made them; their time is in the other lines. Names in brackets stand for\n"
	"whole libraries, for code without symbols, and for whatever called the outermost function of a\n"
	"[broken stack].\n"
	"Numbers in parentheses belong to functions without an entry here.\n",
	"Times are those of recorded call stacks; nothing is divided by numbers of calls.\n",
	CALLGRAPH_OFF "Callers\n"
		      "that broken stacks lack are not in it.\n",
};

static const struct explanation *callgraph_explain(const struct text *t)
{
	return t->a->costs.origin.measured ? &callgraph_measured : &callgraph_explanation;
}

enum { CHILDREN_WIDTH = 7, TRADITIONAL_CHILDREN_WIDTH = 11 };
enum { OFF_WIDTH = 10, OFF_DECIMALS = 2 }; /* " +-0.12   " */
enum {
	INDEX_WIDTH = 6,
	PERCENT_WIDTH = 5,
	TIME_COLUMN = 13,
	SELF_WIDTH = 7,
	CALLS_WIDTH = 7,
	NAME_INDENT = 5,
	TITLE_COLUMNS = 72,
	LINE_ROOM = 2048 /* bytes before a name */
};

static int callgraph_children_width(const struct text *t)
{
	return t->opt->traditional ? TRADITIONAL_CHILDREN_WIDTH : CHILDREN_WIDTH;
}

/* Returns the width of the column of intervals, which only a function's primary line fills. */
static int callgraph_error_width(const struct text *t)
{
	return intervals_shown(t) ? OFF_WIDTH : 0;
}

/*
 * Returns the columns left for a name. GNU gprof's own report is never cut, not even on a terminal.
 */
static uint32_t callgraph_room(const struct text *t, uint64_t start, const struct output *out)
{
	return t->a->entries.bits ? text_room(t, start, out) : TEXT_ALL;
}

static char *callgraph_put_blanks(char *at, size_t n)
{
	memset(at, ' ', n);
	return at + n;
}

/* Writes self time and time in callees. */
static char *callgraph_put_times(const struct text *t, char *at, double self, double children)
{
	at = number_put_fixed(at, self / t->rate, SELF_WIDTH, 2);
	*at++ = ' ';
	at = number_put_fixed(at, children / t->rate, callgraph_children_width(t), 2);
	return callgraph_put_blanks(at, (size_t)callgraph_error_width(t));
}

/* Writes the line of a caller or callee; the callee was called as often as `callee` in all. */
static void callgraph_write_line(const struct text *t, const struct neighbours *list,
				 const struct neighbour *line, sym_id callee, struct output *out)
{
	const uint64_t ncalls = labels_all_calls(t, callee);
	const bool least =
		ncalls > 0 && costs_may_have_more(&t->a->costs.calls, analysis_whole(t->a, callee));
	uint64_t part = neighbours_calls(list, line), start = out->total;
	char *at = output_room(out, LINE_ROOM);

	if (neighbours_kind(list, line) == BY_OTHERS) {
		const struct arc_cost *time = &list->time[line->arc];

		at = callgraph_put_blanks(at, TIME_COLUMN);
		at = callgraph_put_times(t, at, time->self, time->children);
		*at++ = ' ';
		at = number_put(at, part, CALLS_WIDTH);
		*at++ = '/';
		at = number_put_bound(at, ncalls, -CALLS_WIDTH, least);
		at = callgraph_put_blanks(at, NAME_INDENT);
	} else {
		at = callgraph_put_blanks(at, (size_t)(TIME_COLUMN + SELF_WIDTH + 1 +
						       callgraph_children_width(t) +
						       callgraph_error_width(t) + 1));
		at = number_put(at, part, CALLS_WIDTH);
		at = callgraph_put_blanks(at, 1 + CALLS_WIDTH + NAME_INDENT);
	}
	output_took(out, at);
	if (neighbours_is_outside(t->a, line->arc))
		output_text(out, "<outside>\n");
	else
		labels_graph_name(t, line->other, callgraph_room(t, start, out), out);
}

/* Writes the line of a function at which call stacks begin: the start of a thread. */
static void callgraph_write_root(const struct text *t, sym_id s, struct output *out)
{
	const struct arc_cost *time = &t->a->costs.graph.root[s];
	char *at = callgraph_put_blanks(output_room(out, LINE_ROOM), TIME_COLUMN);

	at = callgraph_put_times(t, at, time->self, time->children);
	output_took(out, callgraph_put_blanks(at, 1 + CALLS_WIDTH + 1 + CALLS_WIDTH + NAME_INDENT));
	output_text(out, "<root>\n");
}

static void callgraph_write_parents(const struct text *t, sym_id s, struct neighbours *list,
				    struct output *out)
{

	neighbours_callers(list, t->a, s);
	for (uint32_t i = 0; i < list->n; i++) {
		prefetch_line(t, list, i);
		if (list->at[i].arc == NEIGHBOURS_ROOT)
			callgraph_write_root(t, s, out);
		else
			callgraph_write_line(t, list, &list->at[i], s, out);
	}
	if (list->n > 0)
		return;
	output_blanks(out, (size_t)(INDEX_WIDTH + 1 + PERCENT_WIDTH + 1 + SELF_WIDTH + 1 +
				    callgraph_children_width(t) + callgraph_error_width(t) + 1 +
				    CALLS_WIDTH + 1 + CALLS_WIDTH + NAME_INDENT));
	output_text(out, "<spontaneous>\n");
}

static void callgraph_write_children(const struct text *t, sym_id s, struct neighbours *list,
				     struct output *out)
{
	neighbours_callees(list, t->a, s);
	for (uint32_t i = 0; i < list->n; i++) {
		prefetch_line(t, list, i);
		if (i + PREFETCH_LINES < list->n)
			__builtin_prefetch(
				&t->a->costs.calls.outer[list->at[i + PREFETCH_LINES].other]);
		callgraph_write_line(t, list, &list->at[i], list->at[i].other, out);
	}
}

/*
 * Writes the error of a node's inclusive time, after the columns of times. An estimate adds up
 * parts of samples, so its sampling error is at most that of as many whole samples.
 */
static char *callgraph_put_error(const struct text *t, char *at, uint32_t node)
{
	const struct analysis *a = t->a;
	const struct graph_costs *w = &a->costs.graph;
	bool known = node < a->graph.nnodes && a->costs.all == w->total;
	double files = confidence_files(known ? a->confidence.inclusive : NULL, node);
	struct intervals_figure figure =
		intervals_figure(t, w->self[node] + w->children[node], w->total, files);
	char *column = at - OFF_WIDTH, *end;

	if (!(figure.all > 0.0) || (figure.ticks <= 0.0 && !t->opt->zeros))
		return at;
	*column++ = ' ';
	*column++ = '+';
	*column++ = '-';
	end = number_put_fixed(column, intervals_error(&figure, figure.all / t->rate), 0,
			       OFF_DECIMALS);
	return end < at ? callgraph_put_blanks(end, (size_t)(at - end)) : end;
}

/* Writes the first columns of a primary line, up to "children" and its error. */
static char *callgraph_put_primary_start(const struct text *t, char *at, uint32_t node)
{
	const struct graph_costs *w = &t->a->costs.graph;
	double base = w->total > 0.0 ? w->total : 1.0;

	callgraph_put_blanks(at + labels_number(t, node, at), INDEX_WIDTH);
	at += INDEX_WIDTH; /* a number with more digits is cut */
	*at++ = ' ';
	at = number_put_fixed(at, 100.0 * (w->self[node] + w->children[node]) / base, PERCENT_WIDTH,
			      1);
	*at++ = ' ';
	at = callgraph_put_times(t, at, w->self[node], w->children[node]);
	return intervals_shown(t) ? callgraph_put_error(t, at, node) : at;
}

/* Writes calls by others, and "+n" for n recursive calls, or blanks. */
static char *callgraph_put_calls(const struct calls *calls, char *at, uint32_t node)
{
	const uint64_t outer = calls->outer[node], self = calls->self[node];

	at = number_put_bound(at, outer, CALLS_WIDTH,
			      outer > 0 && costs_may_have_more(calls, node));
	if (self == 0)
		return callgraph_put_blanks(at, 1 + CALLS_WIDTH);
	*at++ = '+';
	return number_put(at, self, -CALLS_WIDTH);
}

static void callgraph_write_primary(const struct text *t, sym_id s, struct output *out)
{
	const struct graph_costs *w = &t->a->costs.graph;
	uint64_t outer = t->a->costs.calls.outer[s], self = t->a->costs.calls.self[s],
		 start = out->total;
	char *at;

	if (out->styled)
		output_style(out, text_is_hot(w->self[s], w->total) ? STYLE_HOT : STYLE_ENTRY);
	at = callgraph_put_primary_start(t, output_room(out, LINE_ROOM), s);
	*at++ = ' ';
	if (outer + self == 0)
		at = callgraph_put_blanks(at, CALLS_WIDTH + 1 + CALLS_WIDTH);
	else
		at = callgraph_put_calls(&t->a->costs.calls, at, s);
	*at++ = ' ';
	output_took(out, at);
	labels_styled_graph_name(t, s, callgraph_room(t, start, out), out);
}

/* A cycle's member, with its sort keys. */
struct callgraph_member {
	sym_id sym;
	uint32_t place;
	double time;
	uint64_t ncalls;
};

static int callgraph_compare_members(const void *a, const void *b)
{
	const struct callgraph_member *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->ncalls != y->ncalls)
		return x->ncalls > y->ncalls ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static void callgraph_write_cycle(const struct text *t, uint32_t node,
				  struct callgraph_member *members, struct output *out)
{
	const struct analysis *a = t->a;
	uint32_t cycle = node - a->graph.nnodes + 1;
	uint32_t first = a->cycles.start[cycle - 1], n = a->cycles.start[cycle] - first;
	char *at;

	output_style(out, STYLE_CYCLE);
	at = callgraph_put_primary_start(t, output_room(out, LINE_ROOM), node);
	*at++ = ' ';
	output_took(out, callgraph_put_calls(&a->costs.calls, at, node));
	output_format(out, " <cycle %" PRIu32 " as a whole> [%" PRIu32 "]", cycle, t->number[node]);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
	for (uint32_t i = 0; i < n; i++) {
		sym_id s = a->cycles.member[first + i];

		members[i] = (struct callgraph_member){
			.sym = s,
			.place = i,
			.time = a->costs.graph.self[s] + a->costs.graph.children[s],
			.ncalls = a->costs.calls.outer[s] + a->costs.calls.self[s],
		};
	}
	qsort(members, n, sizeof(*members), callgraph_compare_members);
	for (uint32_t i = 0; i < n; i++) {
		sym_id s = members[i].sym;
		uint64_t start = out->total;

		at = callgraph_put_blanks(output_room(out, LINE_ROOM), TIME_COLUMN);
		at = callgraph_put_times(t, at, a->costs.graph.self[s], a->costs.graph.children[s]);
		*at++ = ' ';
		at = callgraph_put_calls(&a->costs.calls, at, s);
		output_took(out, callgraph_put_blanks(at, NAME_INDENT));
		labels_graph_name(t, s, callgraph_room(t, start, out), out);
	}
}

static void callgraph_write_heading(const struct text *t, struct output *out)
{
	static const char *const titles[2][2] = {
		{ "\t\t     Call graph (explanation follows)\n\n", "\t\t\tCall graph\n\n" },
		{ "\t\t     Call graph, from call stacks (explanation follows)\n\n",
		  "\t\t\tCall graph, from call stacks\n\n" },
	};
	const char *title = titles[t->a->costs.origin.measured][t->opt->brief];
	double total = t->a->costs.graph.total;

	/* The title of --entry is centred only if there is room. */
	if (t->a->entries.bits && t->view->columns > 0 && t->view->columns < TITLE_COLUMNS)
		title += strspn(title, "\t ");
	if (!t->opt->traditional)
		text_heading(out, STYLE_TITLE, title);
	text_granularity_line(t, total, "no time propagated", TEXT_OF_INCLUSIVE, out);
}

static void callgraph_write_column_heads(const struct text *t, struct output *out)
{
	int off = callgraph_error_width(t);

	if (!t->opt->traditional) {
		output_style(out, STYLE_COLUMNS);
		output_format(out, "index %% time    self  children%*s    called     name", off,
			      off ? "  +-   " : "");
		output_style(out, STYLE_PLAIN);
		output_char(out, '\n');
		return;
	}
	output_format(out,
		      "%*s                                  called/total       parents \n"
		      "index  %%time    self descendants%*s  called+self    name    \tindex\n",
		      off, "", off, off ? "  +-   " : "");
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%*s                                  called/total       children", off,
		      "");
	output_style(out, STYLE_PLAIN);
	output_text(out, "\n\n");
}

static bool callgraph_has_entry(const struct text *t, uint32_t node)
{
	const struct analysis *a = t->a;

	/* A source line has no callers, and a cycle of lines is of little use. */
	if (a->program->by_line &&
	    (node >= a->graph.nnodes || !(a->program->symtab.sym[node].flags & SYM_FUNC)))
		return false;
	return analysis_shows(a, node) &&
	       (t->opt->zeros || a->costs.calls.outer[node] != 0 ||
		a->costs.calls.self[node] != 0 || a->costs.graph.self[node] != 0.0 ||
		a->costs.graph.children[node] != 0.0);
}

/* Allocates room for the members of any cycle of at most `limit` members. */
static struct callgraph_member *callgraph_make_members(const struct cycles *cycles, uint32_t limit,
						       struct arena *mem)
{
	uint32_t most = 0;

	for (uint32_t c = 0; c < cycles->ncycles; c++) {
		uint32_t n = cycles->start[c + 1] - cycles->start[c];

		most = n > most ? n : most;
	}
	return arena_array(mem, struct callgraph_member, most < limit ? most : limit);
}

/* An upper bound of the lines of a node's entry, or of all entries. */
static size_t callgraph_count_lines(const struct text *t, uint32_t node)
{
	const struct graph *g = &t->a->graph;
	const struct cycles *c = &t->a->cycles;

	if (node == SYM_NONE)
		return t->norder + 2 * (size_t)g->narcs + c->start[c->ncycles];
	if (node >= g->nnodes)
		return 1 + c->start[node - g->nnodes + 1] - c->start[node - g->nnodes];
	return 1 + g->in[node + 1] - g->in[node] + g->out[node + 1] - g->out[node];
}

/* The state of one thread. */
struct callgraph_writer {
	const struct text *t;
	uint32_t nentries; /* per chunk */
	struct neighbours list;
	struct callgraph_member *members;
	uint32_t ahead; /* entry whose data are being prefetched already */
};

static uint32_t callgraph_chunk_end(const struct callgraph_writer *w, size_t chunk)
{
	size_t end = (chunk + 1) * w->nentries;

	return end < w->t->norder ? (uint32_t)end : w->t->norder;
}

static size_t callgraph_chunk_lines(const void *writer, size_t chunk)
{
	const struct callgraph_writer *w = writer;
	size_t n = 0;

	for (uint32_t i = (uint32_t)chunk * w->nentries; i < callgraph_chunk_end(w, chunk); i++)
		n += callgraph_count_lines(w->t, w->t->order[i]);
	return n;
}

static void callgraph_write_entry(const struct text *t, struct callgraph_writer *w, uint32_t node,
				  struct output *out)
{
	if (!callgraph_has_entry(t, node))
		return;
	if (node >= t->a->graph.nnodes) {
		callgraph_write_cycle(t, node, w->members, out);
	} else {
		callgraph_write_parents(t, node, &w->list, out);
		callgraph_write_primary(t, node, out);
		callgraph_write_children(t, node, &w->list, out);
	}
	output_text(out, t->opt->traditional
				 ? "\n-----------------------------------------------\n\n"
				 : "-----------------------------------------------\n");
}

static void callgraph_write_chunk(void *writer, size_t chunk, struct arena *mem, struct output *out)
{
	struct callgraph_writer *w = writer;
	struct text t = mem ? labels_text_of_second(w->t, mem) : *w->t;
	uint32_t first = (uint32_t)chunk * w->nentries, end = callgraph_chunk_end(w, chunk);

	for (uint32_t i = first < PREFETCH_ENTRIES ? 0 : first - PREFETCH_ENTRIES;
	     i < first && first != w->ahead; i++)
		prefetch_entry(&t, i);
	for (uint32_t i = first; i < end; i++) {
		prefetch_entry(&t, i);
		callgraph_write_entry(&t, w, t.order[i], out);
	}
	w->ahead = end;
}

static void callgraph_write_entries(const struct text *t, struct output *out)
{
	struct arena scratch = arena_scratch(t->mem);
	size_t nlines = callgraph_count_lines(t, SYM_NONE);
	struct callgraph_writer one = {
		.t = t,
		.nentries =
			(uint32_t)(PARALLEL_OUTPUT_LINES * (uint64_t)t->norder / (nlines + 1)) + 1,
		.list = neighbours_make(&t->a->graph, &scratch),
		.members = callgraph_make_members(&t->a->cycles, UINT32_MAX, &scratch),
	};
	struct callgraph_writer other = one;
	struct parallel_output chunks = {
		.n = (t->norder + one.nentries - 1) / one.nentries,
		.alone = !labels_are_read_only(t),
		.progress = t->progress,
		.lines = callgraph_chunk_lines,
		.format = callgraph_write_chunk,
		.writer = { &one, &other },
	};

	if (chunks.n >= PARALLEL_OUTPUT_LEAST) {
		other.list = neighbours_make_room(PARALLEL_OUTPUT_MOST_LINES, &scratch);
		other.members =
			callgraph_make_members(&t->a->cycles, PARALLEL_OUTPUT_MOST_LINES, &scratch);
	}
	progress_step(t->progress, "writing the call graph", nlines);
	parallel_output_write(&chunks, out, &scratch);
	arena_free(&scratch);
}

void callgraph_write(const struct text *t, struct output *out)
{
	text_page(out);
	if (t->opt->traditional && !t->opt->brief) {
		text_heading(out, STYLE_TITLE,
			     t->a->costs.origin.measured
				     ? "\n\n\ncall graph profile, from call stacks:\n"
				     : "\n\n\ncall graph profile:\n");
		text_explain(t, callgraph_explain(t), out);
	}
	callgraph_write_heading(t, out);
	callgraph_write_column_heads(t, out);
	callgraph_write_entries(t, out);
	if (!t->opt->traditional && !t->opt->brief)
		text_explain(t, callgraph_explain(t), out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Labels of symbols: demangled names, made when first written, or all in advance. If a run writes
 * only one list of functions, each is made for its line and discarded: 10^6 labels would take 90
 * MB.
 */
#include "config.h"

#include "report/labels.h"

#include "base/display_width.h"
#include "base/join.h"
#include "base/number.h"
#include "base/path.h"
#include "base/short_name.h"
#include "base/terminal.h"
#include "base/worker.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

const char *labels_file(const struct text *t, const char *file)
{
	return t->opt->print_path ? file : path_base(file);
}

enum { PLACE_BYTES = 64, CACHE_LINE = 64 };
enum { NUMBERS_ROOM = 3 * NUMBER_ROOM, WHOLE_ARCS = 2 };
/* How many labels a thread makes at a time, and how many labels make a second thread worthwhile. */
enum { FEW = 256, MANY = 16 * 1024 };

/*
 * Returns a copy of *n bytes of text, with control characters escaped; sets *n to the new length.
 */
static const char *labels_escape(const char *text, size_t *n, struct arena *mem)
{
	char *shown = arena_array(mem, char, TERMINAL_BYTE **n);
	size_t len = 0;

	for (const char *end = text + *n; text < end;)
		len += terminal_put(shown + len, &text, end, "");
	*n = len;
	return shown;
}

/*
 * Returns the source file that is written after a name, or NULL; sets `rest` to the text after the
 * file.
 */
static const char *labels_place(const struct text *t, sym_id s, char rest[PLACE_BYTES])
{
	const struct sym *sym = &t->a->program->symtab.sym[s];
	const struct location *loc = &t->view->locations[s];
	bool by_line = t->a->program->by_line;
	int n;

	if (!(by_line || t->opt->inline_files) || !loc->file)
		return NULL;
	n = snprintf(rest, PLACE_BYTES, ":%u", loc->line);
	if (by_line)
		n += snprintf(rest + n, PLACE_BYTES - (size_t)n, " @ %" PRIx64,
			      address_space_code_address(sym, sym->lo));
	strcpy(rest + n, ")");
	return labels_file(t, loc->file);
}

/* Returns the label of a symbol; its text is in mem unless it is the linker name. */
static struct label labels_describe(const struct text *t, sym_id s, struct arena *mem)
{
	const char *name = t->a->program->symtab.sym[s].name, *text;
	char rest[PLACE_BYTES];
	const char *file = labels_place(t, s, rest);
	size_t n;

	if (file)
		text = JOIN(mem, demangle(name, report_style(t->opt), mem), " (", file, rest);
	else
		text = demangle(name, report_style(t->opt), mem);
	n = strlen(text);
	if (t->view->terminal)
		text = labels_escape(text, &n, mem);
	return (struct label){ text, (uint32_t)n, t->numbered ? t->number[s] : 0 };
}

/* Whether names are written more than once. */
static bool labels_recur(const struct text *t)
{
	unsigned lists = report_having(t->reports, REPORT_LISTS);

	return t->numbered || report_having(t->reports, REPORT_REPEATS) ||
	       (lists & (lists - 1)) != 0;
}

/* Writes "[7]", or "(7)" for a node without an entry in the call graph. */
static char *labels_put_number(const struct text *t, uint32_t node, uint32_t number, char *at)
{
	bool shown = analysis_shows(t->a, node);

	*at++ = shown ? '[' : '(';
	at = number_put(at, number, 0);
	*at++ = shown ? ']' : ')';
	return at;
}

/* Writes what follows a name in the call graph: its cycle and number. */
static char *labels_put_numbers(const struct text *t, sym_id s, uint32_t number, char *at)
{
	uint32_t cycle = t->a->cycles.ncycles > 0 ? t->a->cycles.of_node[s] : 0;

	if (cycle) {
		at = number_put(stpcpy(at, " <cycle "), cycle, 0);
		*at++ = '>';
	}
	if (t->a->profile->has_arcs || t->a->costs.origin.measured) {
		*at++ = ' ';
		at = labels_put_number(t, s, number, at);
	}
	return at;
}

/*
 * Returns the label of labels_describe(), with the rest of the symbol's lines in the call graph
 * appended.
 */
static struct label labels_describe_whole(const struct text *t, sym_id s)
{
	struct label label;
	char rest[NUMBERS_ROOM], *text, *end;

	arena_reset(t->line);
	label = labels_describe(t, s, t->line);
	end = labels_put_numbers(t, s, label.number, rest);
	*end++ = '\n';
	label.number = (uint32_t)(end - rest);
	text = arena_text(t->mem, label.len + label.number);
	memcpy(text, label.text, label.len);
	memcpy(text + label.len, rest, label.number);
	label.text = text;
	return label;
}

/* Makes the labels of the next few symbols, except those already made and those never printed. */
static void labels_make_few(const struct text *t, sym_id first)
{
	uint32_t nsyms = t->a->graph.nnodes, end = nsyms - first < FEW ? nsyms : first + FEW;

	for (sym_id s = first; s < end; s++) {
		if (t->labels[s].text || !(t->rank || t->number[s]))
			continue;
		t->labels[s] = t->labels_are_whole ? labels_describe_whole(t, s)
						   : labels_describe(t, s, t->mem);
	}
}

/* The state of making labels by two threads, each of which takes a few symbols at a time. */
struct labels_making {
	const struct text *t;
	atomic_size_t next;
	bool incomplete; /* the second thread left some of its labels unmade */
};

struct labels_attempt {
	struct text t;
	sym_id first;
};

static bool labels_take(struct labels_making *making, sym_id *first)
{
	size_t next = atomic_fetch_add_explicit(&making->next, FEW, memory_order_relaxed);

	*first = (sym_id)next;
	return next < making->t->a->graph.nnodes;
}

static void labels_attempt(void *arg)
{
	const struct labels_attempt *attempt = arg;

	labels_make_few(&attempt->t, attempt->first);
}

static void labels_help(struct worker *second, void *arg)
{
	struct labels_making *making = arg;
	struct labels_attempt attempt = { .t = *making->t };
	struct arena line = arena_scratch(&second->mem);

	attempt.t.mem = &second->mem;
	attempt.t.line = &line;
	while (labels_take(making, &attempt.first)) {
		if (!worker_try(second, labels_attempt, &attempt))
			making->incomplete = true;
	}
	arena_free(&line);
}

/* Makes all labels, by id: that takes a third of the time that it takes in the order of reports. */
static void labels_make_all(struct text *t)
{
	struct labels_making making = { .t = t };
	struct worker second;
	bool two =
		t->a->graph.nnodes >= MANY && worker_start(&second, t->mem, labels_help, &making);
	sym_id first;

	while (labels_take(&making, &first))
		labels_make_few(t, first);
	if (two) {
		worker_join(&second);
		arena_adopt(t->mem, &second.mem);
		arena_pool_free(&second.pool);
	}
	for (size_t s = 0; making.incomplete && s < t->a->graph.nnodes; s += FEW)
		labels_make_few(t, (sym_id)s);
	t->labels_are_made = true;
}

void labels_make(struct text *t, struct arena *line)
{
	const struct graph *g = &t->a->graph;

	t->line = line;
	if (!labels_recur(t))
		return;
	t->labels = arena_array(t->mem, struct label, g->nnodes);
	/* Most lines of the call graph are then arcs, two for each, so whole lines are copied. */
	t->labels_are_whole = t->rank && t->numbered && g->narcs / WHOLE_ARCS >= g->nnodes;
	if (t->rank || (t->numbered && !t->a->entries.bits && t->norder + g->narcs >= MANY))
		labels_make_all(t);
}

bool labels_are_read_only(const struct text *t)
{
	return !t->labels || t->labels_are_made;
}

struct text labels_text_of_second(const struct text *t, struct arena *mem)
{
	struct text own = *t;

	own.progress = NULL;
	own.mem = own.line = mem;
	return own;
}

void labels_prefetch(const struct text *t, sym_id s)
{
	if (t->labels)
		__builtin_prefetch(&t->labels[s]);
	if (!t->labels || !t->rank)
		__builtin_prefetch(&t->a->program->symtab.sym[s]);
}

void labels_prefetch_name(const struct text *t, sym_id s)
{
	const struct label *label = t->labels ? &t->labels[s] : NULL;

	if (label && label->text) {
		for (uint32_t i = 0; i < label->len; i += CACHE_LINE)
			__builtin_prefetch(label->text + i);
		__builtin_prefetch(label->text + label->len - 1);
	} else {
		const char *name = t->a->program->symtab.sym[s].name;

		__builtin_prefetch(name);
		__builtin_prefetch(name + CACHE_LINE);
	}
}

static struct label labels_get(const struct text *t, sym_id s)
{
	if (!t->labels || (t->labels_are_made && !t->labels[s].text)) {
		arena_reset(t->line);
		return labels_describe(t, s, t->line);
	}
	if (!t->labels[s].text)
		t->labels[s] = labels_describe(t, s, t->mem);
	return t->labels[s];
}

size_t labels_name(const struct text *t, sym_id s, struct output *out)
{
	struct label label = labels_get(t, s);

	output_bytes(out, label.text, label.len);
	return label.len;
}

/* Returns the label of a symbol as a string, in mem. */
static const char *labels_string(const struct text *t, sym_id s, struct arena *mem)
{
	struct label label = labels_get(t, s);

	return arena_strndup(mem, label.text, label.len);
}

uint32_t labels_columns(const struct text *t, sym_id s)
{
	struct arena scratch = arena_scratch(t->mem);
	uint32_t columns = display_width_show(labels_string(t, s, &scratch), &scratch).columns;

	arena_free(&scratch);
	return columns;
}

void labels_name_within(const struct text *t, sym_id s, uint32_t columns, struct output *out)
{
	struct arena scratch;
	const char *label;
	struct shown shown;

	if (columns == TEXT_ALL) {
		labels_name(t, s, out);
		return;
	}
	scratch = arena_scratch(t->mem);
	label = labels_string(t, s, &scratch);
	/* A label with a place is no name. */
	shown = t->opt->inline_files || t->a->program->by_line
			? display_width_cut_name(label, columns, &scratch)
			: short_name_fit(label, columns, &scratch);
	output_text(out, shown.text);
	arena_free(&scratch);
}

static void labels_end_line(const struct text *t, sym_id s, bool styled, uint32_t columns,
			    struct output *out)
{
	struct label label = labels_get(t, s);
	char numbers[NUMBERS_ROOM], *end = numbers;
	uint32_t nnumbers;

	if (t->labels_are_whole && columns == TEXT_ALL && !styled) {
		output_bytes(out, label.text, label.len + label.number);
		return;
	}
	if (t->numbered)
		end = labels_put_numbers(t, s, t->labels_are_whole ? t->number[s] : label.number,
					 numbers);
	nnumbers = (uint32_t)(end - numbers);
	labels_name_within(t, s,
			   columns == TEXT_ALL || columns < nnumbers ? columns : columns - nnumbers,
			   out);
	if (styled && t->a->cycles.of_node[s])
		output_style(out, STYLE_CYCLE);
	output_bytes(out, numbers, nnumbers);
	if (styled)
		output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

void labels_graph_name(const struct text *t, sym_id s, uint32_t columns, struct output *out)
{
	labels_end_line(t, s, false, columns, out);
}

void labels_styled_graph_name(const struct text *t, sym_id s, uint32_t columns, struct output *out)
{
	labels_end_line(t, s, out->styled, columns, out);
}

uint64_t labels_all_calls(const struct text *t, sym_id s)
{
	return t->a->costs.calls.outer[analysis_whole(t->a, s)];
}

size_t labels_number(const struct text *t, uint32_t node, char number[LABEL_NUMBER_BYTES])
{
	char text[NUMBER_ROOM + 2];
	bool made = t->labels && !t->labels_are_whole && node < t->a->graph.nnodes &&
		    t->labels[node].text;
	/* A label that is made already contains the number of the node. */
	uint32_t n = made ? t->labels[node].number : t->number[node];
	size_t len = (size_t)(labels_put_number(t, node, n, text) - text);

	memcpy(number, text, len);
	number[len] = '\0';
	return len;
}

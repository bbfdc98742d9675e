/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, numbers and units of the text reports. */
#include "config.h"

#include "report/entries.h"

#include "base/number.h"
#include "base/path.h"
#include "base/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HOT_SHARE 0.1

void text_page(struct output *out)
{
	if (out->total > 0)
		output_text(out, "\f\n");
}

void text_heading(struct output *out, enum output_style style, const char *lines)
{
	while (out->styled && *lines) {
		size_t n = strcspn(lines, "\n");

		if (n > 0) {
			output_style(out, style);
			output_bytes(out, lines, n);
			output_style(out, STYLE_PLAIN);
		}
		if (lines[n])
			output_char(out, lines[n++]);
		lines += n;
	}
	output_text(out, lines);
}

void text_explain(struct output *out, const char *title, const char *text)
{
	output_char(out, '\n');
	text_heading(out, STYLE_TITLE, title);
	output_text(out, text);
}

bool text_is_hot(double part, double total)
{
	return total > 0.0 && part >= HOT_SHARE * total;
}

const char *text_file(const struct text *t, const char *file)
{
	return t->opt->print_path ? file : path_base(file);
}

enum { NUMBERS_BYTES = 64, CACHE_LINE = 64 };

/* What stands behind a name in the call graph. */
static size_t make_numbers(const struct text *t, sym_id s, char numbers[NUMBERS_BYTES])
{
	uint32_t cycle = t->a->cycles.of_node[s];
	size_t n = 0;

	if (cycle)
		n = (size_t)snprintf(numbers, NUMBERS_BYTES, " <cycle %" PRIu32 ">", cycle);
	if (t->a->profile->has_arcs) {
		numbers[n++] = ' ';
		n += text_number(t, s, numbers + n);
	}
	return n;
}

/* The *n bytes of text, escaped, with room for so many bytes behind them. */
static char *for_terminal(const char *text, size_t *n, size_t room, struct arena *mem)
{
	char *shown = arena_array(mem, char, TERMINAL_CHARACTER **n + room);
	size_t len = 0;

	for (const char *end = text + *n; text < end;)
		len += terminal_put(shown + len, &text, end, "");
	*n = len;
	return shown;
}

static void make_label(const struct text *t, sym_id s)
{
	const struct sym *sym = &t->a->program->symtab.sym[s];
	const struct location *loc = &t->view->locations[s];
	bool by_line = t->a->program->by_line;
	const char *file = NULL;
	char numbers[NUMBERS_BYTES], place[NUMBERS_BYTES], *text;
	size_t nfile = 0, nplace = 0, n;
	size_t nnumbers = t->numbered ? make_numbers(t, s, numbers) : 0;

	if ((by_line || t->opt->inline_files) && loc->file) {
		file = text_file(t, loc->file);
		nfile = strlen(file);
		nplace = (size_t)snprintf(place, sizeof(place), ":%u", loc->line);
		if (by_line)
			nplace += (size_t)snprintf(place + nplace, sizeof(place) - nplace,
						   " @ %" PRIx64, sym->lo);
		place[nplace++] = ')';
	}
	text = demangle_with_room(sym->name, report_style(t->opt),
				  2 + nfile + nplace + nnumbers + 1, t->mem);
	n = strlen(text);
	if (file) {
		memcpy(text + n, " (", 2);
		memcpy(text + n + 2, file, nfile);
		memcpy(text + n + 2 + nfile, place, nplace);
		n += 2 + nfile + nplace;
	}
	if (t->view->terminal)
		text = for_terminal(text, &n, nnumbers + 1, t->mem);
	memcpy(text + n, numbers, nnumbers);
	text[n + nnumbers] = '\n';
	t->labels[s] = (struct text_label){
		.text = text,
		.name_len = (uint32_t)n,
		.len = (uint32_t)(n + nnumbers + 1),
		.ncalls = t->a->calls.outer[analysis_whole(t->a, s)],
	};
}

/* The unit, which a data file names, with '?' for control characters. */
static void tame_unit(struct text *t)
{
	size_t n = strlen(t->dimension);
	char *tame = arena_strndup(t->mem, t->dimension, n);

	for (size_t i = 0, len; i < n; i += len ? len : 1) {
		len = terminal_shows(tame + i, n - i);
		if (len == 0)
			tame[i] = '?';
	}
	t->dimension = tame;
	if ((unsigned char)t->abbrev >= 0x80 || terminal_shows(&t->abbrev, 1) == 0)
		t->abbrev = '?';
}

struct text text_prepare(unsigned reports, const struct view *view,
			 const struct report_options *opt, struct arena *mem)
{
	const struct analysis *a = view->analysis;
	const struct unit *unit = &a->profile->unit;
	bool timed = a->profile->has_hists && unit->rate > 0;
	struct text t = {
		.a = a,
		.view = view,
		.opt = opt,
		.reports = reports,
		.mem = mem,
		.numbered = opt->traditional || reports & REPORT_GRAPH,
		.labels = arena_array(mem, struct text_label, a->graph.nnodes),
		.rate = timed ? unit->rate : 1.0,
		.dimension = timed                   ? unit->dimension
			     : a->profile->has_hists ? "ticks"
						     : "seconds",
		.abbrev = timed                   ? unit->abbrev
			  : a->profile->has_hists ? 't'
						  : 's',
	};

	if (view->terminal)
		tame_unit(&t);
	entries_order(&t, mem);
	/* In a row they take a third of the time that they take in the order of reports. */
	for (sym_id s = 0; t.rank && s < a->graph.nnodes; s++)
		make_label(&t, s);
	return t;
}

void text_expect(const struct text *t, sym_id s)
{
	__builtin_prefetch(&t->labels[s]);
	if (!t->rank)
		__builtin_prefetch(&t->a->program->symtab.sym[s]);
}

void text_expect_name(const struct text *t, sym_id s)
{
	const char *text =
		t->labels[s].text ? t->labels[s].text : t->a->program->symtab.sym[s].name;

	__builtin_prefetch(text);
	__builtin_prefetch(text + CACHE_LINE);
}

static const struct text_label *label(const struct text *t, sym_id s)
{
	if (!t->labels[s].text)
		make_label(t, s);
	return &t->labels[s];
}

size_t text_name(const struct text *t, sym_id s, struct output *out)
{
	const struct text_label *name = label(t, s);

	output_bytes(out, name->text, name->name_len);
	return name->name_len;
}

void text_graph_name(const struct text *t, sym_id s, struct output *out)
{
	const struct text_label *name = label(t, s);

	output_bytes(out, name->text, name->len);
}

void text_styled_graph_name(const struct text *t, sym_id s, struct output *out)
{
	const struct text_label *name = label(t, s);

	if (!out->styled) {
		output_bytes(out, name->text, name->len);
		return;
	}
	output_bytes(out, name->text, name->name_len);
	if (t->a->cycles.of_node[s])
		output_style(out, STYLE_CYCLE);
	output_bytes(out, name->text + name->name_len, name->len - 1 - name->name_len);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

uint64_t text_all_calls(const struct text *t, sym_id s)
{
	return label(t, s)->ncalls;
}

size_t text_number(const struct text *t, uint32_t node, char number[TEXT_NUMBER_BYTES])
{
	bool shown = bitset_has(t->a->weights.shown, node);
	char text[NUMBER_ROOM];
	size_t len = (size_t)(number_put(text, t->number[node], 0) - text);

	number[0] = shown ? '[' : '(';
	memcpy(number + 1, text, len);
	number[1 + len] = shown ? ']' : ')';
	number[2 + len] = '\0';
	return len + 2;
}

/* Whole units of two bytes: glibc's bins of 3.99 bytes have always been shown as 2. */
long text_granularity(const struct text *t)
{
	const struct profile *prof = t->a->profile;

	return prof->hists.n > 0 ? (long)((uint64_t)hist_scale(&prof->hists.at[0]) * 2) : 0;
}

void text_granularity_line(const struct text *t, double total, const char *nothing,
			   struct output *out)
{
	output_format(out, "\ngranularity: each sample hit covers %ld byte(s)",
		      text_granularity(t));
	if (total > 0.0)
		output_format(out, " for %.2f%% of %.2f %s\n\n", 100.0 / total, total / t->rate,
			      t->dimension);
	else
		output_format(out, " %s\n\n", nothing);
}

bool text_lists(const struct analysis *a, const struct report_options *opt, sym_id s)
{
	return opt->zeros || a->calls.outer[s] != 0 || a->ticks.self[s] != 0.0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels of symbols, put together when they are first written, or all in a row. */
#include "config.h"

#include "report/labels.h"

#include "base/number.h"
#include "base/path.h"
#include "base/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *labels_file(const struct text *t, const char *file)
{
	return t->opt->print_path ? file : path_base(file);
}

enum { NUMBERS_BYTES = 64, CACHE_LINE = 64 };

/* What stands behind a name in the call graph. */
static size_t labels_put_numbers(const struct text *t, sym_id s, char numbers[NUMBERS_BYTES])
{
	uint32_t cycle = t->a->cycles.of_node[s];
	size_t n = 0;

	if (cycle)
		n = (size_t)snprintf(numbers, NUMBERS_BYTES, " <cycle %" PRIu32 ">", cycle);
	if (t->a->profile->has_arcs || t->a->stacks) {
		numbers[n++] = ' ';
		n += labels_number(t, s, numbers + n);
	}
	return n;
}

/* The *n bytes of text, escaped, with room for so many bytes behind them. */
static char *labels_escape(const char *text, size_t *n, size_t room, struct arena *mem)
{
	char *shown = arena_array(mem, char, TERMINAL_BYTE **n + room);
	size_t len = 0;

	for (const char *end = text + *n; text < end;)
		len += terminal_put(shown + len, &text, end, "");
	*n = len;
	return shown;
}

static void labels_make_one(const struct text *t, sym_id s)
{
	const struct sym *sym = &t->a->program->symtab.sym[s];
	const struct location *loc = &t->view->locations[s];
	bool by_line = t->a->program->by_line;
	const char *file = NULL;
	char numbers[NUMBERS_BYTES], place[NUMBERS_BYTES], *text;
	size_t nfile = 0, nplace = 0, n;
	size_t nnumbers = t->numbered ? labels_put_numbers(t, s, numbers) : 0;

	if ((by_line || t->opt->inline_files) && loc->file) {
		file = labels_file(t, loc->file);
		nfile = strlen(file);
		nplace = (size_t)snprintf(place, sizeof(place), ":%u", loc->line);
		if (by_line)
			nplace += (size_t)snprintf(place + nplace, sizeof(place) - nplace,
						   " @ %" PRIx64, space_code_address(sym, sym->lo));
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
		text = labels_escape(text, &n, nnumbers + 1, t->mem);
	memcpy(text + n, numbers, nnumbers);
	text[n + nnumbers] = '\n';
	t->labels[s] = (struct label){
		.text = text,
		.name_len = (uint32_t)n,
		.len = (uint32_t)(n + nnumbers + 1),
		.ncalls = t->a->calls.outer[analysis_whole(t->a, s)],
	};
}

void labels_make(struct text *t)
{
	uint32_t n = t->a->graph.nnodes;

	t->labels = arena_array(t->mem, struct label, n);
	/* In a row they take a third of the time that they take in the order of reports. */
	for (sym_id s = 0; t->rank && s < n; s++)
		labels_make_one(t, s);
}

void labels_expect(const struct text *t, sym_id s)
{
	__builtin_prefetch(&t->labels[s]);
	if (!t->rank)
		__builtin_prefetch(&t->a->program->symtab.sym[s]);
}

void labels_expect_name(const struct text *t, sym_id s)
{
	const char *text =
		t->labels[s].text ? t->labels[s].text : t->a->program->symtab.sym[s].name;

	__builtin_prefetch(text);
	__builtin_prefetch(text + CACHE_LINE);
}

static const struct label *labels_get(const struct text *t, sym_id s)
{
	if (!t->labels[s].text)
		labels_make_one(t, s);
	return &t->labels[s];
}

size_t labels_name(const struct text *t, sym_id s, struct output *out)
{
	const struct label *name = labels_get(t, s);

	output_bytes(out, name->text, name->name_len);
	return name->name_len;
}

void labels_graph_name(const struct text *t, sym_id s, struct output *out)
{
	const struct label *name = labels_get(t, s);

	output_bytes(out, name->text, name->len);
}

void labels_styled_graph_name(const struct text *t, sym_id s, struct output *out)
{
	const struct label *name = labels_get(t, s);

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

uint64_t labels_all_calls(const struct text *t, sym_id s)
{
	return labels_get(t, s)->ncalls;
}

size_t labels_number(const struct text *t, uint32_t node, char number[LABEL_NUMBER_BYTES])
{
	bool shown = analysis_shows(t->a, node);
	char text[NUMBER_ROOM];
	size_t len = (size_t)(number_put(text, t->number[node], 0) - text);

	number[0] = shown ? '[' : '(';
	memcpy(number + 1, text, len);
	number[1 + len] = shown ? ']' : ')';
	number[2 + len] = '\0';
	return len + 2;
}

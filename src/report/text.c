/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, numbers and units of the text reports. n log n in nodes, for their order. */
#include "config.h"

#include "report/text.h"

#include "base/number.h"
#include "base/radix.h"
#include "base/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Cycles before plain names, those before names with an underscore. */
static uint64_t entry_class(const struct analysis *a, uint32_t node)
{
	if (node >= a->graph.nnodes)
		return 0;
	return a->program->symtab.sym[node].name[0] == '_' ? 2 : 1;
}

static void sort_by_rank(const struct text *t, uint32_t *ids, size_t n, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct keyed *items = arena_array(&scratch, struct keyed, n);

	for (size_t i = 0; i < n; i++)
		items[i] = (struct keyed){ t->rank[ids[i]], ids[i] };
	sort_keyed(items, n, &scratch);
	for (size_t i = 0; i < n; i++)
		ids[i] = items[i].id;
	arena_free(&scratch);
}

enum { FEW = 32 };

/* Without a scratch arena: functions of equal time and calls mostly are few. */
static void sort_few(const struct sym *sym, uint32_t *ids, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t id = ids[i];
		size_t at = i;

		for (; at > 0 && strcmp(sym[ids[at - 1]].name, sym[id].name) > 0; at--)
			ids[at] = ids[at - 1];
		ids[at] = id;
	}
}

void text_sort_names(const struct text *t, uint32_t *ids, size_t n, const struct bitset *wanted,
		     const struct arena *mem)
{
	const struct symtab *symtab = &t->a->program->symtab;

	if (n <= FEW) {
		sort_few(symtab->sym, ids, n);
		return;
	}
	if (t->rank) {
		sort_by_rank(t, ids, n, mem);
		return;
	}
	sort_by_name(ids, n, (struct name_column){ &symtab->sym->name, sizeof(*symtab->sym) },
		     wanted, mem);
}

/* Least significant first: calls, class, time; then names where all three agree. */
void text_sort(const struct text *t, uint32_t *nodes, size_t n, const double *time, bool by_class,
	       const struct bitset *wanted, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct keyed *items = arena_array(&scratch, struct keyed, n);
	const struct analysis *a = t->a;
	uint32_t nsyms = a->graph.nnodes;

	for (size_t i = 0; i < n; i++)
		items[i] = (struct keyed){ nodes[i] < nsyms ? ~a->calls.outer[nodes[i]] : 0,
					   nodes[i] };
	sort_keyed(items, n, &scratch);
	for (size_t i = 0; i < n && by_class; i++)
		items[i].key = entry_class(a, items[i].id);
	if (by_class)
		sort_keyed(items, n, &scratch);
	for (size_t i = 0; i < n; i++)
		items[i].key = key_descending(time[items[i].id]);
	sort_keyed(items, n, &scratch);
	for (size_t i = 0; i < n; i++)
		nodes[i] = items[i].id;
	for (size_t i = 0, end; i < n; i = end) {
		uint32_t x = nodes[i];

		for (end = i + 1;
		     end < n && x < nsyms && items[end].key == items[i].key && nodes[end] < nsyms &&
		     a->calls.outer[nodes[end]] == a->calls.outer[x] &&
		     (!by_class || entry_class(a, nodes[end]) == entry_class(a, x));
		     end++)
			;
		if (end - i > 1)
			text_sort_names(t, nodes + i, end - i, wanted, &scratch);
	}
	arena_free(&scratch);
}

/* Nodes whose number can be printed: those with any data, and cycles. */
static struct bitset find_numbered(const struct analysis *a, const struct report_options *opt,
				   struct arena *mem)
{
	struct bitset set = bitset_empty(mem, analysis_nnodes(a));
	const struct graph *g = &a->graph;

	for (uint32_t s = 0; s < g->nnodes; s++) {
		if (text_lists(a, opt, s) || g->in[s] != g->in[s + 1] || g->out[s] != g->out[s + 1])
			bitset_add(set, s);
	}
	return set;
}

/* Where most names count, they are sorted once for all reports: a chain of 10^6 calls took 0.4 s
 * longer. */
static uint32_t *rank_names(const struct text *t, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const struct sym *sym = t->a->program->symtab.sym;
	uint32_t n = t->a->graph.nnodes, last = 0;
	uint32_t *rank = arena_array(mem, uint32_t, n);
	uint32_t *ids = arena_array(&scratch, uint32_t, n);

	for (uint32_t s = 0; s < n; s++)
		ids[s] = s;
	text_sort_names(t, ids, n, NULL, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0 && strcmp(sym[ids[i]].name, sym[ids[i - 1]].name) != 0)
			last = i;
		rank[ids[i]] = last;
	}
	arena_free(&scratch);
	return rank;
}

/* By time, most first; cycles by number; plain names; calls, most first; name. */
static void order_entries(struct text *t, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const struct analysis *a = t->a;
	uint32_t nnodes = analysis_nnodes(a), nwanted = 0;
	uint32_t *order = arena_array(mem, uint32_t, nnodes);
	uint32_t *number = arena_array(mem, uint32_t, nnodes);
	double *time = arena_array(&scratch, double, nnodes);
	struct bitset wanted = find_numbered(a, t->opt, &scratch);

	for (uint32_t n = 0; n < nnodes; n++) {
		order[n] = n;
		time[n] = a->weights.self[n] + a->weights.children[n];
		nwanted += bitset_has(wanted, n);
	}
	if (nwanted > nnodes / 2)
		t->rank = rank_names(t, mem);
	text_sort(t, order, nnodes, time, true, &wanted, &scratch);
	for (uint32_t i = 0; i < nnodes; i++)
		number[order[i]] = i + 1;
	t->order = order;
	t->number = number;
	arena_free(&scratch);
}

struct text text_prepare(const struct analysis *a, const struct location *locations,
			 const struct report_options *opt, struct arena *mem)
{
	const struct unit *unit = &a->profile->unit;
	bool timed = a->profile->has_hists && unit->rate > 0;
	struct text t = {
		.a = a,
		.opt = opt,
		.locations = locations,
		.mem = mem,
		.numbered = opt->traditional || opt->wanted & REPORT_GRAPH,
		.labels = arena_array(mem, struct text_label, a->graph.nnodes),
		.rate = timed ? unit->rate : 1.0,
		.dimension = timed                   ? unit->dimension
			     : a->profile->has_hists ? "ticks"
						     : "seconds",
		.abbrev = timed                   ? unit->abbrev
			  : a->profile->has_hists ? 't'
						  : 's',
	};

	if (t.numbered)
		order_entries(&t, mem);
	return t;
}

void text_tame_unit(struct text *t)
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

void text_page(struct output *out)
{
	if (out->total > 0)
		output_text(out, "\f\n");
}

const char *text_file(const struct text *t, const char *file)
{
	const char *slash = t->opt->print_path ? NULL : strrchr(file, '/');

	return slash ? slash + 1 : file;
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

static void make_label(const struct text *t, sym_id s)
{
	const struct sym *sym = &t->a->program->symtab.sym[s];
	const struct location *loc = &t->locations[s];
	bool by_line = t->a->program->by_line;
	bool raw = t->opt->raw_names || t->opt->traditional;
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
	text = demangle_with_room(sym->name, raw ? DEMANGLE_NONE : t->opt->demangle,
				  2 + nfile + nplace + nnumbers, t->mem);
	n = strlen(text);
	if (file) {
		memcpy(text + n, " (", 2);
		memcpy(text + n + 2, file, nfile);
		memcpy(text + n + 2 + nfile, place, nplace);
		n += 2 + nfile + nplace;
	}
	memcpy(text + n, numbers, nnumbers);
	t->labels[s] = (struct text_label){ text, (uint32_t)n, (uint32_t)(n + nnumbers) };
}

void text_expect(const struct text *t, sym_id s)
{
	__builtin_prefetch(&t->labels[s]);
	__builtin_prefetch(&t->a->program->symtab.sym[s]);
	__builtin_prefetch(&t->a->calls.outer[s]);
}

void text_expect_name(const struct text *t, sym_id s)
{
	const char *text =
		t->labels[s].text ? t->labels[s].text : t->a->program->symtab.sym[s].name;

	__builtin_prefetch(text);
	__builtin_prefetch(text + CACHE_LINE);
}

size_t text_name(const struct text *t, sym_id s, struct output *out)
{
	if (!t->labels[s].text)
		make_label(t, s);
	return output_name(out, t->labels[s].text, t->labels[s].name_len);
}

void text_graph_name(const struct text *t, sym_id s, struct output *out)
{
	if (!t->labels[s].text)
		make_label(t, s);
	output_name(out, t->labels[s].text, t->labels[s].len);
}

size_t text_number(const struct text *t, uint32_t node, char number[TEXT_NUMBER_BYTES])
{
	bool shown = bitset_has(t->a->weights.shown, node);

	size_t len = number_uint(number + 1, t->number[node]);

	number[0] = shown ? '[' : '(';
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

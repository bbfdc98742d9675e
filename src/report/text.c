/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, numbers and units of the text reports. n log n in nodes, for their order. */
#include "config.h"

#include "report/text.h"

#include "base/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static double graph_time(const struct weights *w, uint32_t node)
{
	return w->self[node] + w->children[node];
}

/*
 * Time, most first; cycles by number before functions; plain names before those with an
 * underscore; calls, most first; name.
 */
static int compare_entries(uint32_t x, uint32_t y, const void *analysis)
{
	const struct analysis *an = analysis;
	double x_time = graph_time(&an->weights, x), y_time = graph_time(&an->weights, y);
	uint32_t nsyms = an->graph.nnodes;
	const char *x_name, *y_name;

	if (x_time != y_time)
		return x_time > y_time ? -1 : 1;
	if (x >= nsyms || y >= nsyms) {
		if (x >= nsyms && y >= nsyms)
			return x < y ? -1 : 1;
		return x >= nsyms ? -1 : 1;
	}
	x_name = an->program->symtab.sym[x].name;
	y_name = an->program->symtab.sym[y].name;
	if ((x_name[0] == '_') != (y_name[0] == '_'))
		return x_name[0] == '_' ? 1 : -1;
	if (an->calls.outer[x] != an->calls.outer[y])
		return an->calls.outer[x] > an->calls.outer[y] ? -1 : 1;
	return strcmp(x_name, y_name);
}

struct text text_prepare(const struct analysis *a, const struct location *locations,
			 const struct report_options *opt, struct arena *mem)
{
	uint32_t nnodes = analysis_nnodes(a);
	uint32_t *order = arena_array(mem, uint32_t, nnodes);
	uint32_t *number = arena_array(mem, uint32_t, nnodes);
	const struct unit *unit = &a->profile->unit;
	bool timed = a->profile->has_hists && unit->rate > 0;

	for (uint32_t n = 0; n < nnodes; n++)
		order[n] = n;
	sort_ids(order, nnodes, compare_entries, a, mem);
	for (uint32_t i = 0; i < nnodes; i++)
		number[order[i]] = i + 1;
	return (struct text){
		.a = a,
		.opt = opt,
		.locations = locations,
		.mem = mem,
		.order = order,
		.number = number,
		.shown = arena_array(mem, const char *, a->graph.nnodes),
		.rate = timed ? unit->rate : 1.0,
		.dimension = timed                   ? unit->dimension
			     : a->profile->has_hists ? "ticks"
						     : "seconds",
		.abbrev = timed                   ? unit->abbrev
			  : a->profile->has_hists ? 't'
						  : 's',
	};
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

size_t text_name(const struct text *t, sym_id s, struct output *out)
{
	uint64_t before = out->total;
	const struct sym *sym = &t->a->program->symtab.sym[s];
	const struct location *loc = &t->locations[s];
	bool by_line = t->a->program->by_line;
	bool raw = t->opt->raw_names || t->opt->traditional;
	enum demangle_style style = raw ? DEMANGLE_NONE : t->opt->demangle;

	if (!t->shown[s])
		t->shown[s] = demangle(sym->name, style, t->mem);
	output_text(out, t->shown[s]);
	if ((by_line || t->opt->inline_files) && loc->file) {
		output_text(out, " (");
		output_text(out, text_file(t, loc->file));
		output_format(out, ":%u", loc->line);
		if (by_line)
			output_format(out, " @ %" PRIx64, sym->lo);
		output_text(out, ")");
	}
	return (size_t)(out->total - before);
}

void text_graph_name(const struct text *t, sym_id s, struct output *out)
{
	uint32_t cycle = t->a->cycles.of_node[s];
	char number[TEXT_NUMBER_BYTES];

	text_name(t, s, out);
	if (cycle)
		output_format(out, " <cycle %" PRIu32 ">", cycle);
	if (t->a->profile->has_arcs) {
		text_number(t, s, number);
		output_format(out, " %s", number);
	}
}

size_t text_number(const struct text *t, uint32_t node, char number[TEXT_NUMBER_BYTES])
{
	bool shown = bitset_has(t->a->weights.shown, node);

	return (size_t)snprintf(number, TEXT_NUMBER_BYTES,
				shown ? "[%" PRIu32 "]" : "(%" PRIu32 ")", t->number[node]);
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

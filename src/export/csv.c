/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables for spreadsheets and databases, as RFC 4180 has them but for lines that end as everywhere:
 * the flat profile, or the arcs of the call graph. Numbers are bare, with all their digits.
 */
#include "config.h"

#include "export/formats.h"

#include "base/quote.h"
#include "base/radix.h"
#include "export/measures.h"

#include <inttypes.h>

enum { TABLE, NKEYS };

enum { FLAT, ARCS };
static const char *const tables[] = { [FLAT] = "flat", [ARCS] = "arcs", NULL };

static const struct export_key keys[NKEYS] = {
	[TABLE] = { .name = "table", .kind = EXPORT_CHOICE, .choices = tables, .initial = "flat" },
};

static const uint64_t second = 1000000000;

/* A time and its comma, in seconds or samples. */
static void write_time(const struct export_view *e, struct output *out, uint64_t time)
{
	if (e->timed)
		output_format(out, "%" PRIu64 ".%09" PRIu64 ",", time / second, time % second);
	else
		output_format(out, "%" PRIu64 ",", time);
}

static void write_name(struct output *out, const char *name)
{
	quote_csv(out, name);
	output_char(out, ',');
}

static void write_count(struct output *out, uint64_t n)
{
	output_uint(out, n, 0);
	output_char(out, ',');
}

/* File and line, both empty where they are not known. */
static void write_place(const struct export_view *e, struct output *out, sym_id s)
{
	const struct location *loc = &e->locations[s];

	write_name(out, loc->file ? loc->file : "");
	if (loc->file)
		output_uint(out, loc->line, 0);
	output_format(out, ",0x%" PRIx64, e->a->program->symtab.sym[s].lo);
}

/* Most own time first, then by address. */
static const struct keyed *sorted(const struct export_view *e)
{
	struct keyed *items = arena_array(e->mem, struct keyed, e->nlisted);

	for (uint32_t i = 0; i < e->nlisted; i++)
		items[i] = (struct keyed){ ~e->self[e->listed[i]], e->listed[i] };
	sort_keyed(items, e->nlisted, e->mem);
	return items;
}

static void write_flat(const struct export_view *e, struct output *out)
{
	const struct keyed *items = sorted(e);
	const char *unit = e->timed ? "s" : "samples";

	output_format(out,
		      "function,self (%s),children (%s),samples,sampling error (%s),calls,"
		      "recursive calls,cycle,file,line,address,linker name\n",
		      unit, unit, unit);
	for (uint32_t i = 0; i < e->nlisted; i++) {
		sym_id s = items[i].id;

		write_name(out, e->name[s]);
		write_time(e, out, e->self[s]);
		write_time(e, out, measure_children(e, s));
		write_count(out, e->samples[s]);
		write_time(e, out, measure_error(e, s));
		write_count(out, e->a->calls.outer[s]);
		write_count(out, e->a->calls.self[s]);
		if (e->a->cycles.of_node[s] != 0)
			output_uint(out, e->a->cycles.of_node[s], 0);
		output_char(out, ',');
		write_place(e, out, s);
		output_char(out, ',');
		quote_csv(out, e->a->program->symtab.sym[s].name);
		output_char(out, '\n');
	}
}

static void write_arcs(const struct export_view *e, struct output *out)
{
	const struct graph *g = &e->a->graph;

	output_format(out,
		      "caller,callee,calls,time (%s),caller file,caller line,caller address,"
		      "callee file,callee line,callee address\n",
		      e->timed ? "s" : "samples");
	for (uint32_t i = 0; i < g->narcs; i++) {
		if (!export_has_arc(e, i))
			continue;
		write_name(out, e->name[g->arc[i].from]);
		write_name(out, e->name[g->arc[i].to]);
		write_count(out, g->arc[i].ncalls);
		write_time(e, out, e->arc[i]);
		write_place(e, out, g->arc[i].from);
		output_char(out, ',');
		write_place(e, out, g->arc[i].to);
		output_char(out, '\n');
	}
}

static void write_csv(const struct export_view *e, struct output *out)
{
	if (e->request->value[TABLE].count == ARCS)
		write_arcs(e, out);
	else
		write_flat(e, out);
}

const struct exporter export_csv = {
	.name = "csv",
	.file = "gprof.csv",
	.needs = EXPORT_LOCATIONS,
	.keys = keys,
	.nkeys = NKEYS,
	.write = write_csv,
};

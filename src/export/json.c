/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that the reports know, for programs to read: JSON with a line for each record. What it means
 * is in doc/export-json.md, and its form in doc/export-schema.json: who changes this, changes
 * those. A reader of an older version must be able to read on unless SCHEMA_VERSION grows.
 */
#include "config.h"

#include "export/formats.h"

#include "base/quote.h"
#include "export/measures.h"

#include <inttypes.h>

enum { SCHEMA_VERSION = 1 };

/* Beyond, a number would lose digits in readers that have no whole ones. */
static const uint64_t most_exact = UINT64_C(1) << 53;

struct json {
	const struct export_view *e;
	struct output *out;
	uint32_t *index; /* of each listed symbol */
};

static void write_number(const struct json *j, const char *key, uint64_t n)
{
	output_text(j->out, key);
	if (n > most_exact)
		output_char(j->out, '"');
	output_uint(j->out, n, 0);
	if (n > most_exact)
		output_char(j->out, '"');
}

static void write_string(const struct json *j, const char *key, const char *text)
{
	output_text(j->out, key);
	quote_json(j->out, text);
}

static void write_address(const struct json *j, const char *key, uint64_t address)
{
	output_format(j->out, "%s\"0x%" PRIx64 "\"", key, address);
}

static void write_flag(const struct json *j, const char *key, bool yes)
{
	output_text(j->out, key);
	output_text(j->out, yes ? "true" : "false");
}

/* The line of record i of an array begins, or the array's end. */
static void begin_record(const struct json *j, bool first)
{
	output_text(j->out, first ? "\n{" : ",\n{");
}

static void write_program(const struct json *j)
{
	const struct program *program = j->e->a->program;

	write_string(j, "\"program\":{\"path\":", program->path);
	if (j->e->mapping.build_id)
		write_string(j, ",\"build_id\":", j->e->mapping.build_id);
	output_format(j->out, ",\"pointer_bits\":%u,\"byte_order\":\"%s\"},\n",
		      8 * program->target.ptr_size, program->target.big_endian ? "big" : "little");
}

static void write_files(const struct json *j)
{
	const struct profile *prof = j->e->a->profile;

	output_text(j->out, "\"files\":[");
	for (size_t i = 0; i < prof->files.n; i++) {
		const struct profile_file *file = &prof->files.at[i];

		begin_record(j, i == 0);
		write_string(j, "\"name\":", file->name);
		write_number(j, ",\"version\":", file->version);
		write_number(j, ",\"histograms\":", file->nhists);
		write_number(j, ",\"arcs\":", file->narcs);
		write_number(j, ",\"blocks\":", file->nblocks);
		output_char(j->out, '}');
	}
	output_text(j->out, "\n],\n\"histograms\":[");
	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];

		begin_record(j, i == 0);
		write_address(j, "\"low\":", hist->lo);
		write_address(j, ",\"high\":", hist->hi);
		write_number(j, ",\"bins\":", hist->nbins);
		output_char(j->out, '}');
	}
	output_text(j->out, "\n],\n");
}

static void write_unit(const struct json *j)
{
	const struct export_view *e = j->e;
	const struct unit *unit = &e->a->profile->unit;
	bool samples = e->a->profile->has_hists;

	write_string(j, "\"unit\":{\"time\":", e->timed ? "nanoseconds" : "samples");
	if (samples) {
		write_number(j, ",\"rate\":", unit->rate);
		write_string(j, ",\"dimension\":", unit->dimension);
	}
	if (samples && e->timed)
		output_format(j->out, ",\"period\":%.9g", e->per_tick);
	output_text(j->out, "},\n");
}

static void write_totals(const struct json *j)
{
	const struct export_view *e = j->e;
	uint64_t ncalls = 0, narcs = 0;

	for (uint32_t i = 0; i < e->a->graph.narcs; i++) {
		if (!export_has_arc(e, i))
			continue;
		narcs++;
		if (__builtin_add_overflow(ncalls, e->a->graph.arc[i].ncalls, &ncalls))
			ncalls = UINT64_MAX;
	}
	write_number(j, "\"totals\":{\"time\":", e->total);
	write_number(j, ",\"samples\":", e->nsamples);
	write_number(j, ",\"calls\":", ncalls);
	write_number(j, ",\"symbols\":", e->nlisted);
	write_number(j, ",\"arcs\":", narcs);
	write_number(j, ",\"cycles\":", e->a->cycles.ncycles);
	output_text(j->out, "},\n");
}

static void write_symbol(const struct json *j, sym_id s)
{
	const struct export_view *e = j->e;
	const struct sym *sym = &e->a->program->symtab.sym[s];
	const struct location *loc = &e->locations[s];

	write_number(j, "\"id\":", j->index[s]);
	write_string(j, ",\"name\":", e->name[s]);
	write_string(j, ",\"linker_name\":", sym->name);
	write_address(j, ",\"address\":", sym->lo);
	write_number(j, ",\"size\":", sym->hi - sym->lo);
	if (loc->file) {
		write_string(j, ",\"file\":", loc->file);
		write_number(j, ",\"line\":", loc->line);
	}
	write_flag(j, ",\"static\":", sym->flags & SYM_STATIC);
	write_number(j, ",\"self\":", e->self[s]);
	write_number(j, ",\"samples\":", e->samples[s]);
	write_number(j, ",\"error\":", measure_error(e, s));
	write_number(j, ",\"children\":", measure_children(e, s));
	write_number(j, ",\"calls\":", e->a->calls.outer[s]);
	write_number(j, ",\"recursive_calls\":", e->a->calls.self[s]);
	if (e->a->cycles.of_node[s] != 0)
		write_number(j, ",\"cycle\":", e->a->cycles.of_node[s]);
	output_char(j->out, '}');
}

static void write_symbols(const struct json *j)
{
	const struct export_view *e = j->e;

	write_flag(j, "\"by_line\":", e->a->program->by_line);
	output_text(j->out, ",\n\"symbols\":[");
	for (uint32_t i = 0; i < e->nlisted; i++) {
		begin_record(j, i == 0);
		write_symbol(j, e->listed[i]);
	}
	output_text(j->out, "\n],\n");
}

static void write_arcs(const struct json *j)
{
	const struct graph *g = &j->e->a->graph;
	bool first = true;

	output_text(j->out, "\"arcs\":[");
	for (uint32_t i = 0; i < g->narcs; i++) {
		const struct arc *arc = &g->arc[i];

		if (!export_has_arc(j->e, i))
			continue;
		begin_record(j, first);
		first = false;
		write_number(j, "\"from\":", j->index[arc->from]);
		write_number(j, ",\"to\":", j->index[arc->to]);
		write_number(j, ",\"calls\":", arc->ncalls);
		write_number(j, ",\"time\":", j->e->arc[i]);
		output_char(j->out, '}');
	}
	output_text(j->out, "\n],\n");
}

static void write_cycle(const struct json *j, uint32_t cycle)
{
	const struct export_view *e = j->e;
	uint32_t node = e->a->graph.nnodes + cycle - 1;
	bool first = true;

	write_number(j, "\"cycle\":", cycle);
	write_number(j, ",\"self\":", measure_cycle(e, node));
	write_number(j, ",\"children\":", measure_children(e, node));
	write_number(j, ",\"calls\":", e->a->calls.outer[node]);
	write_number(j, ",\"internal_calls\":", e->a->calls.self[node]);
	output_text(j->out, ",\"members\":[");
	for (uint32_t i = e->a->cycles.start[cycle - 1]; i < e->a->cycles.start[cycle]; i++) {
		sym_id member = e->a->cycles.member[i];

		if (!e->name[member])
			continue;
		write_number(j, first ? "" : ",", j->index[member]);
		first = false;
	}
	output_text(j->out, "]}");
}

static void write_json(const struct export_view *e, struct output *out)
{
	struct json j = {
		.e = e,
		.out = out,
		.index = arena_array(e->mem, uint32_t, e->a->graph.nnodes),
	};

	for (uint32_t i = 0; i < e->nlisted; i++)
		j.index[e->listed[i]] = i;
	output_format(out, "{\"format\":\"gprof\",\"version\":%d,\"generator\":\"%s\",\n",
		      SCHEMA_VERSION, PACKAGE_STRING);
	write_program(&j);
	write_files(&j);
	write_unit(&j);
	write_totals(&j);
	write_symbols(&j);
	write_arcs(&j);
	output_text(out, "\"cycles\":[");
	for (uint32_t cycle = 1; cycle <= e->a->cycles.ncycles; cycle++) {
		begin_record(&j, cycle == 1);
		write_cycle(&j, cycle);
	}
	output_text(out, "\n]}\n");
}

const struct exporter export_json = {
	.name = "json",
	.file = "gprof.json",
	.needs = EXPORT_LOCATIONS,
	.write = write_json,
};

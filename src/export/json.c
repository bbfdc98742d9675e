/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that the reports know, for programs to read: JSON with a line for each record. Its meaning is
 * in doc/export-json.md and its form in doc/export-schema.json: a change here is a change there. A
 * program that reads an older version must be able to read on unless SCHEMA_VERSION grows. Linear
 * in functions and arcs.
 */
#include "config.h"

#include "export/diffjson.h"
#include "export/view.h"

#include "base/quote.h"
#include "model/integer_costs.h"

#include <inttypes.h>

enum { SCHEMA_VERSION = 1 };

/* Greater numbers would lose digits in programs that read all numbers as double. */
static const uint64_t most_exact = UINT64_C(1) << 53;

struct json {
	const struct export_view *e;
	struct output *out;
	uint32_t *index; /* of each listed symbol */
};

static void json_write_number(const struct json *j, const char *key, uint64_t n)
{
	output_text(j->out, key);
	if (n > most_exact)
		output_char(j->out, '"');
	output_uint(j->out, n, 0);
	if (n > most_exact)
		output_char(j->out, '"');
}

static void json_write_string(const struct json *j, const char *key, const char *text)
{
	output_text(j->out, key);
	quote_json(j->out, text);
}

static void json_write_address(const struct json *j, const char *key, uint64_t address)
{
	output_format(j->out, "%s\"0x%" PRIx64 "\"", key, address);
}

static void json_write_flag(const struct json *j, const char *key, bool yes)
{
	output_text(j->out, key);
	output_text(j->out, yes ? "true" : "false");
}

/* Begins the line of an array's next record. */
static void json_begin_record(const struct json *j, bool first)
{
	output_text(j->out, first ? "\n{" : ",\n{");
}

static void json_write_program(const struct json *j)
{
	const struct program *program = j->e->a->program;

	json_write_string(j, "\"program\":{\"path\":", program->path);
	if (j->e->mapping.build_id)
		json_write_string(j, ",\"build_id\":", j->e->mapping.build_id);
	output_format(j->out, ",\"pointer_bits\":%u,\"byte_order\":\"%s\"},\n",
		      8 * program->target.ptr_size, program->target.big_endian ? "big" : "little");
}

static void json_write_files(const struct json *j)
{
	const struct profile *prof = j->e->a->profile;

	output_text(j->out, "\"files\":[");
	for (size_t i = 0; i < prof->files.n; i++) {
		const struct profile_file *file = &prof->files.at[i];

		json_begin_record(j, i == 0);
		json_write_string(j, "\"name\":", file->name);
		json_write_number(j, ",\"version\":", file->version);
		json_write_number(j, ",\"histograms\":", file->nhists);
		json_write_number(j, ",\"arcs\":", file->narcs);
		json_write_number(j, ",\"blocks\":", file->nblocks);
		output_char(j->out, '}');
	}
	output_text(j->out, "\n],\n\"histograms\":[");
	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];

		json_begin_record(j, i == 0);
		json_write_address(j, "\"low\":", hist->lo);
		json_write_address(j, ",\"high\":", hist->hi);
		json_write_number(j, ",\"bins\":", hist->nbins);
		output_char(j->out, '}');
	}
	output_text(j->out, "\n],\n");
}

static void json_write_unit(const struct json *j)
{
	const struct export_view *e = j->e;
	const struct unit *unit = &e->a->profile->unit;
	bool samples = e->a->profile->has_hists;

	json_write_string(
		j, "\"unit\":{\"time\":", e->integer_costs->timed ? "nanoseconds" : "samples");
	if (samples) {
		json_write_number(j, ",\"rate\":", unit->rate);
		json_write_string(j, ",\"dimension\":", unit->dimension);
	}
	if (e->a->stacks && e->a->stacks->clock.kind != 0)
		json_write_string(j, ",\"clock\":", export_clock(e));
	if (samples && e->integer_costs->timed)
		output_format(j->out, ",\"period\":%.9g", e->integer_costs->per_tick);
	output_text(j->out, "},\n");
}

static void json_write_totals(const struct json *j)
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
	json_write_number(j, "\"totals\":{\"time\":", e->integer_costs->total);
	json_write_number(j, ",\"samples\":", e->integer_costs->nsamples);
	if (e->integer_costs->waiting)
		json_write_number(j, ",\"waiting\":", e->integer_costs->total_waiting);
	json_write_number(j, ",\"calls\":", ncalls);
	json_write_flag(j, ",\"calls_counted\":", e->integer_costs->has_calls);
	json_write_number(j, ",\"symbols\":", e->integer_costs->nlisted);
	json_write_number(j, ",\"arcs\":", narcs);
	json_write_number(j, ",\"cycles\":", e->a->cycles.ncycles);
	output_text(j->out, "},\n");
}

static void json_write_ranges(const struct json *j, sym_id s)
{
	struct export_range self = export_self_range(j->e, s);
	struct export_range inclusive = export_inclusive_range(j->e, s);

	json_write_number(j, ",\"low\":", self.low);
	json_write_number(j, ",\"high\":", self.high);
	json_write_number(j, ",\"inclusive_low\":", inclusive.low);
	json_write_number(j, ",\"inclusive_high\":", inclusive.high);
}

static void json_write_symbol(const struct json *j, sym_id s)
{
	const struct export_view *e = j->e;
	const struct sym *sym = &e->a->program->symtab.sym[s];
	const struct location *loc = &e->locations[s];

	json_write_number(j, "\"id\":", j->index[s]);
	json_write_string(j, ",\"name\":", e->name[s]);
	json_write_string(j, ",\"linker_name\":", sym->name);
	json_write_address(j, ",\"address\":", export_address(e, s));
	json_write_number(
		j, ",\"size\":", sym->flags & (SYM_WHOLE | SYM_INLINED) ? 0 : sym->hi - sym->lo);
	if (export_module(e, s) != RECORDED_NONE)
		json_write_number(j, ",\"module\":", export_module(e, s));
	if (loc->file) {
		json_write_string(j, ",\"file\":", loc->file);
		json_write_number(j, ",\"line\":", loc->line);
	}
	json_write_flag(j, ",\"static\":", sym->flags & SYM_STATIC);
	json_write_number(j, ",\"self\":", e->integer_costs->self[s]);
	json_write_number(j, ",\"samples\":", e->integer_costs->samples[s]);
	json_write_number(
		j, ",\"error\":", integer_costs_error(e->integer_costs, e->a->ticks.self[s]));
	json_write_number(
		j, ",\"children\":", e->integer_costs->inclusive[s] - e->integer_costs->self[s]);
	json_write_number(j, ",\"inclusive\":", e->integer_costs->inclusive[s]);
	if (e->integer_costs->waiting)
		json_write_number(j, ",\"waiting\":", e->integer_costs->waiting[s]);
	json_write_number(j, ",\"calls\":", e->a->calls.outer[s]);
	json_write_number(j, ",\"recursive_calls\":", e->a->calls.self[s]);
	if (e->a->cycles.of_node[s] != 0)
		json_write_number(j, ",\"cycle\":", e->a->cycles.of_node[s]);
	if (e->a->confidence.level > 0.0)
		json_write_ranges(j, s);
	output_char(j->out, '}');
}

static void json_write_symbols(const struct json *j)
{
	const struct export_view *e = j->e;

	json_write_flag(j, "\"by_line\":", false);
	if (e->a->confidence.level > 0.0)
		output_format(j->out, ",\"level\":%g", e->a->confidence.level);
	if (e->a->confidence.nfiles > 0)
		output_format(j->out, ",\"runs\":%" PRIu32 ",\"excess\":%.3g",
			      e->a->confidence.nfiles, e->a->confidence.excess);
	output_text(j->out, ",\n\"symbols\":[");
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		json_begin_record(j, i == 0);
		json_write_symbol(j, e->integer_costs->listed[i]);
	}
	output_text(j->out, "\n],\n");
}

static void json_write_arcs(const struct json *j)
{
	const struct graph *g = &j->e->a->graph;
	bool first = true;

	output_text(j->out, "\"arcs\":[");
	for (uint32_t i = 0; i < g->narcs; i++) {
		const struct arc *arc = &g->arc[i];

		if (!export_has_arc(j->e, i))
			continue;
		json_begin_record(j, first);
		first = false;
		json_write_number(j, "\"from\":", j->index[arc->from]);
		json_write_number(j, ",\"to\":", j->index[arc->to]);
		json_write_number(j, ",\"calls\":", arc->ncalls);
		json_write_number(j, ",\"time\":", j->e->integer_costs->arc[i]);
		if (j->e->trees)
			json_write_number(j, ",\"of_callee\":", j->e->integer_costs->up[i]);
		output_char(j->out, '}');
	}
	output_text(j->out, "\n],\n");
}

/* The frames of code in s, the innermost first. */
static void json_write_frames(const struct json *j, uint32_t frame, sym_id s)
{
	const struct export_view *e = j->e;
	bool first = true;

	output_text(j->out, ",\"frames\":[");
	for (; frame != FRAME_LAST; frame = e->places->frame[frame].caller) {
		const struct source_frame *at = &e->places->frame[frame];

		json_write_string(j, first ? "{\"function\":" : ",{\"function\":",
				  export_function(e, at, s, e->name));
		if (at->file) {
			json_write_string(j, ",\"file\":", at->file);
			json_write_number(j, ",\"line\":", at->line);
		}
		output_char(j->out, '}');
		first = false;
	}
	output_text(j->out, "]}");
}

static void json_write_lines(const struct json *j)
{
	const struct export_lines lines = export_lines(j->e, j->e->mem);

	output_text(j->out, ",\n\"lines\":[");
	for (uint32_t i = 0; i < lines.n; i++) {
		const struct export_line *line = &lines.at[i];

		json_begin_record(j, i == 0);
		json_write_number(j, "\"symbol\":", j->index[line->symbol]);
		json_write_number(j, ",\"self\":", line->self);
		json_write_number(j, ",\"samples\":", line->samples);
		json_write_frames(j, line->frame, line->symbol);
	}
	output_text(j->out, "\n]");
}

static void json_write_call_sites(const struct json *j)
{
	const struct graph *g = &j->e->a->graph;
	const struct line_costs *places = j->e->places;
	uint64_t arc = 0;
	bool first = true;

	output_text(j->out, ",\n\"call_sites\":[");
	for (uint32_t i = 0; i < g->narcs; i++) {
		if (!export_has_arc(j->e, i))
			continue;
		for (uint32_t c = places->arc_start[i]; c < places->arc_start[i + 1]; c++) {
			json_begin_record(j, first);
			first = false;
			json_write_number(j, "\"arc\":", arc);
			json_write_address(j, ",\"address\":",
					   export_pc(j->e, g->arc[i].from, places->call[c].pc));
			json_write_number(j, ",\"calls\":", places->call[c].ncalls);
			json_write_number(j, ",\"time\":", places->call[c].time);
			json_write_frames(j, places->call[c].frame, g->arc[i].from);
		}
		arc++;
	}
	output_text(j->out, "\n]");
}

static void json_write_cycle(const struct json *j, uint32_t cycle)
{
	const struct export_view *e = j->e;
	uint32_t node = e->a->graph.nnodes + cycle - 1;
	uint64_t self = export_self(e, node);
	bool first = true;

	json_write_number(j, "\"cycle\":", cycle);
	json_write_number(j, ",\"self\":", self);
	json_write_number(j, ",\"children\":", e->integer_costs->inclusive[node] - self);
	json_write_number(j, ",\"calls\":", e->a->calls.outer[node]);
	json_write_number(j, ",\"internal_calls\":", e->a->calls.self[node]);
	output_text(j->out, ",\"members\":[");
	for (uint32_t i = e->a->cycles.start[cycle - 1]; i < e->a->cycles.start[cycle]; i++) {
		sym_id member = e->a->cycles.member[i];

		if (!e->name[member])
			continue;
		json_write_number(j, first ? "" : ",", j->index[member]);
		first = false;
	}
	output_text(j->out, "]}");
}

static void json_write_modules(const struct json *j)
{
	const struct recorded *r = j->e->a->program->address_space->recorded;

	output_text(j->out, ",\n\"modules\":[");
	for (size_t i = 0; i < r->modules.n; i++) {
		const struct module *module = &r->modules.at[i];

		json_begin_record(j, i == 0);
		json_write_string(j, "\"path\":", module->path);
		json_write_address(j, ",\"low\":", module->lo);
		json_write_address(j, ",\"high\":", module->hi);
		json_write_address(j, ",\"bias\":", module->bias);
		if (module->build_id_bytes > 0)
			json_write_string(j, ",\"build_id\":", module_build_id(module, j->e->mem));
		output_char(j->out, '}');
	}
	output_text(j->out, "\n]");
}

static void json_write_threads(const struct json *j)
{
	const struct call_trees *trees = j->e->trees;

	output_text(j->out, ",\n\"threads\":[");
	for (uint32_t i = 0; i < trees->nthreads; i++) {
		const struct thread_trees *of = &trees->thread[i];
		const struct recorded_thread *thread = &trees->recorded->threads.at[of->thread];

		json_begin_record(j, i == 0);
		json_write_string(j, "\"name\":", thread->name);
		json_write_number(j, ",\"tid\":", thread->tid);
		json_write_number(j, ",\"cpu_ns\":", thread->cpu_ns);
		json_write_number(j, ",\"samples\":", of->functions.samples);
		json_write_number(j, ",\"time\":", of->functions.total - of->functions.waiting);
		if (j->e->integer_costs->waiting)
			json_write_number(j, ",\"waiting\":", of->functions.waiting);
		if (thread->life_ns > 0) {
			json_write_number(j, ",\"runnable_ns\":", thread->runnable_ns);
			json_write_number(j, ",\"life_ns\":", thread->life_ns);
		}
		output_char(j->out, '}');
	}
	output_text(j->out, "\n]");
}

/* What is known of times from call stacks. */
static void json_write_recording(const struct json *j)
{
	json_write_flag(j, ",\n\"measured\":", j->e->trees);
	if (j->e->a->program->address_space)
		json_write_modules(j);
	if (!j->e->trees)
		return;
	json_write_threads(j);
}

static void json_write(const struct export_view *e, struct output *out)
{
	struct json j = {
		.e = e,
		.out = out,
		.index = arena_array(e->mem, uint32_t, e->a->graph.nnodes),
	};

	if (e->difference) {
		diffjson_write(e, out);
		return;
	}
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++)
		j.index[e->integer_costs->listed[i]] = i;
	output_format(out, "{\"format\":\"gprof\",\"version\":%d,\"generator\":\"%s\",\n",
		      SCHEMA_VERSION, PACKAGE_STRING);
	json_write_program(&j);
	json_write_files(&j);
	json_write_unit(&j);
	json_write_totals(&j);
	json_write_symbols(&j);
	json_write_arcs(&j);
	output_text(out, "\"cycles\":[");
	for (uint32_t cycle = 1; cycle <= e->a->cycles.ncycles; cycle++) {
		json_begin_record(&j, cycle == 1);
		json_write_cycle(&j, cycle);
	}
	output_text(out, "\n]");
	json_write_lines(&j);
	json_write_call_sites(&j);
	json_write_recording(&j);
	output_text(out, "}\n");
}

const struct exporter export_json = {
	.compares = true,
	.write = json_write,
};

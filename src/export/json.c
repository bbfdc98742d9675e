/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All values of the reports for programs to read: JSON with a line for each record.
 * doc/export-json.md defines its meaning and doc/export-schema.json its form: a change here needs a
 * change there. A change that breaks readers of older versions needs a new SCHEMA_VERSION. Linear
 * in functions and arcs.
 */
#include "config.h"

#include "export/diffjson.h"
#include "export/export_view.h"
#include "export/topjson.h"

#include "base/json.h"
#include "model/integer_costs.h"

#include <inttypes.h>

enum { SCHEMA_VERSION = 1 };

struct json_export {
	const struct export_view *e;
	struct json *to;
	uint32_t *index; /* index of each listed symbol */
};

static void json_write_address(const struct json_export *j, const char *key, uint64_t address)
{
	json_format(j->to, key, "\"0x%" PRIx64 "\"", address);
}

static void json_write_program(const struct json_export *j)
{
	const struct program *program = j->e->a->program;

	json_begin_object(json_line(j->to), "program");
	json_string(j->to, "path", program->path);
	if (j->e->mapping.build_id)
		json_string(j->to, "build_id", j->e->mapping.build_id);
	json_uint(j->to, "pointer_bits", 8 * program->target.ptr_size);
	json_string(j->to, "byte_order", program->target.big_endian ? "big" : "little");
	json_end(j->to);
}

static void json_write_files(const struct json_export *j)
{
	const struct profile *prof = j->e->a->profile;

	json_begin_array(json_line(j->to), "files");
	for (size_t i = 0; i < prof->files.n; i++) {
		const struct profile_file *file = &prof->files.at[i];

		json_begin_object(json_line(j->to), NULL);
		json_string(j->to, "name", file->name);
		json_exact(j->to, "version", file->version);
		json_exact(j->to, "histograms", file->nhists);
		json_exact(j->to, "arcs", file->narcs);
		json_exact(j->to, "blocks", file->nblocks);
		json_end(j->to);
	}
	json_end(json_line(j->to));
	json_begin_array(json_line(j->to), "histograms");
	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];

		json_begin_object(json_line(j->to), NULL);
		json_write_address(j, "low", hist->lo);
		json_write_address(j, "high", hist->hi);
		json_exact(j->to, "bins", hist->nbins);
		json_end(j->to);
	}
	json_end(json_line(j->to));
}

static void json_write_unit(const struct json_export *j)
{
	const struct export_view *e = j->e;
	const struct unit *unit = &e->a->profile->unit;
	bool samples = e->a->profile->has_hists;

	json_begin_object(json_line(j->to), "unit");
	json_string(j->to, "time", e->integer_costs->timed ? "nanoseconds" : "samples");
	if (samples) {
		json_exact(j->to, "rate", unit->rate);
		json_string(j->to, "dimension", unit->dimension);
	}
	if (e->a->costs.origin.clock.kind != 0)
		json_string(j->to, "clock", export_clock(e));
	if (samples && e->integer_costs->timed)
		json_format(j->to, "period", "%.9g", e->integer_costs->per_tick);
	json_end(j->to);
}

static void json_write_totals(const struct json_export *j)
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
	json_begin_object(json_line(j->to), "totals");
	json_exact(j->to, "time", e->integer_costs->total);
	json_exact(j->to, "samples", e->integer_costs->nsamples);
	if (e->integer_costs->waiting)
		json_exact(j->to, "waiting", e->integer_costs->total_waiting);
	json_exact(j->to, "calls", ncalls);
	json_bool(j->to, "calls_counted", e->integer_costs->has_calls);
	json_exact(j->to, "symbols", e->integer_costs->nlisted);
	json_exact(j->to, "arcs", narcs);
	json_exact(j->to, "cycles", e->a->cycles.ncycles);
	json_end(j->to);
}

static void json_write_ranges(const struct json_export *j, sym_id s)
{
	struct export_range self = export_self_range(j->e, s);
	struct export_range inclusive = export_inclusive_range(j->e, s);

	json_exact(j->to, "low", self.low);
	json_exact(j->to, "high", self.high);
	json_exact(j->to, "inclusive_low", inclusive.low);
	json_exact(j->to, "inclusive_high", inclusive.high);
}

static void json_write_symbol(const struct json_export *j, sym_id s)
{
	const struct export_view *e = j->e;
	const struct sym *sym = &e->a->program->symtab.sym[s];
	const struct location *loc = &e->locations[s];

	json_exact(j->to, "id", j->index[s]);
	json_string(j->to, "name", e->name[s]);
	json_string(j->to, "linker_name", sym->name);
	json_write_address(j, "address", export_address(e, s));
	json_exact(j->to, "size", sym->flags & (SYM_WHOLE | SYM_INLINED) ? 0 : sym->hi - sym->lo);
	if (export_module(e, s) != RECORDED_NONE)
		json_exact(j->to, "module", export_module(e, s));
	if (loc->file) {
		json_string(j->to, "file", loc->file);
		json_exact(j->to, "line", loc->line);
	}
	json_bool(j->to, "static", sym->flags & SYM_STATIC);
	json_exact(j->to, "self", e->integer_costs->self[s]);
	json_exact(j->to, "samples", e->integer_costs->samples[s]);
	json_exact(j->to, "error", integer_costs_error(e->integer_costs, e->a->costs.self[s]));
	json_exact(j->to, "children", e->integer_costs->inclusive[s] - e->integer_costs->self[s]);
	json_exact(j->to, "inclusive", e->integer_costs->inclusive[s]);
	if (e->integer_costs->waiting)
		json_exact(j->to, "waiting", e->integer_costs->waiting[s]);
	if (e->integer_costs->waiting_error)
		json_exact(j->to, "waiting_error", e->integer_costs->waiting_error[s]);
	json_exact(j->to, "calls", e->a->costs.calls.outer[s]);
	json_exact(j->to, "recursive_calls", e->a->costs.calls.self[s]);
	if (costs_may_have_more(&e->a->costs.calls, s))
		json_bool(j->to, "calls_at_least", true);
	if (e->a->cycles.of_node[s] != 0)
		json_exact(j->to, "cycle", e->a->cycles.of_node[s]);
	if (e->a->confidence.level > 0.0)
		json_write_ranges(j, s);
	json_end(j->to);
}

static void json_write_symbols(const struct json_export *j)
{
	const struct export_view *e = j->e;

	json_bool(json_line(j->to), "by_line", false);
	if (e->a->confidence.level > 0.0)
		json_format(j->to, "level", "%g", e->a->confidence.level);
	if (e->a->confidence.nfiles > 0) {
		json_uint(j->to, "runs", e->a->confidence.nfiles);
		json_format(j->to, "excess", "%.3g", e->a->confidence.excess);
	}
	json_begin_array(json_line(j->to), "symbols");
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		json_begin_object(json_line(j->to), NULL);
		json_write_symbol(j, e->integer_costs->listed[i]);
	}
	json_end(json_line(j->to));
}

static void json_write_arcs(const struct json_export *j)
{
	const struct graph *g = &j->e->a->graph;

	json_begin_array(json_line(j->to), "arcs");
	for (uint32_t i = 0; i < g->narcs; i++) {
		const struct arc *arc = &g->arc[i];

		if (!export_has_arc(j->e, i))
			continue;
		json_begin_object(json_line(j->to), NULL);
		json_exact(j->to, "from", j->index[arc->from]);
		json_exact(j->to, "to", j->index[arc->to]);
		json_exact(j->to, "calls", arc->ncalls);
		json_exact(j->to, "time", j->e->integer_costs->arc[i]);
		if (j->e->integer_costs->up != j->e->integer_costs->arc)
			json_exact(j->to, "of_callee", j->e->integer_costs->up[i]);
		json_end(j->to);
	}
	json_end(json_line(j->to));
}

/* Writes the frames of code in s, the innermost first. */
static void json_write_frames(const struct json_export *j, uint32_t frame, sym_id s)
{
	const struct export_view *e = j->e;

	json_begin_array(j->to, "frames");
	for (; frame != FRAME_LAST; frame = e->line_costs->frame[frame].caller) {
		const struct source_frame *at = &e->line_costs->frame[frame];

		json_begin_object(j->to, NULL);
		json_string(j->to, "function", export_function(e, at, s, e->name));
		if (at->file) {
			json_string(j->to, "file", at->file);
			json_exact(j->to, "line", at->line);
		}
		json_end(j->to);
	}
	json_end(j->to);
	json_end(j->to);
}

static void json_write_lines(const struct json_export *j)
{
	const struct export_lines lines = export_lines(j->e, j->e->mem);

	json_begin_array(json_line(j->to), "lines");
	for (uint32_t i = 0; i < lines.n; i++) {
		const struct export_line *line = &lines.at[i];

		json_begin_object(json_line(j->to), NULL);
		json_exact(j->to, "symbol", j->index[line->symbol]);
		json_exact(j->to, "self", line->self);
		json_exact(j->to, "samples", line->samples);
		json_write_frames(j, line->frame, line->symbol);
	}
	json_end(json_line(j->to));
}

static void json_write_call_sites(const struct json_export *j)
{
	const struct graph *g = &j->e->a->graph;
	const struct line_costs *costs = j->e->line_costs;
	uint64_t arc = 0;

	json_begin_array(json_line(j->to), "call_sites");
	for (uint32_t i = 0; i < g->narcs; i++) {
		if (!export_has_arc(j->e, i))
			continue;
		for (uint32_t c = costs->arc_start[i]; c < costs->arc_start[i + 1]; c++) {
			json_begin_object(json_line(j->to), NULL);
			json_exact(j->to, "arc", arc);
			json_write_address(j, "address",
					   export_pc(j->e, g->arc[i].from, costs->call[c].pc));
			json_exact(j->to, "calls", costs->call[c].ncalls);
			json_exact(j->to, "time", costs->call[c].time);
			json_write_frames(j, costs->call[c].frame, g->arc[i].from);
		}
		arc++;
	}
	json_end(json_line(j->to));
}

static void json_write_cycle(const struct json_export *j, uint32_t cycle)
{
	const struct export_view *e = j->e;
	uint32_t node = e->a->graph.nnodes + cycle - 1;
	uint64_t self = export_self(e, node);

	json_exact(j->to, "cycle", cycle);
	json_exact(j->to, "self", self);
	json_exact(j->to, "children", e->integer_costs->inclusive[node] - self);
	json_exact(j->to, "calls", e->a->costs.calls.outer[node]);
	json_exact(j->to, "internal_calls", e->a->costs.calls.self[node]);
	if (costs_may_have_more(&e->a->costs.calls, node))
		json_bool(j->to, "calls_at_least", true);
	json_begin_array(j->to, "members");
	for (uint32_t i = e->a->cycles.start[cycle - 1]; i < e->a->cycles.start[cycle]; i++) {
		sym_id member = e->a->cycles.member[i];

		if (!e->name[member])
			continue;
		json_exact(j->to, NULL, j->index[member]);
	}
	json_end(j->to);
	json_end(j->to);
}

static void json_write_modules(const struct json_export *j)
{
	const struct recorded *r = j->e->a->program->address_space->recorded;

	json_begin_array(json_line(j->to), "modules");
	for (size_t i = 0; i < r->modules.n; i++) {
		const struct module *module = &r->modules.at[i];

		json_begin_object(json_line(j->to), NULL);
		json_string(j->to, "path", module->path);
		json_write_address(j, "low", module->lo);
		json_write_address(j, "high", module->hi);
		json_write_address(j, "bias", module->bias);
		if (module->build_id_bytes > 0)
			json_string(j->to, "build_id", recorded_module_build_id(module, j->e->mem));
		json_end(j->to);
	}
	json_end(json_line(j->to));
}

static void json_write_threads(const struct json_export *j)
{
	const struct call_trees *trees = j->e->trees;

	json_begin_array(json_line(j->to), "threads");
	for (uint32_t i = 0; i < trees->nthreads; i++) {
		const struct thread_trees *of = &trees->thread[i];
		const struct recorded_thread *thread = &trees->recorded->threads.at[of->thread];

		json_begin_object(json_line(j->to), NULL);
		json_string(j->to, "name", recorded_thread_called(thread));
		json_exact(j->to, "tid", thread->tid);
		json_exact(j->to, "cpu_ns", thread->cpu_ns);
		json_exact(j->to, "samples", of->functions.samples);
		json_exact(j->to, "time", of->functions.total - of->functions.waiting);
		if (j->e->integer_costs->waiting)
			json_exact(j->to, "waiting", of->functions.waiting);
		if (thread->life_ns > 0) {
			json_exact(j->to, "runnable_ns", thread->runnable_ns);
			json_exact(j->to, "life_ns", thread->life_ns);
		}
		json_end(j->to);
	}
	json_end(json_line(j->to));
}

/* Writes a place: function, file and line, as far as they are known. */
static void json_write_place(const struct json_export *j, const char *key,
			     const struct blame_place *place)
{
	if (place->function == SYM_NONE)
		return;
	json_begin_object(j->to, key);
	json_string(j->to, "function", export_any_name(j->e, place->function));
	if (place->line.file) {
		json_string(j->to, "file", place->line.file);
		json_exact(j->to, "line", place->line.line);
	}
	json_end(j->to);
}

static void json_write_lock(const struct json_export *j, const struct blame_lock *lock)
{
	if (lock->name)
		json_string(j->to, "lock", lock->name);
	else
		json_write_place(j, "first_waited_in", &lock->first);
	if (lock->n > 0)
		json_exact(j->to, "locks", lock->n);
	if (lock->address != 0)
		json_write_address(j, "lock_address", lock->address);
}

static void json_write_blame(const struct json_export *j)
{
	const struct blame *blame = j->e->blame;

	json_exact(json_line(j->to), "waited_without_owner_ns", blame_rest_ns(blame));
	json_begin_array(json_line(j->to), "blame");
	for (uint32_t i = 0; i < blame->nrows; i++) {
		const struct blame_row *row = &blame->row[i];

		for (uint32_t k = 0; k < row->nwaits; k++) {
			const struct blame_wait *wait = &row->wait[k];

			json_begin_object(json_line(j->to), NULL);
			json_write_place(j, wait->end == BLAME_WOKEN ? "waker" : "holder",
					 &row->holder);
			if (wait->end != BLAME_LOCK)
				json_bool(j->to, "woken", wait->end == BLAME_WOKEN);
			json_write_place(j, "waiter", &wait->waiter);
			json_write_lock(j, &wait->lock);
			json_exact(j->to, "waited_ns",
				   (uint64_t)(wait->ticks / blame->rate * 1e9 + 0.5));
			json_end(j->to);
		}
	}
	json_end(json_line(j->to));
	json_begin_array(json_line(j->to), "deadlocks");
	for (uint32_t i = 0; i < blame->ndeadlocks; i++) {
		const struct blame_deadlock *deadlock = &blame->deadlock[i];

		json_begin_object(json_line(j->to), NULL);
		json_write_place(j, "waiter", &deadlock->waiter);
		json_write_lock(j, &deadlock->lock);
		json_write_place(j, "holder", &deadlock->holder);
		json_end(j->to);
	}
	json_end(json_line(j->to));
}

/* Writes properties of times recorded with call stacks. */
static void json_write_recording(const struct json_export *j)
{
	bool measured = j->e->a->costs.origin.measured;

	json_bool(json_line(j->to), "measured", measured);
	if (j->e->a->program->address_space)
		json_write_modules(j);
	if (measured)
		json_write_threads(j);
}

static void json_write(const struct export_view *e, struct output *out)
{
	struct json to = { .out = out };
	struct json_export j = {
		.e = e,
		.to = &to,
		.index = arena_array(e->mem, uint32_t, e->a->graph.nnodes),
	};

	if (e->difference) {
		diffjson_write(e, out);
		return;
	}
	if (e->request->value[EXPORT_JSON_ROWS].given) {
		topjson_write(e, e->request->value[EXPORT_JSON_ROWS].count, out);
		return;
	}
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++)
		j.index[e->integer_costs->listed[i]] = i;
	json_begin_object(&to, NULL);
	json_string(&to, "format", "gprof");
	json_uint(&to, "version", SCHEMA_VERSION);
	json_string(&to, "generator", PACKAGE_STRING);
	json_write_program(&j);
	json_write_files(&j);
	json_write_unit(&j);
	json_write_totals(&j);
	json_write_symbols(&j);
	json_write_arcs(&j);
	json_begin_array(json_line(&to), "cycles");
	for (uint32_t cycle = 1; cycle <= e->a->cycles.ncycles; cycle++) {
		json_begin_object(json_line(&to), NULL);
		json_write_cycle(&j, cycle);
	}
	json_end(json_line(&to));
	json_write_lines(&j);
	json_write_call_sites(&j);
	json_write_recording(&j);
	if (e->blame)
		json_write_blame(&j);
	json_end(&to);
	output_char(out, '\n');
}

static bool json_wants_lines(const struct export_request *request)
{
	return !request->value[EXPORT_JSON_ROWS].given;
}

const struct exporter export_json = {
	.compares = true,
	.wants_lines = json_wants_lines,
	.write = json_write,
};

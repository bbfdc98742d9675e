/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pprof's profile.proto, compressed. It has two kinds of samples: call paths with time, recorded
 * with their threads or estimated, and a sample for each call site: its caller and callee with the
 * number of calls, as recorded. So the calls of a sample are calls of its innermost function, and
 * their sum is that of the profile.
 *
 * A location is an address that was sampled or called from, with its line and, where functions are
 * inlined, a line in each of them. pprof has one file per function, so a function with code from
 * several files, as with macros, is written as several of the same name. Linear in functions,
 * addresses, calls, and paths times their lengths.
 */
#include "config.h"

#include "export/export_view.h"
#include "export/pprof_file.h"
#include "export/samples.h"

#include "base/index.h"
#include "base/rounding.h"

#include <string.h>

/* Indices of a sample's values. */
enum { VALUE_SAMPLES, VALUE_CALLS, VALUE_TIME, VALUE_WAITING, NVALUES };

enum { PROGRAM_MAPPING = 1 };

/* Flag added to the number of an inlined function; without it, the number is a symbol. */
static const uint64_t inlined = UINT64_C(1) << 32;

/* The code of a function in one file. */
struct pprof_function {
	uint64_t what; /* symbol, or flagged number of an inlined function */
	uint64_t file; /* string number of the file */
	uint64_t number;
};

struct pprof {
	const struct export_view *e;
	struct pprof_file file;
	ARRAY(struct pprof_function) functions;
	struct index function_index;
	uint64_t *location; /* by sample_frame number; 0: not yet written */
	ARRAY(struct pprof_line)
	lines;             /* of the current location */
	uint64_t *mapping; /* mapping of each module that is on stacks, the program excluded */
	uint64_t *path;
};

/* Returns how many values a sample has; values without a type are last. */
static uint32_t pprof_nvalues(const struct export_view *e)
{
	return !e->integer_costs->timed    ? VALUE_TIME
	       : e->integer_costs->waiting ? NVALUES
					   : VALUE_WAITING;
}

/* Returns the string number of the name of what was measured. */
static uint64_t pprof_measured(struct pprof *p)
{
	const struct export_view *e = p->e;
	const char *clock = export_clock(e);

	if (!e->integer_costs->timed)
		return strcmp(e->integer_costs->counted, "samples") == 0
			       ? PPROF_SAMPLES
			       : pprof_file_string(&p->file, e->integer_costs->counted);
	return strcmp(clock, "cpu") == 0 ? PPROF_CPU : pprof_file_string(&p->file, clock);
}

static void pprof_write_types(struct pprof *p)
{
	const struct export_view *e = p->e;
	struct pprof_file *f = &p->file;
	bool timed = e->integer_costs->timed;
	uint64_t of = pprof_measured(p);

	pprof_file_type(f, PPROF_SAMPLE_TYPE, timed ? PPROF_SAMPLES : of, PPROF_COUNT);
	pprof_file_type(f, PPROF_SAMPLE_TYPE, PPROF_CALLS, PPROF_COUNT);
	if (timed)
		pprof_file_type(f, PPROF_SAMPLE_TYPE, of, PPROF_NANOSECONDS);
	if (e->integer_costs->waiting)
		pprof_file_type(f, PPROF_SAMPLE_TYPE, pprof_file_string(f, RECORDED_WAITING_KIND),
				PPROF_NANOSECONDS);
	if (e->integer_costs->nsamples == 0)
		pprof_file_number(f, PPROF_DEFAULT_TYPE, PPROF_CALLS);
	else
		pprof_file_number(f, PPROF_DEFAULT_TYPE, of);
	if (!e->a->profile->has_hists)
		return;
	pprof_file_type(f, PPROF_PERIOD_TYPE, of, timed ? PPROF_NANOSECONDS : PPROF_COUNT);
	pprof_file_number(f, PPROF_PERIOD, (uint64_t)(e->integer_costs->per_tick + 0.5));
}

static void pprof_write_comments(struct pprof *p)
{
	struct pprof_file *f = &p->file;

	pprof_file_comment(f, "written by " PACKAGE_STRING);
	if (p->e->stacks->estimated)
		pprof_file_comment(
			f, "call paths of samples and cpu are " EXPORT_MARK
			   ": every call of a function is taken to last equally long; which "
			   "line of a function goes with which path is not known");
	pprof_file_comment(f, "calls are as recorded, each with its caller alone");
}

static bool pprof_is_program(const struct pprof *p, uint32_t module)
{
	return module == RECORDED_NONE || module == p->e->a->program->address_space->own;
}

/*
 * Writes the mappings other than the program, by run-time address. Their offsets are approximate:
 * the file offset of code is mostly its link-time address.
 */
static void pprof_write_modules(struct pprof *p)
{
	const struct recorded *recorded = p->e->a->program->address_space->recorded;
	struct bitset modules = export_modules(p->e);
	uint64_t id = PROGRAM_MAPPING;

	p->mapping = arena_array(p->e->mem, uint64_t, recorded->modules.n);
	for (uint32_t m = 0; m < recorded->modules.n; m++) {
		const struct module *module = &recorded->modules.at[m];

		if (!bitset_has(modules, m))
			continue;
		p->mapping[m] = ++id;
		pprof_file_mapping(&p->file, id,
				   &(struct pprof_mapping){
					   .lo = module->lo,
					   .hi = module->hi,
					   .offset = module->lo - module->bias,
					   .path = module->path,
					   .build_id = recorded_module_build_id(module, p->e->mem),
				   });
	}
}

static void pprof_write_mappings(struct pprof *p)
{
	const struct export_view *e = p->e;
	struct pprof_mapping mapping = { .lo = e->mapping.lo,
					 .hi = e->mapping.hi,
					 .offset = e->mapping.offset,
					 .path = e->a->program->path,
					 .build_id = e->mapping.build_id };

	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++)
		mapping.has_lines =
			mapping.has_lines || e->locations[e->integer_costs->listed[i]].file;
	pprof_file_mapping(&p->file, PROGRAM_MAPPING, &mapping);
	if (e->a->program->address_space)
		pprof_write_modules(p);
}

INDEX_KEY(pprof_function_key, struct pprof_function, x->what, x->file)

/*
 * Returns the number of the function for the code of s in `file`. Writes the function if it is new.
 */
static uint64_t pprof_function(struct pprof *p, const struct source_frame *frame, sym_id s,
			       const char *file)
{
	const struct export_view *e = p->e;
	bool own = frame->function == FRAME_OWN;
	struct pprof_function f = { own ? s : inlined | frame->function,
				    pprof_file_name(&p->file, file), 0 };
	unsigned line =
		own && e->locations[s].file && file && strcmp(file, e->locations[s].file) == 0
			? e->locations[s].line
			: 0;
	size_t n = p->functions.n;
	uint32_t place =
		index_intern(&p->function_index, &p->functions, &f, pprof_function_key, e->mem);

	if (place == n)
		p->functions.at[place].number =
			pprof_file_function(&p->file, export_function(e, frame, s, e->unique),
					    own ? e->a->program->symtab.sym[s].name
						: e->line_costs->inlined[frame->function],
					    f.file, line);
	return p->functions.at[place].number;
}

static void pprof_add_line(struct pprof *p, const struct source_frame *frame, sym_id s)
{
	const struct location *loc = &p->e->locations[s];
	const char *file = frame->file ? frame->file : loc->file;
	uint64_t function = pprof_function(p, frame, s, file);

	array_push(p->e->mem, &p->lines) = (struct pprof_line){ function, frame->line };
}

/* Returns the mapping of a frame; 0: it has none. */
static uint64_t pprof_mapping(const struct pprof *p, const struct sample_frame *at)
{
	const struct sym *sym = p->e->a->program->symtab.sym;

	if (at->symbol == STACKS_REST)
		return 0;
	if (!symtab_is_elsewhere(&sym[at->symbol]))
		return PROGRAM_MAPPING;
	return pprof_is_program(p, at->module) ? 0 : p->mapping[at->module];
}

/* Returns the address of a frame in its mapping. */
static uint64_t pprof_address(const struct pprof *p, const struct sample_frame *at)
{
	const struct module *module;

	if (pprof_mapping(p, at) <= PROGRAM_MAPPING)
		return at->pc;
	module = &p->e->a->program->address_space->recorded->modules.at[at->module];
	return at->pc == 0 ? module->lo : at->pc + module->bias;
}

/* Returns the number of a frame's location. Writes the location if it is new. */
static uint64_t pprof_location(struct pprof *p, const struct sample_frame *at)
{
	const struct export_view *e = p->e;
	uint64_t *number = &p->location[at->number];

	if (*number != 0)
		return *number;
	p->lines.n = 0;
	if (at->symbol == STACKS_REST) {
		const struct stack_node rest = { .function = STACKS_REST };
		const char *name = export_frame(e, &rest);

		array_push(e->mem, &p->lines) = (struct pprof_line){
			pprof_file_function(&p->file, name, name, PPROF_EMPTY, 0), 0
		};
	} else if (at->frame == FRAME_LAST) {
		const struct location *loc = &e->locations[at->symbol];

		pprof_add_line(p,
			       &(struct source_frame){ loc->file, loc->file ? loc->line : 0,
						       FRAME_OWN, FRAME_LAST },
			       at->symbol);
	} else {
		for (uint32_t f = at->frame; f != FRAME_LAST; f = e->line_costs->frame[f].caller)
			pprof_add_line(p, &e->line_costs->frame[f], at->symbol);
	}
	*number = pprof_file_location(&p->file, pprof_mapping(p, at), pprof_address(p, at),
				      p->lines.at, (uint32_t)p->lines.n);
	return *number;
}

/* Writes every listed function, including those only in cycles that the estimate cuts. */
static void pprof_write_functions(struct pprof *p)
{
	const struct source_frame own = { .function = FRAME_OWN, .caller = FRAME_LAST };

	for (uint32_t i = 0; i < p->e->integer_costs->nlisted; i++) {
		sym_id s = p->e->integer_costs->listed[i];

		pprof_function(p, &own, s, p->e->locations[s].file);
	}
}

/* Writes a sample; `thread` is an index in the recording, or RECORDED_NONE. */
static void pprof_write_sample(struct pprof *p, uint32_t nlocations, const uint64_t value[NVALUES],
			       uint32_t thread)
{
	struct pprof_sample sample = {
		.location = p->path,
		.value = value,
		.nlocations = nlocations,
		.nvalues = pprof_nvalues(p->e),
	};

	if (thread != RECORDED_NONE) {
		const struct recorded_thread *of = &p->e->trees->recorded->threads.at[thread];
		const char *called = recorded_thread_called(of);

		sample.thread = pprof_file_name(&p->file, *called ? called : "?");
		sample.tid = of->tid;
	}
	pprof_file_sample(&p->file, &sample);
}

static void pprof_take_path(const struct sample_path *path, void *arg)
{
	struct pprof *p = arg;
	uint64_t value[NVALUES] = { [VALUE_SAMPLES] = path->samples,
				    [VALUE_TIME] = path->self - path->waiting,
				    [VALUE_WAITING] = path->waiting };

	for (uint32_t i = 0; i < path->n; i++)
		p->path[i] = pprof_location(p, &path->frame[i]);
	pprof_write_sample(p, path->n, value, path->thread);
}

/* Returns the factor that scales counts of calls so that their sum fits into pprof's integers. */
static double pprof_calls_scale(const struct export_view *e)
{
	const struct graph *g = &e->a->graph;
	double sum = 0.0;

	for (uint32_t i = 0; i < g->narcs; i++)
		sum += export_has_arc(e, i) ? (double)g->arc[i].ncalls : 0.0;
	return sum < (double)INT64_MAX ? 1.0 : (double)INT64_MAX / sum;
}

static void pprof_write_calls(struct pprof *p)
{
	const struct export_view *e = p->e;
	const struct graph *g = &e->a->graph;
	const uint32_t *start = e->line_costs->arc_start;
	struct rounding part = { .scale = pprof_calls_scale(e) };
	uint32_t *listed = arena_array(e->mem, uint32_t, g->nnodes);

	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++)
		listed[e->integer_costs->listed[i]] = i;
	if (part.scale < 1.0)
		pprof_file_comment(&p->file, "calls are scaled: their sum is beyond what this "
					     "format can hold");
	for (uint32_t i = 0; i < g->narcs; i++) {
		struct sample_frame to = samples_symbol(e, listed[g->arc[i].to]);

		for (uint32_t c = start[i]; export_has_arc(e, i) && c < start[i + 1]; c++) {
			struct sample_frame from = samples_call(e, c, g->arc[i].from);
			uint64_t ncalls = e->line_costs->call[c].ncalls;
			uint64_t value[NVALUES] = { [VALUE_CALLS] = ncalls };

			if (ncalls == 0)
				continue;
			if (part.scale < 1.0)
				value[VALUE_CALLS] = rounding_next(&part, (double)ncalls);
			p->path[0] = pprof_location(p, &to);
			p->path[1] = pprof_location(p, &from);
			pprof_write_sample(p, 2, value, RECORDED_NONE);
		}
	}
}

static void pprof_write(const struct export_view *e, struct output *out)
{
	struct pprof p = {
		.e = e,
		.file = pprof_file_begin(out, e->mem),
		.location = arena_array(e->mem, uint64_t, samples_numbers(e).n),
		.path = arena_array(e->mem, uint64_t, (size_t)samples_depth(e) + 1),
	};

	pprof_write_types(&p);
	pprof_write_comments(&p);
	pprof_write_mappings(&p);
	pprof_write_functions(&p);
	samples_walk(e, pprof_take_path, &p);
	pprof_write_calls(&p);
	pprof_file_end(&p.file);
}

const struct exporter export_pprof = {
	.write = pprof_write,
};

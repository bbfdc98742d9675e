/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names for the listed symbols, and numbers for their texts. */
#include "config.h"

#include "export/export_view.h"

#include "base/bitset.h"
#include "base/path.h"
#include "base/radix.h"
#include "model/symbolized.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char rest_name[] = "[not followed]";

enum { CYCLE_BYTES = 60, DOUBT_BYTES = 240, DOUBTFUL_PERCENT = 10 };

/*
 * Returns the name with the place that makes it unique: "name (file:line @ address)"; an inlined
 * function has no address.
 */
static const char *export_place_name(const struct export_view *e, sym_id s, struct arena *mem)
{
	const char *plain = e->name[s] ? e->name[s] : "";
	const struct location *loc = &e->locations[s];
	const char *file = loc->file ? path_base(loc->file) : "";
	char line[32] = "", *name;
	size_t size;

	if (loc->file)
		snprintf(line, sizeof(line), ":%u ", loc->line);
	size = strlen(plain) + strlen(file) + 64;
	name = arena_array(mem, char, size);
	if (e->a->program->symtab.sym[s].flags & SYM_INLINED) {
		if (!loc->file)
			return plain;
		snprintf(name, size, "%s%s(%s:%u)", plain, *plain ? " " : "", file, loc->line);
		return name;
	}
	snprintf(name, size, "%s%s(%s%s@ %" PRIx64 ")", plain, *plain ? " " : "", file, line,
		 export_address(e, s));
	return name;
}

/* Makes `name` and `unique` of the listed symbols. */
static void export_make_names(struct export_view *e, enum demangle_style style, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t nsyms = e->a->graph.nnodes,
		 *ids = arena_array(&scratch, uint32_t, e->integer_costs->nlisted);
	const char **name = arena_array(mem, const char *, nsyms);
	const char **unique = arena_array(mem, const char *, nsyms);
	const struct sym *sym = e->a->program->symtab.sym;

	e->name = name;
	e->unique = unique;
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		sym_id s = e->integer_costs->listed[i];

		name[s] = *sym[s].name ? demangle(sym[s].name, style, mem)
				       : export_place_name(e, s, mem);
		unique[s] = name[s];
		ids[i] = s;
	}
	radix_sort_by_name(ids, e->integer_costs->nlisted,
			   (struct name_column){ name, sizeof(*name) }, &scratch);
	for (uint32_t i = 1; i < e->integer_costs->nlisted; i++) {
		sym_id x = ids[i - 1], y = ids[i];

		if (strcmp(name[x], name[y]) != 0)
			continue;
		if (unique[x] == name[x])
			unique[x] = export_place_name(e, x, mem);
		if (unique[y] == name[y])
			unique[y] = export_place_name(e, y, mem);
	}
	arena_free(&scratch);
}

/* Makes the sentence that warns of the cycle with the most time; NULL: there is no large cycle. */
static const char *export_make_doubt(const struct analysis *a,
				     const struct integer_costs *integer_costs, struct arena *mem)
{
	uint32_t largest = 0;
	const uint64_t *time = integer_costs->inclusive + a->graph.nnodes;
	char *doubt = arena_array(mem, char, DOUBT_BYTES);
	double percent;

	if (a->cycles.ncycles == 0 || integer_costs->total == 0)
		return NULL;

	for (uint32_t c = 1; c < a->cycles.ncycles; c++)
		largest = time[c] > time[largest] ? c : largest;
	percent = 100.0 * (double)time[largest] / (double)integer_costs->total;
	if (percent <= DOUBTFUL_PERCENT)
		return NULL;
	snprintf(doubt, DOUBT_BYTES,
		 "A cycle of %" PRIu32
		 " functions has %.1f %% of the time: do not trust what calls "
		 "what here, and record call stacks instead (GMON=stacks, see libgmon(3))",
		 a->cycles.start[largest + 1] - a->cycles.start[largest], percent);
	return doubt;
}

struct export_view export_view_make(const struct view *view,
				    const struct integer_costs *integer_costs,
				    enum demangle_style style, struct arena *mem)
{
	struct export_view e = { .a = view->analysis,
				 .integer_costs = integer_costs,
				 .top = view->top,
				 .blame = view->blame,
				 .locations = view->locations,
				 .mem = mem };

	export_make_names(&e, style, mem);
	e.doubt = export_make_doubt(view->analysis, integer_costs, mem);
	return e;
}

const char *const *export_inlined_names(const struct line_costs *costs, enum demangle_style style,
					struct arena *mem)
{
	const char **names = arena_array(mem, const char *, costs ? costs->ninlined : 0);

	for (uint32_t i = 0; costs && i < costs->ninlined; i++)
		names[i] = demangle(costs->inlined[i], style, mem);
	return names;
}

static struct export_range export_range(struct interval share, double whole, uint64_t time)
{
	uint64_t low = rounding_nearest(share.low, whole),
		 high = rounding_nearest(share.high, whole);

	return (struct export_range){ low < time ? low : time, high > time ? high : time };
}

struct export_range export_self_range(const struct export_view *e, sym_id s)
{
	const struct analysis *a = e->a;
	double all = a->costs.total;
	struct interval share = confidence_share(&a->confidence, a->costs.self[s], all,
						 confidence_files(a->confidence.self, s));

	return export_range(share, all * e->integer_costs->per_credit, e->integer_costs->self[s]);
}

struct export_range export_inclusive_range(const struct export_view *e, sym_id s)
{
	const struct analysis *a = e->a;
	uint64_t time = e->integer_costs->inclusive[s];
	double unit = e->integer_costs->per_credit;
	double all = a->costs.all;
	struct interval share = confidence_share(&a->confidence, (double)time / unit, all,
						 confidence_files(a->confidence.inclusive, s));

	return export_range(share, all * unit, time);
}

struct export_lines export_lines(const struct export_view *e, struct arena *mem)
{
	const struct line_costs *costs = e->line_costs;
	struct export_line *lines = arena_array(mem, struct export_line, costs->n);
	uint32_t *known = arena_array(mem, uint32_t, costs->nframes); /* by frame: its line + 1 */
	uint32_t n = 0;

	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		sym_id s = e->integer_costs->listed[i];
		uint32_t first = n;

		for (uint32_t p = costs->start[s]; p < costs->start[s + 1]; p++) {
			const struct address_cost *place = &costs->at[p];
			uint32_t *line = &known[place->frame];

			if (*line <= first) {
				lines[n++] = (struct export_line){ s, place->frame, 0, 0 };
				*line = n;
			}
			lines[*line - 1].self += place->self;
			lines[*line - 1].samples += place->samples;
		}
	}
	return (struct export_lines){ lines, n };
}

/* Returns the threads that are called as another one is. */
static struct bitset export_shared_names(const struct export_view *e)
{
	const struct call_trees *trees = e->trees;
	struct bitset shared = bitset_empty(e->mem, trees->nthreads);
	const char **name = arena_array(e->mem, const char *, trees->nthreads);
	uint32_t *ids = arena_array(e->mem, uint32_t, trees->nthreads);

	for (uint32_t i = 0; i < trees->nthreads; i++) {
		name[i] = recorded_thread_called(
			&trees->recorded->threads.at[trees->thread[i].thread]);
		ids[i] = i;
	}
	radix_sort_by_name(ids, trees->nthreads, (struct name_column){ name, sizeof(*name) },
			   e->mem);
	for (uint32_t i = 1; i < trees->nthreads; i++) {
		if (strcmp(name[ids[i - 1]], name[ids[i]]) == 0) {
			bitset_add(shared, ids[i - 1]);
			bitset_add(shared, ids[i]);
		}
	}
	return shared;
}

const struct recorded_process *const *export_processes(const struct export_view *e, bool *several)
{
	const struct recorded *r = e->trees->recorded;
	const struct recorded_process **of, *first = NULL;

	of = arena_array(e->mem, const struct recorded_process *, (size_t)r->nfiles + 1);
	for (size_t i = 0; i < r->processes.n; i++)
		of[r->processes.at[i].recording] = &r->processes.at[i];
	*several = false;
	for (uint32_t i = 0; i < e->trees->nthreads; i++) {
		uint32_t recording = r->threads.at[e->trees->thread[i].thread].recording;

		*several |= of[recording] && first && of[recording] != first;
		first = first ? first : of[recording];
	}
	return of;
}

struct export_threads export_threads(const struct export_view *e)
{
	const struct call_trees *trees = e->trees;
	uint32_t n = trees->nthreads > 0 ? trees->nthreads : 1;
	struct export_thread *threads = arena_array(e->mem, struct export_thread, n);
	const struct recorded_process *const *process;
	struct bitset shared;
	bool several;

	threads[0] = (struct export_thread){ .stacks = e->stacks };
	if (trees->nthreads == 0)
		return (struct export_threads){ threads, 1 };
	process = export_processes(e, &several);
	shared = export_shared_names(e);
	for (uint32_t i = 0; i < n; i++) {
		const struct recorded_thread *thread =
			&trees->recorded->threads.at[trees->thread[i].thread];
		const char *called = recorded_thread_called(thread);
		size_t size = strlen(called) + 20;
		char *name = arena_array(e->mem, char, size);

		snprintf(name, size, bitset_has(shared, i) || !*called ? "%s (%" PRIu32 ")" : "%s",
			 *called ? called : "thread", thread->tid);
		threads[i] =
			(struct export_thread){ name, several ? process[thread->recording] : NULL,
						&trees->thread[i].functions, &trees->thread[i] };
	}
	return (struct export_threads){ threads, n };
}

uint32_t export_module(const struct export_view *e, sym_id s)
{
	const struct sym *sym = &e->a->program->symtab.sym[s];
	const struct address_space *space = e->a->program->address_space;

	if (!symtab_is_elsewhere(sym))
		return RECORDED_NONE;
	if (sym->flags & SYM_INLINED)
		return inlined_symbol_module(e->a->program->inlined, s);
	return s == space->rest ? space->own : address_space_module(space, sym->lo);
}

uint64_t export_pc(const struct export_view *e, sym_id s, uint64_t pc)
{
	return address_space_code_address(&e->a->program->symtab.sym[s], pc);
}

uint64_t export_address(const struct export_view *e, sym_id s)
{
	const struct sym *sym = &e->a->program->symtab.sym[s];

	return sym->flags & SYM_INLINED ? 0 : export_pc(e, s, sym->lo);
}

struct bitset export_modules(const struct export_view *e)
{
	const struct address_space *space = e->a->program->address_space;
	struct bitset set = bitset_empty(e->mem, space ? space->recorded->modules.n : 0);

	for (uint32_t i = 0; space && i < e->integer_costs->nlisted; i++) {
		uint32_t m = export_module(e, e->integer_costs->listed[i]);

		if (m != RECORDED_NONE && m != space->own)
			bitset_add(set, m);
	}
	for (uint32_t i = 0; i < e->trees->naddresses; i++) {
		uint32_t m = export_module(e, e->trees->address[i].symbol);

		if (m != RECORDED_NONE && m != space->own)
			bitset_add(set, m);
	}
	return set;
}

const char *export_clock(const struct export_view *e)
{
	const struct costs_origin *origin = &e->a->costs.origin;

	return origin->clock.kind != 0 ? origin->recorded->kinds.at[origin->clock.kind].name
				       : "cpu";
}

const char *export_title(const struct export_view *e)
{
	const char *name = path_base(e->a->program->path);
	size_t size = strlen(name) + sizeof(EXPORT_MARK) + 4;
	char *title = arena_array(e->mem, char, size);
	bool marked = e->stacks && e->stacks->estimated;

	snprintf(title, size, marked ? "%s (%s)" : "%s", name, EXPORT_MARK);
	return title;
}

const char *export_frame(const struct export_view *e, const struct stack_node *node)
{
	uint32_t cycle = export_cycle(e, node);
	const uint32_t *start = e->a->cycles.start;
	char *name;

	if (node->function == STACKS_REST)
		return rest_name;
	if (cycle == 0)
		return e->unique[node->function];
	name = arena_array(e->mem, char, CYCLE_BYTES);
	snprintf(name, CYCLE_BYTES, "cycle %" PRIu32 " of %" PRIu32 " functions", cycle,
		 start[cycle] - start[cycle - 1]);
	return name;
}

uint64_t export_self(const struct export_view *e, uint32_t node)
{
	const struct cycles *cycles = &e->a->cycles;
	uint32_t c = node - e->a->graph.nnodes;
	uint64_t self = 0;

	if (node < e->a->graph.nnodes)
		return e->integer_costs->self[node];
	for (uint32_t m = cycles->start[c]; m < cycles->start[c + 1]; m++)
		self += e->integer_costs->self[cycles->member[m]];
	return self;
}

uint32_t export_number(const struct export_view *e, const char *const *text, uint32_t *number)
{
	struct arena scratch = arena_scratch(e->mem);
	uint32_t *ids = arena_array(&scratch, uint32_t, e->integer_costs->nlisted), n = 0;

	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++)
		ids[i] = e->integer_costs->listed[i];
	radix_sort_by_name(ids, e->integer_costs->nlisted,
			   (struct name_column){ text, sizeof(*text) }, &scratch);
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		if (i == 0 || strcmp(text[ids[i - 1]], text[ids[i]]) != 0)
			n++;
		number[ids[i]] = n;
	}
	arena_free(&scratch);
	return n;
}

uint32_t export_number_files(const struct export_view *e, const char *unknown, uint32_t *number)
{
	struct arena scratch = arena_scratch(e->mem);
	const char **file = arena_array(&scratch, const char *, e->a->graph.nnodes);
	uint32_t n;

	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		const struct location *loc = &e->locations[e->integer_costs->listed[i]];

		file[e->integer_costs->listed[i]] = loc->file ? loc->file : unknown;
	}
	n = export_number(e, file, number);
	arena_free(&scratch);
	return n;
}

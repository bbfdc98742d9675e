/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the exports share: which functions, their names, and whole numbers for times. */
#include "config.h"

#include "export/export.h"

#include "base/path.h"
#include "base/radix.h"
#include "base/rounding.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char rest_name[] = "[not followed]";

static const double nanoseconds = 1e9; /* in a second */

static bool is_listed(const struct analysis *a, sym_id s)
{
	const struct graph *g = &a->graph;

	if (a->ticks.self[s] != 0.0)
		return true;
	if (!bitset_has(a->weights.shown, s))
		return false;
	if (a->calls.outer[s] != 0 || a->calls.self[s] != 0)
		return true;
	/* Sums that are 0 may have gone around. */
	for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++) {
		if (g->arc[g->in_arc[i]].ncalls != 0)
			return true;
	}
	for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++) {
		if (g->arc[i].ncalls != 0)
			return true;
	}
	return false;
}

void exports_locations(const export_requests *requests, const struct analysis *a,
		       struct bitset wanted)
{
	unsigned needs = 0;

	for (size_t i = 0; i < requests->n; i++)
		needs |= requests->at[i].format->needs;
	for (sym_id s = 0; needs & EXPORT_LOCATIONS && s < a->graph.nnodes; s++) {
		if (is_listed(a, s))
			bitset_add(wanted, s);
	}
}

/* The name with what tells it from others alike: "name (file:line @ address)". */
static const char *place_name(const struct export_view *e, sym_id s, struct arena *mem)
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
	snprintf(name, size, "%s%s(%s%s@ %" PRIx64 ")", plain, *plain ? " " : "", file, line,
		 e->a->program->symtab.sym[s].lo);
	return name;
}

/* Names of all listed symbols; of those alike, unique ones. */
static void make_names(struct export_view *e, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t nsyms = e->a->graph.nnodes, *ids = arena_array(&scratch, uint32_t, e->nlisted);
	const char **name = arena_array(mem, const char *, nsyms);
	const char **unique = arena_array(mem, const char *, nsyms);
	const struct sym *sym = e->a->program->symtab.sym;
	enum demangle_style style = report_style(e->opt);

	e->name = name;
	e->unique = unique;
	for (uint32_t i = 0; i < e->nlisted; i++) {
		sym_id s = e->listed[i];

		name[s] = *sym[s].name ? demangle(sym[s].name, style, mem) : place_name(e, s, mem);
		unique[s] = e->a->program->by_line ? place_name(e, s, mem) : name[s];
		ids[i] = s;
	}
	sort_by_name(ids, e->nlisted, (struct name_column){ name, sizeof(*name) }, &scratch);
	for (uint32_t i = 1; i < e->nlisted; i++) {
		sym_id x = ids[i - 1], y = ids[i];

		if (strcmp(name[x], name[y]) != 0)
			continue;
		if (unique[x] == name[x])
			unique[x] = place_name(e, x, mem);
		if (unique[y] == name[y])
			unique[y] = place_name(e, y, mem);
	}
	arena_free(&scratch);
}

static void list_symbols(struct export_view *e, struct arena *mem)
{
	uint32_t nsyms = e->a->graph.nnodes;
	sym_id *listed = arena_sparse(mem, nsyms, sizeof(*listed));

	for (sym_id s = 0; s < nsyms; s++) {
		if (is_listed(e->a, s))
			listed[e->nlisted++] = s;
	}
	e->listed = listed;
}

static void round_ticks(struct export_view *e, struct arena *mem)
{
	struct rounding time = { .scale = e->per_tick }, samples = { .scale = 1 };
	uint32_t nsyms = e->a->graph.nnodes;
	uint64_t *self = arena_array(mem, uint64_t, nsyms);
	uint64_t *nsamples = arena_array(mem, uint64_t, nsyms);

	for (sym_id s = 0; s < nsyms; s++) {
		self[s] = rounding_next(&time, e->a->ticks.self[s]);
		nsamples[s] = rounding_next(&samples, e->a->ticks.self[s]);
	}
	e->self = self;
	e->samples = nsamples;
	e->total = time.given;
	e->nsamples = samples.given;
}

/* A function or a cycle, and what it has with all below it. */
struct whole {
	const sym_id *member;
	uint32_t n;
	uint64_t time; /* in whole numbers */
	double ticks;
};

/* `time` has the arcs to callees. */
static void add_up(const struct export_view *e, struct whole *whole, const uint64_t *time)
{
	const struct graph *g = &e->a->graph;

	whole->ticks = e->a->weights.inherited[analysis_whole(e->a, whole->member[0])];
	for (uint32_t m = 0; m < whole->n; m++) {
		sym_id s = whole->member[m];

		whole->time += e->self[s];
		whole->ticks += e->a->ticks.self[s];
		for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++) {
			if (!analysis_is_inside(e->a, s, g->arc[i].to))
				whole->time += time[i];
		}
	}
}

/* Divides it among the callers as the call graph does. */
static void divide(const struct export_view *e, const struct whole *whole, uint64_t *time)
{
	static const double close_to_1 = 1e-9;
	const struct graph *g = &e->a->graph;
	struct rounding part = { .scale = e->per_tick };
	double ticks = 0.0;

	for (uint32_t m = 0; m < whole->n; m++) {
		for (uint32_t i = g->in [whole->member[m]]; i < g->in[whole->member[m] + 1]; i++) {
			const struct arc_time *arc = &e->a->weights.arc[g->in_arc[i]];

			ticks += arc->self + arc->children;
		}
	}
	/* Unless some of it counts nowhere. */
	if (ticks > whole->ticks * (1 - close_to_1) && ticks < whole->ticks * (1 + close_to_1))
		part.scale = (double)whole->time / ticks;
	for (uint32_t m = 0; m < whole->n; m++) {
		for (uint32_t i = g->in [whole->member[m]]; i < g->in[whole->member[m] + 1]; i++) {
			const struct arc_time *arc = &e->a->weights.arc[g->in_arc[i]];

			time[g->in_arc[i]] = rounding_next(&part, arc->self + arc->children);
		}
	}
}

/* Callees come first, so that whole numbers are divided: what comes in goes out. */
static void round_arcs(struct export_view *e, struct arena *mem)
{
	const struct cycles *cycles = &e->a->cycles;
	uint32_t nnodes = e->a->graph.nnodes;
	uint64_t *time = arena_array(mem, uint64_t, e->a->graph.narcs);

	for (uint32_t i = 0; i < nnodes;) {
		struct whole whole = { .member = &cycles->topo[i], .n = 1 };
		uint32_t cycle = cycles->of_node[cycles->topo[i]];

		while (cycle && i + whole.n < nnodes &&
		       cycles->of_node[cycles->topo[i + whole.n]] == cycle)
			whole.n++;
		add_up(e, &whole, time);
		divide(e, &whole, time);
		i += whole.n;
	}
	e->arc = time;
}

struct export_view exports_prepare(const struct analysis *a, const struct location *locations,
				   const struct report_options *opt, struct arena *mem)
{
	const struct unit *unit = &a->profile->unit;
	bool timed =
		a->profile->has_hists && unit->rate > 0 && strcmp(unit->dimension, "seconds") == 0;
	struct export_view e = {
		.a = a,
		.opt = opt,
		.locations = locations,
		.timed = timed || !a->profile->has_hists,
		.per_tick = timed ? nanoseconds / unit->rate : 1.0,
		.mem = mem,
	};

	list_symbols(&e, mem);
	make_names(&e, mem);
	round_ticks(&e, mem);
	round_arcs(&e, mem);
	return e;
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
	return node->function == STACKS_REST ? rest_name : e->unique[node->function];
}

uint32_t export_number(const struct export_view *e, const char *const *text, uint32_t *number)
{
	struct arena scratch = arena_scratch(e->mem);
	uint32_t *ids = arena_array(&scratch, uint32_t, e->nlisted), n = 0;

	for (uint32_t i = 0; i < e->nlisted; i++)
		ids[i] = e->listed[i];
	sort_by_name(ids, e->nlisted, (struct name_column){ text, sizeof(*text) }, &scratch);
	for (uint32_t i = 0; i < e->nlisted; i++) {
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

	for (uint32_t i = 0; i < e->nlisted; i++) {
		const struct location *loc = &e->locations[e->listed[i]];

		file[e->listed[i]] = loc->file ? loc->file : unknown;
	}
	n = export_number(e, file, number);
	arena_free(&scratch);
	return n;
}

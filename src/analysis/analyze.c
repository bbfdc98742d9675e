/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which passes run, in order. */
#include "config.h"

#include "analysis/analyze.h"

#include "analysis/confidence.h"
#include "analysis/functions/inlined.h"
#include "analysis/functions/objects.h"
#include "analysis/functions/resolve.h"
#include "analysis/graph/cycles.h"
#include "analysis/graph/graph.h"
#include "analysis/graph/propagate.h"
#include "analysis/lines/lines.h"
#include "analysis/order/order.h"
#include "model/needs.h"

static bool analyze_has_request(const struct select_options *opt, enum select_table table)
{
	for (size_t i = 0; i < opt->requests.n; i++) {
		if (opt->requests.at[i].table == table)
			return true;
	}
	return false;
}

struct stack_times_choice analyze_choose(const struct stack_times_choice *stacks,
					 const struct select_options *opt)
{
	struct stack_times_choice choice = *stacks;

	choice.chosen_time = analyze_has_request(opt, SELECT_TIME);
	choice.chosen_roots = analyze_has_request(opt, SELECT_TREE);
	return choice;
}

/* What is called with its counts, or may be called without, in scratch; by inlined functions, or by
 * those that they are inlined into. */
static struct arc *analyze_arcs(const struct analysis *a, const struct inlined *inlined, size_t *n,
				struct arena *scratch)
{
	const struct program *program = a->program;
	uint32_t *raw_of = inlined ? arena_array(scratch, uint32_t, a->profile->arcs.n) : NULL;
	struct arc *arcs =
		resolve_arcs(a->profile, &program->symtab, &a->selection, n, raw_of, scratch);

	if (inlined)
		inlined_move_arcs(inlined, a->profile, arcs, *n, raw_of);
	if (program->calls.n > 0)
		arcs = resolve_call_sites(&program->calls, &program->symtab, &a->selection, arcs, n,
					  scratch);
	return arcs;
}

/* Time propagated along the n arcs, which are in scratch; that is empty then. */
static void analyze_calls(struct analysis *a, const struct arc *arcs, size_t n,
			  struct progress *progress, struct arena *scratch, struct arena *mem)
{
	progress_step(progress, "building the call graph", 0);
	a->graph = graph_build(a->program->symtab.nsyms, arcs, n, mem);
	arena_free(scratch);
	progress_step(progress, "finding cycles", 0);
	a->cycles = cycles_find(&a->graph, mem);
	progress_step(progress, "propagating time", 0);
	a->calls = propagate_count_calls(&a->graph, &a->cycles, mem);
	a->weights = propagate(&a->graph, &a->cycles, &a->calls, &a->ticks, &a->selection, mem);
}

/*
 * The same by call stacks. Which entries the graph has, follows from calls, even in cycles; then
 * there are none.
 */
static void analyze_stacks(struct analysis *a, const struct stack_times_choice *choice,
			   struct progress *progress, struct arena *mem)
{
	uint32_t nsyms = a->program->symtab.nsyms;
	struct arena scratch = arena_scratch(mem);
	struct stack_times charge;
	struct graph no_arcs;
	struct arc *arcs;
	size_t n;

	progress_step(progress, "adding up call stacks", 0);
	charge = stack_times_measure(choice, &a->selection, mem);
	a->stacks = charge.stacks;
	a->ticks = stack_times_ticks(&charge, &a->selection, nsyms, mem);
	arcs = analyze_arcs(a, a->program->inlined, &n, &scratch);
	arcs = stack_times_add_arcs(&charge, &a->selection, arcs, &n, &scratch);
	analyze_calls(a, arcs, n, progress, &scratch, mem);
	no_arcs = graph_build(nsyms, NULL, 0, &scratch);
	a->cycles = cycles_find(&no_arcs, mem);
	a->calls = propagate_count_calls(&a->graph, &a->cycles, mem);
	a->weights = stack_times_weights(&charge, &a->graph, &a->weights, mem);
	arena_free(&scratch);
}

/*
 * The flat profile's times by inlined functions; the call graph knows none. What they take of a
 * function is then, as if it were that of callees, inherited, so that its total stays.
 */
static void analyze_inlined(struct analysis *a, struct arena *mem)
{
	uint32_t nsyms = a->program->symtab.nsyms;
	size_t nnodes = nsyms + (size_t)a->cycles.ncycles;
	double *inherited = arena_array(mem, double, nnodes);
	struct ticks ticks = inlined_ticks(a->program->inlined, a->profile, &a->program->symtab,
					   &a->selection, &a->ticks, mem);

	memcpy(inherited, a->weights.inherited, nnodes * sizeof(*inherited));
	for (sym_id s = 0; s < a->program->inlined->first; s++)
		inherited[s] += a->ticks.self[s] - ticks.self[s];
	a->weights.inherited = inherited;
	a->ticks = ticks;
}

static void analyze_samples(struct analysis *a, struct progress *progress, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct arc *arcs;
	size_t n;

	progress_step(progress, "adding up samples", 0);
	a->ticks = resolve_ticks(a->profile, &a->program->symtab, &a->selection, mem);
	progress_step(progress, "adding up calls", 0);
	arcs = analyze_arcs(a, NULL, &n, &scratch);
	analyze_calls(a, arcs, n, progress, &scratch, mem);
	if (a->program->inlined)
		analyze_inlined(a, mem);
}

/* Of n arcs, those between the first nsyms symbols, in their order: so many. */
static size_t analyze_own_arcs(struct arc *arcs, size_t n, uint32_t nsyms)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (arcs[i].from < nsyms && arcs[i].to < nsyms)
			arcs[kept++] = arcs[i];
	}
	return kept;
}

/* By calls alone: what else is on stacks has no place in a linker's order. */
static void analyze_order(struct analysis *a, enum order_kind kind, struct progress *progress,
			  struct arena *mem)
{
	struct symtab own = a->program->symtab;
	struct arena scratch = arena_scratch(mem);
	struct graph graph = a->graph;
	struct calls calls = a->calls;
	struct arc *arcs;
	size_t n;

	progress_step(progress, "making an order", 0);
	while (own.nsyms > 0 && own.sym[own.nsyms - 1].flags & SYM_FOREIGN)
		own.nsyms--;
	if (own.nsyms < a->graph.nnodes) {
		arcs = analyze_arcs(a, NULL, &n, &scratch);
		n = analyze_own_arcs(arcs, n, own.nsyms);
		graph = graph_build(own.nsyms, arcs, n, &scratch);
		calls = propagate_count_calls(&graph, &a->cycles, &scratch);
	}
	a->order = kind == ORDER_FUNCTIONS ? order_functions(&own, &graph, &calls, mem)
					   : order_objects(&own, &graph, &a->program->objects, mem);
	arena_free(&scratch);
}

/* What has no place in source files has none in the reports of these. */
static void analyze_sources(const struct analysis *a)
{
	const struct symtab *symtab = &a->program->symtab;
	unsigned none = a->program->address_space && a->program->address_space->located
				? SYM_WHOLE
				: SYM_FOREIGN;

	for (sym_id s = symtab->nsyms; s-- > 0 && symtab->sym[s].flags & SYM_FOREIGN;) {
		if (!(symtab->sym[s].flags & none))
			continue;
		bitset_remove(a->selection.exec, s);
		bitset_remove(a->selection.lines, s);
	}
}

struct analysis analyze(const struct analysis_input *input, const struct analysis_options *opt,
			struct arena *mem, struct diag *diag)
{
	const struct program *program = input->program;
	const struct profile *prof = input->profile;
	const struct symtab *symtab = &program->symtab;
	struct analysis a = { .program = program, .profile = prof };
	struct progress *progress = diag->progress;
	struct stack_times_choice choice;

	progress_step(progress, "choosing functions", 0);
	a.selection = select_symbols(symtab, program->address_space, input->locations, &opt->select,
				     mem, diag);
	analyze_sources(&a);
	if (input->stacks) {
		choice = analyze_choose(input->stacks, &opt->select);
		choice.keeps_tree = input->needs & NEEDS_STACKS;
		analyze_stacks(&a, &choice, progress, mem);
	} else {
		analyze_samples(&a, progress, mem);
	}
	if (opt->level > 0.0 && analysis_is_exact(&a))
		a.confidence.counted = true;
	else if (opt->level > 0.0)
		a.confidence = confidence_make(&a, input->stacks ? &choice : NULL, opt->level, mem);
	a.entries = entry_choose(&a, input->locations, &opt->entry, mem, diag);
	if (opt->order != ORDER_NONE)
		analyze_order(&a, opt->order, progress, mem);
	progress_step(progress, "adding up counts of lines", 0);
	if (program->by_line)
		a.blocks = resolve_blocks(prof, symtab, mem);
	if (input->needs & NEEDS_LINES)
		a.sources = lines_count(symtab, input->locations, &a.calls, a.selection.lines, mem);
	a.objects = objects_add_up(&a, mem);
	return a;
}

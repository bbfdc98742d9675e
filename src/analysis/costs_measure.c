/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures once or twice: all stacks, and if the user selects times for the call graph, the
 * selected stacks.
 */
#include "config.h"

#include "analysis/costs_measure.h"

#include "analysis/costs_estimate.h"
#include "analysis/graph/cycles.h"
#include "analysis/graph/graph.h"
#include "analysis/graph/propagate.h"
#include "analysis/stacks/measure.h"
#include "analysis/stacks/processes.h"
#include "analysis/stacks/wait_errors.h"

/* Adds up samples by thread, and the samples that do not count. */
static void costs_measure_threads(struct analysis *a, const struct stacks_choice *choice,
				  uint64_t counted, struct arena *mem)
{
	const struct recorded *r = choice->symbolized->recorded;
	const struct clock *clock = &choice->clock;
	struct costs_origin *origin = &a->costs.origin;

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		if (sample->kind == clock->kind && !clock_is_idle(clock, sample) &&
		    (!choice->threads || bitset_has(*choice->threads, sample->thread)))
			origin->left_out += sample->ticks;
	}
	origin->left_out -= counted;
	origin->of_thread = processes_ticks(r, clock->kind, mem);
	/* For processes, only CPU time is known. */
	a->processes = processes_make(
		r, clock->kind == 0 ? origin->of_thread : processes_ticks(r, 0, mem), mem);
}

/* Measures the chosen stacks, in mem, without waiting; `quality` may be NULL. */
static struct measured costs_measure_stacks(const struct symbolized_stacks *symbolized,
					    const struct call_tree_choice *choice,
					    uint64_t quality[STACK_QUALITIES], struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct call_tree_choice own = *choice;
	struct measured measured;
	struct stacks tree;

	own.clock.waiting = 0;
	tree = call_tree_make(symbolized, &own, quality, &scratch);
	measured = measure_stacks(&tree, symbolized->symtab.nsyms, mem);
	arena_free(&scratch);
	return measured;
}

/* Returns the times of waiting on the stacks that are shown. */
static struct costs_waits costs_measure_waits(const struct symbolized_stacks *symbolized,
					      const struct call_tree_choice *shown,
					      struct arena *mem)
{
	const struct recorded *r = symbolized->recorded;
	uint32_t nsyms = symbolized->symtab.nsyms;
	struct call_tree_choice choice = *shown;
	struct arena scratch = arena_scratch(mem);
	struct costs_waits waits = { .rate = 1.0 };
	struct measured measured;

	if (!shown->clock.waiting)
		return waits;
	choice.clock.kind = shown->clock.waiting;
	measured = costs_measure_stacks(symbolized, &choice, waits.quality, &scratch);
	waits.self = measure_ticks(measured.self, nsyms, mem);
	waits.inclusive = measure_ticks(measured.inclusive, nsyms, mem);
	waits.total = (double)measured.total;
	waits.of_thread = processes_ticks(r, choice.clock.kind, mem);
	if (r->kinds.at[choice.clock.kind].unit.rate > 0)
		waits.rate = (double)r->kinds.at[choice.clock.kind].unit.rate;
	arena_free(&scratch);
	return waits;
}

/*
 * Returns, in mem, the *n arcs and, after them, an arc without calls for each pair of functions;
 * adds these to *n.
 */
static struct arc *costs_measure_add_arcs(const struct measured *measured,
					  const struct selection *sel, const struct arc *arcs,
					  size_t *n, struct arena *mem)
{
	struct arc *all = arena_array(mem, struct arc, *n + measured->npairs);

	if (*n > 0)
		memcpy(all, arcs, *n * sizeof(*arcs));
	for (uint32_t i = 0; i < measured->npairs; i++) {
		const struct measured_pair *pair = &measured->pair[i];

		if (pair->from != SYM_NONE && pair->from != pair->to &&
		    selection_has_arc(sel, pair->from, pair->to))
			all[(*n)++] = (struct arc){ pair->from, pair->to, 0 };
	}
	return all;
}

/*
 * Sets graph, calls and graph.shown. Which functions have entries in the graph depends on calls,
 * also within cycles; after that, cycles are removed.
 */
static void costs_measure_graph(struct analysis *a, const struct measured *measured,
				struct progress *progress, struct arena *mem)
{
	uint32_t nsyms = a->program->symtab.nsyms;
	struct arena scratch = arena_scratch(mem);
	struct graph no_arcs;
	struct cycles cycles;
	struct calls calls;
	struct arc *arcs;
	size_t n;

	arcs = costs_estimate_arcs(a, a->program->inlined, &n, &scratch);
	arcs = costs_measure_add_arcs(measured, &a->selection, arcs, &n, &scratch);
	progress_step(progress, "building the call graph", 0);
	a->graph = graph_build(nsyms, arcs, n, mem);
	arena_free(&scratch);
	progress_step(progress, "finding cycles", 0);
	cycles = cycles_find(&a->graph, &scratch);
	calls = propagate_count_calls(&a->graph, &cycles, &scratch);
	a->costs.graph = measure_costs(measured, &a->graph, mem);
	a->costs.graph.shown = propagate_shown(&a->graph, &cycles, &calls, &a->selection, mem);
	no_arcs = graph_build(nsyms, NULL, 0, &scratch);
	a->cycles = cycles_find(&no_arcs, mem);
	a->costs.calls = propagate_count_calls(&a->graph, &a->cycles, mem);
	arena_free(&scratch);
}

/*
 * Measures all stacks that are shown, in scratch. Their tree may be the largest value of all, and
 * is kept only if it is asked for. If waiting is shown with the times, the tree that is measured
 * has no waiting, so that no arc has waiting alone.
 */
static struct measured costs_measure_shown(struct analysis *a, const struct stacks_choice *choice,
					   struct arena *scratch, struct arena *mem)
{
	bool same = choice->keeps_tree && !choice->chosen_roots && !choice->clock.waiting;
	struct call_tree_choice shown = call_tree_choose(choice, &a->selection), own = shown;
	struct arena unkept = arena_scratch(mem);
	struct measured measured;

	own.clock.waiting = 0;
	a->tree = call_tree_make(choice->symbolized, &own, a->costs.origin.quality,
				 same ? mem : &unkept);
	measured = measure_stacks(&a->tree, choice->symbolized->symtab.nsyms, scratch);
	arena_free(&unkept);
	if (choice->chosen_roots)
		shown.roots = &a->selection.tree;
	if (!choice->keeps_tree)
		a->tree = (struct stacks){ .node = NULL };
	else if (!same)
		a->tree = call_tree_make(choice->symbolized, &shown, NULL, mem);
	return measured;
}

/*
 * Measures the stacks that are shown, without those that end in functions which the flat profile
 * leaves out.
 */
static struct measured costs_measure_credited(const struct analysis *a,
					      const struct stacks_choice *choice, struct arena *mem)
{
	struct call_tree_choice all = call_tree_choose(choice, &a->selection);
	struct arena scratch = arena_scratch(mem);
	struct measured measured;
	struct stack_node *node;
	struct stacks tree;

	all.clock.waiting = 0;
	tree = call_tree_make(choice->symbolized, &all, NULL, &scratch);
	node = (struct stack_node *)tree.node;
	tree.total = 0;
	for (uint32_t i = 0; i < tree.n; i++) {
		if (!bitset_has(a->selection.flat, node[i].function))
			node[i].self = 0;
		node[i].total = node[i].self;
		tree.total += node[i].self;
	}
	for (uint32_t i = tree.n; i-- > 0;) {
		if (node[i].parent != STACKS_NONE)
			node[node[i].parent].total += node[i].total;
	}
	measured = measure_stacks(&tree, choice->symbolized->symtab.nsyms, mem);
	arena_free(&scratch);
	return measured;
}

/* Whether the flat profile leaves out a function in which stacks end. */
static bool costs_measure_leaves_out(const struct selection *sel, const struct measured *measured,
				     uint32_t nsyms)
{
	for (sym_id s = 0; s < nsyms; s++) {
		if (measured->self[s] != 0 && !bitset_has(sel->flat, s))
			return true;
	}
	return false;
}

/*
 * Sets the costs of all stacks; the costs of the graph are those of the stacks that the user
 * selects.
 */
static void costs_measure_all(struct analysis *a, const struct stacks_choice *choice,
			      const struct measured *measured, bool same, struct arena *mem)
{
	struct costs *costs = &a->costs;
	struct arena scratch = arena_scratch(mem);
	struct measured credited;
	struct graph_costs all = same ? costs->graph : measure_costs(measured, &a->graph, mem);

	costs->own = all.self;
	costs->all = all.total;
	costs->children = all.children;
	costs->credited = all;
	if (costs_measure_leaves_out(&a->selection, measured, a->graph.nnodes)) {
		credited = costs_measure_credited(a, choice, &scratch);
		costs->credited = measure_costs(&credited, &a->graph, mem);
	}
	costs->self = costs->credited.self;
	costs->total = costs->credited.total;
	arena_free(&scratch);
}

void costs_measure(struct analysis *a, const struct stacks_choice *choice,
		   struct progress *progress, struct arena *mem)
{
	const struct symbolized_stacks *symbolized = choice->symbolized;
	struct call_tree_choice all = call_tree_choose(choice, &a->selection), timed = all;
	struct arena scratch = arena_scratch(mem);
	struct measured measured, graph;
	bool same;

	progress_step(progress, "adding up call stacks", 0);
	a->costs = (struct costs){ .origin = { .measured = true,
					       .clock = choice->clock,
					       .threads = choice->thread_names,
					       .range = choice->range,
					       .start = symbolized->start,
					       .recorded = symbolized->recorded } };
	measured = costs_measure_shown(a, choice, &scratch, mem);
	costs_measure_threads(a, choice, measured.total, mem);
	a->costs.waits = costs_measure_waits(symbolized, &all, mem);
	if (all.clock.waiting || clock_is_waiting(&all.clock))
		a->costs.wait_errors = wait_errors_make(symbolized, &all, mem);
	same = !choice->chosen_time ||
	       !call_tree_selects_time(&a->selection, symbolized->symtab.nsyms);
	timed.on = &a->selection.time_on;
	graph = same ? measured : costs_measure_stacks(symbolized, &timed, NULL, &scratch);
	costs_measure_graph(a, &graph, progress, mem);
	costs_measure_all(a, choice, &measured, same, mem);
	arena_free(&scratch);
}

struct ticks costs_measure_self(const struct stacks_choice *choice, const struct selection *sel,
				struct arena *mem)
{
	uint32_t nsyms = choice->symbolized->symtab.nsyms;
	struct arena scratch = arena_scratch(mem);
	struct call_tree_choice all = call_tree_choose(choice, sel);
	struct measured measured = costs_measure_stacks(choice->symbolized, &all, NULL, &scratch);
	double *self = arena_array(mem, double, nsyms);
	struct ticks ticks = { self, (double)measured.total };

	for (sym_id s = 0; s < nsyms; s++) {
		if (bitset_has(sel->flat, s))
			self[s] = (double)measured.self[s];
		else
			ticks.total -= (double)measured.self[s];
	}
	arena_free(&scratch);
	return ticks;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One or two measurements: with the time that the user selects for the call graph, and without. */
#include "config.h"

#include "analysis/stacks/stack_times.h"

#include "analysis/stacks/call_tree.h"
#include "analysis/stacks/measure.h"
#include "analysis/stacks/processes.h"

/* Whether there is a symbol whose time a stack may be left out for. */
static bool stack_times_selects_time(const struct selection *sel, uint32_t nsyms)
{
	for (sym_id s = 0; s < nsyms; s++) {
		if (!bitset_has(sel->time_on, s) || bitset_has(sel->time_off, s))
			return true;
	}
	return false;
}

/* Adds up samples by thread, and those that are not in the times. */
static void stack_times_count(struct call_stacks *stacks, const struct stack_times_choice *choice,
			      struct arena *mem)
{
	const struct recorded *r = choice->symbolized->recorded;
	const struct clock *clock = &choice->clock;

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		if (sample->kind == clock->kind && !clock_is_idle(clock, sample) &&
		    (!choice->threads || bitset_has(*choice->threads, sample->thread)))
			stacks->left_out += sample->ticks;
	}
	stacks->left_out -= stacks->times.total;
	stacks->of_thread = processes_ticks(r, clock->kind, mem);
	/* CPU time is what is known of processes. */
	stacks->processes = processes_make(
		r, clock->kind == 0 ? stacks->of_thread : processes_ticks(r, 0, mem), mem);
}

struct call_tree_choice stack_times_stacks(const struct stack_times_choice *choice,
					   const struct selection *sel)
{
	struct call_tree_choice all = { .clock = choice->clock, .threads = choice->threads };

	all.off = &sel->time_off;
	all.stays_off = !choice->chosen_time;
	if (!choice->chosen_time && stack_times_selects_time(sel, choice->symbolized->symtab.nsyms))
		all.on = &sel->time_on;
	return all;
}

/*
 * Without `keep` there is no tree: it may be the largest of all values. With waiting beside the
 * times, it is another than that which these are of, so that no pair is of waiting alone.
 */
static void stack_times_times(struct call_stacks *stacks,
			      const struct symbolized_stacks *symbolized,
			      const struct call_tree_choice *choice, bool keep, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	bool same = keep && !choice->clock.waiting;
	struct call_tree_choice own = *choice;
	struct stacks tree;

	own.clock.waiting = 0;
	tree = call_tree_make(symbolized, &own, stacks->quality, same ? mem : &scratch);
	stacks->times = measure_stacks(&tree, symbolized->symtab.nsyms, mem);
	if (keep)
		stacks->tree = same ? tree : call_tree_make(symbolized, choice, NULL, mem);
	arena_free(&scratch);
}

/* How long threads waited, of the stacks that are shown. */
static void stack_times_wait(struct call_stacks *stacks, const struct symbolized_stacks *symbolized,
			     const struct call_tree_choice *shown, struct arena *mem)
{
	const struct recorded *r = symbolized->recorded;
	struct call_tree_choice choice = *shown;
	struct arena scratch = arena_scratch(mem);
	struct stacks tree;

	choice.clock.kind = shown->clock.waiting;
	choice.clock.waiting = 0;
	tree = call_tree_make(symbolized, &choice, stacks->waits.quality, &scratch);
	stacks->waits.times = measure_stacks(&tree, symbolized->symtab.nsyms, mem);
	stacks->waits.of_thread = processes_ticks(r, choice.clock.kind, mem);
	stacks->waits.rate = (double)r->kinds.at[choice.clock.kind].unit.rate;
	if (stacks->waits.rate <= 0.0)
		stacks->waits.rate = 1.0;
	arena_free(&scratch);
}

struct stack_times stack_times_measure(const struct stack_times_choice *choice,
				       const struct selection *sel, struct arena *mem)
{
	const struct symbolized_stacks *symbolized = choice->symbolized;
	uint32_t nsyms = symbolized->symtab.nsyms;
	struct call_stacks *stacks = arena_array(mem, struct call_stacks, 1);
	struct call_tree_choice all = stack_times_stacks(choice, sel), timed = all, rooted;
	struct stack_times charge = { .stacks = stacks };
	bool selected = stack_times_selects_time(sel, nsyms);

	timed.on = selected ? &sel->time_on : NULL;
	stacks->recorded = symbolized->recorded;
	stacks->start = symbolized->start;
	stacks->threads = choice->thread_names;
	stacks->clock = choice->clock;
	stack_times_times(stacks, symbolized, &all, choice->keeps_tree && !choice->chosen_roots,
			  mem);
	stack_times_count(stacks, choice, mem);
	if (choice->clock.waiting)
		stack_times_wait(stacks, symbolized, &all, mem);
	charge.graph = stacks->times;
	if (selected && choice->chosen_time) {
		struct call_stacks graph;

		stack_times_times(&graph, symbolized, &timed, false, mem);
		charge.graph = graph.times;
	}
	rooted = all;
	rooted.roots = &sel->tree;
	if (choice->keeps_tree && choice->chosen_roots)
		stacks->tree = call_tree_make(symbolized, &rooted, NULL, mem);
	return charge;
}

struct arc *stack_times_add_arcs(const struct stack_times *charge, const struct selection *sel,
				 const struct arc *arcs, size_t *n, struct arena *mem)
{
	struct arc *all = arena_array(mem, struct arc, *n + charge->graph.npairs);

	if (*n > 0)
		memcpy(all, arcs, *n * sizeof(*arcs));
	for (uint32_t i = 0; i < charge->graph.npairs; i++) {
		const struct measured_pair *pair = &charge->graph.pair[i];

		if (pair->from != SYM_NONE && pair->from != pair->to &&
		    selection_has_arc(sel, pair->from, pair->to))
			all[(*n)++] = (struct arc){ pair->from, pair->to, 0 };
	}
	return all;
}

struct ticks stack_times_ticks(const struct stack_times *charge, const struct selection *sel,
			       uint32_t nsyms, struct arena *mem)
{
	const struct measured *times = &charge->stacks->times;
	double *self = arena_array(mem, double, nsyms);
	struct ticks ticks = { self, (double)times->total };

	for (sym_id s = 0; s < nsyms; s++) {
		if (bitset_has(sel->flat, s))
			self[s] = (double)times->self[s];
		else
			ticks.total -= (double)times->self[s];
	}
	return ticks;
}

static struct arc_time stack_times_time(const struct measured_ticks *ticks)
{
	return (struct arc_time){ (double)ticks->self, (double)(ticks->all - ticks->self) };
}

struct weights stack_times_weights(const struct stack_times *charge, const struct graph *graph,
				   const struct weights *reckoned, struct arena *mem)
{
	const struct measured *shown = &charge->stacks->times, *times = &charge->graph;
	uint32_t nsyms = graph->nnodes;
	double *inherited = arena_array(mem, double, nsyms);
	double *self = arena_array(mem, double, nsyms), *children = arena_array(mem, double, nsyms);
	struct arc_time *arc = arena_array(mem, struct arc_time, graph->narcs);
	struct arc_time *below = arena_array(mem, struct arc_time, graph->narcs);
	struct arc_time *root = arena_array(mem, struct arc_time, nsyms);

	for (sym_id s = 0; s < nsyms; s++) {
		inherited[s] = (double)(shown->inclusive[s] - shown->self[s]);
		self[s] = (double)times->self[s];
		children[s] = (double)(times->inclusive[s] - times->self[s]);
	}
	for (uint32_t i = 0; i < graph->narcs; i++) {
		const struct measured_pair *pair =
			measured_find(times, graph->arc[i].from, graph->arc[i].to);

		if (pair) {
			arc[i] = stack_times_time(&pair->up);
			below[i] = stack_times_time(&pair->down);
		}
	}
	for (uint32_t i = times->npairs; i-- > 0 && times->pair[i].from == SYM_NONE;)
		root[times->pair[i].to] = stack_times_time(&times->pair[i].up);
	return (struct weights){
		.inherited = inherited,
		.self = self,
		.children = children,
		.arc = arc,
		.below = below,
		.root = root,
		.shown = reckoned->shown,
		.total = (double)times->total,
	};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the passes in order. */
#include "config.h"

#include "analysis/analyze.h"

#include "analysis/confidence.h"
#include "analysis/costs_estimate.h"
#include "analysis/costs_measure.h"
#include "analysis/functions/objects.h"
#include "analysis/functions/partial.h"
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

struct stacks_choice analyze_choose(const struct stacks_choice *stacks,
				    const struct select_options *opt)
{
	struct stacks_choice choice = *stacks;

	choice.chosen_time = analyze_has_request(opt, SELECT_TIME);
	choice.chosen_roots = analyze_has_request(opt, SELECT_TREE);
	return choice;
}

/* Keeps those of n arcs whose ends are both below nsyms, in their order; returns how many. */
static size_t analyze_own_arcs(struct arc *arcs, size_t n, uint32_t nsyms)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (arcs[i].from < nsyms && arcs[i].to < nsyms)
			arcs[kept++] = arcs[i];
	}
	return kept;
}

/* Uses only the counted calls of the program's own symbols, as a linker orders no others. */
static void analyze_order(struct analysis *a, enum order_kind kind, struct progress *progress,
			  struct arena *mem)
{
	struct symtab own = a->program->symtab;
	struct arena scratch = arena_scratch(mem);
	struct graph graph = a->graph;
	struct calls calls = a->costs.calls;
	struct arc *arcs;
	size_t n;

	progress_step(progress, "making an order", 0);
	while (own.nsyms > 0 && own.sym[own.nsyms - 1].flags & SYM_FOREIGN)
		own.nsyms--;
	if (own.nsyms < a->graph.nnodes) {
		arcs = costs_estimate_arcs(a, NULL, &n, &scratch);
		n = analyze_own_arcs(arcs, n, own.nsyms);
		graph = graph_build(own.nsyms, arcs, n, &scratch);
		calls = propagate_count_calls(&graph, &a->cycles, &scratch);
	}
	a->order = kind == ORDER_FUNCTIONS ? order_functions(&own, &graph, &calls, mem)
					   : order_objects(&own, &graph, &a->program->objects, mem);
	arena_free(&scratch);
}

/* Symbols without a source line do not appear in reports by source file. */
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
	struct stacks_choice choice;

	progress_step(progress, "choosing functions", 0);
	a.selection = select_symbols(symtab, program->address_space, input->locations, &opt->select,
				     mem, diag);
	analyze_sources(&a);
	if (input->stacks) {
		choice = analyze_choose(input->stacks, &opt->select);
		choice.keeps_tree = input->needs & NEEDS_STACKS;
		costs_measure(&a, &choice, progress, mem);
	} else {
		costs_estimate(&a, progress, mem);
	}
	a.costs.calls.partial = partial_find(&a, mem);
	if (opt->level > 0.0 && analysis_is_exact(&a))
		a.confidence.counted = true;
	else if (opt->level > 0.0)
		a.confidence = confidence_make(&a, &input->runs, opt->level, mem);
	a.entries = entry_choose(&a, input->locations, &opt->entry, mem, diag);
	if (opt->order != ORDER_NONE)
		analyze_order(&a, opt->order, progress, mem);
	progress_step(progress, "adding up counts of lines", 0);
	if (program->by_line)
		a.blocks = resolve_blocks(prof, symtab, mem);
	if (input->needs & NEEDS_LINES)
		a.sources = lines_count(symtab, input->locations, &a.costs.calls, a.selection.lines,
					mem);
	a.objects = objects_add_up(&a, mem);
	return a;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which passes run, in order. */
#include "config.h"

#include "analysis/analyze.h"

#include "analysis/cycles.h"
#include "analysis/graph.h"
#include "analysis/lines.h"
#include "analysis/order.h"
#include "analysis/propagate.h"
#include "analysis/resolve.h"
#include "model/needs.h"

struct analysis analyze(const struct analysis_input *input, const struct analysis_options *opt,
			struct arena *mem, struct diag *diag)
{
	const struct program *program = input->program;
	const struct profile *prof = input->profile;
	const struct symtab *symtab = &program->symtab;
	struct arena scratch = arena_scratch(mem);
	struct analysis a = { .program = program, .profile = prof };
	struct progress *progress = diag->progress;
	struct arc *arcs;
	size_t narcs;

	progress_step(progress, "choosing functions", 0);
	a.selection = select_symbols(symtab, input->locations, &opt->select, mem, diag);
	progress_step(progress, "adding up samples", 0);
	a.ticks = resolve_ticks(prof, symtab, &a.selection, mem);
	progress_step(progress, "adding up calls", 0);
	arcs = resolve_arcs(prof, symtab, &a.selection, &narcs, NULL, &scratch);
	if (program->calls.n > 0)
		arcs = resolve_call_sites(&program->calls, symtab, &a.selection, arcs, &narcs,
					  &scratch);
	progress_step(progress, "building the call graph", 0);
	a.graph = graph_build(symtab->nsyms, arcs, narcs, mem);
	arena_free(&scratch);
	progress_step(progress, "finding cycles", 0);
	a.cycles = cycles_find(&a.graph, mem);
	progress_step(progress, "propagating time", 0);
	a.calls = propagate_count_calls(&a.graph, &a.cycles, mem);
	a.weights = propagate(&a.graph, &a.cycles, &a.calls, &a.ticks, &a.selection, mem);
	a.entries = entry_choose(&a, input->locations, &opt->entry, mem, diag);
	if (opt->order != ORDER_NONE)
		progress_step(progress, "making an order", 0);
	if (opt->order == ORDER_FUNCTIONS)
		a.order = order_functions(symtab, &a.graph, &a.calls, mem);
	else if (opt->order == ORDER_OBJECTS)
		a.order = order_objects(symtab, &a.graph, &program->objects, mem);
	progress_step(progress, "adding up counts of lines", 0);
	if (program->by_line)
		a.blocks = resolve_blocks(prof, symtab, mem);
	if (input->needs & NEEDS_LINES)
		a.sources = lines_count(symtab, input->locations, &a.calls, a.selection.lines, mem);
	return a;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which passes run, in order. */
#include "config.h"

#include "analysis/analyze.h"

#include "analysis/cycles.h"
#include "analysis/lines.h"
#include "analysis/order.h"
#include "analysis/propagate.h"
#include "analysis/resolve.h"

struct analysis analyze(const struct program *program, const struct profile *prof,
			const struct location *locations, const struct analysis_options *opt,
			struct arena *mem, struct diag *diag)
{
	const struct symtab *symtab = &program->symtab;
	struct arena scratch = arena_scratch(mem);
	struct analysis a = { .program = program, .profile = prof };
	struct arc *arcs;
	size_t narcs;

	a.selection = select_symbols(symtab, locations, &opt->select, mem, diag);
	a.ticks = resolve_ticks(prof, symtab, &a.selection, mem);
	arcs = resolve_arcs(prof, symtab, &a.selection, &narcs, &scratch);
	if (program->calls.n > 0)
		arcs = resolve_call_sites(&program->calls, symtab, &a.selection, arcs, &narcs,
					  &scratch);
	a.graph = graph_build(symtab->nsyms, arcs, narcs, mem);
	arena_free(&scratch);
	a.cycles = cycles_find(&a.graph, mem);
	a.calls = count_calls(&a.graph, &a.cycles, mem);
	a.weights = propagate(&a.graph, &a.cycles, &a.calls, &a.ticks, &a.selection, mem);
	if (opt->order == ORDER_FUNCTIONS)
		a.order = order_functions(symtab, &a.graph, &a.calls, mem);
	else if (opt->order == ORDER_OBJECTS)
		a.order = order_objects(symtab, &a.graph, &program->objects, mem);
	if (program->by_line)
		a.blocks = resolve_blocks(prof, symtab, mem);
	if (opt->count_lines)
		a.sources = count_lines(symtab, locations, &a.calls, a.selection.lines, mem);
	return a;
}

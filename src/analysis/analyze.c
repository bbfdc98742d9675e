/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which passes run, in order. */
#include "config.h"

#include "analysis/analyze.h"

#include "analysis/cycles.h"
#include "analysis/propagate.h"
#include "analysis/resolve.h"
#include "analysis/select.h"

struct analysis analyze(const struct program *program, const struct profile *prof,
			struct arena *mem)
{
	const struct symtab *symtab = &program->symtab;
	struct arena scratch = arena_scratch(mem);
	struct analysis a = { .program = program, .profile = prof };
	struct arc *arcs;
	size_t narcs;

	a.selection = select_symbols(symtab, mem);
	a.ticks = resolve_ticks(prof, symtab, &a.selection, mem);
	arcs = resolve_arcs(prof, symtab, &narcs, &scratch);
	a.graph = graph_build(symtab->nsyms, arcs, narcs, mem);
	arena_free(&scratch);
	a.cycles = cycles_find(&a.graph, mem);
	a.calls = count_calls(&a.graph, &a.cycles, mem);
	a.weights = propagate(&a.graph, &a.cycles, &a.calls, &a.ticks, &a.selection, mem);
	return a;
}

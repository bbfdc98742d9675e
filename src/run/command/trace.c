/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace of -d. */
#include "config.h"

#include "run/command/trace.h"

#include <inttypes.h>

static void trace_profile(const struct profile *prof, struct diag *diag)
{
	uint64_t nbins = 0, narcs = 0, ncalls = 0;

	for (size_t i = 0; i < prof->hists.n; i++)
		nbins += prof->hists.at[i].nbins;
	for (size_t i = 0; i < prof->files.n; i++)
		narcs += prof->files.at[i].narcs;
	for (size_t i = 0; i < prof->arcs.n; i++)
		ncalls += prof->arcs.at[i].ncalls;
	diag_note(diag, "profile: %zu files, %zu ranges of %" PRIu64 " bins with %" PRIu64 " ticks",
		  prof->files.n, prof->hists.n, nbins, profile_ticks(prof));
	diag_note(diag, "profile: %" PRIu64 " arcs with %" PRIu64 " calls", narcs, ncalls);
}

void trace_analysis(const struct analysis *a, struct diag *diag)
{
	const struct symtab *symtab = &a->program->symtab;
	double credited = 0.0;
	uint64_t ncalls = 0;

	for (sym_id s = 0; s < symtab->nsyms; s++)
		credited += a->ticks.self[s];
	for (uint32_t i = 0; i < a->graph.narcs; i++)
		ncalls += a->graph.arc[i].ncalls;
	diag_note(diag,
		  "program: %s, %u-bit, %s-endian, %" PRIu32 " symbols from 0x%" PRIx64
		  " to 0x%" PRIx64,
		  a->program->path, 8 * a->program->target.ptr_size,
		  a->program->target.big_endian ? "big" : "little", symtab->nsyms,
		  symtab->sym[0].lo, symtab->sym[symtab->nsyms - 1].hi);
	trace_profile(a->profile, diag);
	diag_note(diag, "resolve: %g of %g ticks credited to symbols", credited, a->ticks.total);
	diag_note(diag, "graph: %" PRIu32 " arcs with %" PRIu64 " calls between symbols",
		  a->graph.narcs, ncalls);
	diag_note(diag, "cycles: %" PRIu32 " with %" PRIu32 " members", a->cycles.ncycles,
		  a->cycles.start[a->cycles.ncycles]);
	diag_note(diag, "propagate: %g ticks in the call graph", a->weights.total);
}

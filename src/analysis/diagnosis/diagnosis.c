/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals of the recorded data, and adding findings. n log n in arcs, else linear. */
#include "config.h"

#include "analysis/diagnosis/diagnosis.h"

#include "analysis/functions/resolve.h"
#include "base/search.h"

#include <stdlib.h>

/*
 * Guesses which runtime wrote the data: bins of the C library have four bytes, those of libgmon
 * two.
 */
static enum runtime diagnosis_writer(const struct profile *prof)
{
	double scale = prof->hists.n > 0 ? profile_hist_scale(&prof->hists.at[0]) : 0.0;

	if (scale == 1.0)
		return RUNTIME_LIBGMON;
	return scale > 1.9 && scale < 2.1 ? RUNTIME_LIBC : RUNTIME_UNKNOWN;
}

/* Counts the ticks in sections of code and outside, and finds the range of the bins. */
static void diagnosis_count_ticks(struct diagnosis *s)
{
	const struct profile *prof = s->a->profile;
	uint64_t *parts = arena_array(s->mem, uint64_t, s->e->nparts);
	bool first = true;

	s->nticks = profile_ticks(prof);
	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];
		double bytes = 2 * profile_hist_scale(hist);

		if (profile_is_unknown(prof, hist))
			s->unknown_ticks += hist->ticks[0] + hist->ticks[1];
		if (hist->nbins == 0 || profile_is_unknown(prof, hist))
			continue;
		s->lo = first || hist->lo < s->lo ? hist->lo : s->lo;
		s->hi = first || hist->hi > s->hi ? hist->hi : s->hi;
		first = false;
		for (uint32_t bin = 0; (bin = profile_next_bin(hist, bin)) < hist->nbins; bin++) {
			const struct code_range *part = code_range_find(
				s->e->parts, s->e->nparts, hist->lo + (uint64_t)(bytes * bin));

			if (part)
				parts[part - s->e->parts] += hist->ticks[bin];
			else
				s->outside_ticks += hist->ticks[bin];
		}
	}
	s->nticks -= s->unknown_ticks;
	s->part_ticks = parts;
}

static int diagnosis_compare_callees(const void *x, const void *y)
{
	const struct callee *a = x, *b = y;

	return (a->pc > b->pc) - (a->pc < b->pc);
}

static void diagnosis_count_calls(struct diagnosis *s)
{
	const struct profile *prof = s->a->profile;
	struct callee *callees = arena_array(s->mem, struct callee, prof->arcs.n);
	size_t n = 0;

	for (size_t i = 0; i < prof->arcs.n; i++) {
		const struct raw_arc *arc = &prof->arcs.at[i];

		if (arc->ncalls == 0)
			continue;
		callees[s->narcs++] = (struct callee){ arc->self_pc, arc->ncalls };
		s->ncalls += arc->ncalls;
	}
	qsort(callees, s->narcs, sizeof(*callees), diagnosis_compare_callees);
	for (size_t i = 0; i < s->narcs; i++) {
		if (n > 0 && callees[n - 1].pc == callees[i].pc)
			callees[n - 1].ncalls += callees[i].ncalls;
		else
			callees[n++] = callees[i];
	}
	s->callees = callees;
	s->ncallees = n;
}

/* Returns the ticks of all symbols, whatever the user selected. */
static struct ticks diagnosis_ticks(const struct diagnosis *s, const struct symtab *symtab)
{
	struct selection all = { .flat = bitset_empty(s->mem, symtab->nsyms) };

	for (sym_id n = 0; n < symtab->nsyms; n++)
		bitset_add(all.flat, n);
	return resolve_ticks(s->a->profile, symtab, &all, s->mem);
}

struct diagnosis diagnosis_make(const struct analysis *a, const struct evidence *e,
				const struct diagnosis_options *opt, struct arena *mem)
{
	struct diagnosis s = { .a = a, .e = e, .opt = opt, .mem = mem };

	s.writer = diagnosis_writer(a->profile);
	s.runtime = s.writer == RUNTIME_UNKNOWN ? e->linked : s.writer;
	s.quantum = quantum_of(a->profile, s.runtime == RUNTIME_LIBGMON);
	for (size_t i = 0; i < e->nparts; i++) {
		s.code_lo = i == 0 ? e->parts[i].lo : s.code_lo;
		s.code_hi = e->parts[i].hi > s.code_hi ? e->parts[i].hi : s.code_hi;
	}
	s.image_lo = e->base < s.code_lo ? e->base : s.code_lo;
	s.image_hi = e->code_end > s.code_hi ? e->code_end : s.code_hi;
	diagnosis_count_ticks(&s);
	diagnosis_count_calls(&s);
	s.ticks = diagnosis_ticks(&s, &a->program->symtab);
	s.function_ticks = diagnosis_ticks(&s, &e->functions);
	return s;
}

struct finding *diagnosis_add(struct diagnosis *s, enum finding_kind kind)
{
	const struct profile *prof = s->a->profile;
	struct finding *f = &array_push(s->mem, &s->findings);

	f->kind = kind;
	f->name[0] = s->e->missing ? s->e->missing : prof->files.at[0].name;
	f->name[1] = s->a->program->path;
	return f;
}

const uint64_t *diagnosis_calls(const struct diagnosis *s, struct arena *mem)
{
	const struct symtab *functions = &s->e->functions;
	uint64_t *calls = arena_array(mem, uint64_t, functions->nsyms);

	for (size_t i = 0; i < s->ncallees; i++) {
		sym_id to = symtab_find(functions, s->callees[i].pc);

		if (to != SYM_NONE)
			calls[to] += s->callees[i].ncalls;
	}
	return calls;
}

size_t diagnosis_sites(const struct diagnosis *s, uint64_t from_pc)
{
	const struct evidence *e = s->e;
	unsigned step = 2 * s->a->profile->target.ptr_size;
	size_t n = e->nreturned, size = sizeof(*e->returned);

	if (s->writer == RUNTIME_LIBGMON)
		return search_has(e->returned, n, from_pc + 1) ||
		       search_has(e->returned, n, from_pc);
	return search_from(e->returned, n, size, 0, from_pc + step) -
	       search_from(e->returned, n, size, 0, from_pc);
}

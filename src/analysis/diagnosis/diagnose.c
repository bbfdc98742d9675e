/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls the checks in order, and has those that need only totals. Linear, except that it sorts
 * arcs.
 */
#include "config.h"

#include "analysis/diagnosis/diagnose.h"

#include "analysis/diagnosis/coverage.h"
#include "analysis/diagnosis/cycle_arcs.h"
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/diagnosis/load_bias.h"
#include "analysis/diagnosis/lost.h"
#include "analysis/diagnosis/unwound.h"
#include "analysis/functions/shared_bins.h"

#include <stdlib.h>
#include <string.h>

enum { ABSURD_RATE = 1000000, FULL_BIN = UINT16_MAX };

/* Adds findings on why there is no data file. */
static void diagnose_no_profile(struct diagnosis *s)
{
	static const char *const runtimes[] = { NULL, "the C library's runtime", "libgmon" };
	const struct evidence *e = s->e;
	bool counts = e->ncounting > 0 || e->entry;
	struct finding *f;

	if (counts && e->linked == RUNTIME_UNKNOWN) {
		f = diagnosis_add(s, FOUND_NOT_LINKED);
		f->number[0] = e->ncounting;
	} else if (evidence_none_counts(e) && e->linked == RUNTIME_UNKNOWN) {
		f = diagnosis_add(s, FOUND_NOT_BUILT);
		f->number[0] = e->functions.nsyms;
	}
	if (s->findings.n > 0)
		return;
	f = diagnosis_add(s, FOUND_NO_PROFILE);
	f->name[2] = counts ? runtimes[e->linked] : NULL;
	f->name[3] = e->instead;
	f->name[4] = e->exec_calls;
	f->number[0] = e->ncounting;
}

/* Adds a finding if the user's selection leaves no samples or no calls, though there were some. */
static void diagnose_selection(struct diagnosis *s)
{
	const struct analysis *a = s->a;
	double self = 0.0;
	uint64_t ncalls = 0;
	bool shown = false;
	struct finding *f;

	if (!s->opt->selected || s->nticks + s->ncalls == 0)
		return;
	for (sym_id n = 0; n < a->graph.nnodes; n++) {
		self += a->costs.self[n];
		shown |= bitset_has(a->costs.graph.shown, n) &&
			 (a->costs.self[n] > 0.0 ||
			  a->costs.calls.outer[n] + a->costs.calls.self[n] > 0);
	}
	for (uint32_t i = 0; i < a->graph.narcs; i++)
		ncalls += a->graph.arc[i].ncalls;
	if ((s->nticks == 0 || self > 0.0) && (s->ncalls == 0 || (ncalls > 0 && shown)))
		return;
	f = diagnosis_add(s, FOUND_SELECTION);
	f->number[0] = s->nticks;
	f->number[1] = s->ncalls;
}

static void diagnose_rate(struct diagnosis *s)
{
	const struct profile *prof = s->a->profile;

	if (prof->hists.n == 0)
		return;
	if (prof->unit.rate == 0)
		diagnosis_add(s, FOUND_RATE_ZERO);
	else if (prof->unit.rate > ABSURD_RATE)
		diagnosis_add(s, FOUND_RATE_ABSURD)->number[0] = prof->unit.rate;
}

/*
 * Adds a finding on bins of 16 bits that overflowed; in sums of files, they hold a multiple of the
 * maximum.
 */
static void diagnose_full_bins(struct diagnosis *s)
{
	const struct profile *prof = s->a->profile;
	const struct symtab *symtab = &s->a->program->symtab;
	uint64_t n = 0, first = 0;

	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];

		for (uint32_t bin = 0; (bin = profile_next_bin(hist, bin)) < hist->nbins; bin++) {
			if (hist->ticks[bin] % FULL_BIN != 0)
				continue;
			if (n++ == 0)
				first = hist->lo + (uint64_t)(2 * profile_hist_scale(hist) * bin);
		}
	}
	if (n > 0) {
		sym_id in = symtab_find(symtab, first);
		struct finding *f = diagnosis_add(s, FOUND_SATURATED_BINS);

		f->number[0] = n;
		f->number[1] = first;
		f->name[2] = in == SYM_NONE ? NULL : symtab->sym[in].name;
	}
}

static int diagnose_order_arcs(const void *x, const void *y)
{
	const struct raw_arc *a = x, *b = y;

	if (a->from_pc != b->from_pc)
		return a->from_pc < b->from_pc ? -1 : 1;
	return (a->self_pc > b->self_pc) - (a->self_pc < b->self_pc);
}

/*
 * Adds a finding on call counts that reached their maximum. Records of the same addresses are added
 * up first: a runtime may write a large count as several records, none of which overflowed.
 */
static void diagnose_full_counts(struct diagnosis *s)
{
	const struct profile *prof = s->a->profile;
	const struct symtab *symtab = &s->a->program->symtab;
	struct arena scratch = arena_scratch(s->mem);
	struct raw_arc *arcs = arena_array(&scratch, struct raw_arc, prof->arcs.n);
	uint64_t n = 0, sum = 0;
	sym_id to = SYM_NONE;

	if (prof->arcs.n > 0)
		memcpy(arcs, prof->arcs.at, prof->arcs.n * sizeof(*arcs));
	qsort(arcs, prof->arcs.n, sizeof(*arcs), diagnose_order_arcs);
	for (size_t i = 0; i < prof->arcs.n; i++) {
		sum += arcs[i].ncalls;
		if (i + 1 < prof->arcs.n && diagnose_order_arcs(&arcs[i], &arcs[i + 1]) == 0)
			continue;
		if (sum > 0 && sum % UINT32_MAX == 0 && n++ == 0)
			to = symtab_find(symtab, arcs[i].self_pc);
		sum = 0;
	}
	if (n > 0) {
		struct finding *f = diagnosis_add(s, FOUND_SATURATED_CALLS);

		f->number[0] = n;
		f->name[2] = to == SYM_NONE ? NULL : symtab->sym[to].name;
	}
	arena_free(&scratch);
}

/*
 * Adds a finding if main() has no caller: libgmon records calls from outside of the program, the C
 * library's runtime does not.
 */
static void diagnose_main(struct diagnosis *s)
{
	const struct analysis *a = s->a;
	const struct symtab *symtab = &a->program->symtab;

	for (sym_id n = 0; n < symtab->nsyms; n++) {
		bool calls = a->graph.out[n] < a->graph.out[n + 1];

		if (strcmp(symtab->sym[n].name, "main") == 0 && a->costs.calls.outer[n] == 0 &&
		    a->costs.calls.self[n] == 0 && (calls || a->costs.self[n] > 0.0)) {
			bool counted = s->runtime == RUNTIME_LIBGMON;
			struct finding *f = diagnosis_add(s, FOUND_MAIN_SPONTANEOUS);

			f->name[2] = counted ? NULL : "main";
			f->name[3] = counted ? "libgmon" : NULL;
			return;
		}
	}
}

static void diagnose_threads(struct diagnosis *s)
{
	if (s->e->threads && s->ncalls > 0 && s->runtime == RUNTIME_LIBC)
		diagnosis_add(s, FOUND_THREADS_LOST_CALLS)->name[2] = s->e->threads;
}

static void diagnose_exec(struct diagnosis *s)
{
	if (s->e->execs_itself)
		diagnosis_add(s, FOUND_EXEC)->name[2] = s->e->exec_calls;
}

static int diagnose_order_findings(const void *x, const void *y)
{
	const struct finding *a = x, *b = y;

	return (int)a->kind - (int)b->kind;
}

/* Adds a finding on time that functions share by bytes, as their bins are wide. */
static void diagnose_wide_bins(struct diagnosis *s)
{
	struct shared_bins bins = shared_bins_of(s->a->profile, &s->a->program->symtab);
	struct finding *f;

	if (!shared_bins_matter(&bins))
		return;
	f = diagnosis_add(s, FOUND_WIDE_BINS);
	f->number[0] = bins.ticks;
	f->number[1] = bins.all;
	f->number[2] = bins.bytes;
}

/* Whether nothing was recorded, neither in the program nor in libraries. */
static bool diagnose_is_empty(const struct diagnosis *s)
{
	const struct recorded *r = &s->a->profile->recorded;

	return s->nticks + s->unknown_ticks + s->ncalls == 0 && s->a->profile->blocks.n == 0 &&
	       r->ticks == 0 && r->ncalls == 0 && r->bin_ticks == 0;
}

static void diagnose_all(struct diagnosis *s)
{
	const struct recorded *r = &s->a->profile->recorded;
	bool misplaced;

	if (s->e->missing) {
		diagnose_no_profile(s);
		return;
	}
	if (diagnose_is_empty(s))
		diagnosis_add(s, FOUND_EMPTY_PROFILE);
	/* If several programs were recorded, it may not matter that this one has no symbols. */
	if (!s->e->has_symbols && r->processes.n < 2)
		diagnosis_add(s, FOUND_STRIPPED);
	misplaced = load_bias_is_wrong(s);
	diagnose_rate(s);
	diagnose_full_bins(s);
	diagnose_full_counts(s);
	diagnose_threads(s);
	coverage_time(s);
	if (misplaced)
		return;
	coverage_instrumentation(s);
	if (!s->e->has_symbols)
		return;
	diagnose_wide_bins(s);
	diagnose_selection(s);
	coverage_names(s);
	lost_calls(s);
	cycle_arcs_closing(s);
	diagnose_main(s);
	diagnose_exec(s);
}

/* Adds findings on call stacks, and removes those that do not matter if all times are from call
 * stacks. */
static void diagnose_stacks(struct diagnosis *s, const struct stack_facts *stacks)
{
	size_t n = 0;

	unwound_unsampled(s);
	unwound_broken(s, stacks);
	unwound_cut(s, stacks);
	unwound_waiting(s);
	unwound_loaded(s);
	if (stacks->nticks == 0 || stacks->nlack > 0)
		return;
	for (size_t i = 0; i < s->findings.n; i++) {
		if (!unwound_supersedes(s->findings.at[i].kind))
			s->findings.at[n++] = s->findings.at[i];
	}
	s->findings.n = n;
}

static bool diagnose_is_several(const struct recorded *rec, uint32_t module)
{
	return module != RECORDED_NONE && recorded_module_is_several(&rec->modules.at[module]);
}

/*
 * Counts what is known of calls and ticks in libraries, for --explain. Some can only be attributed
 * to one of several libraries.
 */
static struct object_facts diagnose_objects(const struct recorded *rec)
{
	struct object_facts facts = { .nfiles = rec->nobjects,
				      .nlack = rec->nfiles + rec->nlack - rec->nobjects,
				      .ncalls = rec->ncalls,
				      .nticks = rec->bin_ticks };

	for (size_t i = 0; i < rec->arcs.n; i++) {
		const struct recorded_arc *arc = &rec->arcs.at[i];

		if (diagnose_is_several(rec, arc->from_module) ||
		    diagnose_is_several(rec, arc->self_module))
			facts.unknown_calls += arc->calls;
	}
	for (size_t i = 0; i < rec->bins.n; i++) {
		if (diagnose_is_several(rec, rec->bins.at[i].module))
			facts.unknown_ticks += rec->bins.at[i].ticks;
	}
	return facts;
}

struct findings diagnose(const struct analysis *a, const struct evidence *e,
			 const struct diagnosis_options *opt, struct arena *mem)
{
	struct diagnosis s = diagnosis_make(a, e, opt, mem);
	struct findings findings = { .writer = s.writer };

	diagnose_all(&s);
	findings.stacks = unwound_facts(&s);
	findings.objects = diagnose_objects(&a->profile->recorded);
	if (!opt->estimated)
		diagnose_stacks(&s, &findings.stacks);
	if (s.findings.n > 0)
		qsort(s.findings.at, s.findings.n, sizeof(*s.findings.at), diagnose_order_findings);
	findings.at = s.findings.at;
	findings.n = s.findings.n;
	while (findings.ncauses < findings.n &&
	       finding_is_cause(findings.at[findings.ncauses].kind))
		findings.ncauses++;
	findings.nticks = s.nticks;
	findings.part_ticks = s.part_ticks;
	findings.outside_ticks = s.outside_ticks;
	findings.unknown_ticks = s.unknown_ticks;
	findings.all_ticks = coverage_all(&s);
	findings.narcs = s.narcs;
	findings.ncalls = s.ncalls;
	return findings;
}

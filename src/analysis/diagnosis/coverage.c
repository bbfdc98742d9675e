/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes which time and which calls the reports can show. n log n in functions. */
#include "config.h"

#include "analysis/diagnosis/coverage.h"

#include "base/sort.h"

#include <string.h>

enum { FEW = 10, SHORT = 100 };

/* Whether a name is that of the profiler's own code, whose time needs no finding. */
static bool coverage_is_profiler(const char *name)
{
	static const char *const names[] = {
		"mcount",     "_mcount",  "__mcount",  "__mcount_internal", "_gprof_mcount",
		"__fentry__", "mcleanup", "_mcleanup", "__mcleanup",        "__gnu_mcount_nc",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return strncmp(name, "gmon_", 5) == 0 || strncmp(name, "__aarch64_", 10) == 0;
}

static double coverage_sum(const double *ticks, uint32_t n)
{
	double total = 0.0;

	for (uint32_t i = 0; i < n; i++)
		total += ticks[i];
	return total;
}

/* Returns the standard error of n samples in percent of n, rounded up. */
static uint64_t coverage_error(uint64_t n)
{
	uint64_t percent = 1;

	while (percent * percent * n < 10000)
		percent++;
	return percent;
}

static void coverage_none(struct diagnosis *s)
{
	const struct profile *prof = s->a->profile;
	bool by_libgmon = s->runtime == RUNTIME_LIBGMON;
	struct finding *f;

	if (prof->hists.n == 0 || prof->unit.rate == 0) {
		f = diagnosis_add(s, FOUND_NO_HISTOGRAM);
	} else if (unit_is_of_events(&prof->unit)) {
		f = diagnosis_add(s, FOUND_NO_EVENTS);
		f->name[2] = prof->unit.dimension;
	} else {
		f = diagnosis_add(s, FOUND_NO_SAMPLES);
		f->name[2] = by_libgmon ? s->e->mask_calls : s->e->timer_calls;
		f->name[3] = by_libgmon ? NULL : "libgmon";
		f->name[4] = by_libgmon ? "libgmon" : NULL;
		f->number[1] = prof->unit.rate;
	}
	f->number[0] = s->ncalls;
}

/*
 * Returns the ticks in the program's code or, if all data files have call stacks, also those in
 * libraries.
 */
static uint64_t coverage_ticks(const struct diagnosis *s)
{
	const struct recorded *r = &s->a->profile->recorded;
	uint64_t n = 0;

	for (size_t i = 0; i < r->samples.n && r->nlack == 0; i++)
		n += r->samples.at[i].kind == 0 ? r->samples.at[i].ticks : 0;
	return n > s->nticks ? n : s->nticks;
}

/* Adds a finding if there are no samples, or too few. */
static void coverage_few(struct diagnosis *s)
{
	uint64_t n = quantum_samples(&s->quantum, coverage_ticks(s));
	struct finding *f;

	if (n == 0 && s->ncalls > 0)
		coverage_none(s);
	if (n == 0)
		return;
	if (s->quantum.ticks > 1) {
		f = diagnosis_add(s, s->quantum.seen ? FOUND_COARSE_TICKS : FOUND_COARSE_RATE);
		f->number[0] = n;
		f->number[1] = s->a->profile->unit.rate;
		f->number[2] = s->quantum.ticks;
	}
	if (n >= SHORT || analysis_is_exact(s->a))
		return;
	f = diagnosis_add(s, n < FEW ? FOUND_FEW_SAMPLES : FOUND_SHORT_RUN);
	f->name[2] = s->quantum.ticks > 1 ? NULL : "libgmon";
	f->number[0] = n;
	f->number[1] = coverage_error(n);
}

static bool coverage_libraries(struct diagnosis *s)
{
	uint64_t n = 0;
	struct finding *f;

	for (size_t i = 0; i < s->e->nlibraries; i++)
		n += s->e->libraries[i].ticks;
	if (n == 0 || n <= s->nticks)
		return false;
	f = diagnosis_add(s, FOUND_LIBRARIES);
	f->name[2] = s->e->libraries[0].path;
	f->number[0] = s->e->libraries[0].ticks;
	f->number[1] = s->nticks;
	return true;
}

/* Whether most of the time is in profiles of child processes; adds a finding if so. */
static bool coverage_children(struct diagnosis *s)
{
	const struct evidence *e = s->e;
	uint64_t n = 0;
	struct finding *f;
	bool most;

	for (size_t i = 0; i < e->nchildren; i++)
		n += e->children[i].ticks;
	if (e->nchildren == 0)
		return false;
	most = n > s->nticks;
	f = diagnosis_add(s, most ? FOUND_CHILDREN : FOUND_OTHER_CHILDREN);
	f->name[2] = e->children[0].path;
	f->number[0] = e->nchildren;
	f->number[1] = e->children[0].ticks;
	f->number[2] = s->nticks;
	return most;
}

uint64_t coverage_all(const struct diagnosis *s)
{
	uint64_t own = s->nticks + s->unknown_ticks, all = coverage_ticks(s);

	return all > own ? all : own;
}

/* Adds a finding on time for which no sample was taken. */
static void coverage_unknown(struct diagnosis *s)
{
	uint64_t all = coverage_all(s);
	struct finding *f;

	if (s->unknown_ticks == 0)
		return;
	f = diagnosis_add(s, diagnosis_is_share(s->unknown_ticks, all, 50) ? FOUND_UNKNOWN_TIME
									   : FOUND_SOME_UNKNOWN);
	f->name[2] = s->e->mask_calls;
	f->number[0] = s->unknown_ticks;
	f->number[1] = all;
}

void coverage_time(struct diagnosis *s)
{
	bool elsewhere = coverage_libraries(s);

	coverage_unknown(s);
	elsewhere |= coverage_children(s);
	if (!elsewhere || s->nticks > 0)
		coverage_few(s);
}

/*
 * Adds a finding if debug information shows that inlined functions have much of the time. Returns
 * whether it did; if not, coverage_main() looks for signs of inlining.
 */
static bool coverage_inlined(struct diagnosis *s)
{
	struct finding *f;

	if (s->e->inlined_ticks < FEW || !diagnosis_is_share(s->e->inlined_ticks, s->nticks, 20))
		return false;
	f = diagnosis_add(s, FOUND_INLINED);
	/* Stacks may have some samples more than histograms. */
	f->number[0] = s->e->inlined_ticks < s->nticks ? s->e->inlined_ticks : s->nticks;
	f->number[1] = s->nticks;
	return true;
}

/* Guesses that calls were inlined, if most of the time is in main. */
static void coverage_main(struct diagnosis *s)
{
	const struct symtab *symtab = &s->a->program->symtab;

	for (sym_id n = 0; n < symtab->nsyms; n++) {
		uint64_t ticks = diagnosis_whole(s->ticks.self[n]);
		struct finding *f;

		if (ticks < FEW || !diagnosis_is_share(ticks, s->nticks, 75) ||
		    strcmp(symtab->sym[n].name, "main") != 0)
			continue;
		f = diagnosis_add(s, FOUND_MAIN_ALONE);
		f->number[0] = ticks;
		f->number[1] = s->nticks;
		return;
	}
}

/* Adds a finding on samples in no function. */
static void coverage_outside(struct diagnosis *s)
{
	const struct symtab *symtab = &s->a->program->symtab;
	uint64_t hit = diagnosis_whole(coverage_sum(s->ticks.self, symtab->nsyms));
	uint64_t lost = s->nticks > hit ? s->nticks - hit : 0;
	struct finding *f;

	if (lost == 0 || !s->e->has_symbols)
		return;
	f = diagnosis_add(s, diagnosis_is_share(lost - 1, s->nticks, 50) ? FOUND_SAMPLES_OUTSIDE
									 : FOUND_UNLISTED_TIME);
	f->number[0] = lost;
	f->number[1] = s->nticks;
	f->number[2] = s->outside_ticks;
	f->number[3] = lost > s->outside_ticks ? lost - s->outside_ticks : 0;
}

static void coverage_calls_outside(struct diagnosis *s)
{
	const struct profile *prof = s->a->profile;
	const struct symtab *symtab = &s->a->program->symtab;
	uint64_t nwhole = 0, lost = 0;
	struct finding *f;

	if (s->narcs == 0 || !s->e->has_symbols)
		return;
	for (size_t i = 0; i < prof->arcs.n; i++) {
		const struct raw_arc *arc = &prof->arcs.at[i];

		if (symtab_find(symtab, arc->from_pc) == SYM_NONE ||
		    symtab_find(symtab, arc->self_pc) == SYM_NONE)
			lost += arc->ncalls;
		else if (arc->ncalls > 0)
			nwhole++;
	}
	if (nwhole > 0 && 2 * lost <= s->ncalls)
		return;
	f = diagnosis_add(s, nwhole == 0 ? FOUND_NO_ARCS_MATCH : FOUND_CALLS_OUTSIDE);
	f->number[0] = nwhole == 0 ? s->narcs : lost;
	f->number[1] = s->ncalls;
}

/* Returns how many bytes of [lo, hi) are in histograms. Linear in these. */
static uint64_t coverage_of_range(const struct profile *prof, uint64_t lo, uint64_t hi)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];
		uint64_t from = hist->lo > lo ? hist->lo : lo;
		uint64_t upto = hist->hi < hi ? hist->hi : hi;

		if (hist->nbins > 0 && from < upto)
			bytes += upto - from;
	}
	return bytes;
}

static void coverage_range(struct diagnosis *s)
{
	enum { MANY_RANGES = 64 };
	const struct symtab *functions = &s->e->functions;
	struct arena scratch = arena_scratch(s->mem);
	const uint64_t *calls = diagnosis_calls(s, &scratch);
	uint64_t all = 0, seen = 0;
	struct finding *f;

	for (sym_id n = 0; n < functions->nsyms && s->a->profile->hists.n <= MANY_RANGES; n++) {
		/*
		 * Where code cannot be decoded, functions with recorded calls are taken to count
		 * calls.
		 */
		if (!bitset_has(s->e->counts, n) && (s->e->ncounting > 0 || calls[n] == 0))
			continue;
		all += functions->sym[n].hi - functions->sym[n].lo;
		seen += coverage_of_range(s->a->profile, functions->sym[n].lo,
					  functions->sym[n].hi);
	}
	arena_free(&scratch);
	if (2 * seen >= all || s->lo == s->hi || s->a->profile->hists.n > MANY_RANGES)
		return;
	f = diagnosis_add(s, FOUND_PARTIAL_RANGE);
	f->number[0] = s->lo;
	f->number[1] = s->hi;
	f->number[2] = seen;
	f->number[3] = all;
}

/*
 * Returns the ticks of the functions without those in .plt sections, which have no symbols and
 * therefore count for the function before them.
 */
static const double *coverage_own_ticks(const struct diagnosis *s, struct arena *mem)
{
	const struct symtab *functions = &s->e->functions;
	double *ticks = arena_array(mem, double, functions->nsyms);

	for (sym_id n = 0; n < functions->nsyms; n++)
		ticks[n] = s->function_ticks.self[n];
	for (size_t i = 0; i < s->e->nparts; i++) {
		sym_id in = symtab_find(functions, s->e->parts[i].lo);

		if (strncmp(s->e->parts[i].name, ".plt", 4) != 0 || in == SYM_NONE)
			continue;
		ticks[in] -= (double)s->part_ticks[i];
		if (ticks[in] < 0.0)
			ticks[in] = 0.0;
	}
	return ticks;
}

/* Adds a finding on time in functions that do not count calls and were not counted as called.
 * Returns whether it is half of all time. */
static bool coverage_uncounted(struct diagnosis *s)
{
	const struct symtab *functions = &s->e->functions;
	struct arena scratch = arena_scratch(s->mem);
	const double *ticks = coverage_own_ticks(s, &scratch);
	const uint64_t *calls = diagnosis_calls(s, &scratch);
	sym_id top[3] = { SYM_NONE, SYM_NONE, SYM_NONE };
	double all = 0.0, uncounted = 0.0;
	bool most;

	for (sym_id n = 0; n < functions->nsyms; n++) {
		sym_id at = n;

		if (coverage_is_profiler(functions->sym[n].name))
			continue;
		all += ticks[n];
		if (bitset_has(s->e->counts, n) || calls[n] > 0 || ticks[n] <= 0.0)
			continue;
		uncounted += ticks[n];
		for (int i = 0; i < 3 && at != SYM_NONE; i++) {
			if (top[i] == SYM_NONE || ticks[top[i]] < ticks[at]) {
				sym_id other = top[i];

				top[i] = at;
				at = other;
			}
		}
	}
	most = diagnosis_whole(all) >= FEW &&
	       diagnosis_is_share(diagnosis_whole(uncounted), diagnosis_whole(all), 50);
	if (diagnosis_whole(all) >= FEW &&
	    diagnosis_is_share(diagnosis_whole(uncounted), diagnosis_whole(all), 1)) {
		struct finding *f =
			diagnosis_add(s, most ? FOUND_PARTLY_INSTRUMENTED : FOUND_SOME_UNCOUNTED);

		f->number[0] = diagnosis_whole(uncounted);
		f->number[1] = diagnosis_whole(all);
		for (int i = 0; i < 3 && top[i] != SYM_NONE; i++) {
			f->name[2 + i] = functions->sym[top[i]].name;
			f->number[2 + i] = diagnosis_whole(ticks[top[i]]);
		}
	}
	arena_free(&scratch);
	return most;
}

void coverage_instrumentation(struct diagnosis *s)
{
	const struct evidence *e = s->e;
	bool none_counts = evidence_none_counts(e);

	coverage_outside(s);
	coverage_calls_outside(s);
	coverage_range(s);
	if (e->ncounting > 0 && e->has_symbols && coverage_uncounted(s))
		return;
	if (s->ncalls == 0 && (none_counts || (e->ncounting > 0 && s->nticks > 0))) {
		struct finding *f =
			diagnosis_add(s, none_counts ? FOUND_NOT_INSTRUMENTED : FOUND_NO_CALLS);

		f->name[2] = s->writer == RUNTIME_LIBGMON ? NULL : "libgmon";
		f->number[0] = s->nticks;
		f->number[1] = e->ncounting;
	}
}

/*
 * Adds a finding on functions that reports leave out because of their names; their samples count
 * for the function before each.
 */
static void coverage_neighbours(struct diagnosis *s)
{
	const struct symtab *functions = &s->e->functions;
	double ticks = 0.0, most = 0.0;
	sym_id first = SYM_NONE;
	struct finding *f;

	if (s->opt->all_symbols || s->a->program->listed || s->nticks < FEW)
		return;
	for (sym_id n = 0; n < functions->nsyms; n++) {
		double self = s->function_ticks.self[n];

		if (symtab_find(&s->a->program->dropped, functions->sym[n].lo) == SYM_NONE)
			continue;
		ticks += self;
		if (self > most) {
			most = self;
			first = n;
		}
	}
	if (!diagnosis_is_share(diagnosis_whole(ticks), s->nticks, 1) || first == SYM_NONE)
		return;
	f = diagnosis_add(s,
			  diagnosis_whole(ticks) >= FEW / 2 &&
					  diagnosis_is_share(diagnosis_whole(ticks), s->nticks, 10)
				  ? FOUND_NEIGHBOUR
				  : FOUND_SOME_NEIGHBOURS);
	f->name[2] = functions->sym[first].name;
	f->number[0] = diagnosis_whole(ticks);
	f->number[1] = s->nticks;
}

static int coverage_order_names(uint32_t x, uint32_t y, const void *syms)
{
	const struct sym *sym = syms;

	return strcmp(sym[x].name, sym[y].name);
}

/* Adds a finding on the name that is shared by the most static functions with samples or calls. */
static void coverage_same_names(struct diagnosis *s)
{
	const struct symtab *symtab = &s->a->program->symtab;
	struct arena scratch = arena_scratch(s->mem);
	sym_id *ids = arena_array(&scratch, sym_id, symtab->nsyms);
	const struct calls *calls = &s->a->costs.calls;
	uint32_t n = 0, run = 0, longest = 1;
	const char *name = NULL;

	for (sym_id i = 0; i < symtab->nsyms; i++) {
		if (symtab->sym[i].flags & SYM_STATIC &&
		    (s->ticks.self[i] > 0.0 || calls->outer[i] + calls->self[i] > 0))
			ids[n++] = i;
	}
	sort_ids(ids, n, coverage_order_names, symtab->sym, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		bool same = i > 0 && coverage_order_names(ids[i - 1], ids[i], symtab->sym) == 0;

		run = same ? run + 1 : 1;
		if (run > longest) {
			longest = run;
			name = symtab->sym[ids[i]].name;
		}
	}
	arena_free(&scratch);
	if (name) {
		struct finding *f = diagnosis_add(s, FOUND_SAME_NAMES);

		f->name[2] = name;
		f->number[0] = longest;
	}
}

void coverage_names(struct diagnosis *s)
{
	coverage_neighbours(s);
	coverage_same_names(s);
	if (!coverage_inlined(s))
		coverage_main(s);
}

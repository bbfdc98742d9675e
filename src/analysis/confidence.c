/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function's share of all ticks is a ratio of two sums over runs, n / N. With m runs that have
 * n_k of N_k ticks, the variance of the ratio is m / (m - 1) times the sum of (n_k - n / N *
 * N_k)^2, by N^2 (W. G. Cochran, Sampling Techniques, 1977, section 6.3). Of equally long runs that
 * is the variance of the mean of their shares. The sums of n_k^2, of n_k N_k and of N_k^2 are
 * enough.
 */
#include "config.h"

#include "analysis/confidence.h"

#include "analysis/diagnosis/quantum.h"

#include <math.h>

/* Sums over runs of self time, or of inclusive time. */
struct confidence_column {
	const struct run_sums *sums;
	struct run_totals all;
	double per_sample; /* ticks that have the information of one sample */
};

/* The variance of a symbol's share of all ticks. */
static double confidence_variance(const struct confidence_column *column, sym_id s)
{
	const struct run_sum *sum = &column->sums->sum[s];
	double share = sum->total / column->all.sum, m = column->all.n;
	double off =
		sum->squares - 2.0 * share * sum->products + share * share * column->all.squares;

	return off > 0.0 ? m / (m - 1.0) * off / (column->all.sum * column->all.sum) : 0.0;
}

/*
 * Returns half of each symbol's interval, t standard deviations. It is unknown where the analysis
 * counts other ticks than the runs have, which happens with code that begins threads or that the
 * user leaves out.
 */
static const double *confidence_halves(const struct confidence_column *column,
				       const struct analysis *a, bool inclusive, double t,
				       struct arena *mem)
{
	uint32_t nsyms = a->program->symtab.nsyms;
	double *half = arena_array(mem, double, nsyms);

	for (sym_id s = 0; s < nsyms; s++) {
		double n = inclusive ? costs_inclusive(&a->costs, s) : a->costs.self[s];

		half[s] = fabs(column->sums->sum[s].total - n) <= 1e-6 * n
				  ? t * sqrt(confidence_variance(column, s))
				  : CONFIDENCE_UNKNOWN;
	}
	return half;
}

/* The ratio of the standard deviation between runs to that of sampling, for all functions together.
 */
static double confidence_excess(const struct confidence_column *column, uint32_t nsyms)
{
	double between = 0.0, chance = 0.0;

	for (sym_id s = 0; s < nsyms; s++) {
		double share = column->sums->sum[s].total / column->all.sum;

		if (share <= 0.0)
			continue;
		between += confidence_variance(column, s);
		chance += column->per_sample * share * (1.0 - share) / column->all.sum;
	}
	return chance > 0.0 ? sqrt(between / chance) : 0.0;
}

/* Sums over the chosen threads: ticks that were counted by signals, and what the program recorded
 * of these signals, which may be wrong in a damaged file. */
struct confidence_looks {
	uint64_t *ticks; /* of each thread */
	double all, looks, squares;
	bool known;
};

static bool confidence_is_chosen(const struct bitset *threads, uint32_t thread)
{
	return !threads || bitset_has(*threads, thread);
}

static struct confidence_looks confidence_add_looks(const struct recorded *r,
						    const struct bitset *threads, struct arena *mem)
{
	struct confidence_looks sum = { .ticks = arena_array(mem, uint64_t, r->threads.n),
					.known = r->nlack == 0 };

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		if (sample->kind == 0 && sample->quality != STACK_UNSEEN)
			sum.ticks[sample->thread] += sample->ticks;
	}
	for (uint32_t i = 0; i < r->threads.n; i++) {
		const struct recorded_thread *thread = &r->threads.at[i];

		if (!confidence_is_chosen(threads, i))
			continue;
		sum.known = sum.known && (sum.ticks[i] == 0 || thread->looks > 0);
		sum.all += (double)sum.ticks[i];
		sum.looks += (double)thread->looks;
		sum.squares += (double)thread->squares;
	}
	return sum;
}

/*
 * Whether the recorded numbers of signals can be true for these ticks; allows for the signals of
 * threads while the file is written.
 */
static bool confidence_can_be(const struct confidence_looks *sum, size_t nthreads)
{
	return sum->known && sum->all > 0.0 && sum->looks <= sum->all + (double)nthreads &&
	       sum->squares >= sum->looks && sum->squares <= sum->all * sum->all;
}

/* The greatest common divisor. */
static uint64_t confidence_divisor(uint64_t x, uint64_t y)
{
	while (y != 0) {
		uint64_t rest = x % y;

		x = y;
		y = rest;
	}
	return x;
}

/* Collects counts and their greatest common divisor. */
struct confidence_counts {
	uint64_t divisor;
	uint32_t n; /* how many counts there are, without zeros */
};

static void confidence_count(struct confidence_counts *counts, uint64_t ticks)
{
	counts->divisor = confidence_divisor(ticks, counts->divisor);
	counts->n += ticks > 0 && counts->n < UINT32_MAX;
}

static void confidence_count_stacks(struct confidence_counts *counts, const struct recorded *r,
				    uint32_t kind)
{
	for (size_t i = 0; i < r->samples.n; i++) {
		if (r->samples.at[i].kind == kind)
			confidence_count(counts, r->samples.at[i].ticks);
	}
}

static void confidence_count_bins(struct confidence_counts *counts, const struct profile *prof)
{
	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];

		for (uint32_t bin = 0; bin < hist->nbins; bin++)
			confidence_count(counts, hist->ticks[bin]);
	}
}

/*
 * Returns the sampling period of events if the counts show it, else 1. Few counts may have a common
 * divisor by chance.
 */
static double confidence_period(const struct analysis *a)
{
	enum { LEAST_COUNTS = 8 };
	const struct profile *prof = a->profile;
	struct confidence_counts counts = { 0 };

	if (a->costs.origin.measured)
		confidence_count_stacks(&counts, &prof->recorded, a->costs.origin.clock.kind);
	else
		confidence_count_bins(&counts, prof);
	return counts.n >= LEAST_COUNTS ? (double)counts.divisor : 1.0;
}

void confidence_weigh(struct confidence *c, const struct analysis *a, const struct bitset *threads,
		      const struct arena *mem)
{
	struct quantum quantum = quantum_of(a->profile, false);
	struct arena scratch = arena_scratch(mem);
	struct confidence_looks sum;

	if (unit_is_of_events(&a->profile->unit)) {
		c->per_sample = confidence_period(a);
		return;
	}
	sum = confidence_add_looks(&a->profile->recorded, threads, &scratch);
	c->per_sample = quantum.seen ? quantum.ticks : 1.0;
	if (confidence_can_be(&sum, a->profile->recorded.threads.n)) {
		c->signals = (uint64_t)fmin(sum.looks, sum.all);
		c->effective = interval_effective(sum.all, fmax(sum.squares, sum.all));
		c->effective = fmax(c->effective, 1.0);
		c->per_sample = sum.all / c->effective;
	}
	arena_free(&scratch);
}

void confidence_add_stacks(struct run_sums *sums, const struct stacks_choice *stacks,
			   const struct selection *sel, bool inclusive)
{
	struct symbolized_stacks symbolized = *stacks->symbolized;
	struct run_sums_choice choice = { .symbolized = &symbolized,
					  .credited = sel->flat,
					  .inclusive = inclusive };
	uint32_t nthreads = (uint32_t)symbolized.recorded->threads.n;
	uint32_t *run_of = arena_array(sums->mem, uint32_t, nthreads);

	/* Time with an unknown stack counts only in the run's total. */
	symbolized.unseen = symbolized.cut = SYM_NONE;
	for (uint32_t i = 0; i < nthreads; i++)
		run_of[i] = confidence_is_chosen(stacks->threads, i)
				    ? symbolized.recorded->threads.at[i].recording
				    : RUN_NONE;
	choice.run_of = run_of;
	run_sums_add_stacks(sums, &choice);
}

/*
 * Compares the self time, or the inclusive time, of runs. Sets nothing if too few runs have ticks,
 * or if the runs cannot be read.
 */
static void confidence_compare_runs(struct confidence *c, const struct analysis *a,
				    const struct confidence_runs *runs, bool inclusive,
				    struct arena *mem)
{
	uint32_t nsyms = a->program->symtab.nsyms;
	struct arena scratch = arena_scratch(mem);
	struct run_sums sums =
		run_sums_begin(nsyms, arena_array(&scratch, double, runs->n), &scratch);
	int rc = runs->add(&sums, &a->selection, inclusive, runs->arg);
	struct confidence_column column = { &sums, run_sums_totals(&sums, runs->n), c->per_sample };
	const double *half;

	if (rc == 0 && column.all.n >= CONFIDENCE_FILES) {
		c->nfiles = column.all.n;
		half = confidence_halves(&column, a, inclusive,
					 interval_student(c->level, column.all.n - 1), mem);
		*(inclusive ? &c->inclusive : &c->self) = half;
		*(inclusive ? &c->inclusive_excess : &c->excess) =
			confidence_excess(&column, nsyms);
	}
	arena_free(&scratch);
}

struct confidence confidence_make(const struct analysis *a, const struct confidence_runs *runs,
				  double level, struct arena *mem)
{
	struct confidence c = { .level = level, .z = interval_normal(level) };

	confidence_weigh(&c, a, runs->threads, mem);
	if (runs->n < CONFIDENCE_FILES)
		return c;
	confidence_compare_runs(&c, a, runs, false, mem);
	if (c.nfiles > 0 && runs->has_inclusive)
		confidence_compare_runs(&c, a, runs, true, mem);
	return c;
}

struct confidence confidence_to_show(const struct analysis *a, const struct arena *mem)
{
	struct confidence c = { .level = CONFIDENCE_USUAL };

	if (a->confidence.level > 0.0)
		return a->confidence;
	c.z = interval_normal(c.level);
	confidence_weigh(&c, a, NULL, mem);
	return c;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/diff/variance.h"

#include "analysis/costs_measure.h"

#include <math.h>

enum { LEAST_MEAN = 5 };

/*
 * Adding up a recording reads all stacks again; more recordings would hardly improve the estimate.
 */
enum { MOST_RECORDINGS = 100 };

/* Adds the self time of one run. */
static void variance_add_run(struct run_sums *sums, const struct stacks_choice *stacks,
			     const struct selection *sel, uint32_t run)
{
	struct arena scratch = arena_scratch(sums->mem);
	uint32_t nsyms = stacks->symbolized->symtab.nsyms;
	struct ticks ticks = costs_measure_self(stacks, sel, &scratch);

	for (sym_id s = 0; s < nsyms; s++) {
		if (ticks.self[s] > 0.0)
			run_sums_add(sums, s, ticks.self[s]);
	}
	sums->now = ticks.total;
	run_sums_end_run(sums, run);
	arena_free(&scratch);
}

uint32_t variance_add_recordings(struct run_sums *sums, const struct stacks_choice *stacks,
				 const struct selection *sel, uint32_t nruns)
{
	const struct recorded *recorded = stacks->symbolized->recorded;
	uint32_t run;

	for (run = 0; run < nruns && run < MOST_RECORDINGS; run++) {
		struct arena scratch = arena_scratch(sums->mem);
		struct bitset threads = bitset_empty(&scratch, recorded->threads.n);
		struct stacks_choice choice = *stacks;

		for (size_t t = 0; t < recorded->threads.n; t++) {
			if (recorded->threads.at[t].recording == run &&
			    (!stacks->threads || bitset_has(*stacks->threads, t)))
				bitset_add(threads, t);
		}
		choice.threads = &threads;
		variance_add_run(sums, &choice, sel, run);
		arena_free(&scratch);
	}
	return run;
}

/* Sums over the rows and sides; each is weighted with R - 1 for a side of R runs. */
struct variance_moments {
	double beyond; /* squared deviations from the mean, less the squares that chance explains */
	double square, fourth; /* powers of means */
};

static void variance_add_moments(struct variance_moments *moments, double sum, double squares,
				 uint32_t nruns)
{
	double mean = sum / nruns, weight = nruns - 1;

	moments->beyond += squares - sum * mean - weight * mean;
	moments->square += weight * mean * mean;
	moments->fourth += weight * mean * mean * mean * mean;
}

static double variance_variance(const struct variance_moments *moments)
{
	return moments->beyond > 0.0 && moments->square > 0.0 ? moments->beyond / moments->square
							      : 0.0;
}

/* The relative variance of a run's total, which all functions of the run have in common. */
static double variance_common(const struct variance_runs runs[SIDES])
{
	struct variance_moments moments = { 0 };

	for (int k = 0; k < SIDES && !(runs[k].sums->scaled_to > 0.0); k++) {
		struct run_totals totals = run_sums_totals(runs[k].sums, runs[k].n);

		variance_add_moments(&moments, totals.sum, totals.squares, runs[k].n);
	}
	return variance_variance(&moments);
}

struct difference_excess variance_of_row(const struct variance_runs runs[SIDES], uint32_t row)
{
	static const double least_variance = 0.25;
	struct difference_excess excess = { 0.0, 0 };
	double sum = 0.0;

	for (int k = 0; k < SIDES; k++) {
		const struct run_sum *s = &runs[k].sums->sum[row];
		double mean = s->total / runs[k].n;

		if (!(mean > 0.0))
			continue;
		sum += fmax(s->squares / mean - s->total,
			    (runs[k].n - 1) * fmin(least_variance / mean, 1.0));
		excess.freedom += runs[k].n - 1;
	}
	if (excess.freedom > 0)
		excess.ratio = sum / excess.freedom;
	return excess;
}

struct difference_variance variance_fit(const struct variance_runs runs[SIDES], uint32_t nrows,
					double least)
{
	uint32_t each = runs[SIDE_BASE].n + runs[SIDE_NEW].n - 2;
	struct difference_variance fit = { .excess = 1.0, .common_freedom = each };
	struct variance_moments moments = { 0 };
	double sum = 0.0, all;

	for (uint32_t i = 0; i < nrows; i++) {
		for (int k = 0; k < SIDES; k++) {
			const struct run_sum *row = &runs[k].sums->sum[i];
			uint32_t nruns = runs[k].n, freedom = nruns - 1;
			double mean = row->total / nruns;

			if (mean < LEAST_MEAN || fit.freedom > UINT32_MAX - freedom)
				continue;
			sum += row->squares / mean - nruns * mean;
			variance_add_moments(&moments, row->total, row->squares, nruns);
			fit.freedom += freedom;
		}
	}
	if (fit.freedom > 0)
		fit.excess = fmax(sum / fit.freedom, least);
	fit.common = variance_common(runs);
	all = variance_variance(&moments);
	fit.own = all > fit.common ? all - fit.common : 0.0;
	fit.own_freedom =
		moments.fourth > 0.0 ? moments.square * moments.square / moments.fourth : 0.0;
	return fit;
}

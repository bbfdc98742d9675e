/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function's share of all ticks is a ratio of sums over files, n / N, and so is its variance:
 * with m files, m / (m - 1) times the sum of (n_k - n / N * N_k)^2, by N^2 (W. G. Cochran, Sampling
 * Techniques, 1977, section 6.3). Of equally long runs that is the variance of the mean of their
 * shares. Sums of n_k^2 and n_k N_k suffice for it, so files are gone through one by one, and only
 * functions that a file has cost time.
 */
#include "config.h"

#include "analysis/confidence.h"

#include "analysis/diagnosis/quantum.h"
#include "analysis/functions/resolve.h"
#include "base/radix.h"

#include <math.h>

/* Sums over files of one kind of ticks of each symbol. */
struct confidence_column {
	double *now;                      /* of the file at hand */
	double *sum, *squares, *products; /* of all before it; products with the files' ticks */
	ARRAY(sym_id) touched;            /* have some in the file at hand */
};

struct confidence_files {
	uint32_t n;          /* files with ticks so far */
	double now;          /* ticks of the file at hand */
	double sum, squares; /* of all before it */
	struct confidence_column self, inclusive;
	struct bitset credited; /* others' ticks are left out of all */
	struct arena mem;
};

static void confidence_begin(struct confidence_column *column, uint32_t nsyms, struct arena *mem)
{
	column->now = arena_array(mem, double, nsyms);
	column->sum = arena_array(mem, double, nsyms);
	column->squares = arena_array(mem, double, nsyms);
	column->products = arena_array(mem, double, nsyms);
}

static void confidence_add(struct confidence_column *column, sym_id s, double ticks,
			   struct arena *mem)
{
	if (column->now[s] == 0.0)
		array_push(mem, &column->touched) = s;
	column->now[s] += ticks;
}

static void confidence_end_column(struct confidence_column *column, double all)
{
	for (size_t i = 0; i < column->touched.n; i++) {
		sym_id s = column->touched.at[i];

		column->sum[s] += column->now[s];
		column->squares[s] += column->now[s] * column->now[s];
		column->products[s] += column->now[s] * all;
		column->now[s] = 0.0;
	}
	column->touched.n = 0;
}

static void confidence_end_file(struct confidence_files *files)
{
	confidence_end_column(&files->self, files->now);
	confidence_end_column(&files->inclusive, files->now);
	files->n += files->now > 0.0;
	files->sum += files->now;
	files->squares += files->now * files->now;
	files->now = 0.0;
}

/* Parts of a bin, as resolve_credit() takes them. */
static void confidence_take(const struct resolve_part *part, void *arg)
{
	struct confidence_files *files = arg;

	if (part->symbol == SYM_NONE)
		files->now += part->ticks;
	else if (bitset_has(files->credited, part->symbol))
		confidence_add(&files->self, part->symbol, part->ticks, &files->mem);
	else
		files->now -= part->ticks;
}

static void confidence_count_bins(struct confidence_files *files, const struct analysis *a)
{
	const struct profile *prof = a->profile;

	for (size_t i = 0; i < prof->file_ticks.n; i++) {
		const struct file_ticks *ticks = &prof->file_ticks.at[i];

		if (i > 0 && ticks->file != ticks[-1].file)
			confidence_end_file(files);
		resolve_bin(prof, &a->program->symtab, ticks, confidence_take, files);
	}
	confidence_end_file(files);
}

/* The functions on the stack of a sample, each once, and the one that it ends in. */
static void confidence_walk(struct confidence_files *files,
			    const struct symbolized_stacks *symbolized,
			    const struct recorded_sample *sample, uint32_t *seen, uint32_t mark)
{
	const struct recorded_node *nodes = symbolized->recorded->nodes.at;
	double ticks = (double)sample->ticks;
	uint32_t i = sample->node;

	while (i != RECORDED_NONE && bitset_has(symbolized->skipped, symbolized->frame[i]))
		i = nodes[i].parent;
	if (i != RECORDED_NONE && !bitset_has(files->credited, symbolized->frame[i]))
		return;
	files->now += ticks;
	if (i != RECORDED_NONE)
		confidence_add(&files->self, symbolized->frame[i], ticks, &files->mem);
	for (; i != RECORDED_NONE; i = nodes[i].parent) {
		sym_id s = symbolized->frame[i];

		if (seen[s] == mark || bitset_has(symbolized->skipped, s))
			continue;
		confidence_add(&files->inclusive, s, ticks, &files->mem);
		seen[s] = mark;
	}
}

/* Each process that was recorded is a run, even if its file is a sum of several. */
static void confidence_count_stacks(struct confidence_files *files,
				    const struct stacks_choice *choice, uint32_t nsyms)
{
	const struct recorded *r = choice->symbolized->recorded;
	struct keyed *order = arena_array(&files->mem, struct keyed, r->samples.n);
	uint32_t *seen = arena_array(&files->mem, uint32_t, nsyms);
	uint64_t run;

	for (uint32_t i = 0; i < r->samples.n; i++)
		order[i] = (struct keyed){ r->threads.at[r->samples.at[i].thread].recording, i };
	sort_keyed(order, r->samples.n, &files->mem);
	run = r->samples.n > 0 ? order[0].key : 0;
	for (uint32_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[order[i].id];

		if (order[i].key != run)
			confidence_end_file(files);
		run = order[i].key;
		if (sample->kind != 0 ||
		    (choice->threads && !bitset_has(*choice->threads, sample->thread)))
			continue;
		confidence_walk(files, choice->symbolized, sample, seen, i + 1);
	}
	confidence_end_file(files);
}

/* The variance of a symbol's share between files. */
static double confidence_variance(const struct confidence_files *files,
				  const struct confidence_column *column, sym_id s)
{
	double share = column->sum[s] / files->sum, m = files->n;
	double off = column->squares[s] - 2.0 * share * column->products[s] +
		     share * share * files->squares;

	return off > 0.0 ? m / (m - 1.0) * off / (files->sum * files->sum) : 0.0;
}

/*
 * Halves of intervals, at t deviations. Symbols that the analysis has other ticks of are not
 * known: code that begins threads, or what the user leaves out, is not on all of their stacks.
 */
static const double *confidence_halves(const struct confidence_files *files,
				       const struct confidence_column *column, uint32_t nsyms,
				       const struct analysis *a, double t, struct arena *mem)
{
	double *half = arena_array(mem, double, nsyms);

	for (sym_id s = 0; s < nsyms; s++) {
		double n = column == &files->inclusive ? costs_inclusive(&a->costs, s)
						       : a->costs.self[s];

		half[s] = fabs(column->sum[s] - n) <= 1e-6 * n
				  ? t * sqrt(confidence_variance(files, column, s))
				  : CONFIDENCE_UNKNOWN;
	}
	return half;
}

/* Of all functions together, the deviation between files to that of sampling, with so many ticks
 * for each sample. */
static double confidence_excess(const struct confidence_files *files,
				const struct confidence_column *column, uint32_t nsyms,
				double per_sample)
{
	double between = 0.0, chance = 0.0;

	for (sym_id s = 0; s < nsyms; s++) {
		double share = column->sum[s] / files->sum;

		if (share <= 0.0)
			continue;
		between += confidence_variance(files, column, s);
		chance += per_sample * share * (1.0 - share) / files->sum;
	}
	return chance > 0.0 ? sqrt(between / chance) : 0.0;
}

/* Of the threads that are chosen: ticks that were taken by looking at them, and what the program
 * has recorded of these looks, which may be anything if the file is spoiled. */
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
 * Whether what was recorded of looks can be true of the ticks, give or take what a thread does
 * while its file is written.
 */
static bool confidence_can_be(const struct confidence_looks *sum, size_t nthreads)
{
	return sum->known && sum->all > 0.0 && sum->looks <= sum->all + (double)nthreads &&
	       sum->squares >= sum->looks && sum->squares <= sum->all * sum->all;
}

/* The greatest common one. */
static uint64_t confidence_divisor(uint64_t x, uint64_t y)
{
	while (y != 0) {
		uint64_t rest = x % y;

		x = y;
		y = rest;
	}
	return x;
}

/* What counts have in common. */
struct confidence_counts {
	uint64_t divisor;
	uint32_t n; /* of them, but for zeros */
};

static void confidence_count(struct confidence_counts *counts, uint64_t ticks)
{
	counts->divisor = confidence_divisor(ticks, counts->divisor);
	counts->n += ticks > 0 && counts->n < UINT32_MAX;
}

/* Of events of which every so many are a sample: so many, if it can be seen, or 1. Few counts may
 * have a divisor by chance. */
static double confidence_period(const struct analysis *a)
{
	enum { LEAST_COUNTS = 8 };
	const struct profile *prof = a->profile;
	struct confidence_counts counts = { 0 };

	for (size_t i = 0; a->costs.origin.measured && i < prof->recorded.samples.n; i++) {
		const struct recorded_sample *sample = &prof->recorded.samples.at[i];

		if (sample->kind == a->costs.origin.clock.kind)
			confidence_count(&counts, sample->ticks);
	}
	for (size_t i = 0; !a->costs.origin.measured && i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];

		for (uint32_t bin = 0; bin < hist->nbins; bin++)
			confidence_count(&counts, hist->ticks[bin]);
	}
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

struct confidence confidence_make(const struct analysis *a, const struct stacks_choice *stacks,
				  double level, struct arena *mem)
{
	struct confidence c = { .level = level, .z = interval_normal(level) };
	struct confidence_files files = { .credited = a->selection.flat,
					  .mem = arena_scratch(mem) };
	uint32_t nsyms = a->program->symtab.nsyms;
	double t = 0.0;

	confidence_weigh(&c, a, stacks ? stacks->threads : NULL, mem);
	if (a->profile->files.n < CONFIDENCE_FILES && !a->costs.origin.measured)
		return c;
	confidence_begin(&files.self, nsyms, &files.mem);
	confidence_begin(&files.inclusive, nsyms, &files.mem);
	if (a->costs.origin.measured)
		confidence_count_stacks(&files, stacks, nsyms);
	else
		confidence_count_bins(&files, a);
	if (files.n >= CONFIDENCE_FILES) {
		t = interval_student(level, files.n - 1);
		c.nfiles = files.n;
		c.excess = confidence_excess(&files, &files.self, nsyms, c.per_sample);
		c.self = confidence_halves(&files, &files.self, nsyms, a, t, mem);
	}
	if (c.nfiles > 0 && a->costs.origin.measured) {
		c.inclusive_excess =
			confidence_excess(&files, &files.inclusive, nsyms, c.per_sample);
		c.inclusive = confidence_halves(&files, &files.inclusive, nsyms, a, t, mem);
	}
	arena_free(&files.mem);
	return c;
}

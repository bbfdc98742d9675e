/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a run ends, its ticks are added to the sums of the functions that it has:
 *
 *                       run 0   run 1   run 2  |  total  squares  products  min  max  n  most
 *      solve              40      60      40   |    140     6800      7600   40   60  3     1
 *      write               5       0       0   |      5       25       250    5    5  1     0
 *      in no function      5       0      10   |     15      125       750    5   10  2     2
 *      ticks of the run   50      60      50
 *
 * This is enough for the mean of a function, 140 / 3; for the variance of one run around it,
 * (6800 - 140 * 140 / 3) / (3 - 1) = 133; and for that of its share of all ticks, in confidence.c.
 */
#include "config.h"

#include "analysis/ranks/run_sums.h"

#include "analysis/functions/resolve.h"
#include "base/radix.h"

/* Dividing ticks among functions leaves rounding errors; fewer ticks than this are none. */
static const double least_ticks = 1e-6;

struct run_sums run_sums_begin(uint32_t n, double *total, struct arena *mem)
{
	return (struct run_sums){
		.n = n,
		.sum = arena_sparse(mem, (size_t)n + 1, sizeof(struct run_sum)),
		.total = total,
		.mem = mem,
	};
}

static struct run_sum *run_sums_touch(struct run_sums *sums, sym_id s)
{
	uint32_t i = s == SYM_NONE ? sums->n : sums->sums ? sums->sums[s] : s;
	struct run_sum *sum = &sums->sum[i];

	if (!sum->touched) {
		sum->touched = true;
		array_push(sums->mem, &sums->touched) = i;
	}
	return sum;
}

void run_sums_add(struct run_sums *sums, sym_id s, double ticks)
{
	run_sums_touch(sums, s)->ticks_now += ticks;
}

static void run_sums_merge_ticks(struct run_sum *to, const struct run_sum *from)
{
	if (from->n == 0)
		return;
	if (to->n == 0 || from->min < to->min) {
		to->min = from->min;
		to->least = from->least;
	}
	if (to->n == 0 || from->max > to->max || (from->max == to->max && from->most < to->most)) {
		to->max = from->max;
		to->most = from->most;
	}
	to->n += from->n;
	to->total += from->total;
	to->squares += from->squares;
	to->products += from->products;
}

static void run_sums_merge_calls(struct run_sum *to, const struct run_sum *from)
{
	if (from->ncalls == 0)
		return;
	if (to->ncalls == 0 || from->min_calls < to->min_calls)
		to->min_calls = from->min_calls;
	if (to->ncalls == 0 || from->max_calls > to->max_calls ||
	    (from->max_calls == to->max_calls && from->most_calls < to->most_calls)) {
		to->max_calls = from->max_calls;
		to->most_calls = from->most_calls;
	}
	to->ncalls += from->ncalls;
	to->calls += from->calls;
}

bool run_sums_is_foreign(const struct run_sums *sums)
{
	for (size_t i = 0; i < sums->touched.n; i++) {
		uint32_t at = sums->touched.at[i];

		if (sums->sum[at].calls_now > 0 ||
		    (at != sums->n && sums->sum[at].ticks_now > least_ticks))
			return false;
	}
	return sums->now > least_ticks;
}

static void run_sums_end_sum(struct run_sums *sums, uint32_t at, uint32_t run, double scale)
{
	struct run_sum *sum = &sums->sum[at];
	double ticks = sum->ticks_now > least_ticks ? sum->ticks_now * scale : 0.0;
	uint64_t calls = sum->calls_now;
	const struct run_sum one = { .total = ticks,
				     .squares = ticks * ticks,
				     .products = ticks * sums->now,
				     .min = ticks,
				     .max = ticks,
				     .n = ticks > 0.0,
				     .least = run,
				     .most = run,
				     .calls = calls,
				     .min_calls = calls,
				     .max_calls = calls,
				     .ncalls = calls > 0,
				     .most_calls = run };

	run_sums_merge_ticks(sum, &one);
	sum->first_without += ticks > 0.0 && sum->first_without == run;
	run_sums_merge_calls(sum, &one);
	if (sums->wanted && bitset_has(*sums->wanted, at) && (ticks > 0.0 || calls > 0))
		array_push(sums->mem, &sums->cells) = (struct ranks_cell){ at, run, ticks, calls };
	sum->ticks_now = 0.0;
	sum->calls_now = 0;
	sum->touched = false;
}

void run_sums_end_run(struct run_sums *sums, uint32_t run)
{
	double scale = sums->scaled_to > 0.0 && sums->now > 0.0 ? sums->scaled_to / sums->now : 1.0;

	for (size_t i = 0; i < sums->touched.n; i++)
		run_sums_end_sum(sums, sums->touched.at[i], run, scale);
	sums->touched.n = 0;
	sums->total[run] += sums->now;
	sums->now = 0.0;
}

void run_sums_join(struct run_sums *sums, const struct run_sums *more)
{
	for (uint32_t i = 0; i <= sums->n; i++) {
		run_sums_merge_ticks(&sums->sum[i], &more->sum[i]);
		run_sums_merge_calls(&sums->sum[i], &more->sum[i]);
	}
	for (size_t i = 0; i < more->cells.n; i++)
		array_push(sums->mem, &sums->cells) = more->cells.at[i];
}

struct run_totals run_sums_totals(const struct run_sums *sums, uint32_t nruns)
{
	struct run_totals totals = { 0 };

	for (uint32_t i = 0; i < nruns; i++) {
		totals.n += sums->total[i] > 0.0;
		totals.sum += sums->total[i];
		totals.squares += sums->total[i] * sums->total[i];
	}
	return totals;
}

/* Divides the bins of a run among functions. */
struct run_sums_divider {
	struct run_sums *sums;
	const struct profile *run;
	const struct symtab *symtab;
	struct bitset credited;
	double scale;
	/* The bin's ticks and, if one symbol has all of them, that symbol. */
	double ticks;
	sym_id only; /* SYM_NONE: no symbol has all of them */
};

/*
 * The first part is the whole bin, in no function; each later part is a function's, which is
 * subtracted from it.
 */
static void run_sums_take(const struct resolve_part *part, void *arg)
{
	struct run_sums_divider *d = arg;
	double ticks = part->ticks * d->scale;

	if (part->symbol == SYM_NONE) {
		run_sums_add(d->sums, SYM_NONE, ticks);
		d->sums->now += ticks;
		d->ticks = ticks;
		return;
	}
	run_sums_add(d->sums, SYM_NONE, -ticks);
	if (!bitset_has(d->credited, part->symbol)) {
		d->sums->now -= ticks;
		return;
	}
	run_sums_add(d->sums, part->symbol, ticks);
	if (ticks == d->ticks)
		d->only = part->symbol;
}

/* Makes room for the symbols of all bins, unless the previous histogram has the same range. */
static void run_sums_remember(struct run_sums *sums, const struct hist *hist)
{
	const struct hist *like = &sums->like;

	if (sums->of_bin && like->lo == hist->lo && like->hi == hist->hi &&
	    like->nbins == hist->nbins)
		return;
	sums->like = *hist;
	sums->of_bin = arena_sparse(sums->mem, hist->nbins, sizeof(*sums->of_bin));
}

/* `of_bin` is the bin's entry in sums->of_bin, or NULL if symbols are not remembered. */
static void run_sums_add_bin(struct run_sums_divider *d, uint32_t hist, uint32_t bin,
			     uint32_t *of_bin)
{
	if (of_bin && *of_bin > 1) {
		double ticks = (double)d->run->hists.at[hist].ticks[bin] * d->scale;

		run_sums_add(d->sums, *of_bin - 2, ticks);
		d->sums->now += ticks;
		return;
	}
	d->only = SYM_NONE;
	resolve_bin(d->run, d->symtab, hist, bin, run_sums_take, d);
	if (of_bin)
		*of_bin = d->only == SYM_NONE ? 1 : d->only + 2;
}

void run_sums_add_bins(struct run_sums *sums, const struct profile *run,
		       const struct symtab *symtab, struct bitset credited, double scale)
{
	struct run_sums_divider d = { sums, run, symtab, credited, scale, 0.0, SYM_NONE };
	bool remembers = run->hists.n == 1;

	if (remembers)
		run_sums_remember(sums, &run->hists.at[0]);
	for (uint32_t h = 0; h < run->hists.n; h++) {
		const struct hist *hist = &run->hists.at[h];

		for (uint32_t i = 0; (i = profile_next_bin(hist, i)) < hist->nbins; i++)
			run_sums_add_bin(&d, h, i, remembers ? &sums->of_bin[i] : NULL);
	}
}

void run_sums_add_arcs(struct run_sums *sums, const struct profile *run,
		       const struct symtab *symtab, const struct selection *sel)
{
	struct arena scratch = arena_scratch(sums->mem);
	size_t n;
	const struct arc *arcs = resolve_arcs(run, symtab, sel, &n, NULL, &scratch);

	for (size_t i = 0; i < n; i++) {
		if (arcs[i].from != arcs[i].to)
			run_sums_touch(sums, arcs[i].to)->calls_now += arcs[i].ncalls;
	}
	arena_free(&scratch);
}

/* Adds samples of call stacks. */
struct run_sums_walk {
	struct run_sums *sums;
	const struct run_sums_choice *choice;
	uint32_t *seen; /* of each symbol: the latest sample, counted from 1, whose stack has it */
};

/* Returns the symbol for time in stacks without any function. */
static sym_id run_sums_missing(const struct symbolized_stacks *symbolized,
			       enum stack_quality quality)
{
	return quality == STACK_UNSEEN ? symbolized->unseen
	       : quality == STACK_CUT  ? symbolized->cut
				       : SYM_NONE;
}

/* Adds the ticks of sample number `mark` to all functions on its stack, once to each. */
static void run_sums_add_callers(struct run_sums_walk *w, uint32_t node, double ticks,
				 uint32_t mark)
{
	const struct symbolized_stacks *symbolized = w->choice->symbolized;

	for (uint32_t i = node; i != RECORDED_NONE; i = symbolized->recorded->nodes.at[i].parent) {
		sym_id s = symbolized->frame[i];

		if (w->seen[s] == mark || bitset_has(symbolized->skipped, s))
			continue;
		run_sums_add(w->sums, s, ticks);
		w->seen[s] = mark;
	}
}

/* The ticks that a sample adds; 0 if it does not count. */
static double run_sums_weight(const struct run_sums_choice *choice,
			      const struct recorded_sample *sample)
{
	const struct clock *clock = &choice->clock;

	if (choice->run_of[sample->thread] == RUN_NONE || clock_is_idle(clock, sample))
		return 0.0;
	if (sample->kind == clock->kind)
		return (double)sample->ticks;
	return clock->waiting && sample->kind == clock->waiting
		       ? (double)sample->ticks * choice->per_wait
		       : 0.0;
}

static void run_sums_add_sample(struct run_sums_walk *w, const struct recorded_sample *sample,
				uint32_t mark)
{
	const struct symbolized_stacks *symbolized = w->choice->symbolized;
	double ticks = run_sums_weight(w->choice, sample);
	uint32_t i = sample->node;
	sym_id s;

	while (i != RECORDED_NONE && bitset_has(symbolized->skipped, symbolized->frame[i]))
		i = symbolized->recorded->nodes.at[i].parent;
	s = i != RECORDED_NONE ? symbolized->frame[i]
			       : run_sums_missing(symbolized, sample->quality);
	if (s != SYM_NONE && !bitset_has(w->choice->credited, s))
		return;
	w->sums->now += ticks;
	if (i != RECORDED_NONE && w->choice->inclusive)
		run_sums_add_callers(w, i, ticks, mark);
	else
		run_sums_add(w->sums, s, ticks);
}

void run_sums_add_stacks(struct run_sums *sums, const struct run_sums_choice *choice)
{
	const struct recorded *r = choice->symbolized->recorded;
	struct arena scratch = arena_scratch(sums->mem);
	struct keyed *order = arena_array(&scratch, struct keyed, r->samples.n);
	struct run_sums_walk w = {
		sums, choice, arena_array(&scratch, uint32_t, choice->symbolized->symtab.nsyms)
	};
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		if (run_sums_weight(choice, sample) > 0.0)
			order[n++] = (struct keyed){ choice->run_of[sample->thread], i };
	}
	radix_sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		run_sums_add_sample(&w, &r->samples.at[order[i].id], i + 1);
		if (i + 1 == n || order[i + 1].key != order[i].key)
			run_sums_end_run(sums, (uint32_t)order[i].key);
	}
	arena_free(&scratch);
}

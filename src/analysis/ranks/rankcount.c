/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/ranks/rankcount.h"

#include "analysis/functions/resolve.h"
#include "base/radix.h"

/* What rounding leaves of a tick that was divided among functions. */
static const double least_ticks = 1e-6;

struct rank_count rankcount_begin(uint32_t nsyms, double *total, const struct bitset *wanted,
				  struct arena *mem)
{
	return (struct rank_count){
		.nsyms = nsyms,
		.sum = arena_sparse(mem, (size_t)nsyms + 1, sizeof(struct rank_sum)),
		.total = total,
		.wanted = wanted,
		.mem = mem,
	};
}

static struct rank_sum *rankcount_touch(struct rank_count *count, sym_id s)
{
	uint32_t i = s == SYM_NONE ? count->nsyms : s;
	struct rank_sum *sum = &count->sum[i];

	if (!sum->touched) {
		sum->touched = true;
		array_push(count->mem, &count->touched) = i;
	}
	return sum;
}

void rankcount_add(struct rank_count *count, sym_id s, double ticks)
{
	rankcount_touch(count, s)->now += ticks;
}

void rankcount_add_calls(struct rank_count *count, sym_id s, uint64_t calls)
{
	rankcount_touch(count, s)->calls_now += calls;
}

/* Adds n ranks' worth of ticks, of which `rank` has the most. */
static void rankcount_merge_ticks(struct rank_sum *to, const struct rank_sum *from)
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
}

static void rankcount_merge_calls(struct rank_sum *to, const struct rank_sum *from)
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

bool rankcount_is_foreign(const struct rank_count *count)
{
	for (size_t i = 0; i < count->touched.n; i++) {
		uint32_t s = count->touched.at[i];

		if (count->sum[s].calls_now > 0 ||
		    (s != count->nsyms && count->sum[s].now > least_ticks))
			return false;
	}
	return count->now > least_ticks;
}

void rankcount_end_rank(struct rank_count *count, uint32_t rank)
{
	for (size_t i = 0; i < count->touched.n; i++) {
		uint32_t s = count->touched.at[i];
		struct rank_sum *sum = &count->sum[s];
		double now = sum->now > least_ticks ? sum->now : 0.0;
		uint64_t calls = sum->calls_now;
		const struct rank_sum one = { .total = now,
					      .squares = now * now,
					      .min = now,
					      .max = now,
					      .n = now > 0.0,
					      .most = rank,
					      .least = rank,
					      .calls = calls,
					      .min_calls = calls,
					      .max_calls = calls,
					      .ncalls = calls > 0,
					      .most_calls = rank };

		rankcount_merge_ticks(sum, &one);
		sum->next += now > 0.0 && sum->next == rank;
		rankcount_merge_calls(sum, &one);
		if (count->wanted && bitset_has(*count->wanted, s) && (now > 0.0 || calls > 0))
			array_push(count->mem, &count->cells) =
				(struct ranks_cell){ s, rank, now, calls };
		sum->now = 0.0;
		sum->calls_now = 0;
		sum->touched = false;
	}
	count->touched.n = 0;
	count->total[rank] += count->now;
	count->now = 0.0;
}

void rankcount_join(struct rank_count *count, const struct rank_count *more)
{
	for (uint32_t s = 0; s <= count->nsyms; s++) {
		rankcount_merge_ticks(&count->sum[s], &more->sum[s]);
		rankcount_merge_calls(&count->sum[s], &more->sum[s]);
	}
	for (size_t i = 0; i < more->cells.n; i++)
		array_push(count->mem, &count->cells) = more->cells.at[i];
}

/* Where parts of bins go. */
struct rankcount_bins {
	struct rank_count *count;
	struct bitset credited;
	double scale;
	double whole; /* of the bin at hand */
	sym_id only;  /* the symbol that has all of it, or SYM_NONE */
};

/* First comes the whole bin, and each function takes its part away from what is in none. */
static void rankcount_take(const struct resolve_part *part, void *arg)
{
	struct rankcount_bins *bins = arg;
	double ticks = part->ticks * bins->scale;

	if (part->symbol == SYM_NONE) {
		rankcount_add(bins->count, SYM_NONE, ticks);
		bins->count->now += ticks;
		bins->whole = ticks;
		return;
	}
	rankcount_add(bins->count, SYM_NONE, -ticks);
	if (!bitset_has(bins->credited, part->symbol)) {
		bins->count->now -= ticks;
		return;
	}
	rankcount_add(bins->count, part->symbol, ticks);
	if (ticks == bins->whole)
		bins->only = part->symbol;
}

/* Room to know which symbols bins are in, since those of other ranks are, too. */
static void rankcount_remember(struct rank_count *count, const struct hist *hist)
{
	const struct hist *like = &count->like;

	if (count->of_bin && like->lo == hist->lo && like->hi == hist->hi &&
	    like->nbins == hist->nbins)
		return;
	count->like = *hist;
	count->of_bin = arena_sparse(count->mem, hist->nbins, sizeof(*count->of_bin));
}

void rankcount_add_bins(struct rank_count *count, const struct profile *one,
			const struct symtab *symtab, struct bitset credited, double scale)
{
	struct rankcount_bins bins = { count, credited, scale, 0.0, SYM_NONE };
	bool known = one->hists.n == 1;

	if (known)
		rankcount_remember(count, &one->hists.at[0]);
	for (size_t i = 0; i < one->file_ticks.n; i++) {
		const struct file_ticks *bin = &one->file_ticks.at[i];
		uint32_t of_bin = known ? count->of_bin[bin->bin] : 1;

		if (of_bin > 1) {
			double ticks = (double)bin->ticks * scale;

			rankcount_add(count, of_bin - 2, ticks);
			count->now += ticks;
			continue;
		}
		bins.only = SYM_NONE;
		resolve_bin(one, symtab, bin, rankcount_take, &bins);
		if (known)
			count->of_bin[bin->bin] = bins.only == SYM_NONE ? 1 : bins.only + 2;
	}
}

void rankcount_add_arcs(struct rank_count *count, const struct profile *one,
			const struct symtab *symtab, const struct selection *sel)
{
	struct arena scratch = arena_scratch(count->mem);
	size_t n;
	const struct arc *arcs = resolve_arcs(one, symtab, sel, &n, NULL, &scratch);

	for (size_t i = 0; i < n; i++) {
		if (arcs[i].from != arcs[i].to)
			rankcount_add_calls(count, arcs[i].to, arcs[i].ncalls);
	}
	arena_free(&scratch);
}

/* Where the samples of a walk go. */
struct rankcount_stacks {
	struct rank_count *count;
	const struct symbolized_stacks *symbolized;
	const struct rankcount_choice *choice;
	uint32_t *seen; /* of each symbol: the last sample that it was on the stack of */
};

/* What stands for stacks without any function. */
static sym_id rankcount_unknown(const struct symbolized_stacks *symbolized,
				enum stack_quality quality)
{
	return quality == STACK_UNSEEN ? symbolized->unseen
	       : quality == STACK_CUT  ? symbolized->cut
				       : SYM_NONE;
}

/* Each function on the stack counts once. */
static void rankcount_add_callers(struct rankcount_stacks *to, uint32_t node, double ticks,
				  uint32_t mark)
{
	const struct symbolized_stacks *symbolized = to->symbolized;

	for (uint32_t i = node; i != RECORDED_NONE; i = symbolized->recorded->nodes.at[i].parent) {
		sym_id s = symbolized->frame[i];

		if (to->seen[s] == mark || bitset_has(symbolized->skipped, s))
			continue;
		rankcount_add(to->count, s, ticks);
		to->seen[s] = mark;
	}
}

/* What a sample adds to the times; 0 also where it is of no rank. */
static double rankcount_weight(const struct rankcount_choice *choice,
			       const struct recorded_sample *sample)
{
	const struct clock *clock = &choice->clock;

	if (choice->of_thread[sample->thread] == UINT32_MAX || clock_is_idle(clock, sample))
		return 0.0;
	if (sample->kind == clock->kind)
		return (double)sample->ticks;
	return clock->waiting && sample->kind == clock->waiting
		       ? (double)sample->ticks * choice->per_wait
		       : 0.0;
}

static void rankcount_add_sample(struct rankcount_stacks *to, const struct recorded_sample *sample,
				 uint32_t mark)
{
	const struct symbolized_stacks *symbolized = to->symbolized;
	double ticks = rankcount_weight(to->choice, sample);
	uint32_t i = sample->node;
	sym_id s;

	while (i != RECORDED_NONE && bitset_has(symbolized->skipped, symbolized->frame[i]))
		i = symbolized->recorded->nodes.at[i].parent;
	s = i != RECORDED_NONE ? symbolized->frame[i]
			       : rankcount_unknown(symbolized, sample->quality);
	if (s != SYM_NONE && !bitset_has(to->choice->credited, s))
		return;
	to->count->now += ticks;
	if (i != RECORDED_NONE && to->choice->inclusive)
		rankcount_add_callers(to, i, ticks, mark);
	else
		rankcount_add(to->count, s, ticks);
}

void rankcount_walk(struct rank_count *count, const struct symbolized_stacks *symbolized,
		    const struct rankcount_choice *choice)
{
	const struct recorded *r = symbolized->recorded;
	struct arena scratch = arena_scratch(count->mem);
	struct keyed *order = arena_array(&scratch, struct keyed, r->samples.n);
	struct rankcount_stacks to = { count, symbolized, choice,
				       arena_array(&scratch, uint32_t, count->nsyms) };
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		if (rankcount_weight(choice, sample) > 0.0)
			order[n++] = (struct keyed){ choice->of_thread[sample->thread], i };
	}
	sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		rankcount_add_sample(&to, &r->samples.at[order[i].id], i + 1);
		if (i + 1 == n || order[i + 1].key != order[i].key)
			rankcount_end_rank(count, (uint32_t)order[i].key);
	}
	arena_free(&scratch);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run is divided into equal parts, and the time in each counted by function. Of all divisions
 * into two phases, that with the largest likelihood ratio is tested as a table of phases and
 * functions; its p-value is multiplied by the number of divisions. Then the larger gain of its two
 * sides is tested the same way.
 */
#include "config.h"

#include "analysis/when/phases.h"

#include "analysis/top_frames.h"
#include "analysis/when/axis.h"
#include "base/radix.h"

#include <math.h>

enum { PARTS = 100, ROWS = 12, OTHERS = ROWS, COLUMNS, LEAST_PARTS = 5 };

static const double most_p = 0.001, least_difference = 0.25, least_share = 0.4;

/* The time before each part, by function. */
struct phases {
	const struct analysis *a;
	const struct stacks_choice *choice;
	struct axis axis;
	double before[PARTS + 1][COLUMNS];
	double per_sample;
};

/* Returns the nearest function, from a node outward, of the user's own code; SYM_NONE: none. */
static sym_id phases_function(const struct phases *p, uint32_t node)
{
	const struct symbolized_stacks *s = p->choice->symbolized;

	for (; node != RECORDED_NONE; node = s->recorded->nodes.at[node].parent) {
		if (top_frames_is_own(p->a, s->frame[node]))
			return s->frame[node];
	}
	return SYM_NONE;
}

/* Returns the part of the run in which a slice of a sample counts; PARTS: in none. */
static uint32_t phases_part(const struct phases *p, const struct recorded_slice *slice)
{
	const struct recorded *r = p->choice->symbolized->recorded;
	const struct recorded_sample *sample = &r->samples.at[slice->sample];
	const struct axis_line *line = axis_of(&p->axis, r, slice->sample);
	double at;

	if (sample->kind != p->choice->clock.kind || !line->timeline ||
	    slice->slice >= line->timeline->nslices ||
	    (p->choice->threads && !bitset_has(*p->choice->threads, sample->thread)))
		return PARTS;
	at = axis_at(line, slice->slice) + line->slice_s / 2.0;
	return at < p->axis.end ? (uint32_t)(at / p->axis.end * PARTS) : PARTS - 1;
}

/* Fills in the table: a column for each of the functions with most time, and one for all others. */
static void phases_count(struct phases *p, struct arena *scratch)
{
	const struct recorded *r = p->choice->symbolized->recorded;
	uint32_t nsyms = p->choice->symbolized->symtab.nsyms;
	uint64_t *ticks = arena_array(scratch, uint64_t, nsyms);
	uint32_t *column = arena_array(scratch, uint32_t, nsyms);
	sym_id *of = arena_array(scratch, sym_id, r->samples.n);
	struct keyed *order = arena_array(scratch, struct keyed, nsyms);

	for (size_t i = 0; i < r->samples.n; i++) {
		of[i] = phases_function(p, r->samples.at[i].node);
		if (of[i] != SYM_NONE && r->samples.at[i].kind == p->choice->clock.kind)
			ticks[of[i]] += r->samples.at[i].ticks;
	}
	for (uint32_t i = 0; i < nsyms; i++)
		order[i] = (struct keyed){ ~ticks[i], i };
	radix_sort_keyed(order, nsyms, scratch);
	for (uint32_t i = 0; i < nsyms; i++)
		column[order[i].id] = i < ROWS ? i : OTHERS;
	for (size_t i = 0; i < r->slices.n; i++) {
		const struct recorded_slice *slice = &r->slices.at[i];
		uint32_t part = phases_part(p, slice);
		sym_id function = of[slice->sample];

		if (part < PARTS)
			p->before[part + 1][function == SYM_NONE ? OTHERS : column[function]] +=
				(double)slice->ticks;
	}
	for (uint32_t i = 0; i < PARTS; i++) {
		for (uint32_t k = 0; k < COLUMNS; k++)
			p->before[i + 1][k] += p->before[i][k];
	}
}

/* How two neighbouring phases differ. */
struct phases_split {
	uint32_t at;       /* where the second one begins; 0: no division is possible */
	double gain;       /* the likelihood ratio, a chi-square under chance */
	double difference; /* the part of the time that would have to move: 0 to 1 */
	uint32_t rows;     /* functions with time in either */
};

static struct phases_split phases_compare(const struct phases *p, uint32_t from, uint32_t at,
					  uint32_t to)
{
	struct phases_split split = { .at = at };
	double n[2] = { 0.0, 0.0 }, x[2];

	for (uint32_t k = 0; k < COLUMNS; k++) {
		n[0] += p->before[at][k] - p->before[from][k];
		n[1] += p->before[to][k] - p->before[at][k];
	}
	if (n[0] <= 0.0 || n[1] <= 0.0)
		return (struct phases_split){ 0 };
	for (uint32_t k = 0; k < COLUMNS; k++) {
		double share;

		x[0] = p->before[at][k] - p->before[from][k];
		x[1] = p->before[to][k] - p->before[at][k];
		share = (x[0] + x[1]) / (n[0] + n[1]);
		split.rows += share > 0.0;
		for (int side = 0; side < 2; side++) {
			if (x[side] > 0.0)
				split.gain += 2.0 * x[side] * log(x[side] / (n[side] * share));
		}
		split.difference += fabs(x[0] / n[0] - x[1] / n[1]) / 2.0;
	}
	split.gain /= p->per_sample;
	return split;
}

/* The probability that chance alone makes a chi-square of `k` degrees of freedom so large, by the
 * approximation of Wilson and Hilferty. */
static double phases_chance(double x, double k)
{
	double z = (cbrt(x / k) - (1.0 - 2.0 / (9.0 * k))) / sqrt(2.0 / (9.0 * k));

	return 0.5 * erfc(z / sqrt(2.0));
}

/* Returns the best division of [from, to), or one with at == 0 if none is significant. */
static struct phases_split phases_divide(const struct phases *p, uint32_t from, uint32_t to)
{
	struct phases_split best = { 0 };

	for (uint32_t at = from + LEAST_PARTS; at + LEAST_PARTS <= to; at++) {
		struct phases_split split = phases_compare(p, from, at, to);

		if (split.at && split.gain > best.gain)
			best = split;
	}
	if (best.rows < 2 || best.difference < least_difference ||
	    phases_chance(best.gain, best.rows - 1.0) * PARTS > most_p)
		best.at = 0;
	return best;
}

/* Adds each phase's time of each function on its stacks: inclusive[phase * nsyms + symbol]. */
static void phases_include(const struct phases *p, const struct top *top, double *inclusive,
			   double *all, struct arena *scratch)
{
	const struct symbolized_stacks *s = p->choice->symbolized;
	const struct recorded *r = s->recorded;
	uint32_t nsyms = s->symtab.nsyms;
	size_t *seen = arena_array(scratch, size_t, nsyms);

	for (size_t i = 0; i < r->slices.n; i++) {
		const struct recorded_slice *slice = &r->slices.at[i];
		uint32_t part = phases_part(p, slice), phase = 0;
		uint32_t node = r->samples.at[slice->sample].node;

		if (part == PARTS)
			continue;
		while (phase + 1 < top->nphases &&
		       (part + 0.5) / PARTS * p->axis.end > top->phase[phase].to)
			phase++;
		all[phase] += (double)slice->ticks;
		for (; node != RECORDED_NONE; node = r->nodes.at[node].parent) {
			sym_id f = s->frame[node];

			if (seen[f] == i + 1)
				continue;
			seen[f] = i + 1;
			inclusive[(size_t)phase * nsyms + f] += (double)slice->ticks;
		}
	}
}

/* Names each phase by the own function whose share is most above that in all others. */
static void phases_name(const struct phases *p, struct top *top, struct top_phase *phase,
			struct arena *scratch)
{
	uint32_t nsyms = p->choice->symbolized->symtab.nsyms;
	double *inclusive = arena_array(scratch, double, (size_t)TOP_PHASES *nsyms);
	double all[TOP_PHASES] = { 0.0 };

	phases_include(p, top, inclusive, all, scratch);
	for (uint32_t i = 0; i < top->nphases; i++) {
		double best = 0.0;

		phase[i].function = SYM_NONE;
		for (sym_id f = 0; f < nsyms; f++) {
			double share = all[i] > 0.0 ? inclusive[i * nsyms + f] / all[i] : 0.0;
			double other = 0.0;

			if (share < least_share || !top_frames_is_own(p->a, f))
				continue;
			for (uint32_t k = 0; k < top->nphases; k++) {
				if (k != i && all[k] > 0.0)
					other = fmax(other, inclusive[k * nsyms + f] / all[k]);
			}
			if (share - other > best) {
				best = share - other;
				phase[i].function = f;
				phase[i].share = share;
			}
		}
		if (phase[i].function == SYM_NONE)
			top->nphases = 0;
	}
}

void phases_find(struct top *top, const struct analysis *a, const struct stacks_choice *choice,
		 struct arena *mem)
{
	const struct recorded *r = choice->symbolized->recorded;
	struct arena scratch = arena_scratch(mem);
	struct phases *p;
	struct top_phase *phase = arena_array(mem, struct top_phase, TOP_PHASES);
	struct phases_split first, left = { 0 }, right = { 0 };
	uint32_t edge[TOP_PHASES + 1] = { 0 }, n = 0;

	if (r->slices.n == 0)
		return;
	p = arena_array(&scratch, struct phases, 1);
	*p = (struct phases){ .a = a, .choice = choice, .per_sample = fmax(top->per_sample, 1.0) };
	p->axis = axis_make(r, &scratch);
	phases_count(p, &scratch);
	first = phases_divide(p, 0, PARTS);
	if (first.at) {
		left = phases_divide(p, 0, first.at);
		right = phases_divide(p, first.at, PARTS);
		if (left.at && (!right.at || left.gain >= right.gain))
			edge[++n] = left.at;
		edge[++n] = first.at;
		if (right.at && n == 1)
			edge[++n] = right.at;
		edge[++n] = PARTS;
	}
	for (uint32_t i = 0; i < n; i++)
		phase[i] = (struct top_phase){ .from = edge[i] * p->axis.end / PARTS,
					       .to = edge[i + 1] * p->axis.end / PARTS };
	top->phase = phase;
	top->nphases = n;
	if (n > 0)
		phases_name(p, top, phase, &scratch);
	arena_free(&scratch);
}

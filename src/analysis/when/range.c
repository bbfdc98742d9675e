/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/when/range.h"

#include "analysis/when/axis.h"
#include "base/index.h"

#include <math.h>

bool range_is_possible(const struct recorded *r, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	bool *has = arena_array(&scratch, bool, r->nfiles), possible = r->timelines.n > 0;

	for (size_t i = 0; i < r->timelines.n; i++)
		has[r->timelines.at[i].recording] = true;
	for (size_t i = 0; i < r->samples.n; i++)
		possible &= has[r->threads.at[r->samples.at[i].thread].recording];
	arena_free(&scratch);
	return possible;
}

/* Whether the middle of a slice is in the range. */
static bool range_has(const struct range *range, const struct axis_line *line, uint32_t slice)
{
	double middle = axis_at(line, slice) + line->slice_s / 2.0;

	return middle >= range->from && (!range->has_to || middle < range->to);
}

/* Sets the edges: those of the outermost slices inside. */
static void range_set_edges(struct range_chosen *chosen, const struct range *range,
			    const struct axis *axis, const struct recorded *r)
{
	bool any = false;

	for (size_t i = 0; i < r->timelines.n; i++) {
		const struct axis_line *line = &axis->of[r->timelines.at[i].recording];

		chosen->slice_s = fmax(chosen->slice_s, line->slice_s);
		for (uint32_t k = 0; k < line->timeline->nslices; k++) {
			if (!range_has(range, line, k))
				continue;
			chosen->from =
				any ? fmin(chosen->from, axis_at(line, k)) : axis_at(line, k);
			chosen->to = fmax(chosen->to, axis_at(line, k + 1));
			any = true;
		}
	}
	chosen->end = axis->end;
}

/* The part of a number of a thread, or of a stack, that belongs to its ticks in the range. */
static uint64_t range_part(uint64_t number, uint64_t inside, uint64_t all)
{
	return all == 0 ? 0 : (uint64_t)((double)number * ((double)inside / (double)all) + 0.5);
}

/* Ticks of a thread, or of waiting in a stack of a thread. */
struct range_ticks {
	uint32_t node, thread;
	uint64_t all, inside;
};

INDEX_KEY(range_key, struct range_ticks, x->node, x->thread)

static void range_divide_threads(struct recorded *r, const uint64_t *inside, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint64_t *all = arena_array(&scratch, uint64_t, r->threads.n);
	uint64_t *in = arena_array(&scratch, uint64_t, r->threads.n);

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *s = &r->samples.at[i];

		if (s->kind == 0) {
			all[s->thread] += s->ticks;
			in[s->thread] += inside[i];
		}
	}
	array_unshare(mem, &r->threads);
	for (size_t i = 0; i < r->threads.n; i++) {
		struct recorded_thread *t = &r->threads.at[i];

		t->cpu_ns = range_part(t->cpu_ns, in[i], all[i]);
		t->looks = range_part(t->looks, in[i], all[i]);
		t->squares = range_part(t->squares, in[i], all[i]);
		t->runnable_ns = t->life_ns = 0;
	}
	arena_free(&scratch);
}

/* Sets the CPU time of processes to that of their threads; when they ended does not matter. */
static void range_divide_processes(struct recorded *r, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint64_t *cpu_ns = arena_array(&scratch, uint64_t, r->nfiles);

	for (size_t i = 0; i < r->threads.n; i++)
		cpu_ns[r->threads.at[i].recording] += r->threads.at[i].cpu_ns;
	array_unshare(mem, &r->processes);
	for (size_t i = 0; i < r->processes.n; i++) {
		struct recorded_process *process = &r->processes.at[i];

		process->end = process->before_ns = 0;
		process->cpu_ns = cpu_ns[process->recording];
	}
	arena_free(&scratch);
}

static void range_divide_squares(struct recorded *r, const uint64_t *inside, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	ARRAY(struct range_ticks) ticks = { 0 };
	struct index index = { 0 };

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *s = &r->samples.at[i];
		const struct range_ticks of = { s->node, s->thread, 0, 0 };
		uint32_t place;

		if (strcmp(r->kinds.at[s->kind].name, RECORDED_WAITING_KIND) != 0)
			continue;
		place = index_intern(&index, &ticks, &of, range_key, &scratch);
		ticks.at[place].all += s->ticks;
		ticks.at[place].inside += inside[i];
	}
	r->squares_total = 0;
	array_unshare(mem, &r->squares);
	for (size_t i = 0; i < r->squares.n; i++) {
		struct recorded_square *square = &r->squares.at[i];
		const struct range_ticks of = { square->node, square->thread, 0, 0 };
		uint32_t at = index_lookup(&index, ticks.at, range_key, &of);

		square->squares = at == INDEX_NONE
					  ? 0
					  : range_part(square->squares, ticks.at[at].inside,
						       ticks.at[at].all);
		r->squares_total += square->squares;
	}
	arena_free(&scratch);
}

/* Returns the ticks of each sample that are in the range, in scratch; keeps the slices of these. */
static uint64_t *range_inside(struct recorded *r, const struct range *range,
			      const struct axis *axis, struct range_chosen *chosen,
			      struct arena *scratch, struct arena *mem)
{
	uint64_t *inside = arena_array(scratch, uint64_t, r->samples.n);
	uint64_t *timed = arena_array(scratch, uint64_t, r->samples.n);
	struct recorded_slice *kept = arena_array(mem, struct recorded_slice, r->slices.n);
	size_t n = 0;

	for (size_t i = 0; i < r->slices.n; i++) {
		struct recorded_slice slice = r->slices.at[i];
		const struct recorded_sample *s = &r->samples.at[slice.sample];
		const struct axis_line *line = axis_of(axis, r, slice.sample);

		if (!line->timeline || slice.slice >= line->timeline->nslices)
			continue;
		/* A damaged file may have more ticks in slices than in all. */
		if (slice.ticks > s->ticks - timed[slice.sample])
			slice.ticks = s->ticks - timed[slice.sample];
		timed[slice.sample] += slice.ticks;
		if (!range_has(range, line, slice.slice))
			continue;
		inside[slice.sample] += slice.ticks;
		kept[n++] = slice;
	}
	for (size_t i = 0; i < r->samples.n; i++) {
		if (r->samples.at[i].kind != 0)
			continue;
		chosen->timeless += r->samples.at[i].ticks - timed[i];
		chosen->ticks += inside[i];
	}
	r->slices.at = kept;
	r->slices.n = r->slices.max = n;
	return inside;
}

/* Leaves only the samples with ticks in the range. */
static void range_keep(struct recorded *r, const uint64_t *inside, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct recorded_sample *kept = arena_array(mem, struct recorded_sample, r->samples.n);
	uint32_t *place = arena_array(&scratch, uint32_t, r->samples.n), n = 0;

	r->ticks = r->slice_ticks = 0;
	for (size_t i = 0; i < r->samples.n; i++) {
		place[i] = n;
		if (inside[i] == 0)
			continue;
		kept[n] = r->samples.at[i];
		kept[n++].ticks = inside[i];
		r->ticks += inside[i];
	}
	for (size_t i = 0; i < r->slices.n; i++)
		r->slices.at[i].sample = place[r->slices.at[i].sample];
	r->slice_ticks = r->ticks;
	r->samples.at = kept;
	r->samples.n = r->samples.max = n;
	arena_free(&scratch);
}

struct range_chosen range_select(struct recorded *r, const struct range *range, struct arena *mem)
{
	struct range_chosen chosen = { 0 };
	struct arena scratch = arena_scratch(mem);
	struct axis axis = axis_make(r, &scratch);
	const uint64_t *inside;

	range_set_edges(&chosen, range, &axis, r);
	inside = range_inside(r, range, &axis, &chosen, &scratch, mem);
	range_divide_threads(r, inside, mem);
	range_divide_processes(r, mem);
	range_divide_squares(r, inside, mem);
	range_keep(r, inside, mem);
	r->used_ns = 0;
	arena_free(&scratch);
	return chosen;
}

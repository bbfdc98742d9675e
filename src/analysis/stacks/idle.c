/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/stacks/idle.h"

#include "base/radix.h"

/* Percent of a thread's watched time that it waited in one place, from which on it is idle. */
static const double idle_share = 95.0;

/* Returns, for each thread, the longest time that it waited in one place, in ticks. */
static const double *idle_longest(const struct clock *clock, const struct recorded *recorded,
				  struct arena *mem)
{
	size_t n = recorded->samples.n;
	const struct recorded_sample *samples = recorded->samples.at;
	struct keyed *order = arena_array(mem, struct keyed, n);
	double *longest = arena_array(mem, double, recorded->threads.n), sum = 0.0;

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ (uint64_t)samples[i].thread << 32 | samples[i].node, i };
	radix_sort_keyed(order, n, mem);
	for (size_t i = 0; i < n; i++) {
		const struct recorded_sample *sample = &samples[order[i].id];

		if (i == 0 || order[i].key != order[i - 1].key)
			sum = 0.0;
		if (sample->kind == clock->off && sample->node != RECORDED_NONE)
			sum += (double)sample->ticks;
		if (sum > longest[sample->thread])
			longest[sample->thread] = sum;
	}
	return longest;
}

/*
 * Removes from the idle threads, for each recording, the thread that used the most CPU time.
 * Returns how many threads were removed.
 */
static uint32_t idle_keep_busiest(struct bitset idle, const struct recorded *recorded,
				  struct arena *mem)
{
	uint32_t *busiest = arena_array(mem, uint32_t, recorded->nfiles), n = 0;

	memset(busiest, 0xff, recorded->nfiles * sizeof(*busiest));
	for (uint32_t i = 0; i < recorded->threads.n; i++) {
		uint32_t *of = &busiest[recorded->threads.at[i].recording];

		if (*of == RECORDED_NONE ||
		    recorded->threads.at[i].cpu_ns > recorded->threads.at[*of].cpu_ns)
			*of = i;
	}
	for (uint32_t i = 0; i < recorded->nfiles; i++) {
		if (busiest[i] == RECORDED_NONE || !bitset_has(idle, busiest[i]))
			continue;
		bitset_remove(idle, busiest[i]);
		n++;
	}
	return n;
}

void idle_leave_out(struct clock *clock, const struct recorded *recorded, bool keep_busiest,
		    struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const double *longest = idle_longest(clock, recorded, &scratch);
	double rate = recorded->kinds.at[clock->off].unit.rate;
	struct bitset idle = bitset_empty(mem, recorded->threads.n);
	uint32_t nwaiting = 0, nidle = 0;

	for (size_t i = 0; i < recorded->threads.n; i++) {
		double life = (double)recorded->threads.at[i].life_ns / 1e9;

		if (longest[i] <= 0.0)
			continue;
		nwaiting++;
		if (life <= 0.0 || rate <= 0.0 || 100.0 * longest[i] / rate <= idle_share * life)
			continue;
		bitset_add(idle, i);
		nidle++;
	}
	if (keep_busiest)
		nidle -= idle_keep_busiest(idle, recorded, &scratch);
	arena_free(&scratch);
	if (nidle == 0 || nidle == nwaiting)
		return;
	clock->idle = idle;
	clock->nidle = nidle;
}

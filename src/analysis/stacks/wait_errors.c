/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/stacks/wait_errors.h"

#include "analysis/stacks/measure.h"
#include "base/radix.h"

#include <math.h>

/* The most threads that are taken one by one. */
enum { WAIT_ERRORS_THREADS = 16 };

/* A thread's squares. */
struct wait_errors_thread {
	double all;
	uint32_t node; /* of its first record */
	bool any;
	bool divided; /* it was found in several stacks */
};

/* What is needed to add up variances. */
struct wait_errors_maker {
	const struct symbolized_stacks *symbolized;
	struct call_tree_choice choice;
	const uint32_t *group;    /* of each recorded thread, from 0; RECORDED_NONE: nothing is by
				     chance */
	double *self, *inclusive; /* variances of each symbol */
	const struct arena *mem;
};

/* Whether each recording with waiting has squares. */
static bool wait_errors_are_known(const struct recorded *r, uint32_t off, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct bitset known = bitset_empty(&scratch, r->nfiles);
	bool all = r->squares.n > 0;

	for (size_t i = 0; i < r->squares.n; i++)
		bitset_add(known, r->threads.at[r->squares.at[i].thread].recording);
	for (size_t i = 0; i < r->samples.n && all; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		all = sample->kind != off || sample->ticks == 0 ||
		      bitset_has(known, r->threads.at[sample->thread].recording);
	}
	arena_free(&scratch);
	return all;
}

static struct wait_errors_thread *wait_errors_threads(const struct recorded *r, struct arena *mem)
{
	struct wait_errors_thread *threads =
		arena_array(mem, struct wait_errors_thread, r->threads.n);

	for (size_t i = 0; i < r->squares.n; i++) {
		const struct recorded_square *square = &r->squares.at[i];
		struct wait_errors_thread *thread = &threads[square->thread];

		if (!thread->any)
			thread->node = square->node;
		thread->divided |= thread->any && square->node != thread->node;
		thread->any = true;
		thread->all += (double)square->squares;
	}
	return threads;
}

/*
 * Sets the group of each thread: those with the largest squares have one each, all others share the
 * last one. Returns the number of groups.
 */
static uint32_t wait_errors_group(struct wait_errors_maker *m, struct arena *mem)
{
	const struct recorded *r = m->symbolized->recorded;
	const struct wait_errors_thread *threads = wait_errors_threads(r, mem);
	uint32_t *group = arena_array(mem, uint32_t, r->threads.n), n = 0;
	struct keyed *order = arena_array(mem, struct keyed, r->threads.n);

	for (uint32_t i = 0; i < r->threads.n; i++) {
		group[i] = RECORDED_NONE;
		if (threads[i].divided)
			order[n++] = (struct keyed){ radix_key_descending(threads[i].all), i };
	}
	radix_sort_keyed(order, n, mem);
	for (uint32_t i = 0; i < n; i++)
		group[order[i].id] = i < WAIT_ERRORS_THREADS ? i : WAIT_ERRORS_THREADS;
	m->group = group;
	return n < WAIT_ERRORS_THREADS ? n : WAIT_ERRORS_THREADS + 1;
}

/* Adds the variances of one group: its squares take the place of the samples. */
static void wait_errors_add(struct wait_errors_maker *m, uint32_t group)
{
	const struct recorded *r = m->symbolized->recorded;
	uint32_t nsyms = m->symbolized->symtab.nsyms;
	struct arena scratch = arena_scratch(m->mem);
	struct symbolized_stacks symbolized = *m->symbolized;
	struct recorded squares = *r;
	struct measured measured;
	struct stacks tree;
	double all = 0.0;

	squares.samples.at = arena_array(&scratch, struct recorded_sample, r->squares.n);
	squares.samples.n = 0;
	for (size_t i = 0; i < r->squares.n; i++) {
		const struct recorded_square *square = &r->squares.at[i];

		if (m->group[square->thread] != group)
			continue;
		all += (double)square->squares;
		squares.samples.at[squares.samples.n++] = (struct recorded_sample){
			.node = square->node,
			.thread = square->thread,
			.kind = m->choice.clock.kind,
			.quality = square->node == RECORDED_NONE ? STACK_UNSEEN : STACK_COMPLETE,
			.ticks = square->squares
		};
	}
	symbolized.recorded = &squares;
	tree = call_tree_make(&symbolized, &m->choice, NULL, &scratch);
	measured = measure_stacks(&tree, nsyms, &scratch);
	for (sym_id s = 0; s < nsyms && all > 0.0; s++) {
		double self = (double)measured.self[s], inclusive = (double)measured.inclusive[s];

		m->self[s] += self * fmax(all - self, 0.0) / all;
		m->inclusive[s] += inclusive * fmax(all - inclusive, 0.0) / all;
	}
	arena_free(&scratch);
}

struct wait_errors wait_errors_make(const struct symbolized_stacks *symbolized,
				    const struct call_tree_choice *shown, struct arena *mem)
{
	struct wait_errors_maker m = { .symbolized = symbolized, .choice = *shown, .mem = mem };
	uint32_t nsyms = symbolized->symtab.nsyms, off = shown->clock.off, ngroups;
	struct arena scratch = arena_scratch(mem);

	if (off == 0 || !wait_errors_are_known(symbolized->recorded, off, mem))
		return (struct wait_errors){ NULL, NULL };
	m.choice.clock.kind = off;
	m.choice.clock.waiting = 0;
	m.self = arena_array(mem, double, nsyms);
	m.inclusive = arena_array(mem, double, nsyms);
	ngroups = wait_errors_group(&m, &scratch);
	for (uint32_t i = 0; i < ngroups; i++)
		wait_errors_add(&m, i);
	for (sym_id s = 0; s < nsyms; s++) {
		m.self[s] = sqrt(m.self[s]);
		m.inclusive[s] = sqrt(m.inclusive[s]);
	}
	arena_free(&scratch);
	return (struct wait_errors){ m.self, m.inclusive };
}

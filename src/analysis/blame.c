/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stack becomes the place in the user's own code that is nearest to its end, since whoever waits
 * or has a lock does so in the C library:
 *
 *     main > serve > pthread_mutex_lock > [waiting: futex]      serve, at the line of the call
 *
 * Of those who have a lock, it is the nearest function that has been seen waiting for the same
 * lock, if there is one: that took the lock, and what it calls may be called by all.
 *
 *     main > flush > compress > copy      flush, at the line of the call of compress
 *
 * Places, with their lines, and locks are numbered; then equal pairs are added up.
 */
#include "config.h"

#include "analysis/blame.h"

#include "analysis/top_frames.h"
#include "base/index.h"
#include "base/radix.h"
#include "base/strtable.h"

#include <string.h>

/* What is added up: what a waiter waited for a lock of a holder, each at one line. */
struct blame_part {
	struct blame_place holder, waiter;
	struct blame_lock lock;
	enum blame_end end;
	double ticks;
};

/* Sums of parts, by function. `most` are the ticks of the line that is kept. */
struct blame_sum {
	struct blame_place holder, waiter;
	struct blame_lock lock;
	double ticks, most_of_holder, most_of_waiter;
	enum blame_end end;
	bool more; /* there may be locks beside the lock.n */
};

/* A lock of a sum. */
struct blame_counted {
	uint32_t sum, module;
	uint64_t address;
};

struct blame_maker {
	const struct blame_input *in;
	struct strtable texts;
	ARRAY(struct blame_part) parts;
	struct index parts_index;
	uint32_t *part_of; /* of each recorded_hold, the part that has it */
	ARRAY(struct blame_sum) waits, holders;
	struct index waits_index, holders_index;
	ARRAY(struct blame_counted) counted;
	struct index counted_index;
	ARRAY(struct blame_deadlock) deadlocks;
	struct arena *mem, *scratch;
};

INDEX_KEY(blame_part_key, struct blame_part,
	  (uint64_t)x->holder.function << 32 | x->waiter.function, x->holder.line.line,
	  x->waiter.line.line, (uintptr_t)x->lock.name + x->lock.first.line.line + x->end)

static bool blame_places_equal(const struct blame_place *x, const struct blame_place *y)
{
	return x->function == y->function && x->line.file == y->line.file &&
	       x->line.line == y->line.line;
}

static bool blame_part_is(const void *parts, size_t place, const void *wanted)
{
	const struct blame_part *x = (const struct blame_part *)parts + place, *y = wanted;

	return x->end == y->end && blame_places_equal(&x->holder, &y->holder) &&
	       blame_places_equal(&x->waiter, &y->waiter) && x->lock.name == y->lock.name &&
	       blame_places_equal(&x->lock.first, &y->lock.first);
}

INDEX_KEY(blame_wait_key, struct blame_sum, (uint64_t)x->holder.function << 32 | x->waiter.function,
	  (uint64_t)(uintptr_t)x->lock.name << 2 | x->end, (uintptr_t)x->lock.first.line.file,
	  (uint64_t)x->lock.first.line.line << 32 | x->lock.first.function)

INDEX_KEY(blame_holder_key, struct blame_sum, x->holder.function, x->end == BLAME_UNWOKEN)

INDEX_KEY(blame_counted_key, struct blame_counted, x->sum, x->module, x->address)

/* Returns the address of a node's code in the address space; 0: it is in no code. */
static uint64_t blame_pc(const struct symbolized_stacks *stacks, uint32_t node)
{
	const struct recorded_node *at = &stacks->recorded->nodes.at[node];
	const struct address_space *space = &stacks->address_space;

	if (at->module == RECORDED_NONE)
		return 0;
	if (at->module == space->own)
		return at->address;
	return space->base + at->module * ADDRESS_SPACE_STRIDE + at->address;
}

static bool blame_is_wait(const struct symbolized_stacks *stacks, sym_id s)
{
	const struct address_space *space = &stacks->address_space;

	return s >= space->waits && s - space->waits < space->nwaits;
}

enum { BLAME_WORD = 4 /* bytes of a futex */ };

/* A function that was seen waiting for a lock. */
struct blame_taker {
	uint64_t lock;
	uint32_t module;
	sym_id function;
};

INDEX_KEY(blame_taker_key, struct blame_taker, x->lock, x->module, x->function)

struct blame_locator {
	const struct analysis *a;
	const struct symbolized_stacks *stacks;
	ARRAY(struct blame_taker) takers;
	struct index index;
};

/* Whether a function was seen waiting for a lock. A rwlock has a word for readers, and next to it
 * one for writers. */
static bool blame_takes(const struct blame_locator *l, const struct recorded_hold *hold, sym_id s)
{
	const uint64_t locks[] = { hold->lock, hold->lock - BLAME_WORD, hold->lock + BLAME_WORD };

	for (size_t i = 0; hold->lock != 0 && i < sizeof(locks) / sizeof(locks[0]); i++) {
		const struct blame_taker taker = { locks[i], hold->module, s };

		if (index_lookup(&l->index, l->takers.at, blame_taker_key, &taker) != INDEX_NONE)
			return true;
	}
	return false;
}

/* Returns where the stack that ends in a node is. `held`: of which lock it is that of the holder;
 * or NULL. */
static struct blame_at blame_locate_node(const struct blame_locator *l, uint32_t node,
					 const struct recorded_hold *held)
{
	const struct symbolized_stacks *stacks = l->stacks;
	struct blame_at at = { .function = SYM_NONE }, end = at;

	for (; node != RECORDED_NONE; node = stacks->recorded->nodes.at[node].parent) {
		sym_id s = stacks->frame[node];

		if (s == SYM_NONE || blame_is_wait(stacks, s) || bitset_has(stacks->skipped, s))
			continue;
		if (end.function == SYM_NONE)
			end.function = s;
		if (!top_frames_is_own(l->a, s))
			continue;
		if (!held || blame_takes(l, held, s))
			return (struct blame_at){ s, blame_pc(stacks, node) };
		if (at.function == SYM_NONE)
			at = (struct blame_at){ s, blame_pc(stacks, node) };
	}
	return at.function != SYM_NONE ? at : end;
}

const struct blame_places *blame_locate(const struct analysis *a,
					const struct symbolized_stacks *stacks, struct arena *mem)
{
	const struct recorded *rec = stacks->recorded;
	struct blame_places *places = arena_array(mem, struct blame_places, rec->holds.n);
	struct arena scratch = arena_scratch(mem);
	struct blame_locator l = { .a = a, .stacks = stacks };

	for (size_t i = 0; i < rec->holds.n; i++) {
		const struct recorded_hold *hold = &rec->holds.at[i];
		struct blame_taker taker = { hold->lock, hold->module, SYM_NONE };

		places[i].first = blame_locate_node(&l, hold->first, NULL);
		places[i].waiter = blame_locate_node(&l, hold->waiter, NULL);
		taker.function = places[i].waiter.function;
		if (taker.function != SYM_NONE)
			index_intern(&l.index, &l.takers, &taker, blame_taker_key, &scratch);
	}
	for (size_t i = 0; i < rec->holds.n; i++)
		places[i].holder =
			blame_locate_node(&l, rec->holds.at[i].holder, &rec->holds.at[i]);
	arena_free(&scratch);
	return places;
}

/* Returns for how many seconds threads waited in futex(), for whatever that was. */
static double blame_futex_s(const struct symbolized_stacks *stacks)
{
	const struct recorded *rec = stacks->recorded;
	uint32_t kind = clock_find(rec, RECORDED_WAITING_KIND);
	double ticks = 0.0;

	for (size_t i = 0; kind != 0 && i < rec->samples.n; i++) {
		const struct recorded_sample *sample = &rec->samples.at[i];
		sym_id s = sample->node == RECORDED_NONE ? SYM_NONE : stacks->frame[sample->node];

		if (sample->kind == kind && s != SYM_NONE && blame_is_wait(stacks, s) &&
		    strstr(stacks->symtab.sym[s].name, "futex"))
			ticks += (double)sample->ticks;
	}
	return kind != 0 ? ticks / (double)rec->kinds.at[kind].unit.rate : 0.0;
}

/* Returns the line in the function itself of an address: of the call, if code was inlined there. */
static struct location blame_line(struct blame_maker *m, uint64_t pc)
{
	const struct line_table *lines = m->in->lines;
	const struct line_row *row = pc != 0 ? line_table_find(lines, pc) : NULL;
	struct location line = { NULL, 0 };

	if (row) {
		line = (struct location){ row->file, row->line };
		for (uint32_t c = row->caller; c != 0; c = lines->caller[c].caller)
			line = (struct location){ lines->caller[c].file, lines->caller[c].line };
	}
	line.file = strtable_add(&m->texts, line.file);
	return line;
}

static struct blame_place blame_place(struct blame_maker *m, const struct blame_at *at)
{
	return (struct blame_place){ at->function, blame_line(m, at->pc) };
}

/* Returns where a lock was in its process; 0: not known. */
static uint64_t blame_address(const struct recorded *rec, const struct recorded_hold *hold)
{
	uint64_t bias = hold->module == RECORDED_NONE ? 0 : rec->modules.at[hold->module].bias;

	return hold->lock == 0 || rec->nfiles > 1 ? 0 : hold->lock + bias;
}

static struct blame_lock blame_lock(struct blame_maker *m, size_t i)
{
	const struct recorded *rec = m->in->stacks->recorded;
	uint64_t address = blame_address(rec, &rec->holds.at[i]);

	if (m->in->lock[i])
		return (struct blame_lock){ .name = strtable_add(&m->texts, m->in->lock[i]),
					    .first = { .function = SYM_NONE } };
	return (struct blame_lock){ .first = blame_place(m, &m->in->places[i].first),
				    .n = address != 0,
				    .address = address };
}

/* Adds a part to the sum of a row, and keeps the lines with most of it. */
static void blame_add_up(struct blame_sum *sum, const struct blame_part *part)
{
	sum->ticks += part->ticks;
	if (part->ticks > sum->most_of_holder) {
		sum->most_of_holder = part->ticks;
		sum->holder.line = part->holder.line;
	}
	if (part->ticks > sum->most_of_waiter) {
		sum->most_of_waiter = part->ticks;
		sum->waiter.line = part->waiter.line;
	}
}

/* Adds a lock to those of a sum. */
static void blame_count_lock(struct blame_maker *m, uint32_t sum, const struct recorded_hold *hold)
{
	const struct blame_counted lock = { sum, hold->module, hold->lock };
	struct blame_lock *of = &m->waits.at[sum].lock;
	uint32_t n = (uint32_t)m->counted.n;

	if (hold->lock == 0) {
		m->waits.at[sum].more = true;
	} else if (index_intern(&m->counted_index, &m->counted, &lock, blame_counted_key,
				m->scratch) == n) {
		of->n++;
		of->address = blame_address(m->in->stacks->recorded, hold);
	}
}

/*
 * Counts the locks of all sums that have no name. One of another process, or of another run, has
 * another address, so those of several recordings are not told apart.
 */
static void blame_count_locks(struct blame_maker *m, const uint32_t *wait_of)
{
	const struct recorded *rec = m->in->stacks->recorded;

	for (size_t i = 0; i < rec->holds.n; i++)
		blame_count_lock(m, wait_of[m->part_of[i]], &rec->holds.at[i]);
	for (size_t i = 0; i < m->waits.n; i++) {
		struct blame_sum *sum = &m->waits.at[i];

		if (sum->lock.name || sum->more || rec->nfiles > 1)
			sum->lock.n = 0;
		if (sum->lock.n != 1)
			sum->lock.address = 0;
	}
}

static void blame_add_parts(struct blame_maker *m)
{
	uint32_t *wait_of = arena_array(m->scratch, uint32_t, m->parts.n);

	for (size_t i = 0; i < m->parts.n; i++) {
		const struct blame_part *part = &m->parts.at[i];
		const struct blame_sum wanted = { .holder = part->holder,
						  .waiter = part->waiter,
						  .end = part->end,
						  .lock = { .name = part->lock.name,
							    .first = part->lock.first } };
		uint32_t wait = index_intern(&m->waits_index, &m->waits, &wanted, blame_wait_key,
					     m->scratch);
		uint32_t holder = index_intern(&m->holders_index, &m->holders, &wanted,
					       blame_holder_key, m->scratch);

		blame_add_up(&m->waits.at[wait], part);
		blame_add_up(&m->holders.at[holder], part);
		wait_of[i] = wait;
	}
	blame_count_locks(m, wait_of);
}

static enum blame_end blame_end(const struct recorded_hold *hold)
{
	return !(hold->flags & HOLD_WAKER)  ? BLAME_LOCK
	       : hold->flags & HOLD_UNWOKEN ? BLAME_UNWOKEN
					    : BLAME_WOKEN;
}

/* Who will wake those who still wait is not known: the record has a guess. */
static struct blame_place blame_holder(struct blame_maker *m, size_t i)
{
	const struct recorded_hold *hold = &m->in->stacks->recorded->holds.at[i];

	if (blame_end(hold) == BLAME_UNWOKEN)
		return (struct blame_place){ .function = SYM_NONE };
	return blame_place(m, &m->in->places[i].holder);
}

/* Adds the parts that the recording has. */
static void blame_read(struct blame_maker *m, struct blame *blame)
{
	const struct recorded *rec = m->in->stacks->recorded;

	m->part_of = arena_array(m->scratch, uint32_t, rec->holds.n);
	for (size_t i = 0; i < rec->holds.n; i++) {
		const struct recorded_hold *hold = &rec->holds.at[i];
		const struct blame_places *places = &m->in->places[i];
		struct blame_part part = { .holder = blame_holder(m, i),
					   .waiter = blame_place(m, &places->waiter),
					   .lock = blame_lock(m, i),
					   .end = blame_end(hold) };
		uint32_t place = index_intern_same(&m->parts_index, &m->parts, &part,
						   blame_part_key, blame_part_is, m->scratch);

		m->part_of[i] = place;
		m->parts.at[place].ticks += (double)hold->ticks;
		if (part.end != BLAME_LOCK) {
			*(part.end == BLAME_WOKEN ? &blame->woken : &blame->unwoken) +=
				(double)hold->ticks;
			continue;
		}
		blame->total += (double)hold->ticks;
		if (hold->holder != RECORDED_NONE)
			blame->known += (double)hold->ticks;
		if (hold->flags & HOLD_DEADLOCK)
			array_push(m->mem, &m->deadlocks) =
				(struct blame_deadlock){ part.waiter, part.holder, part.lock };
	}
}

/* Sorts n sums, the most first, those without a holder last; returns their indices, in scratch. */
static struct keyed *blame_sort(struct blame_maker *m, const struct blame_sum *sums, uint32_t n)
{
	struct keyed *order = arena_array(m->scratch, struct keyed, n);

	for (uint32_t i = 0; i < n; i++) {
		bool known = sums[i].holder.function != SYM_NONE;

		order[i] = (struct keyed){ radix_key_descending(known ? sums[i].ticks : 0.0), i };
	}
	radix_sort_keyed(order, n, m->scratch);
	return order;
}

/* Sets the waits of all rows, which are the holders in their order. */
static void blame_set_waits(struct blame_maker *m, struct blame_row *rows,
			    const struct keyed *holders)
{
	const struct keyed *order = blame_sort(m, m->waits.at, (uint32_t)m->waits.n);
	uint32_t *row_of = arena_array(m->scratch, uint32_t, m->holders.n);
	ARRAY(struct blame_wait) *waits = arena_alloc(m->scratch, m->holders.n, sizeof(*waits));

	for (uint32_t i = 0; i < m->holders.n; i++)
		row_of[holders[i].id] = i;
	for (size_t i = 0; i < m->waits.n; i++) {
		const struct blame_sum *sum = &m->waits.at[order[i].id];
		uint32_t row = row_of[index_lookup(&m->holders_index, m->holders.at,
						   blame_holder_key, sum)];

		array_push(m->mem, &waits[row]) =
			(struct blame_wait){ sum->waiter, sum->lock, sum->end, sum->ticks };
		rows[row].wait = waits[row].at;
		rows[row].nwaits = (uint32_t)waits[row].n;
	}
}

struct blame blame_make(const struct blame_input *input, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct blame_maker m = {
		.in = input, .texts = { .mem = mem }, .mem = mem, .scratch = &scratch
	};
	const struct recorded *rec = input->stacks->recorded;
	uint32_t kind = clock_find(rec, RECORDED_BLAME_KIND);
	struct blame blame = { .rate = kind != 0 ? (double)rec->kinds.at[kind].unit.rate : 1.0 };
	const struct keyed *order;
	struct blame_row *rows;

	blame_read(&m, &blame);
	blame_add_parts(&m);
	order = blame_sort(&m, m.holders.at, (uint32_t)m.holders.n);
	rows = arena_array(mem, struct blame_row, m.holders.n);
	for (size_t i = 0; i < m.holders.n; i++) {
		const struct blame_sum *sum = &m.holders.at[order[i].id];

		rows[i] = (struct blame_row){ .holder = sum->holder,
					      .unwoken = sum->end == BLAME_UNWOKEN,
					      .ticks = sum->ticks };
	}
	blame_set_waits(&m, rows, order);
	blame.row = rows;
	blame.nrows = (uint32_t)m.holders.n;
	blame.deadlock = m.deadlocks.at;
	blame.ndeadlocks = (uint32_t)m.deadlocks.n;
	blame.rest_s = blame_futex_s(input->stacks) -
		       (blame.total + blame.woken + blame.unwoken) / blame.rate;
	arena_free(&scratch);
	return blame;
}

/* SPDX-License-Identifier: MIT */
/* Who waited for whom. See holds.h. */
#include "record/holds.h"

#include <stddef.h>

#include "base/sys.h"
#include "base/wide.h"
#include "count/count_block.h"
#include "record/tree.h"
#include "state.h"

enum {
	HOLDS_ROOM = 4096,  /* records */
	HOLDS_LOCKS = 4096, /* locks of which it is known who first waited for them */
	HOLDS_PROBES = 32,  /* entries of the table of locks in which one lock may be */
};

_Static_assert(sizeof(struct gmon_ext_hold) == 40, "the same for all pointer widths");

struct holds_block {
	struct count_block head; /* word: HOLDS_ROOM */
	_Alignas(64) struct gmon_ext_hold hold[HOLDS_ROOM];
};

_Static_assert(offsetof(struct holds_block, hold) == GMON_LIVE_BLOCK_HEAD, "see gmon_live.h");

/* A lock, and the node of the first stack that was seen waiting for it. */
struct holds_lock {
	uintptr_t at; /* 0: none */
	uint32_t first;
};

void holds_start(void)
{
	gmon.holds.lock = sys_memory(HOLDS_LOCKS * sizeof(gmon.holds.lock[0]) +
				     HOLDS_ROOM * sizeof(gmon.holds.added[0]));
	if (!gmon.holds.lock)
		return;
	gmon.holds.added = (uint32_t *)(gmon.holds.lock + HOLDS_LOCKS);
	gmon.holds.block =
		count_block_new(GMON_LIVE_HOLDS, sizeof(struct holds_block), HOLDS_ROOM, 0);
}

static uint32_t holds_hash(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ b << 29) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)((x ^ x >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

/* Returns the node where the first stack that waited for a lock ends; TREE_ROOT: not known. */
static uint32_t holds_first(const struct hold *hold)
{
	uint32_t at = holds_hash(hold->lock, 0);

	for (uint32_t i = 0; hold->lock && i < HOLDS_PROBES; i++) {
		struct holds_lock *lock = &gmon.holds.lock[(at + i) % HOLDS_LOCKS];

		if (lock->at == hold->lock)
			return lock->first;
		if (lock->at)
			continue;
		*lock = (struct holds_lock){ hold->lock, hold->waiter };
		return lock->first;
	}
	return TREE_ROOT;
}

/* Whether a place has the record, or takes it because it is free. */
static bool holds_is(struct gmon_ext_hold *place, const struct hold *hold, uint32_t first)
{
	if (!wide_load(&place->ticks)) {
		place->waiter = hold->waiter;
		place->holder = hold->holder;
		place->first = first;
		place->module = GMON_EXT_NONE;
		place->lock = hold->lock;
		place->flags = hold->flags;
		return true;
	}
	return place->waiter == hold->waiter && place->holder == hold->holder &&
	       place->first == first && place->lock == hold->lock && place->flags == hold->flags;
}

static bool holds_add_at(const struct hold *hold, uint32_t first, uint64_t us)
{
	uint32_t at = holds_hash((uint64_t)hold->waiter << 32 | hold->holder,
				 hold->lock + first + hold->flags);

	for (uint32_t i = 0; i < HOLDS_PROBES; i++) {
		const uint32_t number = 1 + (at + i) % (HOLDS_ROOM - 1);
		struct gmon_ext_hold *place = &gmon.holds.block->hold[number];

		if (!holds_is(place, hold, first))
			continue;
		gmon.holds.added[number] = gmon.holds.round;
		wide_store(&place->ticks, wide_load(&place->ticks) + us);
		return true;
	}
	return false;
}

void holds_add(const struct hold *hold, uint64_t us)
{
	const struct hold of_any_lock = { hold->waiter, hold->holder, 0, hold->flags };
	uint32_t first;
	uint64_t *rest;

	if (!gmon.holds.block || !us)
		return;
	first = holds_first(hold);
	if (holds_add_at(hold, first, us) || holds_add_at(&of_any_lock, first, us))
		return;
	rest = &gmon.holds.block->hold[0].ticks;
	wide_store(rest, wide_load(rest) + us);
}

void holds_begin_round(uint32_t round)
{
	gmon.holds.round = round;
}

/* Moves at most so many microseconds from one record to that with other flags. */
static uint64_t holds_move_from(struct gmon_ext_hold *from, uint32_t flags, uint64_t us)
{
	const struct hold to = { from->waiter, from->holder, (uintptr_t)from->lock, flags };
	const uint64_t has = wide_load(&from->ticks), moved = has < us ? has : us;

	if (!holds_add_at(&to, from->first, moved))
		return 0;
	wide_store(&from->ticks, has - moved);
	return moved;
}

uint64_t holds_move(const struct holds_choice *from, uint32_t flags, uint64_t us)
{
	uint64_t moved = 0;

	for (int older = 0; older < 2; older++)
		for (uint32_t i = 1; i < holds_room() && moved < us; i++) {
			struct gmon_ext_hold *hold = &gmon.holds.block->hold[i];

			if (wide_load(&hold->ticks) && hold->waiter == from->waiter &&
			    hold->flags == from->flags &&
			    (gmon.holds.added[i] < from->since) == older)
				moved += holds_move_from(hold, flags, us - moved);
		}
	return moved;
}

void holds_zero(void)
{
	for (uint32_t i = 0; i < holds_room(); i++)
		wide_store(&gmon.holds.block->hold[i].ticks, 0);
}

void holds_forked(void)
{
	for (uint32_t i = 0; gmon.holds.lock && i < HOLDS_LOCKS; i++)
		gmon.holds.lock[i].at = 0;
}

uint32_t holds_room(void)
{
	return gmon.holds.block ? HOLDS_ROOM : 0;
}

bool holds_copy(uint32_t i, struct gmon_ext_hold *to)
{
	const struct gmon_ext_hold *from = &gmon.holds.block->hold[i];

	to->ticks = wide_load(&from->ticks);
	to->waiter = from->waiter;
	to->holder = from->holder;
	to->first = from->first;
	to->module = GMON_EXT_NONE;
	to->lock = from->lock;
	to->flags = from->flags;
	to->zero = 0;
	return to->ticks;
}

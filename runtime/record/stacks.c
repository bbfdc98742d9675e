/* SPDX-License-Identifier: MIT */
/* Call stacks: from the unwinder into the tree. See stacks.h. */
#include "record/stacks.h"

#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"
#include "count/count_block.h"
#include "record/modules.h"
#include "record/thread_records.h"
#include "record/tree.h"
#include "sample/clock.h"
#include "state.h"
#include "unwind/unwind.h"

enum { STACKS_CELLS = 64, STACKS_NAME_EVERY = 64 /* samples */ };

/* A function of the thread's newest stack. */
struct stack_place {
	uintptr_t address;
	uint32_t node;
};

/* What a thread has, for the handlers of its owners, one after the other. */
struct stack {
	struct unwinder *unwinder;
	struct table *table; /* the newest */
	uint64_t owner;      /* as thread->owner was when `record` was made; 0: there is none */
	uint32_t generation; /* as thread->generation */
	uint32_t record;     /* of the owner in the roster */
	uint64_t since_ns;   /* what the owner had used when it was first recorded */
	uint64_t nsamples;   /* of the owner */

	/* The newest sample and its cell, for stacks_add_rest(). */
	uintptr_t pc, from, self;

	/* The newest stack, outermost function first; and how many of it, from there on, are in
	 * modules that stay. */
	uint32_t nstaying;
	struct stack_place place[]; /* one more than the depth, for a gap */
};

bool stacks_wanted(void)
{
	return gmon.settings.stacks && unwind_known();
}

void stacks_prepare(void)
{
	if (stacks_wanted())
		unwind_prepare();
	else if (gmon.settings.stacks)
		text_complain("GMON=stacks: not for this kind of machine: no call stacks", NULL, 0);
}

void stacks_start(void)
{
	if (!stacks_wanted())
		return;
	gmon.stacks.on = modules_on() && tree_start(gmon.settings.stacks) && thread_records_start();
	if (!gmon.stacks.on)
		text_complain("GMON=stacks: no memory: no call stacks", NULL, 0);
}

static struct stack *stacks_new(struct unwinder *make(uint32_t depth))
{
	uint32_t depth = gmon.settings.depth;
	size_t bytes = sizeof(struct stack) + (depth + 1) * sizeof(struct stack_place);
	struct stack *stack = sys_memory(bytes);

	if (!stack)
		return NULL;
	stack->unwinder = make(depth);
	stack->table = stack->unwinder ? table_new(GMON_LIVE_SAMPLES, STACKS_CELLS) : NULL;
	/* What the unwinder had stays; where there is no memory it is of no use to anybody. */
	if (!stack->table) {
		sys_munmap(stack, bytes);
		return NULL;
	}
	stack->generation = gmon.generation;
	return stack;
}

/* A thread's first. */
static struct stack *stacks_give(struct thread *thread)
{
	struct stack *stack = stacks_new(unwind_new);

	if (stack)
		__atomic_store_n(&thread->stack, stack, __ATOMIC_RELEASE);
	return stack;
}

/* What was counted before a fork is not this process's. */
static void stacks_renew(struct stack *stack)
{
	struct table *older;

	for (struct table *table = stack->table; table; table = older) {
		older = table->older;
		table_renew(table);
	}
	stack->owner = 0;
	stack->nstaying = 0;
	stack->pc = 0;
	stack->generation = gmon.generation;
}

/* The thread is not the one that had its samples here before. */
static void stacks_meet(struct stack *stack, const struct thread *thread, uint64_t owner)
{
	unwind_renew(stack->unwinder);
	/* The helper may have met it before. */
	stack->record =
		gmon.offcpu.on ? thread_records_find((int32_t)owner) : THREAD_RECORDS_UNKNOWN;
	if (stack->record == THREAD_RECORDS_UNKNOWN)
		stack->record = thread_records_add((int32_t)owner);
	stack->pc = 0;
	stack->since_ns = thread->clock.armed ? clock_armed_ns(&thread->clock) : 0;
	stack->nsamples = 0;
	stack->owner = owner;
}

/* Into the shared file, if that has come since. */
static void stacks_settle(struct stack *stack)
{
	for (struct table *table = stack->table; gmon.live_late && table; table = table->older)
		count_block_settle(&table->head);
}

/* The calling thread's, or NULL: no memory. */
static struct stack *stacks_own(void)
{
	struct thread *thread = thread_self();
	struct stack *stack;
	uint64_t owner;

	if (!thread) {
		thread_begin();
		thread = thread_self();
		if (!thread)
			return NULL;
	}
	stack = thread->stack ? thread->stack : stacks_give(thread);
	if (!stack)
		return NULL;
	owner = wide_load(&thread->owner);
	if (stack->generation != gmon.generation)
		stacks_renew(stack);
	if (stack->owner != owner)
		stacks_meet(stack, thread, owner);
	stacks_settle(stack);
	/* Names change, early mostly. */
	stack->nsamples++;
	if ((stack->nsamples & (stack->nsamples - 1)) == 0 ||
	    stack->nsamples % STACKS_NAME_EVERY == 0)
		thread_records_name(stack->record);
	if (!sandbox_closed())
		thread_records_cpu(stack->record, clock_thread_ns(0) - stack->since_ns);
	return stack;
}

/*
 * The node of an address that a stack has at a place, below its caller's. 0: no room. What the
 * newest stack had there is it again, as long as all was the same up to there: then *same.
 */
static uint32_t stacks_place(struct stack *stack, uint32_t at, uintptr_t address, bool *same,
			     struct modules_recent *recent)
{
	struct stack_place *place = &stack->place[at];
	uint32_t parent = at ? place[-1].node : TREE_ROOT;
	uint32_t module;

	*same = *same && at < stack->nstaying && place->address == address &&
		tree_node(place->node)->address == address;
	if (*same)
		return place->node;
	module = modules_at(address, recent);
	place->address = address;
	place->node = tree_child(parent, address, module);
	if (at < stack->nstaying)
		stack->nstaying = at;
	if (at == stack->nstaying && (module == GMON_EXT_NONE || modules_stay(module)))
		stack->nstaying = at + 1;
	return place->node;
}

/* How many functions lie outside of what is missing; 0: nothing is. */
static uint32_t stacks_gap(const struct unwound *seen)
{
	return seen->n - seen->gap;
}

/* What is at a place of a stack, outermost function first. */
static uintptr_t stacks_address(const struct unwound *seen, uint32_t at)
{
	uint32_t gap = stacks_gap(seen);

	if (!gap || at < gap)
		return seen->frame[seen->n - 1 - at];
	return at == gap ? GMON_EXT_GAP : seen->frame[seen->n - at];
}

/*
 * The node at the end of a stack; *cut if it had to end before. Then that is above a gap, too: else
 * the gap would seem to be all that is missing.
 */
static uint32_t stacks_walk(struct stack *stack, const struct unwound *seen, bool *cut)
{
	struct modules_recent recent = { 0, 0, GMON_EXT_NONE };
	uint32_t gap = stacks_gap(seen);
	uint32_t n = seen->n + (gap > 0);
	uint32_t node = TREE_ROOT;
	bool same = true;

	for (uint32_t at = 0; at < n; at++) {
		uint32_t child = stacks_place(stack, at, stacks_address(seen, at), &same, &recent);

		if (!child) {
			*cut = true;
			if (stack->nstaying > at)
				stack->nstaying = at;
			return gap && at > gap ? stack->place[gap - 1].node : node;
		}
		node = child;
	}
	return node;
}

static enum gmon_ext_quality stacks_quality_of(const struct unwound *seen, bool cut)
{
	if (cut)
		return GMON_EXT_CUT;
	if (seen->end == UNWIND_BROKEN)
		return GMON_EXT_BROKEN;
	if (seen->gap < seen->n)
		return GMON_EXT_CUT;
	return seen->end == UNWIND_GUESSED ? GMON_EXT_GUESSED : GMON_EXT_COMPLETE;
}

/* Of CPU time. */
static uintptr_t stacks_self(uint32_t record, enum gmon_ext_quality quality)
{
	return (uintptr_t)record << GMON_LIVE_THREAD | quality;
}

/* Whether what a stack has is of the thread's owner. */
static bool stacks_is_of(const struct stack *stack, const struct thread *thread)
{
	return stack && stack->generation == gmon.generation &&
	       stack->owner == wide_load(&thread->owner);
}

/* Ticks of a look for whose stack there is no memory. */
static void stacks_lose(uint32_t ticks)
{
	wide_add(&gmon.stacks.lost[KINDS_CPU], ticks);
	thread_records_weigh(THREAD_RECORDS_UNKNOWN, ticks);
}

void stacks_add(const ucontext_t *context, uint32_t ticks)
{
	struct stack *stack = stacks_own();
	struct unwound seen;
	bool cut = false;
	uint32_t node;

	if (!stack) {
		stacks_lose(ticks);
		return;
	}
	seen = unwind(stack->unwinder, context);
	node = stacks_walk(stack, &seen, &cut);
	stack->pc = seen.frame[0];
	stack->from = node + GMON_LIVE_NODE;
	stack->self = stacks_self(stack->record, stacks_quality_of(&seen, cut));
	if (table_add_growing(&stack->table, stack->from, stack->self, ticks))
		thread_records_weigh(stack->record, ticks);
	else
		stacks_lose(ticks);
}

void stacks_add_kind(const ucontext_t *context, uint32_t kind, uint32_t ticks)
{
	struct stack *stack = stacks_own();
	struct unwound seen;
	bool cut = false;
	uint32_t node;
	uintptr_t self;

	if (!stack) {
		wide_add(&gmon.stacks.lost[kind], ticks);
		return;
	}
	seen = unwind(stack->unwinder, context);
	node = stacks_walk(stack, &seen, &cut);
	self = stacks_self(stack->record, stacks_quality_of(&seen, cut)) | kind << GMON_LIVE_KIND;
	if (!table_add_growing(&stack->table, node + GMON_LIVE_NODE, self, ticks))
		wide_add(&gmon.stacks.lost[kind], ticks);
}

/* The record of a thread that is alive; one that had no sample so far gets it now. */
static uint32_t stacks_record(const struct thread *thread, const struct stack *stack)
{
	int32_t tid = thread_alive(thread);
	uint32_t record;

	if (stacks_is_of(stack, thread))
		return stack->record;
	if (!tid)
		return THREAD_RECORDS_UNKNOWN;
	record = thread_records_add(tid);
	thread_records_name_of(record, tid);
	thread_records_cpu(record, clock_thread_ns(tid) - clock_armed_ns(&thread->clock));
	return record;
}

/* Ticks of some thread, into the table of the calling one. */
static void stacks_add_ticks(uintptr_t from, uintptr_t self, uint32_t ticks)
{
	struct stack *own = stacks_own();

	if (!own || !table_add_growing(&own->table, from, self, ticks))
		wide_add(&gmon.stacks.lost[KINDS_CPU], ticks);
}

void stacks_add_rest(const struct thread *thread, uintptr_t pc, uint32_t ticks)
{
	const struct stack *stack = __atomic_load_n(&thread->stack, __ATOMIC_ACQUIRE);
	struct modules_recent recent = { 0, 0, GMON_EXT_NONE };
	uint32_t record = stacks_record(thread, stack);
	uint32_t node;

	thread_records_weigh(record, ticks);
	if (stacks_is_of(stack, thread) && stack->pc == pc) {
		stacks_add_ticks(stack->from, stack->self, ticks);
		return;
	}
	node = tree_child(TREE_ROOT, pc, modules_at(pc, &recent));
	stacks_add_ticks(node + GMON_LIVE_NODE,
			 stacks_self(record, node ? GMON_EXT_BROKEN : GMON_EXT_CUT), ticks);
}

void stacks_add_unseen(const struct thread *thread, uint32_t ticks)
{
	uint32_t record = THREAD_RECORDS_UNKNOWN;

	if (thread)
		record = stacks_record(thread, __atomic_load_n(&thread->stack, __ATOMIC_ACQUIRE));
	stacks_add_ticks(TREE_ROOT + GMON_LIVE_NODE, stacks_self(record, GMON_EXT_BROKEN), ticks);
}

/* Whether ticks are stacks_add_unseen()'s. */
static bool stacks_is_unseen(const struct cell *cell)
{
	return stacks_node(cell) == TREE_ROOT && stacks_quality(cell) == GMON_EXT_BROKEN;
}

/* Calls visit(stack, number) for each thread that has samples and is alive; for none behind a
 * filter of system calls that may kill. */
static void stacks_each_living(void visit(struct stack *, int32_t))
{
	if (sandbox_closed())
		return;
	for (struct thread *thread = thread_first(); thread; thread = thread_next(thread)) {
		struct stack *stack = __atomic_load_n(&thread->stack, __ATOMIC_ACQUIRE);
		int32_t tid = stack ? thread_alive(thread) : 0;

		if (tid && stacks_is_of(stack, thread))
			visit(stack, tid);
	}
}

static void stacks_refresh_one(struct stack *stack, int32_t tid)
{
	thread_records_name_of(stack->record, tid);
	thread_records_cpu(stack->record, clock_thread_ns(tid) - stack->since_ns);
}

void stacks_refresh(void)
{
	stacks_each_living(stacks_refresh_one);
}

static void stacks_zero_one(struct stack *stack, int32_t tid)
{
	stack->since_ns = clock_thread_ns(tid);
}

void stacks_zero(void)
{
	if (!gmon.stacks.on)
		return;
	for (uint32_t i = 0; i < KINDS_ROOM; i++)
		wide_store(&gmon.stacks.lost[i], 0);
	thread_records_zero();
	stacks_each_living(stacks_zero_one);
}

void stacks_forked(void)
{
	if (!gmon.stacks.on)
		return;
	for (uint32_t i = 0; i < KINDS_ROOM; i++)
		gmon.stacks.lost[i] = 0;
	thread_records_forked();
	gmon.stacks.on = tree_forked();
}

static void stacks_total(struct stacks_totals *totals, const struct cell *cell)
{
	if (stacks_kind(cell) != KINDS_CPU)
		totals->others += cell_count(cell);
	else if (!stacks_is_unseen(cell))
		totals->ticks[stacks_quality(cell)] += cell_count(cell);
}

struct stacks_totals stacks_add_up(void)
{
	struct stacks_totals totals = { .nstacks = table_used(GMON_LIVE_SAMPLES) };

	totals.ticks[GMON_EXT_CUT] = wide_load(&gmon.stacks.lost[KINDS_CPU]);
	for (struct count_block *block = count_block_first(); block;
	     block = count_block_next(block)) {
		const struct table *table = table_of_kind(block, GMON_LIVE_SAMPLES);

		for (size_t i = 0; table && i < table_ncells(table); i++)
			stacks_total(&totals, &table->cell[i]);
	}
	return totals;
}

bool stacks_watch(void)
{
	struct stack *stack = gmon.offcpu.stack;

	if (!stack)
		stack = gmon.offcpu.stack = stacks_new(unwind_new_for_others);
	if (stack && stack->generation != gmon.generation)
		stacks_renew(stack);
	return stack;
}

struct stacks_wait stacks_look_at(const struct stacks_blocked *thread)
{
	struct stack *stack = gmon.offcpu.stack;
	struct unwound seen = unwind_blocked(stack->unwinder, thread->sp, thread->pc);
	bool cut = false;
	uint32_t node = stacks_walk(stack, &seen, &cut);

	if (!cut) {
		uint32_t leaf = tree_child(node, GMON_EXT_WAITING + thread->number, GMON_EXT_NONE);

		cut = !leaf;
		node = leaf ? leaf : node;
	}
	return (struct stacks_wait){
		node + GMON_LIVE_NODE,
		stacks_self(thread->record, stacks_quality_of(&seen, cut)) |
			KINDS_OFF_CPU << GMON_LIVE_KIND,
	};
}

void stacks_add_wait(const struct stacks_wait *place, uint32_t record, uint64_t us)
{
	struct stack *stack = gmon.offcpu.stack;
	uintptr_t unseen = stacks_self(record, GMON_EXT_BROKEN) | KINDS_OFF_CPU << GMON_LIVE_KIND;

	stacks_settle(stack);
	table_add_growing(&stack->table, place ? place->from : TREE_ROOT + GMON_LIVE_NODE,
			  place ? place->self : unseen, us);
}

uint64_t stacks_waited_us(void)
{
	uint64_t us = 0;

	for (struct count_block *block = count_block_first(); block;
	     block = count_block_next(block)) {
		const struct table *table = table_of_kind(block, GMON_LIVE_SAMPLES);

		for (size_t i = 0; table && i < table_ncells(table); i++)
			if (gmon.offcpu.on && stacks_kind(&table->cell[i]) == KINDS_OFF_CPU)
				us += cell_count(&table->cell[i]);
	}
	return us;
}

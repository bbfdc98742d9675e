/* SPDX-License-Identifier: MIT */
/* Call stacks of samples. See stacks.h. */
#include "record/stacks.h"

#include <arch.h>

#include "base/sandbox.h"
#include "base/text.h"
#include "count/count_block.h"
#include "record/lock_owner.h"
#include "record/modules.h"
#include "record/slices.h"
#include "record/stack_recorder.h"
#include "record/thread_records.h"
#include "record/tree.h"
#include "sample/clock.h"
#include "state.h"
#include "unwind/unwind.h"

enum { STACKS_NAME_EVERY = 64 /* samples between two updates of a thread's name */ };

bool stacks_wanted(void)
{
	return gmon.settings.stacks && unwind_known();
}

void stacks_prepare(void)
{
	if (stacks_wanted())
		unwind_prepare();
	else if (gmon.settings.stacks)
		text_complain("GMON=stacks: call stacks are not supported on this machine", NULL,
			      0);
}

void stacks_start(void)
{
	if (!stacks_wanted())
		return;
	gmon.stacks.on = gmon.starts && modules_on() && tree_start(gmon.settings.stacks) &&
			 thread_records_start();
	if (gmon.stacks.on)
		slices_start();
	else
		text_complain("GMON=stacks: no memory for call stacks", NULL, 0);
}

/* Makes a thread's first recorder. */
static struct stack_recorder *stacks_give(struct thread *thread)
{
	struct stack_recorder *recorder = stack_recorder_new(false);

	if (recorder)
		__atomic_store_n(&thread->recorder, recorder, __ATOMIC_RELEASE);
	return recorder;
}

/* Begins the samples of a new owner. */
static void stacks_set_owner(struct stack_recorder *recorder, const struct thread *thread,
			     uint64_t id)
{
	struct stack_owner *owner = &recorder->owner;

	unwind_renew(recorder->unwinder);
	/* The helper may have made a record of this thread already. */
	owner->record = gmon.offcpu.on ? thread_records_find((int32_t)id) : THREAD_RECORDS_UNKNOWN;
	if (owner->record == THREAD_RECORDS_UNKNOWN)
		owner->record = thread_records_add((int32_t)id);
	owner->pc = 0;
	wide_store(&owner->at_ns, 0);
	owner->since_ns = thread->clock.armed ? clock_armed_ns(&thread->clock) : 0;
	owner->nsamples = 0;
	owner->nnewest = owner->nholding = 0;
	owner->lock = 0;
	wide_store(&owner->id, id); /* last: now the helper may set the lock */
}

/* Returns the calling thread's recorder, ready for a sample; NULL: no memory. */
static struct stack_recorder *stacks_own(void)
{
	struct thread *thread = thread_self();
	struct stack_recorder *recorder;
	struct stack_owner *owner;
	uint64_t id;

	if (!thread) {
		thread_begin();
		thread = thread_self();
		if (!thread)
			return NULL;
	}
	recorder = thread->recorder ? thread->recorder : stacks_give(thread);
	if (!recorder)
		return NULL;
	owner = &recorder->owner;
	id = wide_load(&thread->owner);
	if (recorder->generation != gmon.generation)
		stack_recorder_renew(recorder);
	if (owner->id != id)
		stacks_set_owner(recorder, thread, id);
	stack_recorder_move_into_file(recorder);
	/* Threads are renamed, mostly early in their lives. */
	owner->nsamples++;
	if ((owner->nsamples & (owner->nsamples - 1)) == 0 ||
	    owner->nsamples % STACKS_NAME_EVERY == 0)
		thread_records_name(owner->record);
	if (!sandbox_closed())
		thread_records_cpu(owner->record, clock_thread_ns(0) - owner->since_ns);
	return recorder;
}

/* Whether a recorder, which may be NULL, belongs to the thread's present owner. */
static bool stacks_is_of(const struct stack_recorder *recorder, const struct thread *thread)
{
	return recorder && recorder->generation == gmon.generation &&
	       wide_load(&recorder->owner.id) == wide_load(&thread->owner);
}

/* Puts a cell, and how many there were, where the helper reads them at any time. */
static void stacks_publish(struct stack_cell *to, uint32_t *n, struct stack_cell cell)
{
	__atomic_store_n(&to->from, cell.from, __ATOMIC_RELAXED);
	__atomic_store_n(&to->self, cell.self, __ATOMIC_RELAXED);
	__atomic_store_n(n, *n + 1, __ATOMIC_RELEASE);
}

/* Returns how many cells there were, and the newest one. */
static uint32_t stacks_published(const struct stack_cell *from, const uint32_t *n,
				 struct stack_cell *cell)
{
	uint32_t number = __atomic_load_n(n, __ATOMIC_ACQUIRE);

	cell->from = __atomic_load_n(&from->from, __ATOMIC_RELAXED);
	cell->self = __atomic_load_n(&from->self, __ATOMIC_RELAXED);
	return number;
}

/* Keeps the stack of a sample of CPU time of the calling thread. */
static void stacks_keep(struct stack_owner *owner, struct stack_cell cell)
{
	uintptr_t lock = __atomic_load_n(&owner->lock, __ATOMIC_RELAXED);

	stacks_publish(&owner->newest, &owner->nnewest, cell);
	if (lock && !sandbox_closed() && lock_owner_has(lock, (uint32_t)owner->id))
		stacks_publish(&owner->holding, &owner->nholding, cell);
}

/* Takes the stack of the calling thread, and counts it. Returns false if there is no memory. */
static bool stacks_take(struct stack_recorder *own, const ucontext_t *context, uint32_t kind,
			uint32_t ticks)
{
	struct unwound seen = unwind(own->unwinder, context);
	struct stack_cell cell = stack_recorder_cell(own, &seen, 0, own->owner.record, kind);
	struct slices_time time = { 0, gmon.slices.on && !sandbox_closed() ? clock_monotonic_ns()
									   : 0 };

	if (kind == KINDS_CPU) {
		wide_store(&own->owner.at_ns, time.until);
		own->owner.pc = arch_pc(context);
		stacks_keep(&own->owner, cell);
	}
	return stack_recorder_add_at(own, &cell, ticks, time);
}

void stacks_add(const ucontext_t *context, uint32_t kind, uint32_t ticks)
{
	struct stack_recorder *own = stacks_own();
	bool added = own && stacks_take(own, context, kind, ticks);

	if (kind == KINDS_CPU)
		thread_records_weigh(added ? own->owner.record : THREAD_RECORDS_UNKNOWN, ticks);
	if (!added)
		wide_add(&gmon.stacks.lost[kind], ticks);
}

/* Returns the record of a thread, which is made if the thread is alive and has none. */
static uint32_t stacks_record(const struct thread *thread, const struct stack_recorder *recorder)
{
	int32_t tid = thread_alive(thread);
	uint32_t record;

	if (stacks_is_of(recorder, thread))
		return recorder->owner.record;
	if (!tid)
		return THREAD_RECORDS_UNKNOWN;
	record = thread_records_add(tid);
	thread_records_name_of(record, tid);
	thread_records_cpu(record, clock_thread_ns(tid) - clock_armed_ns(&thread->clock));
	return record;
}

/*
 * Counts ticks of any thread in the calling thread's table: those of a moment, by CLOCK_MONOTONIC;
 * 0: it is not known when they were.
 */
static void stacks_add_ticks(const struct stack_cell *cell, uint32_t ticks, uint64_t at_ns)
{
	struct stack_recorder *own = stacks_own();

	if (!own ||
	    !(at_ns ? stack_recorder_add_at(own, cell, ticks, (struct slices_time){ 0, at_ns })
		    : stack_recorder_add(own, cell, ticks)))
		wide_add(&gmon.stacks.lost[KINDS_CPU], ticks);
}

static struct stack_recorder *stacks_recorder(const struct thread *thread)
{
	return __atomic_load_n(&thread->recorder, __ATOMIC_ACQUIRE);
}

uint32_t stacks_newest(const struct thread *thread, struct stack_cell *cell)
{
	const struct stack_recorder *recorder = stacks_recorder(thread);

	if (!stacks_is_of(recorder, thread))
		return 0;
	return stacks_published(&recorder->owner.newest, &recorder->owner.nnewest, cell);
}

bool stacks_watch_lock(const struct thread *thread, uintptr_t lock, uint32_t *holding)
{
	struct stack_recorder *recorder = stacks_recorder(thread);

	if (!stacks_is_of(recorder, thread))
		return false;
	__atomic_store_n(&recorder->owner.lock, lock, __ATOMIC_RELAXED);
	*holding = __atomic_load_n(&recorder->owner.nholding, __ATOMIC_ACQUIRE);
	return true;
}

uint32_t stacks_holding(const struct thread *thread, struct stack_cell *cell)
{
	const struct stack_recorder *recorder = stacks_recorder(thread);

	if (!stacks_is_of(recorder, thread))
		return 0;
	return stacks_published(&recorder->owner.holding, &recorder->owner.nholding, cell);
}

void stacks_add_rest(const struct thread *thread, uintptr_t pc, uint32_t ticks)
{
	const struct stack_recorder *recorder = stacks_recorder(thread);
	struct modules_recent recent = { 0, 0, GMON_EXT_NONE };
	uint32_t record = stacks_record(thread, recorder);
	/* It may have waited since then, so not now. */
	uint64_t at_ns = stacks_is_of(recorder, thread) ? wide_load(&recorder->owner.at_ns) : 0;
	struct stack_cell cell;

	thread_records_weigh(record, ticks);
	if (stacks_is_of(recorder, thread) && recorder->owner.pc == pc) {
		cell = recorder->owner.newest;
	} else {
		uint32_t node = tree_child(TREE_ROOT, pc, modules_at(pc, &recent));

		cell = stack_recorder_node(node, record, KINDS_CPU,
					   node ? GMON_EXT_BROKEN : GMON_EXT_CUT);
	}
	stacks_add_ticks(&cell, ticks, at_ns);
}

void stacks_add_unseen(const struct thread *thread, uint32_t ticks)
{
	uint32_t record =
		thread ? stacks_record(thread, stacks_recorder(thread)) : THREAD_RECORDS_UNKNOWN;
	struct stack_cell cell = stack_recorder_node(TREE_ROOT, record, KINDS_CPU, GMON_EXT_BROKEN);

	stacks_add_ticks(&cell, ticks, 0);
}

/* Whether a cell's ticks are those of stacks_add_unseen(). */
static bool stacks_is_unseen(const struct cell *cell)
{
	return stacks_node(cell) == TREE_ROOT && stacks_quality(cell) == GMON_EXT_BROKEN;
}

/* Calls visit(owner, tid) for each living thread that has samples; in a closed sandbox for none. */
static void stacks_each_living(void visit(struct stack_owner *, int32_t))
{
	if (sandbox_closed())
		return;
	for (struct thread *thread = thread_first(); thread; thread = thread_next(thread)) {
		struct stack_recorder *recorder = stacks_recorder(thread);
		int32_t tid = recorder ? thread_alive(thread) : 0;

		if (tid && stacks_is_of(recorder, thread))
			visit(&recorder->owner, tid);
	}
}

static void stacks_refresh_one(struct stack_owner *owner, int32_t tid)
{
	thread_records_name_of(owner->record, tid);
	thread_records_cpu(owner->record, clock_thread_ns(tid) - owner->since_ns);
}

void stacks_refresh(void)
{
	stacks_each_living(stacks_refresh_one);
}

static void stacks_zero_one(struct stack_owner *owner, int32_t tid)
{
	owner->since_ns = clock_thread_ns(tid);
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
	slices_forked();
	gmon.stacks.on = tree_forked();
}

static void stacks_total(struct stacks_totals *totals, const struct cell *cell)
{
	uint32_t kind = stacks_kind(cell);

	if (kind == GMON_LIVE_SQUARES) {
		totals->nstacks -= table_count(cell) > 0;
		return;
	}
	if (kind == KINDS_CPU && !stacks_is_unseen(cell))
		totals->ticks[stacks_quality(cell)] += table_count(cell);
	if (kind != KINDS_CPU)
		totals->others += table_count(cell);
	if (kind == KINDS_OFF_CPU && gmon.offcpu.on)
		totals->waited_us += table_count(cell);
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

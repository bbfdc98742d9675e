/* SPDX-License-Identifier: MIT */
/* Threads that count, and their tables. See thread.h. */
#include "count/thread.h"

#include <pthread.h>

#include "base/pool.h"
#include "base/sandbox.h"
#include "base/sys.h"
#include "sample/event.h"
#include "state.h"
#include "wait/offcpu.h"

/*
 * Static libraries such as those of Fortran and C++ take a program for multithreaded if it contains
 * pthread_key_create(), and then call functions that it does not have. So libgmon must not cause it
 * to be linked.
 */
#pragma weak pthread_key_create
#pragma weak pthread_key_delete
#pragma weak pthread_setspecific

/* A first table has 2 KB, or a page where each table has pages of its own. */
enum { FIRST_CELLS = 64, FIRST_CELLS_APART = 128, ADOPTION_TRIES = 8, MOST_VAIN = 3 };

/* See thread_is_slow(). */
enum { SLOW_PER_CELL = 16, SLOW_SHARE = 8, SLOW_SPARSEST = 64 };

__thread struct table *gmon_table;

/*
 * The calling thread's entry in the list, and how many calls of thread_begin() it has on its stack.
 */
static __thread struct thread *self_thread;
static __thread int beginning;

/* An empty table of two cells, never filled: for threads without memory. */
static _Alignas(64) unsigned char refused_cells[sizeof(struct table) + 2 * sizeof(struct cell)];

/* The destructor of the key gmon.end_key. */
static void thread_end(void *thread)
{
	if (thread != self_thread || gmon.phase != RUNNING || sandbox_closed())
		return;
	offcpu_leave(sys_gettid());
}

/*
 * glibc keeps the values of the first keys in the thread itself; for other keys
 * pthread_setspecific() would allocate memory, which must not happen while a call is counted. musl
 * keeps all values in the thread.
 */
void thread_prepare(void)
{
	enum { KEYS_IN_THREAD = 32 };
	pthread_key_t key;

	if (!gmon.settings.wall || !pthread_key_create || !pthread_key_delete ||
	    !pthread_setspecific || pthread_key_create(&key, thread_end))
		return;
	gmon.end_key = key;
	gmon.sees_ends = key < KEYS_IN_THREAD && !pthread_setspecific(key, NULL);
	if (!gmon.sees_ends)
		pthread_key_delete(key);
}

bool thread_refused(void)
{
	return gmon_table == (const void *)refused_cells;
}

struct thread *thread_self(void)
{
	return self_thread;
}

static struct thread *thread_newest(void)
{
	return __atomic_load_n(&gmon.threads, __ATOMIC_ACQUIRE);
}

/*
 * Returns this entry or, if it belongs to a process from which this one was forked, the next entry
 * that does not.
 */
static struct thread *thread_skip(struct thread *thread)
{
	while (thread && thread->generation != gmon.generation)
		thread = thread->next;
	return thread;
}

struct thread *thread_first(void)
{
	return thread_skip(thread_newest());
}

struct thread *thread_next(const struct thread *thread)
{
	return thread_skip(thread->next);
}

static uint64_t thread_owner(const struct thread *thread)
{
	return wide_load(&thread->owner);
}

/*
 * The owner's number if asking the kernel for it may kill (sandbox.h): such an owner is taken to
 * live as long as the process.
 */
enum { OWNER_UNKNOWN = -1 };

static bool thread_owner_lives(uint64_t owner)
{
	int32_t tid = (int32_t)owner;

	if (tid == OWNER_UNKNOWN)
		return true;
	return tid && SYS3(SYS_tgkill, gmon.pid, tid, 0) != -ESRCH;
}

int32_t thread_number(const struct thread *thread)
{
	return (int32_t)thread_owner(thread);
}

int32_t thread_alive(const struct thread *thread)
{
	uint64_t owner = thread_owner(thread);

	return (int32_t)owner != OWNER_UNKNOWN && thread_owner_lives(owner) ? (int32_t)owner : 0;
}

/* Makes the calling thread the owner, unless the owner has changed since `seen` was read. */
static bool thread_take_over(struct thread *thread, uint64_t seen, int32_t tid)
{
	uint64_t mine = ((seen >> 32) + 1) << 32 | (uint32_t)tid;

	return wide_swap(&thread->owner, seen, mine);
}

/* Ends the wait for the thread that an entry was made for. */
static void thread_expect_none(struct thread *thread)
{
	if (__atomic_exchange_n(&thread->expected, 0, __ATOMIC_RELAXED))
		__atomic_fetch_sub(&gmon.expected, 1, __ATOMIC_RELAXED);
}

/*
 * Finds an entry whose thread has ended, and makes the calling thread its owner; NULL: none found.
 * Tries a few entries only, others each time: with L threads alive, the number of entries stops
 * growing soon after it exceeds L. While nothing is found, as of threads that all live, half as
 * many are tried each time, down to one. An entry with the caller's own number is that of a dead
 * thread, whose number the kernel has used again, or one that a handler's thread_begin() has just
 * made.
 */
static struct thread *thread_adopt(int32_t tid)
{
	struct thread *thread = __atomic_load_n(&gmon.next_candidate, __ATOMIC_ACQUIRE);
	uint32_t vain = __atomic_load_n(&gmon.vain_adoptions, __ATOMIC_RELAXED);

	for (uint32_t i = 0; i < (uint32_t)ADOPTION_TRIES >> vain; i++) {
		if (!thread)
			thread = thread_newest();
		if (!thread)
			return NULL;
		uint64_t owner = thread_owner(thread);
		bool own = (int32_t)owner == tid;
		struct thread *next = thread->next;

		__atomic_store_n(&gmon.next_candidate, next, __ATOMIC_RELEASE);
		if (own ? thread != self_thread
			: __atomic_load_n(&thread->generation, __ATOMIC_ACQUIRE) !=
					    gmon.generation ||
				    !thread_owner_lives(owner))
			if (thread_take_over(thread, owner, tid)) {
				/* The next thread begins here: this one may be short-lived. */
				__atomic_store_n(&gmon.next_candidate, thread, __ATOMIC_RELEASE);
				__atomic_store_n(&gmon.vain_adoptions, 0, __ATOMIC_RELAXED);
				thread_expect_none(thread);
				return thread;
			}
		thread = next;
	}
	if (vain < MOST_VAIN)
		__atomic_store_n(&gmon.vain_adoptions, vain + 1, __ATOMIC_RELAXED);
	return NULL;
}

static struct thread *thread_make(int32_t tid)
{
	struct thread *thread = pool_take(sizeof(*thread));

	if (!thread)
		return NULL;
	thread->generation = gmon.generation;
	thread->owner = (uint32_t)tid;
	thread->next = thread_newest();
	while (!__atomic_compare_exchange_n(&gmon.threads, &thread->next, thread, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return thread;
}

/* The entry of a living thread by the kernel's number, or NULL. Linear. */
static struct thread *thread_find(int32_t tid)
{
	struct thread *thread = thread_first();

	while (thread && (int32_t)thread_owner(thread) != tid)
		thread = thread_next(thread);
	return thread;
}

struct thread *thread_expect(int32_t tid)
{
	struct thread *thread = thread_find(tid) ? NULL : thread_make(tid);

	if (thread) {
		__atomic_fetch_add(&gmon.expected, 1, __ATOMIC_RELAXED);
		__atomic_store_n(&thread->expected, 1, __ATOMIC_RELEASE);
	}
	return thread;
}

bool thread_claim(void)
{
	struct thread *thread;

	if (self_thread || !__atomic_load_n(&gmon.expected, __ATOMIC_ACQUIRE))
		return false;
	thread = thread_find(sys_gettid());
	if (!thread || !thread->expected)
		return false;
	thread_expect_none(thread);
	self_thread = thread;
	if (gmon.sees_ends)
		pthread_setspecific(gmon.end_key, thread);
	return true;
}

/* Gives an entry a table, unless it has one. A handler may do the same meanwhile: then the table
 * that this makes stays empty. */
static struct table *thread_give_table(struct thread *thread)
{
	struct table *table = __atomic_load_n(&thread->table, __ATOMIC_ACQUIRE);
	struct table *fresh;

	if (table)
		return table;
	fresh = table_new(GMON_LIVE_COUNTS, gmon.blocks.apart ? FIRST_CELLS_APART : FIRST_CELLS);
	if (!__atomic_compare_exchange_n(&thread->table, &table, fresh, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		return table;
	return fresh;
}

/* Takes an entry into the child of a fork, with empty tables. */
static void thread_renew(struct thread *thread)
{
	struct table *older;

	clock_forget(&thread->clock);
	event_forget(&thread->event);
	thread->generation = gmon.generation;
	if (thread->counts)
		count_block_renew(thread->counts);
	for (struct table *table = thread->table; table; table = older) {
		older = table->older;
		table_renew(table);
	}
}

static void thread_arm(int32_t tid, bool closed, enum clock_age age)
{
	clock_arm(&self_thread->clock, tid, age);
	if (!closed)
		event_arm(&self_thread->event, tid);
}

void thread_enter(enum clock_age age)
{
	bool closed = !gmon.settings.insistent_clock && sandbox_closed();
	int32_t tid = closed ? OWNER_UNKNOWN : sys_gettid();
	struct thread *thread;

	if (thread_claim())
		return;
	beginning++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread = closed ? NULL : thread_adopt(tid);
	if (!thread)
		thread = thread_make(tid);
	if (thread && thread->generation != gmon.generation)
		thread_renew(thread);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (!self_thread && thread) {
		clock_take_over(&thread->clock);
		event_disarm(&thread->event, true);
		self_thread = thread;
		if (gmon.sees_ends)
			pthread_setspecific(gmon.end_key, thread);
	} else if (thread && thread != self_thread) {
		/* A handler was first: this entry is left to the next thread that looks for one. */
		wide_store(&thread->owner, thread_owner(thread) & ~(uint64_t)UINT32_MAX);
	}
	if (closed && !gmon.by_itimer)
		wide_add(&gmon.unsampled, 1);
	else if (beginning == 1 && self_thread)
		thread_arm(tid, closed, age);
	/* Who adopts the entry when this thread has ended sees what was written here. */
	if (self_thread)
		__atomic_store_n(&self_thread->generation, self_thread->generation,
				 __ATOMIC_RELEASE);
	beginning--;
}

struct table *thread_begin(void)
{
	struct table *table;

	if (!self_thread)
		thread_enter(CLOCK_YOUNG);
	table = self_thread ? thread_give_table(self_thread) : NULL;
	if (!gmon_table)
		gmon_table = table ? table : (void *)refused_cells;
	return gmon_table;
}

/*
 * Counts a call that took the slow path. Returns whether the table must grow, so that such calls
 * get fewer: when they are an eighth of all, unless the table has SLOW_SPARSEST cells for each pair
 * already. It looks once in SLOW_PER_CELL such calls for each cell, and is linear in the cells
 * then: so both this and the larger table cost less than the calls did.
 */
static bool thread_is_slow(struct thread *thread)
{
	const struct table *table = __atomic_load_n(&thread->table, __ATOMIC_ACQUIRE);
	const size_t ncells = table_ncells(table);
	const uint32_t slow = __atomic_load_n(&thread->slow, __ATOMIC_RELAXED) + 1;
	const uint64_t before = wide_load(&thread->calls);
	uint64_t calls;

	__atomic_store_n(&thread->slow, slow < SLOW_PER_CELL * ncells ? slow : 0, __ATOMIC_RELAXED);
	if (slow < SLOW_PER_CELL * ncells)
		return false;
	calls = table_sum(table);
	wide_store(&thread->calls, calls);
	return (calls - before) / SLOW_PER_CELL / SLOW_SHARE <= ncells &&
	       ncells < SLOW_SPARSEST * (size_t)__atomic_load_n(&table->used, __ATOMIC_RELAXED) &&
	       !sandbox_closed();
}

void thread_add(uintptr_t from, uintptr_t self, uint64_t n)
{
	bool added = false;

	if (!gmon_table)
		thread_begin();
	if (from <= FROM_CLAIMED)
		from = FROM_UNKNOWN;
	if (!thread_refused()) {
		added = table_add_growing(&self_thread->table, from, self, n);
		if (thread_is_slow(self_thread) && table_grow(&self_thread->table))
			wide_store(&self_thread->calls, 0);
		gmon_table = __atomic_load_n(&self_thread->table, __ATOMIC_ACQUIRE);
	}
	if (!added)
		wide_add(&gmon.declined, 1);
}

void thread_forked(void)
{
	struct thread *self = self_thread;

	gmon.generation++;
	if (!self)
		return;
	thread_renew(self);
	self->owner = (self->owner >> 32) << 32 | (uint32_t)gmon.pid;
}

void thread_move_into_file(void)
{
	struct table *table = self_thread ? self_thread->table : NULL;

	if (self_thread && self_thread->counts)
		count_block_move_into_file(self_thread->counts, SIZE_MAX);
	for (; table; table = table->older)
		count_block_move_into_file(&table->head, SIZE_MAX);
}

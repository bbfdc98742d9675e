/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who wakes whom: a table of fixed size, which may forget, but names nobody who has not woken
 * anyone at that address. Threads' entries are made up here.
 */
#include "testing.h"

#include <pthread.h>

#include "base/readable.h"
#include "count/thread.h"
#include "record/lock_owner.h"
#include "record/wakers.h"
#include "state.h"
#include "wait/holder.h"
#include "wait/offcpu.h"

enum {
	THREADS = 4,
	LINE = 64,         /* neighbours within so many bytes have the same set, */
	SETS = 64,         /* and those at multiples of SETS lines */
	WAYS = 4,          /* so many of which have room */
	SIGNAL = 36,       /* where glibc's condition variables have one futex, */
	OTHER_SIGNAL = 40, /* and the other one */
	MANY = 100000,
};

struct gmon gmon;

static struct thread threads[THREADS + 1]; /* by number, from 1 on */
static __thread struct thread *self;

struct thread *thread_self(void)
{
	return self;
}

int32_t thread_number(const struct thread *thread)
{
	return (int32_t)(thread - threads);
}

/* No thread owns a lock here. */
bool readable_copy(void *to, uintptr_t from, size_t n)
{
	(void)to;
	(void)from;
	(void)n;
	return false;
}

/* Notes that a thread wakes those who wait at an address. */
static void wake(int32_t tid, uintptr_t at)
{
	self = tid ? &threads[tid] : NULL;
	wakers_note((const void *)at);
}

static void expect_waker(uintptr_t word, int32_t waiter, uintptr_t at, int32_t tid)
{
	struct waker_found found = wakers_find(word, waiter);

	assert_int_equal(found.tid, tid);
	if (tid)
		assert_int_equal(found.at, at);
}

static int begin(void **state)
{
	(void)state;
	wakers_prepare();
	return gmon.offcpu.wakers ? 0 : -1;
}

static void knows_none_at_first(void **state)
{
	(void)state;
	expect_waker(0x10000, 1, 0, 0);
	expect_waker(0, 1, 0, 0);
	gmon.offcpu.wakers = NULL;
	expect_waker(0x10000, 1, 0, 0);
}

static void knows_the_last_and_the_one_before(void **state)
{
	const uintptr_t at = 0x10000;

	(void)state;
	wake(1, at);
	expect_waker(at, 2, at, 1);
	expect_waker(at, 1, 0, 0); /* nobody wakes itself */
	wake(2, at);
	expect_waker(at, 3, at, 2);
	expect_waker(at, 2, at, 1);
	for (int i = 0; i < 10; i++)
		wake(2, at);
	expect_waker(at, 2, at, 1);
	wake(3, at);
	expect_waker(at, 3, at, 2);
	expect_waker(at, 1, at, 3);
	wake(0, at); /* one of which nothing is known */
	expect_waker(at, 1, 0, 0);
}

static void finds_futexes_inside(void **state)
{
	/* One at the end of a line, so that its futexes are in the next. */
	static const uintptr_t conditions[] = { 0x20000, 0x20000 + WAKERS_INSIDE, 0x30000 - 8 };

	(void)state;
	for (int32_t i = 0; i < 3; i++)
		wake(i + 1, conditions[i]);
	for (int32_t i = 0; i < 3; i++) {
		expect_waker(conditions[i], THREADS, conditions[i], i + 1);
		expect_waker(conditions[i] + SIGNAL, THREADS, conditions[i], i + 1);
		expect_waker(conditions[i] + OTHER_SIGNAL, THREADS, conditions[i], i + 1);
	}
	expect_waker(conditions[0] - 4, THREADS, 0, 0);
	expect_waker(conditions[1] + WAKERS_INSIDE, THREADS, 0, 0);
	expect_waker(conditions[2] - 4, THREADS, 0, 0);
}

static void finds_the_nearest(void **state)
{
	const uintptr_t semaphore = 0x20000, next = semaphore + 16;

	(void)state;
	wake(1, next);
	wake(2, semaphore);
	expect_waker(next, 0, next, 1);
	expect_waker(next + 4, 0, next, 1);
	expect_waker(semaphore, 0, semaphore, 2);
}

static void addresses_may_collide(void **state)
{
	const uintptr_t step = (uintptr_t)SETS * LINE;
	int kept = 0;

	(void)state;
	for (uintptr_t i = 1; i <= WAYS; i++)
		wake((int32_t)i, i * step);
	for (uintptr_t i = 1; i <= WAYS; i++)
		expect_waker(i * step, 0, i * step, (int32_t)i);
	wake(1, (WAYS + 1) * step);
	expect_waker((WAYS + 1) * step, 0, (WAYS + 1) * step, 1);
	expect_waker((WAYS + 1) * step, 1, 0, 0); /* not who woke those of the one before it */
	for (uintptr_t i = 1; i <= WAYS; i++) {
		struct waker_found found = wakers_find(i * step, 0);

		assert_true(!found.tid || (found.tid == (int32_t)i && found.at == i * step));
		kept += found.tid != 0;
	}
	assert_int_equal(kept, WAYS - 1);
}

static void forgets_but_does_not_mix_up(void **state)
{
	uint32_t random = 1;
	int known = 0;

	(void)state;
	for (int i = 0; i < MANY; i++) {
		uintptr_t at = 0x100000 + (uintptr_t)(random >> 8) % MANY * LINE;
		const int32_t tid = 1 + (int32_t)(at / LINE % THREADS);

		wake(tid, at);
		expect_waker(at + SIGNAL, 0, at, tid);
		random = random * 1664525 + 1013904223;
		at = 0x100000 + (uintptr_t)(random >> 8) % MANY * LINE;
		struct waker_found found = wakers_find(at, 0);

		/* The line before may have a condition, but ends before this one. */
		assert_true(!found.tid ||
			    (found.at == at && found.tid == 1 + (int32_t)(at / LINE % THREADS)));
		known += found.tid != 0;
	}
	assert_true(known > 0);
}

static int done;

/* Wakes at one address which others use, too, and at many of its own. */
static void *run(void *given)
{
	const uintptr_t number = (uintptr_t)given;

	self = &threads[number];
	for (int i = 0; i < MANY; i++) {
		wakers_note((const void *)(uintptr_t)0x500000);
		wakers_note((const void *)(0x600000 + number * SETS * LINE * WAYS * 2 +
					   (uintptr_t)i % (2 * WAYS * SETS) * LINE));
	}
	__atomic_add_fetch(&done, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void threads_may_wake_at_once(void **state)
{
	pthread_t thread[2];

	(void)state;
	for (uintptr_t i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run, (void *)(i + 1)), 0);
	while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < 2) {
		struct waker_found found = wakers_find(0x500000, 0);

		assert_in_range(found.tid, 0, 2);
		found = wakers_find(0x500000, 1);
		assert_true(found.tid == 0 || found.tid == 2);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	wake(1, 0x500000);
	wake(2, 0x500000);
	expect_waker(0x500000, 1, 0x500000, 2);
	expect_waker(0x500000, 2, 0x500000, 1);
}

/* A thread waits for a word with what a lock has that others wait for: a condition variable of
 * glibc 2.41 has that, too. How it waits, and who wakes those who do, tells the two apart. */
static void a_condition_is_no_lock(void **state)
{
	static struct offcpu watched[OFFCPU_THREADS] = { { .tid = 1 }, { .tid = 2 } };
	static struct holder_words words;
	const uintptr_t condition = 0x10000, other = 0x20000;
	struct offcpu *waiter = &watched[1];
	struct holder found;

	(void)state;
	gmon.offcpu.threads = watched;
	waiter->word_held = LOCK_OWNER_CONTENDED;
	waiter->word = other;
	waiter->word_wait = OFFCPU_WAIT_NO_LOCK;
	found = holder_find(waiter, &words);
	assert_false(found.is_lock || found.wakes);
	for (int wait = OFFCPU_WAIT_LOCK; wait <= OFFCPU_WAIT_EITHER; wait++) {
		waiter->word_wait = (enum offcpu_wait)wait;
		found = holder_find(waiter, &words);
		assert_true(found.is_lock && !found.thread && !found.wakes);
	}
	wake(1, condition);
	waiter->word = condition + SIGNAL;
	for (int wait = OFFCPU_WAIT_EITHER; wait <= OFFCPU_WAIT_NO_LOCK; wait++) {
		waiter->word_wait = (enum offcpu_wait)wait;
		found = holder_find(waiter, &words);
		assert_true(!found.is_lock && found.wakes && found.thread == &watched[0]);
		assert_int_equal(found.at, condition);
	}
	waiter->word_wait = OFFCPU_WAIT_LOCK;
	assert_true(holder_find(waiter, &words).is_lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(knows_none_at_first, begin),
		cmocka_unit_test_setup(knows_the_last_and_the_one_before, begin),
		cmocka_unit_test_setup(finds_futexes_inside, begin),
		cmocka_unit_test_setup(finds_the_nearest, begin),
		cmocka_unit_test_setup(addresses_may_collide, begin),
		cmocka_unit_test_setup(forgets_but_does_not_mix_up, begin),
		cmocka_unit_test_setup(threads_may_wake_at_once, begin),
		cmocka_unit_test_setup(a_condition_is_no_lock, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Owners of the locks of this C library, on this machine: a thread waits for a lock of each kind
 * that the main thread has, and what the kernel says that it waits for must tell whose it is.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/lock_owner.h"
#include "testing.h"

/* A thread that is about to wait. */
struct waiter {
	void (*wait)(void *lock);
	void *lock;
	pid_t tid; /* 0: it has not begun */
};

static void *run(void *given)
{
	struct waiter *w = given;

	__atomic_store_n(&w->tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	w->wait(w->lock);
	return NULL;
}

/* Returns the address of the futex on which a thread is blocked; 0: it is on none now. */
static uintptr_t futex_of(pid_t tid)
{
	char name[64];
	long call = -1;
	unsigned long word = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/self/task/%d/syscall", (int)tid);
	file = fopen(name, "r");
	if (!file)
		skip();
	if (fscanf(file, "%ld 0x%lx", &call, &word) < 2 || call != SYS_futex)
		word = 0;
	fclose(file);
	return word;
}

/* Whether the thread that waits for a lock is seen to wait for the main thread. */
static bool is_seen(struct waiter *w)
{
	const struct timespec a_while = { 0, 1000000 };
	pid_t tid = 0;
	uintptr_t word = 0;

	for (int i = 0; i < 20000 && !word; i++) {
		nanosleep(&a_while, NULL);
		tid = __atomic_load_n(&w->tid, __ATOMIC_ACQUIRE);
		word = tid ? futex_of(tid) : 0;
	}
	return word && lock_owner_has(word, (uint32_t)getpid()) &&
	       !lock_owner_has(word, (uint32_t)tid);
}

static void expect_seen(void wait(void *lock), void *lock, void release(void *lock))
{
	struct waiter w = { .wait = wait, .lock = lock };
	pthread_t thread;
	bool seen;

	assert_int_equal(pthread_create(&thread, NULL, run, &w), 0);
	seen = is_seen(&w);
	release(lock);
	pthread_join(thread, NULL);
	assert_true(seen);
}

static void take(void *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
}

static void give(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

static void test_mutexes(void **state)
{
	static const int types[] = { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
				     PTHREAD_MUTEX_ERRORCHECK };
	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		for (int kind = 0; kind < 3; kind++) {
			pthread_mutexattr_t attributes;
			pthread_mutex_t mutex;

			pthread_mutexattr_init(&attributes);
			pthread_mutexattr_settype(&attributes, types[i]);
			if ((kind == 1 && pthread_mutexattr_setprotocol(
						  &attributes, PTHREAD_PRIO_INHERIT) != 0) ||
			    (kind == 2 &&
			     pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) != 0))
				continue;
			pthread_mutex_init(&mutex, &attributes);
			pthread_mutex_lock(&mutex);
			expect_seen(take, &mutex, give);
			pthread_mutex_destroy(&mutex);
		}
	}
}

static void take_to_read(void *lock)
{
	pthread_rwlock_rdlock(lock);
	pthread_rwlock_unlock(lock);
}

static void take_to_write(void *lock)
{
	pthread_rwlock_wrlock(lock);
	pthread_rwlock_unlock(lock);
}

static void give_rwlock(void *lock)
{
	pthread_rwlock_unlock(lock);
}

static void test_rwlocks(void **state)
{
	pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

	(void)state;
#ifndef __GLIBC__
	skip();
#endif
	pthread_rwlock_wrlock(&lock);
	expect_seen(take_to_read, &lock, give_rwlock);
	pthread_rwlock_wrlock(&lock);
	expect_seen(take_to_write, &lock, give_rwlock);
}

static void test_own_mutex(void **state)
{
	struct lock_owner owner = { { LOCK_OWNER_CONTENDED } };

	(void)state;
	owner.word[LOCK_OWNER_AT] = 4711;
	assert_true(lock_owner_is_mutex_of(&owner, 4711));
	assert_false(lock_owner_is_mutex_of(&owner, 4712));
	owner.word[0] = 1;
	assert_false(lock_owner_is_mutex_of(&owner, 4711));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mutexes),
		cmocka_unit_test(test_rwlocks),
		cmocka_unit_test(test_own_mutex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a thread began: asked of the kernel for threads of this process, which know it themselves.
 */
#include "testing.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/sys.h"
#include "wait/thread_age.h"

enum { TICK_NS = 10000000, LONG_NS = 1000000000 };

static int directory;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Its name looks like fields of the file. */
static void *ask(void *created)
{
	const struct timespec nap = { 0, 5 * TICK_NS };
	uint64_t began = now(), *before = created, age, asked;

	prctl(PR_SET_NAME, "a) 1 2 3 4 (b");
	nanosleep(&nap, NULL);
	asked = now();
	age = thread_age(directory, (int32_t)gettid(), (uint64_t)100 * LONG_NS);
	*before = now() - *before;
	/* Between creating it and its first step, to 10 ms. */
	return (void *)(uintptr_t)(age + TICK_NS >= asked - began && age <= *before + TICK_NS);
}

static void test_age_of_a_thread(void **state)
{
	uint64_t created = now();
	pthread_t thread;
	void *right;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, ask, &created), 0);
	pthread_join(thread, &right);
	assert_non_null(right);
}

/* It was not there earlier than the caller says. */
static void test_age_is_bounded(void **state)
{
	const struct timespec nap = { 0, 5 * TICK_NS };

	(void)state;
	nanosleep(&nap, NULL);
	assert_int_equal(thread_age(directory, (int32_t)getpid(), 4 * TICK_NS), 4 * TICK_NS);
}

static void test_age_is_guessed(void **state)
{
	(void)state;
	assert_int_equal(thread_age(directory, (int32_t)getpid(), 2 * TICK_NS), TICK_NS);
	assert_int_equal(thread_age(directory, INT32_MAX, LONG_NS), LONG_NS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_age_of_a_thread),
		cmocka_unit_test(test_age_is_bounded),
		cmocka_unit_test(test_age_is_guessed),
	};

	directory = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

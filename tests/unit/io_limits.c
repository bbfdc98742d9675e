/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of what reading an object file may take: lowered, kept, given back. */
#include "testing.h"

#include "io/image/limits.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static rlim_t limit_of(int resource)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(resource, &limit), 0);
	return limit.rlim_cur;
}

static void lowered_and_given_back(void **state)
{
	rlim_t cpu = limit_of(RLIMIT_CPU), memory = limit_of(RLIMIT_AS);
	struct limits limits = limits_begin("/proc/self/exe");

	(void)state;
	assert_true(limit_of(RLIMIT_CPU) < 1000);
	assert_true(limit_of(RLIMIT_CPU) >= 120);
	if (limits.has_memory) {
		assert_true(limit_of(RLIMIT_AS) > (rlim_t)4 << 30);
		assert_true(limit_of(RLIMIT_AS) < (rlim_t)1 << 40);
	}
	limits_end(&limits);
	assert_true(limit_of(RLIMIT_CPU) == cpu);
	assert_true(limit_of(RLIMIT_AS) == memory);
}

static void lower_ones_stay(void **state)
{
	struct rlimit old, low;
	struct limits limits;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_CPU, &old), 0);
	low = (struct rlimit){ 100, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_CPU, &low), 0);
	limits = limits_begin("/nonexistent");
	assert_int_equal(limit_of(RLIMIT_CPU), 100);
	limits_end(&limits);
	assert_int_equal(limit_of(RLIMIT_CPU), 100);
	assert_int_equal(setrlimit(RLIMIT_CPU, &old), 0);
}

/* A file of this size, of which so many bytes are written and the rest is a hole. */
static void make_file(const char *path, off_t size, size_t written)
{
	static const char bytes[4096];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	for (size_t n = 0; n < written; n += sizeof(bytes))
		assert_int_equal(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
	assert_int_equal(ftruncate(fd, size), 0);
	assert_int_equal(fsync(fd), 0);
	close(fd);
}

static void holes_do_not_count(void **state)
{
	const off_t tera = (off_t)1 << 40, mega = (off_t)1 << 20;
	rlim_t dense, sparse;
	struct limits limits;

	(void)state;
	make_file("limits.file", 80 * mega, 80 << 20);
	limits = limits_begin("limits.file");
	dense = limit_of(RLIMIT_CPU);
	limits_end(&limits);
	assert_true(dense >= 200);
	make_file("limits.file", tera, 4096);
	limits = limits_begin("limits.file");
	sparse = limit_of(RLIMIT_CPU);
	limits_end(&limits);
	assert_int_equal(unlink("limits.file"), 0);
	assert_true(sparse < dense);
}

/* Memory that was taken meanwhile counts like bytes of a file. */
static void paused(void **state)
{
	const size_t some = 100 << 20;
	rlim_t cpu = limit_of(RLIMIT_CPU), first_cpu, first_memory;
	struct limits limits = limits_begin("/nonexistent");
	void *taken;

	(void)state;
	first_cpu = limit_of(RLIMIT_CPU);
	first_memory = limit_of(RLIMIT_AS);
	limits_pause(&limits);
	assert_true(limit_of(RLIMIT_CPU) == cpu);
	taken = mmap(NULL, some, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(taken != MAP_FAILED);
	limits_resume(&limits);
	assert_true(limit_of(RLIMIT_CPU) >= first_cpu + 100);
	assert_true(limit_of(RLIMIT_CPU) < first_cpu + 110);
	if (limits.has_memory)
		assert_true(limit_of(RLIMIT_AS) >= first_memory + 64 * some);
	limits_end(&limits);
	munmap(taken, some);
	assert_true(limit_of(RLIMIT_CPU) == cpu);
}

/* One process whose time is over, one that was quick. */
static void deadlines(void **state)
{
	for (int seconds = 1; seconds < 100; seconds += 98) {
		pid_t child = fork();
		int ending;

		(void)state;
		assert_true(child >= 0);
		if (child == 0) {
			struct deadline deadline = limits_deadline_begin_seconds((uint64_t)seconds);

			if (seconds == 1)
				sleep(20);
			limits_deadline_end(&deadline);
			_exit(0);
		}
		assert_int_equal(waitpid(child, &ending, 0), child);
		if (seconds == 1)
			assert_int_equal(WTERMSIG(ending), SIGVTALRM);
		else
			assert_int_equal(ending, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lowered_and_given_back),
		cmocka_unit_test(lower_ones_stay),
		cmocka_unit_test(holes_do_not_count),
		cmocka_unit_test(paused),
		cmocka_unit_test(deadlines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replacing a file as a whole; tests/runtime/refusals.sh has what the kernel refuses. */
#include "write/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "testing.h"

enum { BYTES = 3 * FILE_BUFFER_BYTES + 7 };

static struct file_writer file, inner;
static char directory[] = "/tmp/runtime_file.XXXXXX";

static int enter(void **state)
{
	(void)state;
	return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static size_t entries(void)
{
	DIR *all = opendir(".");
	size_t n = 0;

	assert_non_null(all);
	while (readdir(all))
		n++;
	closedir(all);
	return n - 2;
}

/* The file has n bytes of the pattern. */
static void expect_file(const char *name, size_t n)
{
	static unsigned char bytes[BYTES + 1];
	int fd = open(name, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(read(fd, bytes, sizeof(bytes)), n);
	close(fd);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(bytes[i], (unsigned char)(i % 251));
}

static void fill(struct file_writer *to, const void *what)
{
	size_t n = *(const size_t *)what;

	for (size_t i = 0; i < n; i++) {
		unsigned char byte = (unsigned char)(i % 251);

		file_put(to, &byte, 1);
	}
}

static void test_replace(void **state)
{
	size_t n = BYTES;
	size_t small = 5;

	(void)state;
	assert_int_equal(file_replace(&file, "new", fill, &n), 0);
	expect_file("new", n);
	assert_int_equal(file_replace(&file, "new", fill, &small), 0);
	expect_file("new", small);
	small = 0;
	assert_int_equal(file_replace(&file, "new", fill, &small), 0);
	expect_file("new", 0);
	assert_int_equal(entries(), 1);
	unlink("new");
}

/* More than the buffer takes at once. */
static void fill_at_once(struct file_writer *to, const void *what)
{
	static unsigned char bytes[BYTES];

	for (size_t i = 0; i < BYTES; i++)
		bytes[i] = (unsigned char)(i % 251);
	file_put(to, bytes, *(const size_t *)what);
}

static void test_large(void **state)
{
	size_t n = BYTES;

	(void)state;
	assert_int_equal(file_replace(&file, "new", fill_at_once, &n), 0);
	expect_file("new", n);
	unlink("new");
}

/* The old file is there until the new one is whole. A second file can be written meanwhile. */
static void fill_both(struct file_writer *to, const void *what)
{
	size_t n = 9;

	fill(to, what);
	expect_file("one", 3);
	assert_int_equal(file_replace(&inner, "two", fill, &n), 0);
	expect_file("two", 9);
	expect_file("one", 3);
}

static void test_second(void **state)
{
	size_t n = 3;

	(void)state;
	assert_int_equal(file_replace(&file, "one", fill, &n), 0);
	n = FILE_BUFFER_BYTES + 1;
	assert_int_equal(file_replace(&file, "one", fill_both, &n), 0);
	expect_file("one", n);
	expect_file("two", 9);
	assert_int_equal(entries(), 2);
	unlink("one");
	unlink("two");
}

/* Onto a device that takes nothing. */
static void fill_full(struct file_writer *to, const void *what)
{
	int full = open("/dev/full", O_WRONLY);

	assert_true(full >= 0 && dup2(full, to->fd) == to->fd);
	close(full);
	fill(to, what);
}

static void test_failure(void **state)
{
	size_t n = 3;
	size_t more = BYTES;

	(void)state;
	assert_int_equal(file_replace(&file, "one", fill, &n), 0);
	assert_int_equal(file_replace(&file, "one", fill_full, &more), -ENOSPC);
	expect_file("one", 3);
	assert_int_equal(file_replace(&file, "one", fill_full, &n), -ENOSPC);
	expect_file("one", 3);
	assert_int_equal(file_replace(&file, "missing/one", fill, &n), -ENOENT);
	assert_int_equal(file_replace(&file, ".", fill, &n), -EISDIR);
	assert_int_equal(entries(), 1);
	unlink("one");
}

/* A name that a killed process of this number has left is no hindrance, and stays. */
static void test_left_over(void **state)
{
	char name[100];
	size_t n = 3;

	(void)state;
	snprintf(name, sizeof(name), "one.%d.tmp", (int)getpid());
	close(open(name, O_CREAT | O_WRONLY, 0600));
	assert_int_equal(file_replace(&file, "one", fill, &n), 0);
	expect_file("one", 3);
	expect_file(name, 0);
	assert_int_equal(entries(), 2);
	unlink("one");
	unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replace),   cmocka_unit_test(test_large),
		cmocka_unit_test(test_second),    cmocka_unit_test(test_failure),
		cmocka_unit_test(test_left_over),
	};

	return cmocka_run_group_tests_name("runtime_file", tests, enter, leave);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files: of any size, from pipes and standard input; what cannot be read. */
#include "testing.h"

#include "io/file.h"

#include <fcntl.h>
#include <sys/wait.h>

static unsigned char pattern(size_t i)
{
	return (unsigned char)(i * 31 + i / 257);
}

static void write_pattern(int fd, size_t n)
{
	unsigned char piece[10000];

	for (size_t at = 0; at < n;) {
		size_t part = n - at < sizeof(piece) ? n - at : sizeof(piece);

		for (size_t i = 0; i < part; i++)
			piece[i] = pattern(at + i);
		if (write(fd, piece, part) != (ssize_t)part)
			_exit(1);
		at += part;
	}
}

/* The path reads as n bytes of the pattern. */
static void expect_bytes(const char *path, size_t n)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct file file;

	assert_int_equal(file_read(&file, path, &diag), 0);
	assert_int_equal(file.size, n);
	for (size_t i = 0; i < n; i++) {
		if (file.bytes[i] != pattern(i))
			fail_msg("byte %zu of %zu is wrong", i, n);
	}
	assert_int_equal(log.n, 0);
	file_free(&file);
	assert_null(file.bytes);
	assert_int_equal(file.size, 0);
	file_free(&file);
}

static void expect_failure(const char *path, const char *message)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct file file;

	assert_int_equal(file_read(&file, path, &diag), -1);
	expect_message(&log, message);
	assert_null(file.bytes);
	assert_int_equal(file.size, 0);
}

static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, 131072, 1000000 };

static void regular_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		int fd = memory_file();
		char path[40];

		write_pattern(fd, sizes[i]);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		expect_bytes(path, sizes[i]);
		close(fd);
	}
}

/* Reads `path` while another process writes n bytes into a pipe that is file `target` here. */
static void read_through_pipe(int target, const char *path, size_t n)
{
	int ends[2], status;
	pid_t writer;

	assert_int_equal(pipe(ends), 0);
	writer = fork();
	if (writer == 0) {
		close(ends[0]);
		write_pattern(ends[1], n);
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(dup2(ends[0], target), target);
	expect_bytes(path, n);
	close(ends[0]);
	assert_int_equal(waitpid(writer, &status, 0), writer);
	assert_int_equal(status, 0);
}

static void pipes_and_standard_input(void **state)
{
	int saved = dup(STDIN_FILENO), null = open("/dev/null", O_RDONLY), spare;

	(void)state;
	assert_true(null >= 0);
	spare = dup(null);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		char path[40];

		read_through_pipe(STDIN_FILENO, "-", sizes[i]);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", spare);
		read_through_pipe(spare, path, sizes[i]);
	}
	/* Reading does not close standard input. */
	assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
	if (saved >= 0)
		dup2(saved, STDIN_FILENO);
	else
		close(STDIN_FILENO);
	close(saved);
	close(null);
	close(spare);
}

static void what_cannot_be_read(void **state)
{
	(void)state;
	expect_failure("/nonexistent/file", "test: /nonexistent/file: No such file or directory");
	expect_failure("", "No such file or directory");
	expect_failure("/", "test: /: Is a directory");
	expect_failure("/dev/zero", "test: /dev/zero: is a device");
	expect_failure("/dev/null", "test: /dev/null: is a device");
}

static void nothing_is_left_open(void **state)
{
	int fd = memory_file(), next = dup(fd);
	char path[40];

	(void)state;
	close(next);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (int i = 0; i < 3; i++) {
		expect_bytes(path, 0);
		expect_failure("/dev/zero", "is a device");
		expect_failure("/", "Is a directory");
	}
	assert_int_equal(dup(fd), next);
	close(next);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regular_files),
		cmocka_unit_test(pipes_and_standard_input),
		cmocka_unit_test(what_cannot_be_read),
		cmocka_unit_test(nothing_is_left_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

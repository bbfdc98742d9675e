/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files: of any size, from pipes and standard input; what is refused or cannot be read. */
#include "testing.h"

#include "io/file.h"

#include <fcntl.h>
#include <signal.h>
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

static int any_start(const unsigned char *bytes, size_t n, void *arg)
{
	(void)bytes;
	(void)n;
	(void)arg;
	return 0;
}

/* The path reads as n bytes of the pattern. */
static void expect_bytes(const char *path, size_t n)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct file file = { 0 };

	assert_int_equal(file_read(&file, path, any_start, NULL, &diag), 0);
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
	struct file file = { 0 };

	assert_int_equal(file_read(&file, path, any_start, NULL, &diag), -1);
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

/* What a check saw, and what it is to say of it. */
struct checked {
	unsigned ncalls;
	size_t n;
	bool is_pattern;
	int rc;
	struct diag *diag;
};

static int see_start(const unsigned char *bytes, size_t n, void *arg)
{
	struct checked *seen = arg;

	seen->ncalls++;
	seen->n = n;
	seen->is_pattern = true;
	for (size_t i = 0; i < n; i++)
		seen->is_pattern &= bytes[i] == pattern(i);
	if (seen->rc < 0)
		diag_error(seen->diag, "refused");
	return seen->rc;
}

/* The check sees the start of a file of n bytes once; the file is read if the check allows. */
static void expect_start_seen(const char *path, size_t n, int rc)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct checked seen = { .rc = rc, .diag = &diag };
	struct file file = { 0 };

	assert_int_equal(file_read(&file, path, see_start, &seen, &diag), rc);
	assert_int_equal(seen.ncalls, 1);
	assert_int_equal(seen.n, n < FILE_START_BYTES ? n : FILE_START_BYTES);
	assert_true(seen.is_pattern);
	assert_int_equal(file.size, rc < 0 ? 0 : n);
	if (rc < 0) {
		expect_message(&log, "test: refused");
		assert_null(file.bytes);
	}
	assert_int_equal(log.n, 0);
	file_free(&file);
}

static void the_check_sees_the_start(void **state)
{
	static const size_t lengths[] = { 0, 1, 4095, 4096, 4097, 65536, 200000 };

	(void)state;
	for (size_t i = 0; i < COUNT(lengths); i++) {
		int fd = memory_file();
		char path[40];

		write_pattern(fd, lengths[i]);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		expect_start_seen(path, lengths[i], 0);
		expect_start_seen(path, lengths[i], -1);
		close(fd);
	}
}

static void no_check_of_what_cannot_be_read(void **state)
{
	static const char *const paths[] = { "/nonexistent", "/", "/dev/zero" };

	(void)state;
	for (size_t i = 0; i < COUNT(paths); i++) {
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct checked seen = { .diag = &diag };
		struct file file = { 0 };

		assert_int_equal(file_read(&file, paths[i], see_start, &seen, &diag), -1);
		assert_int_equal(seen.ncalls, 0);
		expect_message(&log, paths[i]);
	}
}

/* A pipe that never ends is read no further than the check needs; its writer then fails. */
static void refusal_ends_an_endless_pipe(void **state)
{
	int saved = dup(STDIN_FILENO), null = open("/dev/null", O_RDONLY), spare, status;
	char path[40];

	(void)state;
	assert_true(null >= 0);
	spare = dup(null);
	for (int is_stdin = 0; is_stdin < 2; is_stdin++) {
		int ends[2], target = is_stdin ? STDIN_FILENO : spare;
		pid_t writer;

		assert_int_equal(pipe(ends), 0);
		writer = fork();
		if (writer == 0) {
			close(ends[0]);
			close(STDIN_FILENO);
			close(spare);
			signal(SIGPIPE, SIG_DFL);
			alarm(60);
			for (;;)
				write_pattern(ends[1], 10000);
		}
		close(ends[1]);
		assert_int_equal(dup2(ends[0], target), target);
		close(ends[0]);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", spare);
		expect_start_seen(is_stdin ? "-" : path, SIZE_MAX, -1);
		dup2(null, target);
		assert_int_equal(waitpid(writer, &status, 0), writer);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
	}
	if (saved >= 0)
		dup2(saved, STDIN_FILENO);
	else
		close(STDIN_FILENO);
	close(saved);
	close(null);
	close(spare);
}

static void newer_files(void **state)
{
	struct stat a = { .st_mtim = { 5, 7 } }, b = { .st_mtim = { 5, 8 } };

	(void)state;
	assert_true(file_is_newer(&b, &a));
	assert_false(file_is_newer(&a, &b));
	assert_false(file_is_newer(&a, &a));
	a.st_mtim = (struct timespec){ 6, 0 };
	assert_true(file_is_newer(&a, &b));
	assert_false(file_is_newer(&b, &a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(newer_files),
		cmocka_unit_test(regular_files),
		cmocka_unit_test(pipes_and_standard_input),
		cmocka_unit_test(what_cannot_be_read),
		cmocka_unit_test(the_check_sees_the_start),
		cmocka_unit_test(no_check_of_what_cannot_be_read),
		cmocka_unit_test(refusal_ends_an_endless_pipe),
		cmocka_unit_test(nothing_is_left_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

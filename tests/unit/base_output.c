/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The buffered writer: nothing lost or doubled at any boundary, and errors that stick. */
#include "testing.h"

#include "base/output.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

/* Byte i of what the tests write: boundaries that repeat or drop bytes show. */
static char pattern(size_t i)
{
	return (char)('!' + i % 89);
}

static char *make_pattern(struct arena *mem, size_t n)
{
	char *text = arena_array(mem, char, n + 1);

	for (size_t i = 0; i < n; i++)
		text[i] = pattern(i);
	return text;
}

static void assert_pattern(const char *text, size_t n)
{
	assert_int_equal(strlen(text), n);
	for (size_t i = 0; i < n; i++) {
		if (text[i] != pattern(i))
			fail_msg("byte %zu is wrong", i);
	}
}

static void every_call_adds_its_text(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	int fd = memory_file();

	(void)state;
	output_open(&out, fd, "file", &diag);
	assert_int_equal(out.total, 0);
	output_text(&out, "one ");
	output_bytes(&out, "two three", 3);
	output_blanks(&out, 3);
	output_blanks(&out, 0);
	output_bytes(&out, "", 0);
	assert_int_equal(output_format(&out, "%s=%5.2f|", "x", 1.0), 8);
	assert_int_equal(output_format(&out, "%s", ""), 0);
	output_text(&out, "");
	assert_int_equal(out.total, 18);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	assert_int_equal(output_close(&out), 0);
	assert_string_equal(written_text(fd, &mem), "one two   x= 1.00|");
	assert_int_equal(log.n, 0);
	arena_free(&mem);
}

static void nothing_written_is_fine(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	int fd = memory_file();

	(void)state;
	output_open(&out, fd, "file", &diag);
	assert_int_equal(output_close(&out), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	close(fd);
}

/* Writes the pattern in two pieces that meet at `first`, the second one formatted. */
static void check_boundary(size_t first, size_t second)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	char *text = make_pattern(&mem, first + second + 10);
	struct output out;
	int fd = memory_file();

	output_open(&out, fd, "file", &diag);
	output_bytes(&out, text, first);
	assert_int_equal(output_format(&out, "%.*s", (int)second, text + first), second);
	output_bytes(&out, text + first + second, 10);
	assert_int_equal(out.total, first + second + 10);
	assert_int_equal(output_close(&out), 0);
	assert_pattern(written_text(fd, &mem), first + second + 10);
	arena_free(&mem);
}

static void pieces_around_the_buffers_end(void **state)
{
	static const int offsets[] = { -1100, -1001, -1000, -999, -998, -500, -1, 0, 1, 2 };
	static const size_t lengths[] = { 0, 1, 2, 10, 500, 998, 999 };

	(void)state;
	for (size_t i = 0; i < COUNT(offsets); i++) {
		for (size_t k = 0; k < COUNT(lengths); k++)
			check_boundary((size_t)(OUTPUT_BUFFER + offsets[i]), lengths[k]);
	}
}

static void large_pieces_pass(void **state)
{
	static const size_t sizes[] = { OUTPUT_BUFFER - 1, OUTPUT_BUFFER,         OUTPUT_BUFFER + 1,
					2 * OUTPUT_BUFFER, 2 * OUTPUT_BUFFER + 1, 1000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct output out;
		int fd = memory_file();

		output_open(&out, fd, "file", &diag);
		output_bytes(&out, make_pattern(&mem, sizes[i]), sizes[i]);
		assert_int_equal(out.total, sizes[i]);
		assert_int_equal(output_close(&out), 0);
		assert_pattern(written_text(fd, &mem), sizes[i]);
		arena_free(&mem);
	}
}

static void many_blanks_are_blanks(void **state)
{
	enum { N = 3 * OUTPUT_BUFFER + 5 };
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	int fd = memory_file();
	char *text;

	(void)state;
	output_open(&out, fd, "file", &diag);
	output_blanks(&out, N);
	assert_int_equal(out.total, N);
	assert_int_equal(output_close(&out), 0);
	text = written_text(fd, &mem);
	assert_int_equal(strlen(text), N);
	assert_int_equal(strspn(text, " "), N);
	arena_free(&mem);
}

static void full_device_fails_once_and_for_all(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	assert_true(fd >= 0);
	output_open(&out, fd, "the device", &diag);
	output_text(&out, "buffered");
	assert_int_equal(log.n, 0);
	for (int i = 0; i < 10; i++)
		output_blanks(&out, OUTPUT_BUFFER);
	assert_true(out.failed);
	for (int i = 0; i < 1000; i++)
		output_format(&out, "%0900d", 0);
	assert_int_equal(output_close(&out), -1);
	assert_int_equal(diag.nerrors, 1);
	expect_message(&log, "the device: write failed: No space left");
	close(fd);
}

static void failure_at_the_close_counts(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	output_open(&out, fd, "x", &diag);
	output_text(&out, "x");
	assert_int_equal(output_close(&out), -1);
	assert_int_equal(output_close(&out), -1);
	expect_message(&log, "x: write failed");
	close(fd);

	output_open(&out, -1, "nowhere", &diag);
	output_text(&out, "x");
	assert_int_equal(output_close(&out), -1);
	expect_message(&log, "nowhere: write failed");
}

static void ignore_signal(int signal)
{
	(void)signal;
}

/* Reads slowly, so that the writer blocks; its exit status says whether all came. */
static void __attribute__((noreturn)) read_slowly(int fd, size_t n)
{
	static char piece[20000];
	size_t at = 0;
	ssize_t got;

	while ((got = read(fd, piece, sizeof(piece))) > 0) {
		for (ssize_t i = 0; i < got; i++) {
			if (piece[i] != pattern(at++))
				_exit(2);
		}
		usleep(1000);
	}
	_exit(at == n ? 0 : 1);
}

/* Signals every 300 us make writes to a full pipe stop in the middle. */
static void interrupted_writes_go_on(void **state)
{
	enum { N = 1000000 };
	struct sigaction action = { .sa_handler = ignore_signal };
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { 0 };
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	int ends[2], status;
	pid_t reader;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	reader = fork();
	if (reader == 0) {
		close(ends[1]);
		read_slowly(ends[0], N);
	}
	close(ends[0]);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	output_open(&out, ends[1], "pipe", &diag);
	output_bytes(&out, make_pattern(&mem, N), N);
	assert_int_equal(output_close(&out), 0);
	setitimer(ITIMER_REAL, &never, NULL);
	close(ends[1]);
	assert_int_equal(waitpid(reader, &status, 0), reader);
	assert_int_equal(status, 0);
	assert_int_equal(log.n, 0);
	arena_free(&mem);
}

static void styles_add_only_sequences(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;

	(void)state;
	for (int styled = 0; styled < 2; styled++) {
		int fd = memory_file();

		output_open(&out, fd, "file", &diag);
		out.styled = styled;
		output_style(&out, STYLE_HOT);
		assert_int_equal(out.total, 0);
		output_text(&out, "hot");
		output_style(&out, STYLE_PLAIN);
		output_text(&out, "!");
		assert_int_equal(out.total, 4);
		assert_int_equal(output_close(&out), 0);
		assert_string_equal(written_text(fd, &mem),
				    styled ? "\033[0;1;31mhot\033[0m!" : "hot!");
	}
	arena_free(&mem);
}

static void memory_is_full(void *arg, struct output *out, bool is_all)
{
	(void)out;
	(void)is_all;
	longjmp(*(jmp_buf *)arg, 1);
}

/* With a part in memory of n bytes between others, in a style that does not count. */
static void check_append(size_t n)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	char *pattern = make_pattern(&mem, n), *room = arena_array(&mem, char, n + OUTPUT_BUFFER);
	char *text;
	struct output out, part;
	int fd = memory_file();

	output_open(&out, fd, "file", &diag);
	out.styled = true;
	output_text(&out, "before ");
	output_open_memory(&part, room, n + OUTPUT_BUFFER, &out, memory_is_full, NULL);
	output_style(&part, STYLE_HOT);
	output_bytes(&part, pattern, n);
	output_append(&out, &part);
	output_text(&out, " behind");
	assert_int_equal(out.total, n + strlen("before  behind"));
	assert_int_equal(output_close(&out), 0);
	text = written_text(fd, &mem);
	assert_memory_equal(text, "before \033[0;1;31m", 16);
	assert_string_equal(text + strlen(text) - 7, " behind");
	text[strlen(text) - 7] = '\0';
	assert_pattern(strchr(text, 'm') + 1, n);
	assert_int_equal(log.n, 0);
	arena_free(&mem);
}

static void what_is_in_memory_is_appended(void **state)
{
	(void)state;
	check_append(0);
	check_append(100);
	check_append(OUTPUT_BUFFER - 17);
	check_append(OUTPUT_BUFFER);
	check_append(5 * OUTPUT_BUFFER);
}

static void memory_that_is_full_says_so(void **state)
{
	static char room[OUTPUT_BUFFER];
	struct output like = { .terminal = false }, out;
	volatile size_t n = 0;
	jmp_buf full;

	(void)state;
	output_open_memory(&out, room, sizeof(room), &like, memory_is_full, &full);
	if (setjmp(full) == 0) {
		for (; n < 2 * sizeof(room); n++)
			output_char(&out, 'x');
	}
	assert_in_range(n, sizeof(room) - 1, sizeof(room));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_adds_its_text),
		cmocka_unit_test(nothing_written_is_fine),
		cmocka_unit_test(pieces_around_the_buffers_end),
		cmocka_unit_test(large_pieces_pass),
		cmocka_unit_test(many_blanks_are_blanks),
		cmocka_unit_test(full_device_fails_once_and_for_all),
		cmocka_unit_test(failure_at_the_close_counts),
		cmocka_unit_test(interrupted_writes_go_on),
		cmocka_unit_test(styles_add_only_sequences),
		cmocka_unit_test(what_is_in_memory_is_appended),
		cmocka_unit_test(memory_that_is_full_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

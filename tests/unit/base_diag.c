/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages: their form, what hostile text becomes, counting, errno. */
#include "testing.h"

#include <errno.h>

static void errors_and_warnings_have_their_forms(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);

	(void)state;
	diag_error(&diag, "%s: broken at byte %d", "F", 7);
	expect_message(&log, "test: F: broken at byte 7");
	assert_string_equal(log.line[0], "test: F: broken at byte 7");
	diag_warn(&diag, "%d of %d", 1, 2);
	expect_message(&log, "");
	assert_string_equal(log.line[0], "test: warning: 1 of 2");
	diag_note(&diag, "%s", "read\n");
	expect_message(&log, "");
	assert_string_equal(log.line[0], "test: note: read?");
}

static void each_kind_is_counted(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		diag_error(&diag, "e");
		assert_int_equal(diag.nerrors, i + 1);
		assert_int_equal(diag.nwarnings, 2 * i);
		diag_note(&diag, "n");
		diag_warn(&diag, "w");
		diag_warn(&diag, "w");
	}
	assert_int_equal(diag.nerrors, 5);
	assert_int_equal(diag.nwarnings, 10);
	assert_int_equal(log.n, 20);
}

static void control_characters_come_out_as_question_marks(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	char text[40];

	(void)state;
	for (int i = 0; i < 32; i++)
		text[i] = (char)(i + 1);
	text[31] = 0x7f;
	text[32] = ' ';
	text[33] = '~';
	text[34] = '\0';
	diag_error(&diag, "%s\n", text);
	assert_string_equal(log.line[0], "test: ???????????????????????????????? ~?");
	diag.program = "a\033[1m\n";
	diag_error(&diag, "\303\244 stays");
	assert_string_equal(log.line[1], "a?[1m?: \303\244 stays");
}

static void long_text_is_cut(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	char text[5000];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	diag_error(&diag, "%.2000s", text);
	assert_int_equal(strlen(log.line[0]), strlen("test: ") + 2000);
	diag_warn(&diag, "%.2000s", text);
	assert_int_equal(strlen(log.line[1]), strlen("test: warning: ") + 2000);
	diag_error(&diag, "%s", text);
	assert_true(strlen(log.line[2]) >= strlen("test: ") + 2000);
	assert_true(strlen(log.line[2]) < 2200);
	diag.program = text;
	diag_warn(&diag, "short");
	assert_non_null(strstr(log.line[3], "x: warning: short"));
}

static void overwrite_errno(void *to, const char *line)
{
	messages_add(to, line);
	errno = EXDEV;
}

static void errno_is_kept(void **state)
{
	struct messages log = { 0 };
	struct diag diag = { .program = "test", .sink = overwrite_errno, .to = &log };

	(void)state;
	errno = ENOSPC;
	diag_error(&diag, "x");
	assert_int_equal(errno, ENOSPC);
	diag_warn(&diag, "x");
	assert_int_equal(errno, ENOSPC);
	diag_note(&diag, "x");
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(log.n, 3);
}

static void silence_counts(void **state)
{
	struct diag diag = diag_silent(NULL);

	(void)state;
	diag_error(&diag, "x");
	diag_warn(&diag, "x");
	diag_note(&diag, "x");
	assert_int_equal(diag.nerrors, 1);
	assert_int_equal(diag.nwarnings, 1);
}

static void stderr_gets_lines(void **state)
{
	struct arena mem = test_arena();
	struct diag diag = diag_to_stderr("prog");
	int fd = memory_file();
	int saved = dup(STDERR_FILENO);

	(void)state;
	assert_true(saved >= 0);
	fflush(stderr);
	dup2(fd, STDERR_FILENO);
	diag_error(&diag, "one");
	diag_warn(&diag, "two\n");
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	assert_string_equal(written_text(fd, &mem), "prog: one\nprog: warning: two?\n");
	assert_int_equal(diag.nerrors, 1);
	assert_int_equal(diag.nwarnings, 1);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_and_warnings_have_their_forms),
		cmocka_unit_test(each_kind_is_counted),
		cmocka_unit_test(control_characters_come_out_as_question_marks),
		cmocka_unit_test(long_text_is_cut),
		cmocka_unit_test(errno_is_kept),
		cmocka_unit_test(stderr_gets_lines),
		cmocka_unit_test(silence_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

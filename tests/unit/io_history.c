/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of --history: what is appended comes back, whatever else is in the file. */
#include "testing.h"

#include "io/history.h"
#include "io/json_text.h"

#include <signal.h>
#include <sys/resource.h>

#define MARK HISTORY_MARK ",\"version\":1,"

/* What json_text_walk() finds, as "path=text" with blanks between; strings have quotes. */
struct found {
	char text[1024];
};

static void find(void *arg, const struct json_scalar *scalar)
{
	struct found *found = arg;
	const char *quote = scalar->is_string ? "\"" : "";
	size_t n = strlen(found->text);

	snprintf(found->text + n, sizeof(found->text) - n, "%s%s=%s%.*s%s", n > 0 ? " " : "",
		 scalar->path, quote, (int)scalar->text.n, scalar->text.at, quote);
}

static void expect_walk(const char *text, bool good, const char *expected)
{
	struct found found = { "" };

	assert_int_equal(json_text_walk((struct span){ text, strlen(text) }, find, &found), good);
	if (good)
		assert_string_equal(found.text, expected);
}

static void scalars_have_paths(void **state)
{
	(void)state;
	expect_walk("{}", true, "");
	expect_walk(" { \"a\" : 1 , \"b\":{\"c\":\"x\",\"d\":{\"e\":null}},\"f\":true}\t", true,
		    "a=1 b.c=\"x\" b.d.e=null f=true");
	expect_walk("{\"a\":[1,{\"b\":2},[]],\"c\":-3e5}", true, "=1 =2 c=-3e5");
	expect_walk("{\"a\":\"q\\\"u\\\\\",\"b\":2}", true, "a=\"q\\\"u\\\\\" b=2");
	expect_walk("{\"0123456789012345678901234567890123456789\":{\"012345678901234567890123\":1"
		    "},\"z\":2}",
		    true, "=1 z=2");
}

static void other_text_is_no_object(void **state)
{
	static const char *const wrong[] = {
		"",           "1",           "[]",          "{",
		"{\"a\"}",    "{\"a\":}",    "{\"a\":1",    "{\"a\":1,}",
		"{a:1}",      "{\"a\":\"x}", "{\"a\":1}x",  "{\"a\":1}{}",
		"{\"a\":[1}", "{\"a\":1]",   "{\"a\":\"\\", "{\"a\\n\":1}"
	};
	char deep[200] = "";

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		expect_walk(wrong[i], false, NULL);
	for (int i = 0; i < 9; i++)
		strcat(deep, "{\"a\":");
	strcat(deep, "1}}}}}}}}}");
	expect_walk(deep, false, NULL);
	deep[strlen(deep) - 1] = '\0';
	expect_walk(deep + strlen("{\"a\":"), true, "a.a.a.a.a.a.a.a=1");
}

static void expect_text(const char *json, const char *expected)
{
	struct arena mem = test_arena();
	struct json_scalar scalar = { "", { json, strlen(json) }, true };

	assert_string_equal(json_text_string(&scalar, &mem), expected);
	arena_free(&mem);
}

static void escapes_become_characters(void **state)
{
	(void)state;
	expect_text("", "");
	expect_text("a\\u003cb\\u00e9\\u20ac\\\"\\/\\n", "a<b\u00e9\u20ac\"/\n");
	expect_text("\\ud83d\\u0000\\u12", "\ufffd\ufffd\ufffd");
	expect_text("\\x\\", "\ufffd\\");
}

static void numbers_are_finite(void **state)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = { { "1.25", 1.25 }, { "-3e2", -300.0 }, { "1e999", 0.0 },
		      { "nan", 0.0 },   { "12x", 0.0 },     { "", 0.0 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct json_scalar scalar = { "", { cases[i].text, strlen(cases[i].text) }, false };

		assert_true(json_text_number(&scalar) == cases[i].value);
	}
}

/* A history of this text. The file is gone when it is closed. */
static int history_of(const char *text)
{
	int fd = memory_file();

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

static void expect_bytes(int fd, const char *expected)
{
	char bytes[4096];
	ssize_t n = pread(fd, bytes, sizeof(bytes) - 1, 0);

	assert_true(n >= 0);
	bytes[n] = '\0';
	assert_string_equal(bytes, expected);
}

static void lines_are_appended_whole(void **state)
{
	static const char line[] = MARK "\"x\":1}";
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	int fd = history_of("");

	(void)state;
	assert_int_equal(history_append(fd, "h", line, strlen(line), &diag), 0);
	assert_int_equal(history_append(fd, "h", line, strlen(line), &diag), 0);
	expect_bytes(fd, MARK "\"x\":1}\n" MARK "\"x\":1}\n");
	close(fd);
	fd = history_of(MARK "\"cut");
	assert_int_equal(history_append(fd, "h", line, strlen(line), &diag), 0);
	expect_bytes(fd, MARK "\"cut\n" MARK "\"x\":1}\n");
	assert_int_equal(log.n, 0);
	close(fd);
}

/* As on a full disk. */
static void nothing_is_appended_in_part(void **state)
{
	static const char before[] = MARK "\"x\":1}\n";
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct rlimit old, limit;
	int fd = history_of(before);

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = old;
	limit.rlim_cur = strlen(before) + 5;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(history_append(fd, "h", before, strlen(before), &diag), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	expect_bytes(fd, before);
	expect_message(&log, "h: File too large");
	close(fd);
}

static void entries_come_back(void **state)
{
	static const char text[] = MARK
		"\"time\":\"T\",\"label\":\"a\\u003c\",\"pairs\":{\"n\":3,\"elapsed\":{"
		"\"verdict\":\"more\",\"base\":1,\"new\":2,\"ratio\":2,\"low\":1.5,\"high\":2.5,\"p\":"
		"0.01},\"cpu\":{\"verdict\":\"noise\",\"ratio\":1.01,\"low\":null}}}\n"
		"\n"
		"not JSON\n"
		"{\"format\":\"other\",\"pairs\":{\"cpu\":{\"ratio\":1}}}\n" MARK
		"\"pairs\":{\"cpu\":{\"ratio\":0.5,\"verdict\":\"less\"}}}\n" MARK
		"\"pairs\":{}}\n" MARK;
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct history history;
	int fd = history_of(text);

	(void)state;
	assert_int_equal(history_read(&history, fd, "h", &mem, &diag), 0);
	assert_int_equal(history.entries.n, 2);
	assert_int_equal(history.nother, 4);
	assert_int_equal(history.nolder, 0);
	const struct history_entry *first = &history.entries.at[0], *second = first + 1;
	assert_string_equal(first->time, "T");
	assert_string_equal(first->label, "a<");
	assert_true(first->total[PAIRED_ELAPSED].tested);
	assert_int_equal(first->total[PAIRED_ELAPSED].verdict, VERDICT_MORE);
	assert_true(first->total[PAIRED_ELAPSED].seconds[SIDE_NEW] == 2.0);
	assert_true(first->total[PAIRED_CPU].known && !first->total[PAIRED_CPU].tested);
	assert_string_equal(second->label, "");
	assert_false(second->total[PAIRED_ELAPSED].known);
	assert_int_equal(second->total[PAIRED_CPU].verdict, VERDICT_LESS);
	close(fd);
	arena_free(&mem);
}

/* Of a long history its end is read, from the first line that begins there. */
static void the_end_is_read(void **state)
{
	static const char line[] = MARK "\"pairs\":{\"cpu\":{\"ratio\":1}}}\n";
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct history history;
	int fd = memory_file();
	uint64_t n = HISTORY_MOST_BYTES / strlen(line) + 10;

	(void)state;
	for (uint64_t i = 0; i < n; i++)
		assert_int_equal(write(fd, line, strlen(line)), strlen(line));
	assert_int_equal(history_read(&history, fd, "h", &mem, &diag), 0);
	assert_int_equal(history.nother, 0);
	assert_int_equal(history.entries.n, HISTORY_MOST_BYTES / strlen(line));
	assert_int_equal(history.nolder, (n - history.entries.n) * strlen(line));
	close(fd);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalars_have_paths),
		cmocka_unit_test(other_text_is_no_object),
		cmocka_unit_test(escapes_become_characters),
		cmocka_unit_test(numbers_are_finite),
		cmocka_unit_test(lines_are_appended_whole),
		cmocka_unit_test(nothing_is_appended_in_part),
		cmocka_unit_test(entries_come_back),
		cmocka_unit_test(the_end_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

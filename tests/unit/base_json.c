/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commas, brackets, newlines and keys of JSON, and its numbers. */
#include "testing.h"

#include "base/json.h"

#include <fcntl.h>

static const char *written(void write(struct json *json), struct arena *mem)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	struct json json = { .out = &out };
	int fd = memory_file();

	output_open(&out, fd, "out", &diag);
	write(&json);
	assert_int_equal(json.nopen, 0);
	assert_int_equal(output_close(&out), 0);
	return written_text(fd, mem);
}

static void write_nested(struct json *json)
{
	json_begin_object(json, NULL);
	json_begin_array(json, "empty");
	json_end(json);
	json_begin_array(json, "a");
	json_uint(json, NULL, 1);
	json_begin_object(json, NULL);
	json_end(json);
	json_begin_array(json, NULL);
	json_raw(json, NULL, "null");
	json_end(json);
	json_end(json);
	json_string(json, "s", "<\"");
	json_bool(json, "yes", true);
	json_bool(json, "no", false);
	json_end(json);
}

static void write_lines(struct json *json)
{
	json_begin_array(json, NULL);
	for (unsigned i = 0; i < 2; i++) {
		json_begin_object(json_line(json), NULL);
		json_uint(json, "i", i);
		json_end(json);
	}
	json_begin_array(json_line(json), NULL);
	json_end(json_line(json));
	json_begin_array(json, NULL);
	json_uint(json_next_line(json), NULL, 1);
	json_uint(json_next_line(json), NULL, 2);
	json_end(json);
	json_end(json);
}

static void write_numbers(struct json *json)
{
	json_begin_array(json, NULL);
	json_uint(json, NULL, UINT64_MAX);
	json_exact(json, NULL, UINT64_C(1) << 53);
	json_exact(json, NULL, (UINT64_C(1) << 53) + 1);
	json_format(json, NULL, "%.9g", 0.1);
	json_format(json, NULL, "%d", -1);
	json_end(json);
}

static void write_deep(struct json *json)
{
	for (unsigned i = 0; i < JSON_MOST_OPEN; i++)
		i % 3 == 0 ? json_begin_object(json, NULL) : json_begin_array(json, NULL);
	for (unsigned i = 0; i < JSON_MOST_OPEN; i++)
		json_end(json);
}

static void commas_and_brackets(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	assert_string_equal(written(write_nested, &mem),
			    "{\"empty\":[],\"a\":[1,{},[null]],\"s\":\"\\u003c\\\"\","
			    "\"yes\":true,\"no\":false}");
	assert_string_equal(written(write_lines, &mem), "[\n{\"i\":0},\n{\"i\":1},\n[\n],[1,\n2]]");
	arena_free(&mem);
}

static void numbers(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	assert_string_equal(written(write_numbers, &mem),
			    "[18446744073709551615,9007199254740992,\"9007199254740993\",0.1,-1]");
	arena_free(&mem);
}

/* The kinds of all brackets are kept. */
static void deep(void **state)
{
	struct arena mem = test_arena();
	const char *text = written(write_deep, &mem);

	(void)state;
	assert_int_equal(strlen(text), 2 * JSON_MOST_OPEN);
	for (unsigned i = 0; i < JSON_MOST_OPEN; i++) {
		assert_int_equal(text[i], i % 3 == 0 ? '{' : '[');
		assert_int_equal(text[2 * JSON_MOST_OPEN - 1 - i], i % 3 == 0 ? '}' : ']');
	}
	arena_free(&mem);
}

static void a_full_disk(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	struct json json = { .out = &out };
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	output_open(&out, fd, "full", &diag);
	write_nested(&json);
	assert_int_equal(output_close(&out), -1);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commas_and_brackets),
		cmocka_unit_test(numbers),
		cmocka_unit_test(deep),
		cmocka_unit_test(a_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

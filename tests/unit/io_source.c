/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding source files, and writing files of equal names. */
#include "testing.h"

#include "io/outfiles.h"
#include "io/source.h"

#include <fcntl.h>

/* A scratch directory that is the current one. */
static int enter(void **state)
{
	static const char pattern[] = "gprof-test-XXXXXX";
	char *name = strdup(pattern);

	if (!name || !mkdtemp(name) || chdir(name) < 0)
		return -1;
	*state = name;
	return 0;
}

static int leave(void **state)
{
	int rc = chdir("..");
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", (char *)*state);
	rc |= system(command);
	free(*state);
	return rc;
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A copy is read if there is no such file: a regular one, not too large, that is no link. */
static void copies_are_for_what_is_not_here(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	string_array path = { 0 };
	source_copies copies = { 0 };
	file_ids read = { 0 };
	const struct source_search search = { &path, true, &read, &mem, &copies };
	struct source_text text;

	(void)state;
	put("copy", "copied");
	put("here.c", "here");
	assert_int_equal(system("ln -s copy link && truncate -s 67108865 "
				"large && mkfifo fifo && chmod 640 copy"),
			 0);
	array_push(&mem, &copies) = (struct source_copy){ "/no/x.c", "copy" };
	array_push(&mem, &copies) = (struct source_copy){ "here.c", "copy" };
	array_push(&mem, &copies) = (struct source_copy){ "/no/link.c", "link" };
	array_push(&mem, &copies) = (struct source_copy){ "/no/large.c", "large" };
	array_push(&mem, &copies) = (struct source_copy){ "/no/fifo.c", "fifo" };
	text = source_read("/no/x.c", &search, &mem, &diag);
	assert_int_equal(text.size, 6);
	assert_memory_equal(text.bytes, "copied", 6);
	assert_int_equal(text.rights & S_IRWXO, 0);
	assert_int_equal(source_read("here.c", &search, &mem, &diag).size, 4);
	assert_true(source_is_here("here.c", &search, &mem));
	assert_false(source_is_here("/no/x.c", &search, &mem));
	assert_null(source_read("/no/link.c", &search, &mem, &diag).bytes);
	assert_null(source_read("/no/large.c", &search, &mem, &diag).bytes);
	assert_null(source_read("/no/fifo.c", &search, &mem, &diag).bytes);
	assert_null(source_read("/no/other.c", &search, &mem, &diag).bytes);
	arena_free(&mem);
}

static void a_path_is_searched_by_name_then_by_last_part(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	string_array path = { 0 };
	file_ids read = { 0 };
	const struct source_search search = { &path, false, &read, &mem };
	struct source_text text;

	(void)state;
	source_add_path(&path, "none:one::two", &mem);
	assert_int_equal(path.n, 3);
	assert_int_equal(system("mkdir -p one two/sub"), 0);
	put("one/x.c", "one");
	put("two/sub/x.c", "two/sub");
	text = source_read("sub/x.c", &search, &mem, &diag);
	assert_int_equal(text.size, 7);
	assert_memory_equal(text.bytes, "two/sub", 7);
	text = source_read("/nowhere/x.c", &search, &mem, &diag);
	assert_int_equal(text.size, 3);
	assert_memory_equal(text.bytes, "one", 3);
	assert_int_equal(log.n, 0);
	text = source_read("/nowhere/y.c", &search, &mem, &diag);
	assert_null(text.bytes);
	assert_int_equal(diag.nwarnings, 1);
	text = source_read("one", &search, &mem, &diag); /* a directory */
	assert_null(text.bytes);
	arena_free(&mem);
}

static void equal_names_get_numbers(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct outfiles files = { .mem = &mem, .diag = &diag };

	(void)state;
	outfiles_start(&files);
	for (int i = 0; i < 3; i++) {
		struct output *out = files.set.open(&files.set, "x-ann", "x", 0777);

		assert_non_null(out);
		output_text(out, "text");
		assert_int_equal(files.set.close(&files.set), 0);
	}
	assert_int_equal(access("x-ann", R_OK), 0);
	assert_int_equal(access("x-ann.2", R_OK), 0);
	assert_int_equal(access("x-ann.3", R_OK), 0);
	assert_int_equal(log.n, 2);
	assert_null(files.set.open(&files.set, "no/where", "x", 0777));
	assert_int_equal(diag.nerrors, 1);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(copies_are_for_what_is_not_here, enter, leave),
		cmocka_unit_test_setup_teardown(a_path_is_searched_by_name_then_by_last_part, enter,
						leave),
		cmocka_unit_test_setup_teardown(equal_names_get_numbers, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

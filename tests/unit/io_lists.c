/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol lists and object maps: which lines count, what is said of the others. */
#include "testing.h"

#include "io/lists.h"

#define TEXT(literal) literal, sizeof(literal) - 1

/* Puts n bytes into a file; path names it while fd is open. */
static int text_file(const char *bytes, size_t n, char path[32])
{
	int fd = memory_file();

	assert_int_equal(write(fd, bytes, n), n);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

/* The table of a list, as "lo[t]=name" with blanks between; "" with one message if there is none.
 */
static void expect_symbols(const char *bytes, size_t n, const char *expected)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct symtab symtab;
	char path[32], text[4096] = "";
	int fd = text_file(bytes, n, path),
	    rc = lists_read_symbols(&symtab, path, 0x2000, &mem, &diag);

	for (sym_id s = 0; rc == 0 && s < symtab.nsyms; s++) {
		const struct sym *sym = &symtab.sym[s];

		assert_true(sym->flags & SYM_FUNC);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%llx%s=%s",
			 s > 0 ? " " : "", (unsigned long long)sym->lo,
			 sym->flags & SYM_STATIC ? "t" : "", sym->name);
	}
	assert_string_equal(text, expected);
	if (rc < 0)
		expect_message(&log, "has no symbols");
	assert_int_equal(log.n, 0);
	close(fd);
	arena_free(&mem);
}

static void lists_of_symbols(void **state)
{
	(void)state;
	expect_symbols(TEXT("1000 T a\n0x1010 t b\n0X101A T c"), "1000=a 1010t=b 101a=c");
	expect_symbols(TEXT("1000\tT\ta b c\r\n  1008 Tglued\n1010 tT two\n"),
		       "1000=a 1008=glued 1010t=T");
	expect_symbols(TEXT("1000 T a\n1000 t b\n1000 T _c\n"), "1000=a");
	expect_symbols(TEXT("ffffffffffffffff T top\n0 T zero\n"), "0=zero ffffffffffffffff=top");
	expect_symbols(TEXT("1000 T a\0b\n"), "1000=a");
}

static void lines_that_are_no_symbols(void **state)
{
	(void)state;
	expect_symbols(TEXT("1000 T a\n         U tanh\nzzz T weird\n# T x\n"), "1000=a");
	expect_symbols(TEXT("1000 T a\n1001z T b\n-1002 T c\n+1003 T d\n0x T e\n"), "1000=a");
	expect_symbols(TEXT("1000 T a\n10000000000000000 T big\n"), "1000=a");
	expect_symbols(TEXT("1000 T a\n1010 D d\n1020 W w\n1030 T\n1040\n 1050 T T\n"),
		       "1000=a 1050=T");
	expect_symbols(TEXT(""), "");
	expect_symbols(TEXT("\n\0\n \n1000 D d"), "");
}

/* The entries of a map, sorted, as "function=object", those that lead with a star. */
static void expect_map(const char *bytes, size_t n, const char *expected)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct object_map map = { 0 };
	char path[32], text[4096] = "";
	int fd = text_file(bytes, n, path);

	assert_int_equal(lists_read_objects(&map, path, &mem, &diag), 0);
	for (size_t i = 0; i < map.n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s%s=%s",
			 i > 0 ? " " : "", map.entry[i].leads ? "*" : "", map.entry[i].function,
			 map.entry[i].object);
	assert_string_equal(text, expected);
	assert_int_equal(log.n, 0);
	close(fd);
	arena_free(&mem);
}

static void expect_bad_map(const char *bytes, size_t n, const char *message)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct object_map map;
	char path[32];
	int fd = text_file(bytes, n, path);

	assert_int_equal(lists_read_objects(&map, path, &mem, &diag), -1);
	expect_message(&log, message);
	close(fd);
	arena_free(&mem);
}

static void maps(void **state)
{
	(void)state;
	expect_map(TEXT("x.o:0 T b\nx.o:4 T a\n\n  y.o: c"), "a=x.o *b=x.o *c=y.o");
	expect_map(TEXT("x.o:0 T a\r\ny.o:0 T b\r\nx.o:q r s\n"), "*a=x.o *b=y.o *s=x.o");
	expect_map(TEXT("l.a:x.o:0 T a\nl.a:y.o:0 t \n"), "=l.a *a=l.a");
	expect_map(TEXT("x.o:0 T a\ny.o:0 T a\nz.o:0 T a\n"), "*a=x.o *a=y.o *a=z.o");
	expect_map(TEXT("No symbols in x.o\n"), "");
	/* What is data, or only used, is no function of the object. */
	expect_map(TEXT("x.o:       U a\nx.o:0 d b\nx.o:0 T c\nl.a:y.o: U c\nx.o: t d\nz.o:U e"),
		   "*c=x.o d=x.o");
}

static void wrong_maps_are_refused(void **state)
{
	(void)state;
	expect_bad_map(TEXT(""), ":1: the map is empty");
	expect_bad_map(TEXT("\n \n\t"), ":1: the map is empty");
	expect_bad_map(TEXT("foo bar baz\n"), ":1: not a line");
	expect_bad_map(TEXT("x.o:0 T a\nx.o:nospace\ny.o:0 T b\n"), ":2: not a line");
	expect_bad_map(TEXT("x.o:\n"), ":1: not a line");
	expect_bad_map(TEXT(":0 T a\n"), ":1: not a line");
	expect_bad_map(TEXT("No symbols in x.o: y\n"), ":1: not a line");
}

static void functions_are_found(void **state)
{
	struct map_entry entries[] = { { "b", "1", true }, { "a", "2", true }, { "d", "3", true } };
	struct arena mem = test_arena();
	struct object_map none = { NULL, 0 }, map = object_map_build(entries, 3, &mem);

	(void)state;
	assert_null(object_map_find(&none, "a"));
	assert_string_equal(object_map_find(&map, "a")->object, "2");
	assert_string_equal(object_map_find(&map, "b")->object, "1");
	assert_string_equal(object_map_find(&map, "d")->object, "3");
	assert_null(object_map_find(&map, "c"));
	assert_null(object_map_find(&map, ""));
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_symbols),
		cmocka_unit_test(lines_that_are_no_symbols),
		cmocka_unit_test(maps),
		cmocka_unit_test(wrong_maps_are_refused),
		cmocka_unit_test(functions_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

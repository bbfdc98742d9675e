/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and lines of code that was made at run time, from jit-PID.dump. */
#include "testing.h"

#include "io/profile/jitdump.h"

#include <time.h>

enum {
	NODES = 4,
	HEADER = 40,
	LOAD = 0,
	MOVE = 1,
	DEBUG_INFO = 2,
	CLOSE = 3,
	LATER = 1000 /* a type that no version has yet */
};

/* A dump that is being made, in one byte order or the other. */
struct dump {
	bool big_endian;
	unsigned char *bytes;
	size_t n;
};

static void put(struct dump *d, uint64_t value, unsigned nbytes)
{
	for (unsigned i = 0; i < nbytes; i++) {
		unsigned byte = d->big_endian ? nbytes - 1 - i : i;

		d->bytes[d->n++] = (unsigned char)(value >> 8 * byte);
	}
}

static struct dump begin(bool big_endian, size_t room)
{
	struct dump d = { big_endian, malloc(room), 0 };

	put(&d, 0x4a695444, 4);
	put(&d, 1, 4);
	put(&d, HEADER, 4);
	put(&d, 62, 4);
	put(&d, 0, 4);
	put(&d, 1234, 4);
	put(&d, 1, 8);
	put(&d, 0, 8);
	return d;
}

static void put_head(struct dump *d, uint32_t type, size_t body)
{
	put(d, type, 4);
	put(d, 16 + body, 4);
	put(d, 7, 8);
}

/* A record of n bytes that are zero. */
static void put_zeros(struct dump *d, uint32_t type, size_t n)
{
	put_head(d, type, n);
	for (size_t i = 0; i < n; i++)
		put(d, 0, 1);
}

/* A name of nname bytes, with its NUL or without, and two bytes of code. */
static void put_load_of(struct dump *d, uint64_t start, uint64_t size, uint64_t number,
			const char *name, size_t nname)
{
	put_head(d, LOAD, 40 + nname + 2);
	put(d, 1234, 4);
	put(d, 1234, 4);
	put(d, 0x7777, 8);
	put(d, start, 8);
	put(d, size, 8);
	put(d, number, 8);
	memcpy(d->bytes + d->n, name, nname);
	d->n += nname;
	put(d, 0x9090, 2);
}

static void put_load(struct dump *d, uint64_t start, uint64_t size, uint64_t number,
		     const char *name)
{
	put_load_of(d, start, size, number, name, strlen(name) + 1);
}

static void put_move(struct dump *d, uint64_t from, uint64_t to, uint64_t size, uint64_t number)
{
	put_head(d, MOVE, 48);
	put(d, 1234, 4);
	put(d, 1234, 4);
	put(d, to, 8);
	put(d, from, 8);
	put(d, to, 8);
	put(d, size, 8);
	put(d, number, 8);
}

/* Functions at 0x10000, 0x11000, ..., each on a stack with one tick. */
static struct recorded make_recording(struct arena *mem)
{
	struct recorded rec = { .nfiles = 1, .ticks = NODES };

	for (uint32_t i = 0; i < NODES; i++) {
		array_push(mem, &rec.nodes) = (struct recorded_node){ RECORDED_NONE, RECORDED_NONE,
								      0x10000 + 0x1000 * i };
		array_push(mem, &rec.samples) = (struct recorded_sample){ .node = i, .ticks = 1 };
	}
	return rec;
}

/* A line of code: its address, and where it is in the source. */
struct line {
	uint64_t at;
	uint32_t line;
	const char *file;
};

/* Lines of the code at an address; the record says that it has n of them. */
static void put_lines(struct dump *d, uint64_t code, uint64_t n, const struct line *lines,
		      size_t nlines)
{
	size_t bytes = 16;

	for (size_t i = 0; i < nlines; i++)
		bytes += 16 + strlen(lines[i].file) + 1;
	put_head(d, DEBUG_INFO, bytes);
	put(d, code, 8);
	put(d, n, 8);
	for (size_t i = 0; i < nlines; i++) {
		put(d, lines[i].at, 8);
		put(d, lines[i].line, 4);
		put(d, 0, 4);
		memcpy(d->bytes + d->n, lines[i].file, strlen(lines[i].file) + 1);
		d->n += strlen(lines[i].file) + 1;
	}
}

#define PUT_LINES(d, code, ...)                                                                \
	put_lines(d, code, sizeof((const struct line[]){ __VA_ARGS__ }) / sizeof(struct line), \
		  (const struct line[]){ __VA_ARGS__ },                                        \
		  sizeof((const struct line[]){ __VA_ARGS__ }) / sizeof(struct line))

static const char *name_of(const struct recorded *rec, size_t i)
{
	const struct recorded_node *node = &rec->nodes.at[rec->samples.at[i].node];

	return node->module == RECORDED_NONE ? "-" : rec->made.at[node->address].name;
}

/*
 * Applies the first n bytes, which are copied so that a read behind them is seen; expects the names
 * of the functions, with commas between. Returns how much was whole.
 */
static size_t expect_of(const struct dump *d, size_t n, const char *wanted)
{
	struct arena mem = test_arena();
	struct recorded rec = make_recording(&mem);
	struct made_names names;
	unsigned char *copy = malloc(n ? n : 1);
	char got[4 * (4 * MADE_NAMES_BYTES + 8)] = "", *to = got;
	size_t whole;

	memcpy(copy, d->bytes, n);
	made_names_begin(&names, &rec, &mem);
	whole = jitdump_apply(&names, copy, n, &mem);
	made_names_end(&names, &rec, &mem);
	free(copy);
	for (size_t i = 0; i < NODES; i++)
		to += sprintf(to, "%s%s", i > 0 ? "," : "", name_of(&rec, i));
	if (wanted)
		assert_string_equal(got, wanted);
	arena_free(&mem);
	return whole;
}

/* Does that with a whole dump, and frees it. */
static void expect(struct dump *d, const char *wanted)
{
	assert_int_equal(expect_of(d, d->n, wanted), d->n);
	free(d->bytes);
}

/* Expects the lines of the functions, as "NAME FILE:LINE", with commas between; frees the dump. */
static void expect_lines(struct dump *d, const char *wanted)
{
	struct arena mem = test_arena();
	struct recorded rec = make_recording(&mem);
	struct made_names names;
	char got[4096] = "", *to = got;

	made_names_begin(&names, &rec, &mem);
	assert_int_equal(jitdump_apply(&names, d->bytes, d->n, &mem), d->n);
	made_names_end(&names, &rec, &mem);
	for (size_t i = 0; i < NODES; i++) {
		const struct recorded_node *node = &rec.nodes.at[rec.samples.at[i].node];
		const struct recorded_made *made =
			node->module == RECORDED_NONE ? NULL : &rec.made.at[node->address];

		to += sprintf(to, i > 0 ? "," : "");
		if (made)
			to += sprintf(to, "%s %s:%u", made->name, made->file, made->line);
	}
	assert_string_equal(got, wanted);
	free(d->bytes);
	arena_free(&mem);
}

static void lines_are_those_before_the_code(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct dump d = begin(big, 4096);

		PUT_LINES(&d, 0xff00, { 0x10001, 9, "a" }, { 0xff00, 7, "/a.js" },
			  { 0xffff, 8, "\xff" });
		put_load(&d, 0xff00, 0x1000, 1, "one");
		PUT_LINES(&d, 0x11000, { 0x11000, 1, "file:///b c.mjs" });
		put_load(&d, 0x11000, 0x10, 2, "two");
		PUT_LINES(&d, 0x12000, { 0x12000, 1, "/c" }, { 0x12004, 2, "/c" });
		put_load(&d, 0x12000, 0x10, 3, "moved");
		put_move(&d, 0x12000, 0x12ffb, 0x10, 3);
		expect_lines(&d, "one /a.js:8,two /b c.mjs:1,moved /c:1,moved /c:2");
	}
}

/* The first line of a function is where it begins, and its last one is known. */
static void functions_have_a_first_and_a_last_line(void **state)
{
	struct arena mem = test_arena();
	struct recorded rec = make_recording(&mem);
	struct dump d = begin(false, 4096);
	struct made_names names;

	(void)state;
	PUT_LINES(&d, 0xff00, { 0xff00, 7, "/a" }, { 0xff08, 99, "/b" }, { 0xff10, 30, "/a" },
		  { 0x10000, 20, "/a" });
	put_load(&d, 0xff00, 0x1000, 1, "f");
	made_names_begin(&names, &rec, &mem);
	jitdump_apply(&names, d.bytes, d.n, &mem);
	made_names_end(&names, &rec, &mem);
	assert_int_equal(rec.made.n, 3);
	assert_int_equal(rec.made.at[0].line, 7);
	assert_int_equal(rec.made.at[1].line, 30);
	assert_int_equal(rec.made.at[2].line, 20);
	assert_int_equal(rec.nodes.at[0].address, 2);
	free(d.bytes);
	arena_free(&mem);
}

/* V8 adds the bytes of an ELF header to all addresses of lines. */
static void lines_of_v8_are_too_far(void **state)
{
	struct dump d = begin(false, 4096);

	(void)state;
	PUT_LINES(&d, 0x10000, { 0x10040, 5, "/a.js" }, { 0x10041, 6, "/a.js" });
	put_load(&d, 0x10000, 0x10, 1, "one");
	PUT_LINES(&d, 0x10f00, { 0x10f40, 7, "/b.js" }, { 0x11040, 8, "/b.js" },
		  { 0x11041, 9, "/b.js" });
	put_load(&d, 0x10f00, 0x110, 2, "two");
	expect_lines(&d, "one /a.js:5,two /b.js:8,,");
}

/* Lines whose code was never loaded, or that were for what was there before. */
static void lines_are_of_the_next_load(void **state)
{
	struct dump d = begin(false, 4096);

	(void)state;
	PUT_LINES(&d, 0x10000, { 0x10000, 1, "/old" });
	PUT_LINES(&d, 0x10000, { 0x10000, 2, "/a" });
	put_load(&d, 0x10000, 0x10, 1, "one");
	PUT_LINES(&d, 0x11000, { 0x11000, 3, "/b" });
	put_load(&d, 0x11000, 0x10, 2, "was");
	put_load(&d, 0x11000, 0x10, 3, "is");
	PUT_LINES(&d, 0x12000, { 0x12000, 4, "/c" });
	put_load(&d, 0x12000, 0x10, 4, "");
	put_load(&d, 0x12000, 0x10, 5, "three");
	expect_lines(&d, "one /a:2,is :0,three :0,");
}

/* An entry outside of the code, as V8 has some, makes all of the record useless. */
static void lines_outside_of_their_code_do_not_count(void **state)
{
	struct dump d = begin(false, 4096);

	(void)state;
	PUT_LINES(&d, 0x10000, { 0x10000, 1, "/a" }, { 0x10000 + 0x10 + 64, 2, "/a" });
	put_load(&d, 0x10000, 0x10, 1, "after");
	PUT_LINES(&d, 0x11000, { 0x11000, 1, "/a" }, { 0x10fff, 2, "/a" });
	put_load(&d, 0x11000, 0x10, 2, "before");
	PUT_LINES(&d, 0x12000, { 0x12000, 1, "/a" }, { 0x12000 + 0x10 + 63, 2, "/a" });
	put_load(&d, 0x12000, 0x10, 3, "in");
	expect_lines(&d, "after :0,before :0,in /a:1,");
}

/* More entries than there are, fewer, an end without NUL: what is whole is used. */
static void lines_are_damaged(void **state)
{
	static const struct line lines[] = { { 0x10000, 1, "/a" }, { 0x10000, 2, "/b" } };
	struct dump d = begin(false, 4096);

	(void)state;
	put_lines(&d, 0x10000, UINT64_MAX, lines, 1);
	put_load(&d, 0x10000, 0x10, 1, "more");
	put_lines(&d, 0x11000, 0, (const struct line[]){ { 0x11000, 2, "/b" } }, 1);
	put_load(&d, 0x11000, 0x10, 2, "none");
	put_lines(&d, 0x12000, 2,
		  (const struct line[]){ { 0x12000, 3, "/c" }, { 0x12000, 4, "cut off" } }, 2);
	memset(d.bytes + d.n - 4, 'x', 4);
	put_load(&d, 0x12000, 0x10, 3, "torn");
	put_zeros(&d, DEBUG_INFO, 15);
	expect_lines(&d, "more /a:1,none :0,torn /c:3,");
}

static void files_are_harmless(void **state)
{
	struct dump d = begin(false, 16384);
	char name[4097];

	(void)state;
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	PUT_LINES(&d, 0x10000, { 0x10000, 1, "/a\033[2J" });
	put_load(&d, 0x10000, 0x10, 1, "escape");
	PUT_LINES(&d, 0x11000, { 0x11000, 1, name });
	put_load(&d, 0x11000, 0x10, 2, "long");
	PUT_LINES(&d, 0x12000, { 0x12000, 0, "/a" });
	put_load(&d, 0x12000, 0x10, 3, "no line");
	PUT_LINES(&d, 0x13000, { 0x13000, 0x80000000, "/a" });
	put_load(&d, 0x13000, 0x10, 4, "no number");
	expect_lines(&d, "escape :0,long :0,no line :0,no number :0");
}

static void loads_name_their_code(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct dump d = begin(big, 4096);

		put_load(&d, 0x10000, 0x10, 1, "one");
		put_zeros(&d, DEBUG_INFO, 33);
		put_load(&d, 0x11fff, 2, 2, "ends behind 0x12000");
		put_zeros(&d, LATER, 0);
		expect(&d, "one,-,ends behind 0x12000,-");
	}
}

static void later_records_win(void **state)
{
	struct dump d = begin(false, 4096);

	(void)state;
	put_load(&d, 0x10000, 0x4000, 1, "all");
	put_load(&d, 0x11000, 0x2000, 2, "two");
	put_load(&d, 0x12000, 1, 3, "three");
	expect(&d, "all,two,three,all");
}

static void moved_code_has_both_places(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct dump d = begin(big, 4096);

		put_load(&d, 0x10000, 0x10, 1, "one");
		put_load(&d, 0x11000, 0x10, 2, "two");
		put_move(&d, 0x10000, 0x13000, 0x10, 1);
		put_move(&d, 0, 0x12000, 0x10, 99);
		expect(&d, "one,two,-,one");
	}
}

/* A number that is used again is the code that was loaded last. */
static void numbers_are_used_again(void **state)
{
	struct dump d = begin(false, 4096);

	(void)state;
	put_load(&d, 0x10000, 0x10, 1, "one");
	put_load(&d, 0x11000, 0x10, 1, "again");
	put_move(&d, 0x11000, 0x12000, 0x10, 1);
	expect(&d, "one,again,again,-");
}

static void a_close_is_the_end(void **state)
{
	struct dump d = begin(false, 4096);

	(void)state;
	put_load(&d, 0x10000, 0x10, 1, "one");
	put_zeros(&d, CLOSE, 0);
	put_load(&d, 0x11000, 0x10, 2, "two");
	expect(&d, "one,-,-,-");
}

static void sizes_do_not_wrap(void **state)
{
	struct dump d = begin(false, 4096);

	(void)state;
	put_load(&d, 0x12000, UINT64_MAX, 1, "above");
	put_load(&d, UINT64_MAX - 1, UINT64_MAX, 2, "end");
	put_load(&d, 0x10000, 0, 3, "empty");
	expect(&d, "-,-,above,above");
}

static void names_are_harmless(void **state)
{
	struct dump d = begin(false, 8192);
	char name[3000], wanted[4096];

	(void)state;
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	put_load(&d, 0x10000, 1, 1, "a\033[2Jb\n");
	put_load(&d, 0x11000, 1, 2, name);
	put_load(&d, 0x12000, 1, 3, "");
	sprintf(wanted, "a\\033[2Jb\\012,%.*s...,-,-", MADE_NAMES_BYTES, name);
	expect(&d, wanted);
}

/* Cut at each byte: what is whole is used, and the cut is found. */
static void a_dump_is_cut(void **state)
{
	struct dump d = begin(false, 4096);
	size_t one, two;

	(void)state;
	put_load(&d, 0x10000, 1, 1, "one");
	one = d.n;
	put_load(&d, 0x11000, 1, 2, "two");
	two = d.n;
	put_move(&d, 0x10000, 0x12000, 1, 1);
	for (size_t n = 0; n <= d.n; n++) {
		size_t whole = n < HEADER ? 0
			       : n < one  ? HEADER
			       : n < two  ? one
			       : n < d.n  ? two
					  : n;

		assert_int_equal(expect_of(&d, n,
					   n < one   ? "-,-,-,-"
					   : n < two ? "one,-,-,-"
					   : n < d.n ? "one,two,-,-"
						     : "one,two,one,-"),
				 whole);
	}
	free(d.bytes);
}

/* A record whose parts do not fit it is not used, nor is what follows. */
static void records_are_damaged(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		struct dump d = begin(false, 4096);
		size_t before;

		put_load(&d, 0x10000, 1, 1, "one");
		before = d.n;
		if (kind == 0)
			put_zeros(&d, LOAD, 39);
		else if (kind == 1)
			put_zeros(&d, MOVE, 47);
		else if (kind == 2)
			put_load_of(&d, 0x11000, 1, 2, "no end", 6);
		else
			put_head(&d, DEBUG_INFO, (size_t)-1);
		put_load(&d, 0x12000, 1, 3, "after");
		/* Neither the code nor the next record ends the name. */
		if (kind == 2)
			d.n = before + 16 + 40 + 6 + 2;
		assert_int_equal(expect_of(&d, d.n, "one,-,-,-"), before);
		free(d.bytes);
	}
}

/* Every byte is changed in turn; a sanitizer or valgrind would tell of a read outside. */
static void any_byte_is_damaged(void **state)
{
	static const unsigned char values[] = { 0, 1, 0x7f, 0x80, 0xff };
	struct dump d = begin(false, 4096);

	(void)state;
	PUT_LINES(&d, 0x10000, { 0x10000, 1, "/a" }, { 0x10000, 2, "\xff" });
	put_load(&d, 0x10000, 1, 1, "one");
	put_move(&d, 0x10000, 0x12000, 1, 1);
	put_load(&d, 0x11000, 1, 2, "two");
	for (size_t i = 0; i < d.n; i++) {
		unsigned char was = d.bytes[i];

		for (size_t k = 0; k < sizeof(values); k++) {
			d.bytes[i] = values[k];
			assert_true(expect_of(&d, d.n, NULL) <= d.n);
		}
		d.bytes[i] = was;
	}
	expect(&d, "one,two,one,-");
}

/* Records over all addresses would take hours if each looked at all. */
static void a_million_records_take_no_time(void **state)
{
	enum { RECORDS = 1000000, MANY = 100000, ROOM = 70 };
	struct arena mem = test_arena();
	struct recorded rec = make_recording(&mem);
	struct dump d = begin(false, HEADER + (size_t)RECORDS * ROOM);
	struct made_names names;
	clock_t begun;

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		array_push(&mem, &rec.nodes) =
			(struct recorded_node){ RECORDED_NONE, RECORDED_NONE, 0x1000000 + i };
	for (uint64_t i = 0; i < RECORDS; i++)
		put_load(&d, 0x10000, 0xffffffff, i, i + 1 < RECORDS ? "f" : "last");
	begun = clock();
	made_names_begin(&names, &rec, &mem);
	assert_int_equal(jitdump_apply(&names, d.bytes, d.n, &mem), d.n);
	made_names_end(&names, &rec, &mem);
	assert_true(clock() - begun < 20 * CLOCKS_PER_SEC);
	assert_int_equal(rec.made.n, 1);
	assert_string_equal(name_of(&rec, 0), "last");
	free(d.bytes);
	arena_free(&mem);
}

/* One record of lines for many places that code was moved to: it is read once. */
static void lines_of_moved_code_take_no_time(void **state)
{
	enum { LINES = 300000, MOVES = 100000 };
	struct arena mem = test_arena();
	struct recorded rec = make_recording(&mem);
	struct dump d = begin(false, HEADER + (size_t)LINES * 18 + (size_t)MOVES * 64 + 4096);
	struct line *lines = calloc(LINES, sizeof(*lines));
	struct made_names names;
	clock_t begun;

	(void)state;
	for (uint32_t i = 0; i < MOVES; i++)
		array_push(&mem, &rec.nodes) =
			(struct recorded_node){ RECORDED_NONE, RECORDED_NONE, 0x1000000 + i };
	for (uint32_t i = 0; i < LINES; i++)
		lines[i] = (struct line){ 0x10000 + (LINES - i), i + 1, "a" };
	put_lines(&d, 0x10000, LINES, lines, LINES);
	put_load(&d, 0x10000, LINES + 1, 1, "f");
	for (uint64_t i = 0; i < MOVES; i++)
		put_move(&d, 0x10000, 0x1000000 + i, 1, 1);
	begun = clock();
	made_names_begin(&names, &rec, &mem);
	assert_int_equal(jitdump_apply(&names, d.bytes, d.n, &mem), d.n);
	made_names_end(&names, &rec, &mem);
	assert_true(clock() - begun < 20 * CLOCKS_PER_SEC);
	assert_string_equal(name_of(&rec, 0), "f");
	free(lines);
	free(d.bytes);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_those_before_the_code),
		cmocka_unit_test(functions_have_a_first_and_a_last_line),
		cmocka_unit_test(lines_of_v8_are_too_far),
		cmocka_unit_test(lines_are_of_the_next_load),
		cmocka_unit_test(lines_outside_of_their_code_do_not_count),
		cmocka_unit_test(lines_are_damaged),
		cmocka_unit_test(files_are_harmless),
		cmocka_unit_test(lines_of_moved_code_take_no_time),
		cmocka_unit_test(loads_name_their_code),
		cmocka_unit_test(later_records_win),
		cmocka_unit_test(moved_code_has_both_places),
		cmocka_unit_test(numbers_are_used_again),
		cmocka_unit_test(a_close_is_the_end),
		cmocka_unit_test(sizes_do_not_wrap),
		cmocka_unit_test(names_are_harmless),
		cmocka_unit_test(a_dump_is_cut),
		cmocka_unit_test(records_are_damaged),
		cmocka_unit_test(any_byte_is_damaged),
		cmocka_unit_test(a_million_records_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

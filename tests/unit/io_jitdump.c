/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of code that was made at run time, from jit-PID.dump. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arenas: zeroed, aligned, disjoint memory; exhaustion; reuse. */
#include "testing.h"

#include <stdalign.h>

/* The allocator of a sanitizer then returns NULL like any other. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);

const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void assert_zeroed(const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(bytes[i], 0);
}

/* Takes pieces of the given sizes, checks each, fills it, and at last finds all fills whole. */
static void check_pieces(struct arena *mem, const size_t *sizes, size_t n)
{
	struct arena own = test_arena();
	unsigned char **piece = arena_array(&own, unsigned char *, n);

	for (size_t i = 0; i < n; i++) {
		piece[i] = arena_alloc(mem, sizes[i], 1);
		assert_non_null(piece[i]);
		assert_int_equal((uintptr_t)piece[i] % alignof(max_align_t), 0);
		assert_zeroed(piece[i], sizes[i]);
		memset(piece[i], (int)(i % 251 + 1), sizes[i]);
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(piece[i][k], i % 251 + 1);
	}
	arena_free(&own);
}

static void small_pieces_are_zeroed_aligned_and_disjoint(void **state)
{
	struct arena mem = test_arena();
	size_t sizes[3000];

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++)
		sizes[i] = i % 300;
	check_pieces(&mem, sizes, COUNT(sizes));
	arena_free(&mem);
}

static void big_and_small_pieces_mix(void **state)
{
	static const size_t sizes[] = { 1 << 20, 5, 65535, 65536, 65537, 1, 262144, 262143, 262145,
					3,       0, 65536, 65536, 65536, 7, 400000, 16,     65520 };
	struct arena mem = test_arena();

	(void)state;
	check_pieces(&mem, sizes, COUNT(sizes));
	arena_free(&mem);
	check_pieces(&mem, sizes + 1, COUNT(sizes) - 1);
	arena_free(&mem);
}

/* Equal pieces fill blocks to their last byte; an overrun is a sanitizer's to see. */
static void pieces_fill_blocks_exactly(void **state)
{
	static const size_t equal[] = { 16, 4096, 65536 };

	(void)state;
	for (size_t i = 0; i < COUNT(equal); i++) {
		struct arena mem = test_arena();
		size_t sizes[40960], n = (640 << 10) / equal[i];

		for (size_t k = 0; k < n; k++)
			sizes[k] = equal[i];
		check_pieces(&mem, sizes, n);
		arena_free(&mem);
	}
}

static void nothing_is_not_null(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	assert_non_null(arena_alloc(&mem, 0, 8));
	assert_non_null(arena_alloc(&mem, 8, 0));
	assert_non_null(arena_alloc(&mem, 0, SIZE_MAX));
	assert_non_null(arena_array(&mem, double, 0));
	arena_free(&mem);
}

struct exhaustion {
	jmp_buf back;
	int ncalls;
};

static void __attribute__((noreturn)) count_and_go_back(void *arg)
{
	struct exhaustion *e = arg;

	e->ncalls++;
	longjmp(e->back, 1);
}

static void exhaustion_is_told_once(void **state)
{
	static const size_t wanted[][2] = {
		{ SIZE_MAX, 2 },           { 2, SIZE_MAX },
		{ SIZE_MAX, SIZE_MAX },    { SIZE_MAX, 1 },
		{ SIZE_MAX / 16 + 1, 16 }, { SIZE_MAX / 2 + 1, 1 },
		{ SIZE_MAX / 2, 1 },       { SIZE_MAX / 2 - 4000, 1 },
	};
	struct exhaustion e;
	struct arena mem = { .no_memory = count_and_go_back, .arg = &e };

	(void)state;
	for (volatile size_t i = 0; i < COUNT(wanted); i++) {
		e.ncalls = 0;
		if (setjmp(e.back) == 0) {
			arena_alloc(&mem, wanted[i][0], wanted[i][1]);
			fail_msg("%zu * %zu bytes were given", wanted[i][0], wanted[i][1]);
		}
		assert_int_equal(e.ncalls, 1);
		memset(arena_alloc(&mem, 10, 10), 1, 100);
	}
	arena_free(&mem);
}

static void strndup_copies_and_terminates(void **state)
{
	struct arena mem = test_arena();
	char text[] = "abcdef";
	char *copy = arena_strndup(&mem, text, 4);
	char *next = arena_strndup(&mem, text, 6);

	(void)state;
	text[0] = '?';
	assert_string_equal(copy, "abcd");
	assert_string_equal(next, "abcdef");
	assert_string_equal(arena_strndup(&mem, text, 0), "");
	assert_string_equal(copy, "abcd");
	arena_free(&mem);
}

static void scratch_has_memory_of_its_own(void **state)
{
	struct exhaustion e = { .ncalls = 0 };
	struct arena mem = { .no_memory = count_and_go_back, .arg = &e };
	char *kept = arena_strndup(&mem, "kept", 4);
	struct arena scratch = arena_scratch(&mem);

	(void)state;
	assert_null(scratch.top);
	memset(arena_alloc(&scratch, 1000, 1), 'x', 1000);
	if (setjmp(e.back) == 0)
		arena_alloc(&scratch, SIZE_MAX, 2);
	assert_int_equal(e.ncalls, 1);
	arena_free(&scratch);
	assert_string_equal(kept, "kept");
	arena_free(&mem);
}

static void freed_arena_is_usable(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	arena_free(&mem);
	for (int round = 0; round < 3; round++) {
		unsigned char *p = arena_alloc(&mem, 5000, 10);

		assert_zeroed(p, 50000);
		memset(p, 0xff, 50000);
		arena_free(&mem);
		assert_null(mem.top);
	}
}

static void released_pieces_are_gone(void **state)
{
	struct arena mem = test_arena();
	char *small = arena_strndup(&mem, "small", 5), *large[5];

	(void)state;
	for (int i = 0; i < 5; i++) {
		large[i] = arena_alloc(&mem, 1, 1000000);
		memset(large[i], 'a' + i, 1000000);
	}
	arena_release(&mem, large[2]);
	arena_release(&mem, large[0]);
	arena_release(&mem, large[4]);
	arena_release(&mem, small); /* has no effect */
	assert_string_equal(small, "small");
	assert_int_equal(large[1][999999], 'b');
	assert_int_equal(large[3][999999], 'd');
	arena_release(&mem, large[1]);
	arena_release(&mem, large[3]);
	assert_string_equal(arena_strndup(&mem, "other", 5), "other");
	assert_string_equal(small, "small");
	arena_free(&mem);
	/* A large one is the only one. */
	arena_release(&mem, arena_alloc(&mem, 1, 1000000));
	assert_null(mem.top);
}

static void adopted_pieces_live_on(void **state)
{
	struct arena mem = test_arena(), from = test_arena(), none = test_arena();
	char *first = arena_strndup(&from, "first", 5), *second;

	(void)state;
	arena_adopt(&mem, &from);
	assert_null(from.top);
	second = arena_strndup(&from, "second", 6);
	arena_adopt(&mem, &from);
	arena_adopt(&mem, &none);
	arena_free(&from);
	assert_string_equal(arena_strndup(&mem, "third", 5), "third");
	assert_string_equal(first, "first");
	assert_string_equal(second, "second");
	arena_free(&mem);
}

enum { MAPPED = 4 << 20 };

static void pool_gives_cleared_memory_again(void **state)
{
	struct arena_pool pool = { 0 };
	struct arena mem = test_arena(), scratch;
	char *kept;

	(void)state;
	mem.pool = &pool;
	kept = arena_array(&mem, char, MAPPED);
	memset(kept, 'k', MAPPED);
	for (int round = 0; round < 5; round++) {
		static const size_t sizes[] = { MAPPED, 2 << 20, 100, 3 << 20, 2 << 20 };

		scratch = arena_scratch(&mem);
		check_pieces(&scratch, sizes + round % 2, COUNT(sizes) - 1);
		arena_free(&scratch);
		assert_true(pool.nunused > 0);
	}
	for (size_t i = 0; i < MAPPED; i++)
		assert_int_equal(kept[i], 'k');
	arena_free(&mem);
	assert_int_equal(pool.nused, 0);
}

static void pool_makes_no_new_peak(void **state)
{
	struct arena_pool pool = { 0 };
	struct arena mem = test_arena(), scratch;
	size_t most;

	(void)state;
	mem.pool = &pool;
	scratch = arena_scratch(&mem);
	for (int i = 0; i < 4; i++)
		memset(arena_alloc(&scratch, 1, MAPPED), 1, MAPPED);
	most = pool.most;
	arena_free(&scratch);
	assert_int_equal(pool.nunused, most);
	for (int i = 0; i < 3; i++) {
		memset(arena_alloc(&mem, 1, MAPPED + (1 << 20)), 1, MAPPED + (1 << 20));
		assert_true(pool.nused + pool.nunused <= most);
	}
	assert_int_equal(pool.most, most);
	arena_pool_free(&pool);
	assert_int_equal(pool.nunused, 0);
	arena_free(&mem);
}

static void pool_lends_memory_outside_of_arenas(void **state)
{
	struct arena_pool pool = { 0 };
	struct arena mem = test_arena();
	char *lent, *unset;

	(void)state;
	mem.pool = &pool;
	lent = arena_pool_take(&pool, MAPPED + 1);
	memset(lent, 'l', MAPPED + 1);
	assert_true(pool.nused > MAPPED);
	arena_pool_give(&pool, lent, MAPPED + 1);
	assert_int_equal(pool.nused, 0);
	assert_true(pool.nunused > MAPPED);
	assert_zeroed(arena_alloc(&mem, 1, MAPPED - 4096), MAPPED - 4096);
	assert_true(pool.nused + pool.nunused <= pool.most);
	unset = arena_unset(&mem, 1, MAPPED);
	memset(unset, 'u', MAPPED);
	memset(arena_unset(&mem, 1, 10), 'u', 10);
	for (size_t i = 0; i < MAPPED; i++)
		assert_int_equal(unset[i], 'u');
	assert_null(arena_pool_take(&pool, SIZE_MAX));
	arena_free(&mem);
	assert_int_equal(pool.nused, 0);
	arena_pool_free(&pool);
}

static void pool_counts_what_is_adopted(void **state)
{
	struct arena_pool pool = { 0 };
	struct arena mem = test_arena(), from = test_arena();

	(void)state;
	mem.pool = &pool;
	memset(arena_alloc(&from, 1, MAPPED), 1, MAPPED);
	arena_strndup(&from, "small", 5);
	arena_adopt(&mem, &from);
	assert_true(pool.nused >= MAPPED);
	arena_free(&mem);
	assert_int_equal(pool.nused, 0);
	assert_zeroed(arena_alloc(&mem, 1, MAPPED), MAPPED);
	arena_free(&mem);
}

static void texts_lie_close_together(void **state)
{
	struct arena mem = test_arena();
	char *x = arena_text(&mem, 3), *y = arena_text(&mem, 5), *copy;

	(void)state;
#ifndef __SANITIZE_ADDRESS__ /* else there are gaps */
	assert_ptr_equal(y, x + 3);
#endif
	memset(x, 'x', 3);
	memset(y, 'y', 5);
	assert_int_equal((uintptr_t)arena_alloc(&mem, 1, 1) % alignof(max_align_t), 0);
	copy = arena_strndup(&mem, "text", 4);
	assert_string_equal(copy, "text");
	assert_memory_equal(x, "xxx", 3);
	assert_memory_equal(y, "yyyyy", 5);
	for (size_t n = 0; n < 100000; n = 3 * n + 1) {
		x = arena_text(&mem, n);
		assert_zeroed((unsigned char *)x, n);
		memset(x, 'x', n);
	}
	arena_free(&mem);
}

/* Whatever was taken, large or small; and what is taken next is zeroed, in the same place. */
static void reset_arena_keeps_a_block(void **state)
{
	static const size_t sizes[] = { 1, 100, 70000, 3, 2000000, 5000, 17 };
	struct arena mem = test_arena();
	void *first;

	(void)state;
	arena_reset(&mem);
	arena_alloc(&mem, 70000, 1);
	arena_reset(&mem);
	assert_null(mem.top);
	for (int i = 0; i < 3; i++) {
		check_pieces(&mem, sizes, COUNT(sizes));
		arena_reset(&mem);
	}
	first = arena_alloc(&mem, 10, 1);
	arena_reset(&mem);
	assert_ptr_equal(arena_alloc(&mem, 10, 1), first);
	arena_free(&mem);
}

static void sparse_pieces_are_zeroed(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	for (int round = 0; round < 3; round++) {
		char *small = arena_strndup(&mem, "small", 5);

		for (size_t size = 0; size <= MAPPED; size = 4 * size + 1) {
			unsigned char *p = arena_sparse(&mem, size, 1);

			assert_zeroed(p, size);
			memset(p, 0xff, size);
		}
		assert_string_equal(small, "small");
		arena_free(&mem);
	}
}

/* None of it is malloc()'s: the pool counts what is mapped. */
static void mapped_pieces(void **state)
{
	struct arena_pool pool = { 0 };
	struct arena mem = test_arena(), scratch;
	const size_t sizes[] = { 1, 100, 5000, 70000, 10, 200000 };

	(void)state;
	mem.pool = &pool;
	mem.mapped = true;
	check_pieces(&mem, sizes, COUNT(sizes));
	assert_true(pool.nused > 275111);
	scratch = arena_scratch(&mem);
	arena_free(&mem);
	assert_int_equal(pool.nused, 0);
	assert_zeroed(arena_alloc(&scratch, 1, 1), 1);
	assert_zeroed(arena_sparse(&scratch, 300, 1000), 300000);
	assert_true(pool.nused > 300001);
	arena_free(&scratch);
	assert_int_equal(pool.nused, 0);
	arena_pool_free(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_pieces_are_zeroed_aligned_and_disjoint),
		cmocka_unit_test(big_and_small_pieces_mix),
		cmocka_unit_test(pieces_fill_blocks_exactly),
		cmocka_unit_test(nothing_is_not_null),
		cmocka_unit_test(exhaustion_is_told_once),
		cmocka_unit_test(strndup_copies_and_terminates),
		cmocka_unit_test(scratch_has_memory_of_its_own),
		cmocka_unit_test(freed_arena_is_usable),
		cmocka_unit_test(released_pieces_are_gone),
		cmocka_unit_test(adopted_pieces_live_on),
		cmocka_unit_test(pool_gives_cleared_memory_again),
		cmocka_unit_test(pool_makes_no_new_peak),
		cmocka_unit_test(pool_lends_memory_outside_of_arenas),
		cmocka_unit_test(pool_counts_what_is_adopted),
		cmocka_unit_test(texts_lie_close_together),
		cmocka_unit_test(reset_arena_keeps_a_block),
		cmocka_unit_test(sparse_pieces_are_zeroed),
		cmocka_unit_test(mapped_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

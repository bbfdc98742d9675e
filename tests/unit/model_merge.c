/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up arcs, against a version that compares all with all. */
#include "testing.h"

#include "model/merge.h"

static void add(struct profile *prof, uint64_t from, uint64_t self, uint64_t ncalls,
		struct arena *mem)
{
	array_push(mem, &prof->arcs) = (struct raw_arc){ from, self, ncalls };
}

/* The same with two loops; n is the number of arcs left. */
static struct raw_arc *slow_merge(const struct profile *prof, uint32_t *n, struct arena *mem)
{
	struct raw_arc *merged = arena_array(mem, struct raw_arc, prof->arcs.n);

	*n = 0;
	for (size_t i = 0; i < prof->arcs.n; i++) {
		const struct raw_arc *arc = &prof->arcs.at[i];
		uint32_t k = 0;

		while (k < *n &&
		       (merged[k].from_pc != arc->from_pc || merged[k].self_pc != arc->self_pc))
			k++;
		if (k == *n)
			merged[(*n)++] = *arc;
		else
			merged[k].ncalls += arc->ncalls;
	}
	return merged;
}

static void expect_slow(const struct profile *prof)
{
	struct arena mem = test_arena();
	struct merged_arcs got = merge_arcs(prof, &mem);
	uint32_t n;
	struct raw_arc *expected = slow_merge(prof, &n, &mem);

	assert_int_equal(got.n, n);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(got.at[i].from_pc, expected[i].from_pc);
		assert_int_equal(got.at[i].self_pc, expected[i].self_pc);
		assert_int_equal(got.at[i].ncalls, expected[i].ncalls);
	}
	arena_free(&mem);
}

static void random_arcs(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct arena mem = test_arena();
		struct profile prof = { 0 };
		uint32_t n = random_below(&seed, 80), spread = 1 + random_below(&seed, 12);
		unsigned shift = random_below(&seed, 61);

		for (uint32_t i = 0; i < n; i++)
			add(&prof, (uint64_t)random_below(&seed, spread) << shift,
			    (uint64_t)random_below(&seed, spread) << shift,
			    random_bits(&seed) >> random_below(&seed, 64), &mem);
		expect_slow(&prof);
		arena_free(&mem);
	}
}

static void ends_are_not_mixed_up(void **state)
{
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	struct merged_arcs got = merge_arcs(&prof, &mem);

	(void)state;
	assert_int_equal(got.n, 0);
	add(&prof, 1, 2, 10, &mem);
	add(&prof, 2, 1, 20, &mem);
	add(&prof, 0, 0, 0, &mem);
	add(&prof, 1, 2, UINT32_MAX, &mem);
	add(&prof, UINT64_MAX, UINT64_MAX, 1, &mem);
	add(&prof, 2, 1, 0, &mem);
	got = merge_arcs(&prof, &mem);
	assert_int_equal(got.n, 4);
	assert_int_equal(got.at[0].ncalls, (uint64_t)UINT32_MAX + 10);
	assert_int_equal(got.at[1].ncalls, 20);
	assert_int_equal(got.at[2].ncalls, 0);
	/* What was read stays as it is. */
	assert_int_equal(prof.arcs.n, 6);
	assert_int_equal(prof.arcs.at[0].ncalls, 10);
	arena_free(&mem);
}

/* Quadratic work would take minutes, also with the addresses of a regular program. */
static void many_arcs(void **state)
{
	enum { N = 300000 };
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	struct merged_arcs got;

	(void)state;
	for (uint64_t round = 1; round <= 2; round++) {
		for (uint64_t i = 0; i < N; i++)
			add(&prof, 0x400000 + 16 * i, 0x400000 + 16 * (i / 3), round, &mem);
	}
	got = merge_arcs(&prof, &mem);
	assert_int_equal(got.n, N);
	for (uint32_t i = 0; i < N; i++) {
		assert_int_equal(got.at[i].from_pc, 0x400000 + 16 * (uint64_t)i);
		assert_int_equal(got.at[i].ncalls, 3);
	}
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_arcs),
		cmocka_unit_test(ends_are_not_mixed_up),
		cmocka_unit_test(many_arcs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

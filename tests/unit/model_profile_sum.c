/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up arcs, blocks and profiles, against versions that compare all with all. */
#include "testing.h"

#include "model/profile_sum.h"

static void add_arc(struct profile *prof, uint64_t from, uint64_t self, uint64_t ncalls,
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

static void expect_arcs(const struct raw_arc *got, size_t ngot, const struct raw_arc *expected,
			size_t n)
{
	assert_int_equal(ngot, n);
	for (size_t i = 0; i < n; i++) {
		assert_true(got[i].from_pc == expected[i].from_pc);
		assert_true(got[i].self_pc == expected[i].self_pc);
		assert_true(got[i].ncalls == expected[i].ncalls);
	}
}

static void expect_sum(struct profile_sum *sum, const struct raw_arc *expected, uint32_t n)
{
	bool distinct = sum->prof.has_distinct_arcs;
	struct profile prof = profile_sum_end(sum);
	struct arena mem = test_arena();
	raw_arc_array got = profile_sum_distinct_arcs(&prof, &mem);

	expect_arcs(got.at, got.n, expected, n);
	if (distinct)
		assert_ptr_equal(got.at, prof.arcs.at);
	arena_free(&mem);
}

/*
 * In one go; as a first file of `first` arcs with the others behind it, `step` at a time; and as
 * two profiles.
 */
static void expect_slow(const struct profile *prof, size_t first, size_t step)
{
	struct arena mem = test_arena();
	raw_arc_array got = profile_sum_distinct_arcs(prof, &mem);
	struct profile_sum grown = { .mem = &mem }, half = { .mem = &mem }, rest = { .mem = &mem };
	struct profile more;
	uint32_t n;
	struct raw_arc *expected = slow_merge(prof, &n, &mem);

	expect_arcs(got.at, got.n, expected, n);
	profile_sum_file(&grown, "FIRST");
	profile_sum_file(&half, "FIRST");
	assert_true(profile_sum_arcs(&grown, prof->arcs.at, first));
	assert_true(profile_sum_arcs(&half, prof->arcs.at, first));
	/* One file alone is kept as it is. */
	expect_arcs(half.prof.arcs.at, half.prof.arcs.n, prof->arcs.at, first);
	assert_false(half.prof.has_distinct_arcs);
	profile_sum_file(&grown, "SECOND");
	for (size_t i = first; i < prof->arcs.n; i += step) {
		size_t left = prof->arcs.n - i;

		assert_true(profile_sum_arcs(&grown, prof->arcs.at + i, left < step ? left : step));
	}
	assert_true(grown.prof.has_distinct_arcs == (first < prof->arcs.n));
	expect_sum(&grown, expected, n);

	profile_sum_file(&rest, "SECOND");
	assert_true(profile_sum_arcs(&rest, prof->arcs.at + first, prof->arcs.n - first));
	more = profile_sum_end(&rest);
	assert_true(profile_sum_add(&half, &more));
	expect_arcs(half.prof.arcs.at, half.prof.arcs.n, expected, n);
	assert_true(half.prof.has_distinct_arcs);
	assert_int_equal(half.prof.files.n, 2);
	expect_sum(&half, expected, n);
	arena_free(&mem);
}

static void random_arcs(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct arena mem = test_arena();
		struct profile prof = { 0 };
		uint32_t n = random_below(&seed, 400), spread = 1 + random_below(&seed, 30);
		unsigned shift = random_below(&seed, 61);

		for (uint32_t i = 0; i < n; i++)
			add_arc(&prof, (uint64_t)random_below(&seed, spread) << shift,
				(uint64_t)random_below(&seed, spread) << shift,
				random_bits(&seed) >> random_below(&seed, 64), &mem);
		expect_slow(&prof, n ? random_below(&seed, n) : 0, 1 + random_below(&seed, 100));
		arena_free(&mem);
	}
}

/* As files of one program come: mostly the same arcs in the same order, some left out. */
static void arcs_in_order(void **state)
{
	uint64_t seed = 6;

	(void)state;
	for (int round = 0; round < 100; round++) {
		struct arena mem = test_arena();
		struct profile prof = { 0 };
		uint32_t n = 1 + random_below(&seed, 150), rest = 1 + random_below(&seed, 9);

		for (int file = 0; file < 8; file++) {
			for (uint32_t i = 0; i < n; i++) {
				if (random_below(&seed, rest) != 0 || rest == 1)
					add_arc(&prof, i, i / 2, random_below(&seed, 100), &mem);
			}
		}
		expect_slow(&prof, prof.arcs.n / 8, n);
		arena_free(&mem);
	}
}

/* What is added to a sum of profiles of which no file is known. */
static void arcs_behind_a_profile(void **state)
{
	static const struct raw_arc arcs[] = { { 1, 2, 3 }, { 4, 5, 6 }, { 1, 2, 7 } };
	static const struct raw_arc expected[] = { { 1, 2, 17 }, { 4, 5, 12 } };
	struct arena mem = test_arena();
	struct profile_sum sum = { .mem = &mem };
	struct profile more = { 0 };

	(void)state;
	add_arc(&more, 1, 2, 7, &mem);
	add_arc(&more, 4, 5, 6, &mem);
	assert_true(profile_sum_add(&sum, &more));
	assert_true(profile_sum_arcs(&sum, arcs, COUNT(arcs)));
	expect_sum(&sum, expected, COUNT(expected));
	arena_free(&mem);
}

/* Room for as many as a first file can have is made once. */
static void expected_arcs_have_room(void **state)
{
	static const struct raw_arc arc = { 1, 2, 3 };
	struct arena mem = test_arena();
	struct profile_sum sum = { .mem = &mem };
	const struct raw_arc *at;

	(void)state;
	profile_sum_file(&sum, "FIRST");
	profile_sum_expect_arcs(&sum, 1000);
	at = sum.prof.arcs.at;
	for (int i = 0; i < 1000; i++) {
		profile_sum_expect_arcs(&sum, 5000);
		assert_true(profile_sum_arcs(&sum, &arc, 1));
	}
	assert_int_equal(sum.prof.arcs.n, 1000);
	assert_ptr_equal(sum.prof.arcs.at, at);
	arena_free(&mem);
}

/* As many blocks as are added up, and once more. */
static void blocks(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 10; round++) {
		struct arena mem = test_arena();
		struct profile_sum work = { .mem = &mem };
		struct profile prof;
		uint32_t npcs = 1 + random_below(&seed, 500);
		uint64_t sum[500] = { 0 }, total = 0, place[500];
		uint32_t nplaces = 0;
		bool seen[500] = { 0 };

		for (int i = 0; i < 9000; i++) {
			uint32_t pc = random_below(&seed, npcs);
			uint64_t count = random_bits(&seed) >> 8;
			struct raw_block block = { pc, count };

			assert_true(profile_sum_block(&work, &block));
			sum[pc] += count;
			if (!seen[pc])
				place[nplaces++] = pc;
			seen[pc] = true;
			profile_sum_merge_blocks(&work);
			assert_true(work.prof.blocks.n < 4096 + 2 * (size_t)npcs);
		}
		prof = profile_sum_end(&work);
		for (size_t i = 0; i < prof.blocks.n; i++) {
			sum[prof.blocks.at[i].pc] -= prof.blocks.at[i].count;
			if (i < nplaces)
				assert_true(prof.blocks.at[i].pc == place[i]);
		}
		for (uint32_t pc = 0; pc < npcs; pc++)
			total |= sum[pc];
		assert_true(total == 0);
		arena_free(&mem);
	}
}

static struct profile make_profile(uint64_t lo, const char *dimension, uint64_t ticks,
				   struct arena *mem)
{
	struct profile_sum sum = { .mem = mem };
	struct hist like = { .lo = lo, .hi = lo + 8, .nbins = 4 };
	struct unit unit = { .rate = 100, .abbrev = 's' };
	enum hist_conflict why;
	struct hist *hist;

	strcpy(unit.dimension, dimension);
	profile_sum_file(&sum, "FILE")->nhists = lo;
	hist = profile_sum_hist(&sum, &like, &unit, &why);
	assert_non_null(hist);
	hist->ticks[3] += ticks;
	sum.prof.has_hists = true;
	return profile_sum_end(&sum);
}

static void whole_profiles(void **state)
{
	static const struct raw_block block = { 1, 2 };
	struct arena mem = test_arena(), other = test_arena();
	struct profile_sum sum = { .mem = &mem }, both = { .mem = &other };
	struct profile first = make_profile(0x100, "seconds", 5, &other);
	struct profile second = make_profile(0x200, "seconds", 6, &other);
	struct profile third = make_profile(0x300, "joules", 7, &other);
	struct profile fourth = make_profile(0x104, "seconds", 7, &other);
	struct profile more;

	(void)state;
	second.has_arcs = true;
	assert_true(profile_sum_add(&both, &first));
	assert_true(profile_sum_add(&both, &second));
	assert_true(profile_sum_block(&both, &block));
	more = profile_sum_end(&both);
	assert_int_equal(more.blocks.n, 1);
	assert_true(profile_sum_add(&sum, &more));
	assert_true(profile_sum_add(&sum, &more));
	assert_int_equal(sum.prof.hists.n, 2);
	assert_int_equal(sum.prof.unit.rate, 100);
	assert_int_equal(sum.prof.hists.at[0].lo, 0x100);
	assert_int_equal(sum.prof.hists.at[0].ticks[3], 10);
	assert_int_equal(sum.prof.hists.at[1].ticks[3], 12);
	assert_int_equal(profile_ticks(&sum.prof), 22);
	assert_int_equal(sum.prof.blocks.n, 2);
	assert_int_equal(sum.prof.files.n, 4);
	assert_int_equal(sum.prof.files.at[1].nhists, 0x200);
	assert_true(sum.prof.has_hists && sum.prof.has_arcs);

	assert_false(profile_sum_add(&sum, &third));
	assert_false(profile_sum_add(&sum, &fourth));
	arena_free(&other);
	assert_string_equal(sum.prof.files.at[3].name, "FILE");
	arena_free(&mem);
}

/* What comes of a sum needs only its arena. */
static void ended_sums_are_profiles(void **state)
{
	struct arena mem = test_arena();
	struct profile_sum sum = { .prof.target = { .ptr_size = 4, .thumb = true }, .mem = &mem };
	struct profile prof = make_profile(0x100, "seconds", 5, &mem);

	(void)state;
	assert_true(profile_sum_add(&sum, &prof));
	prof = profile_sum_end(&sum);
	assert_int_equal(prof.target.ptr_size, 4);
	assert_true(prof.target.thumb);
	assert_int_equal(prof.hists.at[0].ticks[3], 5);
	assert_int_equal(sum.prof.hists.n, 0);
	assert_null(sum.mem);
	assert_null(sum.ranges.slot);
	assert_null(sum.arcs.slot);
	arena_free(&mem);
}

static void ends_are_not_mixed_up(void **state)
{
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	raw_arc_array got = profile_sum_distinct_arcs(&prof, &mem);

	(void)state;
	assert_int_equal(got.n, 0);
	add_arc(&prof, 1, 2, 10, &mem);
	add_arc(&prof, 2, 1, 20, &mem);
	add_arc(&prof, 0, 0, 0, &mem);
	add_arc(&prof, 1, 2, UINT32_MAX, &mem);
	add_arc(&prof, UINT64_MAX, UINT64_MAX, 1, &mem);
	add_arc(&prof, 2, 1, 0, &mem);
	got = profile_sum_distinct_arcs(&prof, &mem);
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
	raw_arc_array got;

	(void)state;
	for (uint64_t round = 1; round <= 2; round++) {
		for (uint64_t i = 0; i < N; i++)
			add_arc(&prof, 0x400000 + 16 * i, 0x400000 + 16 * (i / 3), round, &mem);
	}
	got = profile_sum_distinct_arcs(&prof, &mem);
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
		cmocka_unit_test(arcs_in_order),
		cmocka_unit_test(arcs_behind_a_profile),
		cmocka_unit_test(expected_arcs_have_room),
		cmocka_unit_test(blocks),
		cmocka_unit_test(whole_profiles),
		cmocka_unit_test(ended_sums_are_profiles),
		cmocka_unit_test(ends_are_not_mixed_up),
		cmocka_unit_test(many_arcs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

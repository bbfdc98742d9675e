/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up arcs, blocks and profiles, against versions that compare all with all. */
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

/*
 * In one go; as a first file of `first` arcs with the others behind it, `step` at a time; and as
 * two profiles.
 */
static void expect_slow(const struct profile *prof, size_t first, size_t step)
{
	struct arena mem = test_arena();
	struct merged_arcs got = merge_arcs(prof, &mem);
	struct profile grown = { 0 }, half = { 0 };
	uint32_t n;
	struct raw_arc *expected = slow_merge(prof, &n, &mem);

	expect_arcs(got.at, got.n, expected, n);
	for (size_t i = 0; i < first; i++) {
		array_push(&mem, &grown.arcs) = prof->arcs.at[i];
		array_push(&mem, &half.arcs) = prof->arcs.at[i];
	}
	for (size_t i = first; i < prof->arcs.n; i += step) {
		size_t left = prof->arcs.n - i;

		assert_true(profile_add_arcs(&grown, prof->arcs.at + i, left < step ? left : step,
					     &mem));
	}
	got = merge_arcs(&grown, &mem);
	expect_arcs(got.at, got.n, expected, n);
	if (first < prof->arcs.n)
		assert_ptr_equal(got.at, grown.arcs.at);

	grown = (struct profile){ 0 };
	if (first < prof->arcs.n)
		assert_true(profile_add_arcs(&grown, prof->arcs.at + first, prof->arcs.n - first,
					     &mem));
	assert_true(profile_add(&half, &grown, &mem));
	expect_arcs(half.arcs.at, half.arcs.n, expected, n);
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
			add(&prof, (uint64_t)random_below(&seed, spread) << shift,
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
					add(&prof, i, i / 2, random_below(&seed, 100), &mem);
			}
		}
		expect_slow(&prof, prof.arcs.n / 8, n);
		arena_free(&mem);
	}
}

/* As many blocks as are added up, and once more. */
static void blocks(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 10; round++) {
		struct arena mem = test_arena();
		struct profile prof = { 0 };
		uint32_t npcs = 1 + random_below(&seed, 500);
		uint64_t sum[500] = { 0 }, total = 0, place[500];
		uint32_t nplaces = 0;
		bool seen[500] = { 0 };

		for (int i = 0; i < 9000; i++) {
			uint32_t pc = random_below(&seed, npcs);
			uint64_t count = random_bits(&seed) >> 8;

			array_push(&mem, &prof.blocks) = (struct raw_block){ pc, count };
			sum[pc] += count;
			if (!seen[pc])
				place[nplaces++] = pc;
			seen[pc] = true;
			profile_merge_blocks(&prof, &mem);
			assert_true(prof.blocks.n < 4096 + 2 * (size_t)npcs);
		}
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

static void make_hist(struct profile *prof, uint64_t lo, const char *dimension, uint64_t ticks,
		      struct arena *mem)
{
	struct hist like = { .lo = lo, .hi = lo + 8, .nbins = 4 };
	struct unit unit = { .rate = 100, .abbrev = 's' };
	enum hist_conflict why;
	struct hist *hist;

	strcpy(unit.dimension, dimension);
	hist = profile_hist(prof, &like, &unit, mem, &why);
	assert_non_null(hist);
	hist->ticks[3] += ticks;
	prof->has_hists = true;
	array_push(mem, &prof->files) = (struct profile_file){ .name = "FILE", .nhists = lo };
}

static void whole_profiles(void **state)
{
	struct arena mem = test_arena(), other = test_arena();
	struct profile prof = { 0 }, more = { 0 }, third = { 0 }, fourth = { 0 };

	(void)state;
	make_hist(&more, 0x100, "seconds", 5, &other);
	make_hist(&more, 0x200, "seconds", 6, &other);
	more.has_arcs = true;
	array_push(&other, &more.blocks) = (struct raw_block){ 1, 2 };
	assert_true(profile_add(&prof, &more, &mem));
	assert_true(profile_add(&prof, &more, &mem));
	arena_free(&other);
	assert_int_equal(prof.hists.n, 2);
	assert_int_equal(prof.unit.rate, 100);
	assert_int_equal(prof.hists.at[0].lo, 0x100);
	assert_int_equal(prof.hists.at[0].ticks[3], 10);
	assert_int_equal(prof.hists.at[1].ticks[3], 12);
	assert_int_equal(prof.blocks.n, 2);
	assert_int_equal(prof.files.n, 4);
	assert_int_equal(prof.files.at[1].nhists, 0x200);
	assert_true(prof.has_hists && prof.has_arcs);

	make_hist(&third, 0x300, "joules", 7, &other);
	assert_false(profile_add(&prof, &third, &mem));
	make_hist(&fourth, 0x104, "seconds", 7, &other);
	assert_false(profile_add(&prof, &fourth, &mem));
	arena_free(&other);
	arena_free(&mem);
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
		cmocka_unit_test(arcs_in_order),
		cmocka_unit_test(blocks),
		cmocka_unit_test(whole_profiles),
		cmocka_unit_test(ends_are_not_mixed_up),
		cmocka_unit_test(many_arcs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles as values: scale, ticks, addresses that are moved. */
#include "testing.h"

#include "model/profile.h"

static void scale_is_units_a_bin(void **state)
{
	static const struct {
		struct hist hist;
		double scale;
	} cases[] = {
		{ { .lo = 0x1000, .hi = 0x1010, .nbins = 4 }, 2.0 },
		{ { .lo = 0x1000, .hi = 0x1010, .nbins = 3 }, 8.0 / 3 },
		{ { .lo = 0x1000, .hi = 0x1011, .nbins = 3 }, 8.0 / 3 },
		{ { .lo = 0x1001, .hi = 0x1010, .nbins = 3 }, 7.0 / 3 },
		{ { .lo = 0x1000, .hi = 0x1010, .nbins = 0 }, 0.0 },
		{ { .lo = 0x1000, .hi = 0x1000, .nbins = 5 }, 0.0 },
		{ { .lo = 0, .hi = UINT64_MAX, .nbins = 1 }, 0x1p63 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_same_double(profile_hist_scale(&cases[i].hist), cases[i].scale);
}

static void addresses_wrap(void **state)
{
	static const struct target wide = { .ptr_size = 8 }, narrow = { .ptr_size = 4 };
	static const struct target narrow_signed = { .ptr_size = 4, .sign_extend = true };
	static const struct {
		uint64_t pc, narrow, narrow_signed;
	} cases[] = {
		{ 0, 0, 0 },
		{ 0x7fffffff, 0x7fffffff, 0x7fffffff },
		{ 0x80000000, 0x80000000, 0xffffffff80000000 },
		{ 0x1234567880000001, 0x80000001, 0xffffffff80000001 },
		{ 0xffffffff00000001, 1, 1 },
		{ UINT64_MAX, 0xffffffff, UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(target_wrap(&wide, cases[i].pc), cases[i].pc);
		assert_int_equal(target_wrap(&narrow, cases[i].pc), cases[i].narrow);
		assert_int_equal(target_wrap(&narrow_signed, cases[i].pc), cases[i].narrow_signed);
	}
}

/* A profile of everything, with an address at either end of what 32 bits hold. */
static struct profile make_profile(struct arena *mem)
{
	struct profile prof = {
		.target = { .ptr_size = 4, .sign_extend = true, .thumb = true },
		.unit = { .rate = 7, .dimension = "steps", .abbrev = 'p' },
		.has_hists = true,
		.has_arcs = true,
		.has_distinct_arcs = true,
	};

	for (uint64_t i = 0; i < 2; i++) {
		struct hist *hist = &array_push(mem, &prof.hists);

		*hist = (struct hist){ 0x1000 * (i + 1), 0x1000 * (i + 1) + 8, 2,
				       arena_array(mem, uint64_t, 2) };
		hist->ticks[0] = i + 1;
		hist->ticks[1] = UINT64_C(1) << 40;
	}
	array_push(mem, &prof.arcs) = (struct raw_arc){ 0x1004, 0x2000, 5 };
	array_push(mem, &prof.arcs) = (struct raw_arc){ 0x7fffff00, 0x1000, 6 };
	array_push(mem, &prof.blocks) = (struct raw_block){ 0x2004, 8 };
	array_push(mem, &prof.blocks) = (struct raw_block){ 0x0, 9 };
	array_push(mem, &prof.files) = (struct profile_file){
		.name = "FILE", .version = 1, .nhists = 2, .narcs = 3, .nblocks = 4
	};
	array_push(mem, &prof.recorded.modules) = (struct module){ .flags = MODULE_PROGRAM };
	array_push(mem, &prof.recorded.modules) = (struct module){ .path = "lib" };
	array_push(mem, &prof.recorded.nodes) =
		(struct recorded_node){ RECORDED_NONE, 0, 0x7fffff00 };
	array_push(mem, &prof.recorded.nodes) = (struct recorded_node){ 0, 1, 0x30 };
	array_push(mem, &prof.recorded.nodes) = (struct recorded_node){ 1, RECORDED_NONE, 0x40 };
	array_push(mem, &prof.recorded.samples) = (struct recorded_sample){ .node = 2, .ticks = 5 };
	return prof;
}

static void ticks_of_all_histograms(void **state)
{
	struct arena mem = test_arena();
	struct profile prof = make_profile(&mem), none = { 0 };

	(void)state;
	assert_int_equal(profile_ticks(&prof), 3 + (UINT64_C(2) << 40));
	assert_int_equal(profile_ticks(&none), 0);
	arena_free(&mem);
}

static uint64_t add_number(uint64_t pc, const void *number)
{
	return pc + *(const uint64_t *)number;
}

static void all_addresses_move(void **state)
{
	static const uint64_t by = UINT64_C(0xfff00000200);
	struct arena mem = test_arena(), other = test_arena();
	struct profile prof = make_profile(&mem);
	struct profile to = profile_map(&prof, add_number, &by, &other);

	(void)state;
	assert_int_equal(to.hists.n, 2);
	assert_int_equal(to.hists.at[0].lo, 0x1200);
	assert_int_equal(to.hists.at[0].hi, 0x1208);
	assert_int_equal(to.hists.at[0].nbins, 2);
	assert_int_equal(to.hists.at[1].lo, 0x2200);
	assert_ptr_equal(to.hists.at[1].ticks, prof.hists.at[1].ticks);
	assert_int_equal(to.arcs.n, 2);
	assert_int_equal(to.arcs.at[0].from_pc, 0x1204);
	assert_int_equal(to.arcs.at[0].self_pc, 0x2200);
	assert_int_equal(to.arcs.at[0].ncalls, 5);
	assert_int_equal(to.arcs.at[1].from_pc, 0xffffffff80000100);
	assert_int_equal(to.arcs.at[1].self_pc, 0x1200);
	assert_int_equal(to.blocks.n, 2);
	assert_int_equal(to.blocks.at[0].pc, 0x2204);
	assert_int_equal(to.blocks.at[0].count, 8);
	assert_int_equal(to.blocks.at[1].pc, 0x200);
	assert_int_equal(to.recorded.nodes.n, 3);
	assert_true(to.recorded.nodes.at[0].address == 0xffffffff80000100);
	assert_true(to.recorded.nodes.at[0].parent == RECORDED_NONE);
	assert_int_equal(to.recorded.nodes.at[1].address, 0x30);
	assert_int_equal(to.recorded.nodes.at[2].address, 0x40);
	assert_ptr_equal(to.recorded.samples.at, prof.recorded.samples.at);
	assert_ptr_equal(to.files.at, prof.files.at);
	assert_int_equal(to.files.n, 1);
	assert_memory_equal(&to.unit, &prof.unit, sizeof(to.unit));
	assert_true(to.has_hists && to.has_arcs && to.target.thumb);
	arena_free(&other);
	/* The profile it was made of is as it was. */
	assert_int_equal(prof.hists.at[0].lo, 0x1000);
	assert_int_equal(prof.arcs.at[1].from_pc, 0x7fffff00);
	assert_int_equal(prof.recorded.nodes.at[0].address, 0x7fffff00);
	assert_int_equal(prof.blocks.at[0].pc, 0x2004);
	assert_true(prof.has_distinct_arcs);
	arena_free(&mem);
}

static uint64_t forget(uint64_t pc, const void *number)
{
	(void)pc;
	return *(const uint64_t *)number;
}

/* What is moved to one place repeats, and what is pushed behind it overwrites nothing. */
static void moved_arcs_may_repeat(void **state)
{
	static const uint64_t place = 0x4000;
	struct arena mem = test_arena();
	struct profile prof = make_profile(&mem);
	struct profile to = profile_map(&prof, forget, &place, &mem);

	(void)state;
	assert_false(to.has_distinct_arcs);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(to.hists.at[i].hi, 0x4008);
		assert_int_equal(to.arcs.at[i].from_pc, 0x4000);
		assert_int_equal(to.arcs.at[i].self_pc, 0x4000);
		assert_int_equal(to.arcs.at[i].ncalls, 5 + i);
		assert_int_equal(to.blocks.at[i].pc, 0x4000);
	}
	assert_int_equal(to.arcs.max, to.arcs.n);
	assert_int_equal(to.hists.max, to.hists.n);
	assert_int_equal(to.blocks.max, to.blocks.n);
	arena_free(&mem);
}

static void empty_bins_are_skipped(void **state)
{
	enum { MOST = 17 };
	uint64_t ticks[MOST];

	(void)state;
	for (uint32_t n = 0; n <= MOST; n++) {
		for (uint32_t full = 0; full < 1U << n; full++) {
			const struct hist hist = { .nbins = n, .ticks = ticks };
			uint32_t bin = 0;

			for (uint32_t i = 0; i < n; i++)
				ticks[i] = full >> i & 1;
			for (uint32_t i = 0; i < n; i++) {
				if (ticks[i] == 0)
					continue;
				assert_int_equal(profile_next_bin(&hist, bin), i);
				bin = i + 1;
			}
			assert_int_equal(profile_next_bin(&hist, bin), n);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scale_is_units_a_bin),    cmocka_unit_test(addresses_wrap),
		cmocka_unit_test(ticks_of_all_histograms), cmocka_unit_test(all_addresses_move),
		cmocka_unit_test(moved_arcs_may_repeat),   cmocka_unit_test(empty_bins_are_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

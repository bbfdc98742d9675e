/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of gmon.out, on bytes made by hand for both widths and orders; and on bad bytes. */
#include "filebytes.h"

#include "gmon_out.h"

static struct bytes header(struct target target, uint32_t version)
{
	struct bytes b = { .target = target };

	put_text(&b, GMON_MAGIC, 4);
	put(&b, 4, version);
	put_text(&b, "", 12);
	return b;
}

/* A histogram record without its bins. */
static void put_hist(struct bytes *b, uint64_t lo, uint64_t hi, uint32_t nbins)
{
	put(b, 1, GMON_HIST);
	put_ptr(b, lo);
	put_ptr(b, hi);
	put(b, 4, nbins);
	put(b, 4, 100);
	put_text(b, "seconds", GMON_DIMENSION_BYTES);
	put(b, 1, 's');
}

static void put_arc(struct bytes *b, uint64_t from, uint64_t self, uint32_t ncalls)
{
	put(b, 1, GMON_ARC);
	put_ptr(b, from);
	put_ptr(b, self);
	put(b, 4, ncalls);
}

static void put_blocks(struct bytes *b, uint32_t n)
{
	put(b, 1, GMON_BLOCKS);
	put(b, 4, n);
	for (uint32_t i = 0; i < n; i++) {
		put_ptr(b, 0x1000 + i);
		put_ptr(b, i);
	}
}

/* A histogram of four bins, two arcs, blocks, an arc again. */
static struct bytes good_file(struct target target)
{
	struct bytes b = header(target, GMON_VERSION);

	put_hist(&b, 0x1000, 0x1010, 4);
	put_bins(&b, 4, 0xfffc);
	put_arc(&b, 0x1004, 0x1008, 7);
	put_arc(&b, 0x1004, 0x1008, UINT32_MAX);
	put_blocks(&b, 3);
	put_arc(&b, 0x2000, 0x3000, 0);
	return b;
}

static int read_into(struct profile_sum *sum, const struct bytes *b, struct diag *diag)
{
	return read_as(GMON_ANY, sum, b, diag);
}

static void expect_good(const struct bytes *b)
{
	expect_good_as(GMON_ANY, b);
	expect_good_as(GMON_CURRENT, b);
}

static void expect_bad(const struct bytes *b, const char *text)
{
	expect_bad_as(GMON_ANY, b, text);
	expect_bad_as(GMON_CURRENT, b, text);
}

/* The header is wrong. */
static void expect_bad_start(const struct bytes *b, const char *text)
{
	expect_bad_start_as(GMON_ANY, b, text);
	expect_bad_start_as(GMON_CURRENT, b, text);
}

static void all_records_in_all_formats(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };
		struct bytes b = good_file(targets[i]);

		assert_int_equal(read_into(&sum, &b, &diag), 0);
		memset(b.at, 0xee, sizeof(b.at));
		assert_true(sum.prof.has_hists && sum.prof.has_arcs);
		assert_int_equal(sum.prof.hists.n, 1);
		assert_int_equal(sum.prof.hists.at[0].lo, 0x1000);
		assert_int_equal(sum.prof.hists.at[0].hi, 0x1010);
		assert_int_equal(sum.prof.hists.at[0].nbins, 4);
		for (uint32_t k = 0; k < 4; k++)
			assert_int_equal(sum.prof.hists.at[0].ticks[k], 0xfffc + k);
		assert_int_equal(sum.prof.unit.rate, 100);
		assert_string_equal(sum.prof.unit.dimension, "seconds");
		assert_int_equal(sum.prof.unit.abbrev, 's');
		assert_int_equal(sum.prof.arcs.n, 3);
		assert_int_equal(sum.prof.arcs.at[0].from_pc, 0x1004);
		assert_int_equal(sum.prof.arcs.at[0].self_pc, 0x1008);
		assert_int_equal(sum.prof.arcs.at[0].ncalls, 7);
		assert_int_equal(sum.prof.arcs.at[1].ncalls, UINT32_MAX);
		assert_int_equal(sum.prof.arcs.at[2].self_pc, 0x3000);
		assert_int_equal(sum.prof.files.n, 1);
		assert_string_equal(sum.prof.files.at[0].name, "FILE");
		assert_int_equal(sum.prof.files.at[0].version, 1);
		assert_int_equal(sum.prof.files.at[0].nhists, 1);
		assert_int_equal(sum.prof.files.at[0].narcs, 3);
		assert_int_equal(sum.prof.files.at[0].nblocks, 1);
		assert_int_equal(log.n, 0);
		arena_free(&mem);
	}
}

static void files_add_up(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .prof.target = targets[2], .mem = &mem };
	struct bytes b = good_file(targets[2]);

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(gmon_read(&sum, GMON_ANY, b.at, b.n, "FILE", &diag), 0);
	assert_int_equal(sum.prof.hists.n, 1);
	assert_int_equal(sum.prof.hists.at[0].ticks[3], 1000 * 0xffff);
	assert_int_equal(sum.prof.arcs.n, 2);
	assert_true(sum.prof.arcs.at[0].ncalls == 1000 * (7 + (uint64_t)UINT32_MAX));
	assert_int_equal(sum.prof.files.n, 1000);
	assert_int_equal(sum.prof.files.at[999].narcs, 3);
	arena_free(&mem);
}

static void narrow_addresses_can_be_signed(void **state)
{
	static const struct {
		struct target target;
		uint64_t expected;
	} cases[] = {
		{ { .ptr_size = 4 }, 0x80001000 },
		{ { .ptr_size = 4, .sign_extend = true }, 0xffffffff80001000 },
		{ { .ptr_size = 4, .big_endian = true, .sign_extend = true }, 0xffffffff80001000 },
		{ { .ptr_size = 8, .sign_extend = true }, 0x80001000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };
		struct bytes b = header(cases[i].target, 1);

		put_hist(&b, 0x80001000, 0x80001008, 2);
		put_bins(&b, 2, 1);
		put_arc(&b, 0x80001000, 0x7fffffff, 0xffffffff);
		assert_int_equal(read_into(&sum, &b, &diag), 0);
		assert_true(sum.prof.hists.at[0].lo == cases[i].expected);
		assert_true(sum.prof.hists.at[0].hi == cases[i].expected + 8);
		assert_true(sum.prof.arcs.at[0].from_pc == cases[i].expected);
		assert_true(sum.prof.arcs.at[0].self_pc == 0x7fffffff);
		assert_true(sum.prof.arcs.at[0].ncalls == 0xffffffff);
		arena_free(&mem);
	}
}

/* One bin in the midst of empty ones, wherever it is, is read; many of these are skipped at once.
 */
static void a_bin_among_zeros(void **state)
{
	enum { MOST = 70 };

	(void)state;
	for (uint32_t i = 0; i < MOST * MOST; i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };
		struct bytes b = header(targets[i % COUNT(targets)], GMON_VERSION);
		uint32_t n = 1 + i / MOST, full = i % MOST;

		put_hist(&b, 0x1000, 0x1000 + 4 * n, n);
		for (uint32_t k = 0; k < n; k++)
			put(&b, 2, k == full ? 0x102 : 0);
		assert_int_equal(read_into(&sum, &b, &diag), 0);
		for (uint32_t k = 0; k < n; k++)
			assert_int_equal(sum.prof.hists.at[0].ticks[k], k == full ? 0x102 : 0);
		arena_free(&mem);
	}
}

static void versions(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct bytes b = header(targets[i], 0);
		struct target other = targets[i];

		put_arc(&b, 0x1000, 0x2000, 1);
		expect_good(&b);
		b = header(targets[i], 2);
		expect_bad_start(&b, "profile data of version 2 at byte 4, expected 1");
		b = header(targets[i], UINT32_MAX);
		expect_bad_start(&b, "version 4294967295 at byte 4");
		other.big_endian = !other.big_endian;
		b = header(other, 1);
		b.target = targets[i];
		expect_bad_start(&b, "version 16777216 at byte 4, expected 1 (written on a "
				     "machine with the other byte order?)");
	}
}

static void a_header_alone_is_a_file(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .mem = &mem };
	struct bytes b = header(targets[0], 1);

	(void)state;
	assert_int_equal(read_into(&sum, &b, &diag), 0);
	assert_false(sum.prof.has_hists || sum.prof.has_arcs);
	assert_int_equal(sum.prof.files.n, 1);
	put_blocks(&b, 0);
	assert_int_equal(read_into(&sum, &b, &diag), 0);
	assert_false(sum.prof.has_hists || sum.prof.has_arcs);
	assert_int_equal(sum.prof.files.at[1].nblocks, 1);
	arena_free(&mem);
}

/* Every length of a good file fails, but those that end with the header or a record. */
static void every_cut_is_noticed(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct bytes b = good_file(targets[i]);
		size_t ptr = targets[i].ptr_size, arc = 5 + 2 * ptr;
		size_t hist = 20 + 25 + 2 * ptr + 8;
		size_t blocks = hist + 2 * arc + 5 + 6 * ptr;
		size_t whole = b.n;

		assert_int_equal(whole, blocks + arc);
		for (size_t n = 0; n < whole; n++) {
			b.n = n;
			if (n < 20)
				expect_bad(&b, "too short for profile data");
			else if (n == 20 || n == hist || n == hist + arc || n == hist + 2 * arc ||
				 n == blocks)
				expect_good(&b);
			else if (n < hist)
				expect_bad(&b, "histogram");
			else if (n > hist + 2 * arc && n < blocks)
				expect_bad(&b, "basic-block record cut short at byte");
			else
				expect_bad(&b, "call-graph record cut short at byte");
		}
	}
}

static void cuts_are_told_with_their_place(void **state)
{
	struct bytes b = good_file(targets[2]);

	(void)state;
	b.n = 19;
	expect_bad(&b, "too short for profile data: 19 bytes");
	b.n = 21;
	expect_bad(&b, "histogram record cut short at byte 21: 8 bytes needed, 0 left");
	b.n = 40;
	expect_bad(&b, "histogram record cut short at byte 37: 4 bytes needed, 3 left");
	b.n = 68;
	expect_bad(&b, "histogram cut short at byte 61: 8 bytes needed, 7 left");
	b.n = 80;
	expect_bad(&b, "call-graph record cut short at byte 78: 8 bytes needed, 2 left");
	b.n = 69 + 2 * 21 + 5 + 7;
	expect_bad(&b, "basic-block record cut short at byte 116: 48 bytes needed, 7 left");
}

static void other_files_are_refused(void **state)
{
	struct bytes b = header(targets[0], 1);

	(void)state;
	b.at[3] = 'X';
	expect_bad_start(&b, "not profile data: no \"gmon\" at byte 0");
	memcpy(b.at, "\177ELF", 4);
	expect_bad_start(&b, "is a program, not profile data");
	b = header(targets[0], 1);
	put_arc(&b, 0x1000, 0x2000, 1);
	put(&b, 1, 3);
	expect_bad(&b, "unknown record tag 3 at byte 33");
	b = header(targets[0], 1);
	put(&b, 1, 0xff);
	expect_bad(&b, "unknown record tag 255 at byte 20");
	b.n = 0;
	expect_bad_start(&b, "too short for profile data: 0 bytes");
}

/* Counts that the file does not back: refused before anything is made for them. */
static void huge_counts_are_refused(void **state)
{
	static const uint32_t counts[] = {
		4, 1000, 0x7fffffff, 0x80000000, 0x80000001, UINT32_MAX
	};

	(void)state;
	for (size_t i = 0; i < COUNT(targets) * COUNT(counts); i++) {
		struct target target = targets[i % COUNT(targets)];
		uint32_t count = counts[i / COUNT(targets)];
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };
		struct bytes b = header(target, 1);

		put_hist(&b, 0, 0x10, count);
		put_bins(&b, 3, 1);
		assert_int_equal(read_into(&sum, &b, &diag), -1);
		assert_int_equal(sum.prof.hists.n, 0);
		assert_null(sum.prof.hists.at);
		expect_message(&log, "histogram cut short at byte");

		b = header(target, 1);
		put_blocks(&b, 3);
		b.n = 21;
		put(&b, 4, count);
		b.n += 6 * target.ptr_size;
		expect_bad(&b, "basic-block record cut short at byte 25");
		arena_free(&mem);
	}
}

static void start_behind_the_end(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct bytes b = header(targets[i], 1);

		put_arc(&b, 0x1000, 0x2000, 1);
		put_hist(&b, 0x2000, 0x1fff, 2);
		put_bins(&b, 2, 1);
		expect_bad(
			&b,
			targets[i].ptr_size == 4
				? "histogram at byte 33 ends at 0x1fff, before its start 0x2000"
				: "histogram at byte 41 ends at 0x1fff, before its start 0x2000");
	}
}

static void bins_for_no_addresses(void **state)
{
	struct bytes b = header(targets[2], 1);

	(void)state;
	put_hist(&b, 0x1000, 0x1000, 0);
	expect_good(&b);
	put_hist(&b, 0x1000, 0x1000, 2);
	put_bins(&b, 2, 1);
	expect_bad(&b, "histogram at byte 61 has 2 bins for an empty range of addresses");
}

/* A file with one good histogram, a second one begun at byte 69. */
static struct bytes two_hists(uint64_t lo, uint64_t hi, uint32_t nbins)
{
	struct bytes b = header(targets[2], 1);

	put_hist(&b, 0x1000, 0x1010, 4);
	put_bins(&b, 4, 1);
	put_hist(&b, lo, hi, nbins);
	put_bins(&b, nbins, 1);
	return b;
}

static void histograms_that_do_not_fit(void **state)
{
	struct bytes b = two_hists(0x2000, 0x2010, 4);
	const size_t dimension = 69 + 1 + 16 + 8, abbrev = dimension + GMON_DIMENSION_BYTES;

	(void)state;
	expect_good(&b);
	memcpy(b.at + dimension, "m\033tres", 7);
	expect_bad(&b, "histogram at byte 69 is in m?tres, the first one in seconds");
	memset(b.at + dimension, 'x', GMON_DIMENSION_BYTES);
	expect_bad(&b, "histogram at byte 69 is in xxxxxxxxxxxxxxx, the first one in seconds");
	b = two_hists(0x2000, 0x2010, 4);
	b.at[abbrev] = 'm';
	expect_bad(&b, "histogram at byte 69 abbreviates its unit 'm', the first one 's'");
	b = two_hists(0x2000, 0x2010, 2);
	expect_bad(&b, "histogram at byte 69 has 2 bins of 8 bytes, the first one 4 of 4");
	b = two_hists(0x1000, 0x1010, 2);
	expect_bad(&b, "histogram at byte 69 has 2 bins of 8 bytes, the first one 4 of 4");
	b = two_hists(0x100c, 0x101c, 4);
	expect_bad(&b, "histograms of 0x1000-0x1010 and 0x100c-0x101c overlap");
}

static void histograms_overlap_across_files(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .mem = &mem };
	struct bytes a = header(targets[2], 1), b = header(targets[2], 1);

	(void)state;
	put_hist(&a, 0x1000, 0x1010, 4);
	put_bins(&a, 4, 1);
	put_hist(&b, 0x1008, 0x1018, 4);
	put_bins(&b, 4, 1);
	assert_int_equal(read_into(&sum, &a, &diag), 0);
	assert_int_equal(read_into(&sum, &a, &diag), 0);
	assert_int_equal(read_into(&sum, &b, &diag), -1);
	expect_message(&log, "FILE: histograms of 0x1000-0x1010 and 0x1008-0x1018 overlap");
	arena_free(&mem);
}

/* Random damage to a good file is read or refused with one message; sanitizers see the rest. */
static void random_damage(void **state)
{
	uint64_t seed = 61;
	uint32_t nbad = 0;

	(void)state;
	for (int round = 0; round < 5000; round++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };
		struct bytes b = good_file(targets[random_below(&seed, COUNT(targets))]);
		enum gmon_format format = (enum gmon_format)random_below(&seed, 4);
		int rc, checked;

		for (uint32_t k = 1 + random_below(&seed, 4); k > 0; k--)
			b.at[random_below(&seed, (uint32_t)b.n)] =
				(unsigned char)random_below(&seed, 256);
		b.n -= random_below(&seed, 2) * random_below(&seed, (uint32_t)b.n);
		checked = gmon_check(&b.target, format, b.at, b.n, "FILE", &diag);
		rc = read_as(format, &sum, &b, &diag);
		assert_int_equal(log.n, (checked < 0 ? 1 : 0) + (rc < 0 ? 1 : 0));
		if (checked < 0) {
			assert_int_equal(rc, -1);
			assert_string_equal(log.line[0], log.line[1]);
		}
		nbad += rc < 0;
		arena_free(&mem);
	}
	assert_in_range(nbad, 1000, 4900);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_records_in_all_formats),
		cmocka_unit_test(files_add_up),
		cmocka_unit_test(a_bin_among_zeros),
		cmocka_unit_test(narrow_addresses_can_be_signed),
		cmocka_unit_test(versions),
		cmocka_unit_test(a_header_alone_is_a_file),
		cmocka_unit_test(every_cut_is_noticed),
		cmocka_unit_test(cuts_are_told_with_their_place),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(huge_counts_are_refused),
		cmocka_unit_test(start_behind_the_end),
		cmocka_unit_test(bins_for_no_addresses),
		cmocka_unit_test(histograms_that_do_not_fit),
		cmocka_unit_test(histograms_overlap_across_files),
		cmocka_unit_test(random_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

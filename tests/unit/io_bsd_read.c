/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of both formats of BSD, on bytes made by hand for both widths and orders. */
#include "filebytes.h"

#include <unistd.h>

static const enum gmon_format formats[] = { GMON_BSD, GMON_BSD44 };

enum { NCASES = COUNT(targets) * COUNT(formats) };

/* Case i of all targets in both formats. */
static struct target target_of(size_t i)
{
	return targets[i % COUNT(targets)];
}

static enum gmon_format format_of(size_t i)
{
	return formats[i / COUNT(targets)];
}

static uint32_t header_bytes(const struct target *target, enum gmon_format format)
{
	static const uint32_t old[] = { 12, 20 };

	return old[target->ptr_size == 8] + (format == GMON_BSD44 ? 20 : 0);
}

/* A header of the host's rate for [lo, hi) that tells of nbins. */
static struct bytes header(struct target target, enum gmon_format format, uint64_t lo, uint64_t hi,
			   uint32_t nbins)
{
	struct bytes b = { .target = target };

	put_ptr(&b, lo);
	put_ptr(&b, hi);
	put(&b, 4, header_bytes(&target, format) + 2 * nbins);
	if (format == GMON_BSD44) {
		put(&b, 4, 0x00051879);
		put(&b, 4, (uint64_t)sysconf(_SC_CLK_TCK));
		put_text(&b, "", 12);
	}
	assert_int_equal(b.n, header_bytes(&target, format));
	return b;
}

static void put_arc(struct bytes *b, uint64_t from, uint64_t self, uint64_t ncalls)
{
	put_ptr(b, from);
	put_ptr(b, self);
	put_ptr(b, ncalls);
}

/* Five bins and two arcs. */
static struct bytes good_file(struct target target, enum gmon_format format)
{
	struct bytes b = header(target, format, 0x1000, 0x1014, 5);

	put_bins(&b, 5, 0xfffb);
	put_arc(&b, 0x1004, 0x1008, 7);
	put_arc(&b, 0x1004, 0x1008, UINT32_MAX);
	return b;
}

static void expect_profile(const struct profile *prof, size_t narcs)
{
	assert_true(prof->has_hists && prof->has_arcs);
	assert_int_equal(prof->hists.n, 1);
	assert_int_equal(prof->hists.at[0].lo, 0x1000);
	assert_int_equal(prof->hists.at[0].hi, 0x1014);
	assert_int_equal(prof->hists.at[0].nbins, 5);
	for (uint32_t k = 0; k < 5; k++)
		assert_int_equal(prof->hists.at[0].ticks[k], 0xfffb + k);
	assert_string_equal(prof->unit.dimension, "seconds");
	assert_int_equal(prof->unit.abbrev, 's');
	assert_int_equal(prof->unit.rate, sysconf(_SC_CLK_TCK));
	assert_int_equal(prof->arcs.n, narcs);
	for (size_t i = 0; i < narcs; i++) {
		assert_int_equal(prof->arcs.at[i].from_pc, 0x1004);
		assert_int_equal(prof->arcs.at[i].self_pc, 0x1008);
		assert_int_equal(prof->arcs.at[i].ncalls, i == 0 ? 7 : UINT32_MAX);
	}
	assert_int_equal(prof->files.n, 1);
	assert_int_equal(prof->files.at[0].version, 0);
	assert_int_equal(prof->files.at[0].nhists, 1);
	assert_int_equal(prof->files.at[0].narcs, narcs);
	assert_int_equal(prof->files.at[0].nblocks, 0);
}

/* The format is given or found; a part of an arc at the end does not count. */
static void both_formats_everywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * NCASES; i++) {
		enum gmon_format format = format_of(i / 2);
		struct bytes b = good_file(target_of(i / 2), format);
		size_t whole = b.n, arc = 3 * b.target.ptr_size;

		for (; b.n >= whole - 2 * arc; b.n--) {
			struct arena mem = test_arena();
			struct messages log = { 0 };
			struct diag diag = test_diag(&log);
			struct profile_sum sum = { .mem = &mem };

			assert_int_equal(read_as(i % 2 ? format : GMON_ANY, &sum, &b, &diag), 0);
			expect_profile(&sum.prof, 2 - (whole - b.n + arc - 1) / arc);
			assert_int_equal(log.n, 0);
			arena_free(&mem);
		}
	}
}

static void wide_counts_are_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < NCASES; i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };
		struct bytes b = header(target_of(i), format_of(i), 0x1000, 0x1004, 1);

		put_bins(&b, 1, 1);
		put_arc(&b, 0x123456789abcdef0, 0xfedcba9876543210, 0x0102030405060708);
		assert_int_equal(read_as(format_of(i), &sum, &b, &diag), 0);
		if (b.target.ptr_size == 8) {
			assert_true(sum.prof.arcs.at[0].from_pc == 0x123456789abcdef0);
			assert_true(sum.prof.arcs.at[0].self_pc == 0xfedcba9876543210);
			assert_true(sum.prof.arcs.at[0].ncalls == 0x0102030405060708);
		} else {
			assert_true(sum.prof.arcs.at[0].from_pc == 0x9abcdef0);
			assert_true(sum.prof.arcs.at[0].self_pc == 0x76543210);
			assert_true(sum.prof.arcs.at[0].ncalls == 0x05060708);
		}
		arena_free(&mem);
	}
}

static void narrow_addresses_can_be_signed(void **state)
{
	struct target target = { .ptr_size = 4, .big_endian = true, .sign_extend = true };
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .mem = &mem };
	struct bytes b = header(target, GMON_BSD44, 0x80001000, 0x80001004, 1);

	(void)state;
	put_bins(&b, 1, 1);
	put_arc(&b, 0x80001002, 0x7fffffff, UINT32_MAX);
	assert_int_equal(read_as(GMON_ANY, &sum, &b, &diag), 0);
	assert_true(sum.prof.hists.at[0].lo == 0xffffffff80001000);
	assert_true(sum.prof.arcs.at[0].from_pc == 0xffffffff80001002);
	assert_true(sum.prof.arcs.at[0].self_pc == 0x7fffffff);
	assert_true(sum.prof.arcs.at[0].ncalls == UINT32_MAX);
	arena_free(&mem);
}

/* The version decides between the two; a format that was asked for is not looked for. */
static void formats_are_told_apart(void **state)
{
	static const char magic[] = "not profile data: no \"gmon\" at byte 0";

	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct bytes old = good_file(targets[i], GMON_BSD);
		struct bytes new = good_file(targets[i], GMON_BSD44);
		size_t version = header_bytes(&targets[i], GMON_BSD);

		expect_bad_start_as(GMON_CURRENT, &old, magic);
		expect_bad_start_as(GMON_CURRENT, &new, magic);
		expect_bad_start_as(GMON_BSD44, &old,
				    "not BSD data: it lacks the version of 4.4BSD");
		/* As old BSD it has ten bins more and one arc less, or a part of one. */
		expect_good_as(GMON_BSD, &new);
		new.at[version] ^= 1;
		expect_good_as(GMON_ANY, &new);
		expect_bad_start_as(GMON_BSD44, &new, "it lacks the version of 4.4BSD");
	}
}

/* In a range that begins at such an address. Only the format asked for can help. */
static void the_magic_word_wins(void **state)
{
	struct bytes b = good_file(targets[2], GMON_BSD);

	(void)state;
	memcpy(b.at, "gmon\0\0\0\0", 8);
	memcpy(b.at + 8, "gmoz\0\0\0\0", 8);
	expect_bad_as(GMON_ANY, &b, "unknown record tag 251 at byte 20");
	expect_good_as(GMON_BSD, &b);
}

static void wrong_headers(void **state)
{
	(void)state;
	for (size_t i = 0; i < NCASES; i++) {
		enum gmon_format format = format_of(i);
		struct bytes b = good_file(target_of(i), format), good = b;
		uint32_t least = header_bytes(&b.target, format);

		b = header(target_of(i), format, 0x1000, 0x0fff, 5);
		put_bins(&b, 5, 1);
		expect_bad_start_as(GMON_ANY, &b,
				    "not profile data: no \"gmon\" at byte 0; not BSD data: its "
				    "range ends before its start");
		expect_bad_start_as(format, &b, "its range ends before its start");

		b = good;
		b.n = 2 * b.target.ptr_size;
		put(&b, 4, least - 1);
		b.n = good.n;
		expect_bad_start_as(format, &b, "its size is less than its header's");
		b.n = 2 * b.target.ptr_size;
		put(&b, 4, least);
		b.n = good.n;
		expect_good_as(format, &b);
	}
}

/* Up to the last bin. Files below 20 bytes are of no format. */
static void every_cut_is_noticed(void **state)
{
	(void)state;
	for (size_t i = 0; i < NCASES; i++) {
		enum gmon_format format = format_of(i);
		struct bytes b = good_file(target_of(i), format);
		uint32_t start = header_bytes(&b.target, format);

		for (b.n = 0; b.n < start + 10; b.n++) {
			if (b.n < 20)
				expect_bad_start_as(format, &b, "too short for profile data");
			else if (b.n < start)
				expect_bad_start_as(format, &b, ": it is too short");
			else
				expect_bad_as(format, &b, ": it is cut short");
		}
		expect_good_as(format, &b);
	}
}

/* What a size tells that the file does not back: refused before anything is made for it. */
static void huge_sizes_are_refused(void **state)
{
	static const uint32_t sizes[] = { 1000, 0x7fffffff, 0x80000000, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < NCASES * COUNT(sizes); i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };
		enum gmon_format format = format_of(i % NCASES);
		struct bytes b = good_file(target_of(i % NCASES), format);
		size_t n = b.n;

		b.n = 2 * b.target.ptr_size;
		put(&b, 4, sizes[i / NCASES]);
		b.n = n;
		assert_int_equal(read_as(format, &sum, &b, &diag), -1);
		expect_message(&log, "it is cut short");
		assert_null(sum.prof.hists.at);
		arena_free(&mem);
	}
}

/* Reads one file behind the other; `message` is why the second does not fit, or NULL. */
static void expect_pair(enum gmon_format format, const struct bytes *first,
			const struct bytes *second, const char *message)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .mem = &mem };

	assert_int_equal(read_as(format, &sum, first, &diag), 0);
	assert_int_equal(read_as(format, &sum, second, &diag), message ? -1 : 0);
	if (message) {
		expect_message(&log, message);
	} else {
		assert_int_equal(sum.prof.hists.n, 1);
		assert_int_equal(sum.prof.hists.at[0].ticks[4], 2 * 0xffff);
		assert_int_equal(sum.prof.arcs.n, 1);
		assert_true(sum.prof.arcs.at[0].ncalls == 2 * (7 + (uint64_t)UINT32_MAX));
		assert_int_equal(sum.prof.unit.rate, sysconf(_SC_CLK_TCK));
	}
	assert_int_equal(log.n, 0);
	arena_free(&mem);
}

static void files_must_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < NCASES; i++) {
		enum gmon_format format = format_of(i);
		struct target t = target_of(i);
		struct bytes good = good_file(t, format), b = header(t, format, 0x1004, 0x1018, 5);

		expect_pair(format, &good, &good, NULL);
		put_bins(&b, 5, 1);
		expect_pair(GMON_ANY, &good, &b,
			    "FILE: 5 bins for 0x1004-0x1018 do not fit the 5 bins for "
			    "0x1000-0x1014 read before");
		b = header(t, format, 0x1000, 0x1014, 4);
		put_bins(&b, 4, 1);
		expect_pair(GMON_ANY, &good, &b, "4 bins for 0x1000-0x1014 do not fit the 5 bins");
		b = header(t, format, 0x1000, 0x1018, 6);
		put_bins(&b, 6, 1);
		expect_pair(GMON_ANY, &good, &b, "6 bins for 0x1000-0x1018 do not fit the 5 bins");
		/* Both formats can be mixed. */
		b = good_file(t, format_of((i + COUNT(targets)) % NCASES));
		expect_pair(GMON_ANY, &good, &b, NULL);
	}
}

/* Only 4.4BSD tells a rate, which must be that of the files before. */
static void rates_must_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct bytes old = good_file(targets[i], GMON_BSD);
		struct bytes host = good_file(targets[i], GMON_BSD44), other = host;
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };

		other.n = header_bytes(&targets[i], GMON_BSD) + 4;
		put(&other, 4, 1234567890);
		other.n = host.n;
		expect_pair(GMON_ANY, &host, &other,
			    "FILE: 1234567890 ticks a second, but 100 in the file before");
		expect_pair(GMON_ANY, &old, &other, "1234567890 ticks a second, but");
		assert_int_equal(read_as(GMON_ANY, &sum, &other, &diag), 0);
		assert_int_equal(read_as(GMON_ANY, &sum, &old, &diag), 0);
		assert_int_equal(sum.prof.unit.rate, 1234567890);
		assert_int_equal(log.n, 0);
		arena_free(&mem);
	}
}

/* Samples that are not of time cannot be added to. */
static void units_must_agree(void **state)
{
	static const struct hist like = { .lo = 0x1000, .hi = 0x1014, .nbins = 5 };
	static const struct unit metres = { 100, "metres", 'm' };
	struct bytes b = good_file(targets[0], GMON_BSD);
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .mem = &mem };
	enum hist_conflict why;

	(void)state;
	assert_non_null(profile_sum_hist(&sum, &like, &metres, &why));
	assert_int_equal(read_as(GMON_ANY, &sum, &b, &diag), -1);
	expect_message(&log, "FILE: histogram at byte 0 is in seconds, the first one in metres");
	arena_free(&mem);
}

static void no_bins(void **state)
{
	(void)state;
	for (size_t i = 0; i < NCASES; i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };
		struct bytes b = header(target_of(i), format_of(i), 0x1000, 0x1000, 0);

		put_arc(&b, 0x1000, 0x1004, 3);
		assert_int_equal(read_as(format_of(i), &sum, &b, &diag), 0);
		assert_true(sum.prof.has_hists && sum.prof.has_arcs);
		assert_int_equal(sum.prof.files.at[0].nhists, 0);
		assert_int_equal(sum.prof.arcs.n, 1);
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_formats_everywhere),
		cmocka_unit_test(wide_counts_are_whole),
		cmocka_unit_test(narrow_addresses_can_be_signed),
		cmocka_unit_test(formats_are_told_apart),
		cmocka_unit_test(the_magic_word_wins),
		cmocka_unit_test(wrong_headers),
		cmocka_unit_test(every_cut_is_noticed),
		cmocka_unit_test(huge_sizes_are_refused),
		cmocka_unit_test(files_must_agree),
		cmocka_unit_test(rates_must_agree),
		cmocka_unit_test(units_must_agree),
		cmocka_unit_test(no_bins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

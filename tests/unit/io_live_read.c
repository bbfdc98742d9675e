/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of gmon.out.live, on files made by hand for both widths and orders. */
#include "putbytes.h"

#include "gmon_live.h"
#include "io/profile/gmon_read.h"

enum {
	PAGE = GMON_LIVE_PAGE,
	COUNTS_AT = PAGE,
	JUNK_AT = 2 * PAGE,
	BINS_AT = 3 * PAGE,
	FILE_BYTES = 4 * PAGE,
	NCELLS = 16,
	NBINS = 64,
	/* Of a block's head. */
	AT_KIND = 8,
	AT_READY = 12,
	AT_WORD = 16,
	AT_LOW = 24,
	AT_DATA = 32,
	AT_OFFSET = 40,
	DATA = 256, /* of a block: where they begin */
	LOW = 0x1000,
	HIGH = 0x2000,
	ENTRY = 0x1040
};

static const struct target targets[] = { { .ptr_size = 4 },
					 { .ptr_size = 4, .big_endian = true },
					 { .ptr_size = 4, .thumb = true },
					 { .ptr_size = 4, .big_endian = true, .sign_extend = true },
					 { .ptr_size = 8 },
					 { .ptr_size = 8, .big_endian = true } };

/* The last has addresses that are negative as signed ones. */
static uint64_t bias_of(const struct target *target)
{
	return target->ptr_size == 8 ? 0x555555550000 : target->sign_extend ? 0 : 0x56550000;
}

static uint64_t code_of(const struct target *target)
{
	return target->sign_extend ? 0x80000000 : 0;
}

static uint64_t linked(const struct target *target, uint64_t pc)
{
	return target->sign_extend ? 0xffffffff80000000 + pc : pc;
}

struct live_file {
	struct target target;
	unsigned version;
	size_t data, size;
	unsigned char at[FILE_BYTES];
};

static void put(struct live_file *f, size_t at, unsigned nbytes, uint64_t value)
{
	put_bytes(f->at, sizeof(f->at), &f->target, at, nbytes, value);
}

/* A run-time address. */
static void put_pc(struct live_file *f, size_t at, uint64_t pc)
{
	put(f, at, f->target.ptr_size, pc + bias_of(&f->target) + code_of(&f->target));
}

static size_t cell_bytes(const struct live_file *f)
{
	return f->target.ptr_size == 8 ? 32 : 16;
}

static void put_block(struct live_file *f, size_t at, uint64_t bytes, unsigned kind, uint64_t word)
{
	put(f, at, 8, bytes);
	put(f, at + AT_KIND, 4, kind);
	put(f, at + AT_READY, 4, 1);
	put(f, at + AT_WORD, f->target.ptr_size, word);
	memset(f->at + at + AT_WORD + f->target.ptr_size, 0xaa, 8 - f->target.ptr_size);
	if (f->version == 1)
		memset(f->at + at + AT_DATA, 0xaa, 8);
	else
		put(f, at + AT_DATA, 8, f->data);
	put(f, at + AT_OFFSET, 8, at);
	memset(f->at + at + 48, 0xaa, 16);
}

/* Cell i of the block. `self` may be a mark. */
static void put_cell(struct live_file *f, unsigned i, uint64_t from, uint64_t self, uint64_t count)
{
	size_t at = COUNTS_AT + f->data + i * cell_bytes(f);
	unsigned width = f->target.ptr_size;

	if (from <= 1)
		put(f, at, width, from);
	else
		put_pc(f, at, from);
	if (self <= 5)
		put(f, at + width, width, self);
	else
		put_pc(f, at + width, self);
	put(f, at + 2 * width, 8, count);
}

static void put_bin(struct live_file *f, unsigned i, uint32_t ticks)
{
	put(f, BINS_AT + f->data + 4 * i, 4, ticks);
}

static void put_head(struct live_file *f)
{
	uint64_t shift = bias_of(&f->target) + code_of(&f->target);

	memcpy(f->at, GMON_LIVE_MAGIC, 8);
	put(f, 8, 4, f->version);
	put(f, 12, 4, f->target.ptr_size);
	put(f, 16, 8, 250);
	put(f, 24, 8, bias_of(&f->target));
	put(f, 32, 8, LOW + shift);
	put(f, 40, 8, HIGH + shift);
	put(f, 48, 8, ENTRY + shift);
}

static void put_all_cells(struct live_file *f)
{
	put_cell(f, 0, 0x1101, 0x1200, 7);
	put_cell(f, 2, 1, 0x1200, 1000);      /* being filled */
	put_cell(f, 3, 0, 0x1200, 1000);      /* unused */
	put_cell(f, 4, 0x2000, 0x1300, 3);    /* from outside */
	put_cell(f, 5, 0x0fff, 0x1300, 4);    /* from outside */
	put_cell(f, 6, 0x1110, 0x2000, 1000); /* to outside */
	put_cell(f, 7, 0x1110, 0x0fff, 1000); /* to outside */
	put_cell(f, 8, 0x2345, GMON_LIVE_OUTSIDE_TICKS, 1000);
	put_cell(f, 9, 0x1400, GMON_LIVE_BLOCK, 5);
	put_cell(f, 10, 0x2400, GMON_LIVE_BLOCK, 1000); /* outside */
	put_cell(f, 11, 0x1110, 0x1500, 0);
	put_cell(f, 12, 2, GMON_LIVE_UNKNOWN_TICKS, 70000);
	put_cell(f, 13, 2, GMON_LIVE_UNKNOWN_TICKS, 7);
	put_cell(f, 15, 0x1fff, 0x1fff, 0x123456789a);
}

/* Every kind of cell, and bins; between them pages that were asked for and never filled in. */
static struct live_file *make_version(struct target target, unsigned version, struct arena *mem)
{
	struct live_file *f = arena_array(mem, struct live_file, 1);

	f->target = target;
	f->version = version;
	f->data = version == 1 ? GMON_LIVE_BLOCK_HEAD : DATA;
	f->size = FILE_BYTES;
	put_head(f);
	put_block(f, COUNTS_AT, 4096, GMON_LIVE_COUNTS, (NCELLS - 1) * cell_bytes(f));
	put_all_cells(f);
	put_block(f, JUNK_AT, 4096, GMON_LIVE_COUNTS, 0);
	put(f, JUNK_AT + AT_READY, 4, 0);
	put_block(f, BINS_AT, 4096, GMON_LIVE_BINS, NBINS);
	put_pc(f, BINS_AT + AT_LOW, LOW);
	put_bin(f, 0, 1);
	put_bin(f, 63, 0x10001);
	return f;
}

static struct live_file *make_file(struct target target, struct arena *mem)
{
	return make_version(target, GMON_LIVE_VERSION, mem);
}

static int read_file(struct profile_sum *sum, const struct live_file *f, struct diag *diag)
{
	sum->prof.target = f->target;
	return gmon_read(sum, GMON_ANY, f->at, f->size, "FILE", diag);
}

/* Changes are undone by whoever made them. */
static void expect_bad(const struct live_file *f, const char *text)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .mem = &mem };

	assert_int_equal(read_file(&sum, f, &diag), -1);
	assert_int_equal(strncmp(log.line[0], "test: FILE: ", 12), 0);
	assert_int_equal(diag.nerrors, 1);
	expect_message(&log, text);
	arena_free(&mem);
}

/* The start alone tells. */
static void expect_bad_start(const struct live_file *f, const char *text)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);

	assert_int_equal(gmon_check(&f->target, GMON_ANY, f->at, f->size, "FILE", &diag), -1);
	expect_message(&log, text);
	expect_bad(f, log.line[0]);
}

static void expect_good(const struct live_file *f)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .mem = &mem };

	assert_int_equal(read_file(&sum, f, &diag), 0);
	assert_int_equal(gmon_check(&f->target, GMON_CURRENT, f->at, 4096, "FILE", &diag), 0);
	assert_int_equal(log.n, 0);
	arena_free(&mem);
}

static void expect_arc(const struct profile *prof, size_t i, uint64_t from, uint64_t self,
		       uint64_t ncalls)
{
	assert_true(i < prof->arcs.n);
	assert_true(prof->arcs.at[i].from_pc == linked(&prof->target, from));
	assert_true(prof->arcs.at[i].self_pc == linked(&prof->target, self));
	assert_true(prof->arcs.at[i].ncalls == ncalls);
}

/* Two bins of code at the end of all addresses. */
static void expect_unknown(const struct profile *prof, const struct hist *hist)
{
	uint64_t end =
		prof->target.ptr_size == 8 || prof->target.sign_extend ? 0 : UINT64_C(1) << 32;

	assert_true(hist->lo == end - 8 && hist->hi == end - 4);
	assert_int_equal(hist->nbins, 2);
	assert_int_equal(hist->ticks[0], 70007);
	assert_int_equal(hist->ticks[1], 0);
	assert_true(profile_is_unknown(prof, hist));
	assert_false(profile_is_unknown(prof, &prof->hists.at[0]));
}

static void expect_contents(const struct profile *prof)
{
	const struct hist *hist = &prof->hists.at[0];

	assert_true(prof->has_hists && prof->has_arcs);
	assert_int_equal(prof->unit.rate, 250);
	assert_string_equal(prof->unit.dimension, "seconds");
	assert_int_equal(prof->unit.abbrev, 's');
	assert_int_equal(prof->hists.n, 2);
	expect_unknown(prof, &prof->hists.at[1]);
	assert_true(hist->lo == linked(&prof->target, LOW));
	assert_true(hist->hi == linked(&prof->target, LOW + 2 * NBINS));
	assert_int_equal(hist->nbins, NBINS);
	for (unsigned i = 0; i < NBINS; i++)
		assert_int_equal(hist->ticks[i], i == 0 ? 1 : i == 63 ? 0x10001 : 0);
	assert_int_equal(prof->arcs.n, 4);
	expect_arc(prof, 0, prof->target.thumb ? 0x10ff : 0x1100, 0x1200, 7);
	expect_arc(prof, 1, ENTRY, 0x1300, 3);
	expect_arc(prof, 2, ENTRY, 0x1300, 4);
	expect_arc(prof, 3, prof->target.thumb ? 0x1ffd : 0x1ffe, 0x1fff, 0x123456789a);
	assert_int_equal(prof->blocks.n, 1);
	assert_true(prof->blocks.at[0].pc == linked(&prof->target, 0x1400));
	assert_int_equal(prof->blocks.at[0].count, 5);
	assert_int_equal(prof->files.n, 1);
	assert_int_equal(prof->files.at[0].nhists, 1);
	assert_int_equal(prof->files.at[0].narcs, 4);
	assert_int_equal(prof->files.at[0].nblocks, 1);
}

static void everything_everywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets) * GMON_LIVE_VERSION; i++) {
		struct target target = targets[i / GMON_LIVE_VERSION];
		unsigned version = 1 + i % GMON_LIVE_VERSION;
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };

		assert_int_equal(read_file(&sum, make_version(target, version, &mem), &diag), 0);
		expect_contents(&sum.prof);
		assert_int_equal(sum.prof.files.at[0].version, version);
		assert_int_equal(log.n, 0);
		arena_free(&mem);
	}
}

/* Bins without ticks may overlap others; alone they tell the range. */
static void idle_bins(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem }, idle = sum;
		struct live_file *f = make_file(targets[i], &mem);

		put_block(f, JUNK_AT, 4096, GMON_LIVE_BINS, NBINS);
		put_pc(f, JUNK_AT + AT_LOW, LOW + 4);
		assert_int_equal(read_file(&sum, f, &diag), 0);
		expect_contents(&sum.prof);

		put_bin(f, 0, 0);
		put_bin(f, 63, 0);
		assert_int_equal(read_file(&idle, f, &diag), 0);
		assert_int_equal(idle.prof.hists.n, 2);
		assert_int_equal(idle.prof.hists.at[0].nbins, NBINS);
		assert_int_equal(idle.prof.unit.rate, 250);
		assert_int_equal(log.n, 0);
		put_bin(f, 0, 1);
		put(f, JUNK_AT + DATA, 4, 1);
		expect_bad(f, " overlap");
		arena_free(&mem);
	}
}

static void counts_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem }, none = sum;
		struct live_file *f = make_file(targets[i], &mem);

		f->size = 2 * PAGE;
		assert_int_equal(read_file(&sum, f, &diag), 0);
		assert_int_equal(sum.prof.arcs.n, 4);
		f->size = PAGE;
		assert_int_equal(read_file(&none, f, &diag), 0);
		assert_true(none.prof.has_hists && none.prof.has_arcs);
		assert_int_equal(none.prof.arcs.n, 0);
		assert_int_equal(log.n, 0);
		arena_free(&mem);
	}
}

static void wrong_heads(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct arena mem = test_arena();
		struct live_file *f = make_file(targets[i], &mem);

		expect_good(f);
		put(f, 8, 4, 0);
		expect_bad_start(f, "version 0 at byte 8, expected 1 or 2");
		put(f, 8, 4, 3);
		expect_bad_start(f, "version 3 at byte 8, expected 1 or 2");
		put(f, 8, 4, 0x01000000);
		expect_bad_start(
			f, "expected 1 or 2 (written on a machine with the other byte order?)");
		put_head(f);
		put(f, 12, 4, 12 - targets[i].ptr_size);
		expect_bad_start(
			f, targets[i].ptr_size == 8
				   ? "pointers of 4 bytes at byte 12, but the program's have 8"
				   : "pointers of 8 bytes at byte 12, but the program's have 4");
		put_head(f);
		put(f, 16, 8, UINT64_C(0x100000000));
		expect_bad_start(f, "4294967296 ticks a second, at byte 16, are too many");
		put_head(f);
		put(f, 40, 8, LOW + bias_of(&targets[i]) + code_of(&targets[i]));
		expect_bad_start(f, ", at byte 32, is empty");
		arena_free(&mem);
	}
}

/* Between two pages a cut cannot be seen. */
static void every_cut_is_noticed(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct arena mem = test_arena();
		struct live_file *f = make_file(targets[i], &mem);

		for (f->size = 0; f->size < 20; f->size++)
			expect_bad_start(f, "too short for profile data");
		for (; f->size < sizeof(struct gmon_live_head); f->size++)
			expect_bad_start(f, "header of the live profile cut short at byte");
		for (; f->size < FILE_BYTES; f->size += f->size < BINS_AT ? 3989 : 1) {
			if (f->size > BINS_AT + 100)
				break;
			if (f->size % PAGE)
				expect_bad(f, "cut short at byte");
			else
				expect_good(f);
		}
		arena_free(&mem);
	}
}

static void absurd_blocks(void **state)
{
	static const uint64_t sizes[] = { 0, 63, PAGE + 1, UINT64_C(1) << 32, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct arena mem = test_arena();
		struct live_file *f = make_file(targets[i], &mem);
		unsigned width = targets[i].ptr_size;

		for (size_t s = 0; s < COUNT(sizes); s++) {
			put(f, BINS_AT, 8, sizes[s]);
			expect_bad(f, "block at byte 196608 says it has");
		}
		put(f, BINS_AT, 8, DATA);
		expect_bad(f, "block at byte 196608, of 256 bytes, says it holds 64 bins");
		put(f, BINS_AT, 8, DATA - 1);
		expect_bad(f, "of 255 bytes, says its data begin at 256 of them");
		put(f, BINS_AT + AT_DATA, 8, GMON_LIVE_BLOCK_HEAD - 1);
		expect_bad(f, "says its data begin at 63 of them");
		put(f, BINS_AT + AT_DATA, 8, UINT64_MAX);
		expect_bad(f, "says its data begin at 18446744073709551615 of them");
		put(f, BINS_AT + AT_DATA, 8, DATA);
		put(f, BINS_AT, 8, 4096);
		put(f, BINS_AT + AT_WORD, width, (4096 - DATA) / 4);
		expect_good(f);
		put(f, BINS_AT + AT_WORD, width, (4096 - DATA) / 4 + 1);
		expect_bad(f, "says it holds 961 bins");
		put(f, BINS_AT + AT_WORD, width, UINT64_MAX);
		expect_bad(f, "says it holds");
		put(f, BINS_AT + AT_WORD, width, NBINS);
		put(f, BINS_AT + AT_LOW, width, bias_of(&targets[i]) - 64);
		expect_bad(f, "has 64 bins from 0x");
		put_pc(f, BINS_AT + AT_LOW, LOW);
		put(f, BINS_AT + AT_KIND, 4, GMON_LIVE_NODES);
		put(f, BINS_AT + AT_WORD, width, UINT64_MAX);
		expect_bad(f, "block at byte 196608, of ");
		put(f, BINS_AT + AT_KIND, 4, 99); /* not known, and passed over */
		expect_good(f);
		put(f, BINS_AT + AT_WORD, width, NBINS);
		put(f, BINS_AT + AT_KIND, 4, GMON_LIVE_BINS);
		put(f, COUNTS_AT, 8, DATA + NCELLS * cell_bytes(f));
		expect_good(f);
		put(f, COUNTS_AT, 8, DATA + NCELLS * cell_bytes(f) - 1);
		expect_bad(f, "says it holds 16 counts");
		put(f, COUNTS_AT, 8, 4096);
		put(f, COUNTS_AT + AT_WORD, width, UINT64_MAX);
		expect_bad(f, "block at byte 65536, of 4096 bytes, says it holds");
		arena_free(&mem);
	}
}

/* A block that is not where it says it is was being made. */
static void blocks_in_the_making(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };
		struct live_file *f = make_file(targets[i], &mem);

		put(f, COUNTS_AT + AT_OFFSET, 8, 0);
		assert_int_equal(read_file(&sum, f, &diag), 0);
		assert_int_equal(sum.prof.arcs.n, 0);
		assert_int_equal(sum.prof.hists.n, 1);
		assert_int_equal(log.n, 0);
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_everywhere), cmocka_unit_test(idle_bins),
		cmocka_unit_test(counts_alone),          cmocka_unit_test(wrong_heads),
		cmocka_unit_test(every_cut_is_noticed),  cmocka_unit_test(absurd_blocks),
		cmocka_unit_test(blocks_in_the_making),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What intervals of an analysis are made of, and what they are then: against those in print, and by
 * hand. */
#include "testing.h"

#include "analysis/confidence.h"

#include <math.h>

enum { MOST_FILES = 4, BIN = 16, START = 0x1000, RATE = 100 };

/* Two functions, each of one bin, and ticks of each file in both and beyond. Points into itself. */
struct fixture {
	struct program program;
	struct sym sym[2];
	struct profile profile;
	struct analysis a;
	double ticks[2];
	size_t nfiles;
	const uint64_t (*files)[3]; /* ticks of each */
	struct arena mem;
};

static void init(struct fixture *f, size_t nfiles, const uint64_t ticks[][3])
{
	*f = (struct fixture){ .mem = test_arena() };
	f->sym[0] = (struct sym){ .name = "f", .lo = START, .hi = START + BIN };
	f->sym[1] = (struct sym){ .name = "g", .lo = START + BIN, .hi = START + 2 * BIN };
	f->program.symtab = (struct symtab){ f->sym, 2 };
	f->nfiles = nfiles;
	f->files = ticks;
	f->profile.has_hists = true;
	f->profile.unit = (struct unit){ .rate = RATE, .dimension = "seconds", .abbrev = 's' };
	f->a = (struct analysis){ .program = &f->program, .profile = &f->profile };
	f->a.costs.self = f->ticks;
	f->a.selection.flat = bitset_empty(&f->mem, 2);
	for (sym_id s = 0; s < 2; s++)
		bitset_add(f->a.selection.flat, s);
	for (uint32_t file = 0; file < nfiles; file++) {
		array_push(&f->mem, &f->profile.files) =
			(struct profile_file){ .name = "gmon.out" };
		for (uint32_t bin = 0; bin < 3; bin++) {
			f->a.costs.total += (double)ticks[file][bin];
			if (bin < 2)
				f->ticks[bin] += (double)ticks[file][bin];
		}
	}
}

static int add_files(struct run_sums *sums, const struct selection *sel, bool inclusive, void *arg)
{
	struct fixture *f = arg;

	(void)inclusive;
	for (uint32_t file = 0; file < f->nfiles; file++) {
		uint64_t bins[3];
		struct profile run = f->profile;

		memcpy(bins, f->files[file], sizeof(bins));
		array_push(&f->mem, &run.hists) = (struct hist){
			.lo = START, .hi = START + 3 * BIN, .nbins = 3, .ticks = bins
		};
		run_sums_add_bins(sums, &run, &f->program.symtab, sel->flat, 1.0);
		run_sums_end_run(sums, file);
	}
	return 0;
}

static struct confidence make(struct fixture *f, double level)
{
	const struct confidence_runs runs = { .n = f->nfiles, .add = add_files, .arg = f };

	return confidence_make(&f->a, &runs, level, &f->mem);
}

static void expect(const struct confidence *c, double n, double all, double low, double high)
{
	struct interval i = confidence_share(c, n, all, CONFIDENCE_UNKNOWN);

	if (!(fabs(i.low - low) <= 0.0005 && fabs(i.high - high) <= 0.0005))
		fail_msg("%g of %g: %.6f to %.6f instead of %.4f to %.4f", n, all, i.low, i.high,
			 low, high);
}

/* Of one file: Wilson's intervals as they are in print; with no samples and with all; at the least
 * level and the greatest. */
static void one_file(void **state)
{
	static const uint64_t ticks[][3] = { { 5, 5, 0 } };
	struct fixture f;
	struct confidence c;

	(void)state;
	init(&f, 1, ticks);
	c = make(&f, 95.0);
	assert_true(fabs(c.z - 1.959963984540054) < 1e-9);
	assert_int_equal(c.nfiles, 0);
	assert_null(c.self);
	expect(&c, 0, 10, 0.0, 0.278);
	expect(&c, 1, 10, 0.018, 0.404);
	expect(&c, 5, 10, 0.237, 0.763);
	expect(&c, 10, 10, 0.722, 1.0);
	expect(&c, 0, 0, 0.0, 1.0);
	c = make(&f, 50.0);
	assert_true(fabs(c.z - 0.6744897501960817) < 1e-9);
	expect(&c, 0, 10, 0.0, 0.0435);
	expect(&c, 5, 10, 0.396, 0.604);
	expect(&c, 10, 10, 0.9565, 1.0);
	expect(&c, 0, 0, 0.0, 1.0);
	c = make(&f, 99.9);
	assert_true(fabs(c.z - 3.290526731491895) < 1e-9);
	expect(&c, 0, 10, 0.0, 0.5199);
	expect(&c, 5, 10, 0.1395, 0.8605);
	expect(&c, 10, 10, 0.4801, 1.0);
	expect(&c, 0, 0, 0.0, 1.0);
	arena_free(&f.mem);
}

/* By hand: shares of f of 0.2, 0.3 and 0.4 in files of 100 ticks; their deviation is 0.1, that of
 * the mean 0.1 / sqrt 3, and Student's t of 2 degrees of freedom is 4.303. Chance alone would make
 * a deviation of sqrt(0.3 0.7 / 300). */
static void three_files(void **state)
{
	static const uint64_t ticks[][3] = { { 20, 80, 0 }, { 30, 70, 0 }, { 40, 60, 0 } };
	struct fixture f;
	struct confidence c;

	(void)state;
	init(&f, 3, ticks);
	c = make(&f, 95.0);
	assert_int_equal(c.nfiles, 3);
	assert_true(fabs(c.self[0] - 4.302652729749464 * 0.1 / sqrt(3.0)) < 1e-9);
	assert_true(fabs(c.self[1] - c.self[0]) < 1e-9);
	assert_true(fabs(c.excess - 0.1 / sqrt(3.0) / sqrt(0.3 * 0.7 / 300)) < 1e-9);
	arena_free(&f.mem);
}

/* Files without any tick are none, and of two nothing is known of what they differ by. */
static void files_without_ticks(void **state)
{
	static const uint64_t ticks[][3] = { { 20, 80, 0 }, { 0, 0, 0 }, { 40, 60, 0 } };
	static const uint64_t none[][3] = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
	struct fixture f;
	struct confidence c;

	(void)state;
	init(&f, 3, ticks);
	c = make(&f, 95.0);
	assert_int_equal(c.nfiles, 0);
	arena_free(&f.mem);
	init(&f, 3, none);
	c = make(&f, 95.0);
	assert_int_equal(c.nfiles, 0);
	expect(&c, 0, 0, 0.0, 1.0);
	arena_free(&f.mem);
}

/* Of what the program recorded of its signals: 6 of one tick and 2 of two each. What cannot be true
 * is not believed. */
static void signals(void **state)
{
	static const uint64_t ticks[][3] = { { 10, 0, 0 } };
	struct fixture f;
	struct confidence c = { 0 };
	struct recorded *r;

	(void)state;
	init(&f, 1, ticks);
	confidence_weigh(&c, &f.a, NULL, &f.mem);
	assert_true(c.per_sample == 1.0 && c.signals == 0);
	r = &f.profile.recorded;
	r->nfiles = 1;
	array_push(&f.mem, &r->threads) = (struct recorded_thread){ .looks = 8, .squares = 14 };
	array_push(&f.mem, &r->samples) =
		(struct recorded_sample){ .node = RECORDED_NONE, .ticks = 10 };
	confidence_weigh(&c, &f.a, NULL, &f.mem);
	assert_int_equal(c.signals, 8);
	assert_true(fabs(c.effective - 100.0 / 14) < 1e-12);
	assert_true(fabs(c.per_sample - 1.4) < 1e-12);
	r->threads.at[0].squares = 7;
	c = (struct confidence){ 0 };
	confidence_weigh(&c, &f.a, NULL, &f.mem);
	assert_true(c.per_sample == 1.0 && c.signals == 0);
	arena_free(&f.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_file),
		cmocka_unit_test(three_files),
		cmocka_unit_test(files_without_ticks),
		cmocka_unit_test(signals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

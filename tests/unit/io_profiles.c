/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading many files: directories, and that threads make what one after the other makes, in
 * profiles and in messages.
 */
#include "testing.h"

#include "io/profile/operands.h"
#include "io/profile/profiles.h"

#include <sys/stat.h>

enum { NFILES = 60, FILE_BYTES = 4000 };

static const struct target target = { .ptr_size = 8 };

/* Files in a directory of their own. */
struct folder {
	char path[40];
	char names[NFILES][60];
	const char *operands[NFILES];
	struct bytes {
		size_t n;
		unsigned char at[FILE_BYTES];
	} bytes[NFILES];
};

static void put(struct bytes *b, unsigned nbytes, uint64_t value)
{
	assert_true(b->n + nbytes <= sizeof(b->at));
	for (unsigned i = 0; i < nbytes; i++)
		b->at[b->n++] = (unsigned char)(value >> 8 * i);
}

static void put_header(struct bytes *b)
{
	b->n = 0;
	put(b, 4, 0x6e6f6d67);
	put(b, 4, 1);
	put(b, 8, 0);
	put(b, 4, 0);
}

static void put_hist(struct bytes *b, uint64_t lo, uint64_t *seed)
{
	put(b, 1, 0);
	put(b, 8, lo);
	put(b, 8, lo + 40);
	put(b, 4, 20);
	put(b, 4, 100);
	put(b, 8, 0x73646e6f636573);
	put(b, 7, 0);
	put(b, 1, 's');
	for (int i = 0; i < 20; i++)
		put(b, 2, random_below(seed, 4) ? 0 : random_below(seed, 65536));
}

/* Some of a few arcs, histograms and blocks. */
static void fill(struct bytes *b, uint64_t *seed)
{
	uint32_t nblocks = random_below(seed, 5), narcs = random_below(seed, 100);

	put_header(b);
	for (uint32_t i = random_below(seed, 3); i > 0; i--)
		put_hist(b, 0x1000 + 0x100 * random_below(seed, 3), seed);
	for (uint32_t i = 0; i < narcs; i++) {
		put(b, 1, 1);
		put(b, 8, random_below(seed, 8));
		put(b, 8, random_below(seed, 8));
		put(b, 4, random_bits(seed));
	}
	put(b, 1, 2);
	put(b, 4, nblocks);
	for (uint32_t i = 0; i < 2 * nblocks; i++)
		put(b, 8, random_below(seed, 10));
}

static void save(const struct folder *f, size_t i)
{
	FILE *to = fopen(f->names[i], "w");

	assert_non_null(to);
	assert_int_equal(fwrite(f->bytes[i].at, 1, f->bytes[i].n, to), f->bytes[i].n);
	fclose(to);
}

/* The name of file i sorts as i. */
static struct folder *make_folder(uint64_t *seed)
{
	struct folder *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	strcpy(f->path, "profiles.XXXXXX");
	assert_non_null(mkdtemp(f->path));
	for (size_t i = 0; i < NFILES; i++) {
		snprintf(f->names[i], sizeof(f->names[i]), "%s/gmon.out.%03zu", f->path, i);
		f->operands[i] = f->names[i];
		fill(&f->bytes[i], seed);
		save(f, i);
	}
	return f;
}

static void remove_folder(struct folder *f)
{
	for (size_t i = 0; i < NFILES; i++)
		unlink(f->names[i]);
	assert_int_equal(rmdir(f->path), 0);
	free(f);
}

static void expect_same(const struct profile *a, const struct profile *b)
{
	assert_int_equal(a->hists.n, b->hists.n);
	for (size_t i = 0; i < a->hists.n; i++) {
		assert_true(a->hists.at[i].lo == b->hists.at[i].lo);
		assert_memory_equal(a->hists.at[i].ticks, b->hists.at[i].ticks,
				    a->hists.at[i].nbins * sizeof(uint64_t));
	}
	assert_int_equal(a->arcs.n, b->arcs.n);
	assert_memory_equal(a->arcs.at, b->arcs.at, a->arcs.n * sizeof(a->arcs.at[0]));
	assert_int_equal(a->blocks.n, b->blocks.n);
	assert_memory_equal(a->blocks.at, b->blocks.at, a->blocks.n * sizeof(a->blocks.at[0]));
	assert_int_equal(a->files.n, b->files.n);
	for (size_t i = 0; i < a->files.n; i++) {
		assert_string_equal(a->files.at[i].name, b->files.at[i].name);
		assert_int_equal(a->files.at[i].narcs, b->files.at[i].narcs);
	}
	assert_memory_equal(&a->unit, &b->unit, sizeof(a->unit));
	assert_true(a->has_hists == b->has_hists && a->has_arcs == b->has_arcs);
}

/*
 * The operands give what their files give one after the other, and the same message if it comes to
 * one.
 */
static void expect_in_order(const struct folder *f, const char *const *operands, size_t n)
{
	struct arena mem = test_arena();
	struct messages expected = { 0 }, log = { 0 };
	struct diag diag_expected = test_diag(&expected), diag = test_diag(&log);
	struct profile_sum sum = { .prof.target = target, .mem = &mem };
	struct profile a, b = { .target = target };
	int rc = 0, got;

	for (size_t i = 0; i < NFILES && rc == 0; i++)
		rc = gmon_read(&sum, GMON_ANY, f->bytes[i].at, f->bytes[i].n, f->names[i],
			       &diag_expected);
	a = profile_sum_end(&sum);
	got = profiles_read(&b, operands, n, GMON_ANY, &mem, &diag);
	assert_int_equal(got, rc);
	assert_int_equal(log.n, expected.n);
	assert_string_equal(log.line[0], expected.line[0]);
	assert_int_equal(diag.nerrors, rc == 0 ? 0 : 1);
	if (rc == 0)
		expect_same(&a, &b);
	arena_free(&mem);
}

static void as_one_after_the_other(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (int round = 0; round < 10; round++) {
		struct folder *f = make_folder(&seed);
		const char *dir = f->path;

		expect_in_order(f, f->operands, NFILES);
		expect_in_order(f, &dir, 1);
		remove_folder(f);
	}
}

static void first_error_of_the_list(void **state)
{
	uint64_t seed = 12;

	(void)state;
	for (int round = 0; round < 30; round++) {
		struct folder *f = make_folder(&seed);

		for (int k = 0; k < 2; k++) {
			size_t i = random_below(&seed, NFILES);

			put_header(&f->bytes[i]);
			put_hist(&f->bytes[i], round % 3 == 0 ? 0x2000 : 0x1010, &seed);
			if (round % 3 == 0)
				f->bytes[i].n -= 1 + random_below(&seed, 60);
			save(f, i);
		}
		expect_in_order(f, f->operands, NFILES);
		remove_folder(f);
	}
}

/* What a directory's operand says; `nfiles` is how many of its files are read, or 0. */
static void expect_note(const char *dir, enum gmon_format format, size_t nfiles,
			const char *message)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile prof = { .target = target };

	assert_int_equal(profiles_read(&prof, &dir, 1, format, &mem, &diag), nfiles > 0 ? 0 : -1);
	if (nfiles > 0)
		assert_int_equal(prof.files.n, nfiles);
	if (message)
		expect_message(&log, message);
	assert_int_equal(log.n, 0);
	arena_free(&mem);
}

static void rename_to(const struct folder *f, size_t i, const char *name)
{
	char to[60];

	snprintf(to, sizeof(to), "%s/%s", f->path, name);
	assert_int_equal(rename(f->names[i], to), 0);
}

static void rename_back(const struct folder *f, size_t i, const char *name)
{
	char from[60];

	snprintf(from, sizeof(from), "%s/%s", f->path, name);
	assert_int_equal(rename(from, f->names[i]), 0);
}

static void other_files(void **state)
{
	uint64_t seed = 13;
	struct folder *f = make_folder(&seed);

	(void)state;
	expect_note(f->path, GMON_ANY, NFILES, NULL);
	rename_to(f, 7, "gmon.sum");
	expect_note(f->path, GMON_ANY, NFILES - 1,
		    ": left out gmon.sum, which may be a sum of the others");
	f->bytes[50].at[0] = 'G';
	save(f, 50);
	expect_note(f->path, GMON_CURRENT, NFILES - 2,
		    ": left out 1 file without profile data, and gmon.sum");
	rename_back(f, 7, "gmon.sum");
	f->bytes[3].n = 0;
	save(f, 3);
	expect_note(f->path, GMON_ANY, NFILES - 2, ": left out 2 files without profile data");
	for (size_t i = 0; i < NFILES; i++) {
		f->bytes[i].n = 3;
		save(f, i);
	}
	expect_note(f->path, GMON_ANY, 0, ": no profile data in this directory");
	/* Of BSD, a header that fits. */
	f->bytes[9].n = 0;
	put(&f->bytes[9], 8, 0x1000);
	put(&f->bytes[9], 8, 0x1000);
	put(&f->bytes[9], 8, 20);
	save(f, 9);
	expect_note(f->path, GMON_BSD, 1, ": left out 59 files without profile data");
	expect_note(f->path, GMON_ANY, 0, ": no profile data in this directory");
	remove_folder(f);
}

static void order_of_operands(void **state)
{
	uint64_t seed = 14;
	struct folder *f = make_folder(&seed);
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct data_files files;
	char slash[60];
	const char *operands[] = { f->names[5], slash, "-", "nosuch" };

	(void)state;
	snprintf(slash, sizeof(slash), "%s/", f->path);
	assert_int_equal(operands_expand(&files, operands, 2, &mem, &diag), 0);
	assert_true(files.all_regular);
	assert_int_equal(operands_expand(&files, operands, COUNT(operands), &mem, &diag), 0);
	assert_false(files.all_regular);
	assert_int_equal(files.list.n, NFILES + 3);
	assert_string_equal(files.list.at[0].path, f->names[5]);
	assert_false(files.list.at[0].in_directory);
	for (size_t i = 0; i < NFILES; i++) {
		assert_string_equal(files.list.at[1 + i].path, f->names[i]);
		assert_true(files.list.at[1 + i].in_directory);
	}
	assert_string_equal(files.list.at[NFILES + 1].path, "-");
	assert_int_equal(files.operands.at[1].first, 1);
	assert_int_equal(files.operands.at[1].end, NFILES + 1);
	assert_int_equal(log.n, 0);
	arena_free(&mem);
	remove_folder(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_one_after_the_other),
		cmocka_unit_test(first_error_of_the_list),
		cmocka_unit_test(other_files),
		cmocka_unit_test(order_of_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

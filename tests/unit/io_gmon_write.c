/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of data files: what it writes is read back as it was; failures leave no trace. */
#include "filebytes.h"

#include "gmon_out.h"
#include "io/profile/gmon_write.h"
#include "model/profile_sum.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const enum gmon_format formats[] = { GMON_ANY, GMON_CURRENT, GMON_BSD, GMON_BSD44 };

static const file_ids no_inputs;

/* A directory for one test and a file in it. */
struct place {
	char dir[200], file[220];
};

static struct place make_place(void)
{
	const char *tmp = getenv("TMPDIR");
	struct place place;

	snprintf(place.dir, sizeof(place.dir), "%s/gmon_write.XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(place.dir));
	snprintf(place.file, sizeof(place.file), "%s/gmon.sum", place.dir);
	return place;
}

static void remove_place(const struct place *place)
{
	unlink(place->file);
	assert_int_equal(rmdir(place->dir), 0);
}

/* The directory has nothing but, if it is there, the file. */
static void expect_nothing_else(const struct place *place, bool has_file)
{
	DIR *dir = opendir(place->dir);
	bool found = false;

	assert_non_null(dir);
	for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
		if (strcmp(e->d_name, "gmon.sum") == 0)
			found = true;
		else if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			fail_msg("'%s' is left", e->d_name);
	}
	closedir(dir);
	assert_int_equal(found, has_file);
}

static size_t read_file(const char *path, unsigned char *bytes, size_t max)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	assert_non_null(f);
	n = fread(bytes, 1, max, f);
	assert_true(n < max);
	fclose(f);
	return n;
}

enum { MAX_FILE = 1 << 20 };

/* Writes and reads back. `bytes` has room for MAX_FILE of them; their number is returned. */
static size_t write_and_read(const struct profile *prof, enum gmon_format format,
			     struct profile *got, unsigned char *bytes, struct arena *mem)
{
	struct profile_sum sum = { .prof.target = prof->target, .mem = mem };
	struct place place = make_place();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	size_t n;

	if (gmon_write(prof, format, place.file, &no_inputs, mem, &diag) < 0)
		fail_msg("%s", log.line[0]);
	expect_nothing_else(&place, true);
	n = read_file(place.file, bytes, MAX_FILE);
	remove_place(&place);
	assert_int_equal(gmon_read(&sum, GMON_ANY, bytes, n, "FILE", &diag), 0);
	*got = profile_sum_end(&sum);
	assert_int_equal(log.n, 0);
	return n;
}

static struct hist *add_hist(struct profile *prof, uint64_t lo, uint64_t hi, uint32_t nbins,
			     const struct unit *unit, struct arena *mem)
{
	struct hist like = { .lo = lo, .hi = hi, .nbins = nbins };
	enum hist_conflict why;
	struct profile_sum sum = { .prof = *prof, .mem = mem };
	struct hist *hist = profile_sum_hist(&sum, &like, unit, &why);

	assert_non_null(hist);
	*prof = profile_sum_end(&sum);
	prof->has_hists = true;
	return hist;
}

static void add_arc(struct profile *prof, uint64_t from, uint64_t self, uint64_t ncalls,
		    struct arena *mem)
{
	array_push(mem, &prof->arcs) = (struct raw_arc){ from, self, ncalls };
	prof->has_arcs = true;
}

static const struct unit seconds = { .rate = 100, .dimension = "seconds", .abbrev = 's' };
static const struct unit other = { .rate = 7, .dimension = "fifteen letters", .abbrev = '\xe9' };

static void expect_same(const struct profile *got, const struct profile *expected,
			struct arena *mem)
{
	raw_arc_array x = profile_sum_distinct_arcs(got, mem);
	raw_arc_array y = profile_sum_distinct_arcs(expected, mem);

	assert_int_equal(got->hists.n, expected->hists.n);
	for (size_t i = 0; i < got->hists.n; i++) {
		const struct hist *a = &got->hists.at[i], *b = &expected->hists.at[i];

		assert_true(a->lo == b->lo && a->hi == b->hi && a->nbins == b->nbins);
		for (uint32_t k = 0; k < a->nbins; k++)
			assert_int_equal(a->ticks[k], b->ticks[k]);
	}
	if (expected->hists.n > 0) {
		assert_int_equal(got->unit.rate, expected->unit.rate);
		assert_string_equal(got->unit.dimension, expected->unit.dimension);
		assert_int_equal(got->unit.abbrev, expected->unit.abbrev);
	}
	assert_int_equal(x.n, y.n);
	for (uint32_t i = 0; i < x.n; i++) {
		assert_true(x.at[i].from_pc == y.at[i].from_pc);
		assert_true(x.at[i].self_pc == y.at[i].self_pc);
		assert_true(x.at[i].ncalls == y.at[i].ncalls);
	}
}

/* A number of calls: few, about what a field holds, or several times that. */
static uint64_t random_calls(uint64_t *seed)
{
	switch (random_below(seed, 3)) {
	case 0:
		return random_below(seed, 3);
	case 1:
		return UINT32_MAX - 2 + random_below(seed, 5);
	default:
		return random_bits(seed) >> 29;
	}
}

/* Of any kind, or one that the formats of BSD hold, with a call: below 20 bytes is no file. */
static struct profile random_profile(struct target target, bool for_bsd, uint64_t *seed,
				     struct arena *mem)
{
	struct profile prof = { .target = target };
	uint64_t high = target.ptr_size == 8 ? 0x7123456700000000 : 0x81000000;
	const struct unit *unit = for_bsd || random_below(seed, 2) ? &seconds : &other;
	uint32_t nhists = for_bsd ? 1 : random_below(seed, 4), nbins = random_below(seed, 20);
	uint64_t most = for_bsd || random_below(seed, 2) ? 65536 : 400000;

	if (target.sign_extend)
		high |= 0xffffffff00000000;
	for (uint32_t i = 0; i < nhists; i++) {
		uint64_t lo = high + 0x1000 * (uint64_t)random_below(seed, 3) + 0x10000 * i;
		struct hist *hist = add_hist(&prof, lo, lo + 4 * nbins, nbins, unit, mem);

		for (uint32_t k = 0; k < nbins; k++)
			hist->ticks[k] = random_below(seed, 2) * random_below(seed, (uint32_t)most);
	}
	for (uint32_t i = for_bsd + random_below(seed, 12); i > 0; i--)
		add_arc(&prof, high + random_below(seed, 4), random_below(seed, 4),
			random_calls(seed), mem);
	return prof;
}

static void random_profiles_come_back(void **state)
{
	static const struct target signed_target = { .ptr_size = 4, .sign_extend = true };
	unsigned char *bytes = malloc(MAX_FILE);
	uint64_t seed = 97;

	(void)state;
	for (uint32_t round = 0; round < 400; round++) {
		struct arena mem = test_arena();
		enum gmon_format format = formats[round % 4];
		bool is_bsd = format == GMON_BSD || format == GMON_BSD44;
		uint32_t t = random_below(&seed, COUNT(targets) + 1);
		struct target target = t < COUNT(targets) ? targets[t] : signed_target;
		struct profile prof = random_profile(target, is_bsd, &seed, &mem), got;
		size_t n = write_and_read(&prof, format, &got, bytes, &mem);

		expect_same(&got, &prof, &mem);
		assert_int_equal(got.files.at[0].version, is_bsd ? 0 : GMON_VERSION);
		/* Nothing random gets in: the same again is the same to the byte. */
		if (round % 16 < 4) {
			unsigned char *again = malloc(MAX_FILE);

			assert_int_equal(write_and_read(&prof, format, &got, again, &mem), n);
			assert_memory_equal(again, bytes, n);
			free(again);
		}
		arena_free(&mem);
	}
	free(bytes);
}

static size_t hist_bytes(const struct target *target, uint32_t nbins)
{
	return 1 + 2 * target->ptr_size + 24 + 2 * nbins;
}

static void large_bins_are_divided(void **state)
{
	static const struct {
		uint64_t ticks;
		uint32_t nrecords;
	} cases[] = {
		{ 0, 1 },         { 1, 1 },      { 65534, 1 }, { 65535, 1 },   { 65536, 2 },
		{ 2 * 65535, 2 }, { 131071, 3 }, { 80000, 2 }, { 655350, 10 },
	};
	unsigned char *bytes = malloc(MAX_FILE);

	(void)state;
	for (size_t i = 0; i < COUNT(cases) * COUNT(targets); i++) {
		struct arena mem = test_arena();
		struct target target = targets[i % COUNT(targets)];
		struct profile prof = { .target = target }, got;
		uint64_t ticks = cases[i / COUNT(targets)].ticks;
		uint32_t nrecords = cases[i / COUNT(targets)].nrecords;
		struct hist *hist = add_hist(&prof, 0x1000, 0x100c, 3, &seconds, &mem);
		size_t n;

		hist->ticks[0] = ticks;
		hist->ticks[2] = ticks / 2;
		n = write_and_read(&prof, GMON_CURRENT, &got, bytes, &mem);
		assert_int_equal(n, 20 + nrecords * hist_bytes(&target, 3));
		assert_int_equal(got.files.at[0].nhists, nrecords);
		expect_same(&got, &prof, &mem);
		arena_free(&mem);
	}
	free(bytes);
}

/* The number of arc records that `ncalls` calls take; both formats give the calls back. */
static void expect_arc_records(struct target target, enum gmon_format format, uint64_t ncalls,
			       uint32_t nrecords)
{
	unsigned char *bytes = malloc(MAX_FILE);
	struct arena mem = test_arena();
	struct profile prof = { .target = target }, got;

	add_hist(&prof, 0x1000, 0x1004, 1, &seconds, &mem);
	add_arc(&prof, 0x1000, 0x1002, ncalls / 2, &mem);
	add_arc(&prof, 0x1000, 0x1002, ncalls - ncalls / 2, &mem);
	write_and_read(&prof, format, &got, bytes, &mem);
	assert_int_equal(got.files.at[0].narcs, nrecords);
	expect_same(&got, &prof, &mem);
	arena_free(&mem);
	free(bytes);
}

static void many_calls_are_divided(void **state)
{
	static const uint64_t most = UINT32_MAX;

	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct target t = targets[i];
		bool wide = t.ptr_size == 8;

		for (size_t f = 0; f < COUNT(formats); f++) {
			bool is_bsd = formats[f] == GMON_BSD || formats[f] == GMON_BSD44;
			bool whole = is_bsd && wide;

			expect_arc_records(t, formats[f], 0, 1);
			expect_arc_records(t, formats[f], most, 1);
			expect_arc_records(t, formats[f], most + 1, whole ? 1 : 2);
			expect_arc_records(t, formats[f], 2 * most, whole ? 1 : 2);
			expect_arc_records(t, formats[f], 8000000000, whole ? 1 : 2);
			expect_arc_records(t, formats[f], 2 * most + 1, whole ? 1 : 3);
		}
		if (wide)
			expect_arc_records(t, GMON_BSD, UINT64_MAX, 1);
	}
}

/* Counts of which a file would have no end: one arc, a thousand arcs, a bin. */
static void endless_counts_are_refused(void **state)
{
	struct arena mem = test_arena();
	struct profile one = { .target = targets[0] }, many = one, bin = one;
	const struct profile *all[] = { &one, &many, &bin };

	(void)state;
	add_arc(&one, 0x1000, 0x1002, UINT64_MAX, &mem);
	for (uint64_t i = 0; i < 1000; i++)
		add_arc(&many, 0x1000 + i, 0x1002, UINT64_C(1) << 42, &mem);
	add_hist(&bin, 0x1000, 0x1004, 1, &seconds, &mem)->ticks[0] = UINT64_C(1) << 42;
	for (size_t i = 0; i < COUNT(all); i++) {
		struct place place = make_place();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);

		assert_int_equal(
			gmon_write(all[i], GMON_CURRENT, place.file, &no_inputs, &mem, &diag), -1);
		assert_non_null(strstr(log.line[0], "the counts are too large to be written"));
		expect_nothing_else(&place, false);
		remove_place(&place);
	}
	arena_free(&mem);
}

/* All that is not data is zero, and numbers stand where the formats have them. */
static void headers_to_the_byte(void **state)
{
	unsigned char *bytes = malloc(MAX_FILE);

	(void)state;
	for (size_t i = 0; i < COUNT(targets) * COUNT(formats); i++) {
		struct arena mem = test_arena();
		struct target target = targets[i % COUNT(targets)];
		enum gmon_format format = formats[i / COUNT(targets)];
		struct profile prof = { .target = target }, got;
		struct bytes b = { .target = target };
		bool is_44 = format == GMON_BSD44, is_bsd = is_44 || format == GMON_BSD;
		uint32_t size = 2 * target.ptr_size + 4 + (is_44 ? 20 : 0) + 2 * 4;

		if (!is_bsd) {
			put_text(&b, GMON_MAGIC, 4);
			put(&b, 4, GMON_VERSION);
			put_text(&b, "", 12);
			put(&b, 1, GMON_HIST);
		}
		put_ptr(&b, 0x1000);
		put_ptr(&b, 0x1010);
		put(&b, 4, is_bsd ? size : 4);
		if (is_44)
			put(&b, 4, 0x00051879);
		if (is_44 || !is_bsd)
			put(&b, 4, 100);
		put_text(&b, is_44 || is_bsd ? "" : "seconds", is_44 ? 12 : is_bsd ? 0 : 15);
		if (!is_bsd)
			put(&b, 1, 's');
		put(&b, 2, 0x1234);
		put_text(&b, "", 6);

		add_hist(&prof, 0x1000, 0x1010, 4, &seconds, &mem)->ticks[0] = 0x1234;
		assert_int_equal(write_and_read(&prof, format, &got, bytes, &mem), b.n);
		assert_memory_equal(bytes, b.at, b.n);
		arena_free(&mem);
	}
	free(bytes);
}

/* The file is refused; an older one of the same name stays. */
static void expect_obstacle(const struct profile *prof, const char *why)
{
	static const enum gmon_format bsd[] = { GMON_BSD, GMON_BSD44 };

	for (size_t i = 0; i < COUNT(bsd); i++) {
		struct arena mem = test_arena();
		struct place place = make_place();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);

		assert_int_equal(gmon_write(prof, bsd[i], place.file, &no_inputs, &mem, &diag), -1);
		assert_non_null(strstr(log.line[0], place.file));
		expect_message(&log, why);
		expect_nothing_else(&place, false);
		assert_int_equal(
			gmon_write(prof, GMON_CURRENT, place.file, &no_inputs, &mem, &diag), 0);
		assert_int_equal(gmon_write(prof, bsd[i], place.file, &no_inputs, &mem, &diag), -1);
		expect_nothing_else(&place, true);
		remove_place(&place);
		arena_free(&mem);
	}
}

static void what_bsd_cannot_hold(void **state)
{
	struct arena mem = test_arena();
	struct profile none = { .target = targets[2] }, several = none, large = none, space = none;

	(void)state;
	expect_obstacle(&none, "cannot be written as BSD data: there is no histogram");
	add_hist(&several, 0x1000, 0x1004, 1, &seconds, &mem);
	add_hist(&several, 0x2000, 0x2004, 1, &seconds, &mem);
	expect_obstacle(&several, "cannot be written as BSD data: there are several ranges");
	add_hist(&large, 0x1000, 0x100c, 3, &seconds, &mem)->ticks[2] = 65536;
	expect_obstacle(&large, "cannot be written as BSD data: a bin holds more than 65535 ticks");
	add_hist(&space, 0x1000, 0x1004, 1, &other, &mem);
	expect_obstacle(&space, "cannot be written as BSD data: the samples are not of time");
	arena_free(&mem);
}

/* Old BSD's header has no rate: where it is not the host's, the later one is used. */
static void other_rates_need_the_later_header(void **state)
{
	unsigned char *bytes = malloc(MAX_FILE);
	uint32_t host = (uint32_t)sysconf(_SC_CLK_TCK);
	const uint32_t rates[] = { host, host + 1, 1, 0, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(rates); i++) {
		struct arena mem = test_arena();
		struct unit unit = { rates[i], "seconds", 's' };
		struct profile prof = { .target = targets[i % COUNT(targets)] }, got;
		size_t old = 2 * prof.target.ptr_size + 4;

		add_hist(&prof, 0x1000, 0x1004, 2, &unit, &mem);
		add_arc(&prof, 0x1000, 0x1002, 1, &mem);
		assert_int_equal(write_and_read(&prof, GMON_BSD, &got, bytes, &mem),
				 old + (i == 0 ? 0 : 20) + 4 + 3 * prof.target.ptr_size);
		expect_same(&got, &prof, &mem);
		arena_free(&mem);
	}
	free(bytes);
}

/* A profile whose file has much more than 4,000 bytes. */
static struct profile long_profile(struct arena *mem)
{
	struct profile prof = { .target = targets[2] };

	for (uint32_t i = 0; i < 20000; i++)
		add_arc(&prof, i, i, 1, mem);
	return prof;
}

/* Writing fails, says why once, and leaves what was there. */
static void expect_failure(const char *path, int why)
{
	struct arena mem = test_arena();
	struct profile prof = long_profile(&mem);
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);

	assert_int_equal(gmon_write(&prof, GMON_ANY, path, &no_inputs, &mem, &diag), -1);
	assert_non_null(strstr(log.line[0], path));
	expect_message(&log, strerror(why));
	assert_int_equal(diag.nerrors, 1);
	arena_free(&mem);
}

static void full_disks_leave_the_old_file(void **state)
{
	struct place place = make_place();
	struct rlimit limit, old;
	unsigned char before[100], after[100];
	size_t n;
	FILE *f = fopen(place.file, "wb");

	(void)state;
	assert_non_null(f);
	fputs("what was there", f);
	fclose(f);
	n = read_file(place.file, before, sizeof(before));
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = (struct rlimit){ 4000, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	expect_failure(place.file, EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	expect_nothing_else(&place, true);
	assert_int_equal(read_file(place.file, after, sizeof(after)), n);
	assert_memory_equal(after, before, n);
	remove_place(&place);
}

static void line_costs_that_cannot_be_written(void **state)
{
	struct place place = make_place();
	char path[300];

	(void)state;
	snprintf(path, sizeof(path), "%s/none/gmon.sum", place.dir);
	expect_failure(path, ENOENT);
	/* A directory is in the way when the file is complete. */
	assert_int_equal(mkdir(place.file, 0777), 0);
	expect_failure(place.file, EISDIR);
	expect_nothing_else(&place, true);
	rmdir(place.file);
	if (geteuid() != 0) {
		assert_int_equal(chmod(place.dir, 0555), 0);
		expect_failure(place.file, EACCES);
		assert_int_equal(chmod(place.dir, 0777), 0);
	}
	expect_nothing_else(&place, false);
	remove_place(&place);
}

/* A file of the first name that would be tried is nobody's to overwrite. */
static void files_beside_stay(void **state)
{
	struct arena mem = test_arena();
	struct place place = make_place();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile prof = long_profile(&mem);
	struct stat st;
	char path[300];

	(void)state;
	snprintf(path, sizeof(path), "%s.%ld-0", place.file, (long)getpid());
	assert_int_equal(symlink("/nonexistent/x", path), 0);
	assert_int_equal(gmon_write(&prof, GMON_ANY, place.file, &no_inputs, &mem, &diag), 0);
	assert_int_equal(log.n, 0);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	unlink(path);
	expect_nothing_else(&place, true);
	remove_place(&place);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_profiles_come_back),
		cmocka_unit_test(large_bins_are_divided),
		cmocka_unit_test(many_calls_are_divided),
		cmocka_unit_test(endless_counts_are_refused),
		cmocka_unit_test(headers_to_the_byte),
		cmocka_unit_test(what_bsd_cannot_hold),
		cmocka_unit_test(other_rates_need_the_later_header),
		cmocka_unit_test(full_disks_leave_the_old_file),
		cmocka_unit_test(line_costs_that_cannot_be_written),
		cmocka_unit_test(files_beside_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

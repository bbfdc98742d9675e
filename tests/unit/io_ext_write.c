/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of gmon.out.ext: what it writes is read back as it was. */
#include "randomstacks.h"

#include "io/profile/ext_read.h"
#include "io/profile/ext_write.h"

enum { STAMP = 0x1234567, MAX_FILE = 1 << 16 };

static const struct target targets[] = { { .ptr_size = 4 },
					 { .ptr_size = 4, .big_endian = true },
					 { .ptr_size = 8 },
					 { .ptr_size = 8, .big_endian = true } };

/* Writes; bytes has room for MAX_FILE. Returns how many there are. */
static size_t write_stacks(const struct recorded *rec, const struct target *target,
			   unsigned char *bytes)
{
	static struct output out;
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct ext_texts texts;
	int fd = memory_file();
	ssize_t n;

	assert_true(ext_texts_make(&texts, rec, &mem));
	output_open(&out, fd, "FILE", &diag);
	ext_print(rec, &texts, target, STAMP, &out);
	assert_int_equal(output_close(&out), 0);
	n = pread(fd, bytes, MAX_FILE, 0);
	assert_true(n > 0 && n < MAX_FILE);
	close(fd);
	arena_free(&mem);
	return (size_t)n;
}

static void expect_same_made(const struct recorded *got, const struct recorded *expected)
{
	assert_int_equal(got->made.n, expected->made.n);
	for (size_t i = 0; i < got->made.n; i++) {
		assert_string_equal(got->made.at[i].name, expected->made.at[i].name);
		assert_string_equal(got->made.at[i].file, expected->made.at[i].file);
		assert_int_equal(got->made.at[i].line, expected->made.at[i].line);
	}
}

static void expect_same_processes(const struct recorded *got, const struct recorded *expected)
{
	assert_int_equal(got->processes.n, expected->processes.n);
	for (size_t i = 0; i < got->processes.n; i++) {
		const struct recorded_process *x = &got->processes.at[i];
		const struct recorded_process *y = &expected->processes.at[i];

		assert_string_equal(x->command, y->command);
		assert_string_equal(x->program, y->program);
		assert_true(x->pid == y->pid && x->parent == y->parent);
		assert_true(x->recording == y->recording);
		assert_true(x->ending == y->ending && x->status == y->status);
		assert_true(x->start == y->start && x->end == y->end);
		assert_true(x->cpu_ns == y->cpu_ns && x->before_ns == y->before_ns);
	}
}

static void expect_same_squares(const struct recorded *got, const struct recorded *expected)
{
	assert_int_equal(got->squares.n, expected->squares.n);
	assert_memory_equal(got->squares.at, expected->squares.at,
			    got->squares.n * sizeof(got->squares.at[0]));
	assert_int_equal(got->squares_total, expected->squares_total);
}

static void expect_same_holds(const struct recorded *got, const struct recorded *expected)
{
	assert_int_equal(got->holds.n, expected->holds.n);
	for (size_t i = 0; i < got->holds.n; i++) {
		const struct recorded_hold *x = &got->holds.at[i], *y = &expected->holds.at[i];

		assert_true(x->waiter == y->waiter && x->holder == y->holder);
		assert_true(x->first == y->first && x->module == y->module);
		assert_true(x->lock == y->lock && x->ticks == y->ticks && x->flags == y->flags);
	}
	assert_true(got->hold_ticks == expected->hold_ticks);
}

static void expect_same_slices(const struct recorded *got, const struct recorded *expected)
{
	assert_int_equal(got->timelines.n, expected->timelines.n);
	for (size_t i = 0; i < got->timelines.n; i++) {
		const struct recorded_timeline *x = &got->timelines.at[i];
		const struct recorded_timeline *y = &expected->timelines.at[i];

		assert_true(x->recording == y->recording && x->nslices == y->nslices);
		assert_true(x->start == y->start && x->slice_ns == y->slice_ns);
	}
	assert_int_equal(got->slices.n, expected->slices.n);
	assert_memory_equal(got->slices.at, expected->slices.at,
			    got->slices.n * sizeof(got->slices.at[0]));
	assert_true(got->slice_ticks == expected->slice_ticks);
}

static void expect_same_sites(const struct recorded *got, const struct recorded *expected)
{
	assert_int_equal(got->sites.n, expected->sites.n);
	assert_memory_equal(got->sites.at, expected->sites.at,
			    got->sites.n * sizeof(got->sites.at[0]));
	assert_int_equal(got->parts.n, expected->parts.n);
	assert_memory_equal(got->parts.at, expected->parts.at,
			    got->parts.n * sizeof(got->parts.at[0]));
}

static void expect_same_stacks(const struct recorded *got, const struct recorded *expected)
{
	assert_int_equal(got->modules.n, expected->modules.n);
	for (size_t i = 0; i < got->modules.n; i++) {
		const struct module *x = &got->modules.at[i], *y = &expected->modules.at[i];

		assert_string_equal(x->path, y->path);
		assert_true(x->lo == y->lo && x->hi == y->hi && x->bias == y->bias);
		assert_true(x->bytes == y->bytes && x->flags == y->flags);
		assert_int_equal(x->build_id_bytes, y->build_id_bytes);
		assert_memory_equal(x->build_id, y->build_id, sizeof(x->build_id));
	}
	assert_int_equal(got->threads.n, expected->threads.n);
	for (size_t i = 0; i < got->threads.n; i++) {
		const struct recorded_thread *x = &got->threads.at[i];
		const struct recorded_thread *y = &expected->threads.at[i];

		assert_string_equal(x->name, y->name);
		assert_true(x->tid == y->tid && x->recording == y->recording);
		assert_true(x->cpu_ns == y->cpu_ns);
		assert_true(x->looks == y->looks && x->squares == y->squares);
	}
	assert_int_equal(got->kinds.n, expected->kinds.n);
	for (size_t i = 0; i < got->kinds.n; i++) {
		assert_string_equal(got->kinds.at[i].name, expected->kinds.at[i].name);
		assert_memory_equal(&got->kinds.at[i].unit, &expected->kinds.at[i].unit,
				    sizeof(struct unit));
	}
	expect_same_made(got, expected);
	assert_int_equal(got->nodes.n, expected->nodes.n);
	assert_memory_equal(got->nodes.at, expected->nodes.at,
			    got->nodes.n * sizeof(got->nodes.at[0]));
	expect_same_squares(got, expected);
	expect_same_holds(got, expected);
	expect_same_slices(got, expected);
	expect_same_sites(got, expected);
	assert_int_equal(got->samples.n, expected->samples.n);
	assert_memory_equal(got->samples.at, expected->samples.at,
			    got->samples.n * sizeof(got->samples.at[0]));
	assert_int_equal(got->arcs.n, expected->arcs.n);
	assert_memory_equal(got->arcs.at, expected->arcs.at, got->arcs.n * sizeof(got->arcs.at[0]));
	assert_int_equal(got->bins.n, expected->bins.n);
	assert_memory_equal(got->bins.at, expected->bins.at, got->bins.n * sizeof(got->bins.at[0]));
	expect_same_processes(got, expected);
	assert_true(got->ticks == expected->ticks);
	assert_true(got->ncalls == expected->ncalls && got->bin_ticks == expected->bin_ticks);
	assert_int_equal(got->nobjects, expected->nobjects);
	assert_int_equal(got->nfiles, expected->nfiles);
	assert_int_equal(got->nlack, expected->nlack);
}

static void random_stacks_come_back(void **state)
{
	unsigned char *bytes = malloc(MAX_FILE), *again = malloc(MAX_FILE);
	uint64_t seed = 1;

	(void)state;
	assert_true(bytes && again);
	for (unsigned round = 0; round < 400; round++) {
		const struct target *target = &targets[round % COUNT(targets)];
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct recorded rec = random_stacks(&seed, &mem), got;
		struct ext_expected expected = { target, STAMP, 0, "FILE", &diag };

		rec.nlack = random_below(&seed, 2);
		memset(rec.kinds.at[0].unit.dimension, 'd', round % 16);
		expected.size = write_stacks(&rec, target, bytes);
		assert_int_equal(ext_read(&got, bytes, &expected, &mem), 0);
		assert_int_equal(log.n, 0);
		expect_same_stacks(&got, &rec);
		assert_int_equal(write_stacks(&got, target, again), expected.size);
		assert_memory_equal(again, bytes, expected.size);
		arena_free(&mem);
	}
	free(bytes);
	free(again);
}

/* Names that threads share are there once, and one that ends as another is not taken for it. */
static void names_stand_once(void **state)
{
	struct arena mem = test_arena();
	struct recorded rec = { .nfiles = 1 };
	struct ext_texts texts;
	char name[] = "worker";

	(void)state;
	for (uint32_t i = 0; i < 10; i++)
		array_push(&mem, &rec.threads) =
			(struct recorded_thread){ .tid = i,
						  .name = i % 3 == 0   ? "worker"
							  : i % 3 == 1 ? name
								       : "orker" };
	array_push(&mem, &rec.kinds) = (struct recorded_kind){ .name = "" };
	assert_true(ext_texts_make(&texts, &rec, &mem));
	assert_int_equal(texts.bytes.n, sizeof("\0worker\0orker"));
	assert_memory_equal(texts.bytes.at, "\0worker\0orker", texts.bytes.n);
	assert_int_equal(texts.offsets.at[4], 1);
	assert_int_equal(texts.offsets.at[5], 8);
	assert_int_equal(texts.offsets.at[10], 0);
	arena_free(&mem);
}

/* Calls and ticks without stacks: sections of stacks are not there, and a sum tells of both. */
static void modules_alone(void **state)
{
	static const char *const tags[] = { "STRS", "MODS", "KIND", "ARCS", "HIST", "SUM " };
	unsigned char *bytes = malloc(MAX_FILE);

	(void)state;
	assert_non_null(bytes);
	for (uint32_t n = 1; n <= 2; n++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct recorded rec = { .nlack = n, .nobjects = 1, .ncalls = 7 }, got;
		struct ext_expected expected = { &targets[2], STAMP, 0, "FILE", &diag };

		array_push(&mem, &rec.arcs) = (struct recorded_arc){
			RECORDED_NONE, RECORDED_NONE, 1, 2, 7, RECORDED_NONE, 3
		};
		expected.size = write_stacks(&rec, &targets[2], bytes);
		assert_int_equal(bytes[20], 4 + n);
		for (uint32_t i = 0; i < 4 + n; i++)
			assert_memory_equal(bytes + 40 + 24 * i, tags[i], 4);
		assert_int_equal(ext_read(&got, bytes, &expected, &mem), 0);
		expect_same_stacks(&got, &rec);
		arena_free(&mem);
	}
	free(bytes);
}

/* Sections are where readers in other languages look for them. */
static void the_head_to_the_byte(void **state)
{
	static const unsigned char head[] = "gmonext\n"
					    "\1\0\0\0"
					    "\4\3\2\1"
					    "\10\0\0\0"
					    "\6\0\0\0"
					    "\x67\x45\x23\1\0\0\0\0"
					    "\350\0\0\0\0\0\0\0"
					    "STRS\1\0\0\0\270\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0"
					    "MODS\110\0\0\0\300\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
					    "THRD\30\0\0\0\300\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
					    "KIND\40\0\0\0\330\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
					    "NODE\20\0\0\0\330\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
					    "SAMP\30\0\0\0\350\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
					    "\0abc\0\0\0\0"
					    "\7\0\0\0\1\0\0\0\11\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
					    "\377\377\377\377\377\377\377\377\x10\0\0\0\0\0\0";
	struct arena mem = test_arena();
	struct recorded rec = { .nfiles = 1 };
	unsigned char *bytes = malloc(MAX_FILE);

	(void)state;
	assert_non_null(bytes);
	array_push(&mem, &rec.threads) =
		(struct recorded_thread){ .tid = 7, .name = "abc", .cpu_ns = 9 };
	array_push(&mem, &rec.nodes) = (struct recorded_node){ RECORDED_NONE, RECORDED_NONE, 0x10 };
	assert_int_equal(write_stacks(&rec, &targets[2], bytes), sizeof(head));
	assert_memory_equal(bytes, head, sizeof(head));
	free(bytes);
	arena_free(&mem);
}

/* Threads' records are long if there is something to say, and short as they always were if not. */
static void records_of_threads(void **state)
{
	unsigned char *bytes = malloc(MAX_FILE);
	static const struct {
		uint64_t looks, squares;
		unsigned record;
	} known[] = { { 0, 0, 24 }, { 3, 0, 40 }, { 0, 9, 40 }, { 3, UINT64_MAX, 40 } };

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < COUNT(known); i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct recorded rec = { .nfiles = 1 }, got;
		struct ext_expected expected = { &targets[i], STAMP, 0, "FILE", &diag };

		array_push(&mem, &rec.threads) = (struct recorded_thread){ .name = "a" };
		array_push(&mem, &rec.threads) = (struct recorded_thread){
			.name = "b", .looks = known[i].looks, .squares = known[i].squares
		};
		expected.size = write_stacks(&rec, &targets[i], bytes);
		assert_memory_equal(bytes + 40 + 2 * 24, "THRD", 4);
		assert_int_equal(bytes[40 + 2 * 24 + (targets[i].big_endian ? 7 : 4)],
				 known[i].record);
		assert_int_equal(ext_read(&got, bytes, &expected, &mem), 0);
		expect_same_stacks(&got, &rec);
		arena_free(&mem);
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_stacks_come_back), cmocka_unit_test(names_stand_once),
		cmocka_unit_test(modules_alone),           cmocka_unit_test(the_head_to_the_byte),
		cmocka_unit_test(records_of_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

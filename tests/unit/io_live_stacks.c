/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call stacks in gmon.out.live, on files made by hand for both widths and orders. */
#include "putbytes.h"

#include "gmon_live.h"
#include "io/profile/gmon_read.h"

enum {
	PAGE = GMON_LIVE_PAGE,
	HEAD = GMON_LIVE_BLOCK_HEAD,
	/* The second block of nodes comes first. */
	LATE_AT = PAGE,
	NODES_AT = 2 * PAGE,
	SAMPLES_AT = 3 * PAGE,
	MODULES_AT = 4 * PAGE,
	THREADS_AT = 5 * PAGE,
	STRINGS_AT = 6 * PAGE,
	FILE_BYTES = 7 * PAGE,
	AT_WORD = 16,
	AT_LOW = 24,
	BIAS = 0x70000000,
	NSTRINGS = 18
};

static const char strings[NSTRINGS] = "\0/lib/a\0demo\0work";

static const struct target targets[] = { { .ptr_size = 4 },
					 { .ptr_size = 4, .big_endian = true },
					 { .ptr_size = 8 },
					 { .ptr_size = 8, .big_endian = true } };

struct live_file {
	struct target target;
	unsigned nsamples;
	unsigned char at[FILE_BYTES];
};

static void put(struct live_file *f, size_t at, unsigned nbytes, uint64_t value)
{
	put_bytes(f->at, sizeof(f->at), &f->target, at, nbytes, value);
}

static void put_block(struct live_file *f, size_t at, unsigned kind, uint64_t word, uint64_t low)
{
	put(f, at, 8, PAGE);
	put(f, at + 8, 4, kind);
	put(f, at + 12, 4, 1);
	put(f, at + AT_WORD, f->target.ptr_size, word);
	put(f, at + AT_LOW, f->target.ptr_size, low);
	put(f, at + 32, 8, HEAD);
	put(f, at + 40, 8, at);
}

/* Record i of a block. */
static void put_node(struct live_file *f, size_t block, unsigned i, uint32_t parent,
		     uint32_t module, uint64_t address)
{
	size_t at = block + HEAD + 16 * i;

	put(f, at, 4, parent);
	put(f, at + 4, 4, module);
	put(f, at + 8, 8, address);
}

static void put_module(struct live_file *f, unsigned i, uint64_t low, uint64_t high, uint64_t bias,
		       uint32_t path)
{
	size_t at = MODULES_AT + HEAD + 72 * i;

	put(f, at, 8, low);
	put(f, at + 8, 8, high);
	put(f, at + 16, 8, bias);
	put(f, at + 32, 4, path);
	put(f, at + 36, 1, 4);
	put(f, at + 37, 1, i == 0);
	memset(f->at + at + 40, 'x', 4);
}

static void put_sample(struct live_file *f, uint64_t from, uint64_t thread, unsigned kind,
		       unsigned quality, uint64_t ticks)
{
	unsigned width = f->target.ptr_size;
	size_t at = SAMPLES_AT + HEAD + f->nsamples++ * GMON_LIVE_CELL_BYTES(width);

	put(f, at, width, from);
	put(f, at + width, width, thread << 6 | kind << 2 | quality);
	put(f, at + 2 * width, 8, ticks);
}

static void put_head(struct live_file *f)
{
	memcpy(f->at, "gmonlive", 8);
	put(f, 8, 4, 2);
	put(f, 12, 4, f->target.ptr_size);
	put(f, 16, 8, 250);
	put(f, 32, 8, 0x1000);
	put(f, 40, 8, 0x2000);
}

static struct live_file *make_file(const struct target *target)
{
	struct live_file *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->target = *target;
	put_head(f);
	put_block(f, NODES_AT, GMON_LIVE_NODES, 4, 1);
	put_node(f, NODES_AT, 0, 0, 0, 0x1010);      /* 1 */
	put_node(f, NODES_AT, 1, 1, 1, BIAS + 0x20); /* 2 */
	put_node(f, NODES_AT, 2, 0, 9, 0x44444);     /* 3, of no module */
	put_node(f, NODES_AT, 3, 2, 0, 0);           /* 4 is being made */
	put_block(f, LATE_AT, GMON_LIVE_NODES, 4, 5);
	put_node(f, LATE_AT, 0, 2, 0, 0x1030);  /* 5 */
	put_node(f, LATE_AT, 1, 4, 0, 0x1040);  /* 6, below what is not there */
	put_node(f, LATE_AT, 2, 7, 0, 0x1050);  /* 7, below itself */
	put_node(f, LATE_AT, 3, 3, 2, 0x55555); /* 8, of a module without code */
	put_block(f, MODULES_AT, GMON_LIVE_MODULES, 100, 0);
	put_module(f, 0, 0x1000, 0x2000, 0, 0);
	put_module(f, 1, BIAS, BIAS + 0x1000, BIAS, 1);
	put_module(f, 2, 0x9000, 0x8000, 0, 1);
	put_block(f, THREADS_AT, GMON_LIVE_THREADS, 100, 0);
	put(f, THREADS_AT + HEAD + 24, 4, 77);
	put(f, THREADS_AT + HEAD + 28, 4, 13);
	put(f, THREADS_AT + HEAD + 32, 8, 5000);
	put_block(f, STRINGS_AT, GMON_LIVE_STRINGS, NSTRINGS, 0);
	memcpy(f->at + STRINGS_AT + HEAD, strings, NSTRINGS);
	put_sample(f, 0, 1, 0, 0, 1000); /* no cell */
	put_sample(f, 1, 1, 0, 0, 1000);
	put_sample(f, 2 + 5, 1, 0, 1, 10);
	put_sample(f, 2 + 8, 99, 0, 0, 20); /* of no thread */
	put_sample(f, 2 + 6, 1, 0, 0, 30);
	put_sample(f, 2 + 1, 1, 3, 0, 1000); /* of another kind */
	put_sample(f, 2, 1, 0, 2, 40);
	put_sample(f, 2 + 9, 1, 0, 0, 50);
	put_sample(f, 2 + 5, 1, 0, 1, 0);
	put_block(f, SAMPLES_AT, GMON_LIVE_SAMPLES,
		  (f->nsamples - 1) * GMON_LIVE_CELL_BYTES(target->ptr_size), 0);
	return f;
}

static int read_live(struct profile_sum *sum, const struct live_file *f, struct diag *diag)
{
	sum->prof.target = f->target;
	return gmon_read(sum, GMON_ANY, f->at, sizeof(f->at), "FILE", diag);
}

static void expect_node(const struct recorded *rec, uint32_t i, uint32_t parent, uint32_t module,
			uint64_t address)
{
	assert_true(rec->nodes.at[i].parent == parent);
	assert_true(rec->nodes.at[i].module == module);
	assert_true(rec->nodes.at[i].address == address);
}

static void expect_sample(const struct recorded *rec, uint32_t i, uint32_t node, uint32_t thread,
			  enum stack_quality quality, uint64_t ticks)
{
	assert_true(rec->samples.at[i].node == node);
	assert_int_equal(rec->samples.at[i].thread, thread);
	assert_int_equal(rec->samples.at[i].kind, 0);
	assert_int_equal(rec->samples.at[i].quality, quality);
	assert_int_equal(rec->samples.at[i].ticks, ticks);
}

static void expect_stacks(const struct recorded *rec)
{
	assert_int_equal(rec->nodes.n, 5);
	expect_node(rec, 0, RECORDED_NONE, 0, 0x1010);
	expect_node(rec, 1, 0, 1, 0x20);
	expect_node(rec, 2, RECORDED_NONE, RECORDED_NONE, 0x44444);
	expect_node(rec, 3, 1, 0, 0x1030);
	expect_node(rec, 4, 2, RECORDED_NONE, 0x55555);
	assert_int_equal(rec->samples.n, 5);
	expect_sample(rec, 0, 3, 1, STACK_GUESSED, 10);
	expect_sample(rec, 1, 4, 0, STACK_COMPLETE, 20);
	expect_sample(rec, 2, RECORDED_NONE, 1, STACK_CUT, 30);
	expect_sample(rec, 3, RECORDED_NONE, 1, STACK_UNSEEN, 40);
	expect_sample(rec, 4, RECORDED_NONE, 1, STACK_CUT, 50);
	assert_int_equal(rec->ticks, 150);
	assert_int_equal(rec->threads.n, 2);
	assert_int_equal(rec->threads.at[1].tid, 77);
	assert_string_equal(rec->threads.at[1].name, "work");
	assert_string_equal(rec->threads.at[0].name, "");
	assert_int_equal(rec->threads.at[1].cpu_ns, 5000);
	assert_int_equal(rec->modules.n, 3);
	assert_string_equal(rec->modules.at[1].path, "/lib/a");
	assert_int_equal(rec->modules.at[0].flags, MODULE_PROGRAM);
	assert_int_equal(rec->modules.at[1].build_id_bytes, 4);
	assert_int_equal(rec->kinds.n, 1);
	assert_int_equal(rec->kinds.at[0].unit.rate, 250);
	assert_int_equal(rec->nfiles, 1);
}

static void stacks_of_a_living_program(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct live_file *f = make_file(&targets[i]);
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };

		assert_int_equal(read_live(&sum, f, &diag), 0);
		assert_int_equal(log.n, 0);
		expect_stacks(&sum.prof.recorded);
		assert_int_equal(sum.prof.files.at[0].stacks.nrecordings, 1);
		assert_int_equal(sum.prof.files.at[0].stacks.version, 0);
		/* A second one is added up. */
		assert_int_equal(read_live(&sum, f, &diag), 0);
		assert_int_equal(sum.prof.recorded.nfiles, 2);
		assert_int_equal(sum.prof.recorded.nodes.n, 5);
		assert_int_equal(sum.prof.recorded.samples.n, 10);
		arena_free(&mem);
		free(f);
	}
}

/* One block more is missing each time; with the last, nothing tells of stacks. */
static void what_may_be_missing(void **state)
{
	static const size_t blocks[] = { LATE_AT,    STRINGS_AT, MODULES_AT,
					 SAMPLES_AT, NODES_AT,   THREADS_AT };
	struct live_file *f = make_file(&targets[2]);

	(void)state;
	for (size_t i = 0; i < COUNT(blocks); i++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct profile_sum sum = { .mem = &mem };

		put(f, blocks[i] + 12, 4, 0);
		assert_int_equal(read_live(&sum, f, &diag), 0);
		assert_int_equal(log.n, 0);
		assert_int_equal(sum.prof.recorded.nfiles, blocks[i] != THREADS_AT);
		assert_int_equal(sum.prof.recorded.ticks, i < 3 ? 150 : 0);
		arena_free(&mem);
	}
	free(f);
}

/* Behind the room for threads; an older recorder has none there. */
static void looks_at_threads(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		for (size_t short_by = 0; short_by < 2; short_by++) {
			struct live_file *f = make_file(&targets[i]);
			struct arena mem = test_arena();
			struct messages log = { 0 };
			struct diag diag = test_diag(&log);
			struct profile_sum sum = { .mem = &mem };
			const struct recorded_thread *threads;

			put(f, THREADS_AT, 8, HEAD + 100 * 40 - short_by);
			put(f, THREADS_AT + HEAD + 100 * 24, 8, 3);
			put(f, THREADS_AT + HEAD + 100 * 24 + 16, 8, 70);
			put(f, THREADS_AT + HEAD + 100 * 24 + 24, 8, 700);
			assert_int_equal(read_live(&sum, f, &diag), 0);
			assert_int_equal(log.n, 0);
			threads = sum.prof.recorded.threads.at;
			assert_int_equal(threads[0].looks, short_by ? 0 : 3);
			assert_int_equal(threads[1].looks, short_by ? 0 : 70);
			assert_int_equal(threads[1].squares, short_by ? 0 : 700);
			arena_free(&mem);
			free(f);
		}
	}
}

static void expect_refused(const struct live_file *f, const char *text)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .mem = &mem };

	assert_int_equal(read_live(&sum, f, &diag), -1);
	assert_int_equal(diag.nerrors, 1);
	expect_message(&log, text);
	arena_free(&mem);
}

static void absurd_stacks(void **state)
{
	static const size_t blocks[] = { LATE_AT, SAMPLES_AT, MODULES_AT, THREADS_AT, STRINGS_AT };

	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct live_file *f = make_file(&targets[i]);
		unsigned width = f->target.ptr_size;

		for (size_t k = 0; k < COUNT(blocks); k++) {
			unsigned char word[8];
			char text[80];

			memcpy(word, f->at + blocks[k] + AT_WORD, 8);
			put(f, blocks[k] + AT_WORD, width, UINT64_MAX);
			snprintf(text, sizeof(text), "block at byte %zu, of 65536 bytes, says it",
				 blocks[k]);
			expect_refused(f, text);
			memcpy(f->at + blocks[k] + AT_WORD, word, 8);
		}
		put(f, LATE_AT + AT_LOW, width, 4);
		expect_refused(f, "block at byte 65536 has nodes from number 4 on, which another");
		put(f, LATE_AT + AT_LOW, width, 5);
		put(f, SAMPLES_AT + HEAD + 3 * GMON_LIVE_CELL_BYTES(width) + 2 * width, 8,
		    UINT64_MAX - 5);
		expect_refused(f, "more ticks than 64 bits can hold, in the block at byte 196608");
		free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_of_a_living_program),
		cmocka_unit_test(what_may_be_missing),
		cmocka_unit_test(looks_at_threads),
		cmocka_unit_test(absurd_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

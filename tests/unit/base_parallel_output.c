/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text made by two threads is that of one, whatever the second one does. */
#include "testing.h"

#include "base/parallel_output.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { MANY = 300, PIECES = 40, LARGE = 5000, HUGE = 1000000, WAIT_MS = 10000 };

/* How the threads go about the chunks; the caller has the first of each pair. */
struct work {
	atomic_uint begun[2], ended[2];
	bool waits[2];               /* so that the other one has its turn */
	unsigned gives_up, too_long; /* of the second one: each so manyth chunk; 0: none */
	unsigned stands_still;       /* in its first chunk, until the caller has begun so many */
	size_t many_lines;           /* that one chunk has */
	size_t long_from;            /* lines of chunks whose text is too long; 0: none */
	bool slow;                   /* the caller, with each chunk */
	atomic_uint wrong;           /* a chunk that the caller had to have */
};

struct worker {
	struct work *work;
	bool second;
};

static void wait_ms(unsigned ms)
{
	const struct timespec t = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&t, NULL);
}

static size_t count_lines(const void *writer, size_t chunk)
{
	const struct worker *w = writer;

	return chunk == MANY / 2 && w->work->many_lines ? w->work->many_lines : chunk % PIECES;
}

/* Some chunks are empty, and some larger than the output's buffer. */
static void put_chunk(size_t chunk, struct output *out)
{
	size_t n = chunk % 7 == 3 ? LARGE : chunk % PIECES;

	for (size_t i = 0; i < n; i++)
		output_format(out, "%zu:%zu of %zu\n", chunk, i, n);
}

static bool two_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 1;
}

/* Until the other thread has begun a chunk. */
static void wait_for_other(struct worker *w)
{
	for (unsigned ms = 0; ms < WAIT_MS && two_processors() && w->work->begun[!w->second] == 0;
	     ms++)
		wait_ms(1);
}

static void put_too_long(struct output *out)
{
	for (unsigned i = 0; i < HUGE; i++)
		output_text(out, "too long\n");
}

static void format_second(struct worker *w, unsigned number, size_t chunk, struct arena *mem,
			  struct output *out)
{
	struct work *work = w->work;

	if (work->many_lines && chunk == MANY / 2)
		work->wrong++;
	for (unsigned ms = 0; ms < WAIT_MS && number == 0 && work->begun[0] < work->stands_still;
	     ms++)
		wait_ms(1);
	put_chunk(chunk, out);
	memset(arena_alloc(mem, 100, 1), 'x', 100);
	if (work->gives_up && number % work->gives_up == 0)
		mem->no_memory(mem->arg);
	if (work->long_from && chunk % PIECES >= work->long_from)
		put_too_long(out);
	if (work->too_long && number % work->too_long == 0)
		put_too_long(out);
}

static void format_chunk(void *writer, size_t chunk, struct arena *mem, struct output *out)
{
	struct worker *w = writer;
	unsigned number = w->work->begun[w->second]++;

	if ((mem != NULL) != w->second)
		w->work->wrong++;
	if (w->work->waits[w->second] && number == 0)
		wait_for_other(w);
	if (w->second)
		format_second(w, number, chunk, mem, out);
	else
		put_chunk(chunk, out);
	if (!w->second && w->work->slow)
		wait_ms(1);
	w->work->ended[w->second]++;
}

static void write_chunks(struct work *work, size_t n, bool alone, struct output *out)
{
	struct arena mem = test_arena();
	struct worker caller = { work, false }, second = { work, true };
	struct parallel_output chunks = {
		.n = n,
		.alone = alone,
		.lines = count_lines,
		.format = format_chunk,
		.writer = { &caller, &second },
	};

	parallel_output_write(&chunks, out, &mem);
	arena_free(&mem);
	assert_int_equal(work->wrong, 0);
}

/* The text is that of one thread, behind other text and before more. */
static void check_text(struct work *work, size_t n)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	char *text[2];
	uint64_t total[2];

	for (int alone = 0; alone < 2; alone++) {
		struct work none = { .begun = { 0 } };
		struct output out;
		int fd = memory_file();

		output_open(&out, fd, "file", &diag);
		output_text(&out, "before\n");
		write_chunks(alone ? &none : work, n, alone, &out);
		output_text(&out, "behind\n");
		total[alone] = out.total;
		assert_int_equal(output_close(&out), 0);
		text[alone] = written_text(fd, &mem);
		assert_int_equal(strlen(text[alone]), total[alone]);
	}
	assert_int_equal(total[0], total[1]);
	assert_true(strcmp(text[0], text[1]) == 0);
	assert_int_equal(log.n, 0);
	arena_free(&mem);
}

static void all_chunks_come_in_order(void **state)
{
	static const size_t sizes[] = { 0,
					1,
					2,
					PARALLEL_OUTPUT_LEAST - 1,
					PARALLEL_OUTPUT_LEAST,
					PARALLEL_OUTPUT_LEAST + 1,
					PARALLEL_OUTPUT_LEAST + 9,
					MANY };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		for (int who = 0; who < 3; who++) {
			struct work work = {
				.waits = { who == 1 && sizes[i] >= PARALLEL_OUTPUT_LEAST, who == 2 }
			};

			check_text(&work, sizes[i]);
			if (sizes[i] < PARALLEL_OUTPUT_LEAST)
				assert_int_equal(work.begun[1], 0);
			assert_true(work.begun[0] + work.ended[1] >= sizes[i]);
		}
	}
}

static void the_second_thread_takes_its_part(void **state)
{
	struct work work = { .waits = { true, false } };

	(void)state;
	check_text(&work, MANY);
	if (two_processors())
		assert_true(work.ended[1] > 0);
}

static void one_processor_has_one_thread(void **state)
{
	struct work work = { .begun = { 0 } };
	cpu_set_t before, one;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++) {
		if (CPU_ISSET(cpu, &before))
			CPU_SET(cpu, &one);
	}
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	check_text(&work, MANY);
	sched_setaffinity(0, sizeof(before), &before);
	assert_int_equal(work.begun[0], MANY);
	assert_int_equal(work.begun[1], 0);
}

static void what_the_second_cannot_the_caller_does(void **state)
{
	(void)state;
	for (unsigned each = 1; each < 4; each++) {
		struct work gives_up = { .waits = { true, false }, .gives_up = each };
		struct work too_long = { .waits = { true, false }, .too_long = each };

		check_text(&gives_up, MANY);
		check_text(&too_long, MANY);
		/* It is no help, and stops trying. */
		if (each == 1)
			assert_true(gives_up.begun[1] < MANY / 10);
	}
}

/* How many lines have room. */
static void the_second_learns_what_is_too_long(void **state)
{
	struct work work = { .waits = { true, false }, .long_from = PIECES / 2, .slow = true };

	(void)state;
	check_text(&work, MANY);
	assert_true(work.begun[1] - work.ended[1] <= PIECES / 2);
	if (two_processors())
		assert_true(work.ended[1] > MANY / 10);
}

static void a_long_chunk_is_the_callers(void **state)
{
	struct work work = { .waits = { true, false },
			     .many_lines = PARALLEL_OUTPUT_MOST_LINES + 1 };

	(void)state;
	check_text(&work, MANY);
}

/* The caller formats that chunk, too. */
static void who_stands_still_is_not_waited_for(void **state)
{
	struct work work = { .waits = { true, false }, .stands_still = MANY / 2 };

	(void)state;
	check_text(&work, MANY);
	if (two_processors())
		assert_true(work.begun[0] + work.begun[1] > MANY);
}

static void a_full_disk_is_said_once(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct work work = { .waits = { true, false } };
	struct output out;
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	if (fd < 0)
		return;
	output_open(&out, fd, "full", &diag);
	write_chunks(&work, MANY, false, &out);
	assert_int_equal(output_close(&out), -1);
	expect_message(&log, strerror(ENOSPC));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_chunks_come_in_order),
		cmocka_unit_test(the_second_thread_takes_its_part),
		cmocka_unit_test(one_processor_has_one_thread),
		cmocka_unit_test(what_the_second_cannot_the_caller_does),
		cmocka_unit_test(the_second_learns_what_is_too_long),
		cmocka_unit_test(a_long_chunk_is_the_callers),
		cmocka_unit_test(who_stands_still_is_not_waited_for),
		cmocka_unit_test(a_full_disk_is_said_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

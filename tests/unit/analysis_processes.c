/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who used how much of the time of a run: rows of processes and of programs, and what has no
 * sample. */
#include "testing.h"

#include "analysis/stacks/processes.h"

enum { MS = 1000000, MOST = 16 };

/* Recordings, each with one thread, in memory of their own. */
struct run {
	struct arena mem;
	struct recorded recorded;
	uint64_t ticks[MOST];
};

static void run_init(struct run *run, uint32_t rate)
{
	*run = (struct run){ .mem = test_arena() };
	array_push(&run->mem, &run->recorded.kinds) =
		(struct recorded_kind){ "cpu", { .rate = rate } };
}

/* One that began later than those before. It ends as `ending` says, after cpu_ms of CPU time. */
static void run_add(struct run *run, uint32_t pid, const char *program, uint64_t ticks,
		    uint64_t cpu_ms, enum process_ending ending)
{
	uint32_t number = run->recorded.nfiles++;

	run->ticks[number] = ticks;
	array_push(&run->mem, &run->recorded.threads) =
		(struct recorded_thread){ .tid = pid, .name = "", .recording = number };
	array_push(&run->mem, &run->recorded.processes) =
		(struct recorded_process){ .pid = pid,
					   .recording = number,
					   .ending = ending,
					   .command = program,
					   .program = program,
					   .start = 1000 + number,
					   .end = 2000 + number,
					   .cpu_ns = cpu_ms * MS };
}

static struct processes run_make(struct run *run)
{
	return processes_make(&run->recorded, run->ticks, &run->mem);
}

/* "PID TICKS MS" of each row, then "PATH PROCESSES TICKS MS" of each program. */
static void expect_rows(const struct processes *made, const char *expected)
{
	char got[1000] = "";

	for (uint32_t i = 0; i < made->nrows; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%u %u %u, ",
			 made->row[i].last->pid, (unsigned)made->row[i].ticks,
			 (unsigned)(made->row[i].cpu_ns / MS));
	for (uint32_t i = 0; i < made->nprograms; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s %u %u %u%s",
			 made->program[i].path, made->program[i].nprocesses,
			 (unsigned)made->program[i].ticks, (unsigned)(made->program[i].cpu_ns / MS),
			 i + 1 < made->nprograms ? ", " : "");
	assert_string_equal(got, expected);
}

static void nobody(void **state)
{
	struct run run;
	struct processes made;

	(void)state;
	run_init(&run, 100);
	made = run_make(&run);
	assert_int_equal(made.nrows, 0);
	assert_int_equal(made.nprograms, 0);
	assert_int_equal(made.cpu_ns, 0);
	arena_free(&run.mem);
}

/* The most ticks first, then the most CPU time; programs as well. */
static void order(void **state)
{
	struct run run;
	struct processes made;

	(void)state;
	run_init(&run, 100);
	run_add(&run, 10, "/sh", 1, 10, PROCESS_EXITED);
	run_add(&run, 11, "/cc", 20, 200, PROCESS_EXITED);
	run_add(&run, 12, "/cc", 30, 300, PROCESS_KILLED);
	run_add(&run, 13, "/ls", 1, 14, PROCESS_EXITED);
	run_add(&run, 14, "/as", 60, 100, PROCESS_EXITED);
	made = run_make(&run);
	expect_rows(&made, "14 60 100, 12 30 300, 11 20 200, 13 1 14, 10 1 10, "
			   "/as 1 60 100, /cc 2 50 500, /ls 1 1 14, /sh 1 1 10");
	assert_int_equal(made.ticks, 112);
	assert_int_equal(made.cpu_ns, 624 * (uint64_t)MS);
	arena_free(&run.mem);
}

/* What a killed process wrote last may be old: 30 ticks are 300 ms. That of one that exited is
 * right. */
static void killed(void **state)
{
	struct run run;
	struct processes made;

	(void)state;
	run_init(&run, 100);
	run_add(&run, 10, "/sh", 20, 150, PROCESS_EXITED);
	run_add(&run, 11, "/cc", 30, 40, PROCESS_KILLED);
	run_add(&run, 12, "/as", 10, 120, PROCESS_GOES_ON);
	made = run_make(&run);
	expect_rows(&made,
		    "11 30 300, 10 20 150, 12 10 120, /cc 1 30 300, /sh 1 20 150, /as 1 10 120");
	arena_free(&run.mem);
}

/* One that becomes another program is one process, whose CPU time goes on; a number that comes
 * again is not. */
static void replaced(void **state)
{
	struct run run;
	struct processes made;

	(void)state;
	run_init(&run, 100);
	run_add(&run, 10, "/sh", 2, 20, PROCESS_REPLACED);
	run_add(&run, 11, "/x", 1, 10, PROCESS_EXITED);
	run_add(&run, 10, "/cc", 30, 320, PROCESS_EXITED);
	run_add(&run, 11, "/y", 1, 12, PROCESS_EXITED);
	made = run_make(&run);
	expect_rows(&made, "10 32 320, 11 1 12, 11 1 10, "
			   "/cc 1 30 300, /sh 1 2 20, /y 1 1 12, /x 1 1 10");
	assert_string_equal(made.row[0].last->program, "/cc");
	assert_int_equal(made.cpu_ns, 342 * (uint64_t)MS);
	arena_free(&run.mem);
}

/* CPU time that goes back is of another process, and what is left of the sum is not negative. */
static void contradictions(void **state)
{
	struct run run;
	struct processes made;

	(void)state;
	run_init(&run, 100);
	run_add(&run, 10, "/a", 1, UINT64_MAX / MS, PROCESS_REPLACED);
	run_add(&run, 10, "/b", 1, 5, PROCESS_EXITED);
	made = run_make(&run);
	assert_int_equal(made.nrows, 2);
	assert_int_equal(made.other_ns, 0);
	arena_free(&run.mem);
}

/* Ticks may be fewer than the time by five standard deviations and 2 %; more are missing. */
static void unsampled(void **state)
{
	struct run run;
	struct processes made;

	(void)state;
	run_init(&run, 100);
	run_add(&run, 10, "/a", 400, 5000, PROCESS_EXITED);
	made = run_make(&run);
	assert_int_equal(made.covered, 5000 * (uint64_t)MS);
	assert_int_equal(made.unsampled, 0); /* 100 of sqrt(402) * 5 */
	run.ticks[0] = 380;
	made = run_make(&run);
	assert_int_equal(made.unsampled, 1200 * (uint64_t)MS);
	run.recorded.processes.at[0].before_ns = 1100 * (uint64_t)MS;
	made = run_make(&run);
	assert_int_equal(made.covered, 3900 * (uint64_t)MS);
	assert_int_equal(made.unsampled, 0);
	run.recorded.processes.at[0].end = 0;
	made = run_make(&run);
	assert_int_equal(made.covered, 0);
	run.recorded.kinds.at[0].unit.rate = 0;
	made = run_make(&run);
	assert_int_equal(made.unsampled, 0);
	arena_free(&run.mem);
}

/* CPU time of the run that no recording has; not what is within 2 %, or 10 ms and 2 ms a process.
 */
static void others(void **state)
{
	static const struct {
		uint64_t used_ms, other_ms;
	} table[] = {
		{ 0, 0 }, { 900, 0 }, { 1000, 0 }, { 1020, 0 }, { 1021, 21 }, { 3000, 2000 }
	};
	struct run run;

	(void)state;
	run_init(&run, 100);
	run_add(&run, 10, "/a", 100, 1000, PROCESS_EXITED);
	for (size_t i = 0; i < COUNT(table); i++) {
		run.recorded.used_ns = table[i].used_ms * MS;
		assert_int_equal(run_make(&run).other_ns, table[i].other_ms * MS);
	}
	run.recorded.processes.at[0].cpu_ns = 10 * MS;
	run.recorded.used_ns = 22 * MS;
	assert_int_equal(run_make(&run).other_ns, 0);
	run.recorded.used_ns = 23 * MS;
	assert_int_equal(run_make(&run).other_ns, 13 * MS);
	arena_free(&run.mem);
}

/* Three or more of a program that ended alike, with at most a hundredth of the ticks, are one row.
 */
static void alike(void **state)
{
	struct run run;
	struct processes made;

	(void)state;
	run_init(&run, 100);
	run_add(&run, 10, "/cc", 880, 8800, PROCESS_EXITED);
	run_add(&run, 11, "/cc", 10, 100, PROCESS_EXITED);
	run_add(&run, 12, "/cc", 10, 101, PROCESS_EXITED);
	run_add(&run, 13, "/cc", 10, 102, PROCESS_EXITED);
	run_add(&run, 14, "/cc", 11, 110, PROCESS_EXITED);
	run_add(&run, 15, "/cc", 10, 100, PROCESS_KILLED);
	run_add(&run, 16, "/cc", 10, 100, PROCESS_KILLED);
	run_add(&run, 17, "/as", 29, 290, PROCESS_EXITED);
	run_add(&run, 18, "/as", 10, 80, PROCESS_EXITED);
	run_add(&run, 19, "/as", 10, 105, PROCESS_EXITED);
	run_add(&run, 20, "/ld", 10, 70, PROCESS_EXITED);
	made = run_make(&run);
	expect_rows(&made, "10 880 8800, 13 30 303, 17 29 290, 14 11 110, 19 10 105, 15 10 100, "
			   "16 10 100, 18 10 80, 20 10 70, "
			   "/cc 7 941 9413, /as 3 49 475, /ld 1 10 70");
	assert_int_equal(made.row[0].n, 1);
	assert_int_equal(made.row[1].n, 3);
	assert_true(made.row[1].same_command);
	assert_int_equal(made.row[2].n, 1);
	assert_int_equal(made.nprocesses, 11);
	arena_free(&run.mem);
}

/* In a short run, one sample is little, too. */
static void one_sample_each(void **state)
{
	struct run run;
	struct processes made;

	(void)state;
	run_init(&run, 100);
	for (uint32_t i = 0; i < 3; i++)
		run_add(&run, 10 + i, "/cc", 1, 10 + i, PROCESS_EXITED);
	run.recorded.processes.at[1].command = "cc -c a.c";
	made = run_make(&run);
	expect_rows(&made, "12 3 33, /cc 3 3 33");
	assert_int_equal(made.row[0].n, 3);
	assert_false(made.row[0].same_command);
	arena_free(&run.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody),         cmocka_unit_test(order),
		cmocka_unit_test(alike),          cmocka_unit_test(one_sample_each),
		cmocka_unit_test(killed),         cmocka_unit_test(replaced),
		cmocka_unit_test(contradictions), cmocka_unit_test(unsampled),
		cmocka_unit_test(others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

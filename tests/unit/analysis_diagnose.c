/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The diagnosis: what is found of values written by hand, in which order, with which numbers. */
#include "made.h"

/* What is found is these kinds, -1 behind them. `main` is spontaneous, since calls from outside of
 * the program have no caller; that is left out. */
#define EXPECT(m, ...) expect(m, (const int[]){ __VA_ARGS__, -1 }, __LINE__)
#define NOTHING        (-1)

static struct findings expect(struct made *m, const int *kinds, int line)
{
	struct findings found = run(m);
	size_t n = 0;

	for (size_t i = 0; i < found.n; i++) {
		if (found.at[i].kind == FOUND_MAIN_SPONTANEOUS)
			continue;
		if ((int)found.at[i].kind != kinds[n])
			fail_msg("line %d: finding %zu is of kind %d", line, i, found.at[i].kind);
		n++;
	}
	if (kinds[n] != -1)
		fail_msg("line %d: %zu findings", line, n);
	return found;
}

static void a_good_pair(void **state)
{
	struct made *m = make();
	struct findings found;

	(void)state;
	found = EXPECT(m, NOTHING);
	assert_int_equal(found.ncauses, 0);
	assert_int_equal(found.nticks, 400);
	assert_int_equal(found.part_ticks[0], 400);
	assert_int_equal(found.outside_ticks, 0);
	assert_int_equal(found.ncalls, 31);
	assert_int_equal(found.narcs, 3);
	assert_int_equal(found.writer, RUNTIME_LIBC);
	m->e.image_newer = true;
	assert_int_equal(EXPECT(m, FOUND_NEWER_FITS).ncauses, 0);
	end(m);
}

static void no_file(void **state)
{
	struct made *m = make();

	(void)state;
	m->profile.files.n = m->profile.hists.n = m->profile.arcs.n = 0;
	m->e.missing = "gone";
	assert_string_equal(EXPECT(m, FOUND_NO_PROFILE).at[0].name[0], "gone");
	m->e.linked = RUNTIME_UNKNOWN;
	EXPECT(m, FOUND_NOT_LINKED);
	m->e.entry = NULL;
	m->e.ncounting = 0;
	EXPECT(m, FOUND_NOT_BUILT);
	m->e.decoded = false;
	EXPECT(m, FOUND_NO_PROFILE);
	end(m);
}

static uint64_t move_up(uint64_t pc, const void *by)
{
	return pc + *(const uint64_t *)by;
}

static void shifts(void **state)
{
	static const uint64_t shifts[] = { 0x555555154000, 0x1000, 0x10000000,
					   (uint64_t)-0x400000 };

	(void)state;
	for (size_t i = 0; i < COUNT(shifts); i++) {
		struct made *m = make();
		struct profile moved = profile_map(&m->profile, move_up, &shifts[i], &m->mem);
		struct findings found;

		m->profile = moved;
		found = EXPECT(m, FOUND_SHIFTED);
		assert_int_equal(found.at[0].number[0], 3);
		assert_int_equal(found.at[0].number[1], 3);
		assert_int_equal(found.at[0].number[2], 0x400000 + shifts[i]);
		assert_int_equal(found.at[0].number[3], 0x400000);
		m->how.base = 0x700000; /* what is left is counted from there */
		found = EXPECT(m, FOUND_SHIFTED);
		assert_int_equal(found.at[0].number[2], 0x700000 + shifts[i]);
		assert_int_equal(found.at[0].number[3], 0x700000);
		m->how.base = 0x400000;
		m->e.nentered = 0; /* the machine is not known */
		m->e.nreturned = 0;
		m->e.counts = bitset_empty(&m->mem, NSYMS);
		assert_int_equal(EXPECT(m, FOUND_SHIFTED).at[0].number[2], 0x400000 + shifts[i]);
		m->profile.arcs.n = 0;
		m->e.ncounting = 0;
		assert_int_equal(run(m).at[0].kind,
				 shifts[i] == 0x1000 ? FOUND_SAMPLES_OUTSIDE : FOUND_SHIFTED_RANGE);
		end(m);
	}
}

/* Nothing is loaded below address 0, and functions that count no calls are not where callees are.
 */
static void shifts_that_cannot_be(void **state)
{
	static const uint64_t down = (uint64_t)-0x401000, up = 0x1000;
	struct made *m = make();
	struct profile moved = profile_map(&m->profile, move_up, &down, &m->mem);
	struct profile original = m->profile;

	(void)state;
	m->profile = moved;
	EXPECT(m, FOUND_OTHER_PROGRAM);
	m->profile = profile_map(&original, move_up, &up, &m->mem);
	EXPECT(m, FOUND_SHIFTED);
	m->e.counts = bitset_empty(&m->mem, NSYMS);
	m->e.nentered = m->e.ncounting = 0;
	m->e.entry = NULL;
	EXPECT(m, FOUND_OTHER_PROGRAM);
	end(m);
}

static void other_programs(void **state)
{
	struct made *m = make();

	(void)state;
	for (size_t i = 0; i < m->profile.arcs.n; i++)
		m->profile.arcs.at[i].self_pc += 77;
	EXPECT(m, FOUND_OTHER_PROGRAM);
	m->e.image_newer = true;
	EXPECT(m, FOUND_NEWER_PROGRAM);
	m->profile.arcs.at[0].self_pc -= 77;
	m->profile.arcs.at[1].self_pc -= 77;
	assert_int_equal(EXPECT(m, FOUND_NEWER_PROGRAM).at[0].number[0], 1);
	m->e.image_newer = false;
	EXPECT(m, NOTHING);
	m->profile.arcs.n = 0;
	m->profile.hists.at[0].lo = 0x8000;
	m->profile.hists.at[0].hi = 0x8400;
	EXPECT(m, FOUND_OTHER_RANGE);
	m->e.image_newer = true;
	EXPECT(m, FOUND_NEWER_RANGE);
	end(m);
}

static void calls_that_nothing_counts(void **state)
{
	struct made *m = make();

	(void)state;
	m->e.entry = NULL;
	m->e.ncounting = 0;
	m->e.nentered = 0;
	m->e.counts = bitset_empty(&m->mem, NSYMS);
	assert_int_equal(EXPECT(m, FOUND_OTHER_UNCOUNTED).at[0].number[0], 31);
	m->e.image_newer = true;
	EXPECT(m, FOUND_NEWER_UNCOUNTED);
	m->e.entry = "mcount"; /* which is called in a way that is not known */
	EXPECT(m, FOUND_NEWER_FITS);
	m->e.entry = NULL;
	m->e.has_calls = false;
	EXPECT(m, FOUND_NEWER_FITS);
	end(m);
}

static void samples(void **state)
{
	struct made *m = make();

	(void)state;
	memset(m->ticks, 0, sizeof(m->ticks));
	EXPECT(m, FOUND_NO_SAMPLES);
	tick(m, 1, 9);
	assert_int_equal(EXPECT(m, FOUND_FEW_SAMPLES).at[0].number[1], 34);
	tick(m, 1, 1);
	EXPECT(m, FOUND_SHORT_RUN);
	tick(m, 1, 90);
	EXPECT(m, NOTHING);
	/* Events are counted: none is told, and few are as many as there were. */
	m->profile.has_hists = true;
	m->profile.unit = (struct unit){ 1, "page-faults", 'p' };
	memset(m->ticks, 0, sizeof(m->ticks));
	assert_string_equal(EXPECT(m, FOUND_NO_EVENTS).at[0].name[2], "page-faults");
	tick(m, 1, 9);
	EXPECT(m, NOTHING);
	m->profile.unit = (struct unit){ 100, "seconds", 's' };
	tick(m, 1, 91);
	m->profile.unit.rate = 0;
	EXPECT(m, FOUND_RATE_ZERO);
	m->profile.unit.rate = 1000001;
	EXPECT(m, FOUND_RATE_ABSURD);
	m->profile.unit.rate = 1000000;
	tick(m, 1, 65535 - 100);
	assert_string_equal(EXPECT(m, FOUND_SATURATED_BINS).at[0].name[2], "b");
	m->profile.hists.n = 0;
	EXPECT(m, FOUND_NO_HISTOGRAM);
	m->profile.arcs.n = 0;
	EXPECT(m, FOUND_EMPTY_PROFILE);
	m->profile.recorded.ncalls = 1; /* from one library to another */
	EXPECT(m, NOTHING);
	end(m);
}

static void time_outside(void **state)
{
	struct made *m = make();

	(void)state;
	m->program.symtab.nsyms = 2;
	m->e.functions.nsyms = 2;
	assert_int_equal(EXPECT(m, FOUND_SAMPLES_OUTSIDE, FOUND_CALLS_OUTSIDE).at[1].number[0], 21);
	m->profile.arcs.n = 1;
	EXPECT(m, FOUND_SAMPLES_OUTSIDE, FOUND_NO_ARCS_MATCH);
	tick(m, 1, 200);
	EXPECT(m, FOUND_NO_ARCS_MATCH, FOUND_UNLISTED_TIME);
	end(m);
}

/* It is neither in the program nor outside, wherever the program is loaded. */
static void unknown_time(void **state)
{
	static const uint64_t up = 0x1000;
	struct made *m = make();
	struct hist unknown = profile_unknown(&m->profile.target);
	uint64_t ticks[2] = { 300 };
	struct findings found;

	(void)state;
	unknown.ticks = ticks;
	array_push(&m->mem, &m->profile.hists) = unknown;
	found = EXPECT(m, FOUND_SOME_UNKNOWN);
	assert_int_equal(found.at[1].number[1], 700);
	assert_int_equal(found.nticks, 400);
	assert_int_equal(found.outside_ticks, 0);
	ticks[0] = 400;
	EXPECT(m, FOUND_UNKNOWN_TIME);
	/* Most samples are in libraries, which only call stacks have. */
	array_push(&m->mem, &m->profile.recorded.threads) = (struct recorded_thread){ .tid = 1 };
	array_push(&m->mem, &m->profile.recorded.samples) =
		(struct recorded_sample){ .node = RECORDED_NONE, .ticks = 4000 };
	found = run(m);
	for (size_t i = 0; i < found.n; i++)
		assert_true(found.at[i].kind != FOUND_UNKNOWN_TIME);
	assert_int_equal(found.all_ticks, 4000);
	m->profile.recorded.samples.n = 0;
	m->profile = profile_map(&m->profile, move_up, &up, &m->mem);
	assert_true(profile_is_unknown(&m->profile, &m->profile.hists.at[1]));
	end(m);
}

static void instrumentation(void **state)
{
	struct made *m = make();
	struct findings found;

	(void)state;
	bitset_remove(m->e.counts, 2);
	m->profile.arcs.at[2].self_pc = start(2) + 9;
	EXPECT(m, NOTHING); /* it was called, so somebody counts it */
	m->profile.arcs.n = 2;
	found = EXPECT(m, FOUND_PARTLY_INSTRUMENTED);
	assert_string_equal(found.at[0].name[2], "c");
	assert_int_equal(found.at[0].number[0], 300);
	tick(m, 1, 201);
	EXPECT(m, FOUND_SOME_UNCOUNTED);
	m->profile.arcs.n = 0;
	EXPECT(m, FOUND_NO_CALLS, FOUND_SOME_UNCOUNTED);
	m->e.ncounting = 0;
	m->e.entry = NULL;
	m->e.counts = bitset_empty(&m->mem, NSYMS);
	EXPECT(m, FOUND_NOT_INSTRUMENTED);
	m->e.entry = "mcount"; /* by calls that are not understood */
	EXPECT(m, NOTHING);
	end(m);
}

static void ranges(void **state)
{
	struct made *m = make();

	(void)state;
	m->profile.hists.at[0].hi = start(3);
	m->profile.hists.at[0].nbins = 3 * SIZE / 4;
	assert_int_equal(EXPECT(m, FOUND_PARTIAL_RANGE).at[0].number[2], 3 * SIZE);
	m->profile.hists.at[0].hi = start(4);
	m->profile.hists.at[0].nbins = 4 * SIZE / 4;
	EXPECT(m, NOTHING);
	end(m);
}

static void lost_calls(void **state)
{
	struct made *m = make();
	struct findings found;

	(void)state;
	bitset_remove(m->e.loops, 1);
	found = EXPECT(m, FOUND_CALLS_LOST);
	assert_string_equal(found.at[0].name[2], "b");
	assert_int_equal(found.at[0].number[0], 20);
	assert_int_equal(found.at[0].number[1], 10);
	m->profile.arcs.at[1].ncalls = 19; /* one may be under way */
	EXPECT(m, NOTHING);
	m->profile.arcs.at[1].ncalls = 10;
	call(m, 1, 3, 10); /* b calls c, and c ends in a jump to d: one call with two callees */
	bitset_add(m->e.leaves, 2);
	EXPECT(m, NOTHING);
	m->profile.arcs.at[2].ncalls = 5;
	m->profile.arcs.at[3].ncalls = 20; /* but d ends none the sooner */
	found = EXPECT(m, FOUND_CALLS_LOST);
	assert_int_equal(found.at[0].number[0], 20);
	m->profile.arcs.at[2].ncalls = 20;
	m->profile.arcs.at[3].ncalls = 0;
	bitset_remove(m->e.leaves, 2);
	m->returned[3] = start(1) + 0x22;
	m->returned[4] = start(1) + 0x29; /* two calls that the C library's runtime takes for one */
	m->entered[2] = start(2);
	EXPECT(m, NOTHING);
	m->profile.arcs.at[1].ncalls = UINT32_MAX;
	m->e.threads = "pthread_create";
	found = EXPECT(m, FOUND_SATURATED_CALLS, FOUND_THREADS_LOST_CALLS);
	assert_string_equal(found.at[0].name[2], "b");
	end(m);
}

static void one_cycle(void **state)
{
	struct made *m = make();
	struct findings found;

	(void)state;
	for (unsigned i = 1; i < 6; i++)
		call(m, i, i + 1, 100 + i);
	call(m, 6, 1, 7);
	call(m, 4, 2, 50);
	for (unsigned i = 0; i < NSYMS; i++)
		bitset_add(m->e.loops, i);
	found = EXPECT(m, FOUND_ONE_CYCLE);
	assert_int_equal(found.at[0].number[0], 6);
	assert_int_equal(found.at[0].number[1], 400);
	assert_int_equal(found.at[0].number[6], 2);
	assert_string_equal(found.at[0].name[2], "g");
	assert_string_equal(found.at[0].name[3], "b");
	assert_int_equal(found.at[0].number[3], 7);
	assert_string_equal(found.at[0].name[4], "e");
	assert_string_equal(found.at[0].name[5], "c");
	assert_null(found.at[0].name[6]);
	tick(m, 7, 3599);
	EXPECT(m, FOUND_ONE_CYCLE);
	tick(m, 7, 1);
	EXPECT(m, NOTHING); /* no more than a tenth */
	end(m);
	m = make();
	call(m, 1, 2, 100);
	call(m, 2, 1, 7);
	bitset_add(m->e.loops, 2);
	assert_string_equal(EXPECT(m, FOUND_SMALL_CYCLE).at[1].name[2], "b");
	end(m);
}

static void names(void **state)
{
	struct made *m = make();

	(void)state;
	m->sym[1].flags |= SYM_STATIC;
	m->sym[2].flags |= SYM_STATIC;
	m->sym[3].flags |= SYM_STATIC;
	m->sym[3].name = m->sym[2].name;
	EXPECT(m, NOTHING);
	tick(m, 3, 1);
	assert_string_equal(EXPECT(m, FOUND_SAME_NAMES).at[0].name[2], "c");
	m->sym[3].name = "d";
	m->program.dropped = (struct symtab){ &m->sym[2], 1 };
	assert_int_equal(EXPECT(m, FOUND_NEIGHBOUR).at[0].number[0], 300);
	tick(m, 1, 2700);
	assert_int_equal(EXPECT(m, FOUND_SOME_NEIGHBOURS).ncauses, 0);
	m->how.all_symbols = true;
	EXPECT(m, NOTHING);
	end(m);
}

static void selections(void **state)
{
	struct made *m = make();

	(void)state;
	array_push(&m->mem, &m->opt.select.requests) =
		(struct select_request){ "h", SELECT_FLAT, false, NULL };
	m->how.selected = true;
	EXPECT(m, FOUND_SELECTION);
	m->opt.select.requests.at[0].text = "c";
	EXPECT(m, NOTHING);
	end(m);
}

static void libraries(void **state)
{
	struct made *m = make();
	struct nearby_profile library = { "data.libc.so", 401 };

	(void)state;
	m->e.libraries = &library;
	m->e.nlibraries = 1;
	assert_string_equal(EXPECT(m, FOUND_LIBRARIES).at[0].name[2], "data.libc.so");
	library.ticks = 400;
	EXPECT(m, NOTHING);
	end(m);
}

static void children(void **state)
{
	struct made *m = make();
	struct nearby_profile child[2] = { { "data.7", 300 }, { "data.8", 101 } };
	struct findings found;

	(void)state;
	m->e.children = child;
	m->e.nchildren = 2;
	found = EXPECT(m, FOUND_CHILDREN);
	assert_string_equal(found.at[0].name[2], "data.7");
	assert_int_equal(found.at[0].number[0], 2);
	assert_int_equal(found.at[0].number[1], 300);
	child[1].ticks = 100;
	EXPECT(m, FOUND_OTHER_CHILDREN);
	end(m);
}

static void exec(void **state)
{
	struct made *m = make();

	(void)state;
	m->e.exec_calls = "execv";
	EXPECT(m, NOTHING);
	m->e.execs_itself = true;
	assert_string_equal(EXPECT(m, FOUND_EXEC).at[1].name[2], "execv");
	end(m);
}

/* A program whose time is in one function, b or main. */
static void inlining(void **state)
{
	struct made *m = make();

	(void)state;
	tick(m, 0, 1199);
	EXPECT(m, NOTHING);
	tick(m, 0, 1);
	assert_int_equal(EXPECT(m, FOUND_MAIN_ALONE).at[1].number[0], 1200);
	m->e.inlined_ticks = 319;
	EXPECT(m, FOUND_MAIN_ALONE);
	m->e.inlined_ticks = 320; /* of 1600; debug information tells it better */
	assert_int_equal(EXPECT(m, FOUND_INLINED).at[1].number[0], 320);
	end(m);
}

/* Samples that stand for several ticks. */
static void coarse_clock(void **state)
{
	struct made *m = make();
	struct findings found;

	(void)state;
	for (unsigned i = 0; i < NBINS; i++)
		m->ticks[i] = 0;
	for (unsigned i = 0; i < 9; i++)
		m->ticks[20 * i] = 40;
	m->profile.unit.rate = 100;
	EXPECT(m, NOTHING);
	m->profile.unit.rate = 1000;
	EXPECT(m, NOTHING); /* no clock has so few */
	m->profile.unit.rate = 10000;
	found = EXPECT(m, FOUND_FEW_SAMPLES, FOUND_COARSE_TICKS);
	assert_int_equal(found.at[0].number[0], 9);
	assert_int_equal(found.at[0].number[1], 34);
	m->ticks[20] = 39;
	m->ticks[40] = 41;
	EXPECT(m, NOTHING); /* seven are too few to tell, */
	m->profile.hists.at[0].hi = m->profile.hists.at[0].lo + 2 * (uint64_t)NBINS;
	/* but for the rate of libgmon */
	found = EXPECT(m, FOUND_SHORT_RUN, FOUND_COARSE_RATE, FOUND_MAIN_ALONE);
	assert_int_equal(found.at[1].number[0], 36);
	end(m);
}

/* All functions share the two bins of a histogram, unless they are narrow. */
static void wide_bins(void **state)
{
	struct made *m = make();
	struct hist *hist = &m->profile.hists.at[0];
	bool found = false;
	struct findings findings;

	(void)state;
	hist->nbins = 2;
	hist->ticks[0] = 400;
	hist->ticks[1] = 0;
	findings = run(m);
	for (size_t i = 0; i < findings.n; i++) {
		if (findings.at[i].kind != FOUND_WIDE_BINS)
			continue;
		found = true;
		assert_int_equal(findings.at[i].number[0], 400);
		assert_int_equal(findings.at[i].number[1], 400);
		assert_int_equal(findings.at[i].number[2], (hist->hi - hist->lo) / 2);
	}
	assert_true(found);
	end(m);
}

static void no_symbols(void **state)
{
	struct made *m = make();

	(void)state;
	m->program.symtab = (struct symtab){ 0 };
	m->e.functions = (struct symtab){ m->sym, 1 };
	m->e.has_symbols = false;
	EXPECT(m, FOUND_STRIPPED);
	end(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_pair),    cmocka_unit_test(no_file),
		cmocka_unit_test(shifts),         cmocka_unit_test(shifts_that_cannot_be),
		cmocka_unit_test(other_programs), cmocka_unit_test(calls_that_nothing_counts),
		cmocka_unit_test(samples),        cmocka_unit_test(time_outside),
		cmocka_unit_test(unknown_time),   cmocka_unit_test(instrumentation),
		cmocka_unit_test(ranges),         cmocka_unit_test(lost_calls),
		cmocka_unit_test(one_cycle),      cmocka_unit_test(names),
		cmocka_unit_test(selections),     cmocka_unit_test(libraries),
		cmocka_unit_test(children),       cmocka_unit_test(exec),
		cmocka_unit_test(inlining),       cmocka_unit_test(coarse_clock),
		cmocka_unit_test(wide_bins),      cmocka_unit_test(no_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

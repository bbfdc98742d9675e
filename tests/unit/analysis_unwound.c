/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --explain says of call stacks: their shares, and where most of the broken ones break off. */
#include "testing.h"

#include "analysis/diagnosis/unwound.h"

/* Of three functions and a library; findings come anew with each look. */
struct looks {
	struct arena mem;
	struct sym sym[3];
	struct program program;
	struct profile profile;
	struct analysis a;
	struct evidence e;
	struct diagnosis s;
};

static void looks_init(struct looks *l)
{
	*l = (struct looks){
		.mem = test_arena(),
		.sym = { { 0, 16, "a", 0, 0 }, { 16, 32, "b", 0, 1 }, { 32, 48, "c", 0, 2 } },
		.program = { .path = "prog", .symtab = { l->sym, 3 } }
	};
	array_push(&l->mem, &l->profile.files) = (struct profile_file){ .name = "data" };
	l->a = (struct analysis){ .program = &l->program, .profile = &l->profile };
	l->s = (struct diagnosis){ .a = &l->a, .e = &l->e, .mem = &l->mem };
	l->profile.recorded.nfiles = 1;
	array_push(&l->mem, &l->profile.recorded.modules) =
		(struct module){ .flags = MODULE_PROGRAM };
	array_push(&l->mem, &l->profile.recorded.modules) = (struct module){ .path = "/x/libz.so" };
}

static uint32_t looks_node(struct looks *l, uint32_t parent, uint32_t module, uint64_t address)
{
	array_push(&l->mem, &l->profile.recorded.nodes) =
		(struct recorded_node){ parent, module, address };
	return (uint32_t)l->profile.recorded.nodes.n - 1;
}

static void looks_sample(struct looks *l, uint32_t node, enum stack_quality quality, uint64_t ticks)
{
	array_push(&l->mem, &l->profile.recorded.samples) =
		(struct recorded_sample){ node, 0, 0, quality, ticks };
}

/* The finding; of kind NFINDINGS if there is none. */
static struct finding look(struct looks *l, struct stack_facts *facts)
{
	l->s.findings.n = 0;
	*facts = unwound_facts(&l->s);
	unwound_broken(&l->s, facts);
	unwound_cut(&l->s, facts);
	return l->s.findings.n > 0 ? l->s.findings.at[0] : (struct finding){ .kind = NFINDINGS };
}

static void shares(void **state)
{
	struct looks l;
	struct stack_facts facts;

	(void)state;
	looks_init(&l);
	assert_int_equal(look(&l, &facts).kind, NFINDINGS);
	looks_sample(&l, looks_node(&l, looks_node(&l, RECORDED_NONE, 0, 1), 0, 17), STACK_COMPLETE,
		     95);
	looks_sample(&l, 0, STACK_GUESSED, 2);
	looks_sample(&l, 1, STACK_CUT, 1);
	looks_sample(&l, RECORDED_NONE, STACK_BROKEN, 5);
	assert_int_equal(look(&l, &facts).kind, NFINDINGS); /* 5 of 103 */
	assert_int_equal(facts.depth, 2);
	assert_int_equal(facts.nnodes, 2);
	assert_int_equal(facts.nticks, 103);
	assert_int_equal(facts.ticks[STACK_COMPLETE], 95);
	assert_int_equal(facts.ticks[STACK_GUESSED], 2);
	assert_int_equal(facts.ticks[STACK_BROKEN], 5);
	assert_int_equal(facts.ticks[STACK_CUT], 1);
	arena_free(&l.mem);
}

/* The outermost function, not the one in which the sample was taken. */
static void most_break_off_in(void **state)
{
	struct looks l;
	struct stack_facts facts;
	struct finding f;

	(void)state;
	looks_init(&l);
	looks_sample(&l, looks_node(&l, RECORDED_NONE, 0, 1), STACK_COMPLETE, 80);
	looks_sample(&l, looks_node(&l, looks_node(&l, RECORDED_NONE, 0, 17), 0, 33), STACK_BROKEN,
		     6);
	looks_sample(&l, 1, STACK_BROKEN, 5);
	looks_sample(&l, looks_node(&l, RECORDED_NONE, 0, 34), STACK_BROKEN, 9);
	f = look(&l, &facts);
	assert_int_equal(f.kind, FOUND_BROKEN_STACKS);
	assert_int_equal(f.number[0], 20);
	assert_int_equal(f.number[1], 100);
	assert_int_equal(f.number[2], 11);
	assert_string_equal(f.name[2], "b");
	looks_sample(&l, looks_node(&l, RECORDED_NONE, 1, 1000), STACK_BROKEN, 12);
	assert_string_equal(look(&l, &facts).name[2], "libz.so");
	arena_free(&l.mem);
}

static void many_are_cut(void **state)
{
	struct looks l;
	struct stack_facts facts;
	struct finding f;

	(void)state;
	looks_init(&l);
	looks_sample(&l, looks_node(&l, RECORDED_NONE, 0, 1), STACK_COMPLETE, 90);
	looks_sample(&l, 0, STACK_CUT, 4);
	assert_int_equal(look(&l, &facts).kind, NFINDINGS);
	looks_sample(&l, RECORDED_NONE, STACK_CUT, 6);
	f = look(&l, &facts);
	assert_int_equal(f.kind, FOUND_CUT_STACKS);
	assert_int_equal(f.number[0], 10);
	assert_int_equal(f.number[1], 100);
	assert_int_equal(f.number[2], 1);
	arena_free(&l.mem);
}

static void nothing_is_known_of_them(void **state)
{
	struct looks l;
	struct stack_facts facts;
	struct finding f;

	(void)state;
	looks_init(&l);
	looks_sample(&l, RECORDED_NONE, STACK_BROKEN, 1);
	looks_sample(&l, looks_node(&l, RECORDED_NONE, RECORDED_NONE, 5), STACK_BROKEN, 1);
	f = look(&l, &facts);
	assert_int_equal(f.kind, FOUND_BROKEN_STACKS);
	assert_null(f.name[2]);
	arena_free(&l.mem);
}

/* With 30 samples of 100 a second. */
static void much_had_no_samples(void **state)
{
	enum { SHORT = 3000 };
	struct looks l;
	struct recorded_process *p;

	(void)state;
	looks_init(&l);
	unwound_unsampled(&l.s); /* nothing is known */
	array_push(&l.mem, &l.profile.recorded.kinds) =
		(struct recorded_kind){ .name = "cpu", .unit.rate = 100 };
	array_push(&l.mem, &l.profile.recorded.threads) = (struct recorded_thread){ 0 };
	array_push(&l.mem, &l.profile.recorded.processes) =
		(struct recorded_process){ .command = "",
					   .program = "",
					   .start = 5000000000,
					   .end = 6000000000,
					   .cpu_ns = 340000000,
					   .before_ns = 40000000 };
	looks_sample(&l, looks_node(&l, RECORDED_NONE, 0, 1), STACK_COMPLETE, 30);
	p = &l.profile.recorded.processes.at[0];
	unwound_unsampled(&l.s);
	assert_int_equal(l.s.findings.n, 0);
	p->cpu_ns = 940000000;
	unwound_unsampled(&l.s);
	assert_int_equal(l.s.findings.n, 1);
	assert_int_equal(l.s.findings.at[0].kind, FOUND_UNSAMPLED);
	assert_int_equal(l.s.findings.at[0].number[0], 600);
	assert_int_equal(l.s.findings.at[0].number[1], 900);
	l.s.findings.n = 0;
	p->cpu_ns = 340000000;
	l.profile.recorded.nfiles = 1 + SHORT;
	for (uint32_t i = 0; i < SHORT; i++)
		array_push(&l.mem, &l.profile.recorded.processes) =
			(struct recorded_process){ .command = "",
						   .program = "",
						   .pid = 2 + i,
						   .start = 5000000000,
						   .end = 5100000000,
						   .cpu_ns = 1000000,
						   .recording = 1 + i };
	unwound_unsampled(&l.s);
	assert_int_equal(l.s.findings.n, 1);
	assert_int_equal(l.s.findings.at[0].kind, FOUND_SHORT_LIVES);
	assert_int_equal(l.s.findings.at[0].number[0], SHORT);
	assert_int_equal(l.s.findings.at[0].number[1], 300 + SHORT);
	assert_int_equal(l.s.findings.at[0].number[2], SHORT);
	arena_free(&l.mem);
}

/* Of processes that were recorded to their end, unless where they waited is known. */
static void most_was_waiting(void **state)
{
	struct looks l;
	struct recorded_process *p;

	(void)state;
	looks_init(&l);
	array_push(&l.mem, &l.profile.recorded.processes) =
		(struct recorded_process){ .command = "",
					   .program = "",
					   .start = 5000000000,
					   .end = 6000000000,
					   .cpu_ns = 540000000,
					   .before_ns = 40000000 };
	p = &l.profile.recorded.processes.at[0];
	unwound_waiting(&l.s);
	assert_int_equal(l.s.findings.n, 0); /* half of it */
	p->cpu_ns = 80000000;
	unwound_waiting(&l.s);
	assert_int_equal(l.s.findings.n, 1);
	assert_int_equal(l.s.findings.at[0].kind, FOUND_WAITING);
	assert_int_equal(l.s.findings.at[0].number[0], 40);
	assert_int_equal(l.s.findings.at[0].number[1], 1000);
	l.s.findings.n = 0;
	p->end = 5000000000 + 90000000; /* over at once */
	unwound_waiting(&l.s);
	assert_int_equal(l.s.findings.n, 0);
	p->end = 6000000000;
	array_push(&l.mem, &l.profile.recorded.kinds) = (struct recorded_kind){ .name = "cpu" };
	array_push(&l.mem, &l.profile.recorded.kinds) =
		(struct recorded_kind){ .name = RECORDED_WAITING_KIND };
	unwound_waiting(&l.s);
	assert_int_equal(l.s.findings.n, 1);
	assert_int_equal(l.s.findings.at[0].kind, FOUND_WAITED);
	assert_int_equal(l.s.findings.at[0].number[0], 40);
	l.s.findings.n = 0;
	p->cpu_ns = 340000000; /* 0.3 s of one second, in which others had the processor */
	l.profile.recorded.used_ns = 300000000;
	l.profile.recorded.displaced = 100;
	unwound_waiting(&l.s);
	assert_int_equal(l.s.findings.n, 0);
	l.profile.recorded.displaced = 0;
	unwound_waiting(&l.s);
	assert_int_equal(l.s.findings.n, 1);
	arena_free(&l.mem);
}

static void others_took_the_processor(void **state)
{
	struct looks l;

	(void)state;
	looks_init(&l);
	l.profile.recorded.used_ns = 400000000;
	l.profile.recorded.displaced = 19; /* in 0.4 s */
	unwound_loaded(&l.s);
	assert_int_equal(l.s.findings.n, 0);
	l.profile.recorded.displaced = 20;
	unwound_loaded(&l.s);
	assert_int_equal(l.s.findings.n, 1);
	assert_int_equal(l.s.findings.at[0].kind, FOUND_LOADED);
	assert_int_equal(l.s.findings.at[0].number[0], 20);
	assert_int_equal(l.s.findings.at[0].number[1], 400);
	l.s.findings.n = 0;
	l.profile.recorded.used_ns = 199000000; /* too short */
	unwound_loaded(&l.s);
	assert_int_equal(l.s.findings.n, 0);
	l.profile.recorded.used_ns = 0; /* a file says nothing of it */
	unwound_loaded(&l.s);
	assert_int_equal(l.s.findings.n, 0);
	arena_free(&l.mem);
}

static void what_stacks_settle(void **state)
{
	(void)state;
	assert_true(unwound_supersedes(FOUND_ONE_CYCLE));
	assert_true(unwound_supersedes(FOUND_PARTLY_INSTRUMENTED));
	assert_true(unwound_supersedes(FOUND_MAIN_SPONTANEOUS));
	assert_true(unwound_supersedes(FOUND_EMPTY_PROFILE));
	assert_true(unwound_supersedes(FOUND_NO_SAMPLES));
	assert_false(unwound_supersedes(FOUND_BROKEN_STACKS));
	assert_false(unwound_supersedes(FOUND_THREADS_LOST_CALLS));
	assert_false(unwound_supersedes(FOUND_OTHER_PROGRAM));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares),
		cmocka_unit_test(most_break_off_in),
		cmocka_unit_test(many_are_cut),
		cmocka_unit_test(much_had_no_samples),
		cmocka_unit_test(most_was_waiting),
		cmocka_unit_test(others_took_the_processor),
		cmocka_unit_test(nothing_is_known_of_them),
		cmocka_unit_test(what_stacks_settle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

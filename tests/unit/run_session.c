/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions: two programs with two profiles in one process, step by step, and what they share. */
#include "testing.h"

#include "model/needs.h"
#include "run/session/session.h"

#include <limits.h>

/* A program of a machine of its own, in which main calls another function. */
struct made_program {
	const char *machine; /* of mkprofile -m */
	const char *callee;
	unsigned ncalls, nticks;
	char dir[32], image[48], data[48];
	const char *files[1];
};

/* By the tool of the golden tests, in a directory of its own. */
static void make_program(struct made_program *p)
{
	const char *tools = getenv("TOOLS");
	char command[PATH_MAX];
	FILE *maker;

	strcpy(p->dir, "/tmp/gprof-session-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	snprintf(p->image, sizeof(p->image), "%s/a.out", p->dir);
	snprintf(p->data, sizeof(p->data), "%s/gmon.out", p->dir);
	p->files[0] = p->data;
	snprintf(command, sizeof(command), "%s/mkprofile -m %s - %s", tools ? tools : "tests/tools",
		 p->machine, p->dir);
	maker = popen(command, "w");
	assert_non_null(maker);
	fprintf(maker,
		"text 0x1000 0x80\nsym main 0x1000\nsym %s 0x1020%s\nsym etext 0x1080 notype\n"
		"profile\nhist 0x1000 0x1060 48 100\ntick 0x1020 %u\narc main 0x1020 %u\n",
		p->callee, strchr(p->callee, '.') ? " local" : "", p->nticks, p->ncalls);
	assert_int_equal(pclose(maker), 0);
}

static void remove_program(const struct made_program *p)
{
	unlink(p->image);
	unlink(p->data);
	assert_int_equal(rmdir(p->dir), 0);
}

static struct session_input input_of(const struct made_program *p)
{
	return (struct session_input){ .program = { .path = p->image },
				       .program_named = true,
				       .profile_named = true,
				       .profiles = p->files,
				       .nprofiles = 1 };
}

/* What the analysis says of main and its callee. */
static void expect_analysis(const struct session *s, const struct made_program *p)
{
	const struct analysis *a = &s->analysis;

	assert_ptr_equal(a->program, s->program);
	assert_ptr_equal(a->profile, s->rebased);
	assert_int_equal(a->graph.narcs, 1);
	assert_int_equal(a->graph.arc[0].ncalls, p->ncalls);
	assert_string_equal(s->program->symtab.sym[a->graph.arc[0].to].name, p->callee);
	assert_true(a->costs.total == p->nticks);
	assert_string_equal(s->program->path, p->image);
}

/* Each step of one is followed by the same step of the other. */
static void two_sessions_live_side_by_side(void **state)
{
	const struct analysis_options opt = { .order = ORDER_NONE };
	struct made_program made[2] = {
		{ .machine = "64le", .callee = "left", .ncalls = 5, .nticks = 30 },
		{ .machine = "32be", .callee = "right", .ncalls = 70, .nticks = 4 },
	};
	struct arena mem[2] = { test_arena(), test_arena() };
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct session_input input[2];
	struct session s[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		make_program(&made[i]);
		input[i] = input_of(&made[i]);
	}
	for (int i = 0; i < 2; i++)
		assert_int_equal(session_open(&s[i], &input[i], &mem[i], &diag), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(session_read(&s[i]), 0);
	for (int i = 0; i < 2; i++)
		session_analyze(&s[i], &opt, 0, s[i].diag);
	for (int i = 0; i < 2; i++)
		expect_analysis(&s[i], &made[i]);
	assert_int_equal(s[0].program->target.ptr_size, 8);
	assert_int_equal(s[1].program->target.ptr_size, 4);
	assert_true(s[1].program->target.big_endian && !s[0].program->target.big_endian);
	session_close(&s[0]);
	arena_free(&mem[0]);
	expect_analysis(&s[1], &made[1]);
	session_close(&s[1]);
	arena_free(&mem[1]);
	assert_int_equal(log.n, 0);
	for (int i = 0; i < 2; i++)
		remove_program(&made[i]);
}

/* The recorded profile stays for the sum; the analysis is of the one that was moved. */
static void both_places_of_a_profile(void **state)
{
	const struct analysis_options opt = { .order = ORDER_NONE };
	struct made_program made = {
		.machine = "64le", .callee = "callee", .ncalls = 1, .nticks = 1
	};
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct session_input input;
	struct session s;

	(void)state;
	make_program(&made);
	input = input_of(&made);
	input.has_image_base = true;
	input.image_base = 0x10000;
	assert_int_equal(session_open(&s, &input, &mem, &diag), 0);
	assert_int_equal(session_read(&s), 0);
	assert_int_equal(s.profile.arcs.at[0].self_pc, 0x1020);
	assert_int_equal(s.profile.arcs.at[0].self_pc - s.linked.arcs.at[0].self_pc,
			 0x10000 - image_base(s.image));
	session_analyze(&s, &opt, 0, s.diag);
	assert_true(s.analysis.costs.total == 1);
	session_close(&s);
	remove_program(&made);
	arena_free(&mem);
}

/* Of one image and its data: the second has other functions than the first. */
static void a_session_beside(void **state)
{
	const struct analysis_options opt = { .order = ORDER_NONE };
	struct made_program made = {
		.machine = "64le", .callee = "f.part.0", .ncalls = 5, .nticks = 30
	};
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct session_input input, all;
	struct session first, second;

	(void)state;
	make_program(&made);
	all = input = input_of(&made);
	all.program.symbols.all = true;
	assert_int_equal(session_open(&first, &input, &mem, &diag), 0);
	assert_int_equal(session_read(&first), 0);
	assert_int_equal(session_read_beside(&second, &first, &all, &diag), 0);
	session_analyze(&first, &opt, 0, first.diag);
	session_analyze(&second, &opt, 0, second.diag);
	assert_int_equal(first.program->symtab.nsyms, 2);
	assert_int_equal(first.analysis.costs.calls.self[0], 5);
	assert_true(first.analysis.costs.self[0] == 30);
	expect_analysis(&second, &made);
	assert_true(second.analysis.costs.self[1] == 30);
	assert_int_equal(first.program->dropped.nsyms, 1);
	assert_int_equal(second.program->dropped.nsyms, 1);
	assert_int_equal(first.program->dropped.sym[0].lo, 0x1020);
	assert_int_equal(first.program->dropped.sym[0].hi, 0x1080);
	session_close(&first);
	remove_program(&made);
	arena_free(&mem);
	assert_int_equal(log.n, 0);
}

/* No data file is needed to look at a program; a missing one is named. */
static void what_there_is(void **state)
{
	const struct analysis_options opt = { .order = ORDER_NONE };
	struct made_program made = {
		.machine = "64le", .callee = "callee", .ncalls = 1, .nticks = 1
	};
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct session_input input;
	struct session s;

	(void)state;
	make_program(&made);
	input = input_of(&made);
	assert_null(input_missing(&input));
	unlink(made.data);
	assert_string_equal(input_missing(&input), made.data);
	assert_int_equal(session_open(&s, &input, &mem, &diag), 0);
	assert_int_equal(session_read_some(&s, false), 0);
	assert_int_equal(s.program->symtab.nsyms, 3);
	session_analyze(&s, &opt, 0, s.diag);
	assert_int_equal(s.analysis.graph.narcs, 0);
	assert_int_equal(log.n, 0);
	assert_int_equal(session_read(&s), -1);
	expect_message(&log, made.data);
	session_close(&s);
	input.program.path = made.data;
	assert_int_equal(session_open(&s, &input, &mem, &diag), -1);
	expect_message(&log, made.data);
	remove_program(&made);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_sessions_live_side_by_side),
		cmocka_unit_test(both_places_of_a_profile),
		cmocka_unit_test(a_session_beside),
		cmocka_unit_test(what_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

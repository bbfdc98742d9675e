/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded addresses to symbols: of the program, of objects as wholes, of their own functions. */
#include "testing.h"

#include "analysis/stacks/symbolize.h"

enum { PROGRAM, MATH, LIBC, OTHER_MATH, VDSO, RECORDER, NMODULES };

/* A program of two functions behind a stub section, and five objects. */
struct modules {
	struct arena mem;
	struct sym sym[2];
	struct code_range stubs;
	struct program program;
	struct recorded recorded;
	struct symbolize_input in;
	struct symbolized_stacks symbolized;
	struct profile profile;
};

static void modules_init(struct modules *p)
{
	static const struct module modules[] = {
		[PROGRAM] = { .path = "/bin/prog", .flags = MODULE_PROGRAM },
		[MATH] = { .path = "/lib/libm.so.6" },
		[LIBC] = { .path = "/lib/libc.so.6" },
		[OTHER_MATH] = { .path = "/opt/libm.so.6", .flags = MODULE_UNLOADED },
		[VDSO] = { .path = "linux-vdso.so.1", .flags = MODULE_VDSO },
		[RECORDER] = { .path = "libgmon.so", .flags = MODULE_RECORDER },
	};

	*p = (struct modules){ .mem = test_arena() };
	p->sym[0] = (struct sym){ 0x1000, 0x1100, "_init", SYM_FUNC, 0 };
	p->sym[1] = (struct sym){ 0x1100, 0x1200, "main", SYM_FUNC, 1 };
	p->stubs = (struct code_range){ 0x1020, 0x1100, ".plt" };
	p->program = (struct program){
		.path = "dir/prog", .symtab = { p->sym, 2 }, .stubs = &p->stubs, .nstubs = 1
	};
	for (size_t i = 0; i < COUNT(modules); i++)
		array_push(&p->mem, &p->recorded.modules) = modules[i];
	p->in.address_space.program = &p->program;
	p->in.address_space.recorded = &p->recorded;
}

static void modules_add(struct modules *p, uint32_t module, uint64_t address)
{
	array_push(&p->mem, &p->recorded.nodes) =
		(struct recorded_node){ RECORDED_NONE, module, address };
}

/* The names of all nodes' symbols; of those that are skipped in parentheses. */
static void expect_frames(struct modules *p, const char *expected)
{
	const struct symtab *symtab = &p->symbolized.symtab;
	char got[1000] = "";

	p->in.address_space.same = address_space_same(&p->recorded, &p->mem);
	p->in.address_space.used = address_space_used(&p->recorded, p->in.address_space.same,
						      ADDRESS_SPACE_STACKS, &p->mem);
	p->in.parts = ADDRESS_SPACE_STACKS;
	p->in.profile = &p->profile;
	p->symbolized = symbolize_stacks(&p->in, &p->profile, &p->mem);
	for (size_t i = 0; i < p->recorded.nodes.n; i++) {
		sym_id s = p->symbolized.frame[i];
		size_t len = strlen(got);

		assert_true(s < symtab->nsyms);
		snprintf(got + len, sizeof(got) - len,
			 bitset_has(p->symbolized.skipped, s) ? "%s(%s)" : "%s%s", i ? " " : "",
			 symtab->sym[s].name);
	}
	assert_string_equal(got, expected);
	for (sym_id s = 0; s + 1 < symtab->nsyms; s++) {
		assert_true(symtab->sym[s].lo < symtab->sym[s].hi);
		assert_true(symtab->sym[s].hi <= symtab->sym[s + 1].lo);
	}
	assert_memory_equal(symtab->sym, p->sym, sizeof(p->sym));
}

static void the_program(void **state)
{
	struct modules p;

	(void)state;
	modules_init(&p);
	modules_add(&p, PROGRAM, 0x1004);
	modules_add(&p, PROGRAM, 0x1100);
	modules_add(&p, PROGRAM, 0x11ff);
	modules_add(&p, PROGRAM, 0x1024);
	modules_add(&p, PROGRAM, 0x1200);
	modules_add(&p, RECORDED_NONE, 0x11000);
	expect_frames(&p, "_init main main ([stubs]) [prog] [code]");
	assert_int_equal(p.symbolized.symtab.nsyms, 5);
	assert_int_equal(p.symbolized.symtab.sym[1].flags & (SYM_FOREIGN | SYM_WHOLE), 0);
	assert_true(p.symbolized.symtab.sym[2].flags & SYM_FOREIGN);
	assert_true(p.symbolized.symtab.sym[2].flags & SYM_WHOLE);
	assert_int_equal(p.symbolized.broken, SYM_NONE);
	arena_free(&p.mem);
}

static void objects_are_symbols(void **state)
{
	struct modules p;

	(void)state;
	modules_init(&p);
	modules_add(&p, LIBC, 0x1100);
	modules_add(&p, MATH, 0x1100);
	modules_add(&p, MATH, 0xffffffffffffffff);
	modules_add(&p, VDSO, 0);
	expect_frames(&p, "[libc.so.6] [libm.so.6] [libm.so.6] [vdso]");
	assert_int_equal(p.symbolized.symtab.nsyms, 5);
	modules_add(&p, OTHER_MATH, 1);
	expect_frames(&p, "[libc.so.6] [/lib/libm.so.6] [/lib/libm.so.6] [vdso] [/opt/libm.so.6]");
	arena_free(&p.mem);
}

/* Each system call that a thread waited in is a symbol, whatever libraries are. */
static void waits(void **state)
{
	struct modules p;

	(void)state;
	modules_init(&p);
	p.program.target.calls = CALLS_X86_64;
	p.in.libraries = SYMBOLIZE_HIDE;
	modules_add(&p, LIBC, 0x1100);
	modules_add(&p, RECORDED_NONE, RECORDED_WAITING);
	modules_add(&p, RECORDED_NONE, RECORDED_WAITING + 281);
	modules_add(&p, RECORDED_NONE, RECORDED_WAITING + 4000);
	modules_add(&p, RECORDED_NONE, RECORDED_WAITING + RECORDED_WAITS - 1);
	modules_add(&p, RECORDED_NONE, RECORDED_WAITING + RECORDED_WAITS);
	modules_add(&p, RECORDED_NONE, RECORDED_WAITING + 281);
	expect_frames(&p, "([libc.so.6]) [waiting: read] [waiting: epoll_pwait] "
			  "[waiting: syscall 4000] [waiting] [code] [waiting: epoll_pwait]");
	assert_int_equal(p.symbolized.address_space.nwaits, 4);
	assert_string_equal(p.symbolized.symtab.sym[p.symbolized.address_space.waits].name,
			    "[waiting: read]");
	arena_free(&p.mem);
}

static void objects_are_hidden(void **state)
{
	struct modules p;

	(void)state;
	modules_init(&p);
	p.in.libraries = SYMBOLIZE_HIDE;
	modules_add(&p, PROGRAM, 0x1100);
	modules_add(&p, LIBC, 0x1100);
	modules_add(&p, RECORDED_NONE, 0x11000);
	modules_add(&p, PROGRAM, 0);
	expect_frames(&p, "main ([libc.so.6]) [code] [prog]");
	arena_free(&p.mem);
}

/* Symbols with gaps; the other objects have none. */
static void objects_have_functions(void **state)
{
	static const struct sym math[] = { { 0x500, 0x540, "sin", SYM_FUNC, 0 },
					   { 0x600, 0x610, "cos", SYM_FUNC, 0 } };
	const struct module_code code[NMODULES] = { [MATH] = { .symtab = { math, 2 } } };
	struct modules p;

	(void)state;
	modules_init(&p);
	p.in.libraries = SYMBOLIZE_SHOW;
	p.in.address_space.code = code;
	modules_add(&p, MATH, 0x500);
	modules_add(&p, MATH, 0x53f);
	modules_add(&p, MATH, 0x540);
	modules_add(&p, MATH, 0x600);
	modules_add(&p, LIBC, 0x600);
	modules_add(&p, PROGRAM, 0x1100);
	expect_frames(&p, "sin@libm.so.6 sin@libm.so.6 [libm.so.6] cos@libm.so.6 [libc.so.6] main");
	assert_false(p.symbolized.symtab.sym[2].flags & SYM_WHOLE);
	arena_free(&p.mem);
}

static void the_recorder_is_skipped(void **state)
{
	struct modules p;

	(void)state;
	modules_init(&p);
	modules_add(&p, RECORDER, 0x1100);
	modules_add(&p, PROGRAM, 0x1100);
	expect_frames(&p, "([stubs]) main");
	arena_free(&p.mem);
}

static void stacks_that_lack_something_have_symbols(void **state)
{
	struct modules p;

	(void)state;
	modules_init(&p);
	modules_add(&p, PROGRAM, 0x1100);
	modules_add(&p, RECORDED_NONE, RECORDED_GAP);
	expect_frames(&p, "main [cut stack]");
	assert_true(p.symbolized.cut == p.symbolized.frame[1]);
	assert_int_equal(p.symbolized.broken, SYM_NONE);
	assert_int_equal(p.symbolized.unseen, SYM_NONE);
	array_push(&p.mem, &p.recorded.samples) =
		(struct recorded_sample){ 0, 0, 0, STACK_BROKEN, 1 };
	array_push(&p.mem, &p.recorded.samples) = (struct recorded_sample){ 0, 0, 0, STACK_CUT, 1 };
	array_push(&p.mem, &p.recorded.samples) =
		(struct recorded_sample){ RECORDED_NONE, 0, 0, STACK_UNSEEN, 1 };
	expect_frames(&p, "main [cut stack]");
	assert_string_equal(p.symbolized.symtab.sym[p.symbolized.broken].name, "[broken stack]");
	assert_string_equal(p.symbolized.symtab.sym[p.symbolized.unseen].name, "[unknown time]");
	arena_free(&p.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_program),
		cmocka_unit_test(objects_are_symbols),
		cmocka_unit_test(objects_are_hidden),
		cmocka_unit_test(waits),
		cmocka_unit_test(objects_have_functions),
		cmocka_unit_test(the_recorder_is_skipped),
		cmocka_unit_test(stacks_that_lack_something_have_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

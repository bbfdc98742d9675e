/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbols of a program and of its modules in one table, and recorded addresses in it. */
#include "testing.h"

#include "analysis/functions/address_space.h"
#include "analysis/functions/objects.h"

enum { PROGRAM, MATH, AGAIN, OTHER, NMODULES };

/* A program of one function, and a library that was loaded twice, of which the functions are known.
 */
struct spaced {
	struct arena mem;
	struct program program;
	struct recorded recorded;
	struct module_code code[NMODULES];
	struct address_space_input in;
};

static const struct sym spaced_own[] = { { 0x1000, 0x1100, "main", SYM_FUNC, 0 } };
static const struct sym spaced_library[] = { { 0x40, 0x80, "sin", SYM_FUNC, 0 },
					     { 0xc0, 0x100, "cos", SYM_FUNC, 1 } };

static void spaced_init(struct spaced *p)
{
	static const struct module modules[] = {
		[PROGRAM] = { .path = "/bin/prog", .flags = MODULE_PROGRAM },
		[MATH] = { .path = "/lib/libm.so" },
		[AGAIN] = { .path = "/lib/libm.so" },
		[OTHER] = { .path = "/opt/libm.so" },
	};

	*p = (struct spaced){ .mem = test_arena() };
	p->program = (struct program){ .path = "prog", .symtab = { spaced_own, 1 } };
	for (size_t i = 0; i < COUNT(modules); i++)
		array_push(&p->mem, &p->recorded.modules) = modules[i];
	p->code[MATH].symtab = (struct symtab){ spaced_library, COUNT(spaced_library) };
	p->code[MATH].names = NAMES_FULL;
	p->in = (struct address_space_input){ .program = &p->program,
					      .recorded = &p->recorded,
					      .code = p->code };
	p->in.same = address_space_same(&p->recorded, &p->mem);
}

static void add_node(struct spaced *p, uint32_t module, uint64_t address)
{
	array_push(&p->mem, &p->recorded.nodes) =
		(struct recorded_node){ RECORDED_NONE, module, address };
}

/* The table of all nodes' addresses. */
static struct address_space_maker spaced_make(struct spaced *p)
{
	struct address_space_maker m;

	p->in.used = address_space_used(&p->recorded, p->in.same, ADDRESS_SPACE_STACKS, &p->mem);
	m = address_space_begin(&p->in, &p->mem, &p->mem);
	for (size_t i = 0; i < p->recorded.nodes.n; i++)
		address_space_note(&m, p->recorded.nodes.at[i].module,
				   p->recorded.nodes.at[i].address);
	address_space_end(&m);
	return m;
}

static void expect_name(const struct address_space_maker *m, uint32_t module, uint64_t address,
			const char *name)
{
	sym_id s = address_space_find(m, module, address);

	assert_true(s < m->symtab.nsyms);
	assert_string_equal(m->symtab.sym[s].name, name);
}

static void what_was_loaded_twice_is_one_object(void **state)
{
	struct spaced p;

	(void)state;
	spaced_init(&p);
	assert_int_equal(p.in.same[PROGRAM], PROGRAM);
	assert_int_equal(p.in.same[MATH], MATH);
	assert_int_equal(p.in.same[AGAIN], MATH);
	assert_int_equal(p.in.same[OTHER], OTHER);
	arena_free(&p.mem);
}

static void only_modules_with_addresses_are_used(void **state)
{
	struct spaced p;
	struct bitset used;

	(void)state;
	spaced_init(&p);
	add_node(&p, PROGRAM, 0x1000);
	add_node(&p, AGAIN, 0x40);
	used = address_space_used(&p.recorded, p.in.same, ADDRESS_SPACE_STACKS, &p.mem);
	assert_false(bitset_has(used, PROGRAM));
	assert_true(bitset_has(used, MATH));
	assert_false(bitset_has(used, AGAIN));
	assert_false(bitset_has(used, OTHER));
	used = address_space_used(&p.recorded, p.in.same, ADDRESS_SPACE_ARCS, &p.mem);
	assert_false(bitset_has(used, MATH));
	arena_free(&p.mem);
}

static void modules_come_after_the_program(void **state)
{
	struct address_space_maker m;
	struct spaced p;
	uint64_t pc;

	(void)state;
	spaced_init(&p);
	add_node(&p, AGAIN, 0x44);
	add_node(&p, AGAIN, 0x90);
	add_node(&p, OTHER, 0x44);
	m = spaced_make(&p);
	assert_memory_equal(m.symtab.sym, spaced_own, sizeof(spaced_own));
	assert_int_equal(m.address_space.base, ADDRESS_SPACE_STRIDE);
	expect_name(&m, AGAIN, 0x44, "sin@/lib/libm.so");
	/* Between functions, and of a library without symbols. */
	expect_name(&m, AGAIN, 0x90, "[/lib/libm.so]");
	expect_name(&m, OTHER, 0x44, "[/opt/libm.so]");
	pc = address_space_address(&m, AGAIN, 0x44);
	assert_int_equal(pc, m.address_space.base + MATH * ADDRESS_SPACE_STRIDE + 0x44);
	assert_int_equal(address_space_module(&m.address_space, pc), MATH);
	assert_int_equal(address_space_own_address(pc), 0x44);
	for (sym_id s = 0; s + 1 < m.symtab.nsyms; s++)
		assert_true(m.symtab.sym[s].hi <= m.symtab.sym[s + 1].lo);
	arena_free(&p.mem);
}

static void names_that_no_other_has_are_short(void **state)
{
	struct address_space_maker m;
	struct spaced p;

	(void)state;
	spaced_init(&p);
	add_node(&p, MATH, 0xc0);
	m = spaced_make(&p);
	expect_name(&m, MATH, 0xc0, "cos@libm.so");
	arena_free(&p.mem);
}

static void code_of_no_module_has_symbols(void **state)
{
	struct address_space_maker m;
	struct spaced p;
	sym_id seen;

	(void)state;
	spaced_init(&p);
	add_node(&p, RECORDED_NONE, 0x50000);
	add_node(&p, PROGRAM, 0x2000);
	add_node(&p, RECORDED_NONE, RECORDED_WAITING);
	m = spaced_make(&p);
	expect_name(&m, RECORDED_NONE, 0x50000, "[code]");
	expect_name(&m, PROGRAM, 0x2000, "[prog]");
	expect_name(&m, RECORDED_NONE, RECORDED_WAITING, "[waiting: syscall 0]");
	seen = address_space_note(&m, PROGRAM, 0x10ff);
	assert_int_equal(seen, 0);
	arena_free(&p.mem);
}

static void each_system_call_has_a_row(void **state)
{
	enum { NCALLS = 100 };
	struct address_space_maker m;
	struct analysis analysis = { 0 };
	struct object_rows objects;
	struct program program;
	struct spaced p;
	double *self;

	(void)state;
	spaced_init(&p);
	for (unsigned i = 0; i < NCALLS; i++)
		add_node(&p, RECORDED_NONE, RECORDED_WAITING + i);
	m = spaced_make(&p);
	program = p.program;
	program.symtab = m.symtab;
	program.address_space = &m.address_space;
	analysis.program = &program;
	analysis.graph.nnodes = m.symtab.nsyms;
	self = arena_array(&p.mem, double, m.symtab.nsyms);
	for (sym_id s = 0; s < m.symtab.nsyms; s++)
		self[s] = s + 1;
	analysis.costs.self = self;
	objects = objects_add_up(&analysis, &p.mem);
	assert_int_equal(objects.n, NCALLS + 1);
	for (sym_id s = 0; s < m.symtab.nsyms; s++) {
		assert_int_equal(objects.of[s], s);
		assert_true(objects.at[s].ticks == s + 1);
	}
	arena_free(&p.mem);
}

static void a_program_may_leave_no_room(void **state)
{
	static const struct sym high[] = { { UINT64_MAX - 16, UINT64_MAX, "high", SYM_FUNC, 0 } };
	const struct symtab kernel = { high, 1 };
	struct spaced p;

	(void)state;
	spaced_init(&p);
	assert_true(address_space_has_room(&p.program.symtab, &p.recorded));
	assert_false(address_space_has_room(&kernel, &p.recorded));
	arena_free(&p.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_loaded_twice_is_one_object),
		cmocka_unit_test(only_modules_with_addresses_are_used),
		cmocka_unit_test(modules_come_after_the_program),
		cmocka_unit_test(names_that_no_other_has_are_short),
		cmocka_unit_test(code_of_no_module_has_symbols),
		cmocka_unit_test(each_system_call_has_a_row),
		cmocka_unit_test(a_program_may_leave_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

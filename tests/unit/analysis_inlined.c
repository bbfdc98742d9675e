/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that were inlined, as symbols of their own with samples, calls and stacks. */
#include "workedlines.h"

#include "analysis/functions/inlined.h"

/* The worked example with a symbol for step(). */
struct apart {
	struct worked w;
	struct inlined inlined;
	struct symtab symtab;
};

static void apart_init(struct apart *p)
{
	worked_init(&p->w);
	p->symtab = inlined_find_sampled(&p->inlined, &p->w.profile, &p->w.program, &p->w.lines,
					 &p->w.mem);
}

static void sampled_functions_become_symbols(void **state)
{
	struct apart p;
	const struct sym *sym;

	(void)state;
	apart_init(&p);
	assert_int_equal(p.symtab.nsyms, NFUNCTIONS + 1);
	assert_memory_equal(p.symtab.sym, worked_sym, sizeof(worked_sym));
	sym = &p.symtab.sym[NFUNCTIONS];
	assert_string_equal(sym->name, "step (inlined)");
	assert_true(sym->flags & SYM_INLINED);
	assert_true(sym->lo >= ADDRESS_SPACE_STRIDE);
	assert_int_equal(inlined_find(&p.inlined, worked_step, worked_step_h, 0x128), NFUNCTIONS);
	assert_int_equal(inlined_find(&p.inlined, worked_step, worked_leaf_c, 0x128), SYM_NONE);
	arena_free(&p.w.mem);
}

static void functions_without_samples_do_not(void **state)
{
	struct apart p;

	(void)state;
	worked_init(&p.w);
	p.w.ticks[2] = 0;
	p.symtab =
		inlined_find_sampled(&p.inlined, &p.w.profile, &p.w.program, &p.w.lines, &p.w.mem);
	assert_int_equal(p.symtab.nsyms, NFUNCTIONS);
	arena_free(&p.w.mem);
}

static void ticks_go_to_the_innermost_function(void **state)
{
	struct selection sel;
	const struct ticks whole = { NULL, 6.0 };
	struct ticks ticks;
	struct apart p;

	(void)state;
	apart_init(&p);
	sel.flat = bitset_empty(&p.w.mem, p.symtab.nsyms);
	for (sym_id s = 0; s < p.symtab.nsyms; s++)
		bitset_add(sel.flat, s);
	ticks = inlined_ticks(&p.inlined, &p.w.profile, &p.symtab, &sel, &whole, &p.w.mem);
	assert_same_double(ticks.self[MAIN], 2.0);
	assert_same_double(ticks.self[LEAF], 2.0);
	assert_same_double(ticks.self[NFUNCTIONS], 2.0);
	assert_same_double(ticks.total, 6.0);
	/* Unless it is not to have any. */
	bitset_remove(sel.flat, NFUNCTIONS);
	ticks = inlined_ticks(&p.inlined, &p.w.profile, &p.symtab, &sel, &whole, &p.w.mem);
	assert_same_double(ticks.self[LEAF], 4.0);
	assert_same_double(ticks.self[NFUNCTIONS], 0.0);
	arena_free(&p.w.mem);
}

static void chains_go_out_to_the_symbol(void **state)
{
	struct inlined_chain chain;
	struct apart p;

	(void)state;
	apart_init(&p);
	inlined_chain(&chain, &p.inlined, LEAF, 0x12c);
	assert_int_equal(chain.n, 2);
	assert_int_equal(chain.symbol[0], NFUNCTIONS);
	assert_int_equal(chain.at[0].line, 9);
	assert_int_equal(chain.symbol[1], LEAF);
	assert_int_equal(chain.at[1].line, 4);
	inlined_chain(&chain, &p.inlined, MAIN, 0x104);
	assert_int_equal(chain.n, 1);
	assert_int_equal(chain.symbol[0], MAIN);
	arena_free(&p.w.mem);
}

static void calls_are_made_by_the_inlined_function(void **state)
{
	struct arc arcs[] = { { LEAF, MAIN, 1 }, { MAIN, LEAF, 1 } };
	const uint32_t raw_of[] = { 3, 0 };
	struct apart p;

	(void)state;
	apart_init(&p);
	array_push(&p.w.mem, &p.w.profile.arcs) = (struct raw_arc){ 0x12c, 0x100, 1 };
	inlined_move_arcs(&p.inlined, &p.w.profile, arcs, COUNT(arcs), raw_of);
	assert_int_equal(arcs[0].from, NFUNCTIONS);
	assert_int_equal(arcs[1].from, MAIN);
	arena_free(&p.w.mem);
}

static void locations_are_first_lines(void **state)
{
	struct location locations[NFUNCTIONS + 1] = { { worked_main_c, 5 } };
	struct apart p;

	(void)state;
	apart_init(&p);
	inlined_locate(&p.inlined, locations);
	assert_ptr_equal(locations[NFUNCTIONS].file, worked_step_h);
	assert_int_equal(locations[NFUNCTIONS].line, 9);
	assert_int_equal(locations[MAIN].line, 5);
	arena_free(&p.w.mem);
}

static void the_share_is_of_all_samples(void **state)
{
	struct recorded recorded = { 0 };
	struct inlined_share share;
	struct apart p;

	(void)state;
	apart_init(&p);
	share = inlined_share_of_bins(&p.w.profile, &p.w.program.symtab, &p.w.lines);
	assert_same_double(share.inlined, 2.0);
	assert_same_double(share.all, 6.0);
	array_push(&p.w.mem, &recorded.modules) = (struct module){ .flags = MODULE_PROGRAM };
	array_push(&p.w.mem, &recorded.nodes) = (struct recorded_node){ RECORDED_NONE, 0, 0x12c };
	array_push(&p.w.mem, &recorded.nodes) = (struct recorded_node){ RECORDED_NONE, 0, 0x104 };
	array_push(&p.w.mem, &recorded.samples) = (struct recorded_sample){ .node = 0, .ticks = 3 };
	array_push(&p.w.mem, &recorded.samples) = (struct recorded_sample){ .node = 1, .ticks = 5 };
	/* What the inlined function calls: in a library, and in the program. */
	array_push(&p.w.mem, &recorded.modules) = (struct module){ .flags = 0 };
	array_push(&p.w.mem, &recorded.nodes) = (struct recorded_node){ 0, 1, 0x777 };
	array_push(&p.w.mem, &recorded.nodes) = (struct recorded_node){ 2, 0, 0x104 };
	array_push(&p.w.mem, &recorded.samples) = (struct recorded_sample){ .node = 2, .ticks = 7 };
	array_push(&p.w.mem, &recorded.samples) = (struct recorded_sample){ .node = 3, .ticks = 1 };
	share = inlined_share_of_stacks(&recorded, &p.w.lines, &p.w.mem);
	assert_same_double(share.inlined, 11.0);
	assert_same_double(share.all, 16.0);
	arena_free(&p.w.mem);
}

static void stacks_get_a_frame_for_each_function(void **state)
{
	static const sym_id frame[] = { MAIN, LEAF };
	struct recorded recorded = { 0 };
	struct symbolized_stacks symbolized = { .recorded = &recorded, .frame = frame }, expanded;
	struct apart p;

	(void)state;
	worked_init(&p.w);
	array_push(&p.w.mem, &recorded.modules) = (struct module){ .flags = MODULE_PROGRAM };
	array_push(&p.w.mem, &recorded.nodes) = (struct recorded_node){ RECORDED_NONE, 0, 0x114 };
	array_push(&p.w.mem, &recorded.nodes) = (struct recorded_node){ 0, 0, 0x12c };
	array_push(&p.w.mem, &recorded.samples) = (struct recorded_sample){ .node = 1, .ticks = 3 };
	symbolized.symtab = p.w.program.symtab;
	symbolized.skipped = bitset_empty(&p.w.mem, NFUNCTIONS);
	symbolized.address_space = (struct address_space){ .recorded = &recorded,
							   .base = ADDRESS_SPACE_STRIDE,
							   .own = 0 };
	expanded = inlined_find_on_stacks(&p.inlined, &symbolized, &symbolized.address_space,
					  &p.w.lines, &p.w.mem);
	assert_int_equal(expanded.recorded->nodes.n, 3);
	assert_int_equal(expanded.frame[0], MAIN);
	assert_int_equal(expanded.frame[1], LEAF);
	assert_int_equal(expanded.frame[2], NFUNCTIONS);
	assert_int_equal(expanded.recorded->nodes.at[2].parent, 1);
	assert_int_equal(expanded.recorded->samples.at[0].node, 2);
	arena_free(&p.w.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sampled_functions_become_symbols),
		cmocka_unit_test(functions_without_samples_do_not),
		cmocka_unit_test(ticks_go_to_the_innermost_function),
		cmocka_unit_test(chains_go_out_to_the_symbol),
		cmocka_unit_test(calls_are_made_by_the_inlined_function),
		cmocka_unit_test(locations_are_first_lines),
		cmocka_unit_test(the_share_is_of_all_samples),
		cmocka_unit_test(stacks_get_a_frame_for_each_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

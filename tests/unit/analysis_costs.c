/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of one analysis from stacks and from samples with calls: by hand. */
#include "stackset.h"

#include "analysis/costs_estimate.h"
#include "analysis/costs_measure.h"

enum { NSYMS = 4, BIN = 16 };

/* Functions "a" to "d" of one bin each. Points into itself: not to be copied. */
struct fixture {
	struct stack_set set;
	struct program program;
	struct profile profile;
	struct hist hist;
	uint64_t bins[NSYMS];
	struct stacks_choice choice;
	struct progress progress;
	struct analysis a;
};

static void init(struct fixture *f)
{
	struct arena *mem = &f->set.mem;

	*f = (struct fixture){ 0 };
	set_init(&f->set, NSYMS);
	for (uint32_t s = 0; s < NSYMS; s++)
		f->set.sym[s].flags = SYM_FUNC;
	f->program.symtab = f->set.symbolized.symtab;
	f->hist = (struct hist){ 0, NSYMS * BIN, NSYMS, f->bins };
	array_push(mem, &f->profile.hists) = f->hist;
	f->profile.has_hists = true;
	f->choice.symbolized = &f->set.symbolized;
	f->a = (struct analysis){ .program = &f->program, .profile = &f->profile };
	f->a.selection = (struct selection){
		.flat = bitset_empty(mem, NSYMS),
		.graph_on = bitset_empty(mem, NSYMS),
		.graph_off = bitset_empty(mem, NSYMS),
		.time_on = bitset_empty(mem, NSYMS),
		.time_off = bitset_empty(mem, NSYMS),
	};
	for (uint32_t s = 0; s < NSYMS; s++) {
		bitset_add(f->a.selection.flat, s);
		bitset_add(f->a.selection.graph_on, s);
		bitset_add(f->a.selection.time_on, s);
	}
}

static void add_arc(struct fixture *f, sym_id from, sym_id to, uint64_t ncalls)
{
	array_push(&f->set.mem, &f->profile.arcs) =
		(struct raw_arc){ BIN * (uint64_t)from, BIN * (uint64_t)to, ncalls };
}

/* a calls b and c, which call d; calls by a of c, and by c, were not counted. */
static void measure(struct fixture *f)
{
	add_arc(f, 0, 1, 3);
	add_arc(f, 1, 3, 3);
	set_add(&f->set, "abd", 2);
	set_add(&f->set, "ab", 1);
	set_add(&f->set, "acd", 6);
	set_measure(&f->set);
	costs_measure(&f->a, &f->choice, &f->progress, &f->set.mem);
}

static struct arc_cost cost(const struct fixture *f, const struct arc_cost *costs, sym_id from,
			    sym_id to)
{
	const struct graph *g = &f->a.graph;

	for (uint32_t i = g->out[from]; i < g->out[from + 1]; i++) {
		if (g->arc[i].to == to)
			return costs[i];
	}
	fail_msg("no arc from %u to %u", from, to);
	return costs[0];
}

static void expect(const double *got, double a, double b, double c, double d)
{
	const double expected[NSYMS] = { a, b, c, d };

	for (uint32_t s = 0; s < NSYMS; s++)
		assert_true(got[s] == expected[s]);
}

static void measured(void **state)
{
	struct fixture f;
	const struct costs *costs = &f.a.costs;

	(void)state;
	init(&f);
	measure(&f);
	assert_true(costs->origin.measured);
	assert_int_equal(costs->origin.quality[STACK_COMPLETE], 9);
	expect(costs->self, 0, 1, 0, 8);
	expect(costs->children, 9, 2, 6, 0);
	assert_true(costs->total == 9 && costs->all == 9 && costs->graph.total == 9);
	assert_int_equal(f.a.cycles.ncycles, 0);
	assert_int_equal(f.a.graph.narcs, 4); /* a > c and c > d were not counted */
	assert_int_equal(costs->calls.outer[3], 3);
	assert_true(cost(&f, costs->graph.up, 2, 3).self == 6);
	assert_true(cost(&f, costs->graph.down, 0, 1).children == 2);
	assert_true(costs_arc_sum(&costs->graph.root[0]) == 9);
	assert_true(costs_inclusive(costs, 1) == 3);
	assert_null(costs->waits.self);
	/* No array is there twice. */
	assert_ptr_equal(costs->self, costs->own);
	assert_ptr_equal(costs->self, costs->graph.self);
	assert_ptr_equal(costs->credited.up, costs->graph.up);
	arena_free(&f.set.mem);
}

/* Exports have no stacks that end in d; inclusive time of the text reports has. */
static void left_out_of_the_flat_profile(void **state)
{
	struct fixture f;
	const struct costs *costs = &f.a.costs;

	(void)state;
	init(&f);
	bitset_remove(f.a.selection.flat, 3);
	measure(&f);
	expect(costs->self, 0, 1, 0, 0);
	expect(costs->own, 0, 1, 0, 8);
	assert_true(costs->total == 1 && costs->all == 9);
	expect(costs->children, 9, 2, 6, 0);
	expect(costs->credited.children, 1, 0, 0, 0);
	assert_true(costs_arc_sum(&costs->credited.root[0]) == 1);
	assert_true(costs_arc_sum(&costs->graph.root[0]) == 9);
	arena_free(&f.set.mem);
}

/* Time that the user takes out of the call graph is in all other reports. */
static void time_of_the_graph_alone(void **state)
{
	struct fixture f;
	const struct costs *costs = &f.a.costs;

	(void)state;
	init(&f);
	bitset_remove(f.a.selection.time_on, 0);
	bitset_remove(f.a.selection.time_on, 3);
	bitset_remove(f.a.selection.time_on, 2);
	f.choice.chosen_time = true;
	measure(&f);
	expect(costs->self, 0, 1, 0, 8);
	expect(costs->graph.self, 0, 1, 0, 2);
	assert_true(costs->graph.total == 3 && costs->total == 9);
	expect(costs->credited.children, 9, 2, 6, 0);
	arena_free(&f.set.mem);
}

/* The same program by samples and calls: d's time is divided by its calls. */
static void estimated(void **state)
{
	struct fixture f;
	const struct costs *costs = &f.a.costs;

	(void)state;
	init(&f);
	f.bins[1] = 1;
	f.bins[3] = 8;
	add_arc(&f, 0, 1, 3);
	add_arc(&f, 0, 2, 1);
	add_arc(&f, 1, 3, 3);
	add_arc(&f, 2, 3, 1);
	costs_estimate(&f.a, &f.progress, &f.set.mem);
	assert_false(costs->origin.measured);
	assert_int_equal(costs->origin.start, SYM_NONE);
	expect(costs->self, 0, 1, 0, 8);
	expect(costs->children, 9, 6, 2, 0);
	assert_ptr_equal(costs->own, costs->self);
	assert_ptr_equal(costs->graph.up, costs->graph.down);
	assert_true(cost(&f, costs->graph.up, 2, 3).self == 2);
	assert_true(costs->total == 9 && costs->all == 9);
	assert_null(costs->graph.root);
	arena_free(&f.set.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measured),
		cmocka_unit_test(left_out_of_the_flat_profile),
		cmocka_unit_test(time_of_the_graph_alone),
		cmocka_unit_test(estimated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

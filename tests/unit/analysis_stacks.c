/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths from calls: by hand, against a slow and obvious version, and what always holds. */
#include "testing.h"

#include "analysis/graph/cycles.h"
#include "analysis/graph/graph.h"
#include "analysis/stacks/estimate.h"
#include "slow_gprof.h"

enum { MANY = 1000000, FUNCTIONS = 64 };

/* A graph with times, and the tree made from it. */
struct fixture {
	struct graph graph;
	struct cycles cycles;
	uint64_t *self, *samples;
	struct bitset shown;
	struct stacks stacks;
};

static struct fixture make(uint32_t nsyms, const struct arc *arcs, size_t n, struct arena *mem)
{
	struct fixture f = {
		.graph = graph_build(nsyms, arcs, n, mem),
		.self = arena_array(mem, uint64_t, nsyms),
		.samples = arena_array(mem, uint64_t, nsyms),
		.shown = bitset_empty(mem, nsyms),
	};

	f.cycles = cycles_find(&f.graph, mem);
	for (sym_id s = 0; s < nsyms; s++)
		bitset_add(f.shown, s);
	return f;
}

static void estimate(struct fixture *f, uint32_t depth, uint64_t paths, struct arena *mem)
{
	const struct stacks_input input = { f->self, f->samples, f->shown };
	const struct stacks_limits limits = { depth, paths };

	f->stacks = estimate_stacks(&f->graph, &f->cycles, &input, &limits, mem);
}

/* Functions as letters, the rest as '*': "abc" is c called by b called by a. */
static void path_of(const struct stacks *s, uint32_t node, char *text)
{
	uint32_t depth = s->node[node].depth;

	text[depth + 1] = '\0';
	for (uint32_t i = node; i != STACKS_NONE; i = s->node[i].parent) {
		sym_id function = s->node[i].function;

		assert_int_equal(s->node[i].depth, depth);
		text[depth--] = (char)(function == STACKS_REST ? '*' : 'a' + (int)function);
	}
}

/* All nodes in order, "PATH SELF" each. */
static void expect_tree(const struct fixture *f, const char *expected)
{
	char got[1000] = "", path[FUNCTIONS + 1];

	for (uint32_t i = 0; i < f->stacks.n; i++) {
		size_t len = strlen(got);

		path_of(&f->stacks, i, path);
		snprintf(got + len, sizeof(got) - len, "%s%s %llu", i ? ", " : "", path,
			 (unsigned long long)f->stacks.node[i].self);
	}
	assert_string_equal(got, expected);
}

static void time_is_divided_by_calls(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 1 }, { 0, 2, 1 }, { 1, 3, 3 }, { 2, 3, 1 } };
	struct arena mem = test_arena();
	struct fixture f = make(4, arcs, COUNT(arcs), &mem);

	(void)state;
	f.self[0] = 10;
	f.self[3] = 101;
	estimate(&f, 10, 10, &mem);
	expect_tree(&f, "a 10, ab 0, abd 76, ac 0, acd 25");
	assert_int_equal(f.stacks.total, 111);
	assert_int_equal(f.stacks.node[0].total, 111);
	assert_int_equal(f.stacks.node[1].total, 76);
	assert_int_equal(f.stacks.node[0].end, 5);
	assert_int_equal(f.stacks.node[1].end, 3);
	assert_int_equal(f.stacks.depth, 2);
	assert_true(f.stacks.estimated);
	arena_free(&mem);
}

static void samples_are_divided_too(void **state)
{
	static const struct arc arcs[] = { { 0, 2, 1 }, { 1, 2, 1 } };
	struct arena mem = test_arena();
	struct fixture f = make(3, arcs, COUNT(arcs), &mem);

	(void)state;
	f.self[2] = 30;
	f.samples[2] = 3;
	estimate(&f, 10, 10, &mem);
	expect_tree(&f, "a 0, ac 15, b 0, bc 15");
	assert_int_equal(f.stacks.node[1].samples, 2);
	assert_int_equal(f.stacks.node[3].samples, 1);
	assert_int_equal(f.stacks.node[0].total_samples, 2);
	assert_int_equal(f.stacks.samples, 3);
	arena_free(&mem);
}

/* b and c call each other; b is the one that a calls. c also calls itself. */
static void recursion_is_cut(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 2 }, { 1, 2, 9 }, { 2, 1, 8 }, { 2, 2, 100 } };
	struct arena mem = test_arena();
	struct fixture f = make(3, arcs, COUNT(arcs), &mem);

	(void)state;
	f.self[1] = 5;
	f.self[2] = 7;
	estimate(&f, 10, 10, &mem);
	expect_tree(&f, "a 0, ab 5, abc 7");
	arena_free(&mem);
}

/* A cycle that nobody calls begins with the member that is called least, not the first. */
static void cycle_without_callers(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 50 }, { 1, 0, 20 }, { 2, 0, 30 }, { 1, 2, 3 } };
	struct arena mem = test_arena();
	struct fixture f = make(3, arcs, COUNT(arcs), &mem);

	(void)state;
	f.self[0] = f.self[1] = f.self[2] = 4;
	estimate(&f, 10, 10, &mem);
	expect_tree(&f, "c 4, ca 4, cab 4");
	arena_free(&mem);
}

static void calls_never_made_are_no_paths(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 0 }, { 1, 0, 3 }, { 1, 2, 0 } };
	struct arena mem = test_arena();
	struct fixture f = make(3, arcs, COUNT(arcs), &mem);

	(void)state;
	f.self[0] = 1;
	f.self[2] = 2;
	estimate(&f, 10, 10, &mem);
	expect_tree(&f, "c 2, b 0, ba 1");
	arena_free(&mem);
}

/* What is not to be shown is on no path; what it calls begins one. */
static void some_are_not_shown(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 1 }, { 1, 2, 1 }, { 0, 2, 3 } };
	struct arena mem = test_arena();
	struct fixture f = make(3, arcs, COUNT(arcs), &mem);

	(void)state;
	f.self[2] = 8;
	bitset_remove(f.shown, 1);
	estimate(&f, 10, 10, &mem);
	expect_tree(&f, "a 0, ac 8");
	bitset_remove(f.shown, 0);
	estimate(&f, 10, 10, &mem);
	expect_tree(&f, "c 8");
	arena_free(&mem);
}

static void what_is_beyond_the_depth_is_rest(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 1 }, { 1, 2, 1 }, { 2, 3, 1 } };
	struct arena mem = test_arena();
	struct fixture f = make(4, arcs, COUNT(arcs), &mem);

	(void)state;
	for (sym_id s = 0; s < 4; s++)
		f.self[s] = s + 1;
	estimate(&f, 2, 10, &mem);
	expect_tree(&f, "a 1, ab 2, ab* 7");
	estimate(&f, 1, 10, &mem);
	expect_tree(&f, "a 1, a* 9");
	estimate(&f, 4, 10, &mem);
	expect_tree(&f, "a 1, ab 2, abc 3, abcd 4");
	arena_free(&mem);
}

/* The most expected time first: b with all below it, then c, then d behind b. */
static void what_exceeds_the_number_is_rest(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 1 }, { 0, 2, 1 }, { 1, 3, 1 } };
	struct arena mem = test_arena();
	struct fixture f = make(5, arcs, COUNT(arcs), &mem);

	(void)state;
	f.self[1] = 10;
	f.self[2] = 8;
	f.self[3] = 5;
	f.self[4] = 1;
	estimate(&f, 10, 1, &mem);
	expect_tree(&f, "a 0, a* 23, * 1");
	estimate(&f, 10, 2, &mem);
	expect_tree(&f, "a 0, ab 10, ab* 5, a* 8, * 1");
	estimate(&f, 10, 3, &mem);
	expect_tree(&f, "a 0, ab 10, ab* 5, ac 8, * 1");
	estimate(&f, 10, 5, &mem);
	expect_tree(&f, "a 0, ab 10, abd 5, ac 8, e 1");
	arena_free(&mem);
}

static void nothing_makes_an_empty_tree(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 1 } };
	struct arena mem = test_arena();
	struct fixture f = make(2, arcs, COUNT(arcs), &mem);

	(void)state;
	estimate(&f, 1, 1, &mem);
	assert_int_equal(f.stacks.n, 0);
	assert_int_equal(f.stacks.total, 0);
	f = make(0, arcs, 0, &mem);
	estimate(&f, 1, 1, &mem);
	assert_int_equal(f.stacks.n, 0);
	arena_free(&mem);
}

/* Far more than the formats hold: it adds up, as far as numbers go. */
static void large_times(void **state)
{
	static const struct arc arcs[] = { { 0, 2, UINT64_MAX }, { 1, 2, 1 } };
	struct arena mem = test_arena();
	struct fixture f = make(3, arcs, COUNT(arcs), &mem);

	(void)state;
	f.self[2] = INT64_MAX;
	estimate(&f, 10, 10, &mem);
	assert_int_equal(f.stacks.total, INT64_MAX);
	assert_int_equal(f.stacks.n, 4);
	assert_int_equal(f.stacks.node[1].self + f.stacks.node[3].self, INT64_MAX);
	arena_free(&mem);
}

/* The same without heap, order or bounds: paths by recursion, each with its share. */
struct slow {
	const struct fixture *f;
	bool *cut; /* by arc */
	int *state;
	double *ncalls;
	uint32_t npaths;
	char path[FUNCTIONS + 1];
};

static bool is_earlier(const struct graph *g, uint32_t x, uint32_t y)
{
	return g->arc[x].ncalls != g->arc[y].ncalls ? g->arc[x].ncalls > g->arc[y].ncalls : x < y;
}

static void slow_cut(struct slow *slow, sym_id s)
{
	const struct graph *g = &slow->f->graph;
	uint32_t last = UINT32_MAX;

	slow->state[s] = 1;
	for (uint32_t n = g->out[s]; n < g->out[s + 1]; n++) {
		uint32_t next = UINT32_MAX;

		for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++) {
			if ((last == UINT32_MAX || is_earlier(g, last, i)) &&
			    (next == UINT32_MAX || is_earlier(g, i, next)))
				next = i;
		}
		last = next;
		slow->cut[next] = g->arc[next].ncalls == 0 || slow->state[g->arc[next].to] == 1;
		if (!slow->cut[next]) {
			slow->ncalls[g->arc[next].to] += (double)g->arc[next].ncalls;
			if (slow->state[g->arc[next].to] == 0)
				slow_cut(slow, g->arc[next].to);
		}
	}
	slow->state[s] = 2;
}

static double slow_below(const struct slow *slow, sym_id s)
{
	const struct graph *g = &slow->f->graph;
	double below = (double)slow->f->self[s];

	for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++) {
		const struct arc *arc = &g->arc[i];

		if (!slow->cut[i])
			below += slow_below(slow, arc->to) * (double)arc->ncalls /
				 slow->ncalls[arc->to];
	}
	return below;
}

/* The path is in the tree if there is any time on it, with its share of the time to 1. */
static void slow_path(struct slow *slow, sym_id s, uint32_t depth, double share)
{
	const struct graph *g = &slow->f->graph;
	const struct stacks *stacks = &slow->f->stacks;
	char path[FUNCTIONS + 1];
	double self = share * (double)slow->f->self[s];
	uint32_t found = 0;

	slow->path[depth] = (char)('a' + (int)s);
	slow->path[depth + 1] = '\0';
	if (slow_below(slow, s) == 0.0)
		return;
	slow->npaths++;
	for (uint32_t i = 0; i < stacks->n; i++) {
		path_of(stacks, i, path);
		if (strcmp(path, slow->path) == 0) {
			assert_true((double)stacks->node[i].self > self - 1.001);
			assert_true((double)stacks->node[i].self < self + 1.001);
			found++;
		}
	}
	if (found != 1)
		fail_msg("%s is there %u times", slow->path, found);
	for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++) {
		const struct arc *arc = &g->arc[i];

		slow->path[depth + 1] = '\0';
		if (!slow->cut[i])
			slow_path(slow, arc->to, depth + 1,
				  share * (double)arc->ncalls / slow->ncalls[arc->to]);
	}
}

static void compare_with_slow(const struct fixture *f, struct arena *mem)
{
	uint32_t n = f->graph.nnodes;
	struct slow slow = {
		.f = f,
		.cut = arena_array(mem, bool, f->graph.narcs),
		.state = arena_array(mem, int, n),
		.ncalls = arena_array(mem, double, n),
	};

	for (uint32_t i = n; i-- > 0;) {
		sym_id s = f->cycles.topo[i], start = s;
		uint32_t cycle = f->cycles.of_node[s];
		double least = -1.0;

		for (sym_id m = 0; cycle && m < n; m++) {
			double ncalls = 0.0;

			if (f->cycles.of_node[m] != cycle)
				continue;
			if (slow.state[m] != 0) {
				start = SYM_NONE;
				break;
			}
			for (uint32_t a = 0; a < f->graph.narcs; a++) {
				const struct arc *arc = &f->graph.arc[a];

				if (arc->to == m && arc->from != m &&
				    f->cycles.of_node[arc->from] == cycle)
					ncalls += (double)arc->ncalls;
			}
			if (least < 0.0 || ncalls < least) {
				least = ncalls;
				start = m;
			}
		}
		if (start != SYM_NONE && slow.state[start] == 0)
			slow_cut(&slow, start);
	}
	for (sym_id s = 0; s < n; s++) {
		if (slow.state[s] == 0)
			slow_cut(&slow, s);
	}
	for (sym_id s = 0; s < n; s++) {
		if (slow.ncalls[s] == 0.0)
			slow_path(&slow, s, 0, 1.0);
	}
	assert_int_equal(slow.npaths, f->stacks.n);
}

/* What holds of any tree: sums, order, bounds. `rests` if there may be any. */
static void check_tree(const struct fixture *f, uint32_t depth, uint64_t paths, bool rests,
		       struct arena *mem)
{
	uint64_t *self = arena_array(mem, uint64_t, f->graph.nnodes), all = 0, samples = 0;
	uint64_t total = 0, npaths = 0;
	const struct stacks *s = &f->stacks;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct stack_node *node = &s->node[i];
		uint64_t below = node->self, samples_below = node->samples;

		for (uint32_t c = i + 1; c < node->end; c++) {
			below += s->node[c].self;
			samples_below += s->node[c].samples;
		}
		assert_true(below == node->total && samples_below == node->total_samples);
		assert_true(node->end > i && node->end <= s->n && node->depth <= s->depth);
		if (node->parent == STACKS_NONE) {
			assert_int_equal(node->depth, 0);
		} else {
			assert_true(node->parent < i && node->end <= s->node[node->parent].end);
			assert_int_equal(node->depth, s->node[node->parent].depth + 1);
		}
		all += node->self;
		samples += node->samples;
		if (node->function == STACKS_REST) {
			assert_true(rests && node->depth <= depth);
			continue;
		}
		assert_true(node->depth < depth);
		npaths++;
		self[node->function] += node->self;
	}
	for (sym_id f_id = 0; f_id < f->graph.nnodes; f_id++) {
		total += f->self[f_id];
		assert_true(rests ? self[f_id] <= f->self[f_id] : self[f_id] == f->self[f_id]);
	}
	assert_true(npaths <= paths);
	assert_true(all == total && s->total == total && samples == s->samples);
}

static void random_graphs(void **state)
{
	static const uint32_t depths[] = { 1, 2, 3, 5 };
	uint64_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 600; round++) {
		struct arena mem = test_arena();
		uint32_t nsyms = 1 + random_below(&seed, 9), n = random_below(&seed, 18);
		struct fixture f = make(nsyms, slow_random_arcs(nsyms, n, &seed, &mem), n, &mem);

		for (sym_id s = 0; s < nsyms; s++) {
			f.samples[s] = random_below(&seed, 4);
			f.self[s] = f.samples[s] * (round % 2 ? 1 : 10000000);
		}
		estimate(&f, MANY, MANY, &mem);
		check_tree(&f, MANY, MANY, false, &mem);
		compare_with_slow(&f, &mem);
		for (unsigned i = 0; i < COUNT(depths); i++) {
			uint64_t paths = 1 + random_below(&seed, 12);

			estimate(&f, depths[i], paths, &mem);
			check_tree(&f, depths[i], paths, true, &mem);
		}
		arena_free(&mem);
	}
}

/* Layers in which each function calls all of the next: 8 to the 40th paths. */
static void very_many_paths(void **state)
{
	enum { LAYERS = 40, WIDTH = 8, PATHS = 5000 };
	struct arena mem = test_arena();
	struct arc *arcs = arena_array(&mem, struct arc, (LAYERS - 1) * WIDTH * WIDTH);
	struct fixture f;
	uint32_t n = 0;

	(void)state;
	for (uint32_t i = 0; i < (LAYERS - 1) * WIDTH * WIDTH; i++) {
		uint32_t from = i / WIDTH;

		arcs[n++] = (struct arc){ from, (from / WIDTH + 1) * WIDTH + i % WIDTH, 1 + i % 7 };
	}
	f = make(LAYERS * WIDTH, arcs, n, &mem);
	for (sym_id s = 0; s < LAYERS * WIDTH; s++)
		f.self[s] = 10000000;
	estimate(&f, 128, PATHS, &mem);
	check_tree(&f, 128, PATHS, true, &mem);
	assert_true(f.stacks.n > PATHS);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_divided_by_calls),
		cmocka_unit_test(samples_are_divided_too),
		cmocka_unit_test(recursion_is_cut),
		cmocka_unit_test(cycle_without_callers),
		cmocka_unit_test(calls_never_made_are_no_paths),
		cmocka_unit_test(some_are_not_shown),
		cmocka_unit_test(what_is_beyond_the_depth_is_rest),
		cmocka_unit_test(what_exceeds_the_number_is_rest),
		cmocka_unit_test(nothing_makes_an_empty_tree),
		cmocka_unit_test(large_times),
		cmocka_unit_test(random_graphs),
		cmocka_unit_test(very_many_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

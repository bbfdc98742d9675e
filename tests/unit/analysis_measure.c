/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times from recorded stacks: by hand, against the definitions taken word by word, and at size. */
#include "stackset.h"

enum { RANDOM_SETS = 1000, NOBODY = MAX_SYMBOLS };

/* "from>to up.self/up.all down.self/down.all", nobody as "-". */
static void expect_pairs(const struct stack_set *set, const char *expected)
{
	char got[1000] = "";

	for (uint32_t i = 0; i < set->measured.npairs; i++) {
		const struct measured_pair *pair = &set->measured.pair[i];
		size_t len = strlen(got);

		snprintf(got + len, sizeof(got) - len, "%s%s>%s %llu/%llu %llu/%llu", i ? ", " : "",
			 pair->from == SYM_NONE ? "-" : set->sym[pair->from].name,
			 set->sym[pair->to].name, (unsigned long long)pair->up.self,
			 (unsigned long long)pair->up.all, (unsigned long long)pair->down.self,
			 (unsigned long long)pair->down.all);
	}
	assert_string_equal(got, expected);
}

static void cheap_and_costly(void **state)
{
	struct stack_set set;

	(void)state;
	set_init(&set, 4);
	set_add(&set, "abd", 5);
	set_add(&set, "acd", 195);
	set_add(&set, "ac", 1);
	set_measure(&set);
	expect_tree(&set, "a 0/201, ac 1/196, acd 195/195, ab 0/5, abd 5/5");
	expect_pairs(&set, "a>b 0/5 0/5, a>c 1/196 1/196, b>d 5/5 5/5, c>d 195/195 195/195, "
			   "->a 0/201 0/0");
	assert_int_equal(set.measured.self[3], 200);
	assert_int_equal(set.measured.inclusive[3], 200);
	assert_int_equal(set.measured.inclusive[2], 196);
	assert_int_equal(set.measured.total, 201);
	assert_false(set.stacks.estimated);
	assert_int_equal(set.stacks.depth, 2);
	arena_free(&set.mem);
}

/* A function that calls itself is there once; the calls among its own bring nothing. */
static void recursion_counts_once(void **state)
{
	struct stack_set set;

	(void)state;
	set_init(&set, 3);
	set_add(&set, "abbbb", 7);
	set_add(&set, "abb", 2);
	set_add(&set, "abbc", 1);
	set_measure(&set);
	assert_int_equal(set.measured.inclusive[1], 10);
	assert_int_equal(set.measured.self[1], 9);
	expect_pairs(&set, "a>b 9/10 9/10, b>b 0/0 0/0, b>c 1/1 1/1, ->a 0/10 0/0");
	arena_free(&set.mem);
}

/* Even and odd: the callers are those of the outermost, the callees those of the innermost. */
static void mutual_recursion(void **state)
{
	struct stack_set set;

	(void)state;
	set_init(&set, 4);
	set_add(&set, "abcbcbc", 4);
	set_add(&set, "abcbcbd", 3);
	set_measure(&set);
	assert_int_equal(set.measured.inclusive[1], 7);
	assert_int_equal(set.measured.inclusive[2], 7);
	expect_pairs(&set, "a>b 0/7 0/7, b>c 4/7 4/4, b>d 3/3 3/3, c>b 0/0 0/3, ->a 0/7 0/0");
	arena_free(&set.mem);
}

/* What section by section the definitions say, stack by stack. */
struct oracle {
	uint64_t self[MAX_SYMBOLS], inclusive[MAX_SYMBOLS], total;
	struct measured_pair pair[MAX_SYMBOLS + 1][MAX_SYMBOLS];
};

/* How many nodes at the outer end of n, the innermost first, are of the library that begins it. */
static uint32_t oracle_beginning(const struct stack_set *set, const uint32_t *nodes, uint32_t n,
				 uint32_t *first)
{
	uint32_t run = 0;
	sym_id library;

	*first = n > 1 && set->frame[nodes[n - 1]] == set->symbolized.start ? n - 1 : n;
	if (*first == 0)
		return 0;
	library = set->frame[nodes[*first - 1]];
	while (run < *first && set->sym[library].flags & SYM_WHOLE &&
	       set->frame[nodes[*first - 1 - run]] == library)
		run++;
	return run;
}

/* The functions of a stack from the innermost on. */
static uint32_t oracle_stack(const struct stack_set *set, const struct recorded_sample *sample,
			     sym_id *f)
{
	static uint32_t nodes[200 * MAX_DEPTH];
	uint32_t nnodes = 0, n = 0, kept = 0, first = 0, run;
	bool lacks = sample->quality == STACK_CUT || sample->quality == STACK_UNSEEN;

	for (uint32_t i = sample->node; i != RECORDED_NONE; i = set->recorded.nodes.at[i].parent)
		nodes[nnodes++] = i;
	run = sample->quality == STACK_BROKEN ? 0 : oracle_beginning(set, nodes, nnodes, &first);
	for (uint32_t i = 0; i < nnodes; i++)
		lacks &= set->frame[nodes[i]] != set->symbolized.cut;
	if (lacks)
		f[n++] =
			sample->quality == STACK_CUT ? set->symbolized.cut : set->symbolized.unseen;
	for (uint32_t i = 0; i < nnodes; i++) {
		bool begins = run > 0 && i < first && i >= first - run;

		if (!bitset_has(set->symbolized.skipped, set->frame[nodes[i]]) &&
		    (!begins || (i == 0 && !lacks)))
			f[n++] = set->frame[nodes[i]];
	}
	if (sample->quality == STACK_BROKEN)
		f[n++] = set->symbolized.broken;
	if (n == 0)
		f[n++] = set->frame[nodes[0]];
	for (uint32_t i = 0; i < n; i++) {
		if (i + 1 < n && f[i] == f[i + 1] && set->sym[f[i]].flags & SYM_WHOLE)
			continue;
		f[kept++] = f[i];
	}
	return kept;
}

static void oracle_add(struct oracle *o, const sym_id *f, uint32_t n, uint64_t w)
{
	bool seen[MAX_SYMBOLS] = { false };

	o->total += w;
	o->self[f[0]] += w;
	/* Outwards: the first of a function is its innermost. */
	for (uint32_t i = 0; i < n; i++) {
		if (!seen[f[i]] && f[i] != f[0]) {
			struct measured_ticks *down = &o->pair[f[i]][f[i - 1]].down;

			down->all += w;
			down->self += f[0] == f[i - 1] ? w : 0;
		}
		seen[f[i]] = true;
	}
	memset(seen, 0, sizeof(seen));
	for (uint32_t i = n; i-- > 0;) {
		if (!seen[f[i]]) {
			struct measured_ticks *up =
				&o->pair[i + 1 < n ? f[i + 1] : NOBODY][f[i]].up;

			o->inclusive[f[i]] += w;
			up->all += w;
			up->self += f[0] == f[i] ? w : 0;
		}
		seen[f[i]] = true;
	}
}

static void compare(const struct stack_set *set, const struct oracle *o)
{
	const struct measured *m = &set->measured;
	uint32_t at = 0;

	assert_int_equal(m->total, o->total);
	for (sym_id s = 0; s < set->symbolized.symtab.nsyms; s++) {
		assert_int_equal(m->self[s], o->self[s]);
		assert_int_equal(m->inclusive[s], o->inclusive[s]);
	}
	for (uint32_t from = 0; from <= NOBODY; from++) {
		for (uint32_t to = 0; to < MAX_SYMBOLS; to++) {
			const struct measured_pair *pair = &m->pair[at], *want = &o->pair[from][to];
			struct measured_pair none = { 0 };

			if (at < m->npairs && pair->to == to &&
			    pair->from == (from == NOBODY ? SYM_NONE : from))
				at++;
			else
				pair = &none;
			assert_memory_equal(&pair->up, &want->up, sizeof(pair->up));
			assert_memory_equal(&pair->down, &want->down, sizeof(pair->down));
		}
	}
	assert_int_equal(at, m->npairs);
}

/* Section 5's sums, exact to the tick, and what model/stacks.h says of trees. */
static void check_sums(const struct stack_set *set)
{
	const struct measured *m = &set->measured;
	uint64_t up[MAX_SYMBOLS] = { 0 }, up_self[MAX_SYMBOLS] = { 0 }, down[MAX_SYMBOLS] = { 0 };

	for (uint32_t i = 0; i < m->npairs; i++) {
		up[m->pair[i].to] += m->pair[i].up.all;
		up_self[m->pair[i].to] += m->pair[i].up.self;
		if (m->pair[i].from != SYM_NONE)
			down[m->pair[i].from] += m->pair[i].down.all;
	}
	for (sym_id s = 0; s < set->symbolized.symtab.nsyms; s++) {
		assert_int_equal(up[s], m->inclusive[s]);
		assert_int_equal(up_self[s], m->self[s]);
		assert_int_equal(down[s], m->inclusive[s] - m->self[s]);
		assert_true(m->inclusive[s] <= m->total);
	}
	for (uint32_t i = 0; i < set->stacks.n; i++) {
		const struct stack_node *node = &set->stacks.node[i];
		uint64_t below = node->self;

		assert_true(node->total > 0);
		assert_true(node->parent == STACKS_NONE || node->parent < i);
		for (uint32_t k = i + 1; k < node->end; k = set->stacks.node[k].end) {
			const struct stack_node *child = &set->stacks.node[k];
			uint32_t next = child->end;

			assert_int_equal(child->parent, i);
			assert_int_equal(child->depth, node->depth + 1);
			below += child->total;
			if (next < node->end)
				assert_true(set->stacks.node[next].total < child->total ||
					    (set->stacks.node[next].total == child->total &&
					     set->stacks.node[next].function > child->function));
		}
		assert_int_equal(below, node->total);
	}
}

/* Ackermann's function: how deep it is, and where it is, varies without end. */
static void add_ackermann(struct stack_set *set, uint64_t *seed, uint32_t node, uint32_t depth)
{
	uint32_t n = random_below(seed, 3);

	set_add_sample(set, node, STACK_COMPLETE, random_below(seed, 5));
	for (uint32_t i = 0; i < n && depth + 1 < MAX_DEPTH; i++)
		add_ackermann(set, seed, set_add_node(set, node, random_below(seed, 2)), depth + 1);
}

static enum stack_quality random_quality(const struct stack_set *set, uint64_t *seed, uint32_t node)
{
	if (node == RECORDED_NONE)
		return random_below(seed, 2) ? STACK_CUT : STACK_UNSEEN;
	if (set->symbolized.broken != SYM_NONE && random_below(seed, 9) == 0)
		return STACK_BROKEN;
	return set->symbolized.cut != SYM_NONE && random_below(seed, 9) == 0 ? STACK_CUT
									     : STACK_COMPLETE;
}

/* Runs of one function (fact), of two in turn (even, odd), of any of few, and trees. */
static void add_random(struct stack_set *set, uint64_t *seed, uint32_t nsyms)
{
	uint32_t shape = random_below(seed, 4), n = 1 + random_below(seed, 60);

	if (shape == 3) {
		add_ackermann(set, seed, set_add_node(set, RECORDED_NONE, 0), 0);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t nodes = (uint32_t)set->recorded.nodes.n;
		uint32_t node = nodes > 0 && random_below(seed, 3) ? random_below(seed, nodes)
								   : RECORDED_NONE;
		uint32_t depth = random_below(seed, shape == 2 ? 6 : 20);

		for (uint32_t k = 0; k < depth; k++)
			node = set_add_node(set, node,
					    shape == 0   ? random_below(seed, 8) == 0
					    : shape == 1 ? k % 2
							 : random_below(seed, nsyms));
		if (node != RECORDED_NONE || set->symbolized.cut != SYM_NONE)
			set_add_sample(set, node, random_quality(set, seed, node),
				       random_below(seed, 1000));
	}
}

static void random_sets(void **state)
{
	uint64_t seed = 1;
	struct oracle *o = malloc(sizeof(*o));

	(void)state;
	assert_non_null(o);
	for (int i = 0; i < RANDOM_SETS; i++) {
		uint32_t nsyms = 2 + random_below(&seed, MAX_SYMBOLS - 2);
		sym_id f[200 * MAX_DEPTH];
		struct stack_set set;

		set_init(&set, nsyms);
		for (uint32_t s = 0; s < nsyms; s++) {
			set.sym[s].flags = random_below(&seed, 6) == 0 ? SYM_WHOLE : 0;
			if (random_below(&seed, 8) == 0)
				bitset_add(set.symbolized.skipped, s);
		}
		if (random_below(&seed, 2)) {
			set.symbolized.start = 0;
			set.sym[0].flags = 0;
		}
		if (random_below(&seed, 2)) {
			set.symbolized.broken = nsyms - 1;
			bitset_remove(set.symbolized.skipped, nsyms - 1);
		}
		if (random_below(&seed, 2)) {
			set.symbolized.cut = set.symbolized.unseen = 1;
			bitset_remove(set.symbolized.skipped, 1);
		}
		add_random(&set, &seed, nsyms - (set.symbolized.broken != SYM_NONE));
		set_measure(&set);
		memset(o, 0, sizeof(*o));
		for (size_t k = 0; k < set.recorded.samples.n; k++) {
			const struct recorded_sample *sample = &set.recorded.samples.at[k];

			if (sample->ticks > 0)
				oracle_add(o, f, oracle_stack(&set, sample, f), sample->ticks);
		}
		compare(&set, o);
		check_sums(&set);
		arena_free(&set.mem);
	}
	free(o);
}

/* Nothing is quadratic in the depth: it would take hours. */
static void deep_and_large(void **state)
{
	enum { DEEP = 1000000 };
	struct stack_set set;
	uint32_t node = RECORDED_NONE;

	(void)state;
	set_init(&set, 3);
	for (uint32_t i = 0; i < DEEP; i++) {
		node = set_add_node(&set, node, i % 3);
		set_add_sample(&set, node, STACK_COMPLETE, 1);
	}
	set_measure(&set);
	assert_int_equal(set.stacks.n, DEEP);
	assert_int_equal(set.measured.inclusive[0], DEEP);
	assert_int_equal(set.measured.inclusive[2], DEEP - 2);
	assert_int_equal(set.measured.pair[0].down.all, DEEP - DEEP / 3 - 1);
	arena_free(&set.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cheap_and_costly), cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(mutual_recursion), cmocka_unit_test(random_sets),
		cmocka_unit_test(deep_and_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of recorded stacks that are written as words, the tree made of them, and its times. */
#ifndef STACKSET_H
#define STACKSET_H

#include "testing.h"

#include "analysis/stacks/call_tree.h"
#include "analysis/stacks/measure.h"

enum { MAX_SYMBOLS = 16, MAX_DEPTH = 64, LIBRARY = 1 };

/* Stacks of the functions "a", "b", ...; of its own memory. */
struct stack_set {
	struct arena mem;
	struct sym sym[MAX_SYMBOLS];
	sym_id *frame;
	struct recorded recorded;
	struct symbolized_stacks symbolized;
	struct call_tree_choice choice;
	struct stacks stacks;
	uint64_t quality[STACK_QUALITIES];
	struct measured measured;
};

static inline void set_init(struct stack_set *set, uint32_t nsyms)
{
	static const char *const names[MAX_SYMBOLS] = { "a", "b", "c", "d", "e", "f", "g", "h",
							"i", "j", "k", "l", "m", "n", "o", "p" };

	*set = (struct stack_set){ .mem = test_arena() };
	array_push(&set->mem, &set->recorded.modules) = (struct module){ .flags = MODULE_PROGRAM };
	array_push(&set->mem, &set->recorded.modules) = (struct module){ .path = "lib" };
	for (uint32_t i = 0; i < nsyms; i++)
		set->sym[i] =
			(struct sym){ 16 * (uint64_t)i, 16 * (uint64_t)i + 16, names[i], 0, 0 };
	set->symbolized = (struct symbolized_stacks){ .recorded = &set->recorded,
						      .symtab = { set->sym, nsyms },
						      .skipped = bitset_empty(&set->mem, nsyms),
						      .start = SYM_NONE,
						      .broken = SYM_NONE,
						      .cut = SYM_NONE,
						      .unseen = SYM_NONE };
	array_push(&set->mem, &set->recorded.threads) =
		(struct recorded_thread){ .tid = 1, .name = "t" };
}

static inline uint32_t set_add_node(struct stack_set *set, uint32_t parent, sym_id symbol)
{
	array_push(&set->mem, &set->recorded.nodes) =
		(struct recorded_node){ parent, set->sym[symbol].flags & SYM_WHOLE ? LIBRARY : 0,
					set->sym[symbol].lo };
	return (uint32_t)set->recorded.nodes.n - 1;
}

static inline void set_add_sample(struct stack_set *set, uint32_t node, enum stack_quality quality,
				  uint64_t ticks)
{
	array_push(&set->mem, &set->recorded.samples) =
		(struct recorded_sample){ node, 0, 0, quality, ticks };
}

/* Letters from the outermost on. */
static inline void set_add(struct stack_set *set, const char *path, uint64_t ticks)
{
	uint32_t node = RECORDED_NONE;

	for (; *path; path++)
		node = set_add_node(set, node, (sym_id)(*path - 'a'));
	set_add_sample(set, node, STACK_COMPLETE, ticks);
}

static inline void set_measure(struct stack_set *set)
{
	size_t n = set->recorded.nodes.n;

	set->frame = arena_array(&set->mem, sym_id, n);
	for (size_t i = 0; i < n; i++)
		set->frame[i] = (sym_id)(set->recorded.nodes.at[i].address / 16);
	set->symbolized.frame = set->frame;
	set->stacks = call_tree_make(&set->symbolized, &set->choice, set->quality, &set->mem);
	set->measured = measure_stacks(&set->stacks, set->symbolized.symtab.nsyms, &set->mem);
}

/* All nodes in order, "PATH SELF/TOTAL" each. */
static inline void expect_tree(const struct stack_set *set, const char *expected)
{
	char got[1000] = "";

	for (uint32_t i = 0; i < set->stacks.n; i++) {
		const struct stack_node *node = &set->stacks.node[i];
		char path[MAX_DEPTH + 1] = "";
		size_t len = strlen(got);

		for (uint32_t at = i; at != STACKS_NONE; at = set->stacks.node[at].parent)
			path[set->stacks.node[at].depth] =
				set->sym[set->stacks.node[at].function].name[0];
		snprintf(got + len, sizeof(got) - len, "%s%s %llu/%llu", i ? ", " : "", path,
			 (unsigned long long)node->self, (unsigned long long)node->total);
	}
	assert_string_equal(got, expected);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches the call graph breadth first from a set of functions, along callers and along callees.
 */
#include "config.h"

#include "analysis/graph/entry.h"

/* Whether none of the functions has calls or time in the call graph. */
static bool entry_is_idle(const struct analysis *a, struct bitset functions)
{
	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (bitset_has(functions, s) &&
		    (a->costs.calls.outer[s] != 0 || a->costs.calls.self[s] != 0 ||
		     a->costs.self[s] > 0.0 || a->costs.children[s] > 0.0))
			return false;
	}
	return true;
}

/* Nodes in the order in which they were reached. */
struct entry_walk {
	const struct analysis *a;
	struct bitset seen;
	uint32_t *node, n;
};

static void entry_reach_one(struct entry_walk *walk, uint32_t node)
{
	if (bitset_has(walk->seen, node))
		return;
	bitset_add(walk->seen, node);
	walk->node[walk->n++] = node;
}

/*
 * Adds a symbol to the walk, and the other lines of its function, which are next to it in the
 * table.
 */
static void entry_reach(struct entry_walk *walk, sym_id s)
{
	const struct symtab *symtab = &walk->a->program->symtab;
	const char *name = symtab->sym[s].name;

	if (bitset_has(walk->seen, s))
		return;
	entry_reach_one(walk, s);
	for (sym_id t = s; t > 0 && walk->a->program->by_line && symtab->sym[t - 1].name == name;
	     t--)
		entry_reach_one(walk, t - 1);
	for (sym_id t = s + 1;
	     walk->a->program->by_line && t < symtab->nsyms && symtab->sym[t].name == name; t++)
		entry_reach_one(walk, t);
}

static void entry_reach_callers(struct entry_walk *walk, sym_id s)
{
	const struct graph *g = &walk->a->graph;

	for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++)
		entry_reach(walk, g->arc[g->in_arc[i]].from);
}

static void entry_reach_callees(struct entry_walk *walk, sym_id s)
{
	const struct graph *g = &walk->a->graph;

	for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++)
		entry_reach(walk, g->arc[i].to);
}

/* Adds to `into` the nodes that `reach` finds from the functions in fewer than `depth` steps. */
static void entry_spread(const struct analysis *a, struct bitset functions, unsigned depth,
			 void (*reach)(struct entry_walk *, sym_id), struct bitset into,
			 const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t nnodes = analysis_nnodes(a), done = 0;
	struct entry_walk walk = { a, bitset_empty(&scratch, nnodes),
				   arena_array(&scratch, uint32_t, nnodes), 0 };

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (bitset_has(functions, s))
			entry_reach_one(&walk, s);
	}
	for (unsigned level = 1; level < depth && done < walk.n; level++) {
		for (uint32_t end = walk.n; done < end; done++) {
			uint32_t node = walk.node[done];

			if (node >= a->graph.nnodes)
				continue;
			reach(&walk, node);
			if (a->cycles.of_node[node])
				entry_reach_one(&walk, analysis_whole(a, node));
		}
	}
	for (uint32_t i = 0; i < walk.n; i++)
		bitset_add(into, walk.node[i]);
	arena_free(&scratch);
}

struct bitset entry_choose(const struct analysis *a, const struct location *locations,
			   const struct entry_options *opt, struct arena *mem, struct diag *diag)
{
	const struct named_program program = { .path = a->program->path,
					       .symtab = &a->program->symtab,
					       .address_space = a->program->address_space,
					       .locations = locations,
					       .style = opt->style };
	struct bitset chosen = { NULL };

	if (opt->requests.n > 0)
		chosen = bitset_empty(mem, analysis_nnodes(a));
	for (size_t i = 0; i < opt->requests.n; i++) {
		const struct named_request *request = &opt->requests.at[i];
		struct bitset functions = bitset_empty(mem, a->graph.nnodes);

		if (!named_match(&program, request, functions, mem)) {
			named_say_unmatched(&program, "--entry", request, mem, diag);
			continue;
		}
		if (entry_is_idle(a, functions))
			diag_note(diag, "--entry: '%s' was neither called nor sampled",
				  request->name);
		entry_spread(a, functions, request->number, entry_reach_callers, chosen, mem);
		entry_spread(a, functions, request->number, entry_reach_callees, chosen, mem);
	}
	return chosen;
}

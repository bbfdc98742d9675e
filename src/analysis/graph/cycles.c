/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strongly connected components by the path-based method of Gabow (Path-based depth-first search
 * for strong and biconnected components, 2000), with explicit stacks. Linear in nodes and arcs.
 *
 * `path` holds the nodes that the walk is in. `heads` holds those of them that no arc has yet
 * closed into a cycle with a lower one: when the walk meets a visited node without a component
 * number, all heads above it are merged, bottom to top, into the head below. So the order of a
 * cycle's members is the order in which its arcs were closed, which reports rely on.
 */
#include "config.h"

#include "analysis/graph/cycles.h"

/* One struct, because a step of the walk needs most of it: with 10^6 nodes each access is a cache
 * miss. */
struct cycles_visit {
	uint32_t number;    /* 1, 2, ... in the order of first visits; 0: not visited */
	uint32_t component; /* 1, 2, ... in the order of completion; 0: not complete */
	uint32_t next_arc;  /* the next arc in the node's row */
	uint32_t end_arc;
	sym_id next_member; /* the next node of the same component; SYM_NONE: the last */
	sym_id last_member; /* in a head: the last node of its component */
};

struct cycles_walk {
	const struct graph *graph;
	struct cycles_visit *visit; /* one for each node */
	sym_id *head;               /* the head of each component, by component number */
	sym_id *path, *heads;
	uint32_t npath, nheads, nvisited, ncomponents;
};

static void cycles_enter(struct cycles_walk *w, sym_id n)
{
	w->visit[n] = (struct cycles_visit){ .number = ++w->nvisited,
					     .next_arc = w->graph->out[n],
					     .end_arc = w->graph->out[n + 1],
					     .next_member = SYM_NONE,
					     .last_member = n };
	w->path[w->npath++] = n;
	w->heads[w->nheads++] = n;
}

/* The arc to n closes a cycle: joins all heads that were visited after n with the last head before
 * them. */
static void cycles_close_cycle(struct cycles_walk *w, sym_id n)
{
	uint32_t keep = w->nheads;
	sym_id into;

	while (w->visit[w->heads[keep - 1]].number > w->visit[n].number)
		keep--;
	into = w->heads[keep - 1];
	for (uint32_t i = keep; i < w->nheads; i++) {
		sym_id head = w->heads[i];

		w->visit[w->visit[into].last_member].next_member = head;
		w->visit[into].last_member = w->visit[head].last_member;
	}
	w->nheads = keep;
}

static void cycles_leave(struct cycles_walk *w)
{
	sym_id n = w->path[--w->npath];

	if (w->heads[w->nheads - 1] != n)
		return;
	w->nheads--;
	w->head[++w->ncomponents] = n;
	for (sym_id m = n; m != SYM_NONE; m = w->visit[m].next_member)
		w->visit[m].component = w->ncomponents;
}

static void cycles_walk_from(struct cycles_walk *w, sym_id root)
{
	cycles_enter(w, root);
	while (w->npath > 0) {
		struct cycles_visit *visit = &w->visit[w->path[w->npath - 1]];

		if (visit->next_arc == visit->end_arc) {
			cycles_leave(w);
		} else {
			sym_id to = w->graph->arc[visit->next_arc++].to;

			if (!w->visit[to].number)
				cycles_enter(w, to);
			else if (!w->visit[to].component)
				cycles_close_cycle(w, to);
		}
	}
}

/* Returns all nodes by component, in node order within each: a counting sort. */
static const sym_id *cycles_topological_order(const struct cycles_walk *w, struct arena *mem,
					      struct arena *scratch)
{
	uint32_t nnodes = w->graph->nnodes;
	sym_id *topo = arena_unset_array(mem, sym_id, nnodes);
	uint32_t *row = arena_array(scratch, uint32_t, (size_t)w->ncomponents + 2);

	for (sym_id n = 0; n < nnodes; n++)
		row[w->visit[n].component + 1]++;
	for (uint32_t c = 0; c < w->ncomponents; c++)
		row[c + 1] += row[c];
	for (sym_id n = 0; n < nnodes; n++)
		topo[row[w->visit[n].component]++] = n;
	return topo;
}

static struct cycles cycles_number_cycles(const struct cycles_walk *w, struct arena *mem,
					  struct arena *scratch)
{
	uint32_t nnodes = w->graph->nnodes;
	uint32_t *of_node = arena_sparse(mem, nnodes, sizeof(*of_node));
	sym_id *member = arena_sparse(mem, nnodes, sizeof(*member));
	uint32_t ncycles = 0, nmembers = 0, *start;

	for (sym_id n = 0; n < nnodes; n++)
		ncycles +=
			w->head[w->visit[n].component] == n && w->visit[n].next_member != SYM_NONE;
	start = arena_array(mem, uint32_t, (size_t)ncycles + 1);
	ncycles = 0;
	for (sym_id n = 0; n < nnodes; n++) {
		if (w->head[w->visit[n].component] != n || w->visit[n].next_member == SYM_NONE)
			continue;
		ncycles++;
		for (sym_id m = n; m != SYM_NONE; m = w->visit[m].next_member) {
			of_node[m] = ncycles;
			member[nmembers++] = m;
		}
		start[ncycles] = nmembers;
	}
	return (struct cycles){
		.ncycles = ncycles,
		.of_node = of_node,
		.start = start,
		.member = member,
		.topo = cycles_topological_order(w, mem, scratch),
	};
}

/* Without arcs, each node is a component and the order is that of the nodes. */
static struct cycles cycles_of_no_arcs(uint32_t nnodes, struct arena *mem)
{
	sym_id *topo = arena_unset_array(mem, sym_id, nnodes);

	for (sym_id n = 0; n < nnodes; n++)
		topo[n] = n;
	return (struct cycles){ .of_node = arena_sparse(mem, nnodes, sizeof(uint32_t)),
				.start = arena_array(mem, uint32_t, 1),
				.topo = topo };
}

struct cycles cycles_find(const struct graph *graph, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t n = graph->nnodes;
	struct cycles_walk w = { .graph = graph };
	struct cycles cycles;

	if (graph->narcs == 0)
		return cycles_of_no_arcs(graph->nnodes, mem);
	w.visit = arena_array(&scratch, struct cycles_visit, n);
	w.head = arena_array(&scratch, sym_id, n + 1);
	w.path = arena_unset_array(&scratch, sym_id, n);
	w.heads = arena_unset_array(&scratch, sym_id, n);
	for (sym_id s = 0; s < graph->nnodes; s++) {
		if (!w.visit[s].number)
			cycles_walk_from(&w, s);
	}
	cycles = cycles_number_cycles(&w, mem, &scratch);
	arena_free(&scratch);
	return cycles;
}

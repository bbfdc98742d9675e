/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call paths from counts of calls. Without the calls that are cut, the graph has no cycles, and the
 * paths through it are a tree in which a function stands once for each path to it; its share there
 * is the product of the shares of the calls on the path, and its shares add up to 1. What is
 * expected below a call is the same on every path but for that factor, so each function's calls are
 * sorted once, and a heap holds only the next call of each node in the tree.
 */
#include "config.h"

#include "analysis/stacks/estimate.h"

#include "base/array.h"
#include "base/radix.h"
#include "base/rounding.h"

/* A call that may be followed. */
struct step {
	sym_id to;
	double share;  /* of all calls of that function */
	double weight; /* time expected at it and below, if the caller's share is 1 */
	double behind; /* the same for this and the steps behind it */
};

/* A node in the order of making, parents before children. */
struct made {
	sym_id function;
	uint32_t parent, depth;
	double share; /* of the function; of a rest, the time expected in it */
};

/* The next step of a node, or of none: then it is from where paths begin. */
struct branch {
	double weight;
	uint32_t node, step;
};

/* How far a function's time is given to its nodes. */
struct dealt {
	double all, sofar; /* shares */
	uint64_t self, samples;
};

struct tree {
	const struct graph *graph;
	const struct stacks_input *input;
	const struct stacks_limits *limits;
	struct arena *scratch;
	struct bitset cut; /* arcs */
	sym_id *finished;  /* all symbols, callees before callers */
	double *ncalls;    /* by arcs that are not cut */
	double *below;     /* own time and that of callees */
	const struct step *step;
	const uint32_t
		*row; /* steps of a symbol, and behind all symbols those to where paths begin */
	ARRAY(struct made) made;
	ARRAY(struct branch) heap, ended;
};

/* The arcs of each caller by their calls, most first; rows as in the graph. */
static const uint32_t *arcs_by_calls(const struct graph *g, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct keyed *items = arena_array(&scratch, struct keyed, g->narcs);
	uint32_t *next = arena_array(&scratch, uint32_t, g->nnodes);
	uint32_t *sorted = arena_array(mem, uint32_t, g->narcs);

	for (uint32_t i = 0; i < g->narcs; i++)
		items[i] = (struct keyed){ ~g->arc[i].ncalls, i };
	sort_keyed(items, g->narcs, &scratch);
	for (sym_id s = 0; s < g->nnodes; s++)
		next[s] = g->out[s];
	for (uint32_t i = 0; i < g->narcs; i++)
		sorted[next[g->arc[items[i].id].from]++] = items[i].id;
	arena_free(&scratch);
	return sorted;
}

enum { UNSEEN, BUSY, DONE };

struct walk {
	const uint32_t *sorted;
	unsigned char *state;
	uint32_t *next; /* in a symbol's row */
	sym_id *path;
	uint32_t nfinished;
};

static void walk_from(struct tree *t, struct walk *w, sym_id root)
{
	const struct graph *g = t->graph;
	struct bitset shown = t->input->shown;
	uint32_t npath = 0;

	if (w->state[root] != UNSEEN)
		return;
	w->state[root] = BUSY;
	w->path[npath++] = root;
	while (npath > 0) {
		sym_id s = w->path[npath - 1];
		uint32_t arc;
		sym_id to;

		if (w->next[s] == g->out[s + 1]) {
			w->state[s] = DONE;
			t->finished[w->nfinished++] = s;
			npath--;
			continue;
		}
		arc = w->sorted[w->next[s]++];
		to = g->arc[arc].to;
		if (g->arc[arc].ncalls == 0 || !bitset_has(shown, s) || !bitset_has(shown, to) ||
		    w->state[to] == BUSY) {
			bitset_add(t->cut, arc);
		} else if (w->state[to] == UNSEEN) {
			w->state[to] = BUSY;
			w->path[npath++] = to;
		}
	}
}

/* The member of a cycle that its members call least; of several the first. */
static sym_id least_called(const struct graph *g, const struct cycles *cycles, uint32_t cycle)
{
	sym_id least = SYM_NONE;
	double fewest = 0.0;

	for (uint32_t m = cycles->start[cycle - 1]; m < cycles->start[cycle]; m++) {
		sym_id s = cycles->member[m];
		double ncalls = 0.0;

		for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++) {
			const struct arc *arc = &g->arc[g->in_arc[i]];

			if (arc->from != s && cycles->of_node[arc->from] == cycle)
				ncalls += (double)arc->ncalls;
		}
		if (least == SYM_NONE || ncalls < fewest || (ncalls == fewest && s < least)) {
			least = s;
			fewest = ncalls;
		}
	}
	return least;
}

static bool was_entered(const struct walk *w, const struct cycles *cycles, uint32_t cycle)
{
	for (uint32_t m = cycles->start[cycle - 1]; m < cycles->start[cycle]; m++) {
		if (w->state[cycles->member[m]] != UNSEEN)
			return true;
	}
	return false;
}

/* Callers come first, so that a cycle is entered where it is called from outside, if it is. */
static void cut_recursion(struct tree *t, const struct cycles *cycles)
{
	uint32_t n = t->graph->nnodes, last_cycle = 0;
	struct walk w = {
		.sorted = arcs_by_calls(t->graph, t->scratch),
		.state = arena_array(t->scratch, unsigned char, n),
		.next = arena_array(t->scratch, uint32_t, n),
		.path = arena_array(t->scratch, sym_id, n),
	};

	for (sym_id s = 0; s < n; s++)
		w.next[s] = t->graph->out[s];
	for (uint32_t i = n; i-- > 0;) {
		uint32_t cycle = cycles->of_node[cycles->topo[i]];

		if (!cycle)
			walk_from(t, &w, cycles->topo[i]);
		else if (cycle != last_cycle && !was_entered(&w, cycles, cycle))
			walk_from(t, &w, least_called(t->graph, cycles, cycle));
		last_cycle = cycle;
	}
	/* Members of cycles that only calls which were never made lead to. */
	for (sym_id s = 0; s < n; s++)
		walk_from(t, &w, s);
}

static double share_of(const struct tree *t, const struct arc *arc)
{
	return (double)arc->ncalls / t->ncalls[arc->to];
}

/* Time at and below each function, by the calls that are left. */
static void add_up(struct tree *t)
{
	const struct graph *g = t->graph;

	for (uint32_t i = 0; i < g->narcs; i++) {
		if (!bitset_has(t->cut, i))
			t->ncalls[g->arc[i].to] += (double)g->arc[i].ncalls;
	}
	for (uint32_t i = 0; i < g->nnodes; i++) {
		sym_id s = t->finished[i];

		t->below[s] = (double)t->input->self[s];
		for (uint32_t a = g->out[s]; a < g->out[s + 1]; a++) {
			if (!bitset_has(t->cut, a))
				t->below[s] += t->below[g->arc[a].to] * share_of(t, &g->arc[a]);
		}
	}
}

/* Adds the step if there is time behind it; `id` is an arc, or behind those a first function. */
static uint32_t list_step(const struct tree *t, uint32_t id, struct keyed *items, uint32_t n)
{
	const struct graph *g = t->graph;
	double weight;

	if (id >= g->narcs)
		weight = t->ncalls[id - g->narcs] > 0.0 ? 0.0 : t->below[id - g->narcs];
	else if (bitset_has(t->cut, id))
		weight = 0.0;
	else
		weight = t->below[g->arc[id].to] * share_of(t, &g->arc[id]);
	if (!(weight > 0.0))
		return n;
	items[n] = (struct keyed){ key_descending(weight), id };
	return n + 1;
}

/* Those of each function, those with most time first. */
static void make_steps(struct tree *t)
{
	const struct graph *g = t->graph;
	struct arena scratch = arena_scratch(t->scratch);
	size_t most = (size_t)g->narcs + g->nnodes;
	struct keyed *items = arena_array(&scratch, struct keyed, most);
	uint32_t *row = arena_array(t->scratch, uint32_t, (size_t)g->nnodes + 3), n = 0;
	struct step *step;

	for (size_t i = 0; i < most; i++)
		n = list_step(t, (uint32_t)i, items, n);
	sort_keyed(items, n, &scratch);
	step = arena_array(t->scratch, struct step, n);
	/* row[s + 2] counts, then is where the next of s goes, and so ends as the start of s + 1.
	 */
	for (uint32_t i = 0; i < n; i++)
		row[(items[i].id < g->narcs ? g->arc[items[i].id].from : g->nnodes) + 2]++;
	for (uint32_t s = 0; s < g->nnodes + 1; s++)
		row[s + 2] += row[s + 1];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t id = items[i].id;
		bool is_arc = id < g->narcs;
		sym_id to = is_arc ? g->arc[id].to : id - g->narcs;
		double share = is_arc ? share_of(t, &g->arc[id]) : 1.0;

		step[row[(is_arc ? g->arc[id].from : g->nnodes) + 1]++] =
			(struct step){ to, share, share * t->below[to], 0.0 };
	}
	for (uint32_t s = 0; s <= g->nnodes; s++) {
		double behind = 0.0;

		for (uint32_t i = row[s + 1]; i-- > row[s];) {
			behind += step[i].weight;
			step[i].behind = behind;
		}
	}
	t->step = step;
	t->row = row;
	arena_free(&scratch);
}

/* Most time first; then the node made first, where each has one step at most. */
static bool comes_before(const struct branch *x, const struct branch *y)
{
	return x->weight != y->weight ? x->weight > y->weight : x->node < y->node;
}

static void heap_push(struct tree *t, struct branch branch)
{
	size_t i = t->heap.n;

	array_push(t->scratch, &t->heap) = branch;
	for (; i > 0 && comes_before(&branch, &t->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
		t->heap.at[i] = t->heap.at[(i - 1) / 2];
	t->heap.at[i] = branch;
}

static struct branch heap_pop(struct tree *t)
{
	struct branch first = t->heap.at[0], last = t->heap.at[--t->heap.n];
	size_t i = 0, n = t->heap.n;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < n && comes_before(&t->heap.at[child + 1], &t->heap.at[child]))
			child++;
		if (child >= n || !comes_before(&t->heap.at[child], &last))
			break;
		t->heap.at[i] = t->heap.at[child];
		i = child;
	}
	if (n > 0)
		t->heap.at[i] = last;
	return first;
}

/* The step of a node, if it has that many, waits for its turn. */
static void branch_off(struct tree *t, uint32_t node, uint32_t step)
{
	const struct made *made = node == STACKS_NONE ? NULL : &t->made.at[node];
	uint32_t row = made ? made->function : t->graph->nnodes;
	struct branch branch = { 0.0, node, step };

	if (step == t->row[row + 1])
		return;
	branch.weight = (made ? made->share : 1.0) * t->step[step].weight;
	if (made && made->depth + 1 >= t->limits->depth)
		array_push(t->scratch, &t->ended) = branch;
	else
		heap_push(t, branch);
}

static void grow(struct tree *t)
{
	branch_off(t, STACKS_NONE, t->row[t->graph->nnodes]);
	while (t->heap.n > 0 && t->made.n < t->limits->paths) {
		struct branch branch = heap_pop(t);
		const struct step *step = &t->step[branch.step];
		uint32_t node = (uint32_t)t->made.n;
		struct made made = { step->to, branch.node, 0, step->share };

		if (branch.node != STACKS_NONE) {
			made.depth = t->made.at[branch.node].depth + 1;
			made.share *= t->made.at[branch.node].share;
		}
		array_push(t->scratch, &t->made) = made;
		branch_off(t, node, t->row[made.function]);
		branch_off(t, branch.node, branch.step + 1);
	}
}

static void add_rest(struct tree *t, const struct branch *branch)
{
	struct made made = { STACKS_REST, branch->node, 0, t->step[branch->step].behind };

	if (branch->node != STACKS_NONE) {
		made.depth = t->made.at[branch->node].depth + 1;
		made.share *= t->made.at[branch->node].share;
	}
	array_push(t->scratch, &t->made) = made;
}

/* Behind all nodes, so that they come last among those of their parents. */
static void add_rests(struct tree *t)
{
	for (size_t i = 0; i < t->ended.n; i++)
		add_rest(t, &t->ended.at[i]);
	for (size_t i = 0; i < t->heap.n; i++)
		add_rest(t, &t->heap.at[i]);
}

static uint64_t part(uint64_t whole, double share)
{
	uint64_t amount = rounded(share, (double)whole);

	return share < 1.0 && amount < whole ? amount : whole;
}

/* Shares add up to 1 but for errors of rounding, unless some are in rests. */
static const double nearly_all = 1 - 1e-9;

/* Gives a node what its function's time up to it exceeds that before it by. */
static void deal(struct dealt *d, const struct made *made, const struct stacks_input *input,
		 struct stack_node *node)
{
	uint64_t self, samples;
	double share;

	d->sofar += made->share;
	share = d->all < nearly_all ? d->sofar : d->sofar / d->all;
	self = part(input->self[made->function], share);
	samples = part(input->samples[made->function], share);
	node->self = self - d->self;
	node->samples = samples - d->samples;
	d->self = self;
	d->samples = samples;
}

/* Gives the nodes their times; returns how many of them are no rests. */
static uint32_t deal_functions(const struct tree *t, struct stack_node *node, struct stacks *result)
{
	struct dealt *dealt = arena_array(t->scratch, struct dealt, t->graph->nnodes);
	uint32_t n = 0;

	while (n < t->made.n && t->made.at[n].function != STACKS_REST) {
		dealt[t->made.at[n].function].all += t->made.at[n].share;
		n++;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct made *made = &t->made.at[i];

		deal(&dealt[made->function], made, t->input, &node[i]);
		result->total -= node[i].self;
		result->samples -= node[i].samples;
	}
	return n;
}

/* What is left of the total goes to the rests, as is expected of them; all that is over to the
 * last. */
static void deal_rests(const struct tree *t, uint32_t first, struct stack_node *node,
		       const struct stacks *left)
{
	double all = 0.0, sofar = 0.0;
	uint64_t self = 0, samples = 0;

	for (size_t i = first; i < t->made.n; i++)
		all += t->made.at[i].share;
	for (size_t i = first; i < t->made.n; i++) {
		double share;

		sofar += t->made.at[i].share;
		share = i + 1 < t->made.n && all > 0.0 ? sofar / all : 1.0;
		node[i].self = part(left->total, share) - self;
		node[i].samples = part(left->samples, share) - samples;
		self += node[i].self;
		samples += node[i].samples;
	}
}

/* From the order of making to depth-first. Returns the nodes, in mem. */
static struct stack_node *lay_out(const struct tree *t, struct stack_node *from, uint32_t *depth,
				  struct arena *mem)
{
	uint32_t n = (uint32_t)t->made.n, free_root = 0;
	struct stack_node *node = arena_array(mem, struct stack_node, n);
	uint32_t *size = arena_array(t->scratch, uint32_t, n);
	uint32_t *free_place = arena_array(t->scratch, uint32_t, n);

	for (uint32_t i = n; i-- > 0;) {
		uint32_t parent = t->made.at[i].parent;

		size[i]++;
		from[i].total += from[i].self;
		from[i].total_samples += from[i].samples;
		if (parent != STACKS_NONE) {
			size[parent] += size[i];
			from[parent].total += from[i].total;
			from[parent].total_samples += from[i].total_samples;
		}
	}
	*depth = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct made *made = &t->made.at[i];
		bool is_root = made->parent == STACKS_NONE;
		uint32_t *next = is_root ? &free_root : &free_place[made->parent], place = *next;

		*next += size[i];
		free_place[i] = place + 1;
		node[place] = from[i];
		node[place].function = made->function;
		/* The first child stands right behind its parent. */
		node[place].parent = is_root ? STACKS_NONE : from[made->parent].end;
		node[place].depth = made->depth;
		node[place].end = place + size[i];
		from[i].end = place;
		if (made->depth > *depth)
			*depth = made->depth;
	}
	return node;
}

struct stacks stacks_estimate(const struct graph *graph, const struct cycles *cycles,
			      const struct stacks_input *input, const struct stacks_limits *limits,
			      struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct tree t = {
		.graph = graph,
		.input = input,
		.limits = limits,
		.scratch = &scratch,
		.cut = bitset_empty(&scratch, graph->narcs),
		.finished = arena_array(&scratch, sym_id, graph->nnodes),
		.ncalls = arena_array(&scratch, double, graph->nnodes),
		.below = arena_array(&scratch, double, graph->nnodes),
	};
	struct stacks result = { .estimated = true }, left;
	struct stack_node *node;
	uint32_t first;

	for (sym_id s = 0; s < graph->nnodes; s++) {
		result.total += input->self[s];
		result.samples += input->samples[s];
	}
	cut_recursion(&t, cycles);
	add_up(&t);
	make_steps(&t);
	grow(&t);
	add_rests(&t);
	node = arena_array(&scratch, struct stack_node, t.made.n + 1);
	left = result;
	first = deal_functions(&t, node, &left);
	if (first == t.made.n && (left.total > 0 || left.samples > 0))
		array_push(&scratch, &t.made) = (struct made){ STACKS_REST, STACKS_NONE, 0, 0.0 };
	deal_rests(&t, first, node, &left);
	result.n = (uint32_t)t.made.n;
	result.node = lay_out(&t, node, &result.depth, mem);
	arena_free(&scratch);
	return result;
}

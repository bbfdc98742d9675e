/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The paths of the tree are joined without recursion: a function that is on a path already is where
 * it was first, and the path goes on from there. A joined node comes after its parent, so totals
 * are added up from the end.
 *
 *     main > parse > add > parse > get (5)    is    main > parse > get (5)
 */
#include "config.h"

#include "analysis/top_frames.h"

#include "base/array.h"
#include "base/index.h"
#include "base/radix.h"

#include <string.h>

/* A function is hidden if a callee has at least this share of its time. */
static const double passed_on = 0.9;
/* The least share of all time of a frame. */
static const double least_share = 0.05;
/* How many of the heaviest nodes are looked at for the frames: they are compared pair by pair. */
enum { UNITED_FRAMES = 4 * TOP_FRAMES };

/* Whether a function is a language's library, though its code is in the program: as instances of
 * templates and generic functions are. */
static bool top_frames_is_standard(const char *name)
{
	static const char *const heads[] = { "_ZNSt",         "_ZNKSt",         "_ZSt",
					     "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZN4core",
					     "_ZN5alloc",     "_ZN3std" };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (strncmp(name, heads[i], strlen(heads[i])) == 0)
			return true;
	}
	return false;
}

bool top_frames_is_own(const struct analysis *a, sym_id s)
{
	static const char *const system[] = { "/lib", "/usr/lib", "/usr/local/lib" };
	const struct program *program = a->program;
	const struct address_space *space = program->address_space;
	const struct sym *sym = &program->symtab.sym[s];
	uint32_t module;

	if (s == a->costs.origin.start || top_frames_is_standard(sym->name))
		return false;
	if (!symtab_is_elsewhere(sym))
		return !space || s != space->rest || space->own_names != NAMES_FULL;
	if (!space)
		return false;
	module = sym->flags & SYM_INLINED ? inlined_symbol_module(program->inlined, s)
					  : address_space_module(space, sym->lo);
	if (module == RECORDED_NONE)
		return false;
	if (space->recorded->modules.at[module].path[0] != '/')
		return false;
	for (size_t i = 0; i < sizeof(system) / sizeof(system[0]); i++) {
		if (strncmp(space->recorded->modules.at[module].path, system[i],
			    strlen(system[i])) == 0)
			return false;
	}
	return true;
}

bool top_frames_has_line(const struct analysis *a, sym_id s)
{
	return !symtab_is_elsewhere(&a->program->symtab.sym[s]) || top_frames_is_own(a, s);
}

/* Whether reports show a function as an address, such as "[git+0x198500]", or as an object. */
static bool top_frames_is_nameless(const struct analysis *a, sym_id s)
{
	return a->program->symtab.sym[s].name[0] == '[';
}

/* Whether a function only starts programs or threads. */
static bool top_frames_is_start(const struct analysis *a, sym_id s)
{
	static const char *const heads[] = { "_start", "__libc_start_", "start_thread", "clone",
					     "__clone" };
	const char *name = a->program->symtab.sym[s].name;

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (strncmp(name, heads[i], strlen(heads[i])) == 0)
			return true;
	}
	return false;
}

/* A path without recursion. */
struct joined_node {
	uint32_t function, parent; /* STACKS_NONE: no parent */
	uint32_t depth;            /* how many nodes are above it */
	uint32_t heaviest;         /* the child with the most time; STACKS_NONE: no child */
	double ticks;
	bool visible;
	bool leads_to_own; /* the user's own code, or hidden since such a callee has nearly all its
			      time */
};

INDEX_KEY(joined_key, struct joined_node, x->function, x->parent)

struct joining {
	const struct analysis *a;
	ARRAY(struct joined_node) nodes;
	struct index index;
	uint32_t *path; /* the joined nodes on the path to the current one, by depth */
	uint32_t *last; /* for each function, the node that it had last, plus 1 */
	struct arena *mem;
};

/* The joined node of a node of the tree and, if it is not on the path before, what it replaced. */
struct joined_level {
	uint32_t node;
	bool added;
	uint32_t path, last;
};

/* Returns the node of a function on the path that ends in `end`, or STACKS_NONE. */
static uint32_t top_frames_find_on_path(const struct joining *j, uint32_t end, sym_id function)
{
	uint32_t node = j->last[function] - 1, depth;

	if (j->last[function] == 0 || end == STACKS_NONE)
		return STACKS_NONE;
	depth = j->nodes.at[node].depth;
	return depth <= j->nodes.at[end].depth && j->path[depth] == node ? node : STACKS_NONE;
}

/* Goes from the node `parent` to a function, and fills in the level. */
static void top_frames_join(struct joining *j, uint32_t parent, sym_id function,
			    struct joined_level *level)
{
	struct joined_node wanted = { .function = function,
				      .parent = parent,
				      .heaviest = STACKS_NONE };

	level->node = top_frames_find_on_path(j, parent, function);
	level->added = level->node == STACKS_NONE;
	if (!level->added)
		return;
	if (parent != STACKS_NONE)
		wanted.depth = j->nodes.at[parent].depth + 1;
	level->node = index_intern(&j->index, &j->nodes, &wanted, joined_key, j->mem);
	level->path = j->path[wanted.depth];
	level->last = j->last[function];
	j->path[wanted.depth] = level->node;
	j->last[function] = level->node + 1;
}

/* Undoes top_frames_join(). */
static void top_frames_leave(struct joining *j, const struct joined_level *level)
{
	const struct joined_node *node = &j->nodes.at[level->node];

	if (!level->added)
		return;
	j->path[node->depth] = level->path;
	j->last[node->function] = level->last;
}

static void top_frames_join_all(struct joining *j)
{
	const struct stacks *tree = &j->a->tree;
	struct joined_level *level =
		arena_array(j->mem, struct joined_level, (size_t)tree->depth + 1);
	uint32_t depth = 0;

	j->path = arena_array(j->mem, uint32_t, (size_t)tree->depth + 1);
	j->last = arena_array(j->mem, uint32_t, j->a->program->symtab.nsyms);
	for (uint32_t i = 0; i < tree->n; i++) {
		const struct stack_node *node = &tree->node[i];

		while (depth > node->depth)
			top_frames_leave(j, &level[--depth]);
		top_frames_join(j, depth > 0 ? level[depth - 1].node : STACKS_NONE, node->function,
				&level[depth]);
		j->nodes.at[level[depth++].node].ticks += (double)node->self;
	}
}

/* Adds times up, and finds the nodes at which time divides. */
static void top_frames_divide(struct joining *j)
{
	struct joined_node *at = j->nodes.at;

	for (uint32_t i = (uint32_t)j->nodes.n; i-- > 0;) {
		struct joined_node *node = &at[i];
		const struct joined_node *next =
			node->heaviest != STACKS_NONE ? &at[node->heaviest] : NULL;
		bool own = top_frames_is_own(j->a, node->function);
		struct joined_node *parent;

		node->visible = !next || next->ticks < passed_on * node->ticks ||
				(own && !next->leads_to_own);
		node->leads_to_own = own || (!node->visible && next && next->leads_to_own);
		if (node->parent == STACKS_NONE)
			continue;
		parent = &at[node->parent];
		parent->ticks += node->ticks;
		/* If several children have the same time, the first one is taken. */
		if (parent->heaviest == STACKS_NONE || node->ticks >= at[parent->heaviest].ticks)
			parent->heaviest = i;
	}
}

/*
 * Lets the nearest caller with a name stand for a visible function without one that has next to
 * all of its time. Linear: a hidden node has one heaviest child.
 */
static void top_frames_name(struct joining *j, uint32_t node)
{
	struct joined_node *at = j->nodes.at;
	uint32_t above = node;

	while (top_frames_is_nameless(j->a, at[above].function)) {
		uint32_t parent = at[above].parent;

		if (parent == STACKS_NONE || at[parent].visible || at[parent].heaviest != above ||
		    top_frames_is_start(j->a, at[parent].function))
			return;
		above = parent;
	}
	at[node].visible = false;
	at[above].visible = true;
}

/* Returns the nearest chosen node above a node, or STACKS_NONE. */
static uint32_t top_frames_above(const struct joining *j, struct bitset chosen, uint32_t node)
{
	do
		node = j->nodes.at[node].parent;
	while (node != STACKS_NONE && !bitset_has(chosen, node));
	return node;
}

/*
 * Lets one node stand for all chosen ones of a function that are below the same chosen node, and
 * moves what is below them there; the order is then by the sums. Returns how many are left: all
 * are few.
 */
static uint32_t top_frames_unite(struct joining *j, struct bitset chosen, struct keyed *order,
				 uint32_t n)
{
	struct joined_node *at = j->nodes.at;
	uint32_t left = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = order[i].id, above = top_frames_above(j, chosen, node), first = 0;

		while (first < left && (at[order[first].id].function != at[node].function ||
					at[order[first].id].parent != above))
			first++;
		at[node].parent = above;
		if (first == left) {
			order[left++].id = node;
			continue;
		}
		at[order[first].id].ticks += at[node].ticks;
		at[node].parent = order[first].id;
		bitset_remove(chosen, node);
	}
	for (uint32_t i = 0; i < left; i++)
		order[i].key = radix_key_descending(at[order[i].id].ticks);
	radix_sort_keyed(order, left, j->mem);
	return left;
}

/* Returns how many chosen nodes are above a node. */
static uint32_t top_frames_depth(const struct joining *j, struct bitset chosen, uint32_t node)
{
	uint32_t depth = 0;

	while ((node = j->nodes.at[node].parent) != STACKS_NONE)
		depth += bitset_has(chosen, node);
	return depth;
}

/* Adds the chosen nodes below `parent` to the frames, the heaviest first: there are few. */
static uint32_t top_frames_list(const struct joining *j, struct bitset *chosen,
				const struct keyed *order, uint32_t nchosen,
				struct top_frame *frames)
{
	uint32_t n = 0, at[TOP_FRAMES + 1];

	/* A frame goes behind the last of those that are above it or below that one. */
	for (uint32_t i = 0; i < nchosen; i++) {
		uint32_t node = order[i].id, place = n;
		uint32_t above = top_frames_above(j, *chosen, node);
		uint32_t depth = top_frames_depth(j, *chosen, node);

		for (uint32_t k = 0; above != STACKS_NONE && k < n; k++) {
			if (at[k] != above)
				continue;
			for (place = k + 1; place < n && frames[place].depth >= depth; place++)
				;
			break;
		}
		memmove(frames + place + 1, frames + place, (n - place) * sizeof(*frames));
		memmove(at + place + 1, at + place, (n - place) * sizeof(*at));
		frames[place] = (struct top_frame){ .function = j->nodes.at[node].function,
						    .depth = depth,
						    .ticks = j->nodes.at[node].ticks };
		at[place] = node;
		n++;
	}
	return n;
}

const struct top_frame *top_frames_make(const struct analysis *a, uint32_t *n, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct joining j = { .a = a, .mem = &scratch };
	struct top_frame *frames = arena_array(mem, struct top_frame, TOP_FRAMES + 1);
	struct keyed *order;
	struct bitset chosen;
	uint32_t norder = 0, nchosen;

	top_frames_join_all(&j);
	top_frames_divide(&j);
	for (uint32_t i = 0; i < j.nodes.n; i++) {
		if (j.nodes.at[i].visible)
			top_frames_name(&j, i);
	}
	order = arena_array(&scratch, struct keyed, j.nodes.n);
	for (uint32_t i = 0; i < j.nodes.n; i++) {
		const struct joined_node *node = &j.nodes.at[i];

		if (node->visible && node->ticks > 0.0 && node->ticks >= least_share * a->costs.all)
			order[norder++] = (struct keyed){ radix_key_descending(node->ticks), i };
	}
	radix_sort_keyed(order, norder, &scratch);
	norder = norder < UNITED_FRAMES ? norder : UNITED_FRAMES;
	chosen = bitset_empty(&scratch, j.nodes.n);
	for (uint32_t i = 0; i < norder; i++)
		bitset_add(chosen, order[i].id);
	norder = top_frames_unite(&j, chosen, order, norder);
	nchosen = norder < TOP_FRAMES ? norder : TOP_FRAMES;
	for (uint32_t i = nchosen; i < norder; i++)
		bitset_remove(chosen, order[i].id);
	*n = top_frames_list(&j, &chosen, order, nchosen, frames);
	arena_free(&scratch);
	return frames;
}

/* Time of a row below two functions of the user's own code. */
struct called_from {
	uint32_t row;
	sym_id caller[TOP_CALLERS];
	double ticks;
};

INDEX_KEY(called_key, struct called_from, x->row, x->caller[0], x->caller[1])

struct calling {
	ARRAY(struct called_from) found;
	struct index index;
	uint32_t *row_of; /* of each symbol: its row plus 1 */
};

static void top_frames_add_time(struct calling *c, const struct called_from *wanted, double ticks,
				struct arena *mem)
{
	uint32_t place = index_intern(&c->index, &c->found, wanted, called_key, mem);

	c->found.at[place].ticks += ticks;
}

/* Adds the time of every node that is a row's, by the user's own functions above it or, if there
 * are none with a name, by the nearest function that has one. */
static void top_frames_gather_callers(struct calling *c, const struct analysis *a,
				      struct arena *mem)
{
	const struct stacks *tree = &a->tree;
	/* Level 0 is above the outermost functions. */
	sym_id(*own)[TOP_CALLERS] =
		arena_alloc(mem, (size_t)tree->depth + 2, sizeof(sym_id[TOP_CALLERS]));
	sym_id *named = arena_array(mem, sym_id, (size_t)tree->depth + 2);

	own[0][0] = own[0][1] = named[0] = SYM_NONE;
	for (uint32_t i = 0; i < tree->n; i++) {
		const struct stack_node *node = &tree->node[i];
		const sym_id *above = own[node->depth];
		sym_id *here = own[node->depth + 1];
		bool recurs = above[0] == node->function;
		bool has_name = !top_frames_is_nameless(a, node->function);
		struct called_from wanted = { .row = c->row_of[node->function],
					      .caller = { above[recurs],
							  recurs ? SYM_NONE : above[1] } };

		memcpy(here, above, sizeof(own[0]));
		named[node->depth + 1] = has_name && !top_frames_is_start(a, node->function)
						 ? node->function
						 : named[node->depth];
		if (wanted.caller[0] == SYM_NONE && named[node->depth] != node->function)
			wanted.caller[0] = named[node->depth];
		if (!recurs && has_name && top_frames_is_own(a, node->function)) {
			here[1] = above[0];
			here[0] = node->function;
		}
		if (wanted.row > 0 && node->self > 0 && wanted.caller[0] != SYM_NONE)
			top_frames_add_time(c, &wanted, (double)node->self, mem);
	}
}

/* Adds the times of pairs up by the nearer caller; the result has SYM_NONE for the other one. */
static void top_frames_add_nearer(struct calling *nearer, const struct calling *pairs,
				  struct arena *mem)
{
	for (size_t i = 0; i < pairs->found.n; i++) {
		struct called_from wanted = pairs->found.at[i];

		wanted.caller[1] = SYM_NONE;
		wanted.ticks = 0.0;
		top_frames_add_time(nearer, &wanted, pairs->found.at[i].ticks, mem);
	}
}

void top_frames_find_callers(const struct analysis *a, struct top_row *rows, uint32_t n,
			     const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct calling pairs = { .row_of = arena_array(&scratch, uint32_t,
						       a->program->symtab.nsyms) };
	struct calling nearer = { .row_of = NULL };
	double *most = arena_array(&scratch, double, n);

	for (uint32_t i = 0; i < n; i++) {
		pairs.row_of[rows[i].function] = i + 1;
		rows[i].own_caller[0] = rows[i].own_caller[1] = SYM_NONE;
		rows[i].own_share = 0.0;
	}
	top_frames_gather_callers(&pairs, a, &scratch);
	top_frames_add_nearer(&nearer, &pairs, &scratch);
	for (size_t i = 0; i < nearer.found.n; i++) {
		const struct called_from *from = &nearer.found.at[i];
		struct top_row *row = &rows[from->row - 1];
		double share = row->self > 0.0 ? from->ticks / row->self : 0.0;

		if (share <= row->own_share)
			continue;
		row->own_caller[0] = from->caller[0];
		row->own_share = share < 1.0 ? share : 1.0;
	}
	for (size_t i = 0; i < pairs.found.n; i++) {
		const struct called_from *from = &pairs.found.at[i];
		struct top_row *row = &rows[from->row - 1];

		if (from->caller[0] != row->own_caller[0] || from->ticks <= most[from->row - 1])
			continue;
		most[from->row - 1] = from->ticks;
		row->own_caller[1] = from->caller[1];
	}
	arena_free(&scratch);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded nodes stand callers first, so one pass gives each its place below that of its caller,
 * found by caller and symbol in a hash table; a second such pass is for nodes of broken stacks,
 * which may be those of others, too. Then paths are sorted by time, all at once, and laid out.
 */
#include "config.h"

#include "analysis/stacks/merge.h"

#include "base/array.h"
#include "base/index.h"
#include "base/radix.h"

/* What is known of a recorded node, as bits. */
enum { ON = 1, INSIDE = 2, USED = 4, USED_BROKEN = 8 };

/* A function at the end of a path. Callers stand before those they call. */
struct merge_path {
	uint32_t parent; /* or STACKS_NONE */
	sym_id symbol;
	uint64_t self;
};

struct merge {
	const struct placed_stacks *placed;
	const struct merge_choice *choice;
	unsigned char *state; /* of each recorded node */
	uint32_t *at;         /* the same: its path, or STACKS_NONE if all of it is skipped */
	ARRAY(struct merge_path) paths;
	struct index index;
	struct arena mem;
};

static uint64_t merge_hash(const void *paths, size_t i)
{
	const struct merge_path *path = (const struct merge_path *)paths + i;

	return index_hash_pair(path->parent, path->symbol);
}

static bool merge_is_same(const void *paths, size_t i, const void *wanted)
{
	const struct merge_path *path = (const struct merge_path *)paths + i, *other = wanted;

	return path->parent == other->parent && path->symbol == other->symbol;
}

static uint32_t merge_extend(struct merge *m, uint32_t parent, sym_id symbol)
{
	const struct merge_path wanted = { parent, symbol, 0 };
	uint64_t hash = merge_hash(&wanted, 0);
	uint32_t *slot;

	if (parent != STACKS_NONE && m->paths.at[parent].symbol == symbol &&
	    m->placed->symtab.sym[symbol].flags & SYM_WHOLE)
		return parent;
	index_reserve(&m->index, m->paths.n + 1, merge_hash, m->paths.at, m->paths.n, &m->mem);
	slot = index_find(&m->index, hash, merge_is_same, m->paths.at, &wanted);
	if (*slot == 0) {
		array_push(&m->mem, &m->paths) = wanted;
		*slot = (uint32_t)m->paths.n;
	}
	return *slot - 1;
}

/* Whether stacks that end in each node count, and whether one of the roots is on them. */
static void merge_choose_nodes(struct merge *m)
{
	const struct recorded *r = m->placed->recorded;
	const struct merge_choice *choice = m->choice;

	for (size_t i = 0; i < r->nodes.n; i++) {
		uint32_t parent = r->nodes.at[i].parent;
		sym_id symbol = m->placed->frame[i];
		unsigned state = parent == RECORDED_NONE ? 0 : m->state[parent];

		if (!choice->on || (!(state & ON) && bitset_has(*choice->on, symbol)))
			state |= ON;
		else if (state & ON && bitset_has(*choice->off, symbol))
			state &= ~(unsigned)ON;
		if (!choice->roots ||
		    (bitset_has(*choice->roots, symbol) && !bitset_has(m->placed->skipped, symbol)))
			state |= INSIDE;
		m->state[i] = (unsigned char)state;
	}
}

static bool merge_counts(const struct merge *m, const struct recorded_sample *sample)
{
	const struct merge_choice *choice = m->choice;

	if (sample->ticks == 0 || sample->kind != choice->kind ||
	    (choice->threads && !bitset_has(*choice->threads, sample->thread)))
		return false;
	if (sample->node == RECORDED_NONE)
		return !choice->roots &&
		       (!choice->on || bitset_has(*choice->on, m->placed->broken));
	return (m->state[sample->node] & (ON | INSIDE)) == (ON | INSIDE);
}

static unsigned merge_use(const struct merge *m, const struct recorded_sample *sample)
{
	return sample->quality == STACK_BROKEN && m->placed->broken != SYM_NONE && !m->choice->roots
		       ? USED_BROKEN
		       : USED;
}

/* Marks the nodes on the stacks that count. */
static void merge_mark(struct merge *m)
{
	const struct recorded *r = m->placed->recorded;

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		if (sample->node != RECORDED_NONE && merge_counts(m, sample))
			m->state[sample->node] |= (unsigned char)merge_use(m, sample);
	}
	for (size_t i = r->nodes.n; i-- > 0;) {
		uint32_t parent = r->nodes.at[i].parent;

		if (parent != RECORDED_NONE)
			m->state[parent] |= m->state[i] & (USED | USED_BROKEN);
	}
}

/* Paths, below `root`, of the nodes of one use, and the time of the stacks that end in them. */
static void merge_build(struct merge *m, unsigned use, uint32_t root)
{
	const struct recorded *r = m->placed->recorded;

	for (size_t i = 0; i < r->nodes.n; i++) {
		uint32_t parent = r->nodes.at[i].parent;
		uint32_t above = parent == RECORDED_NONE ? root : m->at[parent];
		bool inside = !m->choice->roots || m->state[i] & INSIDE;

		if (!(m->state[i] & use))
			continue;
		m->at[i] = !inside || bitset_has(m->placed->skipped, m->placed->frame[i])
				   ? above
				   : merge_extend(m, above, m->placed->frame[i]);
	}
	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];
		uint32_t path = root;

		if (!merge_counts(m, sample))
			continue;
		if (sample->node != RECORDED_NONE) {
			if (merge_use(m, sample) != use)
				continue;
			path = m->at[sample->node];
		} else if (use != USED_BROKEN) {
			continue;
		}
		if (path == STACKS_NONE)
			path = merge_extend(m, root, m->placed->frame[sample->node]);
		m->paths.at[path].self += sample->ticks;
	}
}

/* The first child and the next sibling of each path; behind them, as if of one more, the roots. */
struct merge_links {
	uint32_t *child, *next;
};

static struct merge_links merge_link(const struct merge *m, const uint64_t *total,
				     struct arena *mem)
{
	uint32_t n = (uint32_t)m->paths.n;
	struct merge_links links = { arena_array(mem, uint32_t, (size_t)n + 1),
				     arena_array(mem, uint32_t, n) };
	struct arena scratch = arena_scratch(mem);
	struct keyed *order = arena_array(&scratch, struct keyed, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ m->paths.at[i].symbol, i };
	sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n; i++)
		order[i].key = ~total[order[i].id];
	sort_keyed(order, n, &scratch);
	memset(links.child, 0xff, ((size_t)n + 1) * sizeof(*links.child));
	for (uint32_t i = n; i-- > 0;) {
		uint32_t path = order[i].id, parent = m->paths.at[path].parent;
		uint32_t *first = &links.child[parent == STACKS_NONE ? n : parent];

		links.next[path] = *first;
		*first = path;
	}
	arena_free(&scratch);
	return links;
}

/* Depth first, from each path to its first child; without one to the next of the nearest that has.
 */
static struct stacks merge_lay_out(const struct merge *m, const uint64_t *total,
				   const struct merge_links *links, struct arena *mem)
{
	uint32_t n = (uint32_t)m->paths.n, above = STACKS_NONE, path = links->child[n];
	struct stack_node *node = arena_array(mem, struct stack_node, n);
	struct stacks stacks = { .node = node };

	while (path != STACKS_NONE) {
		struct stack_node *at = &node[stacks.n];

		*at = (struct stack_node){
			.function = m->paths.at[path].symbol,
			.parent = above,
			.depth = above == STACKS_NONE ? 0 : node[above].depth + 1,
			.end = path, /* until it is known */
			.self = m->paths.at[path].self,
			.total = total[path],
			.samples = m->paths.at[path].self,
			.total_samples = total[path],
		};
		stacks.total += at->self;
		if (at->depth > stacks.depth)
			stacks.depth = at->depth;
		above = stacks.n++;
		path = links->child[path];
		while (path == STACKS_NONE && above != STACKS_NONE) {
			path = links->next[node[above].end];
			node[above].end = stacks.n;
			above = node[above].parent;
		}
	}
	stacks.samples = stacks.total;
	return stacks;
}

static struct stacks merge_finish(const struct merge *m, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint64_t *total = arena_array(&scratch, uint64_t, m->paths.n);
	struct merge_links links;
	struct stacks stacks;

	for (size_t i = m->paths.n; i-- > 0;) {
		const struct merge_path *path = &m->paths.at[i];

		total[i] += path->self;
		if (path->parent != STACKS_NONE)
			total[path->parent] += total[i];
	}
	links = merge_link(m, total, &scratch);
	stacks = merge_lay_out(m, total, &links, mem);
	arena_free(&scratch);
	return stacks;
}

struct stacks merge_stacks(const struct placed_stacks *placed, const struct merge_choice *choice,
			   struct arena *mem)
{
	struct merge m = { .placed = placed, .choice = choice, .mem = arena_scratch(mem) };
	size_t n = placed->recorded->nodes.n;
	struct stacks stacks;

	m.state = arena_array(&m.mem, unsigned char, n);
	m.at = arena_array(&m.mem, uint32_t, n);
	merge_choose_nodes(&m);
	merge_mark(&m);
	merge_build(&m, USED, STACKS_NONE);
	if (placed->broken != SYM_NONE) {
		size_t nbefore = m.paths.n;

		merge_build(&m, USED_BROKEN, merge_extend(&m, STACKS_NONE, placed->broken));
		/* of other threads, or kinds */
		if (m.paths.n == nbefore + 1 && m.paths.at[nbefore].self == 0)
			m.paths.n--;
	}
	index_free(&m.index, &m.mem);
	arena_release(&m.mem, m.state);
	arena_release(&m.mem, m.at);
	stacks = merge_finish(&m, mem);
	arena_free(&m.mem);
	return stacks;
}

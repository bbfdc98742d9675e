/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *   recorded nodes                       paths, sorted and laid out
 *   0  main+10              0 ticks      main           0 of 11
 *   1  main+24              0 ticks      +-- work       8 of 11   nodes 2 and 3
 *   2  work+8   called by 0, 5 ticks         +-- [libm] 3 of  3   nodes 4 and 5
 *   3  work+8   called by 1, 3 ticks
 *   4  sin      called by 3, 1 tick      [libm] is a SYM_WHOLE: of calls within
 *   5  cos      called by 4, 2 ticks     it the outermost stays.
 *
 * Callers are recorded before their callees, so one pass finds each node's path below that of its
 * caller: a hash table has the paths by caller's path and symbol. Nodes of broken stacks go through
 * a second pass, as other stacks may have the same nodes. Then all paths are sorted by time and put
 * into depth-first order.
 */
#include "config.h"

#include "analysis/stacks/call_tree.h"

#include "base/array.h"
#include "base/index.h"
#include "base/radix.h"

/* States of a recorded node and of the stack from its outer end to this node, as bits. */
enum {
	ON = 1,          /* the user selects the time of stacks that end here */
	INSIDE = 2,      /* a root of the tree is on the stack */
	USED = 4,        /* the node is on a stack that counts */
	USED_BROKEN = 8, /* it is on a broken stack that counts */
	BEGINS = 16,     /* library code that begins the thread */
	WAS_OFF = 32,    /* a function on the stack was excluded for good */
	GAP = 64         /* functions are missing on the stack */
};

/* A function at the end of a path. Callers come before their callees. */
struct call_tree_path {
	uint32_t parent; /* or STACKS_NONE */
	sym_id symbol;
	uint64_t self, waiting;
};

struct call_tree_builder {
	const struct symbolized_stacks *symbolized;
	const struct call_tree_choice *choice;
	unsigned char *state; /* of each recorded node */
	uint32_t *at; /* for each recorded node, its path; STACKS_NONE: all its functions are
			 skipped */
	ARRAY(struct call_tree_path) paths;
	struct index index;
	uint64_t quality[STACK_QUALITIES];
	unsigned used; /* whether USED and USED_BROKEN occur: which kinds of stacks there are */
	struct arena mem;
};

INDEX_KEY(call_tree_path_key, struct call_tree_path, x->parent, x->symbol)

static uint32_t call_tree_extend(struct call_tree_builder *m, uint32_t parent, sym_id symbol)
{
	const struct call_tree_path wanted = { parent, symbol, 0, 0 };

	if (parent != STACKS_NONE && m->paths.at[parent].symbol == symbol &&
	    m->symbolized->symtab.sym[symbol].flags & SYM_WHOLE)
		return parent;
	return index_intern(&m->index, &m->paths, &wanted, call_tree_path_key, &m->mem);
}

/* Whether a node is library code that begins the thread, at the outer end of its stack. */
static bool call_tree_begins(const struct call_tree_builder *m, size_t i)
{
	const struct recorded *r = m->symbolized->recorded;
	const sym_id *frame = m->symbolized->frame;
	uint32_t module = r->nodes.at[i].module, parent = r->nodes.at[i].parent;

	if (!(m->symbolized->symtab.sym[frame[i]].flags & SYM_WHOLE) || module == RECORDED_NONE ||
	    r->modules.at[module].flags & MODULE_PROGRAM)
		return false;
	return parent == RECORDED_NONE ||
	       (m->state[parent] & BEGINS && frame[parent] == frame[i]) ||
	       (frame[parent] == m->symbolized->start &&
		r->nodes.at[parent].parent == RECORDED_NONE);
}

/* Returns the state, on or off, of a stack after one more function. */
static unsigned call_tree_switch(const struct call_tree_choice *choice, unsigned state,
				 sym_id symbol)
{
	if (!choice->on)
		return state | ON;
	if (choice->stays_off && (state & WAS_OFF || bitset_has(*choice->off, symbol)))
		return (state & ~(unsigned)ON) | WAS_OFF;
	if (!(state & ON))
		return bitset_has(*choice->on, symbol) ? state | ON : state;
	return bitset_has(*choice->off, symbol) ? state & ~(unsigned)ON : state;
}

/* Returns the state of a stack after one more function, with the bits for roots and gaps. */
static unsigned call_tree_enter(const struct call_tree_builder *m, unsigned state, sym_id symbol)
{
	const struct call_tree_choice *choice = m->choice;

	state = call_tree_switch(choice, state & ~(unsigned)BEGINS, symbol);
	if (!choice->roots ||
	    (bitset_has(*choice->roots, symbol) && !bitset_has(m->symbolized->skipped, symbol)))
		state |= INSIDE;
	return symbol == m->symbolized->cut ? state | GAP : state;
}

static void call_tree_choose_nodes(struct call_tree_builder *m)
{
	const struct recorded *r = m->symbolized->recorded;

	for (size_t i = 0; i < r->nodes.n; i++) {
		uint32_t parent = r->nodes.at[i].parent;
		unsigned state = parent == RECORDED_NONE ? 0 : m->state[parent];

		state = call_tree_enter(m, state, m->symbolized->frame[i]);
		if (call_tree_begins(m, i))
			state |= BEGINS;
		m->state[i] = (unsigned char)state;
	}
}

/*
 * Returns the symbol that is shown for the missing inner end of a stack; SYM_NONE: nothing is
 * missing.
 */
static sym_id call_tree_missing(const struct call_tree_builder *m,
				const struct recorded_sample *sample)
{
	if (sample->quality == STACK_UNSEEN)
		return m->symbolized->unseen;
	return sample->quality == STACK_CUT &&
			       (sample->node == RECORDED_NONE || !(m->state[sample->node] & GAP))
		       ? m->symbolized->cut
		       : SYM_NONE;
}

static bool call_tree_is_recorder(const struct call_tree_builder *m, uint32_t node)
{
	const struct recorded *r = m->symbolized->recorded;
	uint32_t module = r->nodes.at[node].module;

	return module != RECORDED_NONE && r->modules.at[module].flags & MODULE_RECORDER;
}

static bool call_tree_has_kind(const struct call_tree_choice *choice,
			       const struct recorded_sample *sample)
{
	const struct clock *clock = &choice->clock;

	return (sample->kind == clock->kind ||
		(clock->waiting && sample->kind == clock->waiting)) &&
	       !clock_is_idle(clock, sample);
}

static bool call_tree_counts(const struct call_tree_builder *m,
			     const struct recorded_sample *sample)
{
	const struct call_tree_choice *choice = m->choice;
	sym_id missing = call_tree_missing(m, sample);
	unsigned state = sample->node == RECORDED_NONE ? 0 : m->state[sample->node];

	if (sample->ticks == 0 || !call_tree_has_kind(choice, sample) ||
	    (choice->threads && !bitset_has(*choice->threads, sample->thread)))
		return false;
	if (missing != SYM_NONE)
		state = call_tree_enter(m, state, missing);
	else if (sample->node == RECORDED_NONE || call_tree_is_recorder(m, sample->node))
		return false;
	return (state & (ON | INSIDE)) == (ON | INSIDE);
}

static unsigned call_tree_use(const struct call_tree_builder *m,
			      const struct recorded_sample *sample)
{
	return sample->quality == STACK_BROKEN && m->symbolized->broken != SYM_NONE &&
			       !m->choice->roots
		       ? USED_BROKEN
		       : USED;
}

/* Marks the nodes that are on stacks which count. */
static void call_tree_mark(struct call_tree_builder *m)
{
	const struct recorded *r = m->symbolized->recorded;

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		if (!call_tree_counts(m, sample))
			continue;
		m->used |= call_tree_use(m, sample);
		if (sample->node != RECORDED_NONE)
			m->state[sample->node] |= (unsigned char)call_tree_use(m, sample);
	}
	for (size_t i = r->nodes.n; i-- > 0;) {
		uint32_t parent = r->nodes.at[i].parent;

		if (parent != RECORDED_NONE)
			m->state[parent] |= m->state[i] & (USED | USED_BROKEN);
	}
}

/* Whether a node adds nothing to the path of its caller. */
static bool call_tree_vanishes(const struct call_tree_builder *m, size_t i, unsigned use)
{
	return (m->choice->roots && !(m->state[i] & INSIDE)) ||
	       (use == USED && m->state[i] & BEGINS) ||
	       bitset_has(m->symbolized->skipped, m->symbolized->frame[i]);
}

/* Adds paths below `root` for the nodes with the mark `use`. */
static void call_tree_add_paths(struct call_tree_builder *m, unsigned use, uint32_t root)
{
	const struct recorded *r = m->symbolized->recorded;

	for (size_t i = 0; i < r->nodes.n; i++) {
		uint32_t parent = r->nodes.at[i].parent;
		uint32_t above = parent == RECORDED_NONE ? root : m->at[parent];

		if (!(m->state[i] & use))
			continue;
		m->at[i] = call_tree_vanishes(m, i, use)
				   ? above
				   : call_tree_extend(m, above, m->symbolized->frame[i]);
	}
}

/*
 * Finds the path of a sample's stack. Code that begins a thread is shown if the stack ends in it.
 */
static uint32_t call_tree_find_end(struct call_tree_builder *m,
				   const struct recorded_sample *sample, unsigned use)
{
	uint32_t node = sample->node;
	uint32_t path = node == RECORDED_NONE ? STACKS_NONE : m->at[node];
	sym_id symbol = call_tree_missing(m, sample);
	bool begins;

	if (symbol != SYM_NONE)
		return call_tree_extend(m, path, symbol);
	symbol = m->symbolized->frame[node];
	begins = use == USED && m->state[node] & BEGINS;
	if (path != STACKS_NONE && !(begins && !bitset_has(m->symbolized->skipped, symbol)))
		return path;
	return call_tree_extend(m, path, symbol);
}

/* Adds the samples' ticks to the paths of nodes with the mark `use`. */
static void call_tree_add_samples(struct call_tree_builder *m, unsigned use)
{
	const struct recorded *r = m->symbolized->recorded;

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];
		uint32_t path;

		if (call_tree_use(m, sample) != use || !call_tree_counts(m, sample))
			continue;
		path = call_tree_find_end(m, sample, use);
		if (sample->kind != m->choice->clock.kind) {
			m->paths.at[path].waiting += sample->ticks;
			continue;
		}
		m->paths.at[path].self += sample->ticks;
		m->quality[sample->quality] += sample->ticks;
	}
}

/* The first child and the next sibling of each path; one more entry, the last, is the parent of all
 * roots. */
struct call_tree_links {
	uint32_t *child, *next;
};

/* Ticks of paths, each with all paths below it. */
struct call_tree_totals {
	uint64_t *time, *waiting;
};

/*
 * The sort key of paths of one parent: time and waiting, added up in one unit. The bits of doubles
 * that are not negative, read as integers, have the same order.
 */
static uint64_t call_tree_key(const struct call_tree_builder *m,
			      const struct call_tree_totals *total, uint32_t path)
{
	const struct clock *clock = &m->choice->clock;
	const struct recorded_kind *kinds = m->symbolized->recorded->kinds.at;
	double per_wait, sum;
	uint64_t bits;

	if (!clock->waiting || kinds[clock->waiting].unit.rate == 0)
		return ~total->time[path];
	per_wait = (double)kinds[clock->kind].unit.rate / kinds[clock->waiting].unit.rate;
	sum = (double)total->time[path] + (double)total->waiting[path] * per_wait;
	memcpy(&bits, &sum, sizeof(bits));
	return ~bits;
}

static struct call_tree_links call_tree_link(const struct call_tree_builder *m,
					     const struct call_tree_totals *total,
					     struct arena *mem)
{
	uint32_t n = (uint32_t)m->paths.n;
	struct call_tree_links links = { arena_array(mem, uint32_t, (size_t)n + 1),
					 arena_array(mem, uint32_t, n) };
	struct arena scratch = arena_scratch(mem);
	struct keyed *order = arena_array(&scratch, struct keyed, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ m->paths.at[i].symbol, i };
	radix_sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n; i++)
		order[i].key = call_tree_key(m, total, order[i].id);
	radix_sort_keyed(order, n, &scratch);
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

/* Lays out the paths depth first. */
static struct stacks call_tree_lay_out(const struct call_tree_builder *m,
				       const struct call_tree_totals *total,
				       const struct call_tree_links *links, struct arena *mem)
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
			.end = path, /* for now: it is set when the end of the subtree is known */
			.self = m->paths.at[path].self,
			.total = total->time[path],
			.samples = m->paths.at[path].self,
			.total_samples = total->time[path],
			.waiting = m->paths.at[path].waiting,
			.total_waiting = total->waiting[path],
		};
		stacks.total += at->self;
		stacks.waiting += at->waiting;
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

static struct stacks call_tree_finish(const struct call_tree_builder *m, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const struct call_tree_totals total = { arena_array(&scratch, uint64_t, m->paths.n),
						arena_array(&scratch, uint64_t, m->paths.n) };
	struct call_tree_links links;
	struct stacks stacks;

	for (size_t i = m->paths.n; i-- > 0;) {
		const struct call_tree_path *path = &m->paths.at[i];

		total.time[i] += path->self;
		total.waiting[i] += path->waiting;
		if (path->parent == STACKS_NONE)
			continue;
		total.time[path->parent] += total.time[i];
		total.waiting[path->parent] += total.waiting[i];
	}
	links = call_tree_link(m, &total, &scratch);
	stacks = call_tree_lay_out(m, &total, &links, mem);
	arena_free(&scratch);
	return stacks;
}

struct stacks call_tree_make(const struct symbolized_stacks *symbolized,
			     const struct call_tree_choice *choice,
			     uint64_t quality[STACK_QUALITIES], struct arena *mem)
{
	struct call_tree_builder m = { .symbolized = symbolized,
				       .choice = choice,
				       .mem = arena_scratch(mem) };
	size_t n = symbolized->recorded->nodes.n;
	struct stacks stacks;

	m.state = arena_array(&m.mem, unsigned char, n);
	m.at = arena_array(&m.mem, uint32_t, n);
	call_tree_choose_nodes(&m);
	call_tree_mark(&m);
	call_tree_add_paths(&m, USED, STACKS_NONE);
	call_tree_add_samples(&m, USED);
	if (m.used & USED_BROKEN) {
		call_tree_add_paths(&m, USED_BROKEN,
				    call_tree_extend(&m, STACKS_NONE, symbolized->broken));
		call_tree_add_samples(&m, USED_BROKEN);
	}
	index_free(&m.index, &m.mem);
	arena_release(&m.mem, m.state);
	arena_release(&m.mem, m.at);
	stacks = call_tree_finish(&m, mem);
	for (int q = 0; quality && q < STACK_QUALITIES; q++)
		quality[q] = m.quality[q];
	arena_free(&m.mem);
	return stacks;
}

bool call_tree_selects_time(const struct selection *sel, uint32_t nsyms)
{
	for (sym_id s = 0; s < nsyms; s++) {
		if (!bitset_has(sel->time_on, s) || bitset_has(sel->time_off, s))
			return true;
	}
	return false;
}

struct call_tree_choice call_tree_choose(const struct stacks_choice *choice,
					 const struct selection *sel)
{
	struct call_tree_choice all = { .clock = choice->clock, .threads = choice->threads };

	all.off = &sel->time_off;
	all.stays_off = !choice->chosen_time;
	if (!choice->chosen_time && call_tree_selects_time(sel, choice->symbolized->symtab.nsyms))
		all.on = &sel->time_on;
	return all;
}

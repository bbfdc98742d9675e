/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call_tree_make() takes any numbers for symbols. For a tree of addresses, each address is made a
 * symbol; for the tree of one thread, the recording is reduced to that thread's nodes.
 */
#include "config.h"

#include "analysis/stacks/trees.h"

#include "analysis/when/axis.h"
#include "base/index.h"
#include "base/radix.h"
#include "base/rounding.h"

/* The trees in the making, by symbols and by addresses. */
struct trees {
	const struct symbolized_stacks *symbolized; /* stacks of symbols */
	struct symbolized_stacks by_address;
	const struct selection *sel;
	struct call_tree_choice choice, address_choice;
	struct bitset on, off; /* addresses whose symbols are in sel->time_on and sel->time_off */
	ARRAY(struct code_address) addresses;
	struct index index;
	double per_tick, per_wait; /* units of time in a tick of CPU time, and in a tick of waiting;
				      0: waiting does not count */
	struct arena *mem, *scratch;
};

INDEX_KEY(trees_key, struct code_address, x->pc, x->symbol)

static uint32_t trees_add_address(struct trees *t, sym_id symbol, uint32_t module, uint64_t pc)
{
	const struct sym *sym = &t->symbolized->symtab.sym[symbol];
	const struct code_address address = { symbol, module,
					      sym->flags & SYM_WHOLE           ? 0
					      : symbol == t->symbolized->start ? sym->lo
									       : pc };

	index_reserve(&t->index, t->addresses.n + 1, trees_key, t->addresses.at, t->addresses.n,
		      t->scratch);
	return index_intern(&t->index, &t->addresses, &address, trees_key, t->mem);
}

/* Replaces a special symbol, unless it is SYM_NONE, by the number of the address that stands for
 * it. */
static void trees_replace_symbol(struct trees *t, sym_id *symbol)
{
	if (*symbol != SYM_NONE)
		*symbol = trees_add_address(t, *symbol, RECORDED_NONE, 0);
}

/*
 * Sets by_address, the symbolized stacks with addresses in place of symbols, and the sets of
 * addresses that the user's selection means.
 */
static void trees_make_by_address(struct trees *t)
{
	const struct symbolized_stacks *symbolized = t->symbolized;
	const struct recorded *r = symbolized->recorded;
	sym_id *frame = arena_array(t->scratch, sym_id, r->nodes.n);
	struct sym *sym;
	uint32_t n;

	for (size_t i = 0; i < r->nodes.n; i++)
		frame[i] = trees_add_address(t, symbolized->frame[i], r->nodes.at[i].module,
					     r->nodes.at[i].address);
	t->by_address = *symbolized;
	trees_replace_symbol(t, &t->by_address.broken);
	trees_replace_symbol(t, &t->by_address.cut);
	trees_replace_symbol(t, &t->by_address.unseen);
	trees_replace_symbol(t, &t->by_address.start);
	n = (uint32_t)t->addresses.n;
	sym = arena_array(t->scratch, struct sym, n);
	t->by_address.frame = frame;
	t->by_address.symtab = (struct symtab){ sym, n };
	t->by_address.skipped = bitset_empty(t->scratch, n);
	t->on = bitset_empty(t->scratch, n);
	t->off = bitset_empty(t->scratch, n);
	for (uint32_t i = 0; i < n; i++) {
		sym_id s = t->addresses.at[i].symbol;

		sym[i] = symbolized->symtab.sym[s];
		if (bitset_has(symbolized->skipped, s))
			bitset_add(t->by_address.skipped, i);
		if (bitset_has(t->sel->time_on, s))
			bitset_add(t->on, i);
		if (bitset_has(t->sel->time_off, s))
			bitset_add(t->off, i);
	}
	t->address_choice = t->choice;
	t->address_choice.on = t->choice.on ? &t->on : NULL;
	t->address_choice.off = &t->off;
}

/*
 * Clears the times of nodes whose functions are not selected, and adds up the totals again.
 * Waiting, if it counts, is added to the times.
 */
static void trees_add_up(const struct trees *t, struct stacks *tree, bool addresses,
			 double per_tick, double per_wait)
{
	struct stack_node *node = (struct stack_node *)tree->node;
	struct rounding time = { .scale = per_tick }, waits = { .scale = per_wait };

	tree->of = addresses ? STACKS_OF_ADDRESSES : STACKS_OF_SYMBOLS;
	tree->adds_waiting = per_wait > 0.0;
	tree->total = tree->samples = tree->waiting = 0;
	for (uint32_t i = 0; i < tree->n; i++) {
		sym_id s = addresses ? t->addresses.at[node[i].function].symbol : node[i].function;
		bool counts = bitset_has(t->sel->flat, s);
		uint64_t ticks = counts ? node[i].samples : 0;
		uint64_t wait = counts ? rounding_next(&waits, (double)node[i].waiting) : 0;

		node[i].samples = node[i].total_samples = ticks;
		node[i].waiting = node[i].total_waiting = wait;
		node[i].self = node[i].total = rounding_next(&time, (double)ticks) + wait;
		tree->total += node[i].self;
		tree->samples += ticks;
		tree->waiting += wait;
	}
	for (uint32_t i = tree->n; i-- > 0;) {
		if (node[i].parent == STACKS_NONE)
			continue;
		node[node[i].parent].total += node[i].total;
		node[node[i].parent].total_samples += node[i].total_samples;
		node[node[i].parent].total_waiting += node[i].total_waiting;
	}
}

/* Returns the samples in the order of their threads. */
static const struct keyed *trees_sort_samples(const struct trees *t)
{
	const struct recorded *r = t->symbolized->recorded;
	struct keyed *order = arena_array(t->scratch, struct keyed, r->samples.n);

	for (size_t i = 0; i < r->samples.n; i++)
		order[i] = (struct keyed){ r->samples.at[i].thread, (uint32_t)i };
	radix_sort_keyed(order, r->samples.n, t->scratch);
	return order;
}

/*
 * Returns a recording of n samples and only the nodes of their stacks; `place` is room for the new
 * index of each node, plus 1, or 0.
 */
static struct recorded trees_cut(const struct recorded *r, const struct keyed *samples, size_t n,
				 uint32_t *place, uint32_t **kept, struct arena *mem)
{
	struct recorded part = *r;
	ARRAY(struct keyed) nodes = { 0 };
	struct recorded_node *node;

	part.samples.at = arena_array(mem, struct recorded_sample, n);
	part.samples.n = n;
	part.slices.n = 0; /* they refer to the samples of r */
	for (size_t i = 0; i < n; i++) {
		part.samples.at[i] = r->samples.at[samples[i].id];
		for (uint32_t at = part.samples.at[i].node; at != RECORDED_NONE && place[at] == 0;
		     at = r->nodes.at[at].parent) {
			place[at] = 1;
			array_push(mem, &nodes) = (struct keyed){ at, at };
		}
	}
	radix_sort_keyed(nodes.at, nodes.n, mem);
	node = arena_array(mem, struct recorded_node, nodes.n);
	*kept = arena_array(mem, uint32_t, nodes.n);
	for (uint32_t i = 0; i < nodes.n; i++) {
		node[i] = r->nodes.at[nodes.at[i].id];
		(*kept)[i] = nodes.at[i].id;
		place[nodes.at[i].id] = i + 1;
		if (node[i].parent != RECORDED_NONE)
			node[i].parent = place[node[i].parent] - 1;
	}
	part.nodes.at = node;
	part.nodes.n = nodes.n;
	for (size_t i = 0; i < n; i++) {
		if (part.samples.at[i].node != RECORDED_NONE)
			part.samples.at[i].node = place[part.samples.at[i].node] - 1;
	}
	for (uint32_t i = 0; i < nodes.n; i++)
		place[(*kept)[i]] = 0;
	return part;
}

static struct stacks trees_merge_part(const struct trees *t, const struct recorded *part,
				      const uint32_t *kept, bool addresses, struct arena *scratch)
{
	struct symbolized_stacks symbolized = addresses ? t->by_address : *t->symbolized;
	sym_id *frame = arena_array(scratch, sym_id, part->nodes.n);
	struct stacks tree;

	for (size_t i = 0; i < part->nodes.n; i++)
		frame[i] = symbolized.frame[kept[i]];
	symbolized.recorded = part;
	symbolized.frame = frame;
	tree = call_tree_make(&symbolized, addresses ? &t->address_choice : &t->choice, NULL,
			      t->mem);
	trees_add_up(t, &tree, addresses, t->per_tick, t->per_wait);
	return tree;
}

static void trees_make_threads(struct trees *t, struct call_trees *trees)
{
	const struct recorded *r = t->symbolized->recorded;
	const struct keyed *order = trees_sort_samples(t);
	uint32_t *place = arena_array(t->scratch, uint32_t, r->nodes.n);
	struct thread_trees *threads = arena_array(t->mem, struct thread_trees, r->threads.n);

	for (size_t i = 0, end; i < r->samples.n; i = end) {
		struct arena scratch = arena_scratch(t->mem);
		struct thread_trees of = { .thread = (uint32_t)order[i].key };
		struct recorded part;
		uint32_t *kept;

		for (end = i; end < r->samples.n && order[end].key == of.thread;)
			end++;
		part = trees_cut(r, order + i, end - i, place, &kept, &scratch);
		of.functions = trees_merge_part(t, &part, kept, false, &scratch);
		of.addresses = trees_merge_part(t, &part, kept, true, &scratch);
		if (of.functions.samples > 0 || of.functions.waiting > 0)
			threads[trees->nthreads++] = of;
		arena_free(&scratch);
	}
	trees->thread = threads;
}

/*
 * Returns the samples in pieces, each with the ticks of a slice, and after them the ticks that are
 * in no slice. `order` gets the keys of the pieces: thread, then slice.
 */
static struct recorded trees_cut_slices(const struct trees *t, struct keyed **order)
{
	const struct recorded *r = t->symbolized->recorded;
	size_t most = r->slices.n + r->samples.n, n = 0;
	uint64_t *rest = arena_array(t->scratch, uint64_t, r->samples.n);
	struct recorded pieces = *r;

	pieces.samples.at = arena_array(t->scratch, struct recorded_sample, most);
	*order = arena_array(t->scratch, struct keyed, most);
	for (size_t i = 0; i < r->samples.n; i++)
		rest[i] = r->samples.at[i].ticks;
	for (size_t i = 0; i < most; i++) {
		bool timed = i < r->slices.n;
		uint32_t id = timed ? r->slices.at[i].sample : (uint32_t)(i - r->slices.n);
		const struct recorded_sample *sample = &r->samples.at[id];
		uint64_t ticks = timed ? r->slices.at[i].ticks : rest[id];
		uint32_t slice = timed ? r->slices.at[i].slice : RECORDED_NONE;

		ticks = ticks < rest[id] ? ticks : rest[id];
		if (ticks == 0)
			continue;
		rest[id] -= ticks;
		pieces.samples.at[n] = *sample;
		pieces.samples.at[n].ticks = ticks;
		(*order)[n] = (struct keyed){ (uint64_t)sample->thread << 32 | slice, (uint32_t)n };
		n++;
	}
	pieces.samples.n = n;
	radix_sort_keyed(*order, n, t->scratch);
	return pieces;
}

/* Returns a slice of a thread, without trees. */
static struct slice_trees trees_slice(const struct axis *axis, const struct recorded *r,
				      uint64_t key)
{
	const struct axis_line *line = &axis->of[r->threads.at[key >> 32].recording];
	uint32_t slice = (uint32_t)key;

	if (!line->timeline || slice >= line->timeline->nslices ||
	    axis_at(line, slice + 1) * 1e9 >= (double)INT64_MAX)
		return (struct slice_trees){ .start = SLICE_TIMELESS, .end = SLICE_TIMELESS };
	return (struct slice_trees){ .start = (uint64_t)(axis_at(line, slice) * 1e9),
				     .end = (uint64_t)(axis_at(line, slice + 1) * 1e9) };
}

/* Makes the trees of the slices of each thread that has trees. */
static void trees_make_slices(const struct trees *t, const struct call_trees *trees)
{
	struct thread_trees *thread = (struct thread_trees *)trees->thread;
	struct keyed *order;
	const struct recorded pieces = trees_cut_slices(t, &order);
	struct axis axis = axis_make(&pieces, t->scratch);
	uint32_t *place = arena_array(t->scratch, uint32_t, pieces.nodes.n);
	size_t i = 0, end;

	for (uint32_t k = 0; k < trees->nthreads; k++) {
		ARRAY(struct slice_trees) slices = { 0 };

		for (; i < pieces.samples.n && order[i].key >> 32 <= thread[k].thread; i = end) {
			struct arena scratch = arena_scratch(t->mem);
			struct slice_trees slice = trees_slice(&axis, &pieces, order[i].key);
			struct recorded part;
			uint32_t *kept;

			for (end = i; end < pieces.samples.n && order[end].key == order[i].key;)
				end++;
			part = trees_cut(&pieces, order + i, end - i, place, &kept, &scratch);
			if (order[i].key >> 32 == thread[k].thread) {
				slice.functions = trees_merge_part(t, &part, kept, false, &scratch);
				slice.addresses = trees_merge_part(t, &part, kept, true, &scratch);
				array_push(t->mem, &slices) = slice;
			}
			arena_free(&scratch);
		}
		thread[k].slice = slices.at;
		thread[k].nslices = (uint32_t)slices.n;
	}
}

static void trees_make_addresses(struct trees *t, struct call_trees *trees)
{
	struct thread_trees *all = arena_array(t->mem, struct thread_trees, 1);

	all->thread = RECORDED_NONE;
	all->addresses = call_tree_make(&t->by_address, &t->address_choice, NULL, t->mem);
	trees_add_up(t, &all->addresses, true, t->per_tick, t->per_wait);
	trees->thread = all;
	trees->nthreads = 1;
}

/* Nanoseconds in a tick of waiting; 0: waiting does not count. */
static double trees_per_wait(const struct clock *clock, const struct recorded *recorded)
{
	uint32_t rate = clock->waiting ? recorded->kinds.at[clock->waiting].unit.rate : 0;

	return rate > 0 ? 1e9 / rate : 0.0;
}

struct call_trees trees_make(const struct stacks_choice *choice, const struct selection *sel,
			     double per_tick, enum trees_parts parts, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct trees t = { .symbolized = choice->symbolized,
			   .sel = sel,
			   .choice = call_tree_choose(choice, sel),
			   .per_tick = per_tick,
			   .mem = mem,
			   .scratch = &scratch };
	struct call_trees trees = { .recorded = choice->symbolized->recorded };

	t.per_wait = trees_per_wait(&choice->clock, trees.recorded);
	if (parts != TREES_ADDRESSES) {
		trees.functions = call_tree_make(t.symbolized, &t.choice, NULL, mem);
		trees_add_up(&t, &trees.functions, false, t.per_tick, t.per_wait);
	}
	if (parts != TREES_FUNCTIONS)
		trees_make_by_address(&t);
	if (parts == TREES_THREADS || parts == TREES_SLICES)
		trees_make_threads(&t, &trees);
	else if (parts == TREES_ADDRESSES)
		trees_make_addresses(&t, &trees);
	if (parts == TREES_SLICES && trees.recorded->slices.n > 0)
		trees_make_slices(&t, &trees);
	trees.address = t.addresses.at;
	trees.naddresses = (uint32_t)t.addresses.n;
	arena_free(&scratch);
	return trees;
}

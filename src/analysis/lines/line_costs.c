/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples and calls are resolved to addresses with their source lines. Say main() calls leaf(),
 * step() is inlined into leaf(), and these are the line table and a histogram with bins of 16
 * bytes:
 *
 *   line table   0x100 main.c:5   0x110 main.c:6   0x120 leaf.c:3   0x128 step.h:9 at leaf.c:4
 *   symbols      main [0x100, 0x120)               leaf [0x120, 0x130)
 *   bins         [0x100) 2        [0x110) 0        [0x120) 4
 *
 * A bin is cut where a row of the line table begins, and divided by bytes:
 *
 *   address_cost     frame                        frames
 *   0x100 main  2    0                            0 main.c:5
 *   0x120 leaf  2    1                            1 leaf.c:3
 *   0x128 leaf  2    3                            2 leaf.c:4
 *                                                 3 step.h:9, step, called in frame 2
 *
 * If leaf() has 0.07 s in whole numbers, its two addresses get 35 ms each. An arc that was counted
 * from 0x114 becomes call_site_cost 0x114 with the frame main.c:6. With call stacks, each address
 * in which stacks end becomes an address_cost, and each call on stacks a call_site_cost.
 */
#include "config.h"

#include "analysis/lines/line_costs.h"

#include "analysis/functions/inlined.h"
#include "analysis/functions/resolve.h"
#include "base/index.h"
#include "base/radix.h"

#include <stddef.h>

/* A call from an address, before the calls from one address are joined. */
struct line_costs_call {
	struct call_site_cost site;
	sym_id to;
	double weight; /* its part of the arc's time */
};

struct line_costs_maker {
	const struct analysis *a;
	const struct line_costs_input *in;
	const struct line_table *lines;
	struct arena *mem;
	ARRAY(struct source_frame) frames;
	ARRAY(const char *) inlined;
	ARRAY(struct address_cost) at;
	ARRAY(struct line_costs_call) calls;
	struct index frame_index, inlined_index;
	uint32_t *row_frame; /* for each row its frame plus 1; 0: not yet made */
	uint32_t no_row;     /* frame, plus 1, of code without a known line; 0: not yet made */
};

/*
 * The part of a whole number not yet given away, when it is divided by shares that add up to `all`.
 */
struct line_costs_share {
	double all, sofar;
	uint64_t whole, given;
};

static uint64_t line_costs_next(struct line_costs_share *share, double part)
{
	uint64_t before = share->given, upto = share->whole;

	share->sofar += part;
	if (share->sofar < share->all)
		upto = rounding_nearest(share->sofar / share->all, (double)share->whole);
	if (upto > before)
		share->given = upto < share->whole ? upto : share->whole;
	return share->given - before;
}

/*
 * Whether the line table may have a line for an address; sets *pc to the address in the program or
 * its address space.
 */
static bool line_costs_is_located(const struct analysis *a, const struct code_address *address,
				  uint64_t *pc)
{
	const struct sym *sym = &a->program->symtab.sym[address->symbol];
	bool own = !symtab_is_elsewhere(sym);
	uint64_t lo = sym->lo;

	if (!own && sym->flags & SYM_INLINED)
		lo = inlined_base(a->program->inlined, address->symbol);
	*pc = own ? address->pc : address->pc + (lo - address_space_own_address(lo));
	return own || (a->program->address_space->located && !(sym->flags & SYM_WHOLE));
}

void line_costs_want_bins(const struct profile *prof, address_list *pcs, struct arena *mem)
{
	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];
		double bytes = RESOLVE_UNIT * profile_hist_scale(hist);

		for (uint32_t bin = 0; (bin = profile_next_bin(hist, bin)) < hist->nbins; bin++) {
			array_push(mem, pcs) = hist->lo + (uint64_t)(bytes * bin);
			array_push(mem, pcs) = hist->lo + (uint64_t)(bytes * (bin + 1)) - 1;
		}
	}
	for (size_t i = 0; i < prof->points.n; i++)
		array_push(mem, pcs) = prof->points.at[i].pc;
}

void line_costs_want(const struct line_costs_input *input, address_list *pcs, struct arena *mem)
{
	const struct analysis *a = input->analysis;
	const struct call_trees *trees = input->trees;
	uint64_t pc;

	if (!trees)
		line_costs_want_bins(a->profile, pcs, mem);
	for (uint32_t i = 0; trees && i < trees->naddresses; i++) {
		if (line_costs_is_located(a, &trees->address[i], &pc))
			array_push(mem, pcs) = pc;
	}
	for (size_t i = 0; i < a->profile->arcs.n; i++)
		array_push(mem, pcs) = a->profile->arcs.at[i].from_pc;
	for (size_t i = 0; i < a->profile->blocks.n; i++)
		array_push(mem, pcs) = a->profile->blocks.at[i].pc;
}

INDEX_KEY(line_costs_frame_key, struct source_frame, (uintptr_t)x->file, x->line, x->function,
	  x->caller)

static uint32_t line_costs_add_frame(struct line_costs_maker *m, struct source_frame frame)
{
	return index_intern(&m->frame_index, &m->frames, &frame, line_costs_frame_key, m->mem);
}

/* Equal names have one address. */
INDEX_KEY(line_costs_name_key, const char *, (uintptr_t)*x)

static uint32_t line_costs_add_inlined(struct line_costs_maker *m, const char *name)
{
	return index_intern(&m->inlined_index, &m->inlined, &name, line_costs_name_key, m->mem);
}

/* Returns the frame of a row (NULL: unknown source), after making those of its callers. */
static uint32_t line_costs_frame(struct line_costs_maker *m, const struct line_row *row)
{
	uint32_t *known = row ? &m->row_frame[row - m->lines->row] : &m->no_row;
	struct line_caller chain[LINE_SLICES_MOST_CALLERS];
	uint32_t n, last = FRAME_LAST;

	if (*known > 0)
		return *known - 1;
	n = line_slices_chain(m->lines, row, chain);
	while (n-- > 0) {
		struct source_frame frame = { chain[n].file, chain[n].line, FRAME_OWN, last };

		if (last != FRAME_LAST)
			frame.function = line_costs_add_inlined(m, chain[n].function);
		last = line_costs_add_frame(m, frame);
	}
	*known = last + 1;
	return last;
}

static void line_costs_take(const struct line_slice *slice, void *arg)
{
	struct line_costs_maker *m = arg;

	if (bitset_has(m->a->selection.flat, slice->symbol))
		array_push(m->mem, &m->at) =
			(struct address_cost){ .pc = slice->pc,
					       .symbol = slice->symbol,
					       .frame = line_costs_frame(m, slice->row),
					       .ticks = slice->ticks };
}

/*
 * Returns the frame of code on a stack; without callers, if inlined functions have nodes of their
 * own on stacks.
 */
static uint32_t line_costs_code_frame(struct line_costs_maker *m, sym_id symbol, uint64_t pc)
{
	const struct inlined *inlined = m->in->inlined;
	struct inlined_chain chain;
	uint32_t i = 0;

	if (!inlined)
		return line_costs_frame(m, line_table_find(m->lines, pc));
	inlined_chain(&chain, inlined, symbol, pc);
	if (m->a->program->symtab.sym[symbol].flags & SYM_INLINED)
		chain.symbol[chain.n - 1] = SYM_NONE;
	while (i + 1 < chain.n && chain.symbol[i] != symbol)
		i++;
	return line_costs_add_frame(m, (struct source_frame){ chain.at[i].file, chain.at[i].line,
							      FRAME_OWN, FRAME_LAST });
}

/*
 * Adds the ticks of stacks that end in each address, for all threads. Returns the frames of the
 * addresses.
 */
static uint32_t *line_costs_take_addresses(struct line_costs_maker *m)
{
	const struct call_trees *trees = m->in->trees;
	uint32_t *frame = arena_array(m->mem, uint32_t, trees->naddresses);
	struct arena scratch = arena_scratch(m->mem);
	uint64_t *ticks = arena_array(&scratch, uint64_t, trees->naddresses);

	for (uint32_t t = 0; t < trees->nthreads; t++) {
		const struct stacks *addresses = &trees->thread[t].addresses;

		for (uint32_t i = 0; i < addresses->n; i++)
			ticks[addresses->node[i].function] += addresses->node[i].samples;
	}
	for (uint32_t i = 0; i < trees->naddresses; i++) {
		const struct code_address *address = &trees->address[i];
		uint64_t pc;

		frame[i] = line_costs_is_located(m->a, address, &pc)
				   ? line_costs_code_frame(m, address->symbol, pc)
				   : line_costs_frame(m, NULL);
		if (ticks[i] > 0)
			array_push(m->mem, &m->at) =
				(struct address_cost){ .pc = address->pc,
						       .symbol = address->symbol,
						       .frame = frame[i],
						       .ticks = (double)ticks[i] };
	}
	arena_free(&scratch);
	return frame;
}

struct line_costs_key {
	uint64_t first, pc;
};

/* Returns the ids of n rows sorted by their keys, in mem. */
static const struct keyed *line_costs_sort(const struct line_costs_key *keys, size_t n,
					   struct arena *mem)
{
	struct keyed *order = arena_array(mem, struct keyed, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ keys[i].pc, i };
	radix_sort_keyed(order, n, mem);
	for (size_t i = 0; i < n; i++)
		order[i].key = keys[order[i].id].first;
	radix_sort_keyed(order, n, mem);
	return order;
}

/* Sorts the addresses by symbol, and gives each its part of the symbol's whole numbers. */
static void line_costs_add_addresses(const struct line_costs_maker *m, struct line_costs *costs)
{
	const struct integer_costs *whole = m->in->integer_costs;
	uint32_t n = (uint32_t)m->at.n, nsyms = m->a->program->symtab.nsyms, i = 0;
	struct arena scratch = arena_scratch(m->mem);
	struct line_costs_key *keys = arena_array(&scratch, struct line_costs_key, n);
	struct address_cost *at = arena_array(m->mem, struct address_cost, n);
	uint32_t *start = arena_array(m->mem, uint32_t, (size_t)nsyms + 1);
	const struct keyed *order;

	for (uint32_t k = 0; k < n; k++)
		keys[k] = (struct line_costs_key){ m->at.at[k].symbol, m->at.at[k].pc };
	order = line_costs_sort(keys, n, &scratch);
	for (sym_id s = 0; s < nsyms; s++) {
		struct line_costs_share self = { .whole = whole ? whole->self[s] : 0 };
		struct line_costs_share samples = { .whole = whole ? whole->samples[s] : 0 };

		start[s] = i;
		for (; i < n && order[i].key == s; i++) {
			at[i] = m->at.at[order[i].id];
			self.all += at[i].ticks;
		}
		samples.all = self.all;
		for (uint32_t k = start[s]; k < i; k++) {
			at[k].self = line_costs_next(&self, at[k].ticks);
			at[k].samples = line_costs_next(&samples, at[k].ticks);
		}
	}
	start[nsyms] = i;
	costs->at = at;
	costs->n = n;
	costs->start = start;
	arena_free(&scratch);
}

static void line_costs_add_call(struct line_costs_maker *m, uint64_t pc, const struct arc *arc,
				uint32_t frame, double weight)
{
	array_push(m->mem, &m->calls) = (struct line_costs_call){
		{ .pc = pc, .from = arc->from, .frame = frame, .ncalls = arc->ncalls },
		arc->to,
		weight
	};
}

/* Adds the calls of counted arcs. */
static void line_costs_take_arcs(struct line_costs_maker *m)
{
	const struct profile *prof = m->a->profile;
	struct arena scratch = arena_scratch(m->mem);
	uint32_t *raw_of = arena_array(&scratch, uint32_t, prof->arcs.n);
	size_t n;
	struct arc *arcs =
		resolve_arcs(prof, &m->a->program->symtab, &m->a->selection, &n, raw_of, &scratch);

	if (m->in->inlined)
		inlined_move_arcs(m->in->inlined, prof, arcs, n, raw_of);
	for (size_t i = 0; i < n; i++) {
		uint64_t pc = prof->arcs.at[raw_of[i]].from_pc;

		line_costs_add_call(m, pc, &arcs[i], line_costs_code_frame(m, arcs[i].from, pc),
				    m->in->trees ? 0.0 : (double)arcs[i].ncalls);
	}
	arena_free(&scratch);
}

/*
 * Sets left[] to what each node of a thread's stacks adds to the time of the function above, as in
 * measured_pair.down: its total, less the time below that function where the function is on the
 * stack once more. At first left[] has the total of each node.
 */
static void line_costs_take_inner(const struct line_costs_maker *m, const struct stacks *addresses,
				  uint64_t *left, struct arena *mem)
{
	const struct code_address *address = m->in->trees->address;
	uint32_t *open = arena_array(mem, uint32_t, (size_t)addresses->depth + 1), nopen = 0;
	uint32_t *outer = arena_array(mem, uint32_t, (size_t)addresses->depth + 1);
	/* for each symbol, the depth of its innermost node on the path, plus 1 */
	uint32_t *depth = arena_array(mem, uint32_t, m->a->program->symtab.nsyms);

	for (uint32_t i = 0; i < addresses->n; i++) {
		const struct stack_node *node = &addresses->node[i];
		sym_id s = address[node->function].symbol;

		while (nopen > node->depth) {
			nopen--;
			depth[address[addresses->node[open[nopen]].function].symbol] = outer[nopen];
		}
		open[nopen] = i;
		outer[nopen] = depth[s];
		if (depth[s] > 0)
			left[open[depth[s]]] -= node->total_samples;
		depth[s] = ++nopen;
	}
}

/* Adds the calls on the stacks of a thread. */
static void line_costs_take_stacks(struct line_costs_maker *m, const struct stacks *addresses,
				   const uint32_t *frame)
{
	const struct code_address *address = m->in->trees->address;
	struct arena scratch = arena_scratch(m->mem);
	uint64_t *left = arena_array(&scratch, uint64_t, addresses->n);

	for (uint32_t i = 0; i < addresses->n; i++)
		left[i] = addresses->node[i].total_samples;
	line_costs_take_inner(m, addresses, left, &scratch);
	for (uint32_t i = 0; i < addresses->n; i++) {
		uint32_t from, to = addresses->node[i].function;

		if (addresses->node[i].parent == STACKS_NONE)
			continue;
		from = addresses->node[addresses->node[i].parent].function;
		line_costs_add_call(m, address[from].pc,
				    &(struct arc){ address[from].symbol, address[to].symbol, 0 },
				    frame[from], (double)left[i]);
	}
	arena_free(&scratch);
}

static uint64_t line_costs_arc_key(sym_id from, sym_id to)
{
	return (uint64_t)from << 32 | to;
}

/* Sets the key of each call to its arc in the graph; narcs: it has none. Both lists are sorted. */
static const struct line_costs_key *line_costs_find_arcs(const struct line_costs_maker *m,
							 struct arena *mem)
{
	const struct graph *g = &m->a->graph;
	struct line_costs_key *keys = arena_array(mem, struct line_costs_key, m->calls.n);
	struct arena scratch = arena_scratch(mem);
	struct keyed *arcs = arena_array(&scratch, struct keyed, g->narcs);
	struct keyed *calls = arena_array(&scratch, struct keyed, m->calls.n);

	for (uint32_t i = 0; i < g->narcs; i++)
		arcs[i] = (struct keyed){ line_costs_arc_key(g->arc[i].from, g->arc[i].to), i };
	for (uint32_t i = 0; i < m->calls.n; i++) {
		const struct line_costs_call *call = &m->calls.at[i];

		calls[i] = (struct keyed){ line_costs_arc_key(call->site.from, call->to), i };
	}
	radix_sort_keyed(arcs, g->narcs, &scratch);
	radix_sort_keyed(calls, m->calls.n, &scratch);
	for (uint32_t i = 0, at = 0; i < m->calls.n; i++) {
		while (at < g->narcs && arcs[at].key < calls[i].key)
			at++;
		keys[calls[i].id] = (struct line_costs_key){
			at < g->narcs && arcs[at].key == calls[i].key ? arcs[at].id : g->narcs,
			m->calls.at[calls[i].id].site.pc
		};
	}
	arena_free(&scratch);
	return keys;
}

/*
 * Adds the call sites of an arc, from n of its calls; calls from one address are joined. Returns
 * how many were added.
 */
static uint32_t line_costs_join_calls(const struct line_costs_maker *m, uint64_t time,
				      const struct keyed *from, size_t n,
				      struct call_site_cost *call)
{
	struct line_costs_share share = { .whole = time };
	uint32_t ncalls = 0;

	for (size_t k = 0; k < n; k++)
		share.all += m->calls.at[from[k].id].weight;
	for (size_t k = 0; k < n; k++) {
		const struct line_costs_call *at = &m->calls.at[from[k].id];

		if (ncalls == 0 || call[ncalls - 1].pc != at->site.pc) {
			call[ncalls] = at->site;
			call[ncalls++].ncalls = 0;
		}
		if (__builtin_add_overflow(call[ncalls - 1].ncalls, at->site.ncalls,
					   &call[ncalls - 1].ncalls))
			call[ncalls - 1].ncalls = UINT64_MAX;
		call[ncalls - 1].time += line_costs_next(&share, at->weight);
	}
	return ncalls;
}

static void line_costs_add_calls(const struct line_costs_maker *m, struct line_costs *costs)
{
	const struct integer_costs *whole = m->in->integer_costs;
	uint32_t narcs = m->a->graph.narcs;
	size_t n = m->calls.n, k = 0;
	struct arena scratch = arena_scratch(m->mem);
	uint32_t *start = arena_array(m->mem, uint32_t, (size_t)narcs + 1);
	const struct keyed *order = line_costs_sort(line_costs_find_arcs(m, &scratch), n, &scratch);
	struct call_site_cost *call = arena_array(m->mem, struct call_site_cost, n);

	for (uint32_t i = 0; i <= narcs; i++) {
		size_t first = k;

		start[i] = costs->ncalls;
		while (k < n && order[k].key == i)
			k++;
		costs->ncalls +=
			line_costs_join_calls(m, whole && i < narcs ? whole->arc[i] : 0,
					      order + first, k - first, call + costs->ncalls);
	}
	costs->call = call;
	costs->arc_start = start;
	arena_free(&scratch);
}

static uint32_t *line_costs_take_blocks(struct line_costs_maker *m)
{
	const struct profile *prof = m->a->profile;
	uint32_t *frame = arena_array(m->mem, uint32_t, prof->blocks.n);

	for (size_t i = 0; i < prof->blocks.n; i++)
		frame[i] = line_costs_frame(m, line_table_find(m->lines, prof->blocks.at[i].pc));
	return frame;
}

struct line_costs line_costs_make(const struct line_costs_input *input,
				  const struct line_table *lines, struct arena *mem)
{
	const struct analysis *a = input->analysis;
	const struct call_trees *trees = input->trees;
	struct line_costs_maker m = { .a = a,
				      .in = input,
				      .lines = lines,
				      .mem = mem,
				      .row_frame = arena_sparse(mem, lines->nrows,
								sizeof(*m.row_frame)) };
	struct line_costs costs = { 0 };

	if (trees)
		costs.address_frame = line_costs_take_addresses(&m);
	else
		line_slices_walk(a->profile, &a->program->symtab, lines, line_costs_take, &m);
	line_costs_take_arcs(&m);
	costs.block_frame = line_costs_take_blocks(&m);
	for (uint32_t i = 0; trees && i < trees->nthreads; i++)
		line_costs_take_stacks(&m, &trees->thread[i].addresses, costs.address_frame);
	line_costs_add_addresses(&m, &costs);
	if (m.at.at)
		arena_release(mem, m.at.at);
	line_costs_add_calls(&m, &costs);
	if (m.calls.at)
		arena_release(mem, m.calls.at);
	costs.frame = m.frames.at;
	costs.nframes = (uint32_t)m.frames.n;
	costs.inlined = m.inlined.at;
	costs.ninlined = (uint32_t)m.inlined.n;
	return costs;
}

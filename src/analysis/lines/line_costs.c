/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples and calls are resolved once more, but to addresses. Frames and the names of inlined
 * functions are interned: code of one line is mostly many places.
 */
#include "config.h"

#include "analysis/lines/line_costs.h"

#include "analysis/functions/inlined.h"
#include "analysis/functions/resolve.h"
#include "base/index.h"
#include "base/radix.h"
#include "base/sort.h"

#include <string.h>

/* A part of a bin that is of one line. */
struct line_costs_piece {
	uint64_t pc;
	double ticks;
	sym_id symbol;
	uint32_t frame;
};

/* Calls from an address. */
struct line_costs_call {
	uint64_t pc, key; /* the arc, by line_costs_key() */
	uint32_t frame;
	uint64_t ncalls;
	double weight; /* of its time */
};

struct line_costs_maker {
	const struct analysis *a;
	const struct integer_costs *integer_costs;
	const struct call_trees *trees;
	const struct line_table *lines;
	struct arena *mem;
	ARRAY(struct source_frame) frames;
	ARRAY(const char *) inlined;
	ARRAY(struct line_costs_piece) pieces;
	ARRAY(struct line_costs_call) calls;
	struct index frame_index, inlined_index;
};

/* What is left of a whole number that is divided by shares which add up to `all`. */
struct line_costs_share {
	double all, sofar;
	uint64_t whole, given;
};

static uint64_t line_costs_next(struct line_costs_share *share, double part)
{
	uint64_t before = share->given, upto = share->whole;

	share->sofar += part;
	if (share->sofar < share->all)
		upto = rounded(share->sofar / share->all, (double)share->whole);
	if (upto > before)
		share->given = upto < share->whole ? upto : share->whole;
	return share->given - before;
}

/* Whether an address may have a source line, which is at *pc of the program or of its space. */
static bool line_costs_is_located(const struct analysis *a, const struct code_address *address,
				  uint64_t *pc)
{
	const struct sym *sym = &a->program->symtab.sym[address->symbol];
	bool own = !sym_is_elsewhere(sym);
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

		for (uint32_t bin = 0; bin < hist->nbins; bin++) {
			if (hist->ticks[bin] == 0)
				continue;
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
}

static uint64_t line_costs_hash_frame(const void *frames, size_t place)
{
	const struct source_frame *frame = (const struct source_frame *)frames + place;

	return index_hash_pair((uintptr_t)frame->file ^ (uint64_t)frame->line << 40,
			       (uint64_t)frame->caller << 32 | frame->function);
}

static bool line_costs_same_frame(const void *frames, size_t place, const void *wanted)
{
	const struct source_frame *x = (const struct source_frame *)frames + place, *y = wanted;

	return x->file == y->file && x->line == y->line && x->function == y->function &&
	       x->caller == y->caller;
}

static uint32_t line_costs_add_frame(struct line_costs_maker *m, struct source_frame frame)
{
	uint32_t *slot;

	index_reserve(&m->frame_index, m->frames.n + 1, line_costs_hash_frame, m->frames.at,
		      m->frames.n, m->mem);
	slot = index_find(&m->frame_index, line_costs_hash_frame(&frame, 0), line_costs_same_frame,
			  m->frames.at, &frame);
	if (!*slot) {
		array_push(m->mem, &m->frames) = frame;
		*slot = (uint32_t)m->frames.n;
	}
	return *slot - 1;
}

/* Equal names have one address. */
static uint64_t line_costs_hash_inlined(const void *names, size_t place)
{
	return index_hash_pair((uintptr_t)((const char *const *)names)[place], 0);
}

static bool line_costs_same_inlined(const void *names, size_t place, const void *wanted)
{
	return ((const char *const *)names)[place] == *(const char *const *)wanted;
}

static uint32_t line_costs_add_inlined(struct line_costs_maker *m, const char *name)
{
	uint32_t *slot;

	index_reserve(&m->inlined_index, m->inlined.n + 1, line_costs_hash_inlined, m->inlined.at,
		      m->inlined.n, m->mem);
	slot = index_find(&m->inlined_index, line_costs_hash_inlined(&name, 0),
			  line_costs_same_inlined, m->inlined.at, &name);
	if (!*slot) {
		array_push(m->mem, &m->inlined) = name;
		*slot = (uint32_t)m->inlined.n;
	}
	return *slot - 1;
}

/* The frame of a row, after those of its callers. */
static uint32_t line_costs_frame(struct line_costs_maker *m, const struct line_row *row)
{
	struct line_caller chain[LINE_SLICES_MOST_CALLERS];
	uint32_t n, last = FRAME_LAST;

	if (!row)
		return line_costs_add_frame(
			m, (struct source_frame){ NULL, 0, FRAME_OWN, FRAME_LAST });
	n = line_slices_chain(m->lines, row, chain);
	while (n-- > 0) {
		struct source_frame frame = { chain[n].file, chain[n].line, FRAME_OWN, last };

		if (last != FRAME_LAST)
			frame.function = line_costs_add_inlined(m, chain[n].function);
		last = line_costs_add_frame(m, frame);
	}
	return last;
}

static void line_costs_take(const struct line_slice *piece, void *arg)
{
	struct line_costs_maker *m = arg;

	if (!bitset_has(m->a->selection.flat, piece->symbol))
		return;
	array_push(m->mem, &m->pieces) =
		(struct line_costs_piece){ piece->pc, piece->ticks, piece->symbol,
					   line_costs_frame(m, piece->row) };
}

/* The frame of code on a stack; if inlined functions have stacks' frames of their own, without. */
static uint32_t line_costs_code_frame(struct line_costs_maker *m, sym_id symbol, uint64_t pc)
{
	const struct inlined *inlined = m->a->program->inlined;
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

/* What ends at the addresses, of all threads; and the frames of these. */
static uint32_t *line_costs_take_addresses(struct line_costs_maker *m)
{
	const struct call_trees *trees = m->trees;
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
		bool located = line_costs_is_located(m->a, address, &pc);

		frame[i] = located ? line_costs_code_frame(m, address->symbol, pc)
				   : line_costs_frame(m, NULL);
		if (ticks[i] > 0)
			array_push(m->mem, &m->pieces) =
				(struct line_costs_piece){ address->pc, (double)ticks[i],
							   address->symbol, frame[i] };
	}
	arena_free(&scratch);
	return frame;
}

/* By symbol and address. */
static const struct keyed *line_costs_sort_pieces(const struct line_costs_maker *m,
						  struct arena *mem)
{
	uint32_t n = (uint32_t)m->pieces.n;
	struct keyed *order = arena_array(mem, struct keyed, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ m->pieces.at[i].pc, i };
	sort_keyed(order, n, mem);
	for (uint32_t i = 0; i < n; i++)
		order[i].key = m->pieces.at[order[i].id].symbol;
	sort_keyed(order, n, mem);
	return order;
}

/* The pieces in order, with whole numbers; `start` has room for a symbol more than there are. */
static const struct code_place *line_costs_round(const struct line_costs_maker *m, uint32_t *start,
						 struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t n = (uint32_t)m->pieces.n, nsyms = m->a->program->symtab.nsyms, i = 0;
	const struct keyed *order = line_costs_sort_pieces(m, &scratch);
	struct code_place *places = arena_array(mem, struct code_place, n);

	for (sym_id s = 0; s < nsyms; s++) {
		struct line_costs_share self = { 0.0, 0.0, m->integer_costs->self[s], 0 };
		struct line_costs_share samples = { 0.0, 0.0, m->integer_costs->samples[s], 0 };

		start[s] = i;
		for (; i < n && order[i].key == s; i++)
			self.all += m->pieces.at[order[i].id].ticks;
		samples.all = self.all;
		for (uint32_t k = start[s]; k < i; k++) {
			const struct line_costs_piece *piece = &m->pieces.at[order[k].id];

			places[k] = (struct code_place){ piece->pc, piece->frame,
							 line_costs_next(&self, piece->ticks),
							 line_costs_next(&samples, piece->ticks) };
		}
	}
	start[nsyms] = i;
	arena_free(&scratch);
	return places;
}

static uint64_t line_costs_key(sym_id from, sym_id to)
{
	return (uint64_t)from << 32 | to;
}

/* Calls as they were counted. */
static void line_costs_take_arcs(struct line_costs_maker *m)
{
	const struct profile *prof = m->a->profile;
	struct arena scratch = arena_scratch(m->mem);
	uint32_t *raw_of = arena_array(&scratch, uint32_t, prof->arcs.n);
	size_t n;
	struct arc *arcs =
		resolve_arcs(prof, &m->a->program->symtab, &m->a->selection, &n, raw_of, &scratch);

	if (m->a->program->inlined)
		inlined_move_arcs(m->a->program->inlined, prof, arcs, n, raw_of);
	for (size_t i = 0; i < n; i++) {
		uint64_t pc = prof->arcs.at[raw_of[i]].from_pc;

		array_push(m->mem, &m->calls) =
			(struct line_costs_call){ pc, line_costs_key(arcs[i].from, arcs[i].to),
						  line_costs_code_frame(m, arcs[i].from, pc),
						  arcs[i].ncalls,
						  m->trees ? 0.0 : (double)arcs[i].ncalls };
	}
	arena_free(&scratch);
}

/*
 * What each node of a thread's stacks brings the function above, as measured_pair.down has it: not
 * what is below that function where it is on the stack once more. `left` is at first the total of
 * each node.
 */
static void line_costs_take_inner(const struct line_costs_maker *m, const struct stacks *addresses,
				  uint64_t *left, struct arena *mem)
{
	const struct code_address *address = m->trees->address;
	uint32_t *open = arena_array(mem, uint32_t, (size_t)addresses->depth + 1), nopen = 0;
	uint32_t *outer = arena_array(mem, uint32_t, (size_t)addresses->depth + 1);
	/* of a symbol, the depth of its innermost node that is open, plus 1 */
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

/* Calls on the stacks of a thread. */
static void line_costs_take_stacks(struct line_costs_maker *m, const struct stacks *addresses,
				   const uint32_t *frame)
{
	const struct code_address *address = m->trees->address;
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
		array_push(m->mem, &m->calls) = (struct line_costs_call){
			address[from].pc, line_costs_key(address[from].symbol, address[to].symbol),
			frame[from], 0, (double)left[i]
		};
	}
	arena_free(&scratch);
}

/* By arc and address. */
static const struct keyed *line_costs_sort_calls(const struct line_costs_maker *m,
						 struct arena *mem)
{
	uint32_t n = (uint32_t)m->calls.n;
	struct keyed *order = arena_array(mem, struct keyed, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ m->calls.at[i].pc, i };
	sort_keyed(order, n, mem);
	for (uint32_t i = 0; i < n; i++)
		order[i].key = m->calls.at[order[i].id].key;
	sort_keyed(order, n, mem);
	return order;
}

/* The first call of each arc of the graph in what is sorted, or any other place if it has none. */
static const uint32_t *line_costs_find_arcs(const struct graph *g, const struct keyed *calls,
					    size_t n, struct arena *mem)
{
	struct keyed *order = arena_array(mem, struct keyed, g->narcs);
	uint32_t *first = arena_array(mem, uint32_t, g->narcs);
	size_t k = 0;

	for (uint32_t i = 0; i < g->narcs; i++)
		order[i] = (struct keyed){ line_costs_key(g->arc[i].from, g->arc[i].to), i };
	sort_keyed(order, g->narcs, mem);
	for (uint32_t i = 0; i < g->narcs; i++) {
		while (k < n && calls[k].key < order[i].key)
			k++;
		first[order[i].id] = (uint32_t)k;
	}
	return first;
}

/* The calls of an arc, from n of them; those of one address become one. Returns how many. */
static uint32_t line_costs_join_calls(const struct line_costs_maker *m, uint64_t time,
				      const struct keyed *from, size_t n, struct call_place *call)
{
	struct line_costs_share share = { 0.0, 0.0, time, 0 };
	uint32_t ncalls = 0;

	for (size_t k = 0; k < n; k++)
		share.all += m->calls.at[from[k].id].weight;
	for (size_t k = 0; k < n; k++) {
		const struct line_costs_call *at = &m->calls.at[from[k].id];

		if (ncalls == 0 || call[ncalls - 1].pc != at->pc)
			call[ncalls++] = (struct call_place){ at->pc, at->frame, 0, 0 };
		if (__builtin_add_overflow(call[ncalls - 1].ncalls, at->ncalls,
					   &call[ncalls - 1].ncalls))
			call[ncalls - 1].ncalls = UINT64_MAX;
		call[ncalls - 1].time += line_costs_next(&share, at->weight);
	}
	return ncalls;
}

static void line_costs_add_calls(const struct line_costs_maker *m, struct line_costs *places,
				 struct arena *mem)
{
	const struct graph *g = &m->a->graph;
	struct arena scratch = arena_scratch(mem);
	size_t n = m->calls.n;
	uint32_t *start = arena_array(mem, uint32_t, (size_t)g->narcs + 1), ncalls = 0;
	const struct keyed *calls = line_costs_sort_calls(m, &scratch);
	const uint32_t *first = line_costs_find_arcs(g, calls, n, &scratch);
	struct call_place *call = arena_array(mem, struct call_place, n);

	for (uint32_t i = 0; i < g->narcs; i++) {
		uint64_t key = line_costs_key(g->arc[i].from, g->arc[i].to);
		size_t end = first[i];

		start[i] = ncalls;
		while (end < n && calls[end].key == key)
			end++;
		ncalls += line_costs_join_calls(m, m->integer_costs->arc[i], calls + first[i],
						end - first[i], call + ncalls);
	}
	start[g->narcs] = ncalls;
	places->call = call;
	places->arc_start = start;
	arena_free(&scratch);
}

struct line_costs line_costs_make(const struct line_costs_input *input,
				  const struct line_table *lines, struct arena *mem)
{
	const struct analysis *a = input->analysis;
	const struct call_trees *trees = input->trees;
	struct line_costs_maker m = { .a = a,
				      .integer_costs = input->integer_costs,
				      .trees = trees,
				      .lines = lines,
				      .mem = mem };
	uint32_t *start = arena_array(mem, uint32_t, (size_t)a->program->symtab.nsyms + 1);
	struct line_costs places = { .start = start };

	if (trees)
		places.address_frame = line_costs_take_addresses(&m);
	else
		line_slices_walk(a->profile, &a->program->symtab, lines, line_costs_take, &m);
	line_costs_take_arcs(&m);
	for (uint32_t i = 0; trees && i < trees->nthreads; i++)
		line_costs_take_stacks(&m, &trees->thread[i].addresses, places.address_frame);
	places.at = line_costs_round(&m, start, mem);
	line_costs_add_calls(&m, &places, mem);
	places.nplaces = (uint32_t)m.pieces.n;
	places.frame = m.frames.at;
	places.nframes = (uint32_t)m.frames.n;
	places.inlined = m.inlined.at;
	places.ninlined = (uint32_t)m.inlined.n;
	return places;
}

static int line_costs_compare_frames(uint32_t x, uint32_t y, const void *frames)
{
	const struct source_frame *a = (const struct source_frame *)frames + x;
	const struct source_frame *b = (const struct source_frame *)frames + y;
	int order = a->file == b->file ? 0 : strcmp(a->file, b->file);

	if (order != 0)
		return order;
	return (a->line > b->line) - (a->line < b->line);
}

struct line_sums line_costs_by_line(const struct line_costs *places, struct arena *mem)
{
	uint64_t *self = arena_array(mem, uint64_t, places->nframes);
	uint32_t *order = arena_array(mem, uint32_t, places->nframes);
	ARRAY(struct line_sum) costs = { 0 };
	size_t n = 0;

	for (const struct code_place *at = places->at; at < places->at + places->nplaces; at++)
		self[at->frame] += at->self;
	for (uint32_t i = 0; i < places->nframes; i++) {
		if (self[i] > 0 && places->frame[i].file && places->frame[i].line > 0)
			order[n++] = i;
	}
	sort_ids(order, n, line_costs_compare_frames, places->frame, mem);
	for (size_t i = 0; i < n; i++) {
		const struct source_frame *at = &places->frame[order[i]];

		if (i == 0 || line_costs_compare_frames(order[i - 1], order[i], places->frame) != 0)
			array_push(mem, &costs) = (struct line_sum){ at->file, at->line, 0 };
		costs.at[costs.n - 1].self += self[order[i]];
	}
	return (struct line_sums){ costs.at, costs.n };
}

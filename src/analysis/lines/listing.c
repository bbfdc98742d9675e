/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whatever has time of its own in a listing is a count: the whole, what of it was inlined
 * elsewhere, a line, a function inlined on a line. Code of one row touches always the same counts,
 * so for stacks they are found once for each of their addresses; then one walk along the tree keeps
 * for each count how often it is on the stack.
 */
#include "config.h"

#include "analysis/lines/listing.h"

#include "analysis/functions/resolve.h"
#include "base/array.h"
#include "base/index.h"
#include "base/radix.h"
#include "base/sort.h"

enum listing_kind { LISTING_ALL, LISTING_COPIES, LISTING_LINE, LISTING_INLINED };

struct listing_count {
	uint32_t extent;
	enum listing_kind kind;
	const char *file, *function;
	unsigned line;
	struct listing_time time;
	uint64_t ncalls;
	uint32_t open; /* how often it is on the stack at hand */
};

/* A count that code touches. */
struct listing_touch {
	uint32_t count;
	bool is_self; /* also as the innermost of its extent */
};

/* Code of a line. */
struct listing_code {
	uint32_t count;
	struct listing_range range;
};

struct listing_maker {
	const struct listing_input *in;
	ARRAY(struct listing_count) counts;
	struct index index;
	ARRAY(struct listing_touch) touched; /* by the code at hand */
	uint32_t *seen; /* of each extent: the last code in whose chain it was */
	uint32_t ncodes;
	ARRAY(struct listing_code) codes;
	struct arena *mem;
};

INDEX_KEY(listing_key, struct listing_count, (uintptr_t)x->file, (uintptr_t)x->function, x->line,
	  (uint64_t)x->extent << 32 | x->kind)

static void listing_touch(struct listing_maker *m, struct listing_count wanted, bool is_self)
{
	uint32_t place = index_intern(&m->index, &m->counts, &wanted, listing_key, m->mem);

	array_push(m->mem, &m->touched) = (struct listing_touch){ place, is_self };
}

/* Touches the counts of a frame; `inner` is the function that was inlined there, or NULL. */
static void listing_touch_frame(struct listing_maker *m, uint32_t extent,
				const struct source_frame *frame, const char *inner)
{
	struct listing_count count = { .extent = extent };
	bool is_self = m->seen[extent] != m->ncodes;

	m->seen[extent] = m->ncodes;
	count.kind = LISTING_ALL;
	listing_touch(m, count, is_self);
	count.kind = LISTING_COPIES;
	if (frame->function != FRAME_OWN)
		listing_touch(m, count, is_self);
	count.kind = LISTING_LINE;
	count.file = frame->file;
	count.line = frame->line;
	listing_touch(m, count, is_self);
	count.kind = LISTING_INLINED;
	count.function = inner;
	if (inner)
		listing_touch(m, count, is_self);
}

/* Finds all counts that code in a symbol touches; its line is not known if its frame is FRAME_LAST.
 */
static void listing_look(struct listing_maker *m, sym_id symbol, uint32_t frame)
{
	static const struct source_frame unknown = { NULL, 0, FRAME_OWN, FRAME_LAST };
	const struct line_costs *costs = m->in->costs;
	const struct source_frame *at;
	const char *function = NULL;

	m->touched.n = 0;
	m->ncodes++;
	do {
		const char *inner = function;
		uint32_t extent = m->in->extents->of_symbol[symbol];

		at = frame == FRAME_LAST ? &unknown : &costs->frame[frame];
		if (at->function != FRAME_OWN) {
			function = costs->inlined[at->function];
			extent = function_lines_find_inlined(m->in->extents, function, at->file);
		}
		if (extent > 0)
			listing_touch_frame(m, extent - 1, at, inner);
		frame = at->caller;
	} while (frame != FRAME_LAST);
}

/* The frame of code on stacks or with calls; none in what has no place in the program. */
static uint32_t listing_frame(const struct listing_maker *m, sym_id s, uint32_t frame)
{
	bool foreign = m->in->analysis->program->symtab.sym[s].flags & SYM_FOREIGN;

	return foreign ? FRAME_LAST : frame;
}

/* Self times. */
static void listing_take_addresses(struct listing_maker *m)
{
	const struct line_costs *costs = m->in->costs;
	const struct analysis *a = m->in->analysis;
	double fit = m->in->trees ? 1.0 : resolve_fit(&a->costs, a->graph.nnodes);

	for (uint32_t i = 0; i < costs->n; i++) {
		const struct address_cost *at = &costs->at[i];

		listing_look(m, at->symbol,
			     m->in->trees ? listing_frame(m, at->symbol, at->frame) : at->frame);
		for (size_t k = 0; k < m->touched.n; k++) {
			if (m->touched.at[k].is_self)
				m->counts.at[m->touched.at[k].count].time.self += fit * at->ticks;
		}
	}
}

/* What each address on stacks touches: those of address i are from start[i] on. */
struct listing_addresses {
	ARRAY(uint32_t) counts;
	size_t *start;
};

static struct listing_addresses listing_look_at_addresses(struct listing_maker *m,
							  struct arena *mem)
{
	const struct call_trees *trees = m->in->trees;
	struct listing_addresses of = { .start = arena_array(mem, size_t,
							     (size_t)trees->naddresses + 1) };

	for (uint32_t i = 0; i < trees->naddresses; i++) {
		sym_id s = trees->address[i].symbol;

		of.start[i] = of.counts.n;
		listing_look(m, s, listing_frame(m, s, m->in->costs->address_frame[i]));
		for (size_t k = 0; k < m->touched.n; k++)
			array_push(mem, &of.counts) = m->touched.at[k].count;
	}
	of.start[trees->naddresses] = of.counts.n;
	return of;
}

static void listing_leave(struct listing_maker *m, const struct listing_addresses *of,
			  uint32_t address)
{
	for (size_t i = of->start[address]; i < of->start[address + 1]; i++)
		m->counts.at[of->counts.at[i]].open--;
}

static void listing_enter(struct listing_maker *m, const struct listing_addresses *of,
			  const struct stack_node *node)
{
	for (size_t i = of->start[node->function]; i < of->start[node->function + 1]; i++) {
		struct listing_count *count = &m->counts.at[of->counts.at[i]];

		if (count->open++ == 0)
			count->time.inclusive += (double)node->total_samples;
	}
}

/* Inclusive times. */
static void listing_walk_stacks(struct listing_maker *m)
{
	struct arena scratch = arena_scratch(m->mem);
	struct listing_addresses of = listing_look_at_addresses(m, &scratch);

	for (uint32_t t = 0; t < m->in->trees->nthreads; t++) {
		const struct stacks *tree = &m->in->trees->thread[t].addresses;
		uint32_t *open = arena_array(&scratch, uint32_t, (size_t)tree->depth + 1);
		uint32_t nopen = 0;

		for (uint32_t i = 0; i < tree->n; i++) {
			while (nopen > tree->node[i].depth)
				listing_leave(m, &of, open[--nopen]);
			listing_enter(m, &of, &tree->node[i]);
			open[nopen++] = tree->node[i].function;
		}
		while (nopen > 0)
			listing_leave(m, &of, open[--nopen]);
	}
	arena_free(&scratch);
}

/* Calls of the lines that they were made on. */
static void listing_take_calls(struct listing_maker *m)
{
	const struct line_costs *costs = m->in->costs;

	for (uint32_t i = 0; i < costs->ncalls; i++) {
		const struct call_site_cost *call = &costs->call[i];

		if (call->ncalls == 0)
			continue;
		listing_look(m, call->from, listing_frame(m, call->from, call->frame));
		for (size_t k = 0; k < m->touched.n; k++) {
			struct listing_count *count = &m->counts.at[m->touched.at[k].count];

			if (m->touched.at[k].is_self && count->kind == LISTING_LINE)
				count->ncalls += call->ncalls;
		}
	}
}

/* All lines that have code, and where that is. */
static void listing_take_code(struct listing_maker *m)
{
	const struct symtab *symtab = &m->in->analysis->program->symtab;
	const struct line_table *lines = m->in->lines;
	sym_id s = 0;

	for (size_t i = 0; i + 1 < lines->nrows; i++) {
		uint64_t lo = lines->row[i].pc, hi = lines->row[i + 1].pc;

		while (s < symtab->nsyms && symtab->sym[s].hi <= lo)
			s++;
		if (s == symtab->nsyms || symtab->sym[s].lo > lo || !lines->row[i].file)
			continue;
		listing_look(m, s, m->in->costs->row_frame[i]);
		for (size_t k = 0; k < m->touched.n; k++) {
			uint32_t count = m->touched.at[k].count;

			if (m->counts.at[count].kind == LISTING_LINE)
				array_push(m->mem, &m->codes) =
					(struct listing_code){ count, { lo, hi } };
		}
	}
}

/* By extent and kind; lines of the extent's file before others, then by line or by time. */
static bool listing_is_inside(const struct function_lines *extents,
			      const struct listing_count *count)
{
	const struct function_range *extent = &extents->at[count->extent];

	return count->file && count->file == extent->file && count->line >= extent->first &&
	       count->line <= extent->last;
}

static int listing_compare(uint32_t x, uint32_t y, const void *context)
{
	const struct listing_maker *m = context;
	const struct listing_count *a = &m->counts.at[x], *b = &m->counts.at[y];
	bool in_a = listing_is_inside(m->in->extents, a),
	     in_b = listing_is_inside(m->in->extents, b);

	if (a->extent != b->extent)
		return a->extent < b->extent ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (in_a != in_b)
		return in_a ? -1 : 1;
	if (!in_a && a->kind == LISTING_LINE && a->time.self != b->time.self)
		return a->time.self > b->time.self ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (x > y) - (x < y);
}

/* By line, the most time first: so those of a line stand together. */
static int listing_compare_inlined(uint32_t x, uint32_t y, const void *context)
{
	const struct listing_maker *m = context;
	const struct listing_count *a = &m->counts.at[x], *b = &m->counts.at[y];

	if (a->time.self != b->time.self)
		return a->time.self > b->time.self ? -1 : 1;
	if (a->time.inclusive != b->time.inclusive)
		return a->time.inclusive > b->time.inclusive ? -1 : 1;
	return (x > y) - (x < y);
}

/* The count of the line that a function was inlined on. */
static uint32_t listing_find_line(const struct listing_maker *m,
				  const struct listing_count *inlined)
{
	struct listing_count wanted = *inlined;

	wanted.kind = LISTING_LINE;
	wanted.function = NULL;
	return index_lookup(&m->index, m->counts.at, listing_key, &wanted);
}

/* Gives each line, by its count, the functions with time that were inlined there. */
static void listing_add_inlined(const struct listing_maker *m, struct listing_line *of_count)
{
	uint32_t *ids = arena_array(m->mem, uint32_t, m->counts.n);
	struct keyed *order = arena_array(m->mem, struct keyed, m->counts.n);
	struct listing_inlined *inlined;
	size_t n = 0;

	for (uint32_t i = 0; i < m->counts.n; i++) {
		const struct listing_count *count = &m->counts.at[i];

		if (count->kind == LISTING_INLINED &&
		    (count->time.self > 0.0 || count->time.inclusive > 0.0))
			ids[n++] = i;
	}
	sort_ids(ids, n, listing_compare_inlined, m, m->mem);
	for (size_t i = 0; i < n; i++)
		order[i] = (struct keyed){ listing_find_line(m, &m->counts.at[ids[i]]), ids[i] };
	sort_keyed(order, n, m->mem);
	inlined = arena_array(m->mem, struct listing_inlined, n);
	for (size_t i = 0; i < n; i++) {
		const struct listing_count *count = &m->counts.at[order[i].id];
		struct listing_line *line = &of_count[order[i].key];

		inlined[i] = (struct listing_inlined){ count->function, count->time };
		if (line->ninlined++ == 0)
			line->inlined = &inlined[i];
	}
}

/* The same for their code; what is of one line and follows at once becomes one range. */
static void listing_add_code(const struct listing_maker *m, struct listing_line *of_count)
{
	size_t n = m->codes.n, used = 0;
	struct keyed *order = arena_array(m->mem, struct keyed, n);
	struct listing_range *range = arena_array(m->mem, struct listing_range, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ m->codes.at[i].count, i };
	sort_keyed(order, n, m->mem);
	for (size_t i = 0; i < n; i++) {
		const struct listing_range *next = &m->codes.at[order[i].id].range;
		struct listing_line *line = &of_count[order[i].key];

		if (line->nranges > 0 && range[used - 1].hi >= next->lo) {
			range[used - 1].hi = next->hi;
			continue;
		}
		range[used] = *next;
		if (line->nranges++ == 0)
			line->range = &range[used];
		used++;
	}
}

/* The lines of all counts, in the order of `order`, as far as they have code or anything. */
static struct listing_line *listing_make_lines(const struct listing_maker *m, const uint32_t *order)
{
	size_t n = m->counts.n;
	struct listing_line *of_count = arena_array(m->mem, struct listing_line, n);
	struct listing_line *lines = arena_array(m->mem, struct listing_line, n);

	for (size_t i = 0; i < n; i++) {
		const struct listing_count *count = &m->counts.at[i];

		of_count[i] = (struct listing_line){ .file = count->file,
						     .line = count->file ? count->line : 0,
						     .time = count->time,
						     .ncalls = count->ncalls };
	}
	listing_add_inlined(m, of_count);
	listing_add_code(m, of_count);
	for (size_t i = 0; i < n; i++)
		lines[i] = of_count[order[i]];
	return lines;
}

/* The names of functions of the extent that have code elsewhere. */
static void listing_add_names(const struct listing_maker *m, struct listing *listings)
{
	const struct function_lines *extents = m->in->extents;
	struct keyed *order = arena_array(m->mem, struct keyed, extents->inlined.n);
	const char **name = arena_array(m->mem, const char *, extents->inlined.n);
	size_t n = 0;

	for (uint32_t i = 0; i < extents->inlined.n; i++) {
		if (extents->inlined.at[i].extent > 0)
			order[n++] = (struct keyed){ extents->inlined.at[i].extent - 1, i };
	}
	sort_keyed(order, n, m->mem);
	for (size_t i = 0; i < n; i++) {
		struct listing *listing = &listings[order[i].key];

		name[i] = extents->inlined.at[order[i].id].function;
		if (listing->ninlined++ == 0)
			listing->inlined = &name[i];
	}
}

static void listing_add_symbols(const struct listing_maker *m, struct listing *listings)
{
	const struct analysis *a = m->in->analysis;
	struct keyed *order = arena_array(m->mem, struct keyed, a->graph.nnodes);
	sym_id *symbol = arena_array(m->mem, sym_id, a->graph.nnodes);
	size_t n = 0;

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (m->in->extents->of_symbol[s] > 0)
			order[n++] = (struct keyed){ m->in->extents->of_symbol[s] - 1, s };
	}
	sort_keyed(order, n, m->mem);
	for (size_t i = 0; i < n; i++) {
		struct listing *listing = &listings[order[i].key];

		symbol[i] = order[i].id;
		if (listing->nsymbols++ == 0)
			listing->symbol = &symbol[i];
		listing->ncalls += a->costs.calls.outer[order[i].id];
	}
}

/* Hands each extent its counts, which are sorted. */
static void listing_divide(const struct listing_maker *m, const uint32_t *order,
			   struct listing *listings)
{
	const struct listing_line *lines = listing_make_lines(m, order);

	for (size_t i = 0; i < m->counts.n; i++) {
		const struct listing_count *count = &m->counts.at[order[i]];
		struct listing *listing = &listings[count->extent];

		if (count->kind == LISTING_ALL) {
			listing->time = count->time;
		} else if (count->kind == LISTING_COPIES) {
			listing->inlined_self = count->time.self;
		} else if (count->kind == LISTING_LINE) {
			if (listing->nlines + listing->nothers == 0)
				listing->line = &lines[i];
			if (listing_is_inside(m->in->extents, count))
				listing->nlines++;
			else
				listing->nothers++;
		}
	}
}

static int listing_compare_listings(uint32_t x, uint32_t y, const void *listings)
{
	const struct listing *a = (const struct listing *)listings + x;
	const struct listing *b = (const struct listing *)listings + y;

	if (a->time.self != b->time.self)
		return a->time.self > b->time.self ? -1 : 1;
	if (a->time.inclusive != b->time.inclusive)
		return a->time.inclusive > b->time.inclusive ? -1 : 1;
	return (x > y) - (x < y);
}

static struct listings listing_finish(const struct listing_maker *m)
{
	const struct function_lines *extents = m->in->extents;
	struct listing *listings = arena_array(m->mem, struct listing, extents->n);
	struct listing *sorted = arena_array(m->mem, struct listing, extents->n);
	uint32_t *order = arena_array(m->mem, uint32_t, m->counts.n + (size_t)extents->n);

	for (uint32_t i = 0; i < extents->n; i++) {
		const struct function_range *extent = &extents->at[i];

		listings[i] = (struct listing){ .file = extent->file,
						.first = extent->first,
						.last = extent->last,
						.context = extent->context };
	}
	listing_add_symbols(m, listings);
	listing_add_names(m, listings);
	for (uint32_t i = 0; i < m->counts.n; i++)
		order[i] = i;
	sort_ids(order, m->counts.n, listing_compare, m, m->mem);
	listing_divide(m, order, listings);
	for (uint32_t i = 0; i < extents->n; i++)
		order[i] = i;
	sort_ids(order, extents->n, listing_compare_listings, listings, m->mem);
	for (uint32_t i = 0; i < extents->n; i++)
		sorted[i] = listings[order[i]];
	return (struct listings){ sorted, extents->n, m->in->trees != NULL };
}

struct listings listing_make(const struct listing_input *input, struct arena *mem)
{
	struct listing_maker m = { .in = input,
				   .seen = arena_array(mem, uint32_t, input->extents->n),
				   .mem = mem };

	listing_take_code(&m);
	listing_take_addresses(&m);
	if (input->trees)
		listing_walk_stacks(&m);
	listing_take_calls(&m);
	return listing_finish(&m);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A count is made for everything that has a time in a listing: the listing, each of its lines, and
 * each function that was inlined on a line. In the example of line_costs.c, with listings of
 * main(), leaf() and step():
 *
 *   address   frame                   adds its ticks to the counts
 *   0x100     main.c:5                main   main.c:5
 *   0x120     leaf.c:3                leaf   leaf.c:3
 *   0x128     step.h:9 at leaf.c:4    leaf   leaf.c:4   step inlined on leaf.c:4
 *                                     step   step.h:9
 *
 * So the lines of leaf() add up to its self time, 2 + 2. If a function was inlined into itself,
 * only its innermost line gets the ticks. Inclusive times are from stacks: a count has the total of
 * each tree node that is at one of its addresses, unless a node further out is, too:
 *
 *   node                         total    counts that get the total
 *   main 0x114                   4        main   main.c:6
 *     leaf 0x12c                 4        leaf   leaf.c:4   step inlined on leaf.c:4
 *                                         step   step.h:9
 *       main 0x114               1        none: main() and line 6 have these samples
 */
#include "config.h"

#include "analysis/lines/listing.h"

#include "analysis/functions/resolve.h"
#include "analysis/lines/line_slices.h"
#include "base/array.h"
#include "base/index.h"
#include "base/radix.h"
#include "base/sort.h"

#include <limits.h>

#define LISTING_NO_LINE UINT_MAX

/* The first counts are those of the listings themselves. */
struct listing_count {
	uint32_t in;          /* for a line, its listing; for an inlined function, its line */
	unsigned line;        /* LISTING_NO_LINE: the count is a listing's */
	const char *file;     /* of a line; NULL: not known */
	const char *function; /* the inlined function; NULL: the count is a line's or a listing's */
	struct listing_time time;
	uint64_t ncalls;
	uint32_t open; /* how many nodes on the current path of the walk add to it */
};

/* A count that an address adds to. */
struct listing_touch {
	uint32_t count;
	bool is_self; /* adds to its self time, too, as the innermost line of the listing */
	bool inlined; /* the code was inlined elsewhere */
};

/* A range of code that belongs to a line. */
struct listing_code {
	uint32_t count;
	struct listing_range range;
};

struct listing_maker {
	const struct listing_input *in;
	ARRAY(struct listing_count) counts;
	struct index index;                  /* of the counts */
	ARRAY(struct listing_touch) touched; /* the counts touched by the last address */
	uint32_t *seen;       /* for each listing, the last address that touched it */
	uint32_t naddresses;  /* how many addresses were looked at */
	double *inlined_self; /* for each listing */
	ARRAY(struct listing_code) codes;
	struct arena *mem;
};

INDEX_KEY(listing_key, struct listing_count, (uintptr_t)x->file, (uintptr_t)x->function, x->line,
	  x->in)

static uint32_t listing_find(struct listing_maker *m, struct listing_count wanted)
{
	return index_intern(&m->index, &m->counts, &wanted, listing_key, m->mem);
}

/*
 * Touches the counts of a frame; `inner` is the function that was inlined there, NULL if none was.
 */
static void listing_touch_frame(struct listing_maker *m, uint32_t listing,
				const struct source_frame *frame, const char *inner)
{
	struct listing_touch touch = { listing, m->seen[listing] != m->naddresses,
				       frame->function != FRAME_OWN };

	m->seen[listing] = m->naddresses;
	array_push(m->mem, &m->touched) = touch;
	touch.count = listing_find(
		m,
		(struct listing_count){ .in = listing, .file = frame->file, .line = frame->line });
	array_push(m->mem, &m->touched) = touch;
	if (!inner)
		return;
	touch.count =
		listing_find(m, (struct listing_count){ .in = touch.count, .function = inner });
	array_push(m->mem, &m->touched) = touch;
}

/* Finds all counts that code in a symbol touches; FRAME_LAST: the line of the code is not known. */
static void listing_look(struct listing_maker *m, sym_id symbol, uint32_t frame)
{
	static const struct source_frame unknown = { NULL, 0, FRAME_OWN, FRAME_LAST };
	const struct line_costs *costs = m->in->costs;
	const struct source_frame *at;
	const char *function = NULL;

	m->touched.n = 0;
	m->naddresses++;
	do {
		const char *inner = function;
		uint32_t range = m->in->functions->of_symbol[symbol];

		at = frame == FRAME_LAST ? &unknown : &costs->frame[frame];
		if (at->function != FRAME_OWN) {
			function = costs->inlined[at->function];
			range = function_lines_find_inlined(m->in->functions, function, at->file);
		}
		if (range > 0)
			listing_touch_frame(m, range - 1, at, inner);
		frame = at->caller;
	} while (frame != FRAME_LAST);
}

static bool listing_is_whole(const struct listing_maker *m, uint32_t count)
{
	return count < m->in->functions->n;
}

static bool listing_is_line(const struct listing_maker *m, uint32_t count)
{
	return !listing_is_whole(m, count) && !m->counts.at[count].function;
}

/*
 * Returns the frame of code on stacks or of calls; FRAME_LAST for symbols that have no
 * code of their own.
 */
static uint32_t listing_frame(const struct listing_maker *m, sym_id s, uint32_t frame)
{
	const struct sym *sym = &m->in->analysis->program->symtab.sym[s];

	return symtab_has_code(sym) ? frame : FRAME_LAST;
}

/* Adds self times. */
static void listing_take_addresses(struct listing_maker *m)
{
	const struct line_costs *costs = m->in->costs;
	const struct analysis *a = m->in->analysis;
	double fit = resolve_fit(&a->costs, a->graph.nnodes);

	for (uint32_t i = 0; i < costs->n; i++) {
		const struct address_cost *at = &costs->at[i];

		listing_look(m, at->symbol, listing_frame(m, at->symbol, at->frame));
		for (size_t k = 0; k < m->touched.n; k++) {
			const struct listing_touch *touch = &m->touched.at[k];

			if (touch->is_self)
				m->counts.at[touch->count].time.self += fit * at->ticks;
			if (touch->is_self && touch->inlined && listing_is_whole(m, touch->count))
				m->inlined_self[touch->count] += fit * at->ticks;
		}
	}
}

/* The counts that each address on stacks touches: those of address i begin at start[i]. */
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

/* Adds inclusive times. */
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

/* Adds the calls to the source lines that made them. */
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

			if (m->touched.at[k].is_self && listing_is_line(m, m->touched.at[k].count))
				count->ncalls += call->ncalls;
		}
	}
}

/* Adds a row's range of code to the lines that it belongs to, in code of a symbol. */
static void listing_take_row(struct listing_maker *m, sym_id symbol, const struct line_row *row)
{
	const struct function_lines *functions = m->in->functions;
	struct line_caller chain[LINE_SLICES_MOST_CALLERS];
	uint32_t n = line_slices_chain(m->in->lines, row, chain);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t count, range = i + 1 == n ? functions->of_symbol[symbol]
						   : function_lines_find_inlined(functions,
										 chain[i].function,
										 chain[i].file);

		if (range == 0)
			continue;
		count = listing_find(m, (struct listing_count){ .in = range - 1,
								.file = chain[i].file,
								.line = chain[i].line });
		if (i > 0)
			listing_find(m, (struct listing_count){
						.in = count, .function = chain[i - 1].function });
		array_push(m->mem, &m->codes) =
			(struct listing_code){ count, { row[0].pc, row[1].pc } };
	}
}

/* Collects all lines that have code, and their ranges of code. */
static void listing_take_code(struct listing_maker *m)
{
	const struct symtab *symtab = &m->in->analysis->program->symtab;
	const struct line_table *lines = m->in->lines;
	sym_id s = 0;

	for (size_t i = 0; i + 1 < lines->nrows; i++) {
		uint64_t lo = lines->row[i].pc;

		while (s < symtab->nsyms && symtab->sym[s].hi <= lo)
			s++;
		if (s < symtab->nsyms && symtab->sym[s].lo <= lo && lines->row[i].file)
			listing_take_row(m, s, &lines->row[i]);
	}
}

/* Sets the names of the listings' functions that were inlined elsewhere. */
static void listing_add_names(const struct listing_maker *m, struct listing *listings)
{
	const struct function_lines *functions = m->in->functions;
	struct keyed *order = arena_array(m->mem, struct keyed, functions->inlined.n);
	const char **name = arena_array(m->mem, const char *, functions->inlined.n);
	size_t n = 0;

	for (uint32_t i = 0; i < functions->inlined.n; i++) {
		if (functions->inlined.at[i].range > 0)
			order[n++] = (struct keyed){ functions->inlined.at[i].range - 1, i };
	}
	radix_sort_keyed(order, n, m->mem);
	for (size_t i = 0; i < n; i++) {
		struct listing *listing = &listings[order[i].key];

		name[i] = functions->inlined.at[order[i].id].function;
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
		if (m->in->functions->of_symbol[s] > 0)
			order[n++] = (struct keyed){ m->in->functions->of_symbol[s] - 1, s };
	}
	radix_sort_keyed(order, n, m->mem);
	for (size_t i = 0; i < n; i++) {
		struct listing *listing = &listings[order[i].key];

		symbol[i] = order[i].id;
		if (listing->nsymbols++ == 0)
			listing->symbol = &symbol[i];
		listing->ncalls += a->costs.calls.outer[order[i].id];
	}
}

/* Whether a line is one of those that its listing shows as text. */
static bool listing_is_inside(const struct listing_maker *m, const struct listing_count *line)
{
	const struct function_range *range = &m->in->functions->at[line->in];

	return line->file && line->file == range->file && line->line >= range->first &&
	       line->line <= range->last;
}

/*
 * Compares by listing; lines inside the listing's text come before others and are compared by line,
 * others by time.
 */
static int listing_compare_lines(const struct listing_maker *m, uint32_t x, uint32_t y)
{
	const struct listing_count *a = &m->counts.at[x], *b = &m->counts.at[y];
	bool in_a = listing_is_inside(m, a), in_b = listing_is_inside(m, b);

	if (a->in != b->in)
		return a->in < b->in ? -1 : 1;
	if (in_a != in_b)
		return in_a ? -1 : 1;
	if (!in_a && a->time.self != b->time.self)
		return a->time.self > b->time.self ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (x > y) - (x < y);
}

/* Compares by time, the most first. */
static int listing_compare_times(const struct listing_time *a, const struct listing_time *b)
{
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	return (a->inclusive < b->inclusive) - (a->inclusive > b->inclusive);
}

/*
 * Sorts lines, and after each the functions that were inlined there, those with the most time
 * first.
 */
static int listing_compare(uint32_t x, uint32_t y, const void *context)
{
	const struct listing_maker *m = context;
	const struct listing_count *a = &m->counts.at[x], *b = &m->counts.at[y];
	uint32_t line_a = a->function ? a->in : x, line_b = b->function ? b->in : y;
	int order;

	if (line_a != line_b)
		return listing_compare_lines(m, line_a, line_b);
	if (!a->function || !b->function)
		return !!a->function - !!b->function;
	order = listing_compare_times(&a->time, &b->time);
	return order ? order : (x > y) - (x < y);
}

/* Sets the code of lines; adjacent code of the same line becomes one range. */
static void listing_add_code(const struct listing_maker *m, struct listing_line *const *of_count)
{
	size_t n = m->codes.n, used = 0;
	struct keyed *order = arena_array(m->mem, struct keyed, n);
	struct listing_range *range = arena_array(m->mem, struct listing_range, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ m->codes.at[i].count, i };
	radix_sort_keyed(order, n, m->mem);
	for (size_t i = 0; i < n; i++) {
		const struct listing_range *next = &m->codes.at[order[i].id].range;
		struct listing_line *line = of_count[order[i].key];

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

/* Sets the listings' lines, and the functions that were inlined on each line. */
static void listing_add_lines(const struct listing_maker *m, struct listing *listings)
{
	size_t first = m->in->functions->n, n = m->counts.n - first, ninlined = 0;
	uint32_t *order = arena_array(m->mem, uint32_t, n);
	struct listing_line *line = arena_array(m->mem, struct listing_line, n + 1);
	struct listing_line **of_count = arena_array(m->mem, struct listing_line *, m->counts.n);
	struct listing_inlined *inlined = arena_array(m->mem, struct listing_inlined, n);

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)(first + i);
	sort_ids(order, n, listing_compare, m, m->mem);
	for (size_t i = 0; i < n; i++) {
		const struct listing_count *count = &m->counts.at[order[i]];

		if (!count->function) {
			struct listing *listing = &listings[count->in];

			*++line = (struct listing_line){ .file = count->file,
							 .line = count->file ? count->line : 0,
							 .time = count->time,
							 .ncalls = count->ncalls };
			of_count[order[i]] = line;
			if (listing->nlines + listing->nothers == 0)
				listing->line = line;
			if (listing_is_inside(m, count))
				listing->nlines++;
			else
				listing->nothers++;
		} else if (count->time.self > 0.0 || count->time.inclusive > 0.0) {
			inlined[ninlined] =
				(struct listing_inlined){ count->function, count->time };
			if (line->ninlined++ == 0)
				line->inlined = &inlined[ninlined];
			ninlined++;
		}
	}
	listing_add_code(m, of_count);
}

static int listing_compare_listings(uint32_t x, uint32_t y, const void *listings)
{
	const struct listing *all = listings;
	int order = listing_compare_times(&all[x].time, &all[y].time);

	return order ? order : (x > y) - (x < y);
}

static struct listings listing_finish(const struct listing_maker *m)
{
	const struct function_lines *functions = m->in->functions;
	struct listing *listings = arena_array(m->mem, struct listing, functions->n);
	struct listing *sorted = arena_array(m->mem, struct listing, functions->n);
	uint32_t *order = arena_array(m->mem, uint32_t, functions->n);

	for (uint32_t i = 0; i < functions->n; i++) {
		const struct function_range *range = &functions->at[i];

		listings[i] = (struct listing){ .file = range->file,
						.first = range->first,
						.last = range->last,
						.context = range->context,
						.time = m->counts.at[i].time,
						.inlined_self = m->inlined_self[i] };
		order[i] = i;
	}
	listing_add_symbols(m, listings);
	listing_add_names(m, listings);
	listing_add_lines(m, listings);
	sort_ids(order, functions->n, listing_compare_listings, listings, m->mem);
	for (uint32_t i = 0; i < functions->n; i++)
		sorted[i] = listings[order[i]];
	return (struct listings){ sorted, functions->n, m->in->trees != NULL };
}

struct listings listing_make(const struct listing_input *input, struct arena *mem)
{
	uint32_t n = input->functions->n;
	struct listing_maker m = { .in = input,
				   .seen = arena_array(mem, uint32_t, n),
				   .inlined_self = arena_array(mem, double, n),
				   .mem = mem };

	for (uint32_t i = 0; i < n; i++)
		listing_find(&m, (struct listing_count){ .in = i, .line = LISTING_NO_LINE });
	listing_take_code(&m);
	listing_take_addresses(&m);
	if (input->trees)
		listing_walk_stacks(&m);
	listing_take_calls(&m);
	return listing_finish(&m);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cell is a line, or a function that was inlined on a line. Where inlined functions have symbols,
 * they are nodes of the stacks, and their callers' lines are those of the nodes above. Where they
 * have none, a node's line has a chain of frames instead. Both are walked alike:
 *
 *   node     frame      symbol               cells of its samples
 *   work     a.c:5      work                 a.c:5
 *   - outer  a.c:9      outer, inlined       a.c:9, a.c:5 outer, a.c:5
 */
#include "config.h"

#include "analysis/lines/line_wholes.h"

#include "base/array.h"
#include "base/index.h"
#include "base/sort.h"

struct line_wholes_cell {
	const char *file;
	unsigned line;
	uint32_t inlined;
	double self, whole; /* in ticks or, without stacks, in the unit of integer_costs */
	uint32_t open;      /* how often it is on the current stack */
	uint64_t counted;   /* number, from 1, of the last sample that was added to it */
};

typedef ARRAY(uint32_t) line_wholes_ids;

struct line_wholes_maker {
	const struct line_costs *costs;
	const struct call_trees *trees;
	const struct sym *sym;
	ARRAY(struct line_wholes_cell) cells;
	struct index index;
	line_wholes_ids open; /* the cells of the nodes on the current stack */
	uint64_t nsamples;    /* how many samples, or nodes with samples, were counted */
	struct arena *mem, *scratch;
};

INDEX_KEY(line_wholes_key, struct line_wholes_cell, (uintptr_t)x->file, x->line, x->inlined)

/* Returns the cell of a function that was inlined on the line of a frame, or of the line. */
static uint32_t line_wholes_find(struct line_wholes_maker *m, const struct source_frame *frame,
				 uint32_t inlined)
{
	struct line_wholes_cell cell = { .file = frame->file,
					 .line = frame->line,
					 .inlined = inlined };

	return index_intern(&m->index, &m->cells, &cell, line_wholes_key, m->scratch);
}

/* Adds to ids the cells of a frame and of the calls that were inlined to get there. */
static void line_wholes_add_chain(struct line_wholes_maker *m, uint32_t id, line_wholes_ids *ids)
{
	uint32_t inner = LINE_WHOLE_NONE;

	for (; id != FRAME_LAST; id = m->costs->frame[id].caller) {
		const struct source_frame *frame = &m->costs->frame[id];

		if (frame->file && inner != LINE_WHOLE_NONE)
			array_push(m->scratch, ids) = line_wholes_find(m, frame, inner);
		if (frame->file)
			array_push(m->scratch, ids) = line_wholes_find(m, frame, LINE_WHOLE_NONE);
		inner = frame->function;
	}
}

static const struct code_address *line_wholes_address(const struct line_wholes_maker *m,
						      const struct stack_node *node)
{
	return &m->trees->address[node->function];
}

/* The frame of a node's line; it is the last of its chain if inlined functions have symbols. */
static uint32_t line_wholes_frame(const struct line_wholes_maker *m, const struct stack_node *node)
{
	return m->costs->address_frame[node->function];
}

/* Whether a node is of a function that was inlined into that of its caller's node. */
static bool line_wholes_is_inlined(const struct line_wholes_maker *m, const struct stack_node *node)
{
	return node->parent != STACKS_NONE &&
	       m->sym[line_wholes_address(m, node)->symbol].flags & SYM_INLINED;
}

/* Adds to ids the cells of a node, without those of nodes above that it was inlined into. */
static void line_wholes_add_node(struct line_wholes_maker *m, const struct stacks *tree,
				 const struct stack_node *node, line_wholes_ids *ids)
{
	line_wholes_add_chain(m, line_wholes_frame(m, node), ids);
	if (line_wholes_is_inlined(m, node)) {
		const struct source_frame *call =
			&m->costs->frame[line_wholes_frame(m, &tree->node[node->parent])];

		if (call->file)
			array_push(m->scratch, ids) =
				line_wholes_find(m, call, line_wholes_address(m, node)->symbol);
	}
}

static void line_wholes_count(struct line_wholes_maker *m, const line_wholes_ids *ids, double self)
{
	m->nsamples++;
	for (size_t i = 0; i < ids->n; i++) {
		struct line_wholes_cell *cell = &m->cells.at[ids->at[i]];

		cell->self += cell->counted == m->nsamples ? 0.0 : self;
		cell->counted = m->nsamples;
	}
}

/* Adds the samples at the end of a node's stack to its lines. */
static void line_wholes_take_samples(struct line_wholes_maker *m, const struct stacks *tree,
				     const struct stack_node *node, line_wholes_ids *ids)
{
	const struct stack_node *at = node;

	ids->n = 0;
	line_wholes_add_node(m, tree, at, ids);
	while (line_wholes_is_inlined(m, at)) {
		at = &tree->node[at->parent];
		line_wholes_add_node(m, tree, at, ids);
	}
	line_wholes_count(m, ids, (double)node->samples);
}

static void line_wholes_leave(struct line_wholes_maker *m, size_t nopen)
{
	while (m->open.n > nopen)
		m->cells.at[m->open.at[--m->open.n]].open--;
}

static void line_wholes_walk(struct line_wholes_maker *m, const struct stacks *tree)
{
	/* for each node of the current stack, how many cells are open above it */
	size_t *above = arena_array(m->scratch, size_t, (size_t)tree->depth + 1);
	line_wholes_ids ids = { 0 };

	for (uint32_t i = 0; i < tree->n; i++) {
		const struct stack_node *node = &tree->node[i];

		line_wholes_leave(m, node->depth > 0 ? above[node->depth] : 0);
		above[node->depth] = m->open.n;
		line_wholes_add_node(m, tree, node, &m->open);
		for (size_t k = above[node->depth]; k < m->open.n; k++) {
			struct line_wholes_cell *cell = &m->cells.at[m->open.at[k]];

			if (cell->open++ == 0)
				cell->whole += (double)node->total_samples;
		}
		if (node->depth < tree->depth)
			above[node->depth + 1] = m->open.n;
		if (node->samples > 0)
			line_wholes_take_samples(m, tree, node, &ids);
	}
	line_wholes_leave(m, 0);
}

/* Without stacks, code has its time alone. */
static void line_wholes_take_code(struct line_wholes_maker *m)
{
	line_wholes_ids ids = { 0 };

	for (uint32_t i = 0; i < m->costs->n; i++) {
		ids.n = 0;
		line_wholes_add_chain(m, m->costs->at[i].frame, &ids);
		line_wholes_count(m, &ids, (double)m->costs->at[i].self);
	}
}

static int line_wholes_compare(uint32_t x, uint32_t y, const void *cells)
{
	const struct line_wholes_cell *a = (const struct line_wholes_cell *)cells + x;
	const struct line_wholes_cell *b = (const struct line_wholes_cell *)cells + y;
	int order = a->file == b->file ? 0 : strcmp(a->file, b->file);

	if (order == 0)
		order = (a->line > b->line) - (a->line < b->line);
	if (order == 0)
		order = (a->inlined != LINE_WHOLE_NONE) - (b->inlined != LINE_WHOLE_NONE);
	if (order == 0)
		order = (a->self < b->self) - (a->self > b->self);
	return order ? order : (a->whole < b->whole) - (a->whole > b->whole);
}

static uint64_t line_wholes_time(const struct line_wholes_maker *m,
				 const struct integer_costs *integer_costs, double time)
{
	return m->trees ? integer_costs_rounded(integer_costs, time) : (uint64_t)time;
}

struct line_wholes line_wholes_make(const struct line_costs *costs, const struct call_trees *trees,
				    const struct integer_costs *integer_costs,
				    const struct program *program, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct line_wholes_maker m = { .costs = costs,
				       .trees = trees,
				       .sym = program->symtab.sym,
				       .mem = mem,
				       .scratch = &scratch };
	struct line_whole *at;
	uint32_t *order;

	for (uint32_t t = 0; trees && t < trees->nthreads; t++)
		line_wholes_walk(&m, &trees->thread[t].addresses);
	if (!trees)
		line_wholes_take_code(&m);
	order = arena_array(&scratch, uint32_t, m.cells.n);
	at = arena_array(mem, struct line_whole, m.cells.n);
	for (uint32_t i = 0; i < m.cells.n; i++)
		order[i] = i;
	sort_ids(order, m.cells.n, line_wholes_compare, m.cells.at, &scratch);
	for (size_t i = 0; i < m.cells.n; i++) {
		const struct line_wholes_cell *cell = &m.cells.at[order[i]];
		uint64_t self = line_wholes_time(&m, integer_costs, cell->self);

		at[i] = (struct line_whole){
			cell->file, cell->line, cell->inlined, self,
			trees ? line_wholes_time(&m, integer_costs, cell->whole) : self
		};
	}
	arena_free(&scratch);
	return (struct line_wholes){ at, m.cells.n, program->inlined != NULL };
}

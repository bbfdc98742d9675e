/* SPDX-License-Identifier: MIT */
/* Puts stacks from the unwinder into the tree. See stack_recorder.h. */
#include "record/stack_recorder.h"

#include "base/sys.h"
#include "record/modules.h"
#include "record/tree.h"
#include "state.h"

enum { STACK_RECORDER_CELLS = 64 /* number of cells of a recorder's first table */ };

struct stack_recorder *stack_recorder_new(bool blocked)
{
	uint32_t depth = gmon.settings.depth;
	size_t bytes = sizeof(struct stack_recorder) + (depth + 1) * sizeof(struct stack_level);
	struct stack_recorder *recorder = sys_memory(bytes);

	if (!recorder)
		return NULL;
	recorder->unwinder = unwind_new(depth, blocked);
	recorder->table =
		recorder->unwinder ? table_new(GMON_LIVE_SAMPLES, STACK_RECORDER_CELLS) : NULL;
	/* The unwinder's memory is not freed; without a table nobody can use it. */
	if (!recorder->table) {
		sys_munmap(recorder, bytes);
		return NULL;
	}
	recorder->slices = slices_table();
	recorder->generation = gmon.generation;
	return recorder;
}

/* Renews a table and those that it has replaced. */
static void stack_recorder_renew_all(struct table *table)
{
	struct table *older;

	for (; table; table = older) {
		older = table->older;
		table_renew(table);
	}
}

void stack_recorder_renew(struct stack_recorder *recorder)
{
	stack_recorder_renew_all(recorder->table);
	stack_recorder_renew_all(recorder->slices);
	recorder->owner.id = 0;
	recorder->owner.pc = 0;
	recorder->nstaying = 0;
	recorder->generation = gmon.generation;
}

void stack_recorder_move_into_file(struct stack_recorder *recorder)
{
	for (struct table *table = recorder->table; gmon.live_late && table; table = table->older)
		count_block_move_into_file(&table->head, SIZE_MAX);
	for (struct table *table = recorder->slices; gmon.live_late && table; table = table->older)
		count_block_move_into_file(&table->head, SIZE_MAX);
}

/*
 * Returns the node of an address at a level of the stack, below its caller's node; 0: no memory.
 * *same: all levels so far are those of the newest stack, whose nodes are then taken without a
 * look-up.
 */
static uint32_t stack_recorder_level(struct stack_recorder *recorder, uint32_t at,
				     uintptr_t address, bool *same, struct modules_recent *recent)
{
	struct stack_level *level = &recorder->level[at];
	uint32_t parent = at ? level[-1].node : TREE_ROOT;
	uint32_t module;

	*same = *same && at < recorder->nstaying && level->address == address &&
		tree_node(level->node)->address == address;
	if (*same)
		return level->node;
	module = modules_at(address, recent);
	level->address = address;
	level->node = tree_child(parent, address, module);
	if (at < recorder->nstaying)
		recorder->nstaying = at;
	if (at == recorder->nstaying && (module == GMON_EXT_NONE || modules_stay(module)))
		recorder->nstaying = at + 1;
	return level->node;
}

/* Returns how many functions are outside of the gap (nearer to main); 0: there is no gap. */
static uint32_t stack_recorder_gap(const struct unwound *seen)
{
	return seen->n - seen->gap;
}

/* Returns the address at a level of the stack, counted from the outermost function. */
static uintptr_t stack_recorder_address(const struct unwound *seen, uint32_t at)
{
	uint32_t gap = stack_recorder_gap(seen);

	if (!gap || at < gap)
		return seen->frame[seen->n - 1 - at];
	return at == gap ? GMON_EXT_GAP : seen->frame[seen->n - at];
}

/*
 * Returns the node of the innermost function. Sets *cut if there was no memory, so that the node is
 * that of a function further out. That node is outside of the gap, too: otherwise only the gap's
 * functions would seem to be missing.
 */
static uint32_t stack_recorder_walk(struct stack_recorder *recorder, const struct unwound *seen,
				    bool *cut)
{
	struct modules_recent recent = { 0, 0, GMON_EXT_NONE };
	uint32_t gap = stack_recorder_gap(seen);
	uint32_t n = seen->n + (gap > 0);
	uint32_t node = TREE_ROOT;
	bool same = true;

	for (uint32_t at = 0; at < n; at++) {
		uint32_t child = stack_recorder_level(
			recorder, at, stack_recorder_address(seen, at), &same, &recent);

		if (!child) {
			*cut = true;
			if (recorder->nstaying > at)
				recorder->nstaying = at;
			return gap && at > gap ? recorder->level[gap - 1].node : node;
		}
		node = child;
	}
	return node;
}

static enum gmon_ext_quality stack_recorder_quality(const struct unwound *seen, bool cut)
{
	if (cut)
		return GMON_EXT_CUT;
	if (seen->end == UNWIND_BROKEN)
		return GMON_EXT_BROKEN;
	if (seen->gap < seen->n)
		return GMON_EXT_CUT;
	return seen->end == UNWIND_GUESSED ? GMON_EXT_GUESSED : GMON_EXT_COMPLETE;
}

struct stack_cell stack_recorder_cell(struct stack_recorder *recorder, const struct unwound *seen,
				      uintptr_t leaf, uint32_t record, uint32_t kind)
{
	bool cut = false;
	uint32_t node = stack_recorder_walk(recorder, seen, &cut);

	if (leaf && !cut) {
		uint32_t child = tree_child(node, leaf, GMON_EXT_NONE);

		cut = !child;
		node = child ? child : node;
	}
	return stack_recorder_node(node, record, kind, stack_recorder_quality(seen, cut));
}

struct stack_cell stack_recorder_below(struct stack_recorder *recorder,
				       const struct stack_cell *cell, uintptr_t outermost)
{
	uint32_t most = gmon.settings.depth + 1, n = 0;
	uint32_t node = tree_child(TREE_ROOT, outermost, GMON_EXT_NONE);
	uint32_t leaf = (uint32_t)(cell->from - GMON_LIVE_NODE), at = leaf;

	recorder->nstaying = 0; /* its levels are used for other nodes now */
	if (leaf == TREE_ROOT)
		return *cell;
	while ((at = tree_node(at)->parent) != TREE_ROOT && n < most)
		recorder->level[n++].node = at;
	while (node && n-- > 0) {
		const struct gmon_ext_node *of = tree_node(recorder->level[n].node);

		node = tree_child(node, (uintptr_t)of->address, of->module);
	}
	if (node)
		node = tree_child(node, (uintptr_t)tree_node(leaf)->address,
				  tree_node(leaf)->module);
	return node ? (struct stack_cell){ node + GMON_LIVE_NODE, cell->self } : *cell;
}

bool stack_recorder_add(struct stack_recorder *recorder, const struct stack_cell *cell,
			uint64_t ticks)
{
	return table_add_growing(&recorder->table, cell->from, cell->self, ticks);
}

bool stack_recorder_add_at(struct stack_recorder *recorder, const struct stack_cell *cell,
			   uint64_t ticks, struct slices_time time)
{
	/* Readers read slices first: there are never more ticks in them than in all. */
	bool added = stack_recorder_add(recorder, cell, ticks);

	if (added)
		slices_add(&recorder->slices, cell->from, cell->self, ticks, time);
	return added;
}

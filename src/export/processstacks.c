/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trees of all threads are laid over one another, and the sum is sorted again: nodes by their
 * time and then, in a stable sort, by their parents, so that the children of one stand together.
 */
#include "config.h"

#include "export/processstacks.h"

#include "base/index.h"
#include "base/join.h"
#include "base/path.h"
#include "base/radix.h"
#include "base/strtable.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The first of the sums, whose children are the programs or processes. */
enum { ROOT = 0 };

struct processstacks_work {
	const struct export_view *e;
	struct index index;
	ARRAY(struct stack_node) sums; /* parents and ends are places in it */
	struct strtable names;
	struct arena scratch;
};

INDEX_KEY(processstacks_key, struct stack_node, x->parent, x->function)

static uint32_t processstacks_place(struct processstacks_work *w, uint32_t parent,
				    uint32_t function)
{
	const struct stack_node node = { .function = function, .parent = parent };

	return index_intern(&w->index, &w->sums, &node, processstacks_key, &w->scratch);
}

static void processstacks_add(struct stack_node *to, const struct stack_node *of)
{
	to->self += of->self;
	to->total += of->total;
	to->samples += of->samples;
	to->total_samples += of->total_samples;
	to->waiting += of->waiting;
	to->total_waiting += of->total_waiting;
}

static void processstacks_add_thread(struct processstacks_work *w, uint32_t group,
				     const struct stacks *stacks)
{
	uint32_t *place = arena_array(&w->scratch, uint32_t, stacks->n);

	for (uint32_t i = 0; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->node[i];
		uint32_t parent = node->parent == STACKS_NONE ? group : place[node->parent];
		struct stack_node below = *node;

		place[i] = processstacks_place(w, parent, node->function);
		processstacks_add(&w->sums.at[place[i]], node);
		if (node->parent != STACKS_NONE)
			continue;
		below.self = below.samples = below.waiting = 0;
		processstacks_add(&w->sums.at[group], &below);
		processstacks_add(&w->sums.at[ROOT], &below);
	}
	arena_release(&w->scratch, place);
}

static const char *processstacks_called(const struct processstacks_work *w,
					const struct recorded_process *process,
					enum processstacks_level level)
{
	const char *program = path_base(process ? process->program : w->e->a->program->path);
	char pid[16] = "";

	if (process && level == PROCESSSTACKS_PROCESSES)
		snprintf(pid, sizeof(pid), " %" PRIu32, process->pid);
	return JOIN(w->e->mem, program, pid);
}

/*
 * Returns the places of all sums but the root, in e->mem: those of one parent together, in the
 * order of their time, STACKS_REST last. begin[p] and begin[p + 1] are the bounds of p's children.
 */
static const struct keyed *processstacks_sort(struct processstacks_work *w, uint32_t *begin)
{
	uint32_t n = (uint32_t)w->sums.n - 1;
	struct keyed *order = arena_array(&w->scratch, struct keyed, n);

	for (uint32_t i = 0; i < n; i++) {
		const struct stack_node *node = &w->sums.at[i + 1];

		order[i].key = node->function == STACKS_REST ? UINT64_MAX : ~node->total;
		order[i].id = i + 1;
		begin[node->parent + 1]++;
	}
	for (uint32_t p = 0; p < w->sums.n; p++)
		begin[p + 1] += begin[p];
	radix_sort_keyed(order, n, &w->scratch);
	for (uint32_t i = 0; i < n; i++)
		order[i].key = w->sums.at[order[i].id].parent;
	radix_sort_keyed(order, n, &w->scratch);
	return order;
}

/* Walks over the sums, depth first, and writes them as nodes of *to. */
static void processstacks_walk(struct processstacks_work *w, struct stacks *to)
{
	size_t n = w->sums.n;
	uint32_t *begin = arena_array(&w->scratch, uint32_t, n + 2);
	uint32_t *place = arena_array(&w->scratch, uint32_t, n), *next, open = ROOT;
	struct stack_node *node = arena_array(w->e->mem, struct stack_node, n);
	const struct keyed *order = processstacks_sort(w, begin);

	next = arena_array(&w->scratch, uint32_t, n);
	memcpy(next, begin, n * sizeof(*next));
	for (;;) {
		const struct stack_node *sum;
		struct stack_node *new;

		if (next[open] == begin[open + 1]) {
			if (open == ROOT)
				break;
			node[place[open]].end = to->n;
			open = w->sums.at[open].parent;
			continue;
		}
		sum = &w->sums.at[order[next[open]].id];
		new = &node[to->n];
		*new = *sum;
		new->parent = open == ROOT ? STACKS_NONE : place[open];
		new->depth = open == ROOT ? 0 : node[place[open]].depth + 1;
		to->depth = new->depth > to->depth ? new->depth : to->depth;
		open = order[next[open]++].id;
		place[open] = to->n++;
	}
	to->node = node;
}

static void processstacks_add_all(struct processstacks_work *w,
				  const struct export_threads *threads,
				  enum processstacks_level level)
{
	const struct stack_node root = { .function = STACKS_NONE, .parent = STACKS_NONE };

	array_push(&w->scratch, &w->sums) = root;
	for (uint32_t i = 0; i < threads->n; i++) {
		const struct export_thread *thread = &threads->at[i];
		const char *name = processstacks_called(w, thread->process, level);
		uint32_t group = strtable_place(&w->names, name);

		group = processstacks_place(w, ROOT, PROCESSSTACKS_FIRST + group);
		processstacks_add_thread(w, group, thread->stacks);
	}
}

static const char *const *processstacks_names(const struct processstacks_work *w)
{
	const char **name = arena_array(w->e->mem, const char *, w->names.texts.n);

	for (size_t i = 0; i < w->names.texts.n; i++)
		name[i] = w->names.texts.at[i].s;
	return name;
}

struct processstacks processstacks_make(const struct export_view *e, enum processstacks_level level)
{
	struct processstacks made = { .stacks = *e->stacks };
	struct processstacks_work w = { .e = e, .names.mem = e->mem };
	struct export_threads threads;
	bool several = false;

	if (level == PROCESSSTACKS_NONE || !e->trees || e->trees->nthreads == 0)
		return made;
	threads = export_threads(e);
	for (uint32_t i = 0; i < threads.n; i++)
		several |= threads.at[i].process != NULL;
	if (!several)
		return made;
	w.scratch = arena_scratch(e->mem);
	processstacks_add_all(&w, &threads, level);
	made.stacks.n = made.stacks.depth = 0;
	made.stacks.total = w.sums.at[ROOT].total;
	made.stacks.samples = w.sums.at[ROOT].total_samples;
	made.stacks.waiting = w.sums.at[ROOT].total_waiting;
	processstacks_walk(&w, &made.stacks);
	made.n = (uint32_t)w.names.texts.n;
	made.name = processstacks_names(&w);
	arena_free(&w.scratch);
	return made;
}

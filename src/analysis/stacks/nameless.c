/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions without names are called "[FILE+0xADDRESS]"; no other names begin with a bracket but
 * those of special symbols, which are in no file. */
#include "config.h"

#include "analysis/stacks/nameless.h"

#include <string.h>

/* Puts a file in its place among the worst. */
static void nameless_rank(struct nameless *sum, const struct module *module, uint64_t ticks)
{
	struct nameless_file next = { module, ticks };

	for (size_t i = 0; i < NAMELESS_FILES; i++) {
		struct nameless_file was = sum->file[i];

		if (next.ticks <= was.ticks)
			continue;
		sum->file[i] = next;
		next = was;
	}
}

struct nameless nameless_add_up(const struct symbolized_stacks *stacks, const struct arena *mem)
{
	const struct recorded *r = stacks->recorded;
	struct arena scratch = arena_scratch(mem);
	uint64_t *ticks = arena_array(&scratch, uint64_t, r->modules.n);
	struct nameless sum = { .told = r->made.n > 0 };

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];
		const struct recorded_node *node;

		if (sample->kind != 0)
			continue;
		sum.all += sample->ticks;
		if (sample->node == RECORDED_NONE)
			continue;
		node = &r->nodes.at[sample->node];
		if (node->module == RECORDED_NONE) {
			sum.made += node->address >= RECORDED_WAITING + RECORDED_WAITS
					    ? sample->ticks
					    : 0;
		} else if (r->modules.at[node->module].path[0] == '/' &&
			   strstr(stacks->symtab.sym[stacks->frame[sample->node]].name, "+0x") &&
			   stacks->symtab.sym[stacks->frame[sample->node]].name[0] == '[') {
			sum.stripped += sample->ticks;
			ticks[node->module] += sample->ticks;
		}
	}
	for (size_t i = 0; i < r->modules.n; i++)
		nameless_rank(&sum, &r->modules.at[i], ticks[i]);
	arena_free(&scratch);
	return sum;
}

uint64_t nameless_ticks_below(const struct symbolized_stacks *stacks, const char *name,
			      const struct arena *mem)
{
	const struct recorded *r = stacks->recorded;
	struct arena scratch = arena_scratch(mem);
	bool *below = arena_array(&scratch, bool, r->nodes.n);
	uint64_t ticks = 0;

	for (size_t i = 0; i < r->nodes.n; i++) {
		uint32_t parent = r->nodes.at[i].parent;

		below[i] =
			(parent != RECORDED_NONE && below[parent]) ||
			strncmp(stacks->symtab.sym[stacks->frame[i]].name, name, strlen(name)) == 0;
	}
	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		if (sample->kind == 0 && sample->node != RECORDED_NONE && below[sample->node])
			ticks += sample->ticks;
	}
	arena_free(&scratch);
	return ticks;
}

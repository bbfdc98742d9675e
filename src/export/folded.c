/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folded stacks, the input of flamegraph.pl and similar tools: a line for each call path, with ';'
 * between its functions, the outermost first, then a blank and a count. The format has no comments,
 * so unless mark=no, every path begins with a frame that says how the paths were obtained. Linear
 * in paths times their lengths.
 */
#include "config.h"

#include "export/compared.h"
#include "export/export_view.h"

#include "base/quote.h"
#include "base/rounding.h"

/* The values of the key `count`. */
enum { TIME, SAMPLES };

/*
 * Writes a frame. Replaces ';', which would end the frame, and newlines, which would end the path.
 */
static void folded_write_frame(const struct export_view *e, const struct stack_node *node,
			       struct output *out)
{
	quote_plain(out, export_frame(e, node), ";", ':');
}

/* Writes an artificial frame that describes the paths below it. */
static void folded_write_first(const char *text, struct output *out)
{
	quote_plain(out, text, ";", ':');
	output_char(out, ';');
}

/* Writes the paths; `thread` is the name of their thread, or NULL. */
static void folded_write_paths(const struct export_view *e, const struct stacks *stacks,
			       const char *thread, struct output *out)
{
	uint32_t *path = arena_array(e->mem, uint32_t, (size_t)stacks->depth + 1);
	bool mark = e->request->value[EXPORT_MARKS].count == EXPORT_YES && stacks->estimated;
	bool samples = e->request->value[EXPORT_COUNT].count == SAMPLES;

	for (uint32_t i = 0; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->node[i];
		uint64_t count = samples ? node->samples : node->self;

		path[node->depth] = i;
		if (count == 0)
			continue;
		if (mark)
			folded_write_first("[" EXPORT_MARK "]", out);
		if (thread)
			folded_write_first(thread, out);
		for (uint32_t d = 0; d < node->depth; d++) {
			folded_write_frame(e, &stacks->node[path[d]], out);
			output_char(out, ';');
		}
		folded_write_frame(e, node, out);
		output_char(out, ' ');
		output_uint(out, count, 0);
		output_char(out, '\n');
	}
}

/* The time of each side per run, or its samples, as difffolded.pl writes them. */
static void folded_write_difference(const struct export_view *e, struct output *out)
{
	const struct stacks *stacks = e->joint->side;
	uint32_t *path = arena_array(e->mem, uint32_t, (size_t)stacks->depth + 1);
	bool mark = e->request->value[EXPORT_MARKS].count == EXPORT_YES && stacks->estimated;
	bool samples = e->request->value[EXPORT_COUNT].count == SAMPLES;
	struct rounding time[SIDES];

	for (int k = 0; k < SIDES; k++)
		time[k] = (struct rounding){ .scale = 1.0 / e->difference->total[k].nruns };
	for (uint32_t i = 0; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->node[i];
		uint64_t count[SIDES];

		path[node->depth] = i;
		for (int k = 0; k < SIDES; k++) {
			const struct stack_node *of = &e->joint->side[k].node[i];

			count[k] =
				samples ? of->samples : rounding_next(&time[k], (double)of->self);
		}
		if (count[SIDE_BASE] == 0 && count[SIDE_NEW] == 0)
			continue;
		if (mark)
			folded_write_first("[" EXPORT_MARK "]", out);
		for (uint32_t d = 0; d <= node->depth; d++) {
			quote_plain(out, compared_frame(e, &stacks->node[path[d]]), ";", ':');
			output_char(out, d < node->depth ? ';' : ' ');
		}
		output_uint(out, count[SIDE_BASE], 0);
		output_char(out, ' ');
		output_uint(out, count[SIDE_NEW], 0);
		output_char(out, '\n');
	}
}

static void folded_write(const struct export_view *e, struct output *out)
{
	struct export_threads threads;

	if (e->difference) {
		folded_write_difference(e, out);
		return;
	}

	if (e->request->value[EXPORT_THREAD].count != EXPORT_YES) {
		folded_write_paths(e, e->stacks, NULL, out);
		return;
	}
	threads = export_threads(e);
	for (uint32_t i = 0; i < threads.n; i++)
		folded_write_paths(e, threads.at[i].stacks, threads.at[i].name, out);
}

const struct exporter export_folded = {
	.compares = true,
	.write = folded_write,
};

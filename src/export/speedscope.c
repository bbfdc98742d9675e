/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file format of speedscope: JSON with a table of frames, and a profile of events that open and
 * close them, in which a path takes two events however long it is. Threads have a profile each.
 * Linear in paths.
 */
#include "config.h"

#include "export/view.h"

#include "base/quote.h"

enum { DEPTH, PATHS, NKEYS };

static const struct export_key keys[NKEYS] = { EXPORT_STACK_KEYS };

/* A symbol, or STACKS_REST behind them all. */
static uint32_t speedscope_function(const struct export_view *e, const struct stack_node *node)
{
	return node->function == STACKS_REST ? e->a->graph.nnodes : node->function;
}

/* Writes a frame for each function on a path, in order of appearance. Returns their numbers, from
 * 1, by speedscope_function(). */
static const uint32_t *speedscope_write_frames(const struct export_view *e, struct output *out)
{
	uint32_t *number = arena_array(e->mem, uint32_t, (size_t)e->a->graph.nnodes + 1), n = 0;

	output_text(out, "\"shared\":{\"frames\":[");
	for (uint32_t i = 0; i < e->stacks->n; i++) {
		const struct stack_node *node = &e->stacks->node[i];
		bool is_rest = node->function == STACKS_REST;
		const struct location *loc = is_rest ? NULL : &e->locations[node->function];
		uint32_t *known = &number[speedscope_function(e, node)];

		if (*known != 0)
			continue;
		output_text(out, n > 0 ? ",\n{\"name\":" : "\n{\"name\":");
		quote_json(out, export_frame(e, node));
		if (loc && loc->file) {
			output_text(out, ",\"file\":");
			quote_json(out, loc->file);
			output_format(out, ",\"line\":%u", loc->line);
		}
		output_char(out, '}');
		*known = ++n;
	}
	output_text(out, "]},\n");
	return number;
}

static void speedscope_write_event(struct output *out, bool *first, char type, uint32_t frame,
				   uint64_t at)
{
	output_text(out, *first ? "{\"type\":\"" : ",\n{\"type\":\"");
	output_char(out, type);
	output_text(out, "\",\"frame\":");
	output_uint(out, frame, 0);
	output_text(out, ",\"at\":");
	output_uint(out, at, 0);
	output_char(out, '}');
	*first = false;
}

/* Paths side by side, each as wide as its total: self time first, then the callees. */
static void speedscope_write_events(const struct export_view *e, const struct stacks *stacks,
				    const uint32_t *number, struct output *out)
{
	const struct stack_node *node = stacks->node;
	uint32_t *open = arena_array(e->mem, uint32_t, (size_t)stacks->depth + 1);
	uint32_t nopen = 0;
	uint64_t at = 0;
	bool first = true;

	for (uint32_t i = 0; i <= stacks->n; i++) {
		while (nopen > 0 && node[open[nopen - 1]].end <= i) {
			const struct stack_node *done = &node[open[--nopen]];

			speedscope_write_event(out, &first, 'C',
					       number[speedscope_function(e, done)] - 1, at);
		}
		if (i == stacks->n)
			break;
		speedscope_write_event(out, &first, 'O',
				       number[speedscope_function(e, &node[i])] - 1, at);
		at += node[i].self;
		open[nopen++] = i;
	}
}

static void speedscope_write_profile(const struct export_view *e,
				     const struct export_thread *thread, const uint32_t *number,
				     struct output *out)
{
	output_text(out, "{\"type\":\"evented\",\"name\":");
	quote_json(out, thread->name ? thread->name : e->title);
	output_text(out, ",\"unit\":");
	quote_json(out, e->integer_costs->timed ? "nanoseconds" : "none");
	output_text(out, ",\"startValue\":0,\"endValue\":");
	output_uint(out, thread->stacks->total, 0);
	output_text(out, ",\"events\":[\n");
	speedscope_write_events(e, thread->stacks, number, out);
	output_text(out, "]}");
}

static void speedscope_write(const struct export_view *e, struct output *out)
{
	struct export_threads threads = export_threads(e);
	const uint32_t *number;

	output_text(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
			 "\"exporter\":\"" PACKAGE_STRING "\",\n\"name\":");
	quote_json(out, e->title);
	output_text(out, ",\n");
	number = speedscope_write_frames(e, out);
	output_text(out, "\"profiles\":[");
	for (uint32_t i = 0; i < threads.n; i++) {
		output_text(out, i > 0 ? ",\n" : "");
		speedscope_write_profile(e, &threads.at[i], number, out);
	}
	output_text(out, "]}\n");
}

const struct exporter export_speedscope = {
	.keys = keys,
	.nkeys = NKEYS,
	.write = speedscope_write,
};

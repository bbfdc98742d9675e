/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file format of speedscope: JSON with a table of frames, and a profile of events that open and
 * close them, so that a path takes two events whatever its length. Each thread has a profile, the
 * busiest first; where there are several, one of all comes before them. Linear in paths, n log n in
 * threads.
 */
#include "config.h"

#include "export/export_view.h"

#include "base/json.h"
#include "base/radix.h"

/* The function of a node: a symbol, or the number after the last symbol for STACKS_REST. */
static uint32_t speedscope_function(const struct export_view *e, const struct stack_node *node)
{
	return node->function == STACKS_REST ? e->a->graph.nnodes : node->function;
}

/* Writes a frame for each function on a path, in order of first use. Returns their numbers, from 1,
 * indexed by speedscope_function(). */
static const uint32_t *speedscope_write_frames(const struct export_view *e, struct json *json)
{
	uint32_t *number = arena_array(e->mem, uint32_t, (size_t)e->a->graph.nnodes + 1), n = 0;

	json_begin_object(json_line(json), "shared");
	json_begin_array(json, "frames");
	for (uint32_t i = 0; i < e->stacks->n; i++) {
		const struct stack_node *node = &e->stacks->node[i];
		bool is_rest = node->function == STACKS_REST;
		const struct location *loc = is_rest ? NULL : &e->locations[node->function];
		uint32_t *known = &number[speedscope_function(e, node)];

		if (*known != 0)
			continue;
		json_begin_object(json_line(json), NULL);
		json_string(json, "name", export_frame(e, node));
		if (loc && loc->file) {
			json_string(json, "file", loc->file);
			json_uint(json, "line", loc->line);
		}
		json_end(json);
		*known = ++n;
	}
	json_end(json);
	json_end(json);
	return number;
}

static void speedscope_write_event(struct json *json, const char *type, uint32_t frame, uint64_t at)
{
	json_begin_object(json_line(json), NULL);
	json_raw(json, "type", type);
	json_uint(json, "frame", frame);
	json_uint(json, "at", at);
	json_end(json);
}

/* Places paths side by side, each as wide as its total: self time first, then the callees. */
static void speedscope_write_events(const struct export_view *e, const struct stacks *stacks,
				    const uint32_t *number, struct json *json)
{
	const struct stack_node *node = stacks->node;
	uint32_t *open = arena_array(e->mem, uint32_t, (size_t)stacks->depth + 1);
	uint32_t nopen = 0;
	uint64_t at = 0;

	for (uint32_t i = 0; i <= stacks->n; i++) {
		while (nopen > 0 && node[open[nopen - 1]].end <= i) {
			const struct stack_node *done = &node[open[--nopen]];

			speedscope_write_event(json, "\"C\"",
					       number[speedscope_function(e, done)] - 1, at);
		}
		if (i == stacks->n)
			break;
		speedscope_write_event(json, "\"O\"", number[speedscope_function(e, &node[i])] - 1,
				       at);
		at += node[i].self;
		open[nopen++] = i;
	}
}

static void speedscope_write_profile(const struct export_view *e,
				     const struct export_thread *thread, const uint32_t *number,
				     struct json *json)
{
	json_begin_object(json_next_line(json), NULL);
	json_string(json, "type", "evented");
	json_string(json, "name", thread->name ? thread->name : e->title);
	json_string(json, "unit", e->integer_costs->timed ? "nanoseconds" : "none");
	json_uint(json, "startValue", 0);
	json_uint(json, "endValue", thread->stacks->total);
	json_begin_array(json, "events");
	json_line(json);
	speedscope_write_events(e, thread->stacks, number, json);
	json_end(json);
	json_end(json);
}

/* Sorts the threads, the busiest first. */
static const struct keyed *speedscope_sort(const struct export_threads *threads, struct arena *mem)
{
	struct keyed *order = arena_array(mem, struct keyed, threads->n);

	for (uint32_t i = 0; i < threads->n; i++)
		order[i] = (struct keyed){ ~threads->at[i].stacks->total, i };
	radix_sort_keyed(order, threads->n, mem);
	return order;
}

static void speedscope_write(const struct export_view *e, struct output *out)
{
	struct export_threads threads = export_threads(e);
	const struct export_thread all = { "all threads", e->stacks };
	struct json json = { .out = out };
	const struct keyed *order;
	const uint32_t *number;

	json_begin_object(&json, NULL);
	json_string(&json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_string(json_line(&json), "exporter", PACKAGE_STRING);
	json_string(json_line(&json), "name", e->title);
	number = speedscope_write_frames(e, &json);
	order = speedscope_sort(&threads, e->mem);
	json_begin_array(json_line(&json), "profiles");
	if (threads.n > 1)
		speedscope_write_profile(e, &all, number, &json);
	for (uint32_t i = 0; i < threads.n; i++)
		speedscope_write_profile(e, &threads.at[order[i].id], number, &json);
	json_end(&json);
	json_end(&json);
	output_char(out, '\n');
}

const struct exporter export_speedscope = {
	.write = speedscope_write,
};

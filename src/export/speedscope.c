/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file format of speedscope: JSON with a table of frames, and a profile of events that open and
 * close them, so that a path takes two events whatever its length. Each thread has a profile, the
 * busiest first; where there are several, one of all comes before them. With slices of the time, a
 * thread's paths are in their order, each slice where it begins. Linear in paths times their
 * lengths, n log n in threads.
 */
#include "config.h"

#include "export/export_view.h"

#include "base/json.h"
#include "base/radix.h"

#include <inttypes.h>
#include <stdio.h>

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

/* The frames that are open at a moment of a thread's time, outermost first, by number from 1. */
struct speedscope_line {
	const struct export_view *e;
	const uint32_t *number;
	struct json *json;
	uint32_t *open, *path; /* room for the deepest path */
	uint32_t nopen;
	uint64_t at;
};

/* Closes frames until `n` are open. */
static void speedscope_close(struct speedscope_line *l, uint32_t n)
{
	while (l->nopen > n)
		speedscope_write_event(l->json, "\"C\"", l->open[--l->nopen] - 1, l->at);
}

/* Goes on with the path to a node: what it shares with the path before stays open. */
static void speedscope_go_on(struct speedscope_line *l, const struct stacks *stacks, uint32_t node)
{
	uint32_t n = 0, same = 0;

	for (uint32_t at = node; at != STACKS_NONE; at = stacks->node[at].parent)
		n++;
	for (uint32_t at = node, i = n; at != STACKS_NONE; at = stacks->node[at].parent)
		l->path[--i] = l->number[speedscope_function(l->e, &stacks->node[at])];
	while (same < n && same < l->nopen && l->path[same] == l->open[same])
		same++;
	speedscope_close(l, same);
	for (uint32_t i = same; i < n; i++) {
		l->open[l->nopen++] = l->path[i];
		speedscope_write_event(l->json, "\"O\"", l->path[i] - 1, l->at);
	}
	l->at += stacks->node[node].self;
}

/* Writes a thread's slices, each when it begins, or when the one before it ends if that is later.
 * Returns the end. */
static uint64_t speedscope_write_slices(const struct export_view *e,
					const struct thread_trees *thread, const uint32_t *number,
					struct json *json)
{
	size_t room = (size_t)thread->functions.depth + 1;
	struct speedscope_line l = { .e = e,
				     .number = number,
				     .json = json,
				     .open = arena_array(e->mem, uint32_t, room),
				     .path = arena_array(e->mem, uint32_t, room) };

	for (uint32_t k = 0; k < thread->nslices; k++) {
		const struct slice_trees *slice = &thread->slice[k];

		if (slice->start != SLICE_TIMELESS && slice->start > l.at) {
			speedscope_close(&l, 0);
			l.at = slice->start;
		}
		for (uint32_t i = 0; i < slice->functions.n; i++) {
			if (slice->functions.node[i].self > 0)
				speedscope_go_on(&l, &slice->functions, i);
		}
	}
	speedscope_close(&l, 0);
	return l.at;
}

/* Whether a thread's paths can be shown in the order of the time. */
static bool speedscope_has_slices(const struct export_view *e, const struct export_thread *thread)
{
	return e->integer_costs->timed && thread->trees && thread->trees->nslices > 0;
}

/* The name of a thread, after the name and number of its process if there are several processes. */
static const char *speedscope_name(const struct export_view *e, const struct export_thread *thread)
{
	const struct recorded_process *process = thread->process;
	const char *called;
	size_t size;
	char *name;

	if (!process)
		return thread->name ? thread->name : e->title;
	called = recorded_process_called(process, e->mem);
	size = strlen(called) + strlen(thread->name) + 20;
	name = arena_array(e->mem, char, size);
	snprintf(name, size, "%s %" PRIu32 ": %s", called, process->pid, thread->name);
	return name;
}

static void speedscope_write_profile(const struct export_view *e,
				     const struct export_thread *thread, const uint32_t *number,
				     struct json *json)
{
	uint64_t end = thread->stacks->total;

	json_begin_object(json_next_line(json), NULL);
	json_string(json, "type", "evented");
	json_string(json, "name", speedscope_name(e, thread));
	json_string(json, "unit", e->integer_costs->timed ? "nanoseconds" : "none");
	json_uint(json, "startValue", 0);
	if (!speedscope_has_slices(e, thread))
		json_uint(json, "endValue", end);
	json_begin_array(json, "events");
	json_line(json);
	if (speedscope_has_slices(e, thread))
		end = speedscope_write_slices(e, thread->trees, number, json);
	else
		speedscope_write_events(e, thread->stacks, number, json);
	json_end(json);
	if (speedscope_has_slices(e, thread))
		json_uint(json, "endValue", end);
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
	const struct export_thread all = { .name = "all threads", .stacks = e->stacks };
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
	.by_time = true,
	.write = speedscope_write,
};

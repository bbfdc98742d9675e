/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads are put into groups: those of one process, or each by itself. Groups are listed by
 * descending time. The first ones get a part for each of their threads or, if these are many, one
 * for all of them; the others share one for each program.
 */
#include "config.h"

#include "export/webparts.h"

#include "base/radix.h"

#include <string.h>

/*
 * The most parts that are listed separately, the most threads of a process that are, the most nodes
 * of all these together, and the most programs.
 */
enum { MOST_THREADS = 32, MOST_OF_PROCESS = 12, MOST_NODES = 50 * 1000, MOST_PROGRAMS = 60 };

/* The threads of a process, or a thread; or a program. Threads are places in e->trees->thread. */
struct webparts_group {
	uint64_t total;
	uint32_t id;      /* a recording, a thread, or nothing */
	uint32_t program; /* its place among programs */
	uint32_t nthreads, nnodes;
	uint32_t process; /* its place in the list of processes, from 1; 0: none yet */
	uint32_t part;    /* its part of several threads, from 1; 0: none yet */
	bool listed;
};

struct webparts_work {
	const struct export_view *e;
	const struct recorded *recorded;
	const struct recorded_process *const *of_recording; /* see export_processes() */
	bool by_process;
	struct webparts_group *group, *program; /* programs in order of time */
	const char **program_path;
	uint32_t ngroups, nprograms;
	uint32_t *group_of; /* for each thread */
	uint32_t *of;
	ARRAY(struct webpart) parts;
	ARRAY(struct webpart_process) processes;
};

static uint32_t webparts_recording(const struct webparts_work *w, uint32_t i)
{
	return w->recorded->threads.at[w->e->trees->thread[i].thread].recording;
}

static void webparts_make_groups(struct webparts_work *w)
{
	const struct call_trees *trees = w->e->trees;
	uint32_t *known = arena_array(w->e->mem, uint32_t, (size_t)w->recorded->nfiles + 1);

	w->group = arena_array(w->e->mem, struct webparts_group, trees->nthreads);
	w->group_of = arena_array(w->e->mem, uint32_t, trees->nthreads);
	for (uint32_t i = 0; i < trees->nthreads; i++) {
		const struct stacks *stacks = &trees->thread[i].functions;
		uint32_t recording = webparts_recording(w, i), g = w->ngroups;

		if (w->by_process && known[recording] > 0)
			g = known[recording] - 1;
		else
			known[recording] = ++w->ngroups;
		w->group_of[i] = g;
		w->group[g].id = recording;
		w->group[g].total += stacks->total;
		w->group[g].nnodes += stacks->n;
		w->group[g].nthreads++;
	}
}

static const struct keyed *webparts_sort(const struct webparts_group *group, uint32_t n,
					 struct arena *mem)
{
	struct keyed *order = arena_array(mem, struct keyed, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ ~group[i].total, i };
	radix_sort_keyed(order, n, mem);
	return order;
}

static const char *webparts_path(const struct webparts_work *w, uint32_t group)
{
	const struct recorded_process *of = w->of_recording[w->group[group].id];

	return of ? of->program : w->e->a->program->path;
}

/* Puts the groups into programs, and sorts these; those beyond the most are one, the last. */
static void webparts_make_programs(struct webparts_work *w)
{
	struct arena *mem = w->e->mem;
	const char **path = arena_array(mem, const char *, w->ngroups);
	uint32_t *ids = arena_array(mem, uint32_t, w->ngroups), n = 0;
	uint32_t *place = arena_array(mem, uint32_t, w->ngroups);
	struct webparts_group *program = arena_array(mem, struct webparts_group, w->ngroups);
	const struct keyed *order;

	for (uint32_t g = 0; g < w->ngroups; g++) {
		path[g] = w->by_process ? webparts_path(w, g) : "";
		ids[g] = g;
	}
	radix_sort_by_name(ids, w->ngroups, (struct name_column){ path, sizeof(*path) }, mem);
	for (uint32_t i = 0; i < w->ngroups; i++) {
		n += i == 0 || strcmp(path[ids[i - 1]], path[ids[i]]) != 0;
		program[n - 1].total += w->group[ids[i]].total;
		program[n - 1].id = ids[i];
		w->group[ids[i]].program = n - 1;
	}
	order = webparts_sort(program, n, mem);
	w->nprograms = n < MOST_PROGRAMS ? n : MOST_PROGRAMS;
	w->program = arena_array(mem, struct webparts_group, w->nprograms);
	w->program_path = arena_array(mem, const char *, w->nprograms);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t to = i < w->nprograms ? i : w->nprograms - 1;

		place[order[i].id] = to;
		w->program_path[to] = n > MOST_PROGRAMS && to == MOST_PROGRAMS - 1
					      ? ""
					      : path[program[order[i].id].id];
	}
	for (uint32_t g = 0; g < w->ngroups; g++)
		w->group[g].program = place[w->group[g].program];
}

/* Chooses the groups that are listed separately. */
static void webparts_list(struct webparts_work *w)
{
	const struct keyed *order = webparts_sort(w->group, w->ngroups, w->e->mem);
	uint32_t nparts = 0, nnodes = 0;

	for (uint32_t i = 0; i < w->ngroups && nparts < MOST_THREADS; i++) {
		struct webparts_group *g = &w->group[order[i].id];

		nnodes += g->nnodes;
		if (nnodes > MOST_NODES)
			break;
		g->listed = true;
		nparts += g->nthreads <= MOST_OF_PROCESS ? g->nthreads : 1;
	}
}

/* Lists the processes: for each program those that are listed, then the others as one. */
static void webparts_list_processes(struct webparts_work *w)
{
	const struct keyed *order = webparts_sort(w->group, w->ngroups, w->e->mem);

	for (uint32_t p = 0; w->by_process && p < w->nprograms; p++) {
		for (uint32_t i = 0; i < w->ngroups; i++) {
			struct webparts_group *g = &w->group[order[i].id];
			uint32_t *place = g->listed ? &g->process : &w->program[p].process;

			if (g->program != p)
				continue;
			if (*place == 0) {
				array_push(w->e->mem, &w->processes) = (struct webpart_process){
					.process = g->listed ? w->of_recording[g->id] : NULL,
					.program = w->program_path[p]
				};
				*place = (uint32_t)w->processes.n;
			}
			g->process = *place;
			w->processes.at[*place - 1].n++;
		}
	}
}

/* Puts the threads into parts, in the order of their processes or of their time. */
static void webparts_fill(struct webparts_work *w)
{
	const struct call_trees *trees = w->e->trees;
	struct keyed *order = arena_array(w->e->mem, struct keyed, trees->nthreads);

	for (uint32_t i = 0; i < trees->nthreads; i++)
		order[i] = (struct keyed){ ~trees->thread[i].functions.total, i };
	radix_sort_keyed(order, trees->nthreads, w->e->mem);
	for (uint32_t i = 0; i < trees->nthreads; i++)
		order[i].key = (uint64_t)w->group[w->group_of[order[i].id]].process << 1 |
			       !w->group[w->group_of[order[i].id]].listed;
	radix_sort_keyed(order, trees->nthreads, w->e->mem);
	for (uint32_t i = 0; i < trees->nthreads; i++) {
		const struct thread_trees *of = &trees->thread[order[i].id];
		struct webparts_group *g = &w->group[w->group_of[order[i].id]];
		bool alone = g->listed && g->nthreads <= MOST_OF_PROCESS;
		uint32_t *known = g->listed ? &g->part : &w->program[g->program].part;
		struct webpart *part;

		if (alone || *known == 0) {
			array_push(w->e->mem, &w->parts) = (struct webpart){
				.thread = g->nthreads == 1 || alone ? of->thread : RECORDED_NONE,
				.process = g->process > 0 ? g->process - 1 : 0
			};
			*known = (uint32_t)w->parts.n;
		}
		part = &w->parts.at[*known - 1];
		part->n++;
		part->thread = part->n > 1 ? RECORDED_NONE : part->thread;
		part->ticks += of->functions.samples;
		part->waiting += of->functions.waiting;
		w->of[order[i].id] = *known - 1;
	}
}

struct webparts webparts_make(const struct export_view *e)
{
	struct webparts_work w = { .e = e, .recorded = e->trees->recorded };

	if (e->trees->nthreads < 2)
		return (struct webparts){ 0 };
	w.of = arena_array(e->mem, uint32_t, e->trees->nthreads);
	w.of_recording = export_processes(e, &w.by_process);
	webparts_make_groups(&w);
	webparts_make_programs(&w);
	webparts_list(&w);
	webparts_list_processes(&w);
	webparts_fill(&w);
	for (size_t i = 0; w.by_process && i < w.parts.n; i++) {
		struct webpart_process *of = &w.processes.at[w.parts.at[i].process];

		of->ticks += w.parts.at[i].ticks;
		of->waiting += w.parts.at[i].waiting;
	}
	return (struct webparts){ w.parts.at, (uint32_t)w.parts.n, w.of, w.processes.at,
				  (uint32_t)w.processes.n };
}

/* Adds up the ticks and waiting of each path, of all threads of a part. */
static void webparts_add(const struct export_view *e, const struct webparts *parts, uint32_t part,
			 const struct webpaths *paths, uint64_t *sums)
{
	struct arena scratch = arena_scratch(e->mem);

	memset(sums, 0, 2 * paths->path.n * sizeof(*sums));
	for (uint32_t i = 0; i < e->trees->nthreads; i++) {
		const struct stacks *stacks = &e->trees->thread[i].functions;
		uint32_t *place;

		if (parts->of[i] != part)
			continue;
		place = arena_array(&scratch, uint32_t, stacks->n);
		webpaths_place(paths, stacks, place);
		for (uint32_t k = 0; k < stacks->n; k++) {
			if (place[k] == INDEX_NONE)
				continue;
			sums[2 * place[k]] += stacks->node[k].samples;
			sums[2 * place[k] + 1] += stacks->node[k].waiting;
		}
		arena_free(&scratch);
	}
}

static void webparts_write_paths(const struct export_view *e, const uint64_t *sums, size_t n,
				 struct json *json)
{
	size_t before = 0;

	json_begin_array(json, "paths");
	for (size_t i = 0; i < n; i++) {
		if (sums[2 * i] == 0 && sums[2 * i + 1] == 0)
			continue;
		json_uint(json, NULL, i - before);
		json_uint(json, NULL, sums[2 * i]);
		if (e->integer_costs->waiting)
			json_uint(json, NULL, sums[2 * i + 1]);
		before = i;
	}
	json_end(json);
}

static void webparts_write_processes(const struct webparts *parts, struct json *json)
{
	json_begin_array(json_line(json), "processes");
	for (uint32_t i = 0; i < parts->nprocesses; i++) {
		const struct webpart_process *of = &parts->process[i];

		json_begin_object(json_line(json), NULL);
		json_string(json, "program", of->program);
		json_uint(json, "n", of->n);
		json_uint(json, "ticks", of->ticks);
		json_uint(json, "waits", of->waiting);
		if (of->process) {
			json_uint(json, "pid", of->process->pid);
			json_string(json, "command", of->process->command);
			json_uint(json, "cpu", of->process->cpu_ns);
		}
		json_end(json);
	}
	json_end(json);
}

void webparts_write(const struct export_view *e, const struct webparts *parts,
		    const struct webpaths *paths, struct json *json)
{
	uint64_t *sums = arena_array(e->mem, uint64_t, 2 * paths->path.n + 1);

	json_begin_array(json_line(json), "threads");
	for (uint32_t i = 0; i < parts->n; i++) {
		const struct webpart *part = &parts->at[i];

		json_begin_object(json_line(json), NULL);
		if (part->thread != RECORDED_NONE) {
			const struct recorded_thread *thread =
				&e->trees->recorded->threads.at[part->thread];

			json_string(json, "name", recorded_thread_called(thread));
			json_uint(json, "tid", thread->tid);
		}
		json_uint(json, "n", part->n);
		if (parts->nprocesses > 0)
			json_uint(json, "process", part->process);
		json_uint(json, "ticks", part->ticks);
		if (e->integer_costs->waiting)
			json_uint(json, "waits", part->waiting);
		webparts_add(e, parts, i, paths, sums);
		webparts_write_paths(e, sums, paths->path.n, json);
		json_end(json);
	}
	json_end(json);
	if (parts->nprocesses > 0)
		webparts_write_processes(parts, json);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorts by process number and start time, so that the programs that a process executed follow one
 * another: n log n.
 */
#include "config.h"

#include "analysis/stacks/processes.h"

#include "base/radix.h"
#include "base/sort.h"
#include "base/strtable.h"

#include <math.h>
#include <string.h>

enum { NS = 1000000000 };

/* The most CPU time, in ns, that is believed: 95 years. More means that the data are damaged. */
static const double processes_longest = 3e18;

struct processes_work {
	const struct recorded *recorded;
	const uint64_t *ticks;  /* of each recording */
	const uint64_t *cpu_ns; /* of each process: see processes_cpu() */
	struct arena *mem, *scratch;
};

static int processes_compare(uint32_t x, uint32_t y, const void *processes)
{
	const struct recorded_process *p = processes, *a = &p[x], *b = &p[y];

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->start > b->start) - (a->start < b->start);
}

static int processes_compare_programs(uint32_t x, uint32_t y, const void *processes)
{
	const struct recorded_process *p = processes;

	return strcmp(p[x].program, p[y].program);
}

static uint64_t processes_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Counts the processes whose parent is among them, too; ids are in the order of process numbers. */
static uint32_t processes_count_children(const struct recorded_process *p, const uint32_t *ids,
					 size_t n)
{
	uint32_t found = 0;

	for (size_t i = 0; i < n; i++) {
		size_t lo = 0, hi = n;

		while (lo < hi) {
			size_t middle = lo + (hi - lo) / 2;

			if (p[ids[middle]].pid < p[i].parent)
				lo = middle + 1;
			else
				hi = middle;
		}
		found += lo < n && p[ids[lo]].pid == p[i].parent;
	}
	return found;
}

/*
 * Returns, in scratch, the CPU time of each process. That of one that was killed is as old as what
 * it wrote last; its samples may say that it used more.
 */
static const uint64_t *processes_cpu(const struct processes_work *w)
{
	const struct recorded *r = w->recorded;
	uint64_t *cpu_ns = arena_array(w->scratch, uint64_t, r->processes.n);
	uint32_t *sharing = arena_array(w->scratch, uint32_t, (size_t)r->nfiles + 1);
	uint64_t rate = r->kinds.n > 0 ? r->kinds.at[0].unit.rate : 0;

	for (size_t i = 0; i < r->processes.n; i++)
		sharing[r->processes.at[i].recording]++;
	for (size_t i = 0; i < r->processes.n; i++) {
		const struct recorded_process *p = &r->processes.at[i];
		double seen = rate > 0 ? (double)w->ticks[p->recording] * NS / (double)rate : 0.0;
		double used = seen + (double)p->before_ns;
		bool old = p->ending == PROCESS_KILLED || p->ending == PROCESS_GOES_ON;

		cpu_ns[i] = p->cpu_ns;
		if (old && sharing[p->recording] == 1 && used > (double)p->cpu_ns &&
		    used < processes_longest)
			cpu_ns[i] = (uint64_t)used;
	}
	return cpu_ns;
}

/*
 * Adds a row for each group of ids with the same process. Sets own[id] to the CPU time that the
 * process used while it executed that program.
 */
static void processes_add_rows(struct processes *to, const struct processes_work *w,
			       const uint32_t *ids, uint64_t *own)
{
	const struct recorded_process *p = w->recorded->processes.at;
	size_t n = w->recorded->processes.n;
	struct process_row *rows = arena_array(w->mem, struct process_row, n);
	const struct recorded_process *before = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct recorded_process *at = &p[ids[i]];
		bool follows = before && before->pid == at->pid &&
			       before->ending == PROCESS_REPLACED && before->cpu_ns <= at->cpu_ns;
		struct process_row *row = &rows[follows ? to->nrows - 1 : to->nrows];

		to->nrows += !follows;
		row->last = at;
		row->n = 1;
		row->same_command = true;
		row->ticks += w->ticks[at->recording];
		row->cpu_ns = w->cpu_ns[ids[i]];
		own[ids[i]] = processes_less(w->cpu_ns[ids[i]], follows ? before->cpu_ns : 0);
		to->cpu_ns += own[ids[i]];
		before = at;
	}
	to->row = rows;
}

static void processes_sort_rows(struct processes *to, const struct processes_work *w)
{
	const struct process_row *rows = to->row;
	struct keyed *order = arena_array(w->scratch, struct keyed, to->nrows);
	struct process_row *sorted = arena_array(w->mem, struct process_row, to->nrows);

	for (uint32_t i = 0; i < to->nrows; i++)
		order[i] = (struct keyed){ ~rows[i].cpu_ns, i };
	radix_sort_keyed(order, to->nrows, w->scratch);
	for (uint32_t i = 0; i < to->nrows; i++)
		order[i].key = ~rows[order[i].id].ticks;
	radix_sort_keyed(order, to->nrows, w->scratch);
	for (uint32_t i = 0; i < to->nrows; i++)
		sorted[i] = rows[order[i].id];
	to->row = sorted;
}

static void processes_add_programs(struct processes *to, const struct processes_work *w,
				   uint32_t *ids, const uint64_t *own)
{
	const struct recorded_process *p = w->recorded->processes.at;
	size_t n = w->recorded->processes.n;
	struct process_program *rows = arena_array(w->mem, struct process_program, n), *sorted;
	struct keyed *order = arena_array(w->scratch, struct keyed, n);

	sort_ids(ids, n, processes_compare_programs, p, w->scratch);
	for (size_t i = 0; i < n; i++) {
		const struct recorded_process *at = &p[ids[i]];
		struct process_program *row = &rows[to->nprograms];

		if (i == 0 || strcmp(at->program, row[-1].path) != 0)
			to->nprograms++;
		else
			row--;
		row->path = at->program;
		row->nprocesses++;
		row->ticks += w->ticks[at->recording];
		row->cpu_ns += own[ids[i]];
	}
	sorted = arena_array(w->mem, struct process_program, to->nprograms);
	for (uint32_t i = 0; i < to->nprograms; i++)
		order[i] = (struct keyed){ ~rows[i].cpu_ns, i };
	radix_sort_keyed(order, to->nprograms, w->scratch);
	for (uint32_t i = 0; i < to->nprograms; i++)
		order[i].key = ~rows[order[i].id].ticks;
	radix_sort_keyed(order, to->nprograms, w->scratch);
	for (uint32_t i = 0; i < to->nprograms; i++)
		sorted[i] = rows[order[i].id];
	to->program = sorted;
}

/* Processes that may become one row. Texts are interned. */
struct processes_group {
	const char *program;
	uint32_t ending, status;
	uint32_t n, row; /* how many there are; the number of their row, from 1, or 0 */
};

INDEX_KEY(processes_group_key, struct processes_group, (uintptr_t)x->program, x->ending, x->status)

/* Whether a process has at most one tick, or a hundredth of all. */
static bool processes_has_little(const struct process_row *row, uint64_t all)
{
	return row->ticks <= 1 || row->ticks <= all / 100;
}

/* Returns the groups that the rows fall into, and each row's in group_of; all in scratch. */
static struct processes_group *processes_groups(const struct processes *p,
						const struct processes_work *w, uint32_t *group_of)
{
	struct strtable texts = { .mem = w->scratch };
	ARRAY(struct processes_group) groups = { 0 };
	struct index index = { 0 };

	for (uint32_t i = 0; i < p->nrows; i++) {
		const struct recorded_process *last = p->row[i].last;
		const struct processes_group like = { .program =
							      strtable_add(&texts, last->program),
						      .ending = last->ending,
						      .status = last->status };

		group_of[i] = index_intern(&index, &groups, &like, processes_group_key, w->scratch);
		groups.at[group_of[i]].n += processes_has_little(&p->row[i], p->ticks);
	}
	return groups.at;
}

/*
 * Makes one row of LEAST or more processes that ran the same program and ended alike, of those that
 * have little time.
 */
static void processes_fold(struct processes *to, const struct processes_work *w)
{
	enum { LEAST = 3 };
	struct process_row *rows = arena_array(w->mem, struct process_row, to->nrows);
	uint32_t *group_of = arena_array(w->scratch, uint32_t, to->nrows), nrows = 0;
	struct processes_group *groups = processes_groups(to, w, group_of);

	for (uint32_t i = 0; i < to->nrows; i++) {
		const struct process_row *one = &to->row[i];
		struct processes_group *group = &groups[group_of[i]];
		struct process_row *row = &rows[nrows];

		if (group->n >= LEAST && processes_has_little(one, to->ticks)) {
			if (group->row == 0)
				group->row = nrows + 1;
			row = &rows[group->row - 1];
		}
		nrows += row == &rows[nrows];
		if (row->n == 0)
			*row = (struct process_row){ .last = one->last, .same_command = true };
		row->n++;
		row->ticks += one->ticks;
		row->cpu_ns += one->cpu_ns;
		row->same_command &= strcmp(row->last->command, one->last->command) == 0;
	}
	to->row = rows;
	to->nrows = nrows;
}

/*
 * The number of samples varies by chance, by one in each process at most, and less in those that
 * are shorter than a period: only a difference of more than 5 standard deviations, and of 2 %, is
 * reported as not sampled.
 */
static void processes_find_unsampled(struct processes *to, const struct processes_work *w)
{
	enum { SIGMAS = 5 };
	const struct recorded *r = w->recorded;
	double period, ticks = 0.0, due = 0.0, missing, least;

	if (r->kinds.n == 0 || r->kinds.at[0].unit.rate == 0)
		return;
	period = (double)NS / r->kinds.at[0].unit.rate;
	for (size_t i = 0; i < r->processes.n; i++) {
		const struct recorded_process *p = &r->processes.at[i];

		if (p->end == 0 || w->cpu_ns[i] < p->before_ns)
			continue;
		to->covered += w->cpu_ns[i] - p->before_ns;
		ticks += (double)w->ticks[p->recording];
		due += fmin((double)(w->cpu_ns[i] - p->before_ns) / period, 1.0);
		if (w->ticks[p->recording] > 0)
			continue;
		to->nunseen++;
		to->unseen_ns += w->cpu_ns[i] - p->before_ns;
	}
	missing = (double)to->covered - ticks * period;
	least = SIGMAS * period * sqrt(1.0 + due + ticks);
	if (least < 0.02 * (double)to->covered)
		least = 0.02 * (double)to->covered;
	if (missing > least)
		to->unsampled = (uint64_t)missing;
}

/*
 * CPU time and the kernel's total are measured differently; a smaller difference than that of the
 * methods counts as none.
 */
static void processes_find_others(struct processes *to, uint64_t used_ns)
{
	uint64_t other = processes_less(used_ns, to->cpu_ns);

	if (other > to->cpu_ns / 50 &&
	    other > (uint64_t)NS / 100 + to->nrows * (uint64_t)(NS / 500))
		to->other_ns = other;
}

uint64_t *processes_ticks(const struct recorded *r, uint32_t kind, struct arena *mem)
{
	uint64_t *of_thread = arena_array(mem, uint64_t, r->threads.n);

	for (size_t i = 0; i < r->samples.n; i++) {
		if (r->samples.at[i].kind == kind)
			of_thread[r->samples.at[i].thread] += r->samples.at[i].ticks;
	}
	return of_thread;
}

struct processes processes_make(const struct recorded *recorded, const uint64_t *of_thread,
				struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t n = recorded->processes.n;
	uint32_t *ids = arena_array(&scratch, uint32_t, n);
	uint64_t *own = arena_array(&scratch, uint64_t, n);
	uint64_t *ticks = arena_array(&scratch, uint64_t, (size_t)recorded->nfiles + 1);
	struct processes_work w = { recorded, ticks, NULL, mem, &scratch };
	struct processes made = { 0 };

	if (n == 0) {
		arena_free(&scratch);
		return made;
	}
	for (size_t i = 0; i < recorded->threads.n; i++) {
		ticks[recorded->threads.at[i].recording] += of_thread[i];
		made.ticks += of_thread[i];
	}
	for (uint32_t i = 0; i < n; i++)
		ids[i] = i;
	sort_ids(ids, n, processes_compare, recorded->processes.at, &scratch);
	made.nchildren = processes_count_children(recorded->processes.at, ids, n);
	w.cpu_ns = processes_cpu(&w);
	processes_add_rows(&made, &w, ids, own);
	made.nprocesses = made.nrows;
	processes_sort_rows(&made, &w);
	processes_add_programs(&made, &w, ids, own);
	processes_find_unsampled(&made, &w);
	processes_find_others(&made, recorded->used_ns);
	processes_fold(&made, &w);
	processes_sort_rows(&made, &w);
	arena_free(&scratch);
	return made;
}

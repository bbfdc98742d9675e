/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * As in profiles.c, threads say nothing. A file that one of them cannot read stops all, and is read
 * again for the message; memory that runs out ends the program when all threads have stopped.
 */
#include "config.h"

#include "io/profile/visit.h"

#include "io/file.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

struct visit {
	const struct profile *all;
	enum gmon_format format;
	const struct visitor *visitor;
	struct progress *progress;
	atomic_bool stopped;
};

struct visit_worker {
	pthread_t thread;
	bool started, exhausted, failed;
	struct visit *visit;
	void *state;
	uint32_t first, end; /* of the files; `first` moves on to one that cannot be read */
	struct arena mem;
	struct file buffer;
	jmp_buf no_memory;
};

__attribute__((noreturn)) static void visit_give_up(void *worker)
{
	struct visit_worker *w = worker;

	longjmp(w->no_memory, 1);
}

static int visit_check(const unsigned char *bytes, size_t n, void *arg)
{
	const struct visit_worker *w = arg;
	struct diag silent = diag_silent(NULL);

	return gmon_check(&w->visit->all->target, w->visit->format, bytes, n, "", &silent);
}

static int visit_read(struct visit_worker *w, struct diag *diag)
{
	const struct visit *visit = w->visit;
	const char *name = visit->all->files.at[w->first].name;
	struct arena scratch = arena_scratch(&w->mem);
	struct profile_sum sum = { .prof = { .target = visit->all->target,
					     .keeps_file_ticks = true,
					     .skips_arcs = visit->visitor->skips_arcs },
				   .mem = &scratch };
	int rc = file_read_regular(&w->buffer, name, visit_check, w, diag);

	if (rc == 0)
		rc = gmon_read(&sum, visit->format, w->buffer.bytes, w->buffer.size, name, diag);
	if (rc == 0) {
		const struct profile one = profile_sum_end(&sum);

		visit->visitor->take(&one, w->first, w->state);
	}
	arena_free(&scratch);
	return rc;
}

static void *visit_run(void *worker)
{
	struct visit_worker *w = worker;
	struct diag silent = diag_silent(NULL);

	if (setjmp(w->no_memory)) {
		w->exhausted = true;
		w->visit->stopped = true;
		return NULL;
	}
	w->state = w->visit->visitor->begin(&w->mem, w->visit->visitor->arg);
	while (w->first < w->end && !w->visit->stopped) {
		w->failed = visit_read(w, &silent) < 0;
		if (w->failed)
			w->visit->stopped = true;
		else
			w->first++;
		progress_add(w->visit->progress);
	}
	return NULL;
}

/* The message of the first file that could not be read. */
static void visit_say(struct visit_worker *w, struct diag *diag)
{
	const char *name = w->visit->all->files.at[w->first].name;

	if (strcmp(name, "-") == 0)
		diag_error(diag, "standard input: cannot be read twice, as ranks have to be");
	else if (file_read_regular(&w->buffer, name, NULL, NULL, diag) == 0)
		diag_error(diag, "%s: has changed while it was read", name);
}

static unsigned visit_count_workers(uint32_t nfiles)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned most = online < 1 ? 1 : online > VISIT_WORKERS ? VISIT_WORKERS : (unsigned)online;

	return nfiles < most ? nfiles : most;
}

static int visit_join(struct visit *visit, struct visit_worker *workers, unsigned n,
		      struct arena *mem, struct diag *diag)
{
	bool exhausted = false;
	int rc = 0;

	for (unsigned k = 0; k < n; k++) {
		struct visit_worker *w = &workers[k];

		if (w->started)
			pthread_join(w->thread, NULL);
		else
			visit_run(w);
		exhausted = exhausted || w->exhausted;
	}
	if (exhausted)
		mem->no_memory(mem->arg);
	for (unsigned k = 0; k < n; k++) {
		struct visit_worker *w = &workers[k];

		if (rc == 0 && w->failed) {
			visit_say(w, diag);
			rc = -1;
		}
		file_free(&w->buffer);
	}
	for (unsigned k = 0; k < n; k++) {
		if (rc == 0)
			visit->visitor->end(workers[k].state, visit->visitor->arg);
		arena_adopt(mem, &workers[k].mem);
	}
	return rc;
}

int visit_files(const struct profile *all, enum gmon_format format, const struct visitor *visitor,
		struct arena *mem, struct diag *diag)
{
	struct visit visit = { all, format, visitor, diag->progress, false };
	uint32_t nfiles = (uint32_t)all->files.n;
	unsigned n = visit_count_workers(nfiles);
	struct visit_worker *workers = arena_array(mem, struct visit_worker, n);

	progress_count(diag->progress, "compared", "profiles", nfiles);
	for (unsigned k = n; k-- > 0;) {
		struct visit_worker *w = &workers[k];

		w->visit = &visit;
		w->first = (uint32_t)((uint64_t)nfiles * k / n);
		w->end = (uint32_t)((uint64_t)nfiles * (k + 1) / n);
		w->mem = (struct arena){ .no_memory = visit_give_up, .arg = w };
		w->started = k > 0 && pthread_create(&w->thread, NULL, visit_run, w) == 0;
	}
	return visit_join(&visit, workers, n, mem, diag);
}

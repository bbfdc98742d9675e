/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * As in profiles.c, threads give no messages. If one cannot read a file, all stop, and the file is
 * read again for the message. If memory runs out, the program ends when all threads have stopped.
 */
#include "config.h"

#include "io/profile/visit.h"

#include "base/worker.h"
#include "io/file.h"

#include <string.h>

/* A worker, with a part of the files. */
struct visit_worker {
	void *state;
	struct file buffer;
	struct arena mem;  /* for spare */
	struct hist spare; /* zero between files, so that the bins of each file need no clearing */
	bool failed;       /* part.first is then the file that cannot be read */
};

struct visit {
	const struct profile *all;
	enum gmon_format format;
	const struct visitor *visitor;
	struct progress *progress;
	struct visit_worker worker[WORKER_PARTS_MOST];
};

static int visit_check(const unsigned char *bytes, size_t n, void *arg)
{
	const struct visit *visit = arg;
	struct diag silent = diag_silent(NULL);

	return gmon_check(&visit->all->target, visit->format, bytes, n, "", &silent);
}

static int visit_open(struct visit *visit, struct file *buffer, const char *name, struct diag *diag)
{
	if (strcmp(name, "-") == 0)
		return -1;
	return file_read_regular(buffer, name, visit_check, visit, diag);
}

/* Makes the bins of the first histogram zero again. */
static void visit_clear(const struct profile *file)
{
	const struct hist *hist = file->hists.at;

	for (uint32_t i = 0; file->hists.n > 0 && (i = profile_next_bin(hist, i)) < hist->nbins;)
		hist->ticks[i] = 0;
}

static int visit_read(struct visit *visit, struct worker_part *part, struct diag *diag)
{
	struct visit_worker *w = &visit->worker[part->number];
	const struct profile_file *file = &visit->all->files.at[part->first];
	struct arena scratch = arena_scratch(&part->worker.mem);
	struct profile_sum sum = { .prof = { .target = visit->all->target,
					     .skips_arcs = visit->visitor->skips_arcs },
				   .mem = &scratch,
				   .spare = w->spare };
	int rc = file->bytes ? 0 : visit_open(visit, &w->buffer, file->name, diag);

	if (rc == 0)
		rc = gmon_read(&sum, visit->format, file->bytes ? file->bytes : w->buffer.bytes,
			       file->bytes ? file->size : w->buffer.size, file->name, diag);
	if (rc == 0) {
		const struct profile one = profile_sum_end(&sum);

		visit->visitor->take(&one, (uint32_t)part->first, w->state);
		visit_clear(&one);
	}
	arena_free(&scratch);
	return rc;
}

static void visit_work(struct worker_part *part, void *arg)
{
	struct visit *visit = arg;
	struct visit_worker *w = &visit->worker[part->number];
	struct diag silent = diag_silent(NULL);

	w->state = visit->visitor->begin(&part->worker.mem, visit->visitor->arg);
	w->mem = arena_scratch(&part->worker.mem);
	if (visit->all->hists.n > 0)
		w->spare = visit->all->hists.at[0];
	w->spare.ticks = arena_sparse(&w->mem, w->spare.nbins, sizeof(*w->spare.ticks));
	while (part->first < part->end && !part->parts->stopped) {
		w->failed = visit_read(visit, part, &silent) < 0;
		if (w->failed)
			part->parts->stopped = true;
		else
			part->first++;
		progress_add(visit->progress);
	}
}

/* Gives the message about the first file that could not be read. */
static void visit_say(struct visit *visit, const struct worker_part *part, struct diag *diag)
{
	const char *name = visit->all->files.at[part->first].name;

	if (strcmp(name, "-") == 0)
		diag_error(diag, "standard input: cannot be read twice, as ranks have to be");
	else if (file_read_regular(&visit->worker[part->number].buffer, name, NULL, NULL, diag) ==
		 0)
		diag_error(diag, "%s: has changed while it was read", name);
}

static int visit_wait(struct visit *visit, struct worker_parts *parts, struct arena *mem,
		      struct diag *diag)
{
	bool exhausted = false;
	int rc = 0;

	for (unsigned k = 0; k < parts->n; k++) {
		worker_part_wait(&parts->part[k]);
		exhausted = exhausted || parts->part[k].exhausted;
	}
	if (exhausted)
		mem->no_memory(mem->arg);
	for (unsigned k = 0; k < parts->n; k++) {
		if (rc == 0 && visit->worker[k].failed) {
			visit_say(visit, &parts->part[k], diag);
			rc = -1;
		}
		file_free(&visit->worker[k].buffer);
		arena_free(&visit->worker[k].mem);
	}
	for (unsigned k = 0; k < parts->n; k++) {
		if (rc == 0)
			visit->visitor->end(visit->worker[k].state, visit->visitor->arg);
		arena_adopt(mem, &parts->part[k].worker.mem);
	}
	return rc;
}

int visit_files(const struct profile *all, enum gmon_format format, const struct visitor *visitor,
		struct arena *mem, struct diag *diag)
{
	struct visit visit = { all, format, visitor, diag->progress, { { 0 } } };
	size_t nfiles = all->files.n;
	struct worker_parts parts;

	progress_count(diag->progress, "compared", "profiles", nfiles);
	worker_parts_start(&parts, nfiles, worker_parts_count(nfiles), visit_work, &visit);
	return visit_wait(&visit, &parts, mem, diag);
}

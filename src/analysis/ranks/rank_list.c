/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/ranks/rank_list.h"

#include "base/join.h"
#include "base/path.h"
#include "base/radix.h"

#include <inttypes.h>
#include <string.h>

/* Whether the last components of the files' paths are all different. */
static bool rank_list_has_bases(const struct profile *prof, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t n = prof->files.n;
	const char **base = arena_array(&scratch, const char *, n);
	uint32_t *order = arena_array(&scratch, uint32_t, n);
	bool distinct = true;

	for (uint32_t i = 0; i < n; i++) {
		base[i] = path_base(prof->files.at[i].name);
		order[i] = i;
	}
	radix_sort_by_name(order, n, (struct name_column){ base, sizeof(*base) }, &scratch);
	for (size_t i = 1; i < n && distinct; i++)
		distinct = strcmp(base[order[i - 1]], base[order[i]]) != 0;
	arena_free(&scratch);
	return distinct;
}

static struct rank rank_list_name(const struct rank_list *list, const struct rank_list_input *in,
				  size_t file)
{
	const char *path = in->profile->files.at[file].name;
	struct rank rank = in->named[file];

	if (!rank.label)
		rank.label = list->has_bases ? path_base(path) : path;
	return rank;
}

/*
 * Returns why a file is taken for a sum: its call stacks come from several recordings or, since
 * nothing else distinguishes it, its name ends in ".sum". NULL: it is no sum.
 */
static const char *rank_list_sign_of_sum(const struct profile_file *file)
{
	static const char suffix[] = ".sum";
	size_t n = strlen(file->name), nsuffix = sizeof(suffix) - 1;

	if (file->stacks.nrecordings + file->stacks.nlack > 1)
		return "it has call stacks of several recordings";
	if (n > nsuffix && strcmp(file->name + n - nsuffix, suffix) == 0)
		return "its name ends in .sum";
	return NULL;
}

/*
 * A pattern such as "prof.*" also matches a sum beside the files that were added up; the sum is
 * left out.
 */
static void rank_list_leave_out_sums(struct rank_list *list, const struct profile *prof,
				     struct diag *notes)
{
	const char *sign = NULL, *name = NULL;
	size_t nsums = 0;

	for (size_t i = prof->files.n; i-- > 0;) {
		const char *found = rank_list_sign_of_sum(&prof->files.at[i]);

		list->is_foreign[i] = found;
		if (!found)
			continue;
		sign = found;
		name = prof->files.at[i].name;
		nsums++;
	}
	if (nsums == prof->files.n)
		memset(list->is_foreign, 0, nsums * sizeof(*list->is_foreign));
	else if (nsums > 0)
		diag_note(notes, "%s: left out of the ranks, because it is a sum: %s%s", name, sign,
			  nsums > 1 ? "; and others like it" : "");
}

/* Leaves out files without recorded CPU time: their time is unknown, not 0. */
static void rank_list_leave_out_unclocked(struct rank_list *list, const struct profile *prof,
					  struct diag *notes)
{
	size_t n = 0, first = 0;

	for (size_t i = prof->files.n; i-- > 0;) {
		if (list->is_foreign[i] || prof->files.at[i].stacks.nkinds > 1)
			continue;
		list->is_foreign[i] = true;
		first = i;
		n++;
	}
	if (n > 0)
		diag_warn(notes, "%s: left out of the ranks: only its CPU time was recorded%s",
			  prof->files.at[first].name, n > 1 ? "; and others like it" : "");
}

void rank_list_number(struct rank_list *list, const struct rank_list_input *in)
{
	list->n = 0;
	for (size_t i = 0; i < in->profile->files.n; i++) {
		list->of_file[i] = list->is_foreign[i] ? RUN_NONE : list->n;
		if (!list->is_foreign[i])
			list->rank[list->n++] = rank_list_name(list, in, i);
	}
}

/* Returns "name (number)" of a thread, with the file's label if there are several files. */
static const char *rank_list_thread_label(const struct rank_list_input *in,
					  const struct recorded_thread *thread, const char *file,
					  struct arena *mem)
{
	bool several = in->profile->files.n > 1;

	return join_format(mem, "%s (%" PRIu32 ")%s%s", recorded_thread_called(thread), thread->tid,
			   several ? " of " : "", several ? file : "");
}

/* Returns the data file of each recording, in mem. */
static uint32_t *rank_list_recordings(const struct profile *prof, struct arena *mem)
{
	uint32_t *file = arena_array(mem, uint32_t, (size_t)prof->recorded.nfiles + 1), n = 0;

	for (uint32_t i = 0; i < prof->files.n; i++) {
		for (uint32_t k = 0; k < prof->files.at[i].stacks.nrecordings; k++) {
			if (n < prof->recorded.nfiles)
				file[n++] = i;
		}
	}
	return file;
}

/* Whether a thread is part of a rank or, if ranks are threads, is a rank. */
static bool rank_list_has_thread(const struct rank_list_input *in, uint32_t thread)
{
	const uint64_t *ticks = in->costs->origin.of_thread;
	const uint64_t *waits = in->costs->waits.of_thread;

	if (in->chosen && !bitset_has(*in->chosen, thread))
		return false;
	return !in->threads || ticks[thread] > 0 || (waits && waits[thread] > 0) ||
	       in->profile->recorded.threads.at[thread].cpu_ns > 0;
}

/*
 * Sets the rank of each thread; if ranks are threads, adds a rank for each. Time of threads that
 * are not known may be of several, so it is no rank among them.
 */
static void rank_list_add_threads(struct rank_list *list, const struct rank_list_input *in,
				  struct arena *mem, struct diag *notes)
{
	const struct recorded *recorded = &in->profile->recorded;
	const uint32_t *file = rank_list_recordings(in->profile, mem);
	double unknown = 0.0, total = 0.0;

	list->of_thread = arena_array(mem, uint32_t, recorded->threads.n);
	if (in->threads)
		list->rank = arena_array(mem, struct rank, recorded->threads.n);
	for (uint32_t i = 0; i < recorded->threads.n; i++) {
		const struct recorded_thread *thread = &recorded->threads.at[i];
		uint32_t of_file = file[thread->recording];
		bool counts = !list->is_foreign[of_file] && rank_list_has_thread(in, i);
		struct rank rank;

		list->of_thread[i] = counts ? list->of_file[of_file] : RUN_NONE;
		if (!counts || !in->threads)
			continue;
		total += (double)in->costs->origin.of_thread[i];
		if (!recorded_thread_is_known(thread)) {
			unknown += (double)in->costs->origin.of_thread[i];
			list->of_thread[i] = RUN_NONE;
			continue;
		}
		rank = rank_list_name(list, in, of_file);
		rank.label = rank_list_thread_label(in, thread, rank.label, mem);
		list->of_thread[i] = list->n;
		list->rank[list->n++] = rank;
	}
	if (unknown > 0.0)
		diag_note(notes, "left out: %.1f %% of the time, because its thread is not known",
			  100.0 * unknown / total);
}

struct rank_list rank_list_make(const struct rank_list_input *in, struct arena *mem,
				struct diag *notes)
{
	const struct profile *prof = in->profile;
	size_t nfiles = prof->files.n;
	struct rank_list list = { .rank = arena_array(mem, struct rank, nfiles),
				  .of_file = arena_array(mem, uint32_t, nfiles),
				  .is_foreign = arena_array(mem, bool, nfiles),
				  .has_bases = rank_list_has_bases(prof, mem) };

	rank_list_leave_out_sums(&list, prof, notes);
	if (in->needs_clock)
		rank_list_leave_out_unclocked(&list, prof, notes);
	if (!in->threads)
		rank_list_number(&list, in);
	if (in->costs->origin.measured)
		rank_list_add_threads(&list, in, mem, notes);
	return list;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/gather.h"

#include "io/profile/profiles.h"
#include "model/profile_sum.h"
#include "run/session/libraries.h"
#include "run/session/recording.h"

#include <string.h>

/* Reduces the profile of another program to its call stacks. */
static void gather_strip(struct profile *one)
{
	one->hists.n = one->arcs.n = one->blocks.n = 0;
	one->has_hists = one->has_arcs = false;
	for (size_t i = 0; i < one->recorded.modules.n; i++)
		one->recorded.modules.at[i].flags &= ~(unsigned)MODULE_PROGRAM;
}

/* Drops histograms without bins, which only have a unit, as a sum has one unit. */
static void gather_drop_empty(struct profile *one)
{
	size_t kept = 0;

	for (size_t i = 0; i < one->hists.n; i++) {
		if (one->hists.at[i].nbins > 0)
			one->hists.at[kept++] = one->hists.at[i];
	}
	one->hists.n = kept;
}

/* Reads recording i. 0, or -1 with the reason said. */
static int gather_read_one(struct profile *one, const struct session_input *input, size_t i,
			   struct arena *mem, struct arena *lasting, struct diag *diag)
{
	const char *file;

	if (input->run)
		return recording_read(one, input, i, mem, lasting, diag);
	file = input->profiles[i];
	if (profiles_read(one, &file, 1, GMON_ANY, mem, diag) < 0)
		return -1;
	recording_complete(&one->recorded, file, input, mem);
	return 0;
}

/* Adds recording i. 0; 1 if it cannot be used; -1 if the sum overflows. */
static int gather_add(struct profile_sum *sum, const struct session_input *input,
		      const struct image *image, size_t i, struct diag *diag)
{
	struct arena scratch = arena_scratch(sum->mem);
	struct diag silent = diag_silent(NULL);
	struct profile one = { .target = sum->prof.target, .keeps_pipes = sum->prof.keeps_pipes };
	const struct module *program;
	int rc = 1;

	/* Why a recording cannot be read is said only if it is the only one. */
	if (gather_read_one(&one, input, i, &scratch, sum->mem,
			    input->run && input->run->used.n == 1 ? diag : &silent) == 0) {
		program = recorded_program(&one.recorded);
		if (!program && input->together) {
			arena_free(&scratch);
			return 1;
		}
		if (program && !libraries_fits(program, input->program.path, image, &scratch))
			gather_strip(&one);
		if (input->together)
			gather_drop_empty(&one);
		rc = profile_sum_add(sum, &one) ? 0 : -1;
	}
	arena_free(&scratch);
	return rc;
}

/* Adds the processes that ended before their first sample, each as a recording without samples. */
static void gather_add_ended(struct recorded *r, const struct recordings *run, struct arena *mem)
{
	uint64_t n = windows_ended(&run->windows);
	struct windows_program last = { NULL, NULL };

	for (uint64_t i = 0; i < n; i++) {
		struct recorded_process process;

		if (!windows_read_ended(&process, &run->windows, i, &last, mem))
			continue;
		process.recording = r->nfiles++;
		array_push(mem, &r->processes) = process;
	}
}

/*
 * Makes one recording of those of each run, if there are several runs. `run_of` has the run of each
 * recording that was read.
 */
static void gather_by_run(struct recorded *r, const struct recordings *run, const uint32_t *run_of)
{
	for (size_t i = 0; i < r->threads.n; i++)
		r->threads.at[i].recording = run_of[r->threads.at[i].recording];
	for (size_t i = 0; i < r->processes.n; i++)
		r->processes.at[i].recording = run_of[r->processes.at[i].recording];
	r->timelines.n = r->slices.n = 0; /* processes of a run began at different times */
	r->nfiles = run->nruns;
	r->nlack = 0; /* these have no samples */
}

/* Ends the sum. Without any file of the program, only the stacks have the unit. */
static struct profile gather_end(struct profile_sum *sum)
{
	struct profile prof = profile_sum_end(sum);

	if (prof.hists.n == 0 && prof.recorded.kinds.n > 0) {
		prof.unit = prof.recorded.kinds.at[0].unit;
		prof.has_hists = true;
	}
	return prof;
}

int gather_read(struct profile *prof, const struct session_input *input, const struct image *image,
		struct arena *mem, struct diag *diag)
{
	size_t nfiles = input->run ? input->run->used.n : (size_t)input->nprofiles, nbad = 0;
	const char *name = input->run ? input->program.path : input->profiles[0];
	struct profile_sum sum = {
		.prof = { .target = prof->target, .keeps_pipes = prof->keeps_pipes }, .mem = mem
	};
	bool several = input->run && input->run->nruns > 0;
	uint32_t *run_of = arena_array(mem, uint32_t, several ? nfiles : 0);
	int rc = 0;

	progress_count(diag->progress, "read", "profiles", nfiles);
	for (size_t i = 0; i < nfiles && rc >= 0; i++) {
		progress_at(diag->progress, i);
		rc = gather_add(&sum, input, image, i, diag);
		nbad += rc > 0;
		if (several && rc == 0 && sum.prof.recorded.nfiles > 0)
			run_of[sum.prof.recorded.nfiles - 1] = input->run->run_of.at[i];
	}
	if (rc < 0)
		diag_error(diag, "%s: the sum of the run's profiles is too large", name);
	else if (nbad == nfiles)
		diag_error(diag, "%s: %s cannot be read", name,
			   nfiles == 1 ? "the profile of the run" : "no profile of the run");
	else if (nbad > 0)
		diag_warn(diag, "%zu of %zu processes left a profile that cannot be read", nbad,
			  nfiles);
	if (several && sum.prof.recorded.nfiles > 0)
		gather_by_run(&sum.prof.recorded, input->run, run_of);
	else if (input->run && input->together)
		gather_add_ended(&sum.prof.recorded, input->run, mem);
	*prof = gather_end(&sum);
	return rc < 0 || nbad == nfiles ? -1 : 0;
}

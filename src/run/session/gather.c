/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/gather.h"

#include "base/path.h"
#include "io/profile/profiles.h"
#include "model/profile_sum.h"
#include "run/launch/launch.h"
#include "run/session/libraries.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Whether one of the threads has this number. */
static bool gather_has_thread(const struct recorded *r, uint32_t number)
{
	for (size_t i = 0; i < r->threads.n; i++) {
		if (number && r->threads.at[i].tid == number)
			return true;
	}
	return false;
}

/* Returns the process number in the name of a file that ends in ".PID.live" or ".PID.COPY.live". */
static uint32_t gather_pid(const struct recorded *r, const char *path)
{
	uint32_t number = 0, last = 0;

	for (const char *dot = strchr(path_base(path), '.'); dot; dot = strchr(dot + 1, '.')) {
		number = (uint32_t)strtoul(dot + 1, NULL, 10);
		last = number ? number : last;
		if (gather_has_thread(r, number))
			return number;
	}
	return last;
}

/* Adds the record of a process that was killed before it could write one, or that still runs. */
static void gather_add_process(struct recorded *r, const char *path,
			       const struct session_input *input, struct arena *mem)
{
	const struct module *program = recorded_program(r);
	struct recorded_process process = { .pid = gather_pid(r, path),
					    .program = program ? program->path : "",
					    .ending = PROCESS_KILLED };

	if (process.pid && (int)process.pid == input->main_pid) {
		bool killed = input->main_status > LAUNCH_SIGNALED;

		process.ending = killed ? PROCESS_KILLED : PROCESS_EXITED;
		process.status = (uint32_t)(input->main_status - (killed ? LAUNCH_SIGNALED : 0));
	} else if (kill((pid_t)process.pid, 0) == 0 || errno == EPERM) {
		process.ending = PROCESS_GOES_ON;
	}
	process.command = path_base(process.program);
	for (size_t i = 0; i < r->threads.n; i++)
		process.cpu_ns += r->threads.at[i].cpu_ns;
	array_push(mem, &r->processes) = process;
}

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

/* Adds a file to the sum. Returns 0; 1 if the file cannot be used; -1 if the sum overflows. */
static int gather_add(struct profile_sum *sum, const struct session_input *input,
		      const struct image *image, const char *file)
{
	struct arena scratch = arena_scratch(sum->mem);
	struct diag silent = diag_silent(NULL);
	struct profile one = { .target = sum->prof.target };
	const struct module *program;
	int rc = 1;

	if (profiles_read(&one, &file, 1, GMON_ANY, &scratch, &silent) == 0 &&
	    one.recorded.nfiles > 0 && (program = recorded_program(&one.recorded))) {
		if (one.recorded.processes.n == 0)
			gather_add_process(&one.recorded, file, input, &scratch);
		if (!libraries_fits(program, input->program.path, image, &scratch))
			gather_strip(&one);
		gather_drop_empty(&one);
		rc = profile_sum_add(sum, &one) ? 0 : -1;
	}
	arena_free(&scratch);
	return rc;
}

/* Ends the sum. If no file was the program's, sets the unit from the stacks. */
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
	size_t nfiles = (size_t)input->nprofiles;
	struct profile_sum sum = { .prof.target = prof->target, .mem = mem };
	size_t nbad = 0;
	int rc = 0;

	progress_count(diag->progress, "read", "profiles", nfiles);
	for (size_t i = 0; i < nfiles && rc >= 0; i++) {
		progress_at(diag->progress, i);
		rc = gather_add(&sum, input, image, input->profiles[i]);
		nbad += rc > 0;
	}
	if (rc < 0)
		diag_error(diag, "%s: the sum of the run's profiles is too large",
			   input->profiles[0]);
	else if (nbad == nfiles)
		diag_error(diag, "%s: cannot be read, and no other profile of the run can",
			   input->profiles[0]);
	else if (nbad > 0)
		diag_warn(diag, "%zu of %zu processes left a profile that cannot be read", nbad,
			  nfiles);
	*prof = gather_end(&sum);
	return rc < 0 || nbad == nfiles ? -1 : 0;
}

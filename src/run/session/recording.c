/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/recording.h"

#include "base/join.h"
#include "base/path.h"
#include "io/profile/made_files.h"
#include "model/recorded_sum.h"
#include "run/session/heaviest.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a number is that of one of the threads. */
static bool recording_has_thread(const struct recorded *r, uint32_t number)
{
	for (size_t i = 0; i < r->threads.n; i++) {
		if (number && r->threads.at[i].tid == number)
			return true;
	}
	return false;
}

/* The process, from the name of a file, which ends in ".PID.live" or in ".PID.COPY.live". */
static uint32_t recording_pid(const struct recorded *r, const char *path)
{
	uint32_t number = 0, last = 0;

	for (const char *dot = strchr(path_base(path), '.'); dot; dot = strchr(dot + 1, '.')) {
		number = (uint32_t)strtoul(dot + 1, NULL, 10);
		last = number ? number : last;
		if (recording_has_thread(r, number))
			return number;
	}
	return last;
}

/* How a process ended that did not say so itself. */
static void recording_find_ending(struct recorded_process *process,
				  const struct session_input *input)
{
	if ((int)process->pid == input->main_pid) {
		bool killed = input->main_status > LAUNCH_SIGNALED;

		process->ending = killed ? PROCESS_KILLED : PROCESS_EXITED;
		process->status = (uint32_t)(input->main_status - (killed ? LAUNCH_SIGNALED : 0));
	} else if (process->pid && (kill((pid_t)process->pid, 0) == 0 || errno == EPERM)) {
		process->ending = PROCESS_GOES_ON;
	} else {
		process->ending = PROCESS_KILLED;
		process->status = 0;
	}
}

void recording_complete(struct recorded *r, const char *path, const struct session_input *input,
			struct arena *mem)
{
	const struct module *program = recorded_program(r);
	struct recorded_process *process;

	if (!program)
		return;
	if (r->processes.n == 0)
		array_push(mem, &r->processes) = (struct recorded_process){
			.pid = recording_pid(r, path),
			.program = program->path,
			.command = path_base(program->path),
			.ending = PROCESS_GOES_ON,
		};
	else if (!input->run)
		return;
	process = &r->processes.at[0];
	if (!*process->command)
		process->command = path_base(process->program);
	if (process->ending == PROCESS_GOES_ON)
		recording_find_ending(process, input);
	for (size_t i = 0; process->end == 0 && i < r->threads.n; i++)
		process->cpu_ns += r->threads.at[i].cpu_ns;
}

/* Keeps the bytes of a recording that may be read again. */
static void recording_keep_bytes(struct profile_file *file, const struct windows_bytes *bytes,
				 struct arena *lasting)
{
	file->size = bytes->size;
	file->bytes = memcpy(arena_unset_array(lasting, unsigned char, file->size), bytes->bytes,
			     file->size);
}

/* What messages and lists of files call a recording. */
static const char *recording_name(const struct session_input *input, size_t i,
				  struct arena *lasting)
{
	char number[40];

	snprintf(number, sizeof(number),
		 input->run->used.n > 1 ? "recording %zu of " : "recording of ", i + 1);
	return JOIN(lasting, number, path_base(input->program.path));
}

/* Where a program of this environment tells the names of code that it makes. */
static struct made_places recording_made_places(void)
{
	const char *dumps = getenv("JITDUMPDIR");

	return (struct made_places){ getenv("TMPDIR"), dumps ? dumps : getenv("HOME") };
}

int recording_read(struct profile *prof, const struct session_input *input, size_t i,
		   struct arena *mem, struct arena *lasting, struct diag *diag)
{
	const struct made_places places = recording_made_places();
	struct profile_sum sum = { .prof = { .target = prof->target }, .mem = mem };
	const char *name = recording_name(input, i, lasting);
	struct windows_bytes bytes = { 0 };
	int error = windows_read(&bytes, &input->run->windows, input->run->used.at[i]);
	struct profile_file *file;

	if (error) {
		diag_error(diag, "%s: %s", name, strerror(error));
		return -1;
	}
	if (gmon_read(&sum, GMON_LIVE, bytes.bytes, bytes.size, name, diag) < 0) {
		windows_free(&bytes);
		return -1;
	}
	file = &sum.prof.files.at[sum.prof.files.n - 1];
	if (!profile_stacks_any(&file->stacks))
		recorded_sum_lack(&sum.prof.recorded, false);
	if (prof->keeps_pipes)
		recording_keep_bytes(file, &bytes, lasting);
	windows_free(&bytes);
	*prof = profile_sum_end(&sum);
	recording_complete(&prof->recorded, "", input, mem);
	made_files_read(&prof->recorded, &places, mem, diag);
	return 0;
}

/* Adds the samples of recording i; nothing if it cannot be read. */
static void recording_weigh(struct heaviest *h, const struct session_input *input, size_t i)
{
	struct arena scratch = arena_scratch(h->mem);
	struct diag silent = diag_silent(NULL);
	struct profile one = { .target = { .ptr_size = sizeof(void *),
					   .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ } };
	const struct module *program = NULL;

	if (recording_read(&one, input, i, &scratch, &scratch, &silent) == 0)
		program = recorded_program(&one.recorded);
	if (program && *program->path)
		heaviest_add(h, program->path, one.recorded.ticks);
	arena_free(&scratch);
}

void recording_choose_program(struct session_input *input, struct arena *mem)
{
	enum { MOST = 1000 };
	struct heaviest h = { .mem = mem };
	const char *program;

	for (size_t i = 0; input->together && i < input->run->used.n && i < MOST; i++)
		recording_weigh(&h, input, i);
	program = heaviest_of(&h);
	if (program)
		input->program.path = program;
}

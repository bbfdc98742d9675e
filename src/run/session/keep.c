/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/keep.h"

#include "io/profile/gmon_write.h"
#include "run/session/gather.h"
#include "run/session/recording.h"

#include <string.h>

/* The target of what this machine has just recorded. */
static struct target keep_target(void)
{
	return (struct target){ .ptr_size = sizeof(void *),
				.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
#ifdef __arm__
				.thumb = true
#endif
	};
}

static int keep_recording(const struct session_input *input, size_t i, struct arena *mem,
			  struct diag *diag)
{
	struct profile one = { .target = keep_target() };
	struct diag silent = diag_silent(NULL);
	const struct recorded_process *process;
	const file_ids inputs = { 0 };
	const char *name;

	if (recording_read(&one, input, i, mem, mem, &silent) < 0)
		return 0;
	process = one.recorded.processes.n > 0 ? one.recorded.processes.at : NULL;
	name = recordings_name(input->run, i,
			       process ? recorded_process_called(process, mem)
				       : input->program.path,
			       process ? process->pid : 0, mem, diag);
	return gmon_write(&one, GMON_CURRENT, name, &inputs, mem, diag);
}

/* Writes the sum of all recordings to one file. */
static int keep_sum(const struct session_input *input, struct arena *mem, struct diag *diag)
{
	struct profile sum = { .target = keep_target() };
	struct diag silent = diag_silent(NULL);
	struct image *image = image_open(input->program.path, NULL, &silent);
	const file_ids inputs = { 0 };
	int rc = 0;

	if (image && gather_read(&sum, input, image, mem, &silent) == 0)
		rc = gmon_write(&sum, GMON_CURRENT, input->run->file, &inputs, mem, diag);
	image_close(image);
	return rc;
}

int keep_recordings(const struct session_input *input, struct arena *mem, struct diag *diag)
{
	size_t n =
		input->run && (input->run->file || input->run->directory) ? input->run->used.n : 0;
	int rc = 0;

	if (n > 0 && input->run->file && input->together) {
		struct arena scratch = arena_scratch(mem);

		rc = keep_sum(input, &scratch, diag);
		arena_free(&scratch);
		return rc;
	}
	for (size_t i = 0; i < n; i++) {
		struct arena scratch = arena_scratch(mem);

		if (keep_recording(input, i, &scratch, diag) < 0)
			rc = -1;
		arena_free(&scratch);
	}
	return rc;
}

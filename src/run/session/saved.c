/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/saved.h"

#include "io/profile/profiles.h"
#include "run/launch/recordings.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What recordings tell of their programs. */
struct saved {
	const char *program; /* of what began first; NULL: nothing is known */
	uint64_t start;
	bool several; /* programs */
	struct arena *mem;
};

static void saved_take(struct saved *kept, const char *program, uint64_t start)
{
	if (!*program)
		return;
	kept->several = kept->several || (kept->program && strcmp(kept->program, program) != 0);
	if (kept->program && start >= kept->start)
		return;
	kept->program = arena_strndup(kept->mem, program, strlen(program));
	kept->start = start;
}

/* A process that was killed has not told when it began. Of programs, a first page is read. */
static void saved_look(struct saved *kept, const char *file)
{
	struct arena scratch = arena_scratch(kept->mem);
	struct diag silent = diag_silent(NULL);
	struct profile one = { .target = { .ptr_size = sizeof(void *),
					   .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ } };
	const struct module *program = NULL;
	struct stat st;

	if (stat(file, &st) == 0 && S_ISREG(st.st_mode) &&
	    profiles_read(&one, &file, 1, GMON_CURRENT, &scratch, &silent) == 0)
		program = recorded_program(&one.recorded);
	if (program)
		saved_take(kept, program->path,
			   one.recorded.processes.n == 1 ? one.recorded.processes.at[0].start
							 : UINT64_MAX);
	arena_free(&scratch);
}

void saved_find_program(struct session_input *input, struct arena *mem)
{
	struct saved kept = { .mem = mem };
	struct recordings found = { .directory = input->program.path };
	struct stat st;
	const char **named = arena_array(mem, const char *, 1);

	if (!input->program_named || input->profile_named || stat(input->program.path, &st) < 0)
		return;
	named[0] = input->program.path;
	if (S_ISDIR(st.st_mode))
		recordings_find(&found, mem);
	else
		array_push(mem, &found.list) = named[0];
	for (size_t i = 0; i < found.list.n; i++)
		saved_look(&kept, found.list.at[i]);
	if (!kept.program || access(kept.program, F_OK) < 0)
		return;
	input->program.path = kept.program;
	input->program.symbols.unnamed = true;
	input->profile_named = true;
	input->together = kept.several;
	input->profiles = kept.several ? found.list.at : named;
	input->nprofiles = kept.several ? (int)found.list.n : 1;
}

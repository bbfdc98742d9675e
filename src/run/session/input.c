/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/input.h"

#include "analysis/stacks/processes.h"
#include "base/nearest_files.h"
#include "base/path.h"
#include "gmon_out.h"
#include "io/file.h"
#include "io/image/evidence.h"
#include "io/profile/ext_beside.h"
#include "io/profile/profiles.h"
#include "run/launch/recordings.h"
#include "run/session/heaviest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What recordings say about their programs. */
struct input_saved {
	const char *program;  /* the program that began first; NULL: not known */
	uint64_t start;       /* when that program began */
	bool several;         /* there are several programs */
	struct heaviest sums; /* their samples */
	struct arena *mem;
};

static void input_take(struct input_saved *saved, const char *program, uint64_t start,
		       uint64_t ticks)
{
	if (!*program)
		return;
	heaviest_add(&saved->sums, program, ticks);
	saved->several = saved->several || (saved->program && strcmp(saved->program, program) != 0);
	if (saved->program && start >= saved->start)
		return;
	saved->program = arena_strndup(saved->mem, program, strlen(program));
	saved->start = start;
}

/* A process that was killed has left no time of its beginning. */
static void input_look(struct input_saved *saved, const char *file)
{
	struct arena scratch = arena_scratch(saved->mem);
	struct diag silent = diag_silent(NULL);
	struct profile one = { .target = { .ptr_size = sizeof(void *),
					   .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ } };
	const struct module *program = NULL;
	struct stat st;

	if (stat(file, &st) == 0 && S_ISREG(st.st_mode) &&
	    profiles_read(&one, &file, 1, GMON_CURRENT, &scratch, &silent) == 0)
		program = recorded_program(&one.recorded);
	if (program)
		input_take(saved, program->path,
			   one.recorded.processes.n == 1 ? one.recorded.processes.at[0].start
							 : UINT64_MAX,
			   one.recorded.ticks);
	arena_free(&scratch);
}

/*
 * Functions without names are shown if there are call stacks, as these may come from any program;
 * but not in GNU gprof's reports.
 */
static bool input_has_ext(const struct session_input *input, struct arena *mem)
{
	for (int i = 0; i < input->nprofiles; i++) {
		if (access(ext_beside_name(input->profiles[i], mem), R_OK) == 0)
			return true;
	}
	return false;
}

/* Whether several processes of a run, or programs in one process, have said that they began. */
static bool input_has_several(const struct launch *launch)
{
	const struct recordings *r = &launch->recordings;

	return r->used.n + windows_ended(&r->windows) > launch->nruns;
}

struct session_input input_of_launch(const struct session_input *named, const struct launch *launch)
{
	struct session_input input = *named;

	input.program.path = launch->image;
	input.program.symbols.unnamed = true;
	input.run = &launch->recordings;
	input.profiles = NULL;
	input.nprofiles = 0;
	input.together = launch->children != LAUNCH_ALONE && input_has_several(launch);
	input.used_ns = launch->used_ns;
	input.displaced = launch->displaced;
	input.main_pid = launch->pid;
	input.main_status = launch->status;
	input.main_elapsed_ns = launch->elapsed_ns;
	input.main_queued_ns = launch->queued_ns;
	input.program_named = input.profile_named = true;
	return input;
}

/* Handles a data file or directory that was given in place of the program. */
static void input_find_program(struct session_input *input, struct arena *mem)
{
	struct input_saved saved = { .sums.mem = mem, .mem = mem };
	const char *heaviest;
	struct recordings found = { .directory = input->program.path };
	const char **named = arena_array(mem, const char *, 1);
	struct stat st;

	if (stat(input->program.path, &st) < 0)
		return;
	named[0] = input->program.path;
	if (S_ISDIR(st.st_mode))
		recordings_find(&found, mem);
	else
		array_push(mem, &found.list) = named[0];
	for (size_t i = 0; i < found.list.n; i++)
		input_look(&saved, found.list.at[i]);
	heaviest = heaviest_of(&saved.sums);
	if (saved.several && heaviest)
		saved.program = heaviest;
	if (!saved.program || access(saved.program, F_OK) < 0)
		return;
	input->program.path = saved.program;
	input->program.symbols.unnamed = true;
	input->profile_named = true;
	input->together = saved.several;
	input->profiles = saved.several ? found.list.at : named;
	input->nprofiles = saved.several ? (int)found.list.n : 1;
}

/* Whether a process ran the program that the user means by `named`: its path, or its mere name.
 * `path`: where `named` leads to, or NULL. */
static bool input_is_of(const struct recorded_process *process, const char *named, const char *path,
			struct arena *mem)
{
	return (path && strcmp(path, process->program) == 0) ||
	       (!strchr(named, '/') && (strcmp(named, path_base(process->program)) == 0 ||
					strcmp(named, recorded_process_called(process, mem)) == 0));
}

/* Whether processes that ran a program have samples. */
static bool input_has_samples(const struct processes *of, const char *program)
{
	for (uint32_t i = 0; i < of->nprograms; i++) {
		if (of->program[i].ticks > 0 && strcmp(of->program[i].path, program) == 0)
			return true;
	}
	return false;
}

/* What a program is to a profile that the user has named it with. */
enum input_meaning {
	INPUT_MEANS_PROGRAM, /* not of a run of several programs, or the one that is shown */
	INPUT_MEANS_RUN,     /* one that the run has started */
	INPUT_MEANS_SAMPLED  /* the same, with samples of its own */
};

/*
 * Whether the named program is one that a kept run has started, but not the one that its profile is
 * of: as with g++, which starts a compiler; or the one that it is of, by its mere name.
 */
static enum input_meaning input_meaning(const struct session_input *input, struct arena *mem)
{
	const char *named = input->program.path;
	struct arena scratch = arena_scratch(mem);
	struct diag silent = diag_silent(NULL);
	struct profile kept = { .target = { .ptr_size = sizeof(void *),
					    .big_endian =
						    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ } };
	const struct module *of = NULL;
	char *path = realpath(named, NULL);
	uint64_t n = input->nprofiles == 1 ? ext_beside_processes(input->profiles[0], mem) : 0;
	enum input_meaning meaning = INPUT_MEANS_PROGRAM;
	struct processes processes = { 0 };

	/* A program's own profile is not read twice for this. */
	if ((n > 1 || (n == 1 && !path)) &&
	    profiles_read(&kept, input->profiles, 1, GMON_CURRENT, &scratch, &silent) == 0)
		of = recorded_program(&kept.recorded);
	if (of)
		processes = processes_make(&kept.recorded,
					   processes_ticks(&kept.recorded, 0, &scratch), &scratch);
	for (size_t i = 0; of && i < kept.recorded.processes.n; i++) {
		const struct recorded_process *process = &kept.recorded.processes.at[i];

		if (meaning == INPUT_MEANS_SAMPLED || !input_is_of(process, named, path, &scratch))
			continue;
		meaning = input_has_samples(&processes, process->program) ? INPUT_MEANS_SAMPLED
									  : INPUT_MEANS_RUN;
	}
	if (path && of && strcmp(path, of->path) == 0)
		meaning = INPUT_MEANS_PROGRAM;
	free(path);
	arena_free(&scratch);
	return meaning;
}

/* Says that another program is shown than the named one, and what shows that. */
static void input_note_other(const struct session_input *named, const struct session_input *shown,
			     enum input_meaning meaning, struct diag *diag)
{
	diag_note(diag,
		  "%s is of a run of several programs: shown is the one with most samples, %s%s",
		  named->profiles[0], shown->program.path,
		  meaning == INPUT_MEANS_SAMPLED
			  ? "; --run=keep=DIR/ keeps a profile of each process"
			  : "");
}

struct session_input input_of_saved(const struct session_input *named, struct arena *mem,
				    struct diag *diag)
{
	struct session_input input = *named;

	if (named->program_named && !named->profile_named) {
		input_find_program(&input, mem);
	} else if (named->program_named) {
		enum input_meaning meaning = input_meaning(named, mem);

		if (meaning != INPUT_MEANS_PROGRAM) {
			input.program.path = named->profiles[0];
			input_find_program(&input, mem);
			if (strcmp(path_base(input.program.path), path_base(named->program.path)) !=
			    0)
				input_note_other(named, &input, meaning, diag);
		}
	}
	input.program.symbols.unnamed |= input_has_ext(&input, mem);
	return input;
}

struct session_input input_with_all_functions(const struct session_input *input, bool gnu_symbols)
{
	struct session_input all = *input;

	all.program.symbols.all |= !gnu_symbols && !input->program.symfile;
	all.lines_elsewhere = input->program.by_line;
	all.program.by_line = false;
	return all;
}

static const char input_live[] = "gmon.out.live";

bool input_is_profile(const char *path)
{
	char magic[sizeof(GMON_MAGIC) - 1];
	struct stat st;
	bool found = false;
	int fd;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0) {
		found = read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
			memcmp(magic, GMON_MAGIC, sizeof(magic)) == 0;
		close(fd);
	}
	return found;
}

static bool input_is_missing(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 && errno == ENOENT;
}

bool input_is_mistaken(const struct session_input *input, struct arena *mem, struct diag *diag)
{
	const char *path = input->program.path;

	if (!input->program_named && input_is_missing(path))
		diag_error(diag, "%s: %s; name the program: gprof PROGRAM [gmon.out]", path,
			   strerror(ENOENT));
	else if (input->program_named && input_is_missing(path))
		diag_error(diag, "%s: %s%s", path, strerror(ENOENT),
			   nearest_files_question(path, "", &nearest_files_is_program, mem));
	else if (!input_is_profile(path))
		return false;
	else if (input->profile_named && !input_is_profile(input->profiles[0]))
		diag_error(diag, "%s: is profile data; the program comes first: gprof %s %s", path,
			   input->profiles[0], path);
	else
		diag_error(diag, "%s: is profile data; the program comes first: gprof PROGRAM %s",
			   path, path);
	return true;
}

const char *input_missing(const struct session_input *input)
{
	const char *missing = evidence_missing(input->profiles, (size_t)input->nprofiles);

	return !input->profile_named && access(input_live, F_OK) == 0 ? NULL : missing;
}

const char *input_find_profile(const struct session_input *input, struct diag *diag)
{
	const char *ended = input->profiles[0];
	struct stat a, b;
	bool has_live = stat(input_live, &b) == 0;
	bool has_ended = stat(ended, &a) == 0;

	if (has_live && !has_ended && errno == ENOENT) {
		diag_note(diag, "there is no %s: reading %s, of a program that runs or was killed",
			  ended, input_live);
		return input_live;
	}
	if (has_live && has_ended && file_is_newer(&b, &a))
		diag_warn(diag, "%s is newer than %s, which is read", input_live, ended);
	return ended;
}

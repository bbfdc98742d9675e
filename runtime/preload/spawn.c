/* SPDX-License-Identifier: MIT */
/* Functions that start other programs, in the shared library only: these inherit what the program
 * blocks and ignores as it sees it. With GMON=children they find the environment that makes our
 * library record them, too. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "preload/masks.h"
#include "preload/next.h"
#include "preload/run.h"
#include "state.h"

typedef int spawn_function(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			   const posix_spawnattr_t *attributes, char *const words[],
			   char *const environment[]);

static size_t spawn_bytes(char *const environment[])
{
	return gmon.settings.children ? run_environment_bytes(environment) : 0;
}

struct spawn_call {
	pid_t *pid;
	const char *file;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attributes;
	char *const *words;
	char *const *environment;
};

/* Calls the C library's function with the environment and signal mask for what is started. */
static int spawn_by(enum next which, const struct spawn_call *call)
{
	spawn_function *next = (spawn_function *)next_of(which);
	char *const *environment = call->environment;
	size_t bytes = spawn_bytes(environment);
	uint32_t handed = masks_hand_on();
	int result;

	if (bytes > 0)
		environment = run_environment(__builtin_alloca(bytes), environment);
	result = next(call->pid, call->file, call->actions, call->attributes, call->words,
		      environment);
	masks_resume(handed);
	return result;
}

PUBLIC int posix_spawn(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attributes, char *const words[],
		       char *const environment[])
{
	const struct spawn_call call = { pid, file, actions, attributes, words, environment };

	return spawn_by(NEXT_POSIX_SPAWN, &call);
}

PUBLIC int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const words[],
			char *const environment[])
{
	const struct spawn_call call = { pid, file, actions, attributes, words, environment };

	return spawn_by(NEXT_POSIX_SPAWNP, &call);
}

/* Ends the time in which the C library finds another environment, unless another thread has changed
 * that meanwhile: its own one is then left. */
static void spawn_put_back(char **before, char **restored)
{
	if (restored && environ == restored)
		environ = before;
}

PUBLIC int system(const char *command)
{
	typedef int function(const char *);
	char **before = environ, **restored = NULL;
	size_t bytes = spawn_bytes(before);
	uint32_t handed = masks_hand_on();
	int result;

	if (bytes > 0)
		restored = environ = run_environment(__builtin_alloca(bytes), before);
	result = ((function *)next_of(NEXT_SYSTEM))(command);
	spawn_put_back(before, restored);
	masks_resume(handed);
	return result;
}

PUBLIC FILE *popen(const char *command, const char *mode)
{
	typedef FILE *function(const char *, const char *);
	char **before = environ, **restored = NULL;
	size_t bytes = spawn_bytes(before);
	uint32_t handed = masks_hand_on();
	FILE *result;

	if (bytes > 0)
		restored = environ = run_environment(__builtin_alloca(bytes), before);
	result = ((function *)next_of(NEXT_POPEN))(command, mode);
	spawn_put_back(before, restored);
	masks_resume(handed);
	return result;
}

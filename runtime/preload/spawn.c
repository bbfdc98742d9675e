/* SPDX-License-Identifier: MIT */
/* Functions that start other programs, in the shared library only: these inherit what the program
 * blocks and ignores as it sees it. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "preload/masks.h"
#include "preload/next.h"
#include "state.h"

typedef int spawn_function(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			   const posix_spawnattr_t *attributes, char *const words[],
			   char *const environment[]);

PUBLIC int posix_spawn(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attributes, char *const words[],
		       char *const environment[])
{
	spawn_function *next = (spawn_function *)next_of(NEXT_POSIX_SPAWN);
	uint32_t handed = masks_hand_on();
	int result = next(pid, file, actions, attributes, words, environment);

	masks_resume(handed);
	return result;
}

PUBLIC int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const words[],
			char *const environment[])
{
	spawn_function *next = (spawn_function *)next_of(NEXT_POSIX_SPAWNP);
	uint32_t handed = masks_hand_on();
	int result = next(pid, file, actions, attributes, words, environment);

	masks_resume(handed);
	return result;
}

PUBLIC int system(const char *command)
{
	typedef int function(const char *);
	uint32_t handed = masks_hand_on();
	int result = ((function *)next_of(NEXT_SYSTEM))(command);

	masks_resume(handed);
	return result;
}

PUBLIC FILE *popen(const char *command, const char *mode)
{
	typedef FILE *function(const char *, const char *);
	uint32_t handed = masks_hand_on();
	FILE *result = ((function *)next_of(NEXT_POPEN))(command, mode);

	masks_resume(handed);
	return result;
}

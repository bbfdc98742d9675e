/* SPDX-License-Identifier: MIT */
/*
 * exec() and what is like it, in the shared library alone and with GMON=run: the process is about
 * to lose what it recorded, so it writes that. If it is to become the same program once more, the
 * environment tells the library there to go on.
 */
#include <dlfcn.h>
#include <gmon.h>
#include <unistd.h>

#include "process.h"
#include "run.h"
#include "stacks.h"
#include "state.h"
#include "write.h"

typedef int exec_function(const char *file, char *const words[], char *const environment[]);

static bool exec_has_samples(void)
{
	const struct stacks_totals totals = stacks_add_up();
	uint64_t ticks = 0;

	for (int i = 0; i <= GMON_EXT_CUT; i++)
		ticks += totals.ticks[i];
	return ticks > 0;
}

/* As `next`, which returns if nothing comes of it. */
static int exec_by(exec_function *next, const char *file, char *const words[],
		   char *const environment[])
{
	bool ours = gmon.settings.run && gmon.phase == RUNNING && state_is_ours();
	char **restored = NULL;
	int result;

	if (!ours)
		return next(file, words, environment);
	if (!gmon.settings.children || exec_has_samples()) {
		process_end(GMON_EXT_REPLACED, 0);
		write_profile(false);
	}
	if (!gmon.settings.children && run_is_program(file))
		restored = run_environment(environment);
	result = next(file, words, restored ? restored : environment);
	process_end(GMON_EXT_GOES_ON, 0);
	run_free_environment(restored);
	return result;
}

/* As the C library's. */
static int exec_directly(const char *file, char *const words[], char *const environment[])
{
	long result = SYS3(SYS_execve, file, words, environment);

	errno = (int)-result;
	return -1;
}

PUBLIC int execve(const char *file, char *const words[], char *const environment[])
{
	return exec_by(exec_directly, file, words, environment);
}

PUBLIC int execv(const char *file, char *const words[])
{
	return execve(file, words, environ);
}

/* In the child of a fork, another thread may have held the loader's lock. */
__attribute__((constructor(102))) static void exec_construct(void)
{
	gmon.execvpe = dlsym(RTLD_NEXT, "execvpe");
}

PUBLIC int execvpe(const char *file, char *const words[], char *const environment[])
{
	exec_function *next = (exec_function *)gmon.execvpe;

	if (!next)
		next = (exec_function *)dlsym(RTLD_NEXT, "execvpe");
	return exec_by(next, file, words, environment);
}

PUBLIC int execvp(const char *file, char *const words[])
{
	return execvpe(file, words, environ);
}

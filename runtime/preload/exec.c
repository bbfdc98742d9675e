/* SPDX-License-Identifier: MIT */
/*
 * The functions of the exec family, in the shared library only and with GMON=run. They write the
 * profile, which exec() would lose. If the process is to become the same program once more, or with
 * GMON=children any, they restore the environment that makes our library record there, too.
 */
#include <gmon.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/text.h"
#include "preload/masks.h"
#include "preload/next.h"
#include "preload/run.h"
#include "record/process.h"
#include "record/stacks.h"
#include "state.h"
#include "wait/offcpu_helper.h"
#include "write/live.h"
#include "write/write.h"

typedef int exec_function(const char *file, char *const words[], char *const environment[]);
typedef int exec_opened_function(int fd, char *const words[], char *const environment[]);

/* The function to call, one of two types, and its first argument. */
struct exec_way {
	exec_function *next;
	exec_opened_function *next_opened;
	const char *file; /* also with next_opened: /proc/self/fd/N */
	int fd;           /* for next_opened */
};

/* Arguments of execl() and the like, as an array: on the stack if they are few, since malloc() must
 * not be called here. */
struct exec_words {
	char **at;
	size_t n; /* with the NULL after the last */
	char *few[256];
};

static bool exec_has_samples(void)
{
	const struct stacks_totals totals = stacks_add_up();
	uint64_t ticks = totals.others;

	for (int i = 0; i <= GMON_EXT_CUT; i++)
		ticks += totals.ticks[i];
	return ticks > 0;
}

/* Calls the function with the signals as the program sees them. */
static int exec_go(const struct exec_way *way, char *const words[], char *const environment[])
{
	uint32_t handed = masks_hand_on();
	int result = way->next ? way->next(way->file, words, environment)
			       : way->next_opened(way->fd, words, environment);

	masks_resume(handed);
	return result;
}

/* Writes the profile and calls the function, which returns only after an error. */
static int exec_by(const struct exec_way *way, char *const words[], char *const environment[])
{
	bool ours = gmon.settings.run && gmon.phase == RUNNING && state_is_ours();
	bool follows = gmon.settings.children || (ours && run_is_program(way->file));
	size_t bytes = follows ? run_environment_bytes(environment) : 0;
	int result;

	if (bytes > 0)
		environment = run_environment(__builtin_alloca(bytes), environment);
	if (!ours)
		return exec_go(way, words, environment);
	if (gmon.settings.has_windows) {
		process_end(GMON_EXT_REPLACED, 0);
		offcpu_helper_flush(false); /* what threads waited since the last look */
		live_share();
	} else if (!gmon.settings.children || exec_has_samples()) {
		process_end(GMON_EXT_REPLACED, 0);
		write_profile(false);
	}
	result = exec_go(way, words, environment);
	process_end(GMON_EXT_GOES_ON, 0);
	if (gmon.settings.has_windows)
		process_share();
	return result;
}

/* As the C library's execve(). */
static int exec_directly(const char *file, char *const words[], char *const environment[])
{
	long result = SYS3(SYS_execve, file, words, environment);

	errno = (int)-result;
	return -1;
}

PUBLIC int execve(const char *file, char *const words[], char *const environment[])
{
	const struct exec_way way = { .next = exec_directly, .file = file };

	return exec_by(&way, words, environment);
}

PUBLIC int execv(const char *file, char *const words[])
{
	return execve(file, words, environ);
}

PUBLIC int execvpe(const char *file, char *const words[], char *const environment[])
{
	struct exec_way way = { .next = (exec_function *)next_of(NEXT_EXECVPE), .file = file };

	return exec_by(&way, words, environment);
}

PUBLIC int execvp(const char *file, char *const words[])
{
	return execvpe(file, words, environ);
}

PUBLIC int fexecve(int fd, char *const words[], char *const environment[])
{
	char name[40] = "/proc/self/fd/";
	struct text text = text_after(name, sizeof(name));
	struct exec_way way = { .next_opened = (exec_opened_function *)next_of(NEXT_FEXECVE),
				.file = name,
				.fd = fd };

	text_add_number(&text, fd < 0 ? 0 : (uint64_t)fd);
	return exec_by(&way, words, environment);
}

/*
 * Takes the arguments up to NULL into an array, which exec_free_words() frees; in a child of
 * vfork() that memory is lost. False, with errno: no memory.
 */
static bool exec_take_words(struct exec_words *words, const char *first, va_list *list)
{
	union {
		const char *given;
		char *word;
	} word = { first };
	va_list ahead;

	words->n = 1;
	va_copy(ahead, *list);
	for (const char *next = first; next; next = va_arg(ahead, const char *))
		words->n++;
	va_end(ahead);
	words->at = words->few;
	if (words->n > sizeof(words->few) / sizeof(words->few[0]))
		words->at = sys_memory(words->n * sizeof(*words->at));
	if (!words->at) {
		errno = ENOMEM;
		return false;
	}
	words->at[0] = word.word;
	for (size_t i = 1; i < words->n; i++)
		words->at[i] = va_arg(*list, char *);
	return true;
}

static int exec_free_words(const struct exec_words *words)
{
	if (words->at != words->few)
		sys_munmap(words->at, words->n * sizeof(*words->at));
	return -1;
}

/* Calls execve() or execvpe(). After the arguments, the list may have an environment. */
static int exec_list(exec_function *next, const char *file, const char *first, va_list *list,
		     bool has_environment)
{
	struct exec_words words;

	if (!exec_take_words(&words, first, list))
		return -1;
	next(file, words.at, has_environment ? va_arg(*list, char *const *) : environ);
	return exec_free_words(&words);
}

PUBLIC int execl(const char *file, const char *first, ...)
{
	va_list list;
	int result;

	va_start(list, first);
	result = exec_list(execve, file, first, &list, false);
	va_end(list);
	return result;
}

PUBLIC int execlp(const char *file, const char *first, ...)
{
	va_list list;
	int result;

	va_start(list, first);
	result = exec_list(execvpe, file, first, &list, false);
	va_end(list);
	return result;
}

PUBLIC int execle(const char *file, const char *first, ...)
{
	va_list list;
	int result;

	va_start(list, first);
	result = exec_list(execve, file, first, &list, true);
	va_end(list);
	return result;
}

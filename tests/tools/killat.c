/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * killat [names] N PROGRAM ARGUMENT...: runs PROGRAM, and kills it and all the processes that it
 * has made, as kill -9 would, when one of them makes the N-th system call of all, before that is
 * done. With "names", only calls that give or take names of files count.
 *
 * Ends with status 0 if there was such a call. Else prints how many there were, and ends with
 * status 1. Status 77: this kernel cannot do it.
 */
#include "bytes.h"
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const char tool_name[] = "killat";

enum { MOST_PROCESSES = 1024, CALL_STOP = SIGTRAP | 0x80 };

/* Threads that are traced; `inside`: stopped last when it entered a system call. */
static struct {
	pid_t tid;
	int inside;
} traced[MOST_PROCESSES];

static int *is_inside(pid_t tid)
{
	int free = -1;

	for (int i = 0; i < MOST_PROCESSES; i++) {
		if (traced[i].tid == tid)
			return &traced[i].inside;
		if (traced[i].tid == 0 && free < 0)
			free = i;
	}
	if (free < 0)
		die("more than %d threads", MOST_PROCESSES);
	traced[free].tid = tid;
	traced[free].inside = 0;
	return &traced[free].inside;
}

static void forget(pid_t tid)
{
	for (int i = 0; i < MOST_PROCESSES; i++)
		if (traced[i].tid == tid)
			traced[i].tid = 0;
}

/* A process that was just made is not among `traced` before its first stop. */
static void kill_all(void)
{
	int status;
	pid_t tid;

	for (int i = 0; i < MOST_PROCESSES; i++)
		if (traced[i].tid)
			kill(traced[i].tid, SIGKILL);
	while ((tid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR)
		if (tid > 0 && WIFSTOPPED(status))
			kill(tid, SIGKILL);
}

/* Which signal the thread gets when it goes on. */
static int signal_of(int status)
{
	int number = WSTOPSIG(status);

	return number == CALL_STOP || number == SIGTRAP || status >> 16 ? 0 : number;
}

/* Whether the call that the thread is about to make gives or takes a name. */
static bool is_about_names(pid_t tid)
{
	static const int calls[] = {
#ifdef SYS_rename
		SYS_rename,    SYS_link,   SYS_unlink,
#endif
#ifdef SYS_renameat
		SYS_renameat,
#endif
		SYS_renameat2, SYS_linkat, SYS_unlinkat,
	};
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) <= 0)
		return false;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (info.entry.nr == (unsigned)calls[i])
			return true;
	return false;
}

/* Counts calls up to `last`. Returns how many there were. */
static long count_calls(long last, bool names)
{
	long n = 0;
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		int number, *inside;

		if (tid <= 0)
			continue;
		if (!WIFSTOPPED(status)) {
			forget(tid);
			continue;
		}
		inside = is_inside(tid);
		if (WSTOPSIG(status) == CALL_STOP) {
			*inside = !*inside;
			if (*inside && (!names || is_about_names(tid)) && ++n == last)
				return n;
		}
		/* A new thread begins with a stop that is no signal to it. */
		number = signal_of(status);
		ptrace(PTRACE_SYSCALL, tid, NULL, number == SIGSTOP ? 0L : (long)number);
	}
	return n;
}

int main(int argc, char **argv)
{
	const bool names = argc > 1 && strcmp(argv[1], "names") == 0;
	char **command = argv + (names ? 3 : 2);
	long last = argc > (names ? 3 : 2) ? atol(command[-1]) : 0, n;
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			     PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	pid_t child;
	int status;

	if (last < 1)
		die("usage: killat [names] N PROGRAM ARGUMENT...");
	child = fork();
	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(CHILD_UNAVAILABLE);
		raise(SIGSTOP);
		execvp(command[0], command);
		_exit(CHILD_CANNOT_RUN);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, child, NULL, options) < 0)
		return CHILD_UNAVAILABLE;
	is_inside(child);
	ptrace(PTRACE_SYSCALL, child, NULL, 0L);
	n = count_calls(last, names);
	if (n == last) {
		kill_all();
		return 0;
	}
	printf("%ld\n", n);
	return 1;
}

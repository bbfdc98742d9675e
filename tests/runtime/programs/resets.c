/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts processes as browsers do: with all signals blocked, and in the child the default action of
 * each signal, set by system calls of its own. Another child says what it sees of the mask that it
 * has inherited. Prints how the children ended.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void use_cpu(double seconds)
{
	struct timespec now;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while (now.tv_sec + now.tv_nsec / 1e9 < seconds);
}

static void reset_all(void)
{
	struct { /* the kernel's struct sigaction is no larger */
		long words[4];
	} action = { { 0 } };

	for (int signal = 1; signal < 65; signal++)
		syscall(SYS_rt_sigaction, signal, &action, NULL, 8);
}

static int child_resets(const sigset_t *before)
{
	reset_all();
	use_cpu(0.05);
	sigprocmask(SIG_SETMASK, before, NULL);
	use_cpu(0.1);
	return 3;
}

/* What is blocked stays so. */
static int child_sees(const sigset_t *before)
{
	sigset_t now;
	int n = 0;

	(void)before;
	use_cpu(0.05);
	sigprocmask(SIG_BLOCK, NULL, &now);
	for (int signal = 1; signal < 32; signal++)
		n += sigismember(&now, signal);
	kill(getpid(), SIGSTKFLT);
	sigpending(&now);
	n += 100 * sigismember(&now, SIGSTKFLT);
	kill(getpid(), SIGURG);
	sigpending(&now);
	return n + 100 * sigismember(&now, SIGURG);
}

static void start(const char *what, int child(const sigset_t *))
{
	sigset_t all, before;
	int status = 0;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	if (fork() == 0)
		_exit(child(&before));
	sigprocmask(SIG_SETMASK, &before, NULL);
	wait(&status);
	printf("%s: %s %d\n", what, WIFSIGNALED(status) ? "signal" : "status",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

int main(void)
{
	start("resets", child_resets);
	start("sees", child_sees);
	return 4;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libbfd and libdw are large, and crash on some hostile files; then only the child crashes. The
 * child enters a sandbox (confine.h), which leaves an attacker who runs code in it less to do;
 * see SECURITY in the manual.
 */
#include "config.h"

#include "run/launch/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { TICK_NS = 100000000 };

/* Signals that are blocked, and the mask before. */
struct guard_signals {
	sigset_t held, before;
};

/* Makes the kernel end the child when its parent is killed. */
static void guard_follow_parent(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	if (getppid() != parent)
		raise(SIGTERM);
}

static void guard_adopt_orphans(void)
{
#ifdef __linux__
	prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

/* Lets the signals of limits.h end the child, even if the caller ignores or blocks them. */
static void guard_let_limits_end(void)
{
	sigset_t limits;

	signal(SIGXCPU, SIG_DFL);
	signal(SIGVTALRM, SIG_DFL);
	sigemptyset(&limits);
	sigaddset(&limits, SIGXCPU);
	sigaddset(&limits, SIGVTALRM);
	sigprocmask(SIG_UNBLOCK, &limits, NULL);
}

/* Whether the signal is one by which users end programs, so that it is not a crash. */
static bool guard_is_from_user(int number)
{
	static const int usual[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
				     SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2 };

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (usual[i] == number)
			return true;
	}
	return false;
}

static void guard_end_by(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

static void guard_say_why(const char *image, int number, struct diag *diag)
{
	if (number == SIGXCPU)
		diag_error(diag, "%s: reading it took too much processor time", image);
	else if (number == SIGVTALRM)
		diag_error(diag, "%s: reading it took too long", image);
	else if (number == SIGKILL)
		diag_error(diag, "%s: killed, perhaps for want of memory", image);
	else
		diag_error(diag, "%s: reading it crashed (%s)", image, strsignal(number));
}

/*
 * Blocks the signals that end or stop the process while a line of progress is shown; with `pages`,
 * blocks the signals of the keyboard, which are meant for the child and its pager.
 */
static struct guard_signals guard_hold_signals(const struct progress *progress, bool pages)
{
	static const int numbers[] = { SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP };
	enum { TYPED = 2 };
	size_t n = progress ? sizeof(numbers) / sizeof(numbers[0]) : pages ? TYPED : 0;
	struct guard_signals w;

	sigemptyset(&w.held);
	sigprocmask(SIG_BLOCK, &w.held, &w.before);
	if (n > 0)
		sigaddset(&w.held, SIGCHLD);
	for (size_t i = 0; i < n; i++) {
		if (!sigismember(&w.before, numbers[i]))
			sigaddset(&w.held, numbers[i]);
	}
	sigprocmask(SIG_BLOCK, &w.held, NULL);
	return w;
}

/*
 * Waits for the child like waitpid(). Meanwhile shows progress and, with `pages`, passes on signals
 * of the keyboard.
 */
static pid_t guard_wait_showing(pid_t child, bool pages, int *ending, struct progress *progress,
				const struct guard_signals *w)
{
	const struct timespec tick = { .tv_nsec = TICK_NS };
	pid_t ended;

	while ((ended = waitpid(child, ending, WNOHANG)) == 0) {
		int number = sigtimedwait(&w->held, NULL, progress ? &tick : NULL);

		if (number < 0) {
			if (progress)
				progress_show(progress);
		} else if (pages && (number == SIGINT || number == SIGQUIT)) {
			kill(child, number);
		} else if (number != SIGCHLD) {
			/* The line is erased, so the signal may now end or stop this process. */
			progress_erase(progress);
			raise(number);
			sigprocmask(SIG_SETMASK, &w->before, NULL);
			sigprocmask(SIG_BLOCK, &w->held, NULL);
		}
	}
	progress_erase(progress);
	return ended;
}

/* Waits for the pager, which becomes a child of this process when its own parent has ended. */
static void guard_wait_for_pager(const struct guard_signals *w)
{
	const struct timespec now = { 0 };
	int number;

	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	do
		number = sigtimedwait(&w->held, NULL, &now);
	while (number > 0);
}

static pid_t guard_wait(pid_t child, int *ending)
{
	pid_t ended;

	do
		ended = waitpid(child, ending, 0);
	while (ended < 0 && errno == EINTR);
	return ended;
}

/* Returns the child's exit status; 1 after saying by which signal it ended. */
static int guard_take_ending(const char *image, pid_t ended, int ending, struct diag *diag)
{
	if (ended < 0) {
		diag_error(diag, "%s: lost the process that reads it: %s", image, strerror(errno));
		return EXIT_FAILURE;
	}
	if (WIFEXITED(ending))
		return WEXITSTATUS(ending);
	if (guard_is_from_user(WTERMSIG(ending)))
		guard_end_by(WTERMSIG(ending));
	guard_say_why(image, WTERMSIG(ending), diag);
	return EXIT_FAILURE;
}

/* Prepares the new child for its work. */
static void guard_begin_child(pid_t parent, const struct guard_signals *w)
{
	sigprocmask(SIG_SETMASK, &w->before, NULL);
	guard_let_limits_end();
	guard_follow_parent(parent);
}

bool guard_begin(const char *image, bool pages, int *status, struct diag *diag)
{
	struct progress *progress = progress_make(diag->program);
	struct guard_signals w = guard_hold_signals(progress, pages);
	pid_t parent = getpid(), child, ended;
	int ending;

	signal(SIGCHLD, SIG_DFL); /* if SIGCHLD is ignored, waitpid() finds no child */
	if (pages)
		guard_adopt_orphans();
	child = fork();
	if (child < 0) {
		int error = errno;

		sigprocmask(SIG_SETMASK, &w.before, NULL);
		diag_error(diag, "%s: cannot start a process to read it: %s", image,
			   strerror(error));
		*status = EXIT_FAILURE;
		return false;
	}
	if (child == 0) {
		guard_begin_child(parent, &w);
		diag->progress = progress;
		return true;
	}
	ended = progress || pages ? guard_wait_showing(child, pages, &ending, progress, &w)
				  : guard_wait(child, &ending);
	if (pages)
		guard_wait_for_pager(&w);
	sigprocmask(SIG_SETMASK, &w.before, NULL);
	*status = guard_take_ending(image, ended, ending, diag);
	return false;
}

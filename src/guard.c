/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libbfd and libdw are large, and not written for files that want to harm: they have crashed on
 * such files, and will. What they break is the child. It has no less rights than the parent, so
 * whoever runs code in it has the user's; see SECURITY in the manual.
 */
#include "config.h"

#include "guard.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

/* The child must not go on for a caller that has given up. */
static void follow_parent(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	if (getppid() != parent)
		raise(SIGTERM);
}

/* Whether it is usual for a program to be ended by the signal. */
static bool is_from_user(int number)
{
	static const int usual[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
				     SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2 };

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (usual[i] == number)
			return true;
	}
	return false;
}

static void end_by(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

static void say_why(const char *image, int number, struct diag *diag)
{
	if (number == SIGXCPU)
		diag_error(diag, "%s: reading it took too much processor time", image);
	else if (number == SIGKILL)
		diag_error(diag, "%s: killed, perhaps for want of memory", image);
	else
		diag_error(diag, "%s: reading it crashed (%s)", image, strsignal(number));
}

bool guard_begin(const char *image, int *status, struct diag *diag)
{
	pid_t parent = getpid(), child = fork();
	int ending;

	if (child == 0)
		follow_parent(parent);
	if (child <= 0)
		return true;
	while (waitpid(child, &ending, 0) < 0) {
		if (errno == EINTR)
			continue;
		diag_error(diag, "%s: its reader was lost: %s", image, strerror(errno));
		*status = EXIT_FAILURE;
		return false;
	}
	*status = WIFEXITED(ending) ? WEXITSTATUS(ending) : EXIT_FAILURE;
	if (WIFSIGNALED(ending)) {
		if (is_from_user(WTERMSIG(ending)))
			end_by(WTERMSIG(ending));
		say_why(image, WTERMSIG(ending), diag);
	}
	return false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure: runs a command and tells what it cost.
 *
 *   measure [-u] [-t SECONDS] [-o MAXBYTES] [-s STACK_KILOBYTES] REPORT COMMAND [WORD]...
 *
 * The command has no input; stdout and stderr are the caller's. It is killed after SECONDS of the
 * processor (60 if not said), after five times as long in all, or when a file grows too large.
 * One line goes to the file REPORT:
 *
 *   WALL_SECONDS CPU_SECONDS PEAK_KILOBYTES STATUS
 *
 * With -u, it has both parts of the time, of the program and of the kernel, and four decimals:
 *   WALL_SECONDS USER_SECONDS SYSTEM_SECONDS PEAK_KILOBYTES STATUS
 *
 * STATUS is the exit status, or `signal N`. The exit status of measure is 0 if it could run the
 * command, else 2.
 */
#include "bytes.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char tool_name[] = "measure";

/* 0 means none. */
struct limits {
	unsigned seconds;
	uint64_t max_bytes, stack_kilobytes;
};

static _Noreturn void become(char **command, const struct limits *limits)
{
	int null = open("/dev/null", O_RDONLY);

	dup2(null, 0);
	signal(SIGALRM, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGXCPU, SIG_DFL);
	child_limit(RLIMIT_CORE, 0);
	if (limits->max_bytes)
		child_limit(RLIMIT_FSIZE, limits->max_bytes);
	if (limits->stack_kilobytes)
		child_limit(RLIMIT_STACK, limits->stack_kilobytes << 10);
	child_limit(RLIMIT_CPU, limits->seconds);
	alarm(5 * limits->seconds);
	execvp(command[0], command);
	fprintf(stderr, "%s: %s: %s\n", tool_name, command[0], strerror(errno));
	_exit(CHILD_CANNOT_RUN);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void report(const char *path, double wall, const struct rusage *use, int status, bool parts)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die("%s: %s", path, strerror(errno));
	if (parts)
		fprintf(f, "%.4f %.4f %.4f %ld ", wall, child_seconds(use->ru_utime),
			child_seconds(use->ru_stime), use->ru_maxrss);
	else
		fprintf(f, "%.2f %.2f %ld ", wall,
			child_seconds(use->ru_utime) + child_seconds(use->ru_stime),
			use->ru_maxrss);
	if (WIFSIGNALED(status))
		fprintf(f, "signal %d\n", WTERMSIG(status));
	else
		fprintf(f, "%d\n", WEXITSTATUS(status));
	if (fclose(f) != 0)
		die("%s: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
	struct limits limits = { .seconds = 60 };
	struct rusage use;
	double start;
	bool parts = false;
	int c, status;
	pid_t pid;

	while ((c = getopt(argc, argv, "+o:s:t:u")) != -1) {
		if (c == 'o')
			limits.max_bytes = number_of(optarg);
		else if (c == 's')
			limits.stack_kilobytes = number_of(optarg);
		else if (c == 't')
			limits.seconds = (unsigned)number_of(optarg);
		else if (c == 'u')
			parts = true;
		else
			return 2;
	}
	if (argc - optind < 2)
		die("usage: measure [-u] [-t SECONDS] [-o MAXBYTES] [-s STACK_KILOBYTES] REPORT COMMAND [WORD]...");
	start = now();
	pid = fork();
	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (pid == 0)
		become(argv + optind + 1, &limits);
	while (wait4(pid, &status, 0, &use) < 0)
		if (errno != EINTR)
			die("wait: %s", strerror(errno));
	report(argv[optind], now() - start, &use, status, parts);
	return WIFEXITED(status) && WEXITSTATUS(status) == CHILD_CANNOT_RUN ? 2 : 0;
}

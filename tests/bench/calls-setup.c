/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls-setup FILE COMMAND...: runs a command, whose output goes nowhere, and adds a line to FILE:
 * microseconds of its user and system CPU time. Exit status: 0, or 1 if the command failed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long microseconds(struct timeval time)
{
	enum { SECOND = 1000000 };

	return (long)time.tv_sec * SECOND + (long)time.tv_usec;
}

static void become(char **command)
{
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
		_exit(1);
	execvp(command[0], command);
	_exit(1);
}

int main(int argc, char **argv)
{
	struct rusage used;
	int status;
	FILE *file;
	pid_t pid;

	if (argc < 3)
		return 1;
	pid = fork();
	if (pid == 0)
		become(argv + 2);
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid || status != 0)
		return 1;
	file = fopen(argv[1], "a");
	if (!file)
		return 1;
	fprintf(file, "%ld\n", microseconds(used.ru_utime) + microseconds(used.ru_stime));
	return fclose(file) ? 1 : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pty [-2] COMMAND...: runs COMMAND with a terminal as stdout, or as stderr (-2), and prints what
 * arrives there. Ends with COMMAND's status, or with 77 if there are no terminals to be had.
 */
#define _GNU_SOURCE
#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

const char tool_name[] = "pty";

enum { CANNOT_RUN = 127, UNAVAILABLE = 77 };

int main(int argc, char **argv)
{
	int first = argc > 1 && strcmp(argv[1], "-2") == 0 ? 2 : 1;
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave, status;
	struct termios raw;
	char bytes[4096];
	ssize_t n;
	pid_t pid;

	if (argc <= first)
		die("usage: pty [-2] COMMAND...");
	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
		return UNAVAILABLE;
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0 || tcgetattr(slave, &raw) != 0)
		return UNAVAILABLE;
	raw.c_oflag &= ~(tcflag_t)OPOST;
	tcsetattr(slave, TCSANOW, &raw);
	pid = fork();
	if (pid == 0) {
		dup2(slave, first == 2 ? STDERR_FILENO : STDOUT_FILENO);
		close(slave);
		close(master);
		execvp(argv[first], argv + first);
		_exit(CANNOT_RUN);
	}
	close(slave);
	/* EIO tells that nobody has the terminal any more. */
	while ((n = read(master, bytes, sizeof(bytes))) > 0)
		if (write(STDOUT_FILENO, bytes, (size_t)n) != n)
			die("%s", strerror(errno));
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		die("%s", strerror(errno));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

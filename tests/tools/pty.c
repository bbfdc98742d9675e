/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pty [-12] [-w COLUMNS] [-r ROWS] [-i TEXT [-k KEYS]] COMMAND...: runs COMMAND with a terminal as
 * stdout, or as stderr (-2), or both (-12), and prints what arrives there. The terminal has COLUMNS
 * and ROWS, 80 and 24 if not given. With -i it is the controlling one, and as soon as TEXT has
 * arrived, each of KEYS is typed in turn, a moment apart; without KEYS, Ctrl-C when the line that
 * has TEXT has arrived, for a terminal drops what it has not passed on by then. Ends with COMMAND's
 * status, or with 77 if there are no terminals to be had.
 */
#define _GNU_SOURCE
#include "bytes.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

const char tool_name[] = "pty";

enum { COLUMNS = 80, ROWS = 24 };

struct options {
	bool is_stdout, is_stderr;
	unsigned columns, rows;
	const char *interrupt_at; /* or NULL */
	const char *keys;         /* that are typed then; NULL: Ctrl-C */
	char **command;
};

static struct options parse(int argc, char **argv)
{
	struct options opt = { .columns = COLUMNS, .rows = ROWS };
	int c;

	while ((c = getopt(argc, argv, "+12w:r:i:k:")) != -1) {
		switch (c) {
		case '1':
			opt.is_stdout = true;
			break;
		case '2':
			opt.is_stderr = true;
			break;
		case 'w':
			opt.columns = (unsigned)number_of(optarg);
			break;
		case 'r':
			opt.rows = (unsigned)number_of(optarg);
			break;
		case 'i':
			opt.interrupt_at = optarg;
			break;
		case 'k':
			opt.keys = optarg;
			break;
		default:
			optind = argc;
		}
	}
	if (optind >= argc)
		die("usage: pty [-12] [-w COLUMNS] [-r ROWS] [-i TEXT [-k KEYS]] COMMAND...");
	opt.is_stdout = opt.is_stdout || !opt.is_stderr;
	opt.command = argv + optind;
	return opt;
}

/* Nothing is made of what is written. False if there are no terminals. */
static bool open_terminal(const struct options *opt, int *master, int *slave)
{
	struct winsize size = { .ws_row = (unsigned short)opt->rows,
				.ws_col = (unsigned short)opt->columns };
	struct termios raw;

	*master = posix_openpt(O_RDWR | O_NOCTTY);
	if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0)
		return false;
	*slave = open(ptsname(*master), O_RDWR | O_NOCTTY);
	if (*slave < 0 || tcgetattr(*slave, &raw) != 0)
		return false;
	raw.c_oflag &= ~(tcflag_t)OPOST;
	return tcsetattr(*slave, TCSANOW, &raw) == 0 && ioctl(*slave, TIOCSWINSZ, &size) == 0;
}

static pid_t start(const struct options *opt, int master, int slave)
{
	pid_t pid = fork();

	if (pid < 0)
		die("%s", strerror(errno));
	if (pid > 0)
		return pid;
	if (opt->interrupt_at && (setsid() < 0 || ioctl(slave, TIOCSCTTY, 0) != 0))
		_exit(CHILD_UNAVAILABLE);
	if (opt->is_stdout)
		dup2(slave, STDOUT_FILENO);
	if (opt->is_stderr)
		dup2(slave, STDERR_FILENO);
	close(slave);
	close(master);
	execvp(opt->command[0], opt->command);
	_exit(CHILD_CANNOT_RUN);
}

/* What takes a moment is not typed ahead, for a program that looks for input in between. */
static void type(const char *keys, int master)
{
	const struct timespec moment = { .tv_nsec = 200000000 };

	for (const char *key = keys; *key; key++) {
		if (key > keys)
			nanosleep(&moment, NULL);
		if (write(master, key, 1) != 1)
			die("%s", strerror(errno));
	}
}

/* Whether what has arrived is what the keys are for. A line ends in a newline, or in a carriage
 * return by which a shown one begins anew. */
static bool has_arrived(const struct options *opt, const struct bytes *all)
{
	const unsigned char *end = all->data + all->n;
	const unsigned char *text =
		memmem(all->data, all->n, opt->interrupt_at, strlen(opt->interrupt_at));

	while (text && !opt->keys && text < end && *text != '\n' && *text != '\r')
		text++;
	return text && text < end;
}

/* EIO tells that nobody has the terminal any more. */
static void pass_on(const struct options *opt, int master)
{
	struct bytes all = { .n = 0 };
	const char *text = opt->interrupt_at;
	char part[4096];
	ssize_t n;

	while ((n = read(master, part, sizeof(part))) > 0) {
		if (write(STDOUT_FILENO, part, (size_t)n) != n)
			die("%s", strerror(errno));
		if (!text)
			continue;
		bytes_add(&all, part, (size_t)n);
		if (has_arrived(opt, &all)) {
			text = NULL;
			type(opt->keys ? opt->keys : "\003", master);
		}
	}
	bytes_free(&all);
}

int main(int argc, char **argv)
{
	struct options opt = parse(argc, argv);
	int master, slave, status;
	pid_t pid;

	if (!open_terminal(&opt, &master, &slave))
		return CHILD_UNAVAILABLE;
	pid = start(&opt, master, slave);
	close(slave);
	pass_on(&opt, master);
	if (waitpid(pid, &status, 0) < 0)
		die("%s", strerror(errno));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

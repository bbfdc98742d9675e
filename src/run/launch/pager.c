/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pager is a child of gprof, in the same process group, so that it can read keys from the
 * terminal. It is forked before gprof reads anything, and waits for a byte, which tells it to
 * become the pager, or for the end of gprof.
 */
#include "config.h"

#include "run/launch/pager.h"

#include "base/window.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 32, TAB = 8, WIDE = 0xe2, CANNOT_RUN = 126 };

static const char *pager_command(void)
{
	const char *command = getenv("GPROF_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	return command[strspn(command, " ")] && strcmp(command, "cat") != 0 ? command : NULL;
}

bool pager_is_possible(const struct output *out)
{
	const char *term = getenv("TERM");

	return out->terminal && tcgetpgrp(out->fd) == getpgrp() && term && term[0] &&
	       strcmp(term, "dumb") != 0 && pager_command();
}

/* Returns the end of the escape sequence at s. */
static const char *pager_skip_style(const char *s, const char *end)
{
	while (s < end && *s != 'm')
		s++;
	return s;
}

/* Returns how many lines text takes on the screen; possibly too many, if it has wide characters. */
static uint32_t pager_lines(const char *s, size_t n, uint32_t columns)
{
	const char *end = s + n;
	uint32_t lines = 0, used = 0;

	for (; s < end; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '\033') {
			s = pager_skip_style(s, end);
			continue;
		}
		if (c == '\n') {
			lines += 1 + (used > 0 ? (used - 1) / columns : 0);
			used = 0;
		} else if ((c & 0xc0) != 0x80) {
			used += c == '\t' ? TAB : c >= WIDE ? 2 : 1;
		}
	}
	return lines + (used > 0);
}

/* Returns the environment, with options for less and lv unless the user has set some. */
static char **pager_environment(struct arena *mem)
{
	static const char less[] = "LESS=FRX", lv[] = "LV=-c";
	size_t n = 0;
	char **made;

	while (environ[n])
		n++;
	made = arena_array(mem, char *, n + 3);
	memcpy(made, environ, n * sizeof(*made));
	if (!getenv("LESS"))
		made[n++] = arena_strndup(mem, less, strlen(less));
	if (!getenv("LV"))
		made[n++] = arena_strndup(mem, lv, strlen(lv));
	return made;
}

/*
 * Splits a command into words; if only a shell understands the command, makes the words of a shell
 * that runs it.
 */
static void pager_words(const char *command, char *words[MOST_WORDS + 1], struct arena *mem)
{
	static const char shell[] = "/bin/sh", option[] = "-c";
	char *copy = arena_strndup(mem, command, strlen(command)), *rest;
	size_t n = 0;

	for (char *word = strtok_r(copy, " \t", &rest); word && n < MOST_WORDS;
	     word = strtok_r(NULL, " \t", &rest))
		words[n++] = word;
	if (n == MOST_WORDS || strpbrk(command, "|&;<>()$`\\\"'*?[#~=%\n")) {
		words[0] = arena_strndup(mem, shell, strlen(shell));
		words[1] = arena_strndup(mem, option, strlen(option));
		words[2] = arena_strndup(mem, command, strlen(command));
		n = 3;
	}
	words[n] = NULL;
}

static void pager_hold(void *to, const char *line)
{
	struct pager *p = to;
	size_t n = strlen(line);

	if (n + 1 > sizeof(p->held) - p->nheld) {
		p->sink(p->to, line);
		return;
	}
	memcpy(p->held + p->nheld, line, n);
	p->held[p->nheld + n] = '\n';
	p->nheld += n + 1;
}

/* Signals for the pager, which must not end gprof in the middle of a report. */
static const int pager_signals[] = { SIGINT, SIGQUIT, SIGPIPE };

enum { NSIGNALS = sizeof(pager_signals) / sizeof(pager_signals[0]) };

/* The ends of a pipe. */
struct pager_pipe {
	int from, to;
};

static bool pager_make_pipe(struct pager_pipe *made)
{
	int ends[2];
	bool good = pipe2(ends, O_CLOEXEC) == 0;

	*made = (struct pager_pipe){ good ? ends[0] : -1, good ? ends[1] : -1 };
	return good;
}

static void pager_close_pipe(const struct pager_pipe *pipe)
{
	if (pipe->from >= 0)
		close(pipe->from);
	if (pipe->to >= 0)
		close(pipe->to);
}

/* The child: waits until it is to become the pager. */
__attribute__((noreturn)) static void pager_wait(const struct pager_pipe *begin,
						 const struct pager_pipe *input,
						 const struct pager_pipe *failed, char **words,
						 char **environment)
{
	char byte;
	ssize_t n;
	int error;

	close(begin->to);
	close(input->to);
	close(failed->from);
	do
		n = read(begin->from, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(0);
	if (dup2(input->from, STDIN_FILENO) >= 0)
		execvpe(words[0], words, environment);
	error = errno;
	_exit(write(failed->to, &error, sizeof(error)) < 0 ? CANNOT_RUN : CANNOT_RUN + 1);
}

/* Forks the process that can become the pager. If it cannot, there is none. */
static void pager_fork(struct pager *p)
{
	char *words[MOST_WORDS + 1];
	char **environment = pager_environment(p->mem);
	struct pager_pipe begin, input, failed;
	bool good = pager_make_pipe(&begin);

	good = pager_make_pipe(&input) && good;
	good = pager_make_pipe(&failed) && good;
	pager_words(pager_command(), words, p->mem);
	p->process = good ? fork() : -1;
	if (p->process == 0)
		pager_wait(&begin, &input, &failed, words, environment);
	if (p->process < 0) {
		pager_close_pipe(&begin);
		pager_close_pipe(&input);
		pager_close_pipe(&failed);
		p->process = 0;
		return;
	}
	close(begin.from);
	close(input.from);
	close(failed.to);
	p->begin = begin.to;
	p->input = input.to;
	p->failed = failed.from;
}

/* Lets the process go without becoming the pager. */
static void pager_dismiss(struct pager *p)
{
	close(p->begin);
	close(p->input);
	close(p->failed);
	while (waitpid(p->process, NULL, 0) < 0 && errno == EINTR)
		;
	p->process = 0;
}

/* Makes the process become the pager. Returns the end of the pipe to write to, or -1. */
static int pager_start(struct pager *p)
{
	int error = 0;
	ssize_t n;

	n = write(p->begin, "", 1) == 1 ? read(p->failed, &error, sizeof(error)) : -1;
	if (n != 0) {
		pager_dismiss(p);
		return -1;
	}
	close(p->begin);
	close(p->failed);
	p->runs = true;
	return p->input;
}

/* Starts the pager as pager_start() does; from then on gprof ignores pager_signals. */
static int pager_run(struct pager *p)
{
	void (*before[NSIGNALS])(int);
	int fd;

	for (int i = 0; i < NSIGNALS; i++)
		before[i] = signal(pager_signals[i], SIG_IGN);
	fd = pager_start(p);
	for (int i = 0; fd < 0 && i < NSIGNALS; i++)
		signal(pager_signals[i], before[i]);
	return fd;
}

static void pager_open(void *pager, struct output *out, bool is_all)
{
	struct pager *p = pager;
	struct window_size window = window_size(out);
	int fd;

	if (!p->process ||
	    (is_all && pager_lines(out->buffer, out->n, window.columns) < window.lines))
		return;
	fd = pager_run(p);
	if (fd < 0)
		return;
	out->fd = fd;
	out->may_leave = true;
	p->sink = p->diag->sink;
	p->to = p->diag->to;
	p->diag->sink = pager_hold;
	p->diag->to = p;
}

void pager_begin(struct pager *p, struct output *out, struct arena *mem, struct diag *diag)
{
	*p = (struct pager){ .out = out, .mem = mem, .diag = diag };
	pager_fork(p);
	out->first = pager_open;
	out->first_arg = p;
}

void pager_end(struct pager *p)
{
	int ending;
	pid_t ended;

	if (p->process && !p->runs)
		pager_dismiss(p);
	if (!p->process)
		return;
	close(p->out->fd);
	do
		ended = waitpid(p->process, &ending, 0);
	while (ended < 0 && errno == EINTR);
	p->diag->sink = p->sink;
	p->diag->to = p->to;
	for (size_t at = 0; at < p->nheld;) {
		char *line = p->held + at, *end = memchr(line, '\n', p->nheld - at);

		*end = '\0';
		p->sink(p->to, line);
		at = (size_t)(end + 1 - p->held);
	}
	/* With such a status shells end if they cannot run a command. */
	if (ended > 0 && WIFEXITED(ending) && WEXITSTATUS(ending) >= CANNOT_RUN)
		diag_warn(p->diag, "the pager '%.200s' ended with status %d; see --no-pager",
			  pager_command(), WEXITSTATUS(ending));
}

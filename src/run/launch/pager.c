/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pager is a child of gprof, in the same process group, so that it can read keys from the
 * terminal.
 */
#include "config.h"

#include "run/launch/pager.h"

#include "base/window.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
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

/*
 * Starts the pager, with the default actions of the signals in `usual`. Returns the end of the pipe
 * to write to, or -1.
 */
static int pager_spawn(struct pager *p, const sigset_t *usual)
{
	char *words[MOST_WORDS + 1];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pager_words(pager_command(), words, p->mem);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigdefault(&attributes, usual);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	error = posix_spawnp(&p->process, words[0], &actions, &attributes, words,
			     pager_environment(p->mem));
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	close(ends[0]);
	if (!error)
		return ends[1];
	close(ends[1]);
	p->process = 0;
	return -1;
}

/* Starts the pager as pager_spawn() does; from then on gprof ignores pager_signals. */
static int pager_run(struct pager *p)
{
	void (*before[NSIGNALS])(int);
	sigset_t usual;
	int fd;

	sigemptyset(&usual);
	sigaddset(&usual, SIGXFSZ);
	for (int i = 0; i < NSIGNALS; i++) {
		before[i] = signal(pager_signals[i], SIG_IGN);
		if (before[i] != SIG_IGN)
			sigaddset(&usual, pager_signals[i]);
	}
	fd = pager_spawn(p, &usual);
	for (int i = 0; fd < 0 && i < NSIGNALS; i++)
		signal(pager_signals[i], before[i]);
	return fd;
}

static void pager_open(void *pager, struct output *out, bool is_all)
{
	struct pager *p = pager;
	struct window_size window = window_size(out);
	int fd;

	if (is_all && pager_lines(out->buffer, out->n, window.columns) < window.lines)
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
	out->first = pager_open;
	out->first_arg = p;
}

void pager_end(struct pager *p)
{
	int ending;
	pid_t ended;

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

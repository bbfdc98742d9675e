/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each line of progress overwrites the last by a carriage return, the only control character that
 * is used.
 */
#include "config.h"

#include "base/progress.h"

#include "base/path.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FIRST_MS = 1000, SECOND_MS = 1000, LINE_BYTES = 200, USUAL_COLUMNS = 80, MOST_TRIES = 200 };

static struct timespec progress_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t;
}

static int64_t progress_ms_since(const struct timespec *then)
{
	struct timespec t = progress_clock();

	return (int64_t)(t.tv_sec - then->tv_sec) * SECOND_MS +
	       (t.tv_nsec - then->tv_nsec) / 1000000;
}

struct progress *progress_make(const char *program)
{
	struct progress *p;

	if (!isatty(STDERR_FILENO))
		return NULL;
	p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	snprintf(p->program, sizeof(p->program), "%s", path_base(program));
	for (char *c = p->program; *c; c++)
		*c = *c >= ' ' && *c <= '~' ? *c : '?';
	atomic_flag_clear(&p->busy);
	p->begin = progress_clock();
	return p;
}

/* For a moment the other process may see the new step without its total. */
static void progress_begin(struct progress *p, const char *what, const char *things, size_t total)
{
	if (!p)
		return;
	p->total = 0;
	p->done = 0;
	p->things = things;
	p->what = what;
	p->total = total;
}

void progress_step(struct progress *p, const char *what, size_t total)
{
	progress_begin(p, what, NULL, total);
}

void progress_count(struct progress *p, const char *verb, const char *things, size_t total)
{
	progress_begin(p, verb, things, total);
}

/*
 * Tries to become the one that writes to the terminal. The other process may hold the lock for the
 * time of a write, or be stopped, or the terminal may be; then the caller writes nevertheless, as
 * its text matters more than how it looks.
 */
static bool progress_lock(struct progress *p, unsigned tries)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	while (atomic_flag_test_and_set(&p->busy)) {
		if (tries-- == 0)
			return false;
		nanosleep(&moment, NULL);
	}
	return true;
}

/* The terminal may have echoed "^C" after the line, which is erased, too. */
enum { ECHO_WIDTH = 2 };

/* Writes bytes; errors are ignored, as nothing depends on them. */
static void progress_put(const char *bytes, size_t n)
{
	if (write(STDERR_FILENO, bytes, n) < 0)
		return;
}

void progress_erase(struct progress *p)
{
	char blanks[1 + LINE_BYTES + ECHO_WIDTH + 1];

	if (!p || p->width == 0)
		return;
	memset(blanks, ' ', sizeof(blanks));
	blanks[0] = blanks[1 + p->width + ECHO_WIDTH] = '\r';
	progress_put(blanks, 1 + p->width + ECHO_WIDTH + 1);
	p->width = 0;
}

void progress_pause(struct progress *p)
{
	if (!p)
		return;
	progress_lock(p, MOST_TRIES);
	progress_erase(p);
}

void progress_resume(struct progress *p)
{
	if (p)
		atomic_flag_clear(&p->busy);
}

void progress_end(struct progress *p)
{
	if (!p || p->over)
		return;
	progress_pause(p);
	p->over = true;
	progress_resume(p);
}

/*
 * Whether the process is in the foreground: in the background it must not write. If the terminal
 * does not say, it is not in the foreground.
 */
static bool progress_is_in_front(void)
{
	pid_t front = tcgetpgrp(STDERR_FILENO);

	return front < 0 || front == getpgrp();
}

static size_t progress_columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return USUAL_COLUMNS;
	return size.ws_col;
}

/* Writes the line into `line` and returns its length. */
static size_t progress_compose(struct progress *p, const char *what, char line[LINE_BYTES])
{
	const char *things = p->things;
	size_t done = p->done, total = p->total, most = progress_columns();
	int n, seconds;

	if (done > total)
		done = total;
	if (things)
		n = snprintf(line, LINE_BYTES, "%s: %s %zu of %zu %s", p->program, what, done,
			     total, things);
	else if (total > 0)
		n = snprintf(line, LINE_BYTES, "%s: %s: %.0f %%", p->program, what,
			     100.0 * (double)done / (double)total);
	else if ((seconds = (int)(progress_ms_since(&p->step) / SECOND_MS)) > 0)
		n = snprintf(line, LINE_BYTES, "%s: %s (%d s)", p->program, what, seconds);
	else
		n = snprintf(line, LINE_BYTES, "%s: %s", p->program, what);
	if (n >= LINE_BYTES)
		n = LINE_BYTES - 1;
	most = most > ECHO_WIDTH ? most - ECHO_WIDTH - 1 : 0;
	return (size_t)n < most ? (size_t)n : most;
}

void progress_show(struct progress *p)
{
	char line[LINE_BYTES], bytes[2 * LINE_BYTES];
	const char *what = p->what;
	size_t n, rest;

	if (what != p->shown)
		p->step = progress_clock();
	p->shown = what;
	if (!what || progress_ms_since(&p->begin) < FIRST_MS || !progress_is_in_front())
		return;
	n = progress_compose(p, what, line);
	if (!progress_lock(p, 0))
		return;
	if (!p->over) {
		rest = p->width > n ? p->width - n : 0;
		bytes[0] = '\r';
		memcpy(bytes + 1, line, n);
		memset(bytes + 1 + n, ' ', rest);
		progress_put(bytes, 1 + n + rest);
		p->width = n;
	}
	progress_resume(p);
}

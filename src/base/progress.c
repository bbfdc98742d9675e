/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line is written over; terminals need to know no more than the carriage return. */
#include "config.h"

#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_SECONDS = 1, STEP_NANOSECONDS = 100000000, SECOND = 1000000000 };

static struct timespec now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t;
}

struct progress progress_begin(const char *program)
{
	const char *slash = strrchr(program, '/');
	struct progress p = { .program = slash ? slash + 1 : program, .next = now() };

	p.next.tv_sec += FIRST_SECONDS;
	return p;
}

void progress_show(struct progress *p, size_t done, size_t total)
{
	struct timespec t;
	int n;

	if (p->off)
		return;
	t = now();
	if (t.tv_sec < p->next.tv_sec ||
	    (t.tv_sec == p->next.tv_sec && t.tv_nsec < p->next.tv_nsec))
		return;
	p->off = !isatty(STDERR_FILENO);
	if (p->off)
		return;
	n = fprintf(stderr, "\r%.80s: read %zu of %zu profiles", p->program, done, total);
	fflush(stderr);
	p->width = n > 1 ? (size_t)n - 1 : 0;
	p->next = t;
	p->next.tv_nsec += STEP_NANOSECONDS;
	if (p->next.tv_nsec >= SECOND) {
		p->next.tv_sec++;
		p->next.tv_nsec -= SECOND;
	}
}

void progress_erase(struct progress *p)
{
	if (p->width == 0)
		return;
	fprintf(stderr, "\r%*s\r", (int)p->width, "");
	fflush(stderr);
	p->width = 0;
}

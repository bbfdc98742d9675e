/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats messages. */
#include "config.h"

#include "base/diag.h"

#include "base/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 2200 };

static void diag_write_line(void *to, const char *line)
{
	(void)to;
	fprintf(stderr, "%s\n", line);
}

struct diag diag_to_stderr(const char *program)
{
	return (struct diag){ .program = program, .sink = diag_write_line };
}

static void diag_ignore_line(void *to, const char *line)
{
	(void)to;
	(void)line;
}

struct diag diag_silent(struct progress *progress)
{
	return (struct diag){ .program = "", .sink = diag_ignore_line, .progress = progress };
}

static void diag_deliver(struct diag *diag, const char *kind, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

static void diag_deliver(struct diag *diag, const char *kind, const char *format, va_list args)
{
	char line[LINE_BYTES];
	int saved_errno = errno;
	int n = snprintf(line, sizeof(line), "%.80s: %s", diag->program, kind);

	if (n >= 0 && n < LINE_BYTES)
		vsnprintf(line + n, sizeof(line) - (size_t)n, format, args);
	terminal_tame(line);
	progress_pause(diag->progress);
	diag->sink(diag->to, line);
	progress_resume(diag->progress);
	errno = saved_errno;
}

void diag_error(struct diag *diag, const char *format, ...)
{
	va_list args;

	diag->nerrors++;
	va_start(args, format);
	diag_deliver(diag, "", format, args);
	va_end(args);
}

void diag_warn(struct diag *diag, const char *format, ...)
{
	va_list args;

	diag->nwarnings++;
	va_start(args, format);
	diag_deliver(diag, "warning: ", format, args);
	va_end(args);
}

void diag_note(struct diag *diag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diag_deliver(diag, "note: ", format, args);
	va_end(args);
}

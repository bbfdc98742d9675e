/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user hears of the work: errors and warnings, one line each, counted; and how far it is.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/progress.h"

/*
 * sink receives each message as one line without newline: "PROGRAM: text", "PROGRAM:
 * warning: text" or "PROGRAM: note: text". The line is valid during the call only.
 */
struct diag {
	const char *program;
	void (*sink)(void *to, const char *line);
	void *to;
	struct progress *progress; /* gives way to each message; mostly NULL */
	unsigned nerrors, nwarnings;
};

/* Messages to stderr under the given program name, which must outlive the result. */
struct diag diag_to_stderr(const char *program);

/* Messages to nowhere; they are counted, and progress, which may be NULL, goes on. */
struct diag diag_silent(struct progress *progress);

/*
 * Formats and delivers one message. Control characters, as hostile file names hold them, come
 * out as '?'; text beyond 2,000 bytes is cut. None changes errno.
 */
void diag_error(struct diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_note(struct diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_warn(struct diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

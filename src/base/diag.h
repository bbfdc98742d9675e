/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages for the user: errors, warnings and notes, one line each, which are counted; and the line
 * of progress.
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
	struct progress *progress; /* is interrupted for each message; mostly NULL */
	unsigned nerrors, nwarnings;
};

/*
 * Returns a diag that writes messages to stderr after the given program name, which must outlive
 * it.
 */
struct diag diag_to_stderr(const char *program);

/*
 * Returns a diag that drops messages but counts them; the line of progress, which may be NULL, goes
 * on.
 */
struct diag diag_silent(struct progress *progress);

/*
 * Formats a message and passes it to the sink. Control characters, which names of files may
 * contain, become '?'; text after 2,000 bytes is cut off. errno stays the same.
 */
void diag_error(struct diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_note(struct diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_warn(struct diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A buffered writer that remembers errors: callers check only output_close(). */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/diag.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OUTPUT_BUFFER = 64 * 1024 };

/*
 * After the first failed write, which is reported to `diag` once, all further text is dropped; so
 * it is when the reader has closed the pipe and may do so.
 */
struct output {
	int fd;
	const char *name;
	struct diag *diag;
	bool failed;
	bool left; /* the reader closed the pipe, which is no failure */
	/* Set by the owner: */
	bool terminal;             /* control characters of foreign bytes are escaped */
	bool styled;               /* styles are written as escape sequences */
	struct progress *progress; /* the line of progress, which is erased before text is written;
				      or NULL */
	/*
	 * Called once before the first write, unless NULL; may set fd. `is_all`: all text is in the
	 * buffer and no more will come.
	 */
	void (*first)(void *arg, struct output *out, bool is_all);
	void *first_arg;
	bool may_leave; /* a reader that closes the pipe is no failure */
	uint64_t total; /* bytes written or buffered so far, without styles */
	size_t n, size; /* of the buffer, which is `own` or memory of the caller */
	char *buffer;
	char own[OUTPUT_BUFFER];
};

/*
 * Makes writers of files, one at a time. open() creates the file `name` for `what`, with all of the
 * permissions `rights`, and returns its writer, or NULL after saying why not. close() ends that
 * writer and returns 0, or -1 if any write failed.
 */
struct output_set {
	struct output *(*open)(struct output_set *set, const char *name, const char *what,
			       unsigned rights);
	int (*close)(struct output_set *set);
};

/*
 * Starts a writer on fd, which the caller closes. name is for messages. fd and name must outlive
 * out, which must not be moved.
 */
void output_open(struct output *out, int fd, const char *name, struct diag *diag);

/*
 * Starts a writer to memory, for text that will be appended to `like`, with the same styles. `size`
 * is at least OUTPUT_BUFFER. If the text does not fit, full(arg) is called, which must not return.
 */
void output_open_memory(struct output *out, char *buffer, size_t size, const struct output *like,
			void (*full)(void *arg, struct output *out, bool is_all), void *arg);

/* Writes the content of `text`, a writer to memory, without copying it. */
void output_append(struct output *out, const struct output *text);

/* Styles of text, shown by colours and the like. */
enum output_style {
	STYLE_PLAIN,
	STYLE_TITLE,
	STYLE_COLUMNS, /* headings of columns */
	STYLE_ENTRY,   /* the main line of an entry */
	STYLE_HOT,     /* a function with a large share of all time */
	STYLE_WARM,    /* a function with a medium share of all time */
	STYLE_CYCLE,
};

/*
 * Begins a style, which lasts until the next one begins; each line must end in STYLE_PLAIN. Writes
 * only escape sequences, and nothing if the output has no styles.
 */
void output_begin_style(struct output *out, enum output_style style);

static inline void output_style(struct output *out, enum output_style style)
{
	if (out->styled)
		output_begin_style(out, style);
}

void output_text(struct output *out, const char *text);
void output_bytes(struct output *out, const char *bytes, size_t n);
void output_blanks(struct output *out, size_t n);

/*
 * Write a name or a line of text from a file: on a terminal, control characters in it are written
 * as \ooo, in octal; newlines and tabs of text stay. Return the number of bytes written.
 */
size_t output_name(struct output *out, const char *bytes, size_t n);
void output_foreign_text(struct output *out, const char *bytes, size_t n);

/* Writes one character. */
static inline void output_char(struct output *out, char c)
{
	if (out->size - out->n > 1) {
		out->buffer[out->n++] = c;
		out->total++;
	} else {
		output_bytes(out, &c, 1);
	}
}

/*
 * Returns a place for the next n bytes, at most OUTPUT_BUFFER. The caller writes there and passes
 * the end to output_took(); nothing else may be written in between.
 */
char *output_room(struct output *out, size_t n);

static inline void output_took(struct output *out, const char *end)
{
	size_t n = (size_t)(end - out->buffer) - out->n;

	out->n += n;
	out->total += n;
}

/* Stores a number in nbytes bytes at `to`, in the byte order of a file. */
static inline void output_store(char *to, uint64_t n, unsigned nbytes, bool big_endian)
{
	for (unsigned i = 0; i < nbytes; i++)
		to[big_endian ? nbytes - 1 - i : i] = (char)(n >> 8 * i);
}

/* Writes a number as output_store() stores it. */
static inline void output_binary(struct output *out, uint64_t n, unsigned nbytes, bool big_endian)
{
	char *to = output_room(out, nbytes);

	output_store(to, n, nbytes, big_endian);
	output_took(out, to + nbytes);
}

/*
 * Writes n like printf's "%*": aligned to the right in width columns or, if width is negative, to
 * the left.
 */
void output_uint(struct output *out, uint64_t n, int width);

/* Writes a number with 1 or 2 decimals, aligned to the right in width columns. */
void output_fixed(struct output *out, double x, int width, unsigned decimals);

/* Writes formatted text of less than 1,000 bytes (so no unbounded %s); returns its length. */
size_t output_format(struct output *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
size_t output_format_list(struct output *out, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/*
 * Tells the output that all text was written, except by other writers: calls first() if that was
 * not called yet, and writes what is buffered.
 */
void output_complete(struct output *out);

/* Writes what is buffered. Returns 0, or -1 if any write failed. */
int output_close(struct output *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A buffered writer with a sticky error: writers never check, the closer does. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/diag.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OUTPUT_BUFFER = 64 * 1024 };

/* After the first failed write, of which `diag` hears once, everything is dropped; also when a
 * reader has left that may. */
struct output {
	int fd;
	const char *name;
	struct diag *diag;
	bool failed;
	bool left; /* the reader has */
	/* Set by the owner: */
	bool terminal;             /* foreign bytes are escaped */
	bool styled;               /* there are styles */
	struct progress *progress; /* ends when text is written, or NULL */
	/* NULL, or called once before the first write; `is_all`: there will be no other. It may set
	 * fd. */
	void (*first)(void *arg, struct output *out, bool is_all);
	void *first_arg;
	bool may_leave; /* a reader that has enough is no failure */
	uint64_t total; /* bytes accepted so far, styles aside */
	size_t n, size; /* of the buffer: `own`, or memory that was given */
	char *buffer;
	char own[OUTPUT_BUFFER];
};

/*
 * Gives out writers to files, one at a time. open() makes the file of that name, for `what`, with
 * permissions that are all in `rights`, and returns its writer, or NULL with the reason said;
 * close() ends it, 0, or -1 if any write failed.
 */
struct output_set {
	struct output *(*open)(struct output_set *set, const char *name, const char *what,
			       unsigned rights);
	int (*close)(struct output_set *set);
};

/* A writer on fd, which stays the caller's; name is for messages. Both must outlive out. It stays
 * where it is. */
void output_open(struct output *out, int fd, const char *name, struct diag *diag);

/*
 * A writer to memory, for text that becomes part of what `like` writes, with its styles. `size` is
 * at least OUTPUT_BUFFER. Where the text does not fit, full(arg) is called, which must not return.
 */
void output_open_memory(struct output *out, char *buffer, size_t size, const struct output *like,
			void (*full)(void *arg, struct output *out, bool is_all), void *arg);

/* Writes what is in `text`, a writer to memory, without a copy. */
void output_append(struct output *out, const struct output *text);

/* What text stands out as, by colours and the like. */
enum output_style {
	STYLE_PLAIN,
	STYLE_TITLE,
	STYLE_COLUMNS, /* their headings */
	STYLE_ENTRY,   /* the line that others belong to */
	STYLE_HOT,     /* a large share of all time */
	STYLE_WARM,    /* not so large a one */
	STYLE_CYCLE,
};

/*
 * Begins a style, which lasts until the next one begins; a line is to end in the plain one. Only
 * escape sequences are added: without them all is as it is where there are no styles.
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
 * Writes a name that a file holds, or a line of text: on a terminal, control characters in it come
 * out as \ooo, in octal, but for newlines and tabs of text. Returns how many bytes that makes.
 */
size_t output_name(struct output *out, const char *bytes, size_t n);
void output_foreign_text(struct output *out, const char *bytes, size_t n);

/* One character. */
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
 * Where the next n bytes, at most OUTPUT_BUFFER, may be put; took() says up to where they were.
 * Nothing else may be written in between.
 */
char *output_room(struct output *out, size_t n);

static inline void output_took(struct output *out, const char *end)
{
	size_t n = (size_t)(end - out->buffer) - out->n;

	out->n += n;
	out->total += n;
}

/* As printf's "%*" does it: right-aligned in width columns, or left-aligned if it is negative. */
void output_uint(struct output *out, uint64_t n, int width);

/* A number with 1 or 2 decimals, right-aligned. */
void output_fixed(struct output *out, double x, int width, unsigned decimals);

/* Formats a piece shorter than 1,000 bytes (so no unbounded %s); returns its length. */
size_t output_format(struct output *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
size_t output_format_list(struct output *out, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Everything but other outputs' is there: if first() has still to be called, it is, and what is
 * buffered is written. */
void output_complete(struct output *out);

/* Writes what is buffered. 0, or -1 if any write ever failed. */
int output_close(struct output *out);

#endif

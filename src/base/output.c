/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffered writing to a file descriptor. */
#include "config.h"

#include "base/output.h"

#include "base/number.h"
#include "base/terminal.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_BYTES = 1000, FEW_BLANKS = 48 };

void output_open(struct output *out, int fd, const char *name, struct diag *diag)
{
	out->fd = fd;
	out->name = name;
	out->diag = diag;
	out->failed = false;
	out->left = false;
	out->first = NULL;
	out->first_arg = NULL;
	out->may_leave = false;
	out->terminal = false;
	out->styled = false;
	out->progress = NULL;
	out->total = 0;
	out->n = 0;
	out->size = sizeof(out->own);
	out->buffer = out->own;
}

void output_open_memory(struct output *out, char *buffer, size_t size, const struct output *like,
			void (*full)(void *arg, struct output *out, bool is_all), void *arg)
{
	output_open(out, -1, NULL, NULL);
	out->terminal = like->terminal;
	out->styled = like->styled;
	out->first = full;
	out->first_arg = arg;
	out->size = size;
	out->buffer = buffer;
}

static void output_call_first(struct output *out, bool is_all)
{
	void (*first)(void *arg, struct output *out, bool is_all) = out->first;

	out->first = NULL;
	if (first)
		first(out->first_arg, out, is_all);
}

static void output_write_bytes(struct output *out, const char *bytes, size_t size)
{
	size_t done = 0;

	while (done < size && !out->failed && !out->left) {
		ssize_t n = write(out->fd, bytes + done, size - done);

		if (n >= 0) {
			done += (size_t)n;
		} else if (errno == EPIPE && out->may_leave) {
			out->left = true;
		} else if (errno != EINTR) {
			diag_error(out->diag, "%s: write failed: %s", out->name, strerror(errno));
			out->failed = true;
		}
	}
}

static void output_write(struct output *out, bool is_all)
{
	if (out->n > 0) {
		progress_end(out->progress);
		output_call_first(out, is_all);
	}
	output_write_bytes(out, out->buffer, out->n);
	out->n = 0;
}

static void output_flush(struct output *out)
{
	output_write(out, false);
}

void output_append(struct output *out, const struct output *text)
{
	if (text->n < out->size - out->n) {
		memcpy(out->buffer + out->n, text->buffer, text->n);
		out->n += text->n;
	} else {
		output_flush(out);
		progress_end(out->progress);
		output_call_first(out, false);
		output_write_bytes(out, text->buffer, text->n);
	}
	out->total += text->total;
}

void output_bytes(struct output *out, const char *bytes, size_t n)
{
	out->total += n;
	while (n > 0) {
		size_t room = out->size - out->n;
		size_t part = n < room ? n : room;

		memcpy(out->buffer + out->n, bytes, part);
		out->n += part;
		bytes += part;
		n -= part;
		if (out->n == out->size)
			output_flush(out);
	}
}

/* Uses colours that are legible on dark and light backgrounds, whatever the terminal's palette. */
void output_begin_style(struct output *out, enum output_style style)
{
	static const char *const sequences[] = {
		[STYLE_PLAIN] = "\033[0m",      [STYLE_TITLE] = "\033[1m",
		[STYLE_COLUMNS] = "\033[4m",    [STYLE_ENTRY] = "\033[0;1m",
		[STYLE_HOT] = "\033[0;1;31m",   [STYLE_WARM] = "\033[0;31m",
		[STYLE_CYCLE] = "\033[0;1;35m",
	};
	uint64_t total = out->total;

	output_bytes(out, sequences[style], strlen(sequences[style]));
	out->total = total;
}

void output_text(struct output *out, const char *text)
{
	output_bytes(out, text, strlen(text));
}

/* Writes foreign bytes with control characters escaped, except those in `layout`. */
static size_t output_write_foreign(struct output *out, const char *bytes, size_t n,
				   const char *layout)
{
	const char *end = bytes + n;
	uint64_t before = out->total;
	char character[TERMINAL_CHARACTER];

	if (!out->terminal)
		output_bytes(out, bytes, n);
	while (out->terminal && bytes < end)
		output_bytes(out, character, terminal_put(character, &bytes, end, layout));
	return (size_t)(out->total - before);
}

size_t output_name(struct output *out, const char *bytes, size_t n)
{
	return output_write_foreign(out, bytes, n, "");
}

void output_foreign_text(struct output *out, const char *bytes, size_t n)
{
	output_write_foreign(out, bytes, n, "\n\t");
}

void output_blanks(struct output *out, size_t n)
{
	out->total += n;
	if (n <= FEW_BLANKS && out->size - out->n > FEW_BLANKS) {
		memset(out->buffer + out->n, ' ', FEW_BLANKS);
		out->n += n;
		return;
	}
	while (n > 0) {
		size_t room = out->size - out->n;
		size_t part = n < room ? n : room;

		memset(out->buffer + out->n, ' ', part);
		out->n += part;
		n -= part;
		if (out->n == out->size)
			output_flush(out);
	}
}

char *output_room(struct output *out, size_t n)
{
	if (out->size - out->n < n)
		output_flush(out);
	return out->buffer + out->n;
}

void output_uint(struct output *out, uint64_t n, int width)
{
	output_took(out, number_put(output_room(out, NUMBER_ROOM), n, width));
}

void output_fixed(struct output *out, double x, int width, unsigned decimals)
{
	output_took(out, number_put_fixed(output_room(out, NUMBER_ROOM), x, width, decimals));
}

size_t output_format_list(struct output *out, const char *format, va_list args)
{
	int n;

	if (out->size - out->n < PIECE_BYTES)
		output_flush(out);
	n = vsnprintf(out->buffer + out->n, PIECE_BYTES, format, args);
	assert(n >= 0 && n < PIECE_BYTES);
	out->n += (size_t)n;
	out->total += (size_t)n;
	return (size_t)n;
}

size_t output_format(struct output *out, const char *format, ...)
{
	va_list args;
	size_t n;

	va_start(args, format);
	n = output_format_list(out, format, args);
	va_end(args);
	return n;
}

void output_complete(struct output *out)
{
	if (out->first)
		output_write(out, true);
}

int output_close(struct output *out)
{
	output_write(out, true);
	return out->failed ? -1 : 0;
}

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
	out->n = 0;
	out->total = 0;
}

static void output_call_first(struct output *out, bool is_all)
{
	void (*first)(void *arg, struct output *out, bool is_all) = out->first;

	out->first = NULL;
	if (first)
		first(out->first_arg, out, is_all);
}

static void output_write(struct output *out, bool is_all)
{
	size_t done = 0;

	if (out->n > 0) {
		progress_end(out->progress);
		output_call_first(out, is_all);
	}
	while (done < out->n && !out->failed && !out->left) {
		ssize_t n = write(out->fd, out->buffer + done, out->n - done);

		if (n >= 0) {
			done += (size_t)n;
		} else if (errno == EPIPE && out->may_leave) {
			out->left = true;
		} else if (errno != EINTR) {
			diag_error(out->diag, "%s: write failed: %s", out->name, strerror(errno));
			out->failed = true;
		}
	}
	out->n = 0;
}

static void output_flush(struct output *out)
{
	output_write(out, false);
}

void output_bytes(struct output *out, const char *bytes, size_t n)
{
	out->total += n;
	while (n > 0) {
		size_t room = OUTPUT_BUFFER - out->n;
		size_t part = n < room ? n : room;

		memcpy(out->buffer + out->n, bytes, part);
		out->n += part;
		bytes += part;
		n -= part;
		if (out->n == OUTPUT_BUFFER)
			output_flush(out);
	}
}

/* Whatever the colours of the terminal, these are legible on light and dark ground. */
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

/* `layout` has the control characters that may pass. */
static size_t write_foreign(struct output *out, const char *bytes, size_t n, const char *layout)
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
	return write_foreign(out, bytes, n, "");
}

void output_foreign_text(struct output *out, const char *bytes, size_t n)
{
	write_foreign(out, bytes, n, "\n\t");
}

void output_blanks(struct output *out, size_t n)
{
	out->total += n;
	if (n <= FEW_BLANKS && OUTPUT_BUFFER - out->n > FEW_BLANKS) {
		memset(out->buffer + out->n, ' ', FEW_BLANKS);
		out->n += n;
		return;
	}
	while (n > 0) {
		size_t room = OUTPUT_BUFFER - out->n;
		size_t part = n < room ? n : room;

		memset(out->buffer + out->n, ' ', part);
		out->n += part;
		n -= part;
		if (out->n == OUTPUT_BUFFER)
			output_flush(out);
	}
}

char *output_room(struct output *out, size_t n)
{
	if (OUTPUT_BUFFER - out->n < n)
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

size_t output_format(struct output *out, const char *format, ...)
{
	va_list args;
	int n;

	if (OUTPUT_BUFFER - out->n < PIECE_BYTES)
		output_flush(out);
	va_start(args, format);
	n = vsnprintf(out->buffer + out->n, PIECE_BYTES, format, args);
	va_end(args);
	assert(n >= 0 && n < PIECE_BYTES);
	out->n += (size_t)n;
	out->total += (size_t)n;
	return (size_t)n;
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

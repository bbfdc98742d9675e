/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/fit.h"

#include "base/terminal.h"

enum { FIT_TAB = 8 };

static const char fit_mark[] = "...";

/* Characters as they are shown, one after the other. */
struct fit_reader {
	const char *at, *end;
	bool escapes; /* control characters */
	uint32_t column;
	char shown[TERMINAL_CHARACTER];
	size_t n; /* bytes of it, or blanks in place of a tab: then `tab` */
	bool tab;
};

/* Goes on to the next character; false at the end. */
static bool fit_next(struct fit_reader *r)
{
	const char *from = r->at;

	if (r->at == r->end)
		return false;
	r->tab = *r->at == '\t';
	if (r->tab) {
		r->n = FIT_TAB - r->column % FIT_TAB;
		r->at++;
		r->column += (uint32_t)r->n;
	} else if (r->escapes || terminal_shows(from, (size_t)(r->end - from)) > 0) {
		size_t len = terminal_shows(from, (size_t)(r->end - from));

		r->n = terminal_put(r->shown, &r->at, r->end, "");
		r->column += len > 0 ? terminal_width(from, len) : (uint32_t)r->n;
	} else {
		r->shown[0] = *r->at++;
		r->n = 1;
		r->column++;
	}
	return true;
}

static void fit_put(struct output *out, const struct fit_reader *r)
{
	if (r->tab)
		output_blanks(out, r->n);
	else
		output_bytes(out, r->shown, r->n);
}

/* How wide a text is; more than `columns` if it does not fit. */
static uint32_t fit_measure(struct fit_reader r, uint32_t columns)
{
	while (r.column <= columns && fit_next(&r))
		;
	return r.column;
}

/* Writes what of the text ends in so many columns; the reader is behind that. */
static uint32_t fit_put_start(struct output *out, struct fit_reader *r, uint32_t columns)
{
	struct fit_reader next = *r;

	while (fit_next(&next) && next.column <= columns) {
		fit_put(out, &next);
		*r = next;
	}
	return r->column;
}

void fit_line(struct output *out, const char *text, size_t n, uint32_t columns)
{
	struct fit_reader r = { .at = text, .end = text + n, .escapes = out->terminal };
	uint32_t mark = sizeof(fit_mark) - 1 < columns ? sizeof(fit_mark) - 1 : columns;

	if (fit_measure(r, columns) <= columns) {
		fit_put_start(out, &r, FIT_ALL);
		return;
	}
	output_blanks(out, columns - mark - fit_put_start(out, &r, columns - mark));
	output_bytes(out, fit_mark, mark);
}

uint32_t fit_name(struct output *out, const char *name, size_t n, uint32_t columns)
{
	struct fit_reader r = { .at = name, .end = name + n, .escapes = out->terminal };
	uint32_t mark = sizeof(fit_mark) - 1 < columns ? sizeof(fit_mark) - 1 : columns;
	uint32_t width = fit_measure(r, FIT_ALL - 1), taken;

	if (width <= columns)
		return fit_put_start(out, &r, FIT_ALL);
	taken = fit_put_start(out, &r, (columns - mark + 1) / 2) + mark;
	output_bytes(out, fit_mark, mark);
	while (width - r.column > columns - taken && fit_next(&r))
		;
	taken += width - r.column;
	while (fit_next(&r))
		fit_put(out, &r);
	return taken;
}

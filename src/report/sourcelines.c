/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source of some functions, with the time of each line and of the functions inlined there. */
#include "config.h"

#include "base/display_width.h"
#include "base/textlines.h"
#include "report/labels.h"
#include "report/timecolumns.h"
#include "report/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct explanation sourcelines_explanation = {
	"How to read the source by line\n",
	"\n"
	" % time       share of all time that is the line's own\n"
	" self         time in the line's code, functions inlined there included\n"
	" incl.        the same with all that it called: samples with the line on their\n"
	"              call stacks, each once; only from call stacks\n"
	" calls        how many calls were made from the line\n"
	" line         its number in the file\n"
	"\n"
	"A row with | is of a function that was inlined on the line above it: its time\n"
	"is part of that line's. The mark ... stands for lines without time.\n",
	"Few samples on a line say little: n samples have an error of about the root\n"
	"of n, and processors charge some instructions with the time of the one before.\n",
	NULL,
};

/* A number of columns that is no limit. */
#define SOURCELINES_ALL UINT32_MAX

enum {
	TIME_WIDTH = 7,
	CALLS_WIDTH = 6,
	LINE_WIDTH = 4,
	LEAST_SOURCE = 8,
	MOST_INLINED = 6,
	TAB = 8
};

/* The least share of all time for which a line is coloured. */
#define WARM_SHARE 0.01

struct sourcelines {
	const struct text *t;
	struct output *out;
	const struct listing *listing;
	bool measured;
	uint32_t columns; /* width of the terminal, or SOURCELINES_ALL */
	struct timecolumns_widths widths;
	struct arena *mem;
};

static void sourcelines_put(const struct sourcelines *c, const char *text, uint32_t columns)
{
	struct arena scratch = arena_scratch(c->mem);

	if (columns != SOURCELINES_ALL)
		text = display_width_cut_end(text, columns, &scratch).text;
	output_text(c->out, text);
	arena_free(&scratch);
}

/* Writes the name of a function or file. */
static void sourcelines_put_name(const struct sourcelines *c, const char *name, uint32_t columns)
{
	struct arena scratch = arena_scratch(c->mem);

	if (columns != SOURCELINES_ALL)
		name = display_width_cut_name(name, columns, &scratch).text;
	output_text(c->out, name);
	arena_free(&scratch);
}

/* Writes a source line; tabs become blanks up to the next multiple of eight columns. */
static void sourcelines_put_source(const struct sourcelines *c, const char *at, const char *end,
				   uint32_t columns)
{
	struct arena scratch = arena_scratch(c->mem);
	char *text = arena_array(&scratch, char, TAB *(size_t)(end - at) + 1), *to = text;
	size_t column = 0;

	for (; at < end; at++) {
		size_t n = *at == '\t' ? TAB - column % TAB : 1;

		memset(to, *at == '\t' ? ' ' : *at, n);
		to += n;
		column += ((unsigned char)*at & 0xc0) == 0x80 ? 0 : n;
	}
	sourcelines_put(c, text, columns);
	arena_free(&scratch);
}

static double sourcelines_total(const struct sourcelines *c)
{
	return c->t->a->costs.total > 0.0 ? c->t->a->costs.total : 1.0;
}

/* Returns the columns left for the text of a line. */
static uint32_t sourcelines_room(const struct sourcelines *c)
{
	uint32_t used = (uint32_t)timecolumns_width(&c->widths) + 2;

	if (c->columns == SOURCELINES_ALL)
		return SOURCELINES_ALL;
	return c->columns > used + LEAST_SOURCE ? c->columns - used : LEAST_SOURCE;
}

static int sourcelines_digits(uint64_t n, int least)
{
	int digits = snprintf(NULL, 0, "%" PRIu64, n);

	return digits > least ? digits : least;
}

/* Computes the widths of the number columns for a whole listing. */
static void sourcelines_measure(struct sourcelines *c)
{
	const struct listing *l = c->listing;
	double most = l->time.self > l->time.inclusive ? l->time.self : l->time.inclusive;
	int width = snprintf(NULL, 0, "%.2f", most / c->t->rate);
	uint64_t ncalls = 0;

	for (uint32_t i = 0; i < l->nlines + l->nothers; i++)
		ncalls = l->line[i].ncalls > ncalls ? l->line[i].ncalls : ncalls;
	width = width > TIME_WIDTH ? width : TIME_WIDTH;
	c->widths = (struct timecolumns_widths){
		.share = 5,
		.self = width,
		.inclusive = c->measured ? width : 0,
		.calls = ncalls == 0 ? 0 : sourcelines_digits(ncalls, CALLS_WIDTH),
		.line = sourcelines_digits(l->last, LINE_WIDTH),
	};
}

/* Writes the columns before the text; blanks for line 0. */
static void sourcelines_put_columns(const struct sourcelines *c, const struct listing_line *line)
{
	timecolumns_put(c->t, &c->widths, line, c->out);
	output_blanks(c->out, 2);
}

/* Begins the style for a line with this time. Returns whether there is one. */
static bool sourcelines_begin_style(const struct sourcelines *c, const struct listing_time *time)
{
	double share = time->self / sourcelines_total(c);

	if (!c->out->styled || share < WARM_SHARE)
		return false;
	output_style(c->out,
		     text_is_hot(time->self, sourcelines_total(c)) ? STYLE_HOT : STYLE_WARM);
	return true;
}

static void sourcelines_end_line(const struct sourcelines *c, bool styled)
{
	if (styled)
		output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
}

/* Writes a row of gprof's own text around a name from the program. */
static void sourcelines_put_row(const struct sourcelines *c, const struct listing_line *line,
				const char *before, const char *name)
{
	bool styled = sourcelines_begin_style(c, &line->time);
	uint32_t room = sourcelines_room(c), n = (uint32_t)strlen(before);

	sourcelines_put_columns(c, line);
	sourcelines_put(c, before, room);
	if (room > n)
		sourcelines_put_name(c, name, room == SOURCELINES_ALL ? room : room - n);
	sourcelines_end_line(c, styled);
}

static const char *sourcelines_name(const struct sourcelines *c, const char *name)
{
	return demangle(name, report_style(c->t->opt), c->mem);
}

/* Writes the functions inlined on a line. */
static void sourcelines_put_inlined(const struct sourcelines *c, const struct listing_line *line)
{
	struct listing_line row = { .time = { 0.0, 0.0 } };
	char text[40];

	for (uint32_t i = 0; i < line->ninlined; i++) {
		row.time = line->inlined[i].time;
		if (i + 1 < MOST_INLINED || line->ninlined <= MOST_INLINED) {
			sourcelines_put_row(c, &row, "| inlined: ",
					    sourcelines_name(c, line->inlined[i].function));
			continue;
		}
		snprintf(text, sizeof(text), "| inlined: %" PRIu32 " more", line->ninlined - i);
		/*
		 * Inlined functions together may count the same stacks twice, so they have no
		 * inclusive time.
		 */
		row.time.inclusive = 0.0;
		while (++i < line->ninlined)
			row.time.self += line->inlined[i].time.self;
		sourcelines_put_row(c, &row, text, "");
	}
}

static void sourcelines_put_ranges(const struct sourcelines *c, const struct listing_line *line)
{
	size_t room = 2 * (size_t)line->nranges * 20 + 1, n = 0;
	char *text = arena_array(c->mem, char, room);

	for (uint32_t i = 0; i < line->nranges; i++)
		n += (size_t)snprintf(text + n, room - n, "%s%" PRIx64 "-%" PRIx64,
				      i > 0 ? " " : "", line->range[i].lo, line->range[i].hi - 1);
	sourcelines_put_row(c, line, text, "");
	sourcelines_put_inlined(c, line);
}

static void sourcelines_put_mark(const struct sourcelines *c, unsigned n)
{
	char text[40];

	sourcelines_put_columns(c, &(struct listing_line){ .line = 0 });
	snprintf(text, sizeof(text), "... %u line%s", n, n == 1 ? "" : "s");
	sourcelines_put(c, text, sourcelines_room(c));
	output_char(c->out, '\n');
}

static bool sourcelines_has_time(const struct listing_line *line)
{
	return line->time.self > 0.0 || line->time.inclusive > 0.0;
}

/* Whether a line is near one with time. Sets *at to the first line with time that may be near the
 * next one. */
static bool sourcelines_is_shown(const struct listing *l, unsigned number, uint32_t *at)
{
	while (*at < l->nlines && (!sourcelines_has_time(&l->line[*at]) ||
				   l->line[*at].line + (uint64_t)l->context < number))
		++*at;
	return l->context == LISTING_WHOLE ||
	       (*at < l->nlines && number + (uint64_t)l->context >= l->line[*at].line);
}

static void sourcelines_put_text(const struct sourcelines *c, const struct textlines *text)
{
	const struct listing *l = c->listing;
	unsigned first = textlines_first(text, l->first), last = l->last, left_out = 0;
	unsigned end = textlines_last(text, l->first);
	uint32_t at = 0, near = 0;

	last = end > last && end - last <= 3 ? end : last;
	last = last < text->n ? last : text->n;
	for (unsigned number = first; number <= last; number++) {
		struct listing_line none = { .line = number };
		const char *start = text->start[number], *line_end = text->start[number + 1];
		const struct listing_line *line;
		bool styled;

		while (at < l->nlines && l->line[at].line < number)
			at++;
		line = at < l->nlines && l->line[at].line == number ? &l->line[at] : &none;
		if (!sourcelines_is_shown(l, number, &near)) {
			left_out++;
			continue;
		}
		if (left_out > 0)
			sourcelines_put_mark(c, left_out);
		left_out = 0;
		while (line_end > start && (line_end[-1] == '\n' || line_end[-1] == '\r'))
			line_end--;
		styled = sourcelines_begin_style(c, &line->time);
		sourcelines_put_columns(c, line);
		sourcelines_put_source(c, start, line_end, sourcelines_room(c));
		sourcelines_end_line(c, styled);
		sourcelines_put_inlined(c, line);
	}
	if (left_out > 0)
		sourcelines_put_mark(c, left_out);
}

/* Writes the code of the function that belongs to no line shown above. */
static void sourcelines_put_others(const struct sourcelines *c)
{
	const struct listing *l = c->listing;
	char number[24];

	for (uint32_t i = l->nlines; i < l->nlines + l->nothers; i++) {
		struct listing_line line = l->line[i];
		const char *file = line.file ? labels_file(c->t, line.file) : NULL;
		size_t room = file ? strlen(file) + sizeof(number) : 1;
		char *place = arena_array(c->mem, char, room);

		if (!sourcelines_has_time(&line) && line.ncalls == 0)
			continue;
		if (file)
			snprintf(place, room, "%s:%u", file, line.line);
		line.line = 0;
		sourcelines_put_row(c, &line,
				    file ? "| code of " : "| code whose source line is not known",
				    place);
		sourcelines_put_inlined(c, &line);
	}
}

static void sourcelines_put_heads(const struct sourcelines *c, const char *last)
{
	const struct timecolumns_widths *w = &c->widths;
	struct output *out = c->out;

	output_format(out, "  %%   %*s", w->self, "self");
	if (c->measured)
		output_format(out, " %*s", w->inclusive, "incl.");
	output_char(out, '\n');
	output_style(out, STYLE_COLUMNS);
	output_format(out, " time %*.*s", w->self, w->self, c->t->dimension);
	if (c->measured)
		output_format(out, " %*.*s", w->inclusive, w->inclusive, c->t->dimension);
	if (w->calls > 0)
		output_format(out, " %*s", w->calls, "calls");
	output_format(out, " %*s  %s", w->line, "line", last);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

/* Whether an inlined function is also one of the symbols. */
static bool sourcelines_is_symbol(const struct sourcelines *c, const char *function)
{
	const struct listing *l = c->listing;

	for (uint32_t i = 0; i < l->nsymbols; i++) {
		if (strcmp(c->t->a->program->symtab.sym[l->symbol[i]].name, function) == 0)
			return true;
	}
	return false;
}

/* Returns the width of the terminal less `columns`. */
static uint32_t sourcelines_width_without(const struct sourcelines *c, uint32_t columns)
{
	if (c->columns == SOURCELINES_ALL)
		return SOURCELINES_ALL;
	return c->columns > columns ? c->columns - columns : 0;
}

/* Writes the first name, and how many more functions share its lines. */
static void sourcelines_put_title(const struct sourcelines *c)
{
	const struct listing *l = c->listing;
	uint32_t n = l->nsymbols, room;
	char more[80] = "", place[40] = "";
	const char *name = NULL, *file = l->file ? labels_file(c->t, l->file) : NULL;

	if (n > 0)
		name = c->t->a->program->symtab.sym[l->symbol[0]].name;
	for (uint32_t i = 0; i < l->ninlined; i++) {
		name = name ? name : l->inlined[i];
		n += n == 0 ||
		     (strcmp(name, l->inlined[i]) != 0 && !sourcelines_is_symbol(c, l->inlined[i]));
	}
	name = sourcelines_name(c, name ? name : "?");
	if (n > 1)
		snprintf(more, sizeof(more), " and %" PRIu32 " more of the same lines", n - 1);
	room = (uint32_t)strlen(more);
	output_style(c->out, STYLE_TITLE);
	sourcelines_put_name(c, name, sourcelines_width_without(c, room));
	output_text(c->out, more);
	output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
	if (!file)
		return;
	snprintf(place, sizeof(place), ":%u-%u", l->first, l->last);
	room = (uint32_t)strlen(place);
	output_text(c->out, "  ");
	sourcelines_put_name(c, file, sourcelines_width_without(c, room + 2));
	output_text(c->out, place);
	output_char(c->out, '\n');
}

static void sourcelines_put_sum(const struct sourcelines *c)
{
	const struct listing *l = c->listing;
	double total = sourcelines_total(c), rate = c->t->rate;

	output_format(c->out, "  %.2f %.40s self (%.1f %%)", l->time.self / rate, c->t->dimension,
		      100.0 * l->time.self / total);
	if (c->measured)
		output_format(c->out, ", %.2f inclusive (%.1f %%)", l->time.inclusive / rate,
			      100.0 * l->time.inclusive / total);
	output_char(c->out, '\n');
	if (l->inlined_self > 0.0)
		output_format(c->out, "  %.2f of self in code that was inlined into others\n",
			      l->inlined_self / rate);
	if (l->ncalls > 0)
		output_format(c->out, "  called %" PRIu64 " time%s\n", l->ncalls,
			      l->ncalls == 1 ? "" : "s");
	output_char(c->out, '\n');
}

static void sourcelines_write_one(struct sourcelines *c, const struct source_text *text)
{
	struct textlines lines = { NULL, 0 };

	sourcelines_measure(c);
	sourcelines_put_title(c);
	sourcelines_put_sum(c);
	if (text->bytes)
		lines = textlines_find(text->bytes, text->size, c->mem);
	if (lines.n > 0 && c->listing->first > 0 && c->listing->first <= lines.n) {
		sourcelines_put_heads(c, "source");
		sourcelines_put_text(c, &lines);
	} else {
		sourcelines_put_heads(c, "addresses");
		for (uint32_t i = 0; i < c->listing->nlines; i++)
			sourcelines_put_ranges(c, &c->listing->line[i]);
	}
	sourcelines_put_others(c);
}

static void sourcelines_put_unit(const struct sourcelines *c)
{
	const struct text *t = c->t;

	text_heading(c->out, STYLE_TITLE, "Source by line:\n\n");
	if (c->measured) {
		output_format(c->out, "Each sample counts as %g %.40s; times are measured:\n",
			      1.0 / t->rate, t->dimension);
		text_samples(t, c->out);
		output_char(c->out, '\n');
	} else {
		output_format(c->out,
			      "Each sample counts as %g %.40s; %.0f samples.\n"
			      "Self times are measured; without call stacks there are no others.\n",
			      1.0 / t->rate, t->dimension, t->a->costs.total);
	}
}

void sourcelines_write(const struct text *t, struct output *out)
{
	const struct listings *all = t->view->listings;
	struct sourcelines c = {
		.t = t, .out = out, .measured = all->measured, .columns = SOURCELINES_ALL
	};
	uint32_t shown = 0, idle = 0;

	if (t->view->columns > 0)
		c.columns = t->view->columns;
	text_page(out);
	sourcelines_put_unit(&c);
	for (uint32_t i = 0; i < all->n; i++) {
		const struct listing *l = &all->at[i];
		struct arena scratch = arena_scratch(t->mem);

		c.listing = l;
		c.mem = &scratch;
		if (shown > 0 && !t->opt->zeros && l->time.self <= 0.0 &&
		    l->time.inclusive <= 0.0) {
			idle++;
		} else {
			output_char(out, '\n');
			sourcelines_write_one(&c, &t->view->listing_texts[i]);
			shown++;
		}
		arena_free(&scratch);
	}
	if (idle > 0)
		output_format(out, "\n%" PRIu32 " more without time (-z shows them).\n", idle);
	if (!t->opt->brief)
		text_explain(t, &sourcelines_explanation, out);
}

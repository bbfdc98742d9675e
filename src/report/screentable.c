/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts wider than the screen are cut, with a mark, and columns that do not fit are dropped in the
 * order of `dropped_first`. */
#include "config.h"

#include "report/screentable.h"

#include "base/demangle.h"
#include "base/display_width.h"
#include "base/join.h"
#include "base/number.h"
#include "base/short_name.h"
#include "report/labels.h"
#include "report/prefix.h"

#include <string.h>

enum top_column {
	SHARE,
	SELF,
	ERROR,
	INCLUSIVE,
	CALLS,
	PER_CALL,
	NAME,
	INLINED,
	LINE_SHARE,
	LINE,
	CALLER_SHARE,
	CALLER,
	NCOLUMNS
};

/* Blanks before each column. */
static const unsigned char space[NCOLUMNS] = {
	[SELF] = 1,     [ERROR] = 1,        [INCLUSIVE] = 1, [CALLS] = 1,
	[PER_CALL] = 1, [NAME] = 2,         [INLINED] = 2,   [LINE_SHARE] = 2,
	[LINE] = 1,     [CALLER_SHARE] = 2, [CALLER] = 1,
};

/*
 * The orders in which columns are dropped, a share before the text that it belongs to; share and
 * name stay. Where the paths above the table tell inclusive times, callers stay for longer.
 */
static const enum top_column dropped_first[] = { PER_CALL, CALLS, LINE_SHARE, INLINED,  CALLER,
						 LINE,     ERROR, SELF,       INCLUSIVE },
			     dropped_first_below_paths[] = { PER_CALL,  CALLS, LINE_SHARE,
							     INCLUSIVE, ERROR, INLINED,
							     CALLER,    LINE,  SELF };
_Static_assert(sizeof(dropped_first) == sizeof(dropped_first_below_paths), "both are all columns");

/* The number of columns of `dropped_first` that are dropped as soon as names have less than
 * GOOD_ROOM. */
enum { NCHEAP = 3, GOOD_ROOM = 40 };

/* The minimum widths of text columns, which divide the room that numbers leave. If their texts need
 * it, other columns are dropped for it. */
static const unsigned char least_room[NCOLUMNS] = { [NAME] = 28, [LINE] = 13, [CALLER] = 13 };

enum { CELL_BYTES = NUMBER_ROOM + 1 };

/* The state of writing the table. */
struct screentable {
	const struct text *t;
	const struct top *top;
	struct arena *mem;
	bool estimated; /* inclusive times are estimated */
	uint32_t nrows;
	struct short_name *name;    /* of each row */
	const char *head[NCOLUMNS]; /* head of each column; NULL: dropped */
	struct shown *cell[NCOLUMNS];
	const char **caller; /* the callers alone, for where there is no room for what is above
				them; NULL: there is nothing above */
	uint32_t width[NCOLUMNS];
};

const char *screentable_unit(const struct text *t)
{
	return strcmp(t->dimension, "seconds") == 0 ? "s" : t->dimension;
}

bool screentable_is_estimated(const struct text *t)
{
	return !t->a->costs.origin.measured && t->view->top->ncalls > 0;
}

/* Formats a number with `decimals` decimals, after `mark`. */
static struct shown screentable_number(struct screentable *s, const char *mark, double x,
				       unsigned decimals)
{
	char text[CELL_BYTES];
	size_t n = (size_t)(number_put_fixed(text, x, 0, decimals) - text), marks = strlen(mark);
	char *cell = arena_array(s->mem, char, marks + n + 1);

	memcpy(cell, mark, marks);
	memcpy(cell + marks, text, n);
	return (struct shown){ cell, (uint32_t)(marks + n) };
}

/* Formats a time with three significant digits, in a suitable unit. */
static struct shown screentable_duration(struct screentable *s, const char *mark, double x)
{
	const struct prefix *prefix = prefix_of(x);
	const char *text;

	x *= prefix->per_unit;
	text = join_format(s->mem, "%s%.*f %.*s%c", mark,
			   x < 9.995   ? 2
			   : x < 99.95 ? 1
				       : 0,
			   x, prefix->letter != ' ', &prefix->letter, s->t->abbrev);
	return display_width_show(text, s->mem);
}

/* `least`: the number may be larger. */
static struct shown screentable_count(struct screentable *s, uint64_t count, bool least)
{
	char text[CELL_BYTES];
	size_t n = (size_t)(number_put_bound(text, count, 0, least) - text);

	return (struct shown){ arena_strndup(s->mem, text, n), (uint32_t)n };
}

/* Formats whole percent; only 0 is shown as 0, and only the whole as 100. */
static struct shown screentable_percent(struct screentable *s, double share)
{
	uint64_t percent = (uint64_t)(100.0 * share + 0.5);

	return screentable_count(s,
				 percent == 0                    ? 1
				 : percent >= 100 && share < 1.0 ? 99
								 : percent,
				 false);
}

static struct short_name screentable_name(struct screentable *s, sym_id function)
{
	const char *name = s->t->a->program->symtab.sym[function].name;

	return short_name_make(demangle(name, report_style(s->t->opt), s->mem), s->mem);
}

/* The hottest line and its share or, where no line is known, the library. */
static void screentable_fill_line(struct screentable *s, uint32_t i, const char *library)
{
	const struct top_row *row = &s->top->row[i];

	if (row->line.file) {
		s->cell[LINE_SHARE][i] = screentable_percent(s, row->line_share);
		s->cell[LINE][i] = display_width_show(join_format(s->mem, "%.120s:%u",
								  labels_file(s->t, row->line.file),
								  row->line.line),
						      s->mem);
	} else if (library) {
		s->cell[LINE][i] = display_width_show(short_name_library(library, s->mem), s->mem);
	}
}

/* The nearest caller in the user's own code, after the one above it. */
static void screentable_fill_caller(struct screentable *s, uint32_t i)
{
	const struct top_row *row = &s->top->row[i];
	const char *text;

	text = s->caller[i] = screentable_name(s, row->own_caller[0]).name;
	if (row->own_caller[1] != SYM_NONE)
		text = JOIN(s->mem, screentable_name(s, row->own_caller[1]).name, " > ", text);
	s->cell[CALLER][i] = display_width_show(text, s->mem);
	s->cell[CALLER_SHARE][i] = screentable_percent(s, row->own_share);
}

static void screentable_fill_row(struct screentable *s, uint32_t i)
{
	const struct top_row *row = &s->top->row[i];
	const struct text *t = s->t;
	const char *mark = s->estimated ? "~" : "";
	double total = s->top->total;
	const struct short_name *name = &s->name[i];
	bool least;

	for (int c = 0; c < NCOLUMNS; c++)
		s->cell[c][i] = (struct shown){ "", 0 };

	s->cell[SHARE][i] = screentable_number(s, "", 100.0 * row->self / total, 2);
	s->cell[SELF][i] = screentable_number(s, "", row->self / t->rate, 2);
	s->cell[ERROR][i] = screentable_number(s, "", row->error / t->rate, 2);
	s->cell[INCLUSIVE][i] = screentable_number(s, mark, row->inclusive / t->rate, 2);
	if (row->ncalls > 0) {
		least = costs_may_have_more(&t->a->costs.calls, row->function);
		s->cell[CALLS][i] = screentable_count(s, row->ncalls, least);
		if (!least)
			s->cell[PER_CALL][i] = screentable_duration(
				s, mark, row->inclusive / t->rate / (double)row->ncalls);
	}
	s->cell[NAME][i] = display_width_show(name->name, s->mem);
	if (name->inlined)
		s->cell[INLINED][i] = display_width_show("inl.", s->mem);
	screentable_fill_line(s, i, name->library);
	s->caller[i] = NULL;
	if (row->own_caller[0] != SYM_NONE) {
		screentable_fill_caller(s, i);
	} else if (row->caller != SYM_NONE) {
		s->cell[CALLER_SHARE][i] = screentable_percent(s, row->caller_share);
		s->cell[CALLER][i] =
			display_width_show(screentable_name(s, row->caller).name, s->mem);
	}
}

/* Selects the columns that have any content. */
static void screentable_choose(struct screentable *s)
{
	const struct text *t = s->t;
	bool calls = s->top->ncalls > 0, lines = false, places = false, inlined = false,
	     callers = false;

	for (uint32_t i = 0; i < s->nrows; i++) {
		lines |= s->top->row[i].line.file != NULL;
		places |= s->cell[LINE][i].columns > 0;
		inlined |= s->cell[INLINED][i].columns > 0;
		callers |= s->cell[CALLER][i].columns > 0;
	}
	s->head[SHARE] = "%";
	s->head[SELF] = join_format(s->mem, "self %.20s", screentable_unit(t));
	s->head[ERROR] = !analysis_is_exact(t->a) || s->top->has_wait_errors ? "+-" : NULL;
	if (calls || t->a->costs.origin.measured)
		s->head[INCLUSIVE] = s->estimated ? "~incl." : "incl.";
	if (calls)
		s->head[CALLS] = "calls";
	if (calls && text_has_call_times(t))
		s->head[PER_CALL] = "per call";
	s->head[NAME] = "function";
	s->head[INLINED] = inlined ? "" : NULL;
	if (places)
		s->head[LINE] = lines ? "hottest line" : "library";
	if (lines)
		s->head[LINE_SHARE] = "%";
	if (callers) {
		s->head[CALLER_SHARE] = "%";
		s->head[CALLER] = "called from";
	}
}

/* Returns the width of the number columns and of the space between columns. */
static uint32_t screentable_used_width(const struct screentable *s)
{
	uint32_t taken = 0;

	for (int c = 0; c < NCOLUMNS; c++) {
		if (!s->head[c])
			continue;
		taken += space[c] + (c == LINE && !s->head[LINE_SHARE]);
		taken += least_room[c] ? 0 : s->width[c];
	}
	return taken;
}

/* Returns the minimum width of a text column, if names have the width `names`. */
static uint32_t screentable_least_room(const struct screentable *s, int c, uint32_t names)
{
	uint32_t room = c == NAME ? names : least_room[c];

	return s->width[c] < room ? s->width[c] : room;
}

static uint32_t screentable_least(const struct screentable *s, uint32_t names)
{
	uint32_t least = screentable_used_width(s);

	for (int c = 0; c < NCOLUMNS; c++)
		least += s->head[c] && least_room[c] ? screentable_least_room(s, c, names) : 0;
	return least;
}

static void screentable_measure(struct screentable *s)
{
	for (int c = 0; c < NCOLUMNS; c++) {
		s->width[c] = s->head[c] ? (uint32_t)strlen(s->head[c]) : 0;
		for (uint32_t i = 0; i < s->nrows; i++) {
			if (s->cell[c][i].columns > s->width[c])
				s->width[c] = s->cell[c][i].columns;
		}
	}
}

/* Divides the width among text columns: first their minimum widths, then up to GOOD_ROOM for names,
 * then the rest in equal parts for those that need more. */
static void screentable_share_room(struct screentable *s)
{
	uint32_t wanted[NCOLUMNS], left, taken = screentable_least(s, least_room[NAME]);
	uint32_t good = screentable_least_room(s, NAME, GOOD_ROOM);
	bool grows = true;

	for (int c = 0; c < NCOLUMNS; c++) {
		wanted[c] = s->head[c] && least_room[c] ? s->width[c] : 0;
		if (least_room[c])
			s->width[c] = screentable_least_room(s, c, least_room[NAME]);
	}
	left = taken < s->top->columns ? s->top->columns - taken : 0;
	for (; left > 0 && s->width[NAME] < good; left--)
		s->width[NAME]++;
	while (left > 0 && grows) {
		grows = false;
		for (int c = 0; c < NCOLUMNS && left > 0; c++) {
			if (wanted[c] <= s->width[c])
				continue;
			s->width[c]++;
			left--;
			grows = true;
		}
	}
}

static void screentable_fit(struct screentable *s)
{
	const enum top_column *order =
		s->top->nframes > 0 ? dropped_first_below_paths : dropped_first;
	uint32_t taken;

	screentable_measure(s);
	for (size_t i = 0; i < sizeof(dropped_first) / sizeof(dropped_first[0]); i++) {
		if (screentable_least(s, i < NCHEAP ? GOOD_ROOM : least_room[NAME]) <=
		    s->top->columns)
			break;
		s->head[order[i]] = NULL;
		if (order[i] == CALLER)
			s->head[CALLER_SHARE] = NULL;
	}
	screentable_share_room(s);
	/* If the screen is too narrow for the minimum widths, the name has what is left, or
	 * nothing. */
	taken = screentable_used_width(s);
	if (taken + s->width[NAME] > s->top->columns)
		s->width[NAME] = s->top->columns > taken + DISPLAY_WIDTH_GAP_COLUMNS
					 ? s->top->columns - taken
					 : DISPLAY_WIDTH_GAP_COLUMNS;
}

/* No blanks follow the last text of a line. */
static void screentable_write_cells(const struct screentable *s, const struct shown cell[NCOLUMNS],
				    struct output *out)
{
	uint32_t owed = 0;

	for (int c = 0; c < NCOLUMNS; c++) {
		uint32_t padding;

		if (!s->head[c])
			continue;
		padding = s->width[c] - cell[c].columns;
		/*
		 * If the column of shares between them is dropped, two text columns get more space.
		 */
		owed += space[c] + (c == LINE && !s->head[LINE_SHARE]) +
			(least_room[c] ? 0 : padding);
		if (cell[c].columns > 0) {
			output_blanks(out, owed);
			output_text(out, cell[c].text);
			owed = 0;
		}
		owed += least_room[c] ? padding : 0;
	}
}

static void screentable_write_heads(struct screentable *s, struct output *out)
{
	struct shown head[NCOLUMNS];

	for (int c = 0; c < NCOLUMNS; c++) {
		if (s->head[c])
			head[c] = display_width_cut_end(s->head[c], s->width[c], s->mem);
	}
	output_style(out, STYLE_COLUMNS);
	screentable_write_cells(s, head, out);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

static void screentable_write_row(struct screentable *s, uint32_t i, struct output *out)
{
	bool hot = out->styled && text_is_hot(s->top->row[i].self, s->top->total);
	struct shown cell[NCOLUMNS];

	for (int c = 0; c < NCOLUMNS; c++) {
		cell[c] = s->cell[c][i];
		if (!s->head[c] || cell[c].columns <= s->width[c])
			continue;
		if (c == CALLER && s->caller[i])
			cell[c].text = s->caller[i];
		cell[c] = c == LINE ? display_width_cut_middle(cell[c].text, s->width[c], s->mem)
				    : display_width_cut_name(cell[c].text, s->width[c], s->mem);
	}
	if (hot)
		output_style(out, STYLE_HOT);
	screentable_write_cells(s, cell, out);
	if (hot)
		output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

void screentable_write(const struct text *t, uint32_t nrows, struct output *out)
{
	struct arena scratch = arena_scratch(t->mem);
	struct screentable s = { .t = t,
				 .top = t->view->top,
				 .mem = &scratch,
				 .estimated = screentable_is_estimated(t),
				 .nrows = nrows };

	for (int c = 0; c < NCOLUMNS; c++)
		s.cell[c] = arena_array(s.mem, struct shown, nrows);
	s.caller = arena_array(s.mem, const char *, nrows);
	s.name = arena_array(s.mem, struct short_name, nrows);
	for (uint32_t i = 0; i < nrows; i++)
		s.name[i] = screentable_name(&s, s.top->row[i].function);
	short_name_tell_apart(s.name, nrows, s.mem);
	for (uint32_t i = 0; i < nrows; i++)
		screentable_fill_row(&s, i);
	screentable_choose(&s);
	screentable_fit(&s);
	screentable_write_heads(&s, out);
	for (uint32_t i = 0; i < nrows; i++)
		screentable_write_row(&s, i, out);
	arena_free(&scratch);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One screen: what the profile is, what is wrong with it, and the functions that time is in, each
 * with its hottest line and its heaviest caller. All that is wider than the screen is shortened,
 * with a mark, or left out: columns in the order of `leaving`.
 */
#include "config.h"

#include "base/cells.h"
#include "base/demangle.h"
#include "base/number.h"
#include "report/labels.h"
#include "report/prefix.h"
#include "report/views.h"
#include "report/waits.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum top_column {
	SHARE,
	SELF,
	ERROR,
	INCLUSIVE,
	CALLS,
	PER_CALL,
	NAME,
	LINE_SHARE,
	LINE,
	CALLER_SHARE,
	CALLER,
	NCOLUMNS
};

/* Blanks in front of each. */
static const unsigned char space[NCOLUMNS] = {
	[SELF] = 1, [ERROR] = 1,      [INCLUSIVE] = 1, [CALLS] = 1,        [PER_CALL] = 1,
	[NAME] = 2, [LINE_SHARE] = 2, [LINE] = 1,      [CALLER_SHARE] = 2, [CALLER] = 1,
};

/* Without room, columns go in this order, the shares with what they are of; share and name stay. */
static const enum top_column leaving[] = { PER_CALL, CALLS, LINE_SHARE, CALLER,
					   LINE,     ERROR, SELF,       INCLUSIVE };

/* The first of them, those that go already where names would have less than GOOD_ROOM. */
enum { NCHEAP = 3, GOOD_ROOM = 40 };

/* Those of text; they divide what is left by numbers. Each has at least so much room, if its texts
 * need it, before others go. */
static const unsigned char least_room[NCOLUMNS] = { [NAME] = 28, [LINE] = 13, [CALLER] = 13 };

enum { FEWEST_ROWS = 3, MOST_WRONG = 8, ITEM_BYTES = 200, CELL_BYTES = NUMBER_ROOM + 1 };

/* The screen under way. */
struct screen {
	const struct text *t;
	const struct top *top;
	struct arena *mem;
	bool estimated; /* inclusive times are */
	uint32_t nrows;
	const char *head[NCOLUMNS]; /* of a column, or NULL: it is not there */
	struct shown *cell[NCOLUMNS];
	uint32_t width[NCOLUMNS];
	uint32_t nlines; /* written */
};

static const char *screen_format(struct screen *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static const char *screen_format(struct screen *s, const char *format, ...)
{
	char text[ITEM_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return arena_strndup(s->mem, text, strlen(text));
}

static void screen_end_line(struct screen *s, struct output *out)
{
	output_char(out, '\n');
	s->nlines++;
}

/* What a line says, cut if it is too long. */
static void screen_write_line(struct screen *s, enum output_style style, const char *text,
			      struct output *out)
{
	struct shown shown = cells_cut_end(text, s->top->columns, s->mem);

	if (style != STYLE_PLAIN)
		output_style(out, style);
	output_text(out, shown.text);
	if (style != STYLE_PLAIN)
		output_style(out, STYLE_PLAIN);
	screen_end_line(s, out);
}

/* Items one behind the other, in as many lines as they take; ends the style that is on. */
static void screen_write_items(struct screen *s, const char *const *item, size_t n,
			       struct output *out)
{
	uint32_t used = 0;

	for (size_t i = 0; i < n; i++) {
		/* A comma stands behind it. */
		struct shown shown = cells_cut_end(item[i], s->top->columns - 1, s->mem);

		if (i > 0 && used + 2 + shown.columns + (i + 1 < n) > s->top->columns) {
			output_text(out, ",");
			output_style(out, STYLE_PLAIN);
			screen_end_line(s, out);
			used = 0;
		} else if (i > 0) {
			output_text(out, ", ");
			used += 2;
		}
		output_text(out, shown.text);
		used += shown.columns;
	}
	output_style(out, STYLE_PLAIN);
	screen_end_line(s, out);
}

static const char *screen_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static bool screen_has_calls(const struct screen *s)
{
	return s->top->ncalls > 0;
}

static const char *screen_unit(const struct text *t)
{
	return strcmp(t->dimension, "seconds") == 0 ? "s" : t->dimension;
}

static void screen_write_program(struct screen *s, struct output *out)
{
	struct shown path = cells_cut_middle(s->t->a->program->path, s->top->columns - 1, s->mem);
	size_t nfiles = s->t->a->profile->files.n, n = 0;
	const char *item[3];

	item[n++] = path.text;
	if (nfiles > 1)
		item[n++] = screen_format(s, "%zu data files", nfiles);
	if (s->top->written)
		item[n++] = screen_format(s, "written %s", s->top->written);
	output_style(out, STYLE_ENTRY);
	screen_write_items(s, item, n, out);
}

static bool screen_is_sampled(const struct screen *s)
{
	return !analysis_is_exact(s->t->a);
}

static void screen_write_facts(struct screen *s, struct output *out)
{
	const struct text *t = s->t;
	const struct top *top = s->top;
	const char *item[3];
	size_t n = 0;

	if (top->total > 0.0) {
		item[n++] = screen_format(s, "%.2f %.60s%s", top->total / t->rate, screen_unit(t),
					  t->waits             ? " on the CPU"
					  : text_is_clocked(t) ? " of waiting"
							       : "");
		if (screen_is_sampled(s))
			item[n++] = screen_format(s, "%.0f sample%s (shares good to +-%.1f %%)",
						  top->total, top->total == 1.0 ? "" : "s",
						  100.0 * top->error);
	} else {
		item[n++] = "no samples";
	}
	if (screen_has_calls(s))
		item[n++] = screen_format(s, "%" PRIu64 " call%s", top->ncalls,
					  screen_plural(top->ncalls));
	else
		item[n++] = "calls were not counted";
	screen_write_items(s, item, n, out);
}

static const char *screen_stacks(struct screen *s)
{
	const struct call_stacks *stacks = s->t->a->stacks;
	uint64_t n = 0;

	for (int q = 0; q < STACK_QUALITIES; q++)
		n += stacks->quality[q];
	if (n == 0 || stacks->quality[STACK_COMPLETE] == n)
		return "all times measured from call stacks";
	return screen_format(s, "all times measured from call stacks (%.1f %% complete)",
			     (double)text_tenths(stacks->quality[STACK_COMPLETE], n) / 10.0);
}

/* What figures are made of. */
static void screen_write_kind(struct screen *s, struct output *out)
{
	const char *item[5];
	size_t n = 0;

	if (s->top->total <= 0.0)
		return;
	if (s->t->a->stacks) {
		item[n++] = screen_stacks(s);
	} else {
		item[n++] = "self measured";
		if (s->estimated)
			item[n++] = "~ estimated from numbers of calls";
	}
	if (s->t->a->stacks && s->t->a->stacks->left_out > 0)
		item[n++] = screen_format(s, "%" PRIu64 " more sample%s in the profiler",
					  s->t->a->stacks->left_out,
					  screen_plural(s->t->a->stacks->left_out));
	if (s->t->a->stacks && s->t->a->stacks->threads)
		item[n++] = screen_format(s, "of thread %.100s", s->t->a->stacks->threads);
	if (screen_is_sampled(s))
		item[n++] = screen_format(s, "+- at %g %%", s->top->level);
	screen_write_items(s, item, n, out);
}

static void screen_write_wrong(struct screen *s, struct output *out)
{
	size_t n = s->top->nwrong, most = MOST_WRONG;

	for (size_t i = 0; i < n && i < most; i++)
		screen_write_line(s, STYLE_ENTRY, s->top->wrong[i], out);
	if (n > most)
		screen_write_line(s, STYLE_ENTRY,
				  screen_format(s, "! and %zu more: gprof --explain", n - most),
				  out);
}

static void screen_write_cycles(struct screen *s, struct output *out)
{
	const struct top *top = s->top;
	double percent = 100.0 * top->cycle_share;
	const char *text;

	if (!s->estimated || top->ncycles == 0)
		return;
	if (top->ncycles == 1)
		text = screen_format(s,
				     "A cycle of functions has %.1f %% of the time: ~ is without "
				     "calls inside it",
				     percent);
	else
		text = screen_format(s,
				     "%" PRIu32
				     " cycles, the largest with %.1f %% of the time: ~ is "
				     "without calls inside them",
				     top->ncycles, percent);
	screen_write_line(s, STYLE_PLAIN, text, out);
}

/* A number of so many decimals, behind `mark`. */
static struct shown screen_number(struct screen *s, const char *mark, double x, unsigned decimals)
{
	char text[CELL_BYTES];
	size_t n = (size_t)(number_put_fixed(text, x, 0, decimals) - text), marks = strlen(mark);
	char *cell = arena_array(s->mem, char, marks + n + 1);

	memcpy(cell, mark, marks);
	memcpy(cell + marks, text, n);
	return (struct shown){ cell, (uint32_t)(marks + n) };
}

/* Three digits in a unit of its own. */
static struct shown screen_duration(struct screen *s, const char *mark, double x)
{
	const struct prefix *prefix = prefix_of(x);
	char text[ITEM_BYTES];

	x *= prefix->per_unit;
	snprintf(text, sizeof(text), "%s%.*f %.*s%c", mark,
		 x < 9.995   ? 2
		 : x < 99.95 ? 1
			     : 0,
		 x, prefix->letter != ' ', &prefix->letter, s->t->abbrev);
	return cells_show(text, s->mem);
}

static struct shown screen_count(struct screen *s, uint64_t count)
{
	char text[CELL_BYTES];
	size_t n = (size_t)(number_put(text, count, 0) - text);

	return (struct shown){ arena_strndup(s->mem, text, n), (uint32_t)n };
}

/* Whole percent; what there is, is never shown as nothing, nor nearly all as all. */
static struct shown screen_percent(struct screen *s, double share)
{
	uint64_t percent = (uint64_t)(100.0 * share + 0.5);

	return screen_count(s, percent == 0 ? 1 : percent >= 100 && share < 1.0 ? 99 : percent);
}

static const char *screen_name(struct screen *s, sym_id function)
{
	return demangle(s->t->a->program->symtab.sym[function].name, report_style(s->t->opt),
			s->mem);
}

static void screen_fill_row(struct screen *s, uint32_t i)
{
	const struct top_row *row = &s->top->row[i];
	const struct text *t = s->t;
	const char *mark = s->estimated ? "~" : "";
	double total = s->top->total;

	for (int c = 0; c < NCOLUMNS; c++)
		s->cell[c][i] = (struct shown){ "", 0 };

	s->cell[SHARE][i] = screen_number(s, "", 100.0 * row->self / total, 2);
	s->cell[SELF][i] = screen_number(s, "", row->self / t->rate, 2);
	s->cell[ERROR][i] = screen_number(s, "", row->error / t->rate, 2);
	s->cell[INCLUSIVE][i] = screen_number(s, mark, row->inclusive / t->rate, 2);
	if (row->ncalls > 0) {
		s->cell[CALLS][i] = screen_count(s, row->ncalls);
		s->cell[PER_CALL][i] =
			screen_duration(s, mark, row->inclusive / t->rate / (double)row->ncalls);
	}
	s->cell[NAME][i] = cells_show(screen_name(s, row->function), s->mem);
	if (row->line.file) {
		s->cell[LINE_SHARE][i] = screen_percent(s, row->line_share);
		s->cell[LINE][i] =
			cells_show(screen_format(s, "%.120s:%u", labels_file(t, row->line.file),
						 row->line.line),
				   s->mem);
	}
	if (row->caller != SYM_NONE) {
		s->cell[CALLER_SHARE][i] = screen_percent(s, row->caller_share);
		s->cell[CALLER][i] = cells_show(screen_name(s, row->caller), s->mem);
	}
}

/* The columns that have anything to say. */
static void screen_choose(struct screen *s)
{
	const struct text *t = s->t;
	bool calls = screen_has_calls(s), lines = false, callers = false;

	for (uint32_t i = 0; i < s->nrows; i++) {
		lines |= s->top->row[i].line.file != NULL;
		callers |= s->top->row[i].caller != SYM_NONE;
	}
	s->head[SHARE] = "%";
	s->head[SELF] = screen_format(s, "self %.20s", screen_unit(t));
	s->head[ERROR] = screen_is_sampled(s) ? "+-" : NULL;
	if (calls || t->a->stacks)
		s->head[INCLUSIVE] = s->estimated ? "~incl." : "incl.";
	if (calls)
		s->head[CALLS] = "calls";
	if (calls && text_has_call_times(t))
		s->head[PER_CALL] = "per call";
	s->head[NAME] = "function";
	if (lines) {
		s->head[LINE_SHARE] = "%";
		s->head[LINE] = "hottest line";
	}
	if (callers) {
		s->head[CALLER_SHARE] = "%";
		s->head[CALLER] = "top caller";
	}
}

/* Columns of the screen that numbers take, and what stands between columns. */
static uint32_t screen_taken(const struct screen *s)
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

/* The room that a column of text has at least, where that is so much for names. */
static uint32_t screen_least_room(const struct screen *s, int c, uint32_t names)
{
	uint32_t room = c == NAME ? names : least_room[c];

	return s->width[c] < room ? s->width[c] : room;
}

static uint32_t screen_least(const struct screen *s, uint32_t names)
{
	uint32_t least = screen_taken(s);

	for (int c = 0; c < NCOLUMNS; c++)
		least += s->head[c] && least_room[c] ? screen_least_room(s, c, names) : 0;
	return least;
}

static void screen_measure(struct screen *s)
{
	for (int c = 0; c < NCOLUMNS; c++) {
		s->width[c] = s->head[c] ? (uint32_t)strlen(s->head[c]) : 0;
		for (uint32_t i = 0; i < s->nrows; i++) {
			if (s->cell[c][i].columns > s->width[c])
				s->width[c] = s->cell[c][i].columns;
		}
	}
}

/*
 * Room for columns of text: the least that each may have, then as much as is good for names, and
 * what is left in equal parts for those that need more.
 */
static void screen_share_room(struct screen *s)
{
	uint32_t wanted[NCOLUMNS], left, taken = screen_least(s, least_room[NAME]);
	uint32_t good = screen_least_room(s, NAME, GOOD_ROOM);
	bool grows = true;

	for (int c = 0; c < NCOLUMNS; c++) {
		wanted[c] = s->head[c] && least_room[c] ? s->width[c] : 0;
		if (least_room[c])
			s->width[c] = screen_least_room(s, c, least_room[NAME]);
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

static void screen_fit(struct screen *s)
{
	uint32_t taken;

	screen_measure(s);
	for (size_t i = 0; i < sizeof(leaving) / sizeof(leaving[0]); i++) {
		if (screen_least(s, i < NCHEAP ? GOOD_ROOM : least_room[NAME]) <= s->top->columns)
			break;
		s->head[leaving[i]] = NULL;
		if (leaving[i] == CALLER)
			s->head[CALLER_SHARE] = NULL;
	}
	screen_share_room(s);
	/* Of a screen that has not even room for these, the name has what is left, or nothing. */
	taken = screen_taken(s);
	if (taken + s->width[NAME] > s->top->columns)
		s->width[NAME] = s->top->columns > taken + CELLS_GAP_COLUMNS
					 ? s->top->columns - taken
					 : CELLS_GAP_COLUMNS;
}

/* Text that ends a line has no blanks behind it. */
static void screen_write_cells(const struct screen *s, const struct shown cell[NCOLUMNS],
			       struct output *out)
{
	uint32_t owed = 0;

	for (int c = 0; c < NCOLUMNS; c++) {
		uint32_t behind;

		if (!s->head[c])
			continue;
		behind = s->width[c] - cell[c].columns;
		/* Without the share between them, two columns of text are further apart. */
		owed += space[c] + (c == LINE && !s->head[LINE_SHARE]) +
			(least_room[c] ? 0 : behind);
		if (cell[c].columns > 0) {
			output_blanks(out, owed);
			output_text(out, cell[c].text);
			owed = 0;
		}
		owed += least_room[c] ? behind : 0;
	}
}

static void screen_write_heads(struct screen *s, struct output *out)
{
	struct shown head[NCOLUMNS];

	for (int c = 0; c < NCOLUMNS; c++) {
		if (s->head[c])
			head[c] = cells_cut_end(s->head[c], s->width[c], s->mem);
	}
	output_style(out, STYLE_COLUMNS);
	screen_write_cells(s, head, out);
	output_style(out, STYLE_PLAIN);
	screen_end_line(s, out);
}

static void screen_write_row(struct screen *s, uint32_t i, struct output *out)
{
	bool hot = out->styled && text_is_hot(s->top->row[i].self, s->top->total);
	struct shown cell[NCOLUMNS];

	for (int c = 0; c < NCOLUMNS; c++) {
		cell[c] = s->cell[c][i];
		if (s->head[c] && cell[c].columns > s->width[c])
			cell[c] = c == LINE ? cells_cut_middle(cell[c].text, s->width[c], s->mem)
					    : cells_cut_name(cell[c].text, s->width[c], s->mem);
	}
	if (hot)
		output_style(out, STYLE_HOT);
	screen_write_cells(s, cell, out);
	if (hot)
		output_style(out, STYLE_PLAIN);
	screen_end_line(s, out);
}

/* The lines of the table that there is room for; below it there is one more. */
static uint32_t screen_room(const struct screen *s)
{
	const struct top *top = s->top;
	uint32_t above = s->nlines + 2, below = 1;

	if (top->lines == 0)
		return top->most;
	if (top->lines < above + below + FEWEST_ROWS)
		return FEWEST_ROWS;
	/* With all of them, nothing is to be said below. */
	if (top->nsampled <= top->lines - above)
		return top->nsampled;
	return top->lines - above - below;
}

static void screen_write_table(struct screen *s, struct output *out)
{
	uint32_t room = screen_room(s);

	s->nrows = s->top->nrows < room ? s->top->nrows : room;
	for (int c = 0; c < NCOLUMNS; c++)
		s->cell[c] = arena_array(s->mem, struct shown, s->nrows);
	for (uint32_t i = 0; i < s->nrows; i++)
		screen_fill_row(s, i);
	screen_choose(s);
	screen_fit(s);
	screen_end_line(s, out);
	screen_write_heads(s, out);
	for (uint32_t i = 0; i < s->nrows; i++)
		screen_write_row(s, i, out);
	if (s->top->nsampled > s->nrows)
		screen_write_line(
			s, STYLE_PLAIN,
			screen_format(s, "%" PRIu32 " more function%s with samples: --top=%" PRIu32,
				      s->top->nsampled - s->nrows,
				      screen_plural(s->top->nsampled - s->nrows), s->top->nsampled),
			out);
}

void screen_write(const struct text *t, struct output *out)
{
	struct arena scratch = arena_scratch(t->mem);
	struct screen s = { .t = t, .top = t->view->top, .mem = &scratch };

	s.estimated = !t->a->stacks && screen_has_calls(&s);
	progress_step(t->progress, "writing the first screen", 0);
	text_page(out);
	screen_write_program(&s, out);
	screen_write_facts(&s, out);
	screen_write_kind(&s, out);
	if (t->waits)
		screen_write_line(&s, STYLE_PLAIN, waits_line(t, &scratch), out);
	screen_write_wrong(&s, out);
	screen_write_cycles(&s, out);
	if (s.top->nrows > 0)
		screen_write_table(&s, out);
	arena_free(&scratch);
}

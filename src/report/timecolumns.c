/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns and tables of time by source line, and the time that they leave out. */
#include "config.h"

#include "report/timecolumns.h"

#include "base/radix.h"
#include "report/labels.h"

#include <math.h>
#include <string.h>

enum { MOST_FILES = 3 };

struct timecolumns timecolumns_make(const struct text *t)
{
	struct timecolumns c = { .t = t };

	if (t->view->line_sums)
		c.has_shown = bitset_empty(t->mem, t->view->line_sums->n);
	return c;
}

/* Returns how many of n possible rows a table has. */
static size_t timecolumns_rows(const struct timecolumns *c, size_t n)
{
	size_t most = (size_t)c->t->opt->table_length;

	return n < most ? n : most;
}

void timecolumns_begin(struct timecolumns *c, const char *file, struct arena *mem)
{
	static const struct file_sum none = { .name = "" };
	const struct line_sums *all = c->t->view->line_sums;
	struct keyed *order;

	if (!all)
		return;
	c->file = line_sums_find(all, file);
	if (c->file)
		bitset_add(c->has_shown, (size_t)(c->file - all->file));
	else
		c->file = &none;
	c->next = 0;
	order = arena_array(mem, struct keyed, c->file->nlines);
	for (uint32_t i = 0; i < c->file->nlines; i++)
		order[i] = (struct keyed){ radix_key_descending(c->file->line[i].ticks), i };
	radix_sort_keyed(order, c->file->nlines, mem);
	c->order = order;
	c->function = arena_array(mem, const char *, timecolumns_rows(c, c->file->nincluded));
	for (size_t i = 0; i < timecolumns_rows(c, c->file->nincluded); i++)
		c->function[i] =
			demangle(c->file->included[i].function, report_style(c->t->opt), mem);
}

/* Writes a blank and a number, right-aligned; blanks if it is 0, and nothing if width is 0. */
static void timecolumns_cell(struct output *out, double x, int width, int decimals)
{
	if (width > 0 && x > 0.0)
		output_format(out, " %*.*f", width, decimals, x);
	else if (width > 0)
		output_blanks(out, 1 + (size_t)width);
}

static void timecolumns_count(struct output *out, uint64_t n, int width)
{
	if (width > 0 && n > 0) {
		output_char(out, ' ');
		output_uint(out, n, width);
	} else if (width > 0) {
		output_blanks(out, 1 + (size_t)width);
	}
}

void timecolumns_put(const struct text *t, const struct timecolumns_widths *w,
		     const struct listing_line *line, struct output *out)
{
	double self = line->time.self, total = t->a->costs.total;
	bool whole = fabs(self - (double)(uint64_t)(self + 0.5)) < 0.05;

	if (self > 0.0)
		output_fixed(out, total > 0.0 ? 100.0 * self / total : 0.0, w->share, 1);
	else
		output_blanks(out, (size_t)w->share);
	timecolumns_cell(out, self / t->rate, w->self, 2);
	timecolumns_cell(out, line->time.inclusive / t->rate, w->inclusive, 2);
	timecolumns_cell(out, self, w->samples, whole ? 0 : 1);
	timecolumns_count(out, line->ncalls, w->calls);
	timecolumns_count(out, line->line, w->line);
}

int timecolumns_width(const struct timecolumns_widths *w)
{
	const int after[] = { w->self, w->inclusive, w->samples, w->calls, w->line };
	int width = w->share;

	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++)
		width += after[i] > 0 ? 1 + after[i] : 0;
	return width;
}

static const struct timecolumns_widths timecolumns_widths = { .share = 7, .self = 9, .samples = 8 };

static void timecolumns_write(const struct timecolumns *c, double ticks, struct output *out)
{
	const struct listing_line line = { .time.self = ticks };
	bool hot = text_is_hot(ticks, c->t->a->costs.total);

	if (hot)
		output_style(out, STYLE_HOT);
	timecolumns_put(c->t, &timecolumns_widths, &line, out);
	if (hot)
		output_style(out, STYLE_PLAIN);
	output_char(out, ' ');
}

void timecolumns_head(const struct timecolumns *c, struct output *out)
{
	if (!c->t->view->line_sums)
		return;
	output_style(out, STYLE_COLUMNS);
	output_format(out, " %% time %9.100s  samples       calls", c->t->dimension);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

void timecolumns_line(struct timecolumns *c, unsigned line, struct output *out)
{
	if (!c->t->view->line_sums)
		return;
	while (c->next < c->file->nlines && c->file->line[c->next].line < line)
		c->next++;
	if (c->next < c->file->nlines && c->file->line[c->next].line == line) {
		timecolumns_write(c, c->file->line[c->next].ticks, out);
		c->shown += c->file->line[c->next++].ticks;
	} else {
		output_blanks(out, (size_t)timecolumns_width(&timecolumns_widths) + 1);
	}
}

static void timecolumns_title(const struct timecolumns *c, const char *title, const char *what,
			      struct output *out)
{
	output_text(out, "\n");
	output_style(out, STYLE_TITLE);
	output_text(out, title);
	output_style(out, STYLE_PLAIN);
	output_text(out, "\n\n");
	output_style(out, STYLE_COLUMNS);
	output_format(out, " %% time %9.100s  samples %s", c->t->dimension, what);
	output_style(out, STYLE_PLAIN);
	output_text(out, "\n\n");
}

void timecolumns_tables(const struct timecolumns *c, struct output *out)
{
	const struct file_sum *file = c->file;
	size_t nlines, nincluded;
	double more = 0.0;

	if (!c->t->view->line_sums)
		return;
	nlines = timecolumns_rows(c, file->nlines);
	nincluded = timecolumns_rows(c, file->nincluded);
	if (nlines > 0)
		timecolumns_title(c, "Lines with most time:", "     line", out);
	for (size_t i = 0; i < nlines; i++) {
		const struct line_sum *line = &file->line[c->order[i].id];

		timecolumns_write(c, line->ticks, out);
		output_format(out, "%9u\n", line->line);
	}
	if (nincluded > 0)
		timecolumns_title(c, "Code of other files in functions of this one:", "line", out);
	for (size_t i = 0; i < nincluded; i++) {
		const struct included_line *line = &file->included[i];
		const char *name = labels_file(c->t, line->file);

		timecolumns_write(c, line->sum.ticks, out);
		output_name(out, name, strlen(name));
		output_format(out, ":%u in ", line->sum.line);
		output_name(out, c->function[i], strlen(c->function[i]));
		output_char(out, '\n');
	}
	for (size_t i = nincluded; i < file->nincluded; i++)
		more += file->included[i].sum.ticks;
	if (nincluded > 0 && nincluded < file->nincluded) {
		timecolumns_write(c, more, out);
		output_format(out, "%zu more\n", file->nincluded - nincluded);
	}
}

/* Sets `most` to the files with most time that were not shown, sorted by descending time; returns
 * their number. */
static size_t timecolumns_other_files(const struct timecolumns *c,
				      const struct file_sum *most[MOST_FILES])
{
	const struct line_sums *all = c->t->view->line_sums;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct file_sum *file = &all->file[i];
		size_t at;

		if (file->nlines == 0 || bitset_has(c->has_shown, i))
			continue;
		at = n < MOST_FILES ? n++ : MOST_FILES;
		for (; at > 0 && most[at - 1]->ticks < file->ticks; at--) {
			if (at < MOST_FILES)
				most[at] = most[at - 1];
		}
		if (at < MOST_FILES)
			most[at] = file;
	}
	return n;
}

/* Returns the difference of two ascending sums; 0 if rounding made it negative. */
static double timecolumns_rise(double from, double to)
{
	return to > from ? to - from : 0.0;
}

void timecolumns_rest(const struct timecolumns *c, struct output *out)
{
	const struct text *t = c->t;
	const struct line_sums *all = t->view->line_sums;
	const struct file_sum *most[MOST_FILES];
	double known = 0.0;
	size_t nfiles;

	if (!all)
		return;
	for (size_t i = 0; i < all->n; i++)
		known += all->file[i].ticks;
	nfiles = timecolumns_other_files(c, most);
	output_format(out, "\nOf %.2f %.100s, %.2f are on the lines above, %.2f on other lines",
		      t->a->costs.total / t->rate, t->dimension, c->shown / t->rate,
		      timecolumns_rise(c->shown, known) / t->rate);
	for (size_t i = 0; i < nfiles; i++) {
		const char *file = labels_file(t, most[i]->name);

		output_text(out, i == 0 ? " (mostly " : ", ");
		output_name(out, file, strlen(file));
		output_format(out, " %.2f", most[i]->ticks / t->rate);
	}
	output_text(out, nfiles > 0 ? ")" : "");
	output_format(out, ", %.2f in code without lines or not chosen.\n",
		      timecolumns_rise(known, t->a->costs.total) / t->rate);
}

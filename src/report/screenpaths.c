/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "report/screenpaths.h"

#include "base/display_width.h"
#include "base/join.h"
#include "base/short_name.h"
#include "report/labels.h"

/* Lines above a list, the fewest lines of one, and the columns of its parts. */
enum { ABOVE = 2, FEWEST = 2, SHARE_WIDTH = 6, SPACE = 2, INDENT = 2, KIND_WIDTH = 9 };

/* A line of a list. */
struct screenpath {
	double share;     /* 0 to 1 */
	const char *kind; /* or NULL */
	uint32_t indent;  /* columns */
	struct shown name, place;
};

struct screenpaths {
	const struct text *t;
	const char *share, *kind, *name; /* heads; kind may be NULL */
	struct screenpath *row;
	struct short_name *part; /* of each row's function */
	uint32_t n;
	struct arena *mem;
};

static void screenpaths_name(struct screenpaths *s, uint32_t i, sym_id function)
{
	const char *name = s->t->a->program->symtab.sym[function].name;

	s->part[i] = short_name_make(demangle(name, report_style(s->t->opt), s->mem), s->mem);
}

/* Fills in the name of a function, and its line or else its library. */
static void screenpaths_fill(struct screenpaths *s, uint32_t i, const struct location *line)
{
	const struct short_name *part = &s->part[i];
	const char *place = "";

	s->row[i].name = display_width_show(part->name, s->mem);
	if (line->file)
		place = join_format(s->mem, "%.120s:%u", labels_file(s->t, line->file), line->line);
	else if (part->library)
		place = short_name_library(part->library, s->mem);
	if (part->inlined)
		place = JOIN(s->mem, place, *place ? " " : "", "inlined");
	s->row[i].place = display_width_show(place, s->mem);
}

/* Writes a line whose places begin at the column `place`. */
static void screenpaths_write_line(const struct screenpaths *s, const struct screenpath *row,
				   uint32_t place, struct output *out)
{
	uint32_t before = SHARE_WIDTH + SPACE + (s->kind ? KIND_WIDTH + SPACE : 0) + row->indent;
	uint32_t columns = s->t->view->top->columns, room = place > before ? place - before : 1;
	struct shown name = row->name;

	output_fixed(out, 100.0 * row->share, SHARE_WIDTH, 1);
	output_blanks(out, SPACE);
	if (s->kind) {
		struct shown kind = display_width_cut_end(row->kind, KIND_WIDTH, s->mem);

		output_text(out, kind.text);
		output_blanks(out, KIND_WIDTH + SPACE - kind.columns);
	}
	output_blanks(out, row->indent);
	if (place < columns && row->place.columns > 0)
		room -= SPACE < room ? SPACE : 0;
	if (name.columns > room)
		name = display_width_cut_name(
			name.text,
			room < DISPLAY_WIDTH_GAP_COLUMNS ? DISPLAY_WIDTH_GAP_COLUMNS : room,
			s->mem);
	output_text(out, name.text);
	if (place < columns && row->place.columns > 0) {
		output_blanks(out, place - before - name.columns);
		output_text(
			out,
			display_width_cut_middle(row->place.text, columns - place, s->mem).text);
	}
	output_char(out, '\n');
}

/* Returns the column at which places begin; the number of all columns if there is no room. */
static uint32_t screenpaths_place(const struct screenpaths *s)
{
	uint32_t columns = s->t->view->top->columns, names = 0, places = 0;
	uint32_t before = SHARE_WIDTH + SPACE + (s->kind ? KIND_WIDTH + SPACE : 0);

	for (uint32_t i = 0; i < s->n; i++) {
		const struct screenpath *row = &s->row[i];
		uint32_t name = row->indent + row->name.columns;

		names = name > names ? name : names;
		places = row->place.columns > places ? row->place.columns : places;
	}
	if (places == 0 || before + columns / 4 + SPACE + places > columns)
		return columns;
	if (before + names + SPACE + places <= columns)
		return before + names + SPACE;
	return columns - places;
}

static uint32_t screenpaths_write(const struct screenpaths *s, struct output *out)
{
	uint32_t place = screenpaths_place(s);
	uint32_t columns = s->t->view->top->columns;
	const char *head = s->kind ? join_format(s->mem, "%*s  %-*s  %s", SHARE_WIDTH, s->share,
						 KIND_WIDTH, s->kind, s->name)
				   : join_format(s->mem, "%*s  %s", SHARE_WIDTH, s->share, s->name);

	output_char(out, '\n');
	output_style(out, STYLE_COLUMNS);
	output_text(out, display_width_cut_end(head, columns, s->mem).text);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
	for (uint32_t i = 0; i < s->n; i++)
		screenpaths_write_line(s, &s->row[i], place, out);
	return ABOVE + s->n;
}

/* Leaves the lightest frames out until n are left; of equal ones the last, as it is below others.
 */
static uint32_t screenpaths_choose(const struct top *top, uint32_t n, struct top_frame *frames)
{
	uint32_t left = top->nframes;

	memcpy(frames, top->frame, left * sizeof(*frames));
	for (; left > n; left--) {
		uint32_t least = 0;

		for (uint32_t i = 1; i < left; i++) {
			if (frames[i].ticks <= frames[least].ticks)
				least = i;
		}
		memmove(frames + least, frames + least + 1, (left - least - 1) * sizeof(*frames));
	}
	return left;
}

uint32_t screenpaths_write_frames(const struct text *t, uint32_t room, struct output *out)
{
	const struct top *top = t->view->top;
	struct arena scratch = arena_scratch(t->mem);
	struct screenpaths s = {
		.t = t, .share = "incl.%", .name = "where it goes", .mem = &scratch
	};
	struct top_frame frames[TOP_FRAMES];
	uint32_t written = 0;

	s.n = screenpaths_choose(top, room > ABOVE ? room - ABOVE : 0, frames);
	if (s.n >= FEWEST ||
	    (s.n == 1 && top->nframes == 1 && frames[0].function != top->row[0].function)) {
		s.row = arena_array(&scratch, struct screenpath, s.n);
		s.part = arena_array(&scratch, struct short_name, s.n);
		for (uint32_t i = 0; i < s.n; i++)
			screenpaths_name(&s, i, frames[i].function);
		short_name_tell_apart(s.part, s.n, s.mem);
		for (uint32_t i = 0; i < s.n; i++) {
			s.row[i].share = frames[i].ticks / top->total;
			s.row[i].indent = INDENT * frames[i].depth;
			screenpaths_fill(&s, i, &frames[i].line);
		}
		written = screenpaths_write(&s, out);
	}
	arena_free(&scratch);
	return written;
}

uint32_t screenpaths_write_waits(const struct text *t, uint32_t room, struct output *out)
{
	const struct top *top = t->view->top;
	struct arena scratch = arena_scratch(t->mem);
	struct screenpaths s = {
		.t = t, .share = "waits%", .kind = "for", .name = "in", .mem = &scratch
	};
	uint32_t written = 0;

	s.n = room > ABOVE ? room - ABOVE : 0;
	s.n = top->nwaits < s.n ? top->nwaits : s.n;
	if (s.n > 0) {
		s.row = arena_array(&scratch, struct screenpath, s.n);
		s.part = arena_array(&scratch, struct short_name, s.n);
		for (uint32_t i = 0; i < s.n; i++) {
			const struct top_wait *wait = &top->wait[i];

			s.row[i].share = wait->share;
			s.row[i].kind = wait->kind;
			if (wait->function == SYM_NONE) {
				s.row[i].name = display_width_show("[libraries]", s.mem);
				continue;
			}
			screenpaths_name(&s, i, wait->function);
			screenpaths_fill(&s, i, &wait->line);
		}
		written = screenpaths_write(&s, out);
	}
	arena_free(&scratch);
	return written;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first screen: properties of the profile, findings, and the functions with most time. Lines
 * wider than the screen are cut, with a mark. */
#include "config.h"

#include "base/display_width.h"
#include "base/join.h"
#include "base/radix.h"
#include "base/short_name.h"
#include "report/labels.h"
#include "report/screenpaths.h"
#include "report/screentable.h"
#include "report/views.h"

#include <inttypes.h>

enum {
	FEWEST_ROWS = 3, /* rows of the table for which there is always room */
	GOOD_ROWS = 5,   /* rows for which the lists above leave room if they have good_share */
	MOST_WRONG = 8   /* findings that are listed */
};

/* The share of all time that makes a row of the table worth more than a line of the lists above. */
static const double good_share = 0.05;

/*
 * How many lines the list of programs above the screen takes, besides a line for each program: if
 * processes are listed, too, and if not.
 */
enum { PROGRAMS_LINES = 6, PROGRAMS_SHORT_LINES = 3 };

/* The state of writing the screen. */
struct screen {
	const struct text *t;
	const struct top *top;
	struct arena *mem;
	bool estimated;  /* inclusive times are estimated */
	uint32_t nlines; /* lines written */
};

static void screen_end_line(struct screen *s, struct output *out)
{
	output_char(out, '\n');
	s->nlines++;
}

/* Writes a line, cut if it is too long. */
static void screen_write_line(struct screen *s, enum output_style style, const char *text,
			      struct output *out)
{
	struct shown shown = display_width_cut_end(text, s->top->columns, s->mem);

	if (style != STYLE_PLAIN)
		output_style(out, style);
	output_text(out, shown.text);
	if (style != STYLE_PLAIN)
		output_style(out, STYLE_PLAIN);
	screen_end_line(s, out);
}

/* Writes items in sequence, in as many lines as they take, and ends the current style. */
static void screen_write_items(struct screen *s, const char *const *item, size_t n,
			       struct output *out)
{
	uint32_t used = 0;

	for (size_t i = 0; i < n; i++) {
		/* Leave room for the comma after the item. */
		struct shown shown = display_width_cut_end(item[i], s->top->columns - 1, s->mem);

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

static void screen_write_program(struct screen *s, struct output *out)
{
	struct shown path = display_width_cut_middle(s->top->program, s->top->columns - 1, s->mem);
	size_t nfiles = s->t->a->profile->files.n, n = 0;
	const char *item[5];

	item[n++] = path.text;
	if (s->top->ending)
		item[n++] = s->top->ending;
	if (s->top->killed)
		item[n++] = s->top->killed;
	if (nfiles > 1 && s->top->nprocesses == 0)
		item[n++] = join_format(s->mem, "%zu data files", nfiles);
	if (s->top->written)
		item[n++] = join_format(s->mem, "written %s", s->top->written);
	output_style(out, STYLE_ENTRY);
	screen_write_items(s, item, n, out);
}

/* " and 0.32 s more without samples", if that is a tenth of all or more; or "". */
static const char *screen_unsampled(const struct screen *s)
{
	uint64_t ns = text_without_samples(s->t);

	if (ns == 0 || ns < s->t->a->processes.covered / 10)
		return "";
	return join_format(s->mem, " and %.2f s more without samples", (double)ns / 1e9);
}

/* The time that is shown, and its samples. */
static size_t screen_add_time(struct screen *s, const char **item)
{
	const struct text *t = s->t;
	const struct top *top = s->top;
	bool cpu = t->waits || (top->elapsed_s > 0.0 && top->is_cpu);
	size_t n = 0;

	if (top->total <= 0.0) {
		item[n++] = "no samples";
		return n;
	}
	item[n++] = join_format(s->mem, "%.2f %.60s%s%s", top->total / t->rate, screentable_unit(t),
				cpu ? " on the CPU" : clock_words(&t->a->costs.origin.clock),
				cpu ? screen_unsampled(s) : "");
	if (!analysis_is_exact(s->t->a))
		item[n++] =
			join_format(s->mem, "%.0f sample%s (shares good to +-%.1f %%)", top->total,
				    top->total == 1.0 ? "" : "s", 100.0 * top->error);
	return n;
}

static const char *screen_calls(const struct screen *s)
{
	const double part = recorded_counted_part(&s->t->a->profile->recorded);
	const uint64_t entries = recorded_entries(&s->t->a->profile->recorded);
	const uint64_t ncalls = s->top->ncalls;

	if (part > 0.0 && entries > 0)
		return join_format(s->mem,
				   "%" PRIu64 " call%s (%.1f %% of call sites counted, and %" PRIu64
				   " functions)",
				   ncalls, screen_plural(ncalls), 100.0 * part, entries);
	if (part > 0.0)
		return join_format(s->mem, "%" PRIu64 " call%s (%.1f %% of call sites counted)",
				   ncalls, screen_plural(ncalls), 100.0 * part);
	return join_format(s->mem, "%" PRIu64 " call%s", ncalls, screen_plural(ncalls));
}

static void screen_write_facts(struct screen *s, struct output *out)
{
	const struct top *top = s->top;
	const char *item[8];
	size_t n = 0;

	if (top->elapsed_s > 0.0)
		item[n++] = join_format(s->mem, "%.2f s elapsed", top->elapsed_s);
	n += screen_add_time(s, item + n);
	if (top->nprocesses > 1)
		item[n++] = join_format(s->mem, "%" PRIu32 " processes", top->nprocesses);
	if (top->nthreads > top->nprocesses && top->nthreads > 1)
		item[n++] = join_format(s->mem, "%" PRIu32 " threads", top->nthreads);
	if (s->t->a->costs.origin.range)
		; /* calls are not recorded by time */
	else if (top->ncalls > 0)
		item[n++] = screen_calls(s);
	else if (top->nprocesses == 0)
		item[n++] = "calls were not counted";
	if (top->uncounted)
		item[n++] = join_format(s->mem, "none in %s: --run=calls=libs", top->uncounted);
	if (top->more)
		item[n++] = top->more;
	screen_write_items(s, item, n, out);
}

static const char *screen_stacks(struct screen *s)
{
	const uint64_t *quality = s->t->a->costs.origin.quality;
	uint64_t n = 0;

	for (int q = 0; q < STACK_QUALITIES; q++)
		n += quality[q];
	if (n == 0 || quality[STACK_COMPLETE] == n)
		return "all times measured from call stacks";
	return join_format(s->mem, "all times measured from call stacks (%.1f %% complete)",
			   (double)text_tenths(quality[STACK_COMPLETE], n) / 10.0);
}

/* Writes the origin of the figures. */
static void screen_write_kind(struct screen *s, struct output *out)
{
	const struct costs_origin *origin = &s->t->a->costs.origin;
	const char *item[6];
	size_t n = 0;

	if (s->top->total <= 0.0)
		return;
	if (origin->measured) {
		item[n++] = screen_stacks(s);
	} else {
		item[n++] = "self measured";
		if (s->estimated)
			item[n++] = "~ estimated from numbers of calls";
	}
	if (origin->left_out > 0)
		item[n++] = join_format(s->mem, "%" PRIu64 " more sample%s in the profiler",
					origin->left_out, screen_plural(origin->left_out));
	if (origin->range)
		item[n++] = origin->range;
	if (origin->threads)
		item[n++] = join_format(s->mem, "of thread %.100s", origin->threads);
	if (!analysis_is_exact(s->t->a) || s->top->has_wait_errors)
		item[n++] = join_format(s->mem, "+- at %g %%", s->top->level);
	screen_write_items(s, item, n, out);
}

static void screen_write_wrong(struct screen *s, struct output *out)
{
	size_t n = s->top->nwrong, most = MOST_WRONG;

	for (size_t i = 0; i < n && i < most; i++)
		screen_write_line(s, STYLE_ENTRY, s->top->wrong[i], out);
	if (n > most)
		screen_write_line(s, STYLE_ENTRY,
				  join_format(s->mem, "! and %zu more: gprof --explain", n - most),
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
		text = join_format(s->mem,
				   "A cycle of functions has %.1f %% of the time: ~ is without "
				   "calls inside it",
				   percent);
	else
		text = join_format(s->mem,
				   "%" PRIu32 " cycles, the largest with %.1f %% of the time: ~ is "
				   "without calls inside them",
				   top->ncycles, percent);
	screen_write_line(s, STYLE_PLAIN, text, out);
}

/* The lines below the table: how many more functions there are, and what to type next. */
static uint32_t screen_below(const struct screen *s)
{
	return s->top->next ? 2 : 1;
}

/* Returns the number of rows that fit into the table. */
static uint32_t screen_room(const struct screen *s)
{
	const struct top *top = s->top;
	uint32_t above = s->nlines + 2, below = screen_below(s);

	if (top->lines == 0)
		return top->most;
	if (top->lines < above + below + FEWEST_ROWS)
		return FEWEST_ROWS;
	/* With all rows shown, no line is needed to say that there are more. */
	if (top->nsampled + below - 1 <= top->lines - above)
		return top->nsampled;
	return top->lines - above - below;
}

/* Returns how many rows are worth more than paths: those with much time, or else the first few. */
static uint32_t screen_good_rows(const struct screen *s)
{
	uint32_t n = 0;

	while (n < s->top->nrows && n < GOOD_ROWS &&
	       (n < FEWEST_ROWS || s->top->row[n].self >= good_share * s->top->total))
		n++;
	return n;
}

/* Writes the lists above the table, which keeps enough lines for a few rows. */
static void screen_write_lists(struct screen *s, struct output *out)
{
	const struct top *top = s->top;
	uint32_t kept = 2 + screen_below(s) + screen_good_rows(s);
	bool limited = top->lines > 0;

	for (int waits = 1; waits >= 0; waits--) {
		uint32_t free = top->lines > s->nlines + kept ? top->lines - s->nlines - kept : 0;

		if (waits && top->waits_lead)
			s->nlines +=
				screenpaths_write_waits(s->t, limited ? free : UINT32_MAX, out);
		else if (!waits && top->nframes > 0)
			s->nlines +=
				screenpaths_write_frames(s->t, limited ? free : UINT32_MAX, out);
	}
}

/* Writes the whole command or, if that is too long, its option, or nothing. */
static void screen_write_next(struct screen *s, struct output *out)
{
	const char *line;

	if (!s->top->next)
		return;
	line = JOIN(s->mem, "next: ", s->top->next);
	if (display_width_show(line, s->mem).columns > s->top->columns)
		line = JOIN(s->mem, "next: ", s->top->next_short);
	if (display_width_show(line, s->mem).columns <= s->top->columns)
		screen_write_line(s, STYLE_ENTRY, line, out);
}

static void screen_write_table(struct screen *s, struct output *out)
{
	uint32_t room = screen_room(s), n = s->top->nrows < room ? s->top->nrows : room;

	screen_end_line(s, out);
	screentable_write(s->t, n, out);
	if (s->top->nsampled > n)
		screen_write_line(
			s, STYLE_PLAIN,
			join_format(s->mem,
				    "%" PRIu32 " more function%s with samples: --top=%" PRIu32,
				    s->top->nsampled - n, screen_plural(s->top->nsampled - n),
				    s->top->nsampled),
			out);
}

enum { SCREEN_MOST_WAITS = 4 };

/* A number of seconds after some text, in mem. */
static const char *screen_add_wait(const struct text *t, const char *before, double ticks,
				   struct arena *mem)
{
	return join_format(mem, "%s %.2f s", before, ticks / t->waits->rate);
}

/* The error of a symbol's waiting, if it is known and would not be shown as 0. */
static const char *screen_wait_error(const struct text *t, sym_id s, struct arena *mem)
{
	const double *self = t->a->costs.wait_errors.self;
	double error = self ? t->view->top->z * self[s] / t->waits->rate : 0.0;

	return error >= 0.005 ? join_format(mem, " +-%.2f", error) : "";
}

/* "read" for "[waiting: read]"; other names are unchanged. */
static const char *screen_wait_name(const struct text *t, sym_id s, struct arena *mem)
{
	static const char head[] = "[waiting: ";
	const char *name = t->a->program->symtab.sym[s].name;
	size_t n = sizeof(head) - 1;

	return strncmp(name, head, n) == 0 ? arena_strndup(mem, name + n, strlen(name + n) - 1)
					   : name;
}

/*
 * Returns, in mem, "waiting 12.61 s: read 9.31 s +-0.12, futex 3.30 s +-0.12", after text_queued()
 * if that is not 0. t->waits must not be NULL. Linear in symbols.
 */
static const char *screen_describe_waits(const struct text *t, struct arena *mem)
{
	const double *self = t->waits->self;
	uint32_t n = 0, nsyms = t->a->program->symtab.nsyms;
	struct keyed *order = arena_array(mem, struct keyed, nsyms);
	const char *line = "waiting";
	double queued = text_queued(t);
	double others = 0.0;

	if (queued > 0.0)
		line = join_format(mem, "%.2f s ready to run, while others ran; waiting", queued);
	line = screen_add_wait(t, line, t->waits->total, mem);

	for (sym_id s = 0; s < nsyms; s++) {
		if (self[s] > 0.0)
			order[n++] = (struct keyed){ radix_key_descending(self[s]), s };
	}
	radix_sort_keyed(order, n, mem);
	for (uint32_t i = 0; i < n; i++) {
		sym_id s = order[i].id;

		if (i >= SCREEN_MOST_WAITS)
			others += self[s];
		else
			line = screen_add_wait(
				t,
				JOIN(mem, line, i == 0 ? ": " : ", ", screen_wait_name(t, s, mem)),
				self[s], mem);
		if (i < SCREEN_MOST_WAITS)
			line = JOIN(mem, line, screen_wait_error(t, s, mem));
	}
	return others > 0.0 ? screen_add_wait(t, JOIN(mem, line, ", others"), others, mem) : line;
}

static const char *screen_short_name(struct screen *s, sym_id function)
{
	const struct text *t = s->t;
	const char *name = t->a->program->symtab.sym[function].name;

	return short_name_make(demangle(name, report_style(t->opt), s->mem), s->mem).name;
}

/* "work" or, with its callers, "serve > slow_path > work". */
static const char *screen_clock_path(struct screen *s, const struct top_clock_row *row,
				     bool callers)
{
	const char *path = screen_short_name(s, row->function);

	for (uint32_t k = 0; callers && k < TOP_CALLERS && row->caller[k] != SYM_NONE; k++)
		path = join_format(s->mem, "%.100s > %.300s", screen_short_name(s, row->caller[k]),
				   path);
	return path;
}

/* Adds the functions of a clock to a line: "critical path (--clock=critical): parse 61.2 %, flush
 * 20.0 %". */
static void screen_write_clock(struct screen *s, const char *line, const struct top_clock *clock,
			       bool callers, struct output *out)
{
	for (uint32_t i = 0; i < clock->nrows; i++) {
		const struct top_clock_row *row = &clock->row[i];

		line = join_format(s->mem, "%s%s %.400s %.1f %%", line, i == 0 ? ":" : ",",
				   screen_clock_path(s, row, callers), 100.0 * row->share);
	}
	if (clock->nrows > 0)
		screen_write_line(s, STYLE_PLAIN, line, out);
}

/* The least share of waiting that is for locks, and said. */
#define LEAST_BLAME 0.05

/* "others waited 6.70 s for locks held in (--blame): serve > slow_path > work 97.0 %". */
static void screen_write_blame(struct screen *s, struct output *out)
{
	const struct top_clock *blame = &s->top->blame;

	if (blame->nrows == 0 || (double)blame->total < LEAST_BLAME * s->t->waits->total)
		return;
	screen_write_clock(s,
			   join_format(s->mem, "others waited %.2f s for locks held in (--blame)",
				       (double)blame->total / s->t->waits->rate),
			   blame, true, out);
}

/* "phases (--from, --to): 0.00-0.63 s parse 100 %, 0.63-1.76 s solve 98 %". */
static void screen_write_phases(struct screen *s, struct output *out)
{
	const struct top *top = s->top;
	const char *line = "phases (--from, --to)";

	for (uint32_t i = 0; i < top->nphases; i++) {
		const struct top_phase *phase = &top->phase[i];

		line = join_format(s->mem, "%s%s %.2f-%.2f s %.100s %.0f %%", line,
				   i == 0 ? ":" : ",", phase->from, phase->to,
				   screen_short_name(s, phase->function), 100.0 * phase->share);
	}
	if (top->nphases > 0)
		screen_write_line(s, STYLE_PLAIN, line, out);
}

void screen_write(const struct text *t, struct output *out)
{
	struct arena scratch = arena_scratch(t->mem);
	struct screen s = { .t = t, .top = t->view->top, .mem = &scratch };

	s.estimated = screentable_is_estimated(t);
	progress_step(t->progress, "writing the first screen", 0);
	text_page(out);
	/* Above the first screen of a run of several processes is the list of programs. */
	if (t->reports & REPORT_PROCESSES)
		s.nlines = t->a->processes.nprograms + PROGRAMS_LINES;
	else if (t->reports & REPORT_PROGRAMS)
		s.nlines = processes_on_screen(&t->a->processes) + PROGRAMS_SHORT_LINES;
	screen_write_program(&s, out);
	screen_write_facts(&s, out);
	screen_write_kind(&s, out);
	if (t->waits)
		screen_write_line(&s, STYLE_PLAIN, screen_describe_waits(t, &scratch), out);
	screen_write_clock(&s, "critical path (--clock=critical)", &s.top->critical, false, out);
	screen_write_blame(&s, out);
	screen_write_phases(&s, out);
	screen_write_wrong(&s, out);
	screen_write_cycles(&s, out);
	screen_write_lists(&s, out);
	if (s.top->nrows > 0)
		screen_write_table(&s, out);
	screen_write_next(&s, out);
	arena_free(&scratch);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the threads that have call stacks. */
#include "config.h"

#include "base/radix.h"
#include "report/views.h"

#include <inttypes.h>
#include <string.h>

#define THREADS_TITLE "How to read the list of threads\n"
#define THREADS_COLUMNS                                                       \
	"\n"                                                                  \
	" % time       share of all samples that were taken in this thread\n" \
	" sampled      time by its samples; the list is sorted by it\n"       \
	" CPU          time that it used as the kernel says, while it was recorded\n"
#define THREADS_NAMES                                      \
	" number       its number, as the kernel has it\n" \
	" name         its name, as --thread-view=NAME wants it\n"

static const struct explanation threads_explanation = {
	THREADS_TITLE,
	THREADS_COLUMNS THREADS_NAMES,
	"",
	NULL,
};

static const struct explanation threads_watched = {
	THREADS_TITLE,
	THREADS_COLUMNS " waiting      time that it was blocked, by the clock\n"
			" runnable     time that it could have run, but others ran instead\n"
			" life         time that it was watched\n" THREADS_NAMES,
	"The waiting of idle threads, blocked in one place for over 95 % of their life, is in no\n"
	"other report, unless with --thread-view=all or their name.\n",
	NULL,
};

enum { COLUMN = 8 };

/* Whether the lifetime of any thread is known. */
static bool threads_are_watched(const struct recorded *recorded)
{
	for (size_t i = 0; i < recorded->threads.n; i++) {
		if (recorded->threads.at[i].life_ns > 0)
			return true;
	}
	return false;
}

static void threads_write_heads(const struct text *t, bool watched, struct output *out)
{
	const struct clock *clock = &t->a->costs.origin.clock;

	text_heading(out, STYLE_TITLE, "Threads, from call stacks:\n\n");
	text_unit_line(t, TEXT_NO_INTERVALS, out);
	output_format(out, "\n  %%     %7s      CPU",
		      clock_is_waiting(clock)       ? "waiting"
		      : !clock_is_attributed(clock) ? "sampled"
		      : clock->kind == clock->blame ? "blamed"
						    : "elapsed");
	if (t->waits)
		output_text(out, "  waiting");
	output_text(out, watched ? " runnable     life\n" : "\n");
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%5.5s %9.9s %8.8s", "time", t->dimension, "seconds");
	for (int i = 0; i < (t->waits ? 1 : 0) + (watched ? 2 : 0); i++)
		output_format(out, " %*s", COLUMN, "seconds");
	output_format(out, " %8.8s  name", "number");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

static void threads_put_seconds(struct output *out, double seconds)
{
	output_char(out, ' ');
	output_fixed(out, seconds, COLUMN, 2);
}

static void threads_write_row(const struct text *t, uint32_t i, double total, bool watched,
			      struct output *out)
{
	const struct costs_origin *origin = &t->a->costs.origin;
	const struct recorded_thread *thread = &origin->recorded->threads.at[i];
	const char *name = recorded_thread_called(thread);
	double ticks = (double)origin->of_thread[i];

	output_fixed(out, total > 0.0 ? 100.0 * ticks / total : 0.0, 5, 1);
	output_char(out, ' ');
	output_fixed(out, ticks / t->rate, 9, 2);
	threads_put_seconds(out, (double)thread->cpu_ns / 1e9);
	if (t->waits)
		threads_put_seconds(out, (double)t->waits->of_thread[i] / t->waits->rate);
	if (watched) {
		threads_put_seconds(out, (double)thread->runnable_ns / 1e9);
		threads_put_seconds(out, (double)thread->life_ns / 1e9);
	}
	output_format(out, " %8" PRIu32 "  ", thread->tid);
	output_name(out, name, strlen(name));
	if (origin->clock.idle.bits && bitset_has(origin->clock.idle, i))
		output_text(out, " (idle)");
	output_char(out, '\n');
}

void threads_write(const struct text *t, struct output *out)
{
	const struct costs_origin *origin = &t->a->costs.origin;
	const struct recorded *recorded = origin->recorded;
	bool watched = threads_are_watched(recorded);
	struct arena scratch = arena_scratch(t->mem);
	size_t n = recorded->threads.n;
	struct keyed *order = arena_array(&scratch, struct keyed, n);
	double total = 0.0;

	for (size_t i = 0; i < n; i++) {
		order[i] = (struct keyed){ ~origin->of_thread[i], (uint32_t)i };
		total += (double)origin->of_thread[i];
	}
	radix_sort_keyed(order, n, &scratch);
	text_page(out);
	threads_write_heads(t, watched, out);
	for (size_t i = 0; i < n; i++) {
		uint32_t id = order[i].id;

		if (origin->of_thread[id] == 0 && recorded->threads.at[id].cpu_ns == 0 &&
		    !(t->waits && t->waits->of_thread[id] > 0) && !t->opt->zeros)
			continue;
		threads_write_row(t, id, total, watched, out);
	}
	if (!t->opt->brief)
		text_explain(t, watched ? &threads_watched : &threads_explanation, out);
	arena_free(&scratch);
}

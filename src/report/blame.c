/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes who held others up, and who waited for which lock. */
#include "config.h"

#include "report/labels.h"
#include "report/views.h"

#include <inttypes.h>
#include <string.h>

static const struct explanation blame_explanation = {
	"How to read who held others up\n",
	"\n"
	" % time       share of all that threads waited for locks, and to be woken\n"
	" waited       for how long others waited for locks that this function had, or for it to\n"
	"              wake them\n"
	" holder       the function that had the lock, and its line; below it, the functions that\n"
	"              waited, the line where they did, and the lock: a variable of the program, or\n"
	"              where a thread was first seen waiting for it; \"to be woken at\" names a\n"
	"              condition or semaphore, which the holder was to signal or post, or a\n"
	"              barrier, at which it came last\n",
	"Who wakes a thread is known when the wait is over. Meanwhile the one that has woken such\n"
	"threads last is taken for the one that will. [not woken yet] has waits that had not ended\n"
	"when the recording did, such as those of idle threads of a pool.\n"
	"\n"
	"Functions are the user's own: what a library did is that of its caller. The waiting of\n"
	"several threads adds up, and may be longer than the run.\n",
	NULL,
};

#define BLAME_LEAST_S 0.01 /* what is shown of waiting that no lock is known for */

static const char blame_circle[] =
	"\nDeadlock: each of these waits for a lock that the next one has, and none can go on.\n\n";

static void blame_write_place(const struct text *t, const struct blame_place *place,
			      const char *unknown, struct output *out)
{
	const struct location *line = &place->line;

	if (place->function == SYM_NONE) {
		output_text(out, unknown);
		return;
	}
	labels_name_within(t, place->function, TEXT_ALL, out);
	if (!line->file)
		return;
	output_text(out, " (");
	output_name(out, labels_file(t, line->file), strlen(labels_file(t, line->file)));
	if (line->line > 0)
		output_format(out, ":%u", line->line);
	output_char(out, ')');
}

static void blame_write_lock(const struct text *t, const struct blame_lock *lock, bool woken,
			     struct output *out)
{
	const char *one = woken ? "a condition, semaphore or barrier" : "a lock";
	const char *several = woken ? "conditions, semaphores or barriers" : "locks";

	if (lock->name) {
		output_name(out, lock->name, strlen(lock->name));
	} else if (lock->first.function == SYM_NONE) {
		output_format(out, "several %s", several);
	} else {
		if (lock->n > 1)
			output_format(out, "%" PRIu32 " %s first waited for in ", lock->n, several);
		else
			output_format(out, "%s first waited for in ", one);
		blame_write_place(t, &lock->first, "", out);
	}
}

static void blame_write_times(const struct blame *blame, double ticks, struct output *out)
{
	double all = blame->total + blame->woken + blame->unwoken;

	output_fixed(out, all > 0.0 ? 100.0 * ticks / all : 0.0, 5, 1);
	output_char(out, ' ');
	output_fixed(out, ticks / blame->rate, 9, 2);
	output_text(out, "  ");
}

static void blame_write_row(const struct text *t, const struct blame_row *row, struct output *out)
{
	const struct blame *blame = t->view->blame;

	blame_write_times(blame, row->ticks, out);
	blame_write_place(t, &row->holder, row->unwoken ? "[not woken yet]" : "[holder unknown]",
			  out);
	output_char(out, '\n');
	for (uint32_t i = 0; i < row->nwaits; i++) {
		blame_write_times(blame, row->wait[i].ticks, out);
		output_text(out, "    ");
		blame_write_place(t, &row->wait[i].waiter, "[several functions]", out);
		output_text(out, row->wait[i].end != BLAME_LOCK ? " to be woken at " : " for ");
		blame_write_lock(t, &row->wait[i].lock, row->wait[i].end != BLAME_LOCK, out);
		output_char(out, '\n');
	}
}

static void blame_write_deadlocks(const struct text *t, struct output *out)
{
	const struct blame *blame = t->view->blame;

	if (blame->ndeadlocks == 0)
		return;
	text_heading(out, STYLE_TITLE, blame_circle);
	for (uint32_t i = 0; i < blame->ndeadlocks; i++) {
		const struct blame_deadlock *deadlock = &blame->deadlock[i];

		output_text(out, "  ");
		blame_write_place(t, &deadlock->waiter, "[unknown]", out);
		output_text(out, " waits for ");
		blame_write_lock(t, &deadlock->lock, false, out);
		output_text(out, ", which ");
		blame_write_place(t, &deadlock->holder, "[unknown]", out);
		output_text(out, " has\n");
	}
}

static void blame_write_head(const struct blame *blame, struct output *out)
{
	text_heading(out, STYLE_TITLE, "Who held others up, from call stacks:\n\n");
	if (blame->total > 0.0)
		output_format(out,
			      "Threads waited %.2f seconds for locks; who had the lock is known of "
			      "%.1f %%.\n",
			      blame->total / blame->rate, 100.0 * blame->known / blame->total);
	else
		output_text(out, "No thread was seen waiting for a lock that tells who has it.\n");
	if (blame->woken > 0.0)
		output_format(out,
			      "They waited %.2f seconds at conditions, semaphores and barriers; "
			      "whoever woke them is the\nholder, which is a guess while they wait: "
			      "whoever woke such threads last.\n",
			      blame->woken / blame->rate);
	if (blame->unwoken > 0.0)
		output_format(out,
			      "They waited %.2f seconds there until the recording ended, and were "
			      "not woken.\n",
			      blame->unwoken / blame->rate);
	if (blame->rest_s >= BLAME_LEAST_S)
		output_format(
			out,
			blame->woken + blame->unwoken > 0.0
				? "They waited %.2f seconds in futex() where no waker is known: "
				  "the ends of\nthreads, OpenMP's barriers, and locks that programs "
				  "make by themselves, as Python's are.\n"
				: "They waited %.2f seconds in futex() for what does not tell: "
				  "conditions, semaphores,\nthe ends of threads, and locks made of "
				  "such, as Python's are.\n",
			blame->rest_s);
}

void blame_write(const struct text *t, struct output *out)
{
	const struct blame *blame = t->view->blame;

	text_page(out);
	blame_write_head(blame, out);
	blame_write_deadlocks(t, out);
	if (blame->nrows > 0) {
		output_text(out, "\n  %      waited\n");
		output_style(out, STYLE_COLUMNS);
		output_text(out, " time   seconds  holder, and who waited for which lock");
		output_style(out, STYLE_PLAIN);
		output_char(out, '\n');
	}
	for (uint32_t i = 0; i < blame->nrows; i++)
		blame_write_row(t, &blame->row[i], out);
	if (!t->opt->brief)
		text_explain(t, &blame_explanation, out);
}

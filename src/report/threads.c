/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of which there are call stacks. */
#include "config.h"

#include "base/radix.h"
#include "report/views.h"

#include <inttypes.h>
#include <string.h>

static const struct explanation threads_explanation = {
	"How to read the list of threads\n",
	"\n"
	" % time       share of all samples that were taken in this thread\n"
	" sampled      time by its samples; the list is sorted by it\n"
	" CPU          time that it used as the kernel says, while it was recorded\n"
	" number       its number, as the kernel has it\n"
	" name         its name, as --thread-view=NAME wants it\n",
	"",
	NULL,
};

void threads_write(const struct text *t, struct output *out)
{
	const struct call_stacks *stacks = t->a->stacks;
	const struct recorded *recorded = stacks->recorded;
	struct arena scratch = arena_scratch(t->mem);
	size_t n = recorded->threads.n;
	struct keyed *order = arena_array(&scratch, struct keyed, n);
	double total = 0.0;

	for (size_t i = 0; i < n; i++) {
		order[i] = (struct keyed){ ~stacks->of_thread[i], (uint32_t)i };
		total += (double)stacks->of_thread[i];
	}
	sort_keyed(order, n, &scratch);
	text_page(out);
	text_heading(out, STYLE_TITLE, "Threads, from call stacks:\n\n");
	text_unit_line(t, TEXT_NO_INTERVALS, out);
	output_text(out, "\n  %     sampled      CPU\n");
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%5.5s %9.9s %8.8s %8.8s  name", "time", t->dimension, "seconds",
		      "number");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
	for (size_t i = 0; i < n; i++) {
		const struct recorded_thread *thread = &recorded->threads.at[order[i].id];
		double ticks = (double)stacks->of_thread[order[i].id];

		if (ticks == 0.0 && thread->cpu_ns == 0 && !t->opt->zeros)
			continue;
		output_fixed(out, total > 0.0 ? 100.0 * ticks / total : 0.0, 5, 1);
		output_char(out, ' ');
		output_fixed(out, ticks / t->rate, 9, 2);
		output_char(out, ' ');
		output_fixed(out, (double)thread->cpu_ns / 1e9, 8, 2);
		output_format(out, " %8" PRIu32 "  ", thread->tid);
		output_name(out, thread->name, strlen(thread->name));
		output_char(out, '\n');
	}
	if (!t->opt->brief)
		text_explain(t, &threads_explanation, out);
	arena_free(&scratch);
}

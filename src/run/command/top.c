/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/top.h"

#include "analysis/integer_costs.h"
#include "analysis/top.h"
#include "base/radix.h"
#include "base/window.h"
#include "run/command/examine.h"
#include "run/command/steps.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { TIME_BYTES = 40 };

/* Returns when the newest data file was written, in local time: that of a run just now. NULL if
 * none is a regular file. */
static const char *top_written(const struct session *s)
{
	const struct profile *prof = &s->profile;
	struct tm local;
	struct stat st;
	bool found = s->input->run;
	time_t newest = found ? time(NULL) : 0;
	char text[TIME_BYTES];
	size_t n;

	for (size_t i = 0; i < prof->files.n; i++) {
		if (stat(prof->files.at[i].name, &st) < 0 || !S_ISREG(st.st_mode) ||
		    (found && st.st_mtime <= newest))
			continue;
		newest = st.st_mtime;
		found = true;
	}
	if (!found || !localtime_r(&newest, &local))
		return NULL;
	n = strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &local);
	return n > 0 ? arena_strndup(s->mem, text, n) : NULL;
}

/*
 * Whether an address may be code of a row. Code of an inlined function is in other functions, so
 * any address may be.
 */
static bool top_has_address(const struct session *s, const struct bitset *shown, uint64_t pc)
{
	sym_id at = symtab_find(&s->program->symtab, pc);

	return at != SYM_NONE && (s->program->inlined || bitset_has(*shown, at));
}

/* Finds the hottest line of each row, and reads the debug information of only these functions. */
static void top_read_lines(struct session *s, const struct analysis_options *opt, struct top *top)
{
	struct arena scratch = arena_scratch(s->mem);
	struct bitset shown = bitset_empty(&scratch, s->program->symtab.nsyms);
	address_list all = { 0 }, few = { 0 };
	struct integer_costs integer_costs;
	struct line_costs_input input = { .analysis = &s->analysis,
					  .trees = session_trees(s, opt, TREES_ADDRESSES, true),
					  .integer_costs = &integer_costs,
					  .inlined = s->program->inlined };
	struct line_table lines;
	struct line_costs costs;

	integer_costs = integer_costs_make(&s->analysis, &scratch);
	for (uint32_t i = 0; i < top->nrows; i++)
		bitset_add(shown, top->row[i].function);
	line_costs_want(&input, &all, &scratch);
	for (size_t i = 0; i < all.n; i++) {
		if (top_has_address(s, &shown, all.at[i]))
			array_push(&scratch, &few) = all.at[i];
	}
	if (few.n > 0) {
		radix_sort_numbers(few.at, few.n, &scratch);
		lines = program_lines_at(s->program, s->image, &few, true, s->diag->progress,
					 s->mem);
		costs = line_costs_make(&input, &lines, &scratch);
		top->row = top_add_lines(top, &costs, s->mem);
	}
	arena_free(&scratch);
}

/* Makes as many rows as the user wants, or else as fit into the window. */
static struct top top_for(const struct session *s, uint32_t wanted, struct window_size window)
{
	uint32_t most = wanted ? wanted : window.lines ? window.lines : TOP_USUAL;
	struct top top = top_make(&s->analysis, most, s->mem);

	top.most = most;
	top.columns = window.columns < TOP_COLUMNS ? TOP_COLUMNS : window.columns;
	/* One line is left for the shell's prompt. */
	top.lines = wanted || window.lines == 0 ? 0 : window.lines - 1;
	return top;
}

const struct top *top_gather(struct session *s, const struct command *c, const struct output *out,
			     const struct line_costs *costs)
{
	struct top *top = arena_array(s->mem, struct top, 1);

	*top = out ? top_for(s, c->opt->report.top, window_size(out))
		   : top_for(s, TOP_USUAL, (struct window_size){ TOP_COLUMNS, 0 });
	if (costs)
		top->row = top_add_lines(top, costs, s->mem);
	else if (top->nrows > 0)
		top_read_lines(s, &c->opt->analysis, top);
	top->wrong = examine_causes(s, c, &top->nwrong);
	top->written = top_written(s);
	return top;
}

static int top_steps(struct steps *steps)
{
	const struct command *c = steps->c;
	struct view view;

	if (steps_read(steps) < 0 || steps_analyze(steps) < 0)
		return -1;
	steps_locate(steps);
	view = steps_view(steps);
	view.top = top_gather(&steps->session, c, c->report, NULL);
	return steps_write(steps, &view) < 0 ? -1 : steps_end(steps);
}

int top_run(const struct command *c)
{
	return steps_run(c, STEPS_ALL_FUNCTIONS, top_steps);
}

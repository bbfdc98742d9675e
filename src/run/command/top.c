/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/top.h"

#include "analysis/integer_costs.h"
#include "analysis/top.h"
#include "analysis/top_clocks.h"
#include "analysis/top_frames.h"
#include "analysis/top_waits.h"
#include "analysis/when/phases.h"
#include "base/radix.h"
#include "base/window.h"
#include "run/command/examine.h"
#include "run/command/steps.h"
#include "run/command/top_head.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { TIME_BYTES = 40 };

/* Lines of functions with a smaller share of all waiting are not looked up. */
#define LEAST_WAIT 0.02

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
 * Whether an address may be code of a row whose line is shown. Code of an inlined function is in
 * other functions, so any address may be.
 */
static bool top_has_address(const struct session *s, const struct bitset *shown, uint64_t pc)
{
	sym_id at = symtab_find(&s->program->symtab, pc);

	return at != SYM_NONE && (s->program->inlined || bitset_has(*shown, at)) &&
	       top_frames_has_line(&s->analysis, at);
}

/* The functions whose lines are shown. */
static struct bitset top_functions(const struct session *s, const struct top *top,
				   struct arena *mem)
{
	const struct costs_waits *waits = &s->analysis.costs.waits;
	struct bitset shown = bitset_empty(mem, s->program->symtab.nsyms);

	for (uint32_t i = 0; i < top->nrows; i++)
		bitset_add(shown, top->row[i].function);
	for (uint32_t i = 0; i < top->nframes; i++)
		bitset_add(shown, top->frame[i].function);
	for (sym_id i = 0; top->waits_lead && i < s->program->symtab.nsyms; i++) {
		if (waits->inclusive[i] >= LEAST_WAIT * waits->total)
			bitset_add(shown, i);
	}
	return shown;
}

/* Finds the hottest line of each row, and reads the debug information of only these functions. */
static void top_read_lines(struct session *s, const struct analysis_options *opt, struct top *top)
{
	struct arena scratch = arena_scratch(s->mem);
	struct bitset shown = top_functions(s, top, &scratch);
	address_list all = { 0 }, few = { 0 };
	struct integer_costs integer_costs;
	struct line_costs_input input = { .analysis = &s->analysis,
					  .trees = session_trees(s, opt, TREES_ADDRESSES, true),
					  .integer_costs = &integer_costs,
					  .inlined = s->program->inlined };
	struct line_table lines;
	struct line_costs costs = { 0 };

	integer_costs = integer_costs_make(&s->analysis, &scratch);
	line_costs_want(&input, &all, &scratch);
	for (size_t i = 0; i < all.n; i++) {
		if (top_has_address(s, &shown, all.at[i]))
			array_push(&scratch, &few) = all.at[i];
	}
	if (few.n > 0) {
		radix_sort_numbers(few.at, few.n, &scratch);
		lines = session_lines(s, &few);
		costs = line_costs_make(&input, &lines, &scratch);
		top_add_lines(top, &s->analysis, &costs, s->mem);
	}
	if (input.trees && few.n > 0)
		top->frame = top_waits_add_lines(&s->analysis, top->frame, top->nframes,
						 input.trees, &costs, s->mem);
	if (input.trees && top->waits_lead)
		top->wait = top_waits_make(&s->analysis, input.trees, &costs, &top->nwaits, s->mem);
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

/* Whether threads waited for longer than they were on the CPU. */
static bool top_waited_longer(const struct session *s)
{
	const struct costs *costs = &s->analysis.costs;
	const struct profile *prof = s->rebased;

	return costs->origin.clock.waiting != 0 && costs->waits.total > 0.0 &&
	       prof->unit.rate > 0 &&
	       costs->waits.total / costs->waits.rate > costs->total / (double)prof->unit.rate;
}

const struct top *top_gather(struct session *s, const struct command *c, const struct output *out,
			     const struct line_costs *costs)
{
	struct top *top = arena_array(s->mem, struct top, 1);

	*top = out ? top_for(s, c->opt->report.top, window_size(out))
		   : top_for(s, TOP_USUAL, (struct window_size){ TOP_COLUMNS, 0 });
	top->is_cpu =
		s->analysis.costs.origin.clock.kind == 0 && !unit_is_of_events(&s->rebased->unit);
	top->waits_lead = top_waited_longer(s);
	if (costs)
		top_add_lines(top, &s->analysis, costs, s->mem);
	else if (top->nrows > 0 || top->waits_lead)
		top_read_lines(s, &c->opt->analysis, top);
	top_head_describe(top, s);
	if (top->nthreads > top->nprocesses && top->nthreads > 1)
		top_clocks_find(top, &s->analysis, s->stacks, s->mem);
	if (s->stacks && !s->range && top->total > 0.0)
		phases_find(top, &s->analysis, s->stacks, s->mem);
	top_head_advise(top, s, c);
	top->wrong = examine_causes(s, c, top, &top->nwrong);
	top->written = top_written(s);
	return top;
}

static int top_steps(struct steps *steps)
{
	const struct command *c = steps->c;
	struct view view;

	steps->input.inlined_if_known = true;
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

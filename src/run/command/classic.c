/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reports that were asked for, in any combination, with the sum (-s) and exports: what gprof
 * does without an option that is a command of its own.
 */
#include "config.h"

#include "run/command/command.h"

#include "model/needs.h"
#include "run/command/blame.h"
#include "run/command/export.h"
#include "run/command/ranks.h"
#include "run/command/source_instructions.h"
#include "run/command/source_lines.h"
#include "run/command/steps.h"
#include "run/command/sum.h"
#include "run/command/top.h"

/* Checks for what reports and exports need, as far as steps_read() does not. */
static int classic_check(struct steps *steps)
{
	const struct command *c = steps->c;
	const struct session *s = &steps->session;

	if (c->opt->report.time_columns &&
	    needs_check(NEEDS_SAMPLES, "--time-columns", &s->profile, c->diag) < 0)
		return -1;
	if ((steps->reports & REPORT_RANKS ||
	     export_needs_ranks(c->exports) == EXPORT_RANKS_NEEDED) &&
	    ranks_check(s, &c->opt->ranks, c->diag) < 0)
		return -1;
	return 0;
}

/*
 * Fills in the parts of the view that only some reports show. Returns 0, or -1 after saying why
 * not.
 */
static int classic_gather(struct steps *steps, struct view *view)
{
	const struct command *c = steps->c;
	struct session *s = &steps->session;

	if (report_needs(steps->reports) & NEEDS_LINES)
		source_lines_gather_files(steps, view);
	if (steps->reports & REPORT_RANKS) {
		view->ranks = ranks_gather(s, c->opt, RANKS_NO_CELLS, c->diag);
		if (!view->ranks)
			return -1;
	}
	if (steps->reports & REPORT_BLAME) {
		view->blame = blame_gather(s, report_style(&c->opt->report), c->diag);
		if (!view->blame)
			return -1;
	}
	if (steps->reports & REPORT_TOP)
		view->top = top_gather(s, c, c->report, NULL);
	if (steps->reports & REPORT_INSTRUCTIONS && source_instructions_gather(steps, view) < 0)
		return -1;
	return steps->reports & REPORT_LISTING ? source_lines_gather_listings(steps, view) : 0;
}

static int classic_show(struct steps *steps)
{
	const struct command *c = steps->c;
	bool exports = c->exports->n > 0;
	struct export_values exported;
	struct view view;

	if (steps_analyze(steps) < 0 || (exports && export_begin(&exported, steps) < 0))
		return -1;
	if (!exports)
		steps_locate(steps);
	view = steps_view(steps);
	if (classic_gather(steps, &view) < 0 || steps_write(steps, &view) < 0 ||
	    (exports && export_end(&exported, steps) < 0))
		return -1;
	return steps_end(steps);
}

static int classic_steps(struct steps *steps)
{
	if (steps_read(steps) < 0 || classic_check(steps) < 0 ||
	    (steps->reports & REPORT_SUM && sum_write(steps) < 0))
		return -1;
	return sum_is_alone(steps->c) ? 0 : classic_show(steps);
}

/*
 * Reports that GNU gprof does not have show all functions, unless one of GNU gprof's reports is
 * asked for, too.
 */
static enum steps_functions classic_functions(const struct command *c)
{
	unsigned reports = c->opt->report.wanted & ~(unsigned)REPORT_SUM;
	bool entries = reports == REPORT_GRAPH && c->opt->analysis.entry.requests.n > 0;

	return entries || (reports && !(reports & ~(unsigned)OWN_REPORTS)) ? STEPS_ALL_FUNCTIONS
									   : STEPS_GNU_FUNCTIONS;
}

int classic_run(const struct command *c)
{
	return steps_run(c, classic_functions(c), classic_steps);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/steps.h"

#include "base/window.h"
#include "model/needs.h"
#include "run/command/checks.h"
#include "run/command/notes.h"

#include <stdlib.h>
#include <unistd.h>

/* Whether an option has taken what is the program. If so, says it. */
static bool steps_program_was_argument(const struct command *c)
{
	const char *program = c->data->program.path;

	if (input_is_profile(program))
		return mistakes_program_was_argument(&c->opt->separate, program, c->diag);
	return !c->data->program_named && access(program, F_OK) < 0 &&
	       mistakes_program_was_argument(&c->opt->separate, NULL, c->diag);
}

int steps_run(const struct command *c, enum steps_functions functions,
	      int (*list)(struct steps *steps))
{
	struct steps steps = { .c = c,
			       .reports = c->opt->report.wanted,
			       .input = *c->data,
			       .files = { .mem = c->mem, .diag = c->diag } };
	/* A name that is no file, but of a program of a kept run, is not mistaken. */
	bool is_understood = c->data->program.path != c->opt->input.program.path;
	int status;

	if ((!is_understood && mistakes_check_separate(&c->opt->separate, c->diag) < 0) ||
	    steps_program_was_argument(c))
		return EXIT_FAILURE;
	if (functions == STEPS_ALL_FUNCTIONS)
		steps.input = input_with_all_functions(c->data, c->opt->gnu_symbols);
	steps.input.lines_elsewhere |= (export_needs(c->exports) & NEEDS_UNCALLED) != 0;
	if (session_open(&steps.session, &steps.input, c->mem, c->diag) < 0)
		return EXIT_FAILURE;
	status = list(&steps);
	session_close(&steps.session);
	return status < 0 ? EXIT_FAILURE : status;
}

/*
 * Times from call stacks are those of all functions, also of those which GNU gprof counts with
 * their neighbours: its table is for times that are estimated. Returns 0, or -1 after saying why
 * not.
 */
static int steps_read_split_functions(struct steps *steps)
{
	struct session_input *input = &steps->input;

	if (input->estimated || input->program.by_line || input->program.symbols.all ||
	    input->program.symfile || steps->c->opt->gnu_symbols ||
	    !session_has_split_functions(&steps->session))
		return 0;
	input->program.symbols.all = true;
	return session_read_functions(&steps->session);
}

int steps_read(struct steps *steps)
{
	const struct command *c = steps->c;
	struct session *s = &steps->session;

	if (checks_missing(s, c) || session_read(s) < 0 || steps_read_split_functions(steps) < 0)
		return -1;
	if (c->exports->n == 0)
		steps->reports = report_choose(&c->opt->report, &s->profile);
	if (export_check(c->exports, &s->profile, c->diag) < 0 ||
	    needs_check(report_needs(steps->reports) & NEEDS_MEASURED, "", &s->profile, c->diag) <
		    0)
		return -1;
	outfiles_start(&steps->files);
	session_inputs(s, &steps->files.inputs);
	return 0;
}

/*
 * If all times are from the call stacks of one run, a list of its programs comes first: where
 * several have samples, or with the list of processes.
 */
static unsigned steps_add_programs(const struct steps *steps)
{
	const struct session *s = &steps->session;
	const struct processes *processes = &s->analysis.processes;
	bool several = (s->input->together || processes->nchildren > 0) &&
		       processes->nprograms > 1 && processes->program[1].ticks > 0;
	bool lists = steps->reports & ~(unsigned)REPORT_SUM && s->stacks &&
		     (several || steps->reports & REPORT_PROCESSES);

	return steps->reports | (lists ? REPORT_PROGRAMS : 0);
}

int steps_analyze(struct steps *steps)
{
	const struct command *c = steps->c;
	struct session *s = &steps->session;
	unsigned needs = report_needs(steps->reports) | export_needs(c->exports);

	if (steps->reports & REPORT_TOP)
		needs |= NEEDS_STACKS;
	if (session_symbolize(s, false) < 0)
		return -1;
	session_profiles(s, &steps->files.inputs);
	notes_not_inlined(s, c, steps->reports);
	if (checks_entries(s, c) < 0)
		return -1;
	session_analyze(s, &c->opt->analysis, needs, c->diag);
	if (c->diag->nerrors > 0) /* an --entry named no function */
		return -1;
	steps->reports = steps_add_programs(steps);
	if (c->opt->trace)
		notes_trace(&s->analysis, c->diag);
	return 0;
}

void steps_locate(struct steps *steps)
{
	struct session *s = &steps->session;
	struct bitset wanted;

	if (s->locations)
		return;
	wanted = report_locations(steps->reports, &s->analysis, &steps->c->opt->report, s->mem);
	session_locate(s, &wanted);
}

struct view steps_view(struct steps *steps)
{
	const struct output *out = steps->c->report;

	return (struct view){ .analysis = &steps->session.analysis,
			      .locations = steps->session.locations,
			      .files = &steps->files.set,
			      .terminal = out->terminal,
			      .columns = out->terminal ? window_size(out).columns : 0 };
}

int steps_write(struct steps *steps, const struct view *view)
{
	const struct command *c = steps->c;

	if (checks_lines(&steps->session, c, steps->reports) < 0)
		return -1;
	return report_write(steps->reports, view, &c->opt->report, c->report, c->mem, c->diag);
}

int steps_end(struct steps *steps)
{
	const struct command *c = steps->c;

	/* If a pager shows the reports, notes are written when it has ended. */
	output_complete(c->report);
	output_complete(c->out);
	notes_after(&steps->session, c, steps->reports);
	return steps->files.failed || c->diag->nerrors > 0 ? -1 : 0;
}

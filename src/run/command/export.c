/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/export.h"

#include "analysis/integer_costs.h"
#include "analysis/lines/line_wholes.h"
#include "model/needs.h"
#include "run/command/blame.h"
#include "run/command/checks.h"
#include "run/command/hottest_code.h"
#include "run/command/ranks.h"
#include "run/command/sum.h"
#include "run/command/top.h"
#include "run/session/fetches_sources.h"

#include <string.h>

/* Chooses the part of a request. */
static bool export_shows_inlined(const struct export_request *request)
{
	return keys_is_of(&export_keys[EXPORT_INLINED], request->format->name) &&
	       request->value[EXPORT_INLINED].count == EXPORT_YES;
}

/* Makes another session if exports show other functions than the reports. */
static int export_analyze(struct export_part *e, struct steps *steps, bool inlined)
{
	const struct command *c = steps->c;
	struct session *s = &e->beside, *shown = &steps->session;
	struct diag silent =
		diag_silent(c->diag->progress); /* the first session gave these messages already */
	int rc;

	e->input = input_with_all_functions(c->data, c->opt->gnu_symbols);
	e->input.inlined &= shown->stacks != NULL;
	e->input.inlined_if_known = inlined && shown->stacks && !e->input.inlined;
	e->session = shown;
	if (session_has_read(shown, &e->input) && e->input.inlined == shown->input->inlined &&
	    e->input.inlined_if_known == shown->input->inlined_if_known)
		return 0;
	if (session_read_beside(s, shown, &e->input, c->diag) < 0)
		return -1;
	s->diag = &silent;
	rc = session_symbolize(s, false);
	s->diag = c->diag;
	if (rc < 0)
		return -1;
	session_analyze(s, &c->opt->analysis, export_needs(&e->requests), &silent);
	e->session = s;
	return 0;
}

static struct line_costs_input export_line_costs_input(const struct export_part *e)
{
	return (struct line_costs_input){ .analysis = &e->session->analysis,
					  .trees = e->trees,
					  .integer_costs = &e->integer_costs,
					  .inlined = e->session->program->inlined };
}

/*
 * Looks up the locations that are shown, and the lines of code, so that debug information is read
 * only once.
 */
static void export_locate(struct export_part *e, struct steps *steps)
{
	const struct command *c = steps->c;
	const struct line_costs_input input = export_line_costs_input(e);
	struct session *s = e->session;
	bool costs = export_files_want_lines(&e->requests);
	unsigned reports = s == &steps->session ? steps->reports : 0;
	address_list pcs = { 0 };
	struct bitset few;

	if (s->locations && !costs)
		return;
	few = report_locations(reports, &s->analysis, &c->opt->report, s->mem);
	export_files_locations(&e->requests, &e->integer_costs, few);
	for (sym_id sym = 0; sym < s->program->symtab.nsyms; sym++) {
		if (export_needs(&e->requests) & NEEDS_UNCALLED &&
		    !(s->program->symtab.sym[sym].flags & SYM_FOREIGN))
			bitset_add(few, sym);
	}
	if (costs) {
		line_costs_want(&input, &pcs, s->mem);
		session_locate_with_lines(s, &few, &pcs);
		if (pcs.at)
			arena_release(s->mem, pcs.at);
	} else {
		session_locate(s, &few);
	}
}

static int export_begin_part(struct export_part *e, struct steps *steps, bool inlined)
{
	const struct command *c = steps->c;
	const struct session *s;

	if (export_analyze(e, steps, inlined) < 0)
		return -1;
	s = e->session;
	e->trees = session_trees(s, &c->opt->analysis,
				 export_files_want_slices(&e->requests)    ? TREES_SLICES
				 : export_files_want_threads(&e->requests) ? TREES_THREADS
									   : TREES_FUNCTIONS,
				 true);
	e->integer_costs = integer_costs_make(&s->analysis, c->mem);
	if (s != &steps->session)
		steps_locate(steps);
	export_locate(e, steps);
	return 0;
}

int export_begin(struct export_values *e, struct steps *steps)
{
	const export_requests *exports = steps->c->exports;

	for (int i = 0; i < 2; i++)
		e->part[i].requests = (export_requests){ 0 };
	for (size_t i = 0; i < exports->n; i++)
		array_push(steps->c->mem,
			   &e->part[export_shows_inlined(&exports->at[i])].requests) =
			exports->at[i];
	for (int i = 0; i < 2; i++) {
		if (e->part[i].requests.n > 0 && export_begin_part(&e->part[i], steps, i == 1) < 0)
			return -1;
	}
	return 0;
}

/* Whether all processes of the data ran one program, so that the same functions can be compared. */
static bool export_has_one_program(const struct recorded *recorded)
{
	for (size_t i = 1; i < recorded->processes.n; i++) {
		if (strcmp(recorded->processes.at[i].program, recorded->processes.at[0].program) !=
		    0)
			return false;
	}
	return true;
}

/*
 * Whether exports show ranks: if one needs ranks, or if one can show them and the data have
 * several.
 */
static bool export_compares_ranks(const struct export_part *e, const struct command *c)
{
	const struct session *s = e->session;
	struct diag silent = diag_silent(NULL);
	enum export_ranks ranks = export_needs_ranks(&e->requests);

	return ranks == EXPORT_RANKS_NEEDED ||
	       (ranks == EXPORT_RANKS_IF_SEVERAL && ranks_can_read_again(s) &&
		export_has_one_program(&s->profile.recorded) &&
		ranks_check(s, &c->opt->ranks, &silent) == 0);
}

/*
 * Returns the ranks. NULL: no export shows them, and then *needed is false; or they cannot be
 * compared, which was said.
 */
static const struct ranks *export_gather_ranks(const struct export_part *e,
					       const struct steps *steps, bool *needed)
{
	const struct command *c = steps->c;
	struct diag silent = diag_silent(NULL); /* the report gave these messages already */
	bool all = export_needs_ranks(&e->requests) == EXPORT_RANKS_NEEDED;

	*needed = export_compares_ranks(e, c);
	if (!*needed)
		return NULL;
	return ranks_gather(e->session, c->opt, all ? RANKS_ALL_CELLS : RANKS_LARGE_CELLS,
			    steps->reports & REPORT_RANKS ? &silent : c->diag);
}

/* Returns copies of source files of functions that have at least 1 % of the time. */
static source_copies export_copies(const struct export_part *e)
{
	const struct session *s = e->session;
	const struct integer_costs *costs = &e->integer_costs;
	source_wishes wishes = { 0 };

	for (uint32_t i = 0; i < costs->nlisted; i++) {
		sym_id f = costs->listed[i];

		if (costs->self[f] > 0 && costs->self[f] >= costs->total / 100 &&
		    s->locations[f].file)
			array_push(s->mem, &wishes) =
				(struct source_wish){ s->locations[f].file,
						      s->program->symtab.sym[f].lo,
						      (double)costs->self[f] };
	}
	return fetches_sources_make(s, &wishes);
}

static int export_end_part(struct export_part *e, struct steps *steps)
{
	const struct command *c = steps->c;
	struct session *s = e->session;
	const struct line_costs_input input = export_line_costs_input(e);
	struct line_costs costs;
	struct view view = { .analysis = &s->analysis, .locations = s->locations };
	struct exports_input exports = { .view = &view,
					 .integer_costs = &e->integer_costs,
					 .trees = e->trees,
					 .files = &steps->files,
					 .mapping = image_mapping(s->image, s->mem),
					 .source_path = &s->input->source_path,
					 .style = report_style(&c->opt->report) };
	bool ranks;

	if (export_files_want_lines(&e->requests)) {
		costs = line_costs_make(&input, &s->lines, s->mem);
		exports.line_costs = &costs;
		if (export_needs(&e->requests) & NEEDS_SOURCES)
			exports.wholes = line_wholes_make(&costs, e->trees, &e->integer_costs,
							  s->program, s->mem);
		if (export_needs(&e->requests) & NEEDS_SOURCES)
			exports.code = hottest_code_gather(s, &costs, e->trees != NULL);
	}
	if (export_files_want_texts(&e->requests))
		exports.copies = export_copies(e);
	view.ranks = export_gather_ranks(e, steps, &ranks);
	if (ranks && !view.ranks)
		return -1;
	if (export_needs(&e->requests) & NEEDS_TOP)
		view.top = top_gather(s, c, NULL, exports.line_costs);
	if (export_needs(&e->requests) & NEEDS_BLAME && blame_is_known(s))
		view.blame = blame_gather(s, report_style(&c->opt->report), c->diag);
	return export_files_write(&e->requests, &exports, c->out, s->mem);
}

int export_end(struct export_values *e, struct steps *steps)
{
	for (int i = 0; i < 2; i++) {
		if (e->part[i].requests.n > 0 && export_end_part(&e->part[i], steps) < 0)
			return -1;
	}
	return 0;
}

static int export_steps(struct steps *steps)
{
	const struct command *c = steps->c;
	struct export_values exports;

	if (steps_read(steps) < 0 ||
	    (export_needs_ranks(c->exports) == EXPORT_RANKS_NEEDED &&
	     ranks_check(&steps->session, &c->opt->ranks, c->diag) < 0) ||
	    (steps->reports & REPORT_SUM && sum_write(steps) < 0) || steps_analyze(steps) < 0 ||
	    export_begin(&exports, steps) < 0 ||
	    checks_lines(&steps->session, c, steps->reports) < 0 || export_end(&exports, steps) < 0)
		return -1;
	return steps_end(steps);
}

int export_run(const struct command *c)
{
	return steps_run(c, STEPS_ALL_FUNCTIONS, export_steps);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times come from the session's call stacks. Without stacks, and for calls in any case, the data
 * files are read again, because their sum does not say which file a count is from.
 */
#include "config.h"

#include "run/command/ranks.h"

#include "analysis/confidence.h"
#include "analysis/ranks/ranks.h"
#include "model/needs.h"
#include "run/command/steps.h"
#include "run/line/rank_pattern.h"

#include <string.h>
#include <sys/stat.h>

struct ranks_run {
	struct session *s;
	const struct options *opt;
	struct ranks_request request;
	bool calls;                  /* calls are compared, too */
	bool has_waiting;            /* waiting is added to CPU time */
	const struct bitset *wanted; /* functions whose cells are kept; NULL: none */
	struct rank_list_input files;
	struct rank_list list;
	struct run_sums sums;
	struct diag *notes; /* for notes on files that are no ranks */
};

int ranks_check(const struct session *s, const struct ranks_request *request, struct diag *diag)
{
	const char *what = request->threads ? "--ranks=threads" : "--ranks=inclusive";

	if ((request->threads || request->inclusive) && s->input->estimated) {
		diag_error(diag, "%s and --estimated cannot be combined", what);
		return -1;
	}
	if ((request->threads || request->inclusive) &&
	    needs_check(NEEDS_MEASURED, what, &s->profile, diag) < 0)
		return -1;
	if (request->threads && s->profile.recorded.threads.n < 2) {
		diag_error(diag, "--ranks=threads needs two or more threads");
		return -1;
	}
	if (!request->threads && s->profile.files.n < 2) {
		diag_error(diag, "--ranks needs two or more profiles");
		return -1;
	}
	if (s->input->objects && (s->input->estimated || s->profile.recorded.nfiles == 0 ||
				  s->profile.recorded.nlack > 0)) {
		diag_error(diag, "--ranks needs call stacks for --objects: GMON=stacks records "
				 "them");
		return -1;
	}
	return 0;
}

bool ranks_can_read_again(const struct session *s)
{
	for (size_t i = 0; i < s->profile.files.n; i++) {
		const char *name = s->profile.files.at[i].name;
		struct stat st;

		if (strcmp(name, "-") == 0 || stat(name, &st) < 0 || !S_ISREG(st.st_mode))
			return false;
	}
	return true;
}

/* Returns the ranks that the data files' names say, by the user's pattern. */
static const struct rank *ranks_name_files(const struct ranks_run *r)
{
	const struct profile *prof = &r->s->profile;
	struct rank *named = arena_array(r->s->mem, struct rank, prof->files.n);

	for (size_t i = 0; i < prof->files.n && r->request.pattern; i++)
		rank_pattern_match(&named[i], r->request.pattern, prof->files.at[i].name,
				   r->s->mem);
	return named;
}

static int ranks_list(struct ranks_run *r)
{
	struct session *s = r->s;

	r->files = (struct rank_list_input){ .profile = &s->profile,
					     .named = ranks_name_files(r),
					     .threads = r->request.threads,
					     .needs_clock = s->clock.kind != 0 || r->has_waiting,
					     .costs = &s->analysis.costs,
					     .chosen = s->input->thread ? &s->threads : NULL };
	r->list = rank_list_make(&r->files, s->mem, r->notes);
	if (r->list.n >= 2)
		return 0;
	diag_error(s->diag, r->request.threads
				    ? "--ranks=threads needs two or more threads with time"
				    : "--ranks needs two or more profiles that can be compared");
	return -1;
}

static void ranks_begin_sums(struct ranks_run *r)
{
	struct session *s = r->s;
	size_t most = s->profile.files.n + s->profile.recorded.threads.n;

	r->sums =
		run_sums_begin(s->program->symtab.nsyms, arena_array(s->mem, double, most), s->mem);
	r->sums.wanted = r->wanted;
}

static void ranks_add_stacks(struct ranks_run *r)
{
	const struct session *s = r->s;
	struct run_sums_choice choice = { .symbolized = s->stacks->symbolized,
					  .credited = s->analysis.selection.flat,
					  .inclusive = r->request.inclusive,
					  .clock = s->clock,
					  .run_of = r->list.of_thread };

	if (r->has_waiting)
		choice.per_wait = s->profile.unit.rate / s->analysis.costs.waits.rate;
	run_sums_add_stacks(&r->sums, &choice);
}

/* Adds the calls of the files, and the ticks if these are not those of stacks. */
static int ranks_add_files(struct ranks_run *r, bool ticks)
{
	struct session *s = r->s;
	const struct session_sums choice = { .run_of = r->list.of_file,
					     .ticks = ticks,
					     .calls = r->calls,
					     .same_rate = true,
					     .is_foreign = r->list.is_foreign };

	return session_sum_files(s, &r->sums, &s->analysis.selection, &choice, s->diag);
}

/*
 * Whether all data files that were added belong to the program. A file that does not belong to it
 * loses its number, so that it is no rank.
 */
static bool ranks_are_known(struct ranks_run *r)
{
	const struct session *s = r->s;
	uint32_t nforeign = 0, first = 0;

	for (uint32_t i = (uint32_t)s->profile.files.n; i-- > 0;) {
		if (r->list.is_foreign[i] && r->list.of_file[i] != RUN_NONE) {
			first = i;
			nforeign++;
		}
	}
	if (nforeign == 0)
		return true;
	diag_warn(r->notes,
		  "%s: left out of the ranks: none of its addresses is in a function of %s%s",
		  s->profile.files.at[first].name, s->program->path,
		  nforeign > 1 ? "; and others like it" : "");
	rank_list_number(&r->list, &r->files);
	return false;
}

/* Adds up the times and calls of the ranks; again if some files turn out to be no ranks. */
static int ranks_add_up(struct ranks_run *r)
{
	const struct session *s = r->s;
	bool measured = s->stacks;

	ranks_begin_sums(r);
	if (measured) {
		ranks_add_stacks(r);
		if (!r->calls)
			return 0;
	}
	if (ranks_add_files(r, !measured) < 0)
		return -1;
	while (!ranks_are_known(r)) {
		if (r->list.n < 2) {
			diag_error(s->diag, "--ranks needs two or more profiles of %s",
				   s->program->path);
			return -1;
		}
		ranks_begin_sums(r);
		if (ranks_add_files(r, !measured) < 0)
			return -1;
	}
	return 0;
}

static struct ranks *ranks_compare(const struct ranks_run *r)
{
	const struct session *s = r->s;
	const struct analysis *a = &s->analysis;
	struct confidence weights = { .per_sample = 1.0 };
	bool exact = r->has_waiting || analysis_is_exact(a);

	if (!exact)
		confidence_weigh(&weights, a, s->input->thread ? &s->threads : NULL, s->mem);
	return ranks_make(&(struct ranks_input){ .request = &r->request,
						 .list = &r->list,
						 .symtab = &s->program->symtab,
						 .style = report_style(&r->opt->report),
						 .shown = r->request.inclusive
								  ? a->selection.inclusive
								  : a->selection.flat,
						 .has_calls = r->calls,
						 .exact = exact,
						 .has_waiting = r->has_waiting,
						 .per_sample = weights.per_sample,
						 .per_sample_told = weights.signals > 0 },
			  &r->sums, s->mem);
}

const struct ranks *ranks_gather(struct session *s, const struct options *opt,
				 enum ranks_cells cells, struct diag *notes)
{
	struct ranks_run r = { .s = s, .opt = opt, .request = opt->ranks, .notes = notes };
	struct ranks *ranks;
	struct bitset wanted;

	r.request.all = r.request.all || cells == RANKS_ALL_CELLS;
	r.calls = (cells == RANKS_ALL_CELLS || r.request.calls) && s->profile.has_arcs &&
		  !r.request.threads;
	r.request.inclusive = (r.request.inclusive || s->input->measured) && s->stacks;
	r.has_waiting = s->clock.waiting && s->input->clock;
	if (ranks_list(&r) < 0 || ranks_add_up(&r) < 0)
		return NULL;
	ranks = ranks_compare(&r);
	if (cells == RANKS_NO_CELLS && !r.request.outliers)
		return ranks;
	/* Cells need a second reading, because only the sums show which functions have rows. */
	wanted = ranks_wanted(ranks, s->program->symtab.nsyms, s->mem);
	r.wanted = &wanted;
	if (ranks_add_up(&r) < 0)
		return NULL;
	ranks_add_cells(ranks, &r.sums, r.request.outliers, s->mem);
	return ranks;
}

static int ranks_steps(struct steps *steps)
{
	const struct command *c = steps->c;
	struct session *s = &steps->session;
	struct view view;

	if (steps_read(steps) < 0 || ranks_check(s, &c->opt->ranks, c->diag) < 0 ||
	    steps_analyze(steps) < 0)
		return -1;
	steps_locate(steps);
	view = steps_view(steps);
	view.ranks = ranks_gather(s, c->opt, RANKS_NO_CELLS, c->diag);
	if (!view.ranks || steps_write(steps, &view) < 0)
		return -1;
	return steps_end(steps);
}

int ranks_run(const struct command *c)
{
	return steps_run(c, STEPS_ALL_FUNCTIONS, ranks_steps);
}

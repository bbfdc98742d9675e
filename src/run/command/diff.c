/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and analyses both sides like any session. Then functions are matched, and if a side has
 * several data files, these are read again, one by one, to find out how much they vary.
 */
#include "config.h"

#include "run/command/diff.h"

#include "analysis/confidence.h"
#include "analysis/integer_costs.h"
#include "base/window.h"
#include "model/needs.h"
#include "report/comparison.h"
#include "report/verdict.h"
#include "run/command/export_files.h"
#include "run/command/history.h"
#include "run/command/slower.h"
#include "run/session/session.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct diff_side {
	struct session_input input;
	struct session session;
	bool is_open;
	const struct call_trees *trees; /* the side's trees; NULL: it has no call stacks */
	struct integer_costs integer_costs;
	uint32_t nruns;
	struct run_sums sums;
	struct variance_runs runs; /* `sums` is NULL if single runs are not known */
};

struct diff_run {
	const struct command *c;
	const struct options *opt;
	const struct diff_request *request; /* opt->diff, or that of diff_run_pairs() */
	const struct diff_pairs *pairs;     /* NULL: data files are compared */
	struct diff_side side[SIDES];
	struct difference_match match;
	struct difference difference;
	struct history history; /* with --history */
	struct arena *mem;
	struct diag *diag;
};

int diff_check_files(const struct options *opt, struct diag *diag)
{
	const char *const names[] = { opt->diff.base, opt->diff.program };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!names[i] || strcmp(names[i], "-") == 0 || access(names[i], R_OK) == 0)
			continue;
		diag_error(diag, "%s: %s", names[i], strerror(errno));
		return -1;
	}
	return 0;
}

static void diff_name_base(struct diff_run *r)
{
	struct session_input *base = &r->side[SIDE_BASE].input;

	base->profiles = &r->request->base;
	base->nprofiles = 1;
	base->profile_named = true;
	if (r->request->program) {
		base->program.path = r->request->program;
		base->program_named = true;
	}
}

static void diff_set_inputs(struct diff_run *r)
{
	for (int k = 0; k < SIDES; k++) {
		struct session_input *input = &r->side[k].input;

		*input = input_with_all_functions(r->pairs ? &r->pairs->input[k] : r->c->data,
						  r->opt->gnu_symbols);
		if (!input->clock)
			input->clock = "cpu"; /* every recording has CPU time */
	}
	if (!r->pairs)
		diff_name_base(r);
}

static int diff_read(struct diff_run *r)
{
	for (int k = 0; k < SIDES; k++) {
		struct diff_side *side = &r->side[k];

		if (session_open(&side->session, &side->input, r->mem, r->diag) < 0)
			return -1;
		side->is_open = true;
		if (session_read(&side->session) < 0)
			return -1;
	}
	return 0;
}

static const char *diff_first_file(const struct diff_side *side)
{
	return side->session.profile.files.at[0].name;
}

static const char *diff_dimension(const struct profile *prof)
{
	return prof->unit.rate > 0 ? prof->unit.dimension : "ticks";
}

/* Whether the times of both sides have the same unit. */
static int diff_check_units(const struct diff_run *r)
{
	const struct profile *base = &r->side[SIDE_BASE].session.profile;
	const struct profile *new = &r->side[SIDE_NEW].session.profile;

	if (!base->has_hists || !new->has_hists ||
	    strcmp(diff_dimension(base), diff_dimension(new)) == 0)
		return 0;
	diag_error(r->diag, "%s: its samples are %s, those of %s are %s: they cannot be compared",
		   diff_first_file(&r->side[SIDE_BASE]), diff_dimension(base),
		   diff_first_file(&r->side[SIDE_NEW]), diff_dimension(new));
	return -1;
}

/* Notes likely mistakes: the same file on both sides, or one program under two names. */
static void diff_note(const struct diff_run *r)
{
	const struct session *base = &r->side[SIDE_BASE].session, *new = &r->side[SIDE_NEW].session;
	const char *id0 = image_mapping(base->image, r->mem).build_id,
		   *id1 = image_mapping(new->image, r->mem).build_id;
	file_ids ids = { 0 };
	struct stat st;

	for (size_t i = 0; i < new->profile.files.n; i++)
		fileids_add_path(&ids, new->profile.files.at[i].name, r->mem);
	for (size_t i = 0; i < base->profile.files.n; i++) {
		const char *name = base->profile.files.at[i].name;

		if (strcmp(name, "-") != 0 && stat(name, &st) == 0 && fileids_has(&ids, &st)) {
			diag_note(r->diag,
				  "%s: --diff compares this file with itself: it is on both sides",
				  name);
			break;
		}
	}
	if (r->request->program && id0 && id1 && strcmp(id0, id1) == 0)
		diag_note(r->diag, "%s: is the same program as %s, by its build id",
			  base->program->path, new->program->path);
}

static bool diff_has_recordings(const struct session *s)
{
	return s->linked.recorded.nfiles > 0 && s->linked.recorded.nlack == 0;
}

/* Analyses both sides: by call stacks if both have them, else both by samples and calls. */
static int diff_analyze(struct diff_run *r)
{
	struct session *base = &r->side[SIDE_BASE].session, *new = &r->side[SIDE_NEW].session;
	bool both = diff_has_recordings(base) && diff_has_recordings(new);

	for (int k = 0; k < SIDES; k++) {
		struct diff_side *side = &r->side[k];
		struct session *s = &side->session;

		if (session_symbolize(s, !both && !s->input->measured && !s->input->thread) < 0)
			return -1;
		session_analyze(s, &r->opt->analysis, export_needs(&r->opt->exports), r->diag);
		if (r->diag->nerrors > 0)
			return -1;
		side->trees = session_trees(s, &r->opt->analysis, TREES_FUNCTIONS, true);
		side->integer_costs = integer_costs_make(&s->analysis, r->mem);
	}
	return 0;
}

static int diff_match(struct diff_run *r)
{
	struct match_side sides[SIDES];

	for (int k = 0; k < SIDES; k++) {
		struct diff_side *side = &r->side[k];
		struct session *s = &side->session;
		const struct symtab *symtab = &s->program->symtab;
		struct bitset wanted = bitset_empty(r->mem, symtab->nsyms);

		if (!s->locations) {
			match_wants(symtab, wanted, r->mem);
			if (k == SIDE_NEW && export_places_difference(&r->opt->exports))
				export_files_locations(&r->opt->exports, &side->integer_costs,
						       wanted);
			session_locate(s, &wanted);
		}
		sides[k] = (struct match_side){ symtab, bitset_empty(r->mem, symtab->nsyms),
						s->locations };
		for (uint32_t i = 0; i < side->integer_costs.nlisted; i++)
			bitset_add(sides[k].shown, side->integer_costs.listed[i]);
	}
	return match_functions(&r->match, sides, &r->request->renames, r->mem, r->diag);
}

/*
 * Reads the data files of a side again, one by one. Returns false if that is impossible, as for
 * pipes.
 */
static bool diff_add_files(struct diff_run *r, struct diff_side *side)
{
	struct session *s = &side->session;
	const struct session_sums choice = { .ticks = true };
	struct diag silent = diag_silent(r->diag->progress);

	if (!s->input->objects &&
	    session_sum_files(s, &side->sums, &s->analysis.selection, &choice, &silent) == 0)
		return true;
	diag_note(r->diag,
		  "%s: cannot be read again, one run at a time%s, so the variation from run to "
		  "run is not known",
		  diff_first_file(side), s->input->objects ? ", with --objects" : "");
	return false;
}

/* Adds up the time of each matched function in each run of side k. */
static void diff_add_runs(struct diff_run *r, enum difference_side k)
{
	struct diff_side *side = &r->side[k];
	const struct session *s = &side->session;
	struct stacks_choice stacks;

	side->sums =
		run_sums_begin(r->match.nrows, arena_array(r->mem, double, side->nruns), r->mem);
	side->sums.sums = r->match.row[k];
	if (r->request->compare.normalize)
		side->sums.scaled_to = (double)side->integer_costs.nsamples / side->nruns;
	side->runs.n = side->nruns;
	if (s->stacks) {
		stacks = analyze_choose(s->stacks, &r->opt->analysis.select);
		side->runs.n = variance_add_recordings(&side->sums, &stacks, &s->analysis.selection,
						       side->nruns);
	} else if (!diff_add_files(r, side)) {
		return;
	}
	side->runs.sums = &side->sums;
}

static void diff_count_runs(struct diff_run *r)
{
	bool several = true;

	for (int k = 0; k < SIDES; k++) {
		r->side[k].nruns = session_count_runs(&r->side[k].session);
		several = several && r->side[k].nruns > 1;
	}
	for (int k = 0; k < SIDES && several; k++)
		diff_add_runs(r, (enum difference_side)k);
}

/* Returns how many ticks have as much information as one independent sample. */
static double diff_weight(const struct diff_side *side, const struct arena *mem)
{
	const struct session *s = &side->session;
	struct confidence weighed = { 0 };

	if (side->integer_costs.exact)
		return 1.0;
	confidence_weigh(&weighed, &s->analysis, s->input->thread ? &s->threads : NULL, mem);
	return weighed.per_sample;
}

static void diff_compare(struct diff_run *r)
{
	struct compare_options compare = r->request->compare;
	struct compare_side sides[SIDES];

	compare.style = report_style(&r->opt->report);
	for (int k = 0; k < SIDES; k++) {
		const struct diff_side *side = &r->side[k];

		sides[k] = (struct compare_side){ &side->session.analysis,
						  &side->integer_costs,
						  side->session.locations,
						  side->nruns,
						  side->runs,
						  diff_weight(side, r->mem) };
	}
	r->difference = compare_sides(sides, &r->match, &compare, r->mem);
	for (int k = 0; k < SIDES; k++)
		r->difference.other_clocks |=
			!r->difference.waited && r->side[k].session.linked.recorded.kinds.n > 1;
}

/* Whether a significant change is larger than the user allows; notes say which. */
static bool diff_fails(const struct diff_run *r)
{
	const struct difference *d = &r->difference;
	double all = d->normalized ? 100.0 : d->total[SIDE_BASE].value;
	bool fails = false;

	for (uint32_t i = 0; i < d->n && r->request->fails; i++) {
		const struct difference_row *row = &d->row[i];
		double percent = all > 0.0 ? row->self.delta / all * 100.0 : 0.0;

		if (row->self.verdict != VERDICT_MORE || percent <= r->request->fail)
			continue;
		diag_note(r->diag, "%s: %s by %.1f %% of the base's total: more than %g %%",
			  row->name, d->counted ? "more" : "slower", percent, r->request->fail);
		fails = true;
	}
	return fails;
}

/*
 * Reports an error if waiting is compared and a side has a single run: waiting is not sampled, so
 * only several runs show how much it varies.
 */
static int diff_check_runs(const struct diff_run *r)
{
	for (int k = 0; k < SIDES; k++) {
		const struct diff_side *side = &r->side[k];

		if (!clock_is_waiting(&side->session.clock) || (side->runs.sums && side->nruns > 1))
			continue;
		diag_error(r->diag,
			   "%s: --diff with --clock=off needs two or more runs on each side: "
			   "only their differences show what is noise",
			   diff_first_file(side));
		return -1;
	}
	return 0;
}

static int diff_make(struct diff_run *r)
{
	diff_set_inputs(r);
	if (diff_read(r) < 0 || diff_check_units(r) < 0)
		return -1;
	if (!r->pairs)
		diff_note(r);
	if (diff_analyze(r) < 0 || diff_match(r) < 0)
		return -1;
	diff_count_runs(r);
	if (diff_check_runs(r) < 0)
		return -1;
	progress_step(r->diag->progress, "comparing functions", 0);
	diff_compare(r);
	if (difference_is_of_strangers(&r->difference))
		diag_note(
			r->diag,
			"--diff: functions that both programs have took %.0f %% of the time before, "
			"and %.0f %% now: are these versions of one program?",
			100.0 * r->difference.common[SIDE_BASE],
			100.0 * r->difference.common[SIDE_NEW]);
	return 0;
}

/* Writes the exports, which show the new side with the difference. */
static int diff_export(struct diff_run *r, struct output *out)
{
	const struct diff_side *base = &r->side[SIDE_BASE], *new = &r->side[SIDE_NEW];
	const struct session *s = &new->session;
	struct outfiles files = { .mem = r->mem, .diag = r->diag };
	char directory[PATH_MAX];
	const struct view view = { .analysis = &s->analysis, .locations = s->locations };
	const struct exports_difference difference = {
		.difference = &r->difference,
		.match = &r->match,
		.paired = r->pairs ? r->pairs->paired : NULL,
		.history = r->history.file ? &r->history : NULL,
		.directory = getcwd(directory, sizeof(directory)),
		.base = &base->session.analysis,
		.base_amounts = &base->integer_costs,
		.base_trees = base->trees,
		.least = r->request->compare.least,
	};
	const struct exports_input input = { .view = &view,
					     .integer_costs = &new->integer_costs,
					     .trees = new->trees,
					     .files = &files,
					     .difference = &difference,
					     .source_path = &s->input->source_path,
					     .style = report_style(&r->opt->report) };

	outfiles_start(&files);
	for (int k = 0; k < SIDES; k++) {
		session_inputs(&r->side[k].session, &files.inputs);
		session_profiles(&r->side[k].session, &files.inputs);
	}
	return export_files_write(&r->opt->exports, &input, out, r->mem);
}

/* Whether the report is written; it is not if an export goes to standard output. */
static bool diff_reports(const struct options *opt)
{
	for (size_t i = 0; i < opt->exports.n; i++) {
		if (opt->exports.at[i].file && strcmp(opt->exports.at[i].file, "-") == 0)
			return false;
	}
	return true;
}

/* Shows the difference. Returns the exit status. */
static int diff_show(struct diff_run *r)
{
	const struct options *opt = r->opt;
	const struct comparison_options report = {
		.brief = opt->report.brief,
		.all = r->request->all,
		.columns = r->c->report->terminal && !opt->report.brief
				   ? window_size(r->c->report).columns
				   : 0
	};
	int rc = diff_make(r);

	if (rc == 0 && r->c->history >= 0)
		rc = history_add_pairs(&r->history, r->c, &r->difference);
	if (rc == 0 && diff_reports(opt)) {
		if (r->pairs)
			verdict_write(r->pairs->paired, &r->difference, opt->report.brief,
				      r->c->report);
		comparison_write(&r->difference, &report, r->c->mem, r->c->report);
	}
	if (rc == 0 && opt->exports.n > 0)
		rc = diff_export(r, r->c->out);
	for (int k = SIDES; k-- > 0;) {
		if (r->side[k].is_open)
			session_close(&r->side[k].session);
	}
	if (rc < 0)
		return EXIT_FAILURE;
	if (r->pairs)
		return slower_check(&opt->versus, r->pairs->paired, &r->difference, r->diag)
			       ? COMMAND_SLOWER
			       : EXIT_SUCCESS;
	return diff_fails(r) ? COMMAND_SLOWER : EXIT_SUCCESS;
}

int diff_run(const struct command *c)
{
	static const export_requests none;
	struct diff_run r = {
		.c = c, .opt = c->opt, .request = &c->opt->diff, .mem = c->mem, .diag = c->diag
	};
	struct command reports = *c;
	const char *program = c->data->program.path;
	int status;

	if (!input_is_profile(c->opt->diff.base) && input_is_profile(program) &&
	    mistakes_program_was_argument(&c->opt->separate, program, c->diag))
		return EXIT_FAILURE;
	status = diff_show(&r);

	if (status == EXIT_FAILURE || !c->opt->report.wanted)
		return status;
	reports.exports = &none;
	return classic_run(&reports) == EXIT_SUCCESS ? status : EXIT_FAILURE;
}

int diff_run_pairs(const struct command *c, const struct diff_pairs *pairs)
{
	struct diff_run r = { .c = c,
			      .opt = c->opt,
			      .request = &pairs->request,
			      .pairs = pairs,
			      .mem = c->mem,
			      .diag = c->diag };

	return diff_show(&r);
}

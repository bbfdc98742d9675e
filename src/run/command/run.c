/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One session, and what is made of it, in order: the sum, reports, exports, the note. */
#include "config.h"

#include "run/command/run.h"

#include "analysis/integer_costs.h"
#include "io/outfiles.h"
#include "io/profile/ext_beside.h"
#include "io/profile/gmon_write.h"
#include "model/needs.h"
#include "run/command/convert.h"
#include "run/command/diff.h"
#include "run/command/explain.h"
#include "run/command/export.h"
#include "run/command/order.h"
#include "run/command/ranks.h"
#include "run/command/source_listings.h"
#include "run/command/top.h"
#include "run/command/trace.h"
#include "run/command/window.h"
#include "run/session/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a terminal, if it is one, is to have colours: https://no-color.org. */
static bool has_colors(bool terminal)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return terminal && !(no_color && no_color[0]) && term && term[0] &&
	       strcmp(term, "dumb") != 0;
}

/* Text in a pipe may be shown by a pager on the same terminal: only beside a file there is room. */
static void prepare_screen(struct output *out, enum color_when color, struct progress *progress)
{
	struct stat st;

	out->styled = color == COLOR_ALWAYS || (color == COLOR_AUTO && has_colors(out->terminal));
	if (out->terminal || fstat(out->fd, &st) < 0 ||
	    !(S_ISREG(st.st_mode) || S_ISCHR(st.st_mode)))
		out->progress = progress;
}

/* Whether the data files are to be added up, and nothing else. */
static bool is_sum_alone(const struct options *opt, unsigned reports)
{
	return reports == REPORT_SUM && !opt->trace && opt->analysis.select.requests.n == 0 &&
	       opt->exports.n == 0;
}

/* The same session twice, unless exports have other symbols than the text reports have. */
struct run_sessions {
	struct session *text, *exports;
	struct call_trees trees;            /* of what is exported, if it has call stacks */
	struct integer_costs integer_costs; /* the same */
	struct outfiles files;              /* of both */
};

static const struct call_trees *run_trees(const struct run_sessions *r)
{
	return r->exports->has_stacks ? &r->trees : NULL;
}

static struct line_costs_input run_places(const struct run_sessions *r)
{
	return (struct line_costs_input){ &r->exports->analysis, &r->integer_costs, run_trees(r) };
}

/* What is shown beyond the passes' values: source locations of few symbols, if not of all. */
static void locate_shown(const struct run_sessions *r, const struct options *opt, unsigned reports)
{
	struct session *const sessions[] = { r->text, r->exports };

	for (int i = 0; i < 2; i++) {
		struct session *s = sessions[i];
		bool places = s == r->exports && exports_want_places(&opt->exports);
		const struct line_costs_input input = run_places(r);
		address_list pcs = { 0 };
		struct bitset few;

		if (s->locations && !(places && s->lines.nrows == 0))
			continue;
		few = reports_locations(s == r->text ? reports : 0, &s->analysis, &opt->report,
					s->mem);
		if (s == r->exports)
			exports_locations(&opt->exports, &r->integer_costs, few);
		if (places) {
			line_costs_want(&input, &pcs, s->mem);
			session_locate_places(s, &few, &pcs);
		} else {
			session_locate(s, &few);
		}
	}
}

/* Whether exports show what ranks differ by: those that do not need it, if it can be known. */
static bool compares_ranks(const struct session *s, const struct options *opt)
{
	struct diag silent = diag_silent(NULL);
	enum export_ranks ranks = exports_ranks(&opt->exports);

	return ranks == EXPORT_RANKS_NEEDED ||
	       (ranks == EXPORT_RANKS_IF_SEVERAL && ranks_can_read_again(s) &&
		ranks_check(s, &opt->ranks, &silent) == 0);
}

/* 0, or -1 with the reason said. */
static int export_all(struct run_sessions *r, const struct options *opt, struct output *out)
{
	struct session *s = r->exports;
	const struct line_costs_input input = run_places(r);
	struct diag silent = diag_silent(NULL); /* of what the report has said */
	struct line_costs places;
	struct view view = { .analysis = &s->analysis, .locations = s->locations };
	struct exports_input exports = { .view = &view,
					 .integer_costs = &r->integer_costs,
					 .trees = run_trees(r),
					 .files = &r->files,
					 .source_path = &s->input->source_path,
					 .style = report_style(&opt->report) };

	if (opt->exports.n == 0)
		return 0;
	exports.mapping = image_mapping(s->image, s->mem);
	if (exports_want_places(&opt->exports)) {
		places = line_costs_make(&input, &s->lines, s->mem);
		exports.places = &places;
		exports.lines = line_costs_by_line(&places, s->mem);
	}
	if (compares_ranks(s, opt)) {
		view.ranks = ranks_gather(s, opt,
					  exports_ranks(&opt->exports) == EXPORT_RANKS_NEEDED
						  ? RANKS_ALL_CELLS
						  : RANKS_LARGE_CELLS,
					  opt->report.wanted & REPORT_RANKS ? &silent : s->diag);
		if (!view.ranks)
			return -1;
	}
	if (exports_need(&opt->exports) & NEEDS_TOP)
		view.top = top_gather(s, opt, NULL, exports.places);
	return exports_write(&opt->exports, &exports, out, s->mem);
}

/* The functions that have time in the flat profile and are chosen for annotated source. */
static struct bitset credited_lines(const struct session *s)
{
	const struct selection *sel = &s->analysis.selection;
	uint32_t n = s->program->symtab.nsyms;
	struct bitset both = bitset_empty(s->mem, n);

	for (sym_id i = 0; i < n; i++) {
		if (bitset_has(sel->flat, i) && bitset_has(sel->lines, i))
			bitset_add(both, i);
	}
	return both;
}

static bool has_places(const struct session *s)
{
	for (sym_id i = 0; i < s->program->symtab.nsyms; i++) {
		if (s->locations[i].file)
			return true;
	}
	return false;
}

/*
 * Says what of the debug information is damaged: an error, and -1, if lines were asked for and
 * nothing else, and there are none.
 */
static int check_lines(const struct run_sessions *r, const struct options *opt, unsigned reports)
{
	const struct session *s = r->text;
	const struct line_damage *damage = image_line_damage(s->image);
	bool lines_alone =
		opt->exports.n == 0 &&
		(s->program->by_line || (reports & ~(unsigned)REPORT_SUM) == REPORT_SOURCE);
	char others[60] = "";

	if (damage->nplaces == 0)
		return 0;
	if (damage->nplaces > 1)
		snprintf(others, sizeof(others), " and in %zu other place%s", damage->nplaces - 1,
			 damage->nplaces == 2 ? "" : "s");
	if (!lines_alone || has_places(s)) {
		diag_warn(s->diag,
			  "%s: %s is damaged at byte %" PRIu64
			  " (%s)%s: source lines are missing or wrong",
			  damage->path, damage->section, damage->at, damage->cause, others);
		return 0;
	}
	diag_error(s->diag,
		   "%s: %s is damaged at byte %" PRIu64 " (%s)%s: there are no source lines",
		   damage->path, damage->section, damage->at, damage->cause, others);
	return -1;
}

/* Who asks for both gets CPU time alone in the bytes of GNU gprof. */
static void note_unwaited(const struct session *s, const struct options *opt, unsigned reports)
{
	unsigned gnu = reports & (REPORT_FLAT | REPORT_GRAPH);

	if (!opt->input.clock || !s->clock.waiting || !gnu || opt->exports.n > 0 ||
	    reports & (REPORT_TOP | REPORT_INCLUSIVE | REPORT_TREE | REPORT_THREADS))
		return;
	diag_note(s->diag,
		  "--clock=%s: %s %s of CPU time: --inclusive has waiting beside it, --clock=off "
		  "waiting alone",
		  opt->input.clock,
		  gnu == REPORT_FLAT    ? "the flat profile"
		  : gnu == REPORT_GRAPH ? "the call graph"
					: "flat profile and call graph",
		  gnu == (REPORT_FLAT | REPORT_GRAPH) ? "are" : "is");
}

/* 0, or -1 with the reason said. */
static int show(struct run_sessions *r, const struct options *opt, unsigned reports,
		struct output *out)
{
	struct session *s = r->text;
	struct line_times times;
	struct source_listings listings;
	struct view view = { .analysis = &s->analysis,
			     .locations = s->locations,
			     .files = &r->files.set,
			     .terminal = out->terminal,
			     .columns = out->terminal ? window_size(out).columns : 0 };

	if (reports_need(reports) & NEEDS_LINES) {
		if (opt->report.time_columns) {
			times = session_line_times(s, credited_lines(s));
			view.line_times = &times;
		}
		view.sources =
			session_sources(s, opt->report.zeros, view.line_times, &r->files.inputs);
	}
	if (reports & REPORT_RANKS) {
		view.ranks = ranks_gather(s, opt, RANKS_NO_CELLS, s->diag);
		if (!view.ranks)
			return -1;
	}
	if (reports & REPORT_TOP)
		view.top = top_gather(s, opt, out, NULL);
	if (reports & REPORT_LISTING) {
		if (listings_prepare(&listings, r->text, &opt->analysis, &opt->analysis.source,
				     &r->files.inputs) < 0)
			return -1;
		view.listings = &listings.listings;
		view.listing_texts = listings.texts;
	}
	if (check_lines(r, opt, reports) < 0)
		return -1;
	if (reports_write(reports, &view, &opt->report, out, s->mem, s->diag) < 0 ||
	    export_all(r, opt, out) < 0)
		return -1;
	/* Where a pager shows the reports, notes come when it has ended. */
	output_complete(out);
	note_unwaited(s, opt, reports);
	explain_note(s, opt, reports);
	explain_dropped(s, opt, reports);
	explain_inlined(s, opt, reports);
	return r->files.failed || s->diag->nerrors > 0 ? -1 : 0;
}

/* Stacks would be a second file. */
static int print_sum(const struct session *s, struct output *out)
{
	if (out->terminal) {
		diag_error(s->diag, "-s -o -: standard output is a terminal, and a sum is no text");
		return -1;
	}
	if (!recorded_is_empty(&s->profile.recorded))
		diag_warn(s->diag, "-s -o -: call stacks are left out: they have no place in "
				   "standard output, but have with -o FILE");
	return gmon_print(&s->profile, s->input->format, out, s->mem);
}

/* The sum holds the data files, so it may replace one, but nothing else that is read. */
static int write_sum(const struct session *s, const struct options *opt, struct outfiles *files,
		     struct output *out)
{
	const char *name = opt->sum ? opt->sum : "gmon.sum";

	if (strcmp(name, "-") == 0)
		return print_sum(s, out);
	if (gmon_write(&s->profile, s->input->format, name, &files->inputs, s->mem, s->diag) < 0)
		return -1;
	outfiles_add_written(files, name);
	if (!recorded_is_empty(&s->profile.recorded))
		outfiles_add_written(files, ext_beside_name(name, s->mem));
	return 0;
}

/* Whether all that is shown comes with the functions that exports have. */
static bool is_own_alone(const struct options *opt)
{
	unsigned reports = opt->report.wanted & ~(unsigned)REPORT_SUM;

	/* Entries are no call graph of GNU gprof's. */
	if (opt->analysis.entry.requests.n > 0 && reports == REPORT_GRAPH)
		return true;
	return opt->explain || opt->order.style ||
	       ((reports || opt->exports.n > 0) && !(reports & ~(unsigned)OWN_REPORTS));
}

/* Analyses what is exported, with the functions of `own`. 0, or -1 with the reason said. */
static int analyze_exports(struct run_sessions *r, const struct session_input *own,
			   const struct options *opt)
{
	struct session *s = r->exports;
	struct diag *diag = r->text->diag, silent = diag_silent(diag->progress);
	int rc;

	if (own->program.symbols.all == r->text->input->program.symbols.all &&
	    own->inlined == r->text->input->inlined &&
	    own->program.by_line == r->text->input->program.by_line) {
		r->exports = r->text;
	} else {
		if (session_read_beside(s, r->text, own, diag) < 0)
			return -1;
		/* The first session has said it. */
		s->diag = &silent;
		rc = session_symbolize(s);
		s->diag = diag;
		if (rc < 0)
			return -1;
		session_analyze(s, &opt->analysis, exports_need(&opt->exports), &silent);
	}
	s = r->exports;
	if (s->has_stacks)
		r->trees = session_trees(s, &opt->analysis,
					 exports_want_threads(&opt->exports) ? SESSION_PARTS
									     : SESSION_WHOLE);
	r->integer_costs = integer_costs_make(&s->analysis, s->has_stacks ? &r->trees.times : NULL,
					      r->text->mem);
	return 0;
}

/* What has no place for inlined functions without call stacks. */
static void note_uninlined(const struct session *s, const struct options *opt, unsigned reports)
{
	const char *what = opt->exports.n > 0       ? "exports"
			   : reports & REPORT_GRAPH ? "the call graph"
						    : NULL;

	if (what)
		diag_note(s->diag, "--inlined: without call stacks %s %s inlined functions", what,
			  opt->exports.n > 0 ? "have no" : "has no");
}

/* The processes of one run are listed beside any report of times from call stacks; those of its
 * sum, too. */
static unsigned with_processes(const struct session *s, unsigned reports)
{
	bool lists = reports & ~(unsigned)REPORT_SUM && s->has_stacks &&
		     (s->input->together || s->analysis.stacks->processes.nchildren > 0);

	return lists ? reports | REPORT_PROCESSES : reports;
}

/* 0, or -1 with the reason said. */
static int report(struct session *s, const struct options *opt, const struct session_input *own,
		  struct output *out)
{
	struct session beside;
	struct run_sessions sessions = { .text = s,
					 .exports = &beside,
					 .files = { .mem = s->mem, .diag = s->diag } };
	struct session_input exported = *own;
	unsigned reports, needs;

	if (explain_missing(s, opt) || session_read(s) < 0)
		return -1;
	reports =
		opt->exports.n > 0 ? opt->report.wanted : reports_choose(&opt->report, &s->profile);
	if (exports_check(&opt->exports, &s->profile, s->diag) < 0 ||
	    needs_check(reports_need(reports) & NEEDS_MEASURED, "", &s->profile, s->diag) < 0)
		return -1;
	if (opt->report.time_columns &&
	    needs_check(NEEDS_SAMPLES, "--time-columns", &s->profile, s->diag) < 0)
		return -1;
	if ((reports & REPORT_RANKS || exports_ranks(&opt->exports) == EXPORT_RANKS_NEEDED) &&
	    ranks_check(s, &opt->ranks, s->diag) < 0)
		return -1;
	outfiles_start(&sessions.files);
	session_inputs(s, &sessions.files.inputs);
	if (reports & REPORT_SUM && write_sum(s, opt, &sessions.files, out) < 0)
		return -1;
	if (is_sum_alone(opt, reports))
		return 0;
	if (session_symbolize(s) < 0)
		return -1;
	session_profiles(s, &sessions.files.inputs);
	if (opt->input.inlined && !s->has_stacks) {
		exported.inlined = false;
		note_uninlined(s, opt, reports);
	}
	needs = reports_need(reports) | exports_need(&opt->exports);
	if (explain_unlisted(s, opt))
		return -1;
	session_analyze(s, &opt->analysis, needs, s->diag);
	if (s->diag->nerrors > 0) /* an --entry of no function */
		return -1;
	reports = with_processes(s, reports);
	if (opt->trace)
		trace_analysis(&s->analysis, s->diag);
	if (opt->exports.n == 0)
		sessions.exports = s;
	else if (analyze_exports(&sessions, &exported, opt) < 0)
		return -1;
	locate_shown(&sessions, opt, reports);
	return show(&sessions, opt, reports, out);
}

/* The difference, with the exports; and the reports of the new side, if any are asked for. */
static int run_difference(const struct options *opt, struct output *out, struct arena *mem,
			  struct diag *diag)
{
	struct options rest = *opt;
	int status = diff_run(opt, out, mem, diag);

	rest.diff.base = NULL;
	rest.exports.n = 0;
	if (status == EXIT_FAILURE || !opt->report.wanted)
		return status;
	return run(&rest, out, mem, diag) == EXIT_SUCCESS ? status : EXIT_FAILURE;
}

int run(const struct options *opt, struct output *out, struct arena *mem, struct diag *diag)
{
	const struct session_input own = options_own_input(opt);
	struct session session;
	int rc;

	prepare_screen(out, opt->color, diag->progress);
	if (opt->diff.base)
		return run_difference(opt, out, mem, diag);
	if (opt->convert_blocks)
		return blocks_convert(&opt->input, out, mem, diag) < 0 ? EXIT_FAILURE
								       : EXIT_SUCCESS;
	if (mistakes_check_separate(&opt->separate, diag) < 0)
		return EXIT_FAILURE;
	if (session_open(&session, is_own_alone(opt) ? &own : &opt->input, mem, diag) < 0)
		return EXIT_FAILURE;
	rc = opt->explain       ? explain_run(&session, opt, out)
	     : opt->order.style ? order_run(&session, opt, out)
				: report(&session, opt, &own, out);
	session_close(&session);
	return rc < 0 ? EXIT_FAILURE : rc;
}

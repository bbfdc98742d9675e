/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One session, and what is made of it, in order: the sum, reports, exports, the note. */
#include "config.h"

#include "run/run.h"

#include "analysis/amounts.h"
#include "io/outfiles.h"
#include "io/profile/gmon_write.h"
#include "model/needs.h"
#include "run/blocks.h"
#include "run/explain.h"
#include "run/exports.h"
#include "run/session.h"
#include "run/trace.h"

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

/* What is shown beside a session's values, and the files for it. */
struct shown {
	unsigned reports;
	struct amounts amounts; /* for exports */
	struct outfiles files;
};

/* Whether the data files are to be added up, and nothing else. */
static bool is_sum_alone(const struct options *opt, unsigned reports)
{
	return reports == REPORT_SUM && !opt->trace && opt->analysis.select.requests.n == 0 &&
	       opt->exports.n == 0;
}

/* What is shown beyond the passes' values: source locations of few symbols, if not of all. */
static void locate_shown(struct session *s, const struct options *opt, unsigned reports,
			 const struct amounts *amounts)
{
	struct bitset few;

	if (s->locations)
		return;
	few = reports_locations(reports, &s->analysis, &opt->report, s->mem);
	exports_locations(&opt->exports, amounts, few);
	session_locate(s, &few);
}

/* 0, or -1 with the reason said. */
static int show(struct session *s, const struct options *opt, struct shown *shown,
		struct output *out)
{
	unsigned reports = shown->reports;
	struct view view = { .analysis = &s->analysis,
			     .locations = s->locations,
			     .files = &shown->files.set,
			     .terminal = out->terminal };
	struct exports_input exports = { .view = &view,
					 .amounts = &shown->amounts,
					 .files = &shown->files,
					 .source_path = &s->input->source_path,
					 .style = report_style(&opt->report) };

	if (reports_need(reports) & NEEDS_LINES)
		view.sources = session_sources(s, opt->report.zeros, &shown->files.inputs);
	if (reports_write(reports, &view, &opt->report, out, s->mem, s->diag) < 0)
		return -1;
	if (opt->exports.n > 0)
		exports.mapping = image_mapping(s->image, s->mem);
	if (exports_want_lines(&opt->exports))
		exports.line_times = session_line_times(s);
	if (exports_write(&opt->exports, &exports, out, s->mem) < 0)
		return -1;
	explain_note(s, opt, reports);
	return shown->files.failed || s->diag->nerrors > 0 ? -1 : 0;
}

/* The sum holds the data files, so it may replace one, but nothing else that is read. */
static int write_sum(const struct session *s, struct outfiles *files)
{
	static const char name[] = "gmon.sum";

	if (gmon_write(&s->profile, s->input->format, name, &files->inputs, s->mem, s->diag) < 0)
		return -1;
	outfiles_add_written(files, name);
	return 0;
}

/* 0, or -1 with the reason said. */
static int report(struct session *s, const struct options *opt, struct output *out)
{
	struct shown shown = { .files = { .mem = s->mem, .diag = s->diag } };
	unsigned reports;

	if (explain_missing(s, opt) || session_read(s) < 0)
		return -1;
	reports = shown.reports =
		opt->exports.n > 0 ? opt->report.wanted : reports_choose(&opt->report, &s->profile);
	if (exports_check(&opt->exports, &s->profile, s->diag) < 0)
		return -1;
	outfiles_start(&shown.files);
	session_inputs(s, &shown.files.inputs);
	if (reports & REPORT_SUM && write_sum(s, &shown.files) < 0)
		return -1;
	if (is_sum_alone(opt, reports))
		return 0;
	session_profiles(s, &shown.files.inputs);
	session_analyze(s, &opt->analysis, reports_need(reports) | exports_need(&opt->exports));
	if (opt->trace)
		trace_analysis(&s->analysis, s->diag);
	if (opt->exports.n > 0)
		shown.amounts = amounts_make(&s->analysis, s->mem);
	locate_shown(s, opt, reports, &shown.amounts);
	return show(s, opt, &shown, out);
}

int run(const struct options *opt, struct output *out, struct arena *mem, struct diag *diag)
{
	struct session session;
	int rc;

	prepare_screen(out, opt->color, diag->progress);
	if (opt->convert_blocks)
		return blocks_convert(&opt->input, out, mem, diag) < 0 ? EXIT_FAILURE
								       : EXIT_SUCCESS;
	if (session_open(&session, &opt->input, mem, diag) < 0)
		return EXIT_FAILURE;
	rc = opt->explain ? explain_run(&session, opt, out) : report(&session, opt, out);
	session_close(&session);
	return rc < 0 ? EXIT_FAILURE : rc;
}

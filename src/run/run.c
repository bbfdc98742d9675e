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
static int show(struct session *s, const struct options *opt, unsigned reports,
		const struct amounts *amounts, struct output *out)
{
	struct outfiles files = { .mem = s->mem, .diag = s->diag };
	struct view view = { .analysis = &s->analysis,
			     .locations = s->locations,
			     .files = &files.set,
			     .terminal = out->terminal };
	struct exports_input exports = { .view = &view,
					 .amounts = amounts,
					 .source_path = &s->input->source_path,
					 .style = report_style(&opt->report) };

	if (reports_need(reports) & NEEDS_LINES)
		view.sources = session_sources(s, opt->report.zeros);
	outfiles_start(&files);
	if (reports_write(reports, &view, &opt->report, out, s->mem, s->diag) < 0)
		return -1;
	if (opt->exports.n > 0)
		exports.mapping = image_mapping(s->image, s->mem);
	if (exports_want_lines(&opt->exports))
		exports.line_times = session_line_times(s);
	if (exports_write(&opt->exports, &exports, out, s->mem, s->diag) < 0)
		return -1;
	explain_note(s, opt, reports);
	return files.failed ? -1 : 0;
}

/* 0, or -1 with the reason said. */
static int report(struct session *s, const struct options *opt, struct output *out)
{
	struct amounts amounts = { 0 };
	unsigned reports;

	if (explain_missing(s, opt) || session_read(s) < 0)
		return -1;
	reports =
		opt->exports.n > 0 ? opt->report.wanted : reports_choose(&opt->report, &s->profile);
	if (exports_check(&opt->exports, &s->profile, s->diag) < 0)
		return -1;
	if (reports & REPORT_SUM &&
	    gmon_write(&s->profile, s->input->format, "gmon.sum", s->mem, s->diag) < 0)
		return -1;
	if (is_sum_alone(opt, reports))
		return 0;
	session_analyze(s, &opt->analysis, reports_need(reports) | exports_need(&opt->exports));
	if (opt->trace)
		trace_analysis(&s->analysis, s->diag);
	if (opt->exports.n > 0)
		amounts = amounts_make(&s->analysis, s->mem);
	locate_shown(s, opt, reports, &amounts);
	return show(s, opt, reports, &amounts, out);
}

int run(const struct options *opt, struct output *out, struct arena *mem, struct diag *diag)
{
	struct session session;
	int rc;

	prepare_screen(out, opt->color, diag->progress);
	if (opt->convert_blocks)
		return blocks_convert(&opt->input, out, mem, diag) < 0 ? EXIT_FAILURE
								       : EXIT_SUCCESS;
	if (mistakes_check_separate(&opt->separate, diag) < 0)
		return EXIT_FAILURE;
	if (session_open(&session, &opt->input, mem, diag) < 0)
		return EXIT_FAILURE;
	rc = opt->explain ? explain_run(&session, opt, out) : report(&session, opt, out);
	session_close(&session);
	return rc < 0 ? EXIT_FAILURE : rc;
}

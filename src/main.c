/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gprof: shows where a program that was compiled with -pg spent its time.
 *
 * The work has four steps, each from values to a new value:
 *
 *   options.c   the command line; its rows stand in options.def
 *   load.c      reads the program (io/image/image.c) and its profiles (io/profile/gmon_read.c) into
 * model/; lists of symbols (io/symfile.c) and of objects (io/mapfile.c) if there are any analysis/
 * analyze.c lists the passes: select, resolve, cycles, propagate, order report/     table.c lists
 * the reports: info, flat profile, call graph, index, execution counts, ordering export.c    files
 * for viewers; export/export.c lists the formats
 *
 * base/ serves them all: memory, messages, sorting, bounds-checked input, buffered output.
 */
#include "config.h"

#include "analysis/amounts.h"
#include "analysis/analyze.h"
#include "base/output.h"
#include "io/file.h"
#include "io/image/image.h"
#include "io/outfiles.h"
#include "run/explain.h"
#include "run/exports.h"
#include "run/guard.h"
#include "run/load.h"
#include "run/options.h"
#include "run/trace.h"

#include <libiberty/libiberty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((noreturn)) static void no_memory(void *diag)
{
	diag_error(diag, "out of memory");
	exit(EXIT_FAILURE);
}

static int report(struct options *opt, struct image *image, struct output *out, struct arena *mem,
		  struct diag *diag)
{
	struct program prog;
	struct profile prof;
	struct analysis analysis;
	const struct location *locations = NULL;
	struct amounts amounts = { 0 };
	struct exports_input exports = {
		.analysis = &analysis,
		.amounts = &amounts,
		.source_path = &opt->input.source_path,
		.style = report_style(&opt->report),
	};
	struct outfiles files = { .mem = mem, .diag = diag };

	if (explain_missing(opt, image, mem, diag) ||
	    load(&prog, &prof, image, &opt->input, mem, diag) < 0)
		return -1;
	if (opt->exports.n == 0)
		reports_choose(&opt->report, &prof);
	if (exports_check(&opt->exports, &prof, diag) < 0)
		return -1;
	if (opt->report.wanted & REPORT_SUM && save_sum(&prof, &opt->input, mem, diag) < 0)
		return -1;
	if (opt->report.wanted == REPORT_SUM && !opt->trace &&
	    opt->analysis.select.requests.n == 0 && opt->exports.n == 0)
		return 0;
	prof = load_moved(&prof, image, &opt->input, mem);
	opt->analysis.count_lines = opt->report.wanted & REPORT_SOURCE;
	if (prog.by_line || opt->analysis.count_lines ||
	    select_needs_locations(&opt->analysis.select, mem))
		locations = load_locations(image, &prog, NULL, diag->progress, mem);
	analysis = analyze(&prog, &prof, locations, &opt->analysis, mem, diag);
	if (opt->trace)
		trace_analysis(&analysis, diag);
	if (opt->exports.n > 0)
		amounts = amounts_make(&analysis, mem);
	if (!locations) {
		struct bitset few = reports_locations(&analysis, &opt->report, mem);

		exports_locations(&opt->exports, &amounts, few);
		locations = load_locations(image, &prog, &few, diag->progress, mem);
	}
	if (opt->report.wanted & REPORT_SOURCE)
		opt->report.sources = load_sources(&analysis.sources, opt->report.zeros,
						   &opt->input.source_path, mem, diag);
	outfiles_start(&files);
	opt->report.files = &files.set;
	opt->report.terminal = out->terminal;
	if (reports_write(&analysis, locations, &opt->report, out, mem, diag) < 0)
		return -1;
	exports.locations = locations;
	if (opt->exports.n > 0)
		exports.mapping = image_mapping(image, mem);
	if (exports_write(&opt->exports, &exports, out, mem, diag) < 0)
		return -1;
	explain_note(opt, image, &analysis, mem, diag);
	return files.failed ? -1 : 0;
}

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

static int run(struct options *opt, struct output *out, struct arena *mem, struct diag *diag)
{
	struct image *image;
	int rc = -1;

	progress_step(diag->progress, "opening the program", 0);
	image = image_open(opt->input.image, diag);
	if (image && opt->explain)
		rc = explain(opt, image, out, mem, diag);
	else if (image)
		rc = report(opt, image, out, mem, diag);

	image_close(image);
	return rc;
}

int main(int argc, char **argv)
{
	struct diag diag = diag_to_stderr(argc > 0 ? argv[0] : "gprof");
	struct arena_pool pool = { 0 };
	struct arena mem = { .no_memory = no_memory, .arg = &diag, .pool = &pool };
	char **given = argv;
	struct options opt;
	struct output out;
	int rc = EXIT_FAILURE;

	/* A limit on file sizes is an error like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	file_keep_standard();
	expandargv(&argc, &argv);
	output_open(&out, STDOUT_FILENO, "standard output", &diag);
	out.terminal = isatty(STDOUT_FILENO);
	switch (options_parse(&opt, argc, argv, &out, &mem, &diag)) {
	case OPTIONS_RUN:
		if (!guard_begin(opt.input.image, &rc, &diag))
			_exit(rc); /* nothing is buffered, and atexit() was for the child */
		prepare_screen(&out, opt.color, diag.progress);
		if (opt.convert_blocks) {
			if (convert_blocks(&opt.input, &out, &mem, &diag) == 0)
				rc = EXIT_SUCCESS;
			break;
		}
		rc = run(&opt, &out, &mem, &diag);
		if (rc < 0)
			rc = EXIT_FAILURE;
		break;
	case OPTIONS_DONE:
		rc = EXIT_SUCCESS;
		break;
	case OPTIONS_WRONG:
		break;
	}
	if (output_close(&out) < 0)
		rc = EXIT_FAILURE;
	arena_free(&mem);
	arena_pool_free(&pool);
	if (argv != given)
		freeargv(argv);
	return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gprof: shows where a program that was compiled with -pg spent its time.
 *
 * The work has four steps, each from values to a new value:
 *
 *   options.c   the command line; its rows stand in options.def
 *   load.c      reads the program (io/image.c) and its profiles (io/gmon_read.c) into model/;
 *               lists of symbols (io/symfile.c) and of objects (io/mapfile.c) if there are any
 *   analysis/   analyze.c lists the passes: select, resolve, cycles, propagate, order
 *   report/     table.c lists the reports: info, flat profile, call graph, index, execution
 *               counts, ordering
 *
 * base/ serves them all: memory, messages, sorting, bounds-checked input, buffered output.
 */
#include "config.h"

#include "analysis/analyze.h"
#include "base/output.h"
#include "explain.h"
#include "guard.h"
#include "io/file.h"
#include "io/outfiles.h"
#include "load.h"
#include "options.h"
#include "trace.h"

#include <libiberty/libiberty.h>
#include <signal.h>
#include <stdlib.h>
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
	struct outfiles files = { .mem = mem, .diag = diag };

	if (load(&prog, &prof, image, &opt->input, mem, diag) < 0)
		return -1;
	reports_choose(&opt->report, &prof);
	if (opt->report.wanted & REPORT_SUM && save_sum(&prof, &opt->input, mem, diag) < 0)
		return -1;
	if (opt->report.wanted == REPORT_SUM && !opt->trace && opt->analysis.select.requests.n == 0)
		return 0;
	prof = load_moved(&prof, image, &opt->input, mem);
	opt->analysis.count_lines = opt->report.wanted & REPORT_SOURCE;
	if (prog.by_line || opt->analysis.count_lines ||
	    select_needs_locations(&opt->analysis.select, mem))
		locations = load_locations(image, &prog, NULL, mem);
	analysis = analyze(&prog, &prof, locations, &opt->analysis, mem, diag);
	if (opt->trace)
		trace_analysis(&analysis, diag);
	if (!locations) {
		struct bitset few = reports_locations(&analysis, &opt->report, mem);

		locations = load_locations(image, &prog, &few, mem);
	}
	if (opt->report.wanted & REPORT_SOURCE)
		opt->report.sources = load_sources(&analysis.sources, opt->report.zeros,
						   &opt->input.source_path, mem, diag);
	outfiles_start(&files);
	opt->report.files = &files.set;
	opt->report.terminal = out->terminal;
	if (reports_write(&analysis, locations, &opt->report, out, mem, diag) < 0)
		return -1;
	explain_note(opt, image, &analysis, mem, diag);
	return files.failed ? -1 : 0;
}

static int run(struct options *opt, struct output *out, struct arena *mem, struct diag *diag)
{
	struct image *image = image_open(opt->input.image, diag);
	int rc = -1;

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

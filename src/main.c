/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gprof: shows where a program spent its time, and who called whom.
 *
 * main() parses the command line, dispatches to a command and closes the output. A command makes
 * values from the values before, step by step:
 *
 *   run/line/     options.c parses the command line by the rows of options.def
 *   run/launch/   runs the program of --run, and gprof's own child and pager
 *   run/command/  a file for each command, which lists its steps
 *   run/session/  session.c owns one program with its data files, and the values made of them
 *   io/           reads programs (image/) and data files (profile/) into the values of model/
 *   analysis/     analyze.c lists the passes, from addresses to functions, graph, times and orders
 *   report/       table.c lists the text reports
 *   export/       a source file for each format of exported files
 *   base/         memory, messages, sorting, bounds-checked input, and the like
 */
#include "config.h"

#include "base/window.h"
#include "io/file.h"
#include "io/history.h"
#include "run/command/command.h"
#include "run/command/destination.h"
#include "run/command/diff.h"
#include "run/command/outputs.h"
#include "run/command/sum.h"
#include "run/launch/confine.h"
#include "run/launch/fetch.h"
#include "run/launch/guard.h"
#include "run/launch/pager.h"
#include "run/line/arguments.h"
#include "run/line/options.h"
#include "run/session/keep.h"
#include "run/session/recording.h"

#include <libiberty/libiberty.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noreturn)) static void no_memory(void *diag)
{
	diag_error(diag, "out of memory");
	exit(EXIT_FAILURE);
}

/*
 * Allocated, because on the stack all pages of its buffer would be touched, and the child process
 * would copy them.
 */
static struct output *open_output(struct arena *mem, struct diag *diag)
{
	struct output *out = arena_unset(mem, 1, sizeof(*out));

	output_open(out, STDOUT_FILENO, "standard output", diag);
	out->terminal = isatty(STDOUT_FILENO);
	return out;
}

/* Runs the command that the options ask for. Returns the exit status. */
static int dispatch(const struct command *c)
{
	const struct options *opt = c->opt;

	if (opt->convert_blocks)
		return convert_run(c);
	if (c->experiment)
		return versus_run(c);
	if (opt->diff.base)
		return diff_run(c);
	if (opt->explain)
		return explain_run(c);
	if (opt->order.style)
		return order_run(c);
	if (sum_is_alone(c))
		return sum_run(c);
	if (c->exports->n > 0 && !(opt->report.wanted & ~(unsigned)REPORT_SUM))
		return export_run(c);
	if (c->exports->n == 0 && opt->report.wanted == REPORT_TOP)
		return top_run(c);
	if (c->exports->n == 0 && opt->report.wanted == REPORT_RANKS)
		return ranks_run(c);
	return classic_run(c);
}

/*
 * Runs the program of --run, if there is one. Returns whether there are data to be read afterwards.
 */
static bool find_data(struct session_input *data, struct launch *launch,
		      struct experiment *experiment, const struct options *opt, struct arena *mem,
		      struct diag *diag)
{
	if (!opt->launch.wanted) {
		*data = input_of_saved(&opt->input, mem, diag);
		return true;
	}
	if (diff_check_files(opt, diag) < 0 || !destination_is_possible(opt, mem, diag)) {
		launch->status = EXIT_FAILURE;
		return false;
	}
	if (opt->versus.wanted) {
		if (experiment_run(experiment, &opt->versus, &opt->launch, &launch->status, mem,
				   diag) < 0)
			return false;
		*data = input_of_launch(&opt->input, &experiment->launch[SIDE_NEW]);
		launch->status = EXIT_SUCCESS;
		return true;
	}
	if (launch_program(launch, &opt->launch, mem, diag) < 0)
		return false;
	*data = input_of_launch(&opt->input, launch);
	recording_choose_program(data, mem);
	return true;
}

/* Enters the sandbox, in which all files are read. */
static void confine(const struct options *opt, struct arena *mem, struct diag *diag)
{
	confine_paths outputs = { 0 };
	struct confined confined;

	outputs_list(&outputs, opt, mem);
	confined = confine_begin(&outputs, mem);
	if (opt->trace)
		confine_say(&confined, &outputs, diag);
}

/* Sets how text is written: with colours, and with the line of progress erased before it. */
static void dress_output(struct output *out, const struct options *opt, const struct diag *diag)
{
	out->styled =
		opt->color == COLOR_ALWAYS || (opt->color == COLOR_AUTO && window_has_colors(out));
	if (!window_keeps_progress(out))
		out->progress = diag->progress;
}

/* Whether gprof's own exit status is what the user wants, even if it runs a program. */
static bool wants_verdict(const struct options *opt)
{
	return opt->explain || opt->diff.fails || opt->versus.wanted;
}

/* Returns the exit status, in the child that has done the work; the parent ends here. */
static int run(const struct options *opt, struct output *out, struct pager *pager,
	       struct arena *mem, struct diag *diag)
{
	struct launch launch = { .status = EXIT_SUCCESS };
	struct experiment experiment;
	struct session_input data;
	struct destination to;
	struct command command = { .opt = opt,
				   .data = &data,
				   .exports = &opt->exports,
				   .out = out,
				   .mem = mem,
				   .diag = diag,
				   .history = -1 };
	struct fetch fetch;
	bool pages;
	int status = EXIT_FAILURE;

	if (opt->history && (command.history = history_open(opt->history, diag)) < 0)
		return EXIT_FAILURE;
	if (!find_data(&data, &launch, &experiment, opt, mem, diag))
		return launch.status;
	pages = !opt->no_pager && !opt->convert_blocks && pager_is_possible(out);
	/* While files are fetched, Ctrl-C is for the child, as it is with a pager. */
	if (!guard_begin(data.program.path, pages || data.fetch_seconds > 0, &status, diag))
		/* The parent has nothing buffered, and functions of atexit() are for the child. */
		_exit(launch_end(&launch, status, wants_verdict(opt)));
	/* Both are forked before the sandbox, the pager last: see confine.h. */
	if (!fetch_begin(&fetch, data.fetch_seconds, data.search.debug.cache, diag->progress))
		_exit(EXIT_SUCCESS);
	data.fetch = &fetch;
	if (pages)
		pager_begin(pager, out, mem, diag);
	confine(opt, mem, diag);
	if (keep_recordings(&data, mem, diag) < 0)
		return EXIT_FAILURE;
	if (destination_open(&to, opt, &data, out, mem, diag) < 0)
		return EXIT_FAILURE;
	command.report = to.out;
	command.experiment = opt->versus.wanted ? &experiment : NULL;
	dress_output(out, opt, diag);
	dress_output(to.out, opt, diag);
	status = dispatch(&command);
	return destination_close(&to, status != EXIT_FAILURE) < 0 ? EXIT_FAILURE : status;
}

static void go_on(int signal)
{
	(void)signal;
}

int main(int argc, char **argv)
{
	struct diag diag = diag_to_stderr(argc > 0 ? argv[0] : "gprof");
	struct arena_pool pool = { 0 };
	struct arena mem = { .no_memory = no_memory, .arg = &diag, .pool = &pool };
	char **given = argv;
	const struct options *opt;
	struct output *out;
	struct pager pager = { 0 };
	enum options_result result = OPTIONS_WRONG;
	int status = EXIT_FAILURE;

	/*
	 * Makes a limit on file sizes an error of write(), like a full disk. By a handler, which
	 * programs that are started do not inherit, unless the caller ignores it, as they do then.
	 */
	if (signal(SIGXFSZ, go_on) == SIG_IGN)
		signal(SIGXFSZ, SIG_IGN);
	file_keep_standard();
	out = open_output(&mem, &diag);
	if (arguments_expand(&argc, &argv, &diag) == 0)
		result = options_parse(&opt, argc, argv, out, &mem, &diag);
	if (result == OPTIONS_RUN)
		status = run(opt, out, &pager, &mem, &diag);
	else if (result == OPTIONS_DONE)
		status = EXIT_SUCCESS;
	if (output_close(out) < 0)
		status = EXIT_FAILURE;
	pager_end(&pager);
	arena_free(&mem);
	arena_pool_free(&pool);
	if (argv != given)
		freeargv(argv);
	return status;
}

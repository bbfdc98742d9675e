/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gprof: shows where a program spent its time, and who called whom.
 *
 * Parse, run, close. Each step makes a new value from those before it:
 *
 * - run/line/: options.c reads the command line by the rows of options.def
 * - run/launch/: starts the program of --run, and the processes that work and page
 * - run/command/: a file a command, each a list of steps from data to output
 * - run/session/: session.c owns one program with its data files, and what is made of them
 * - io/: reads programs (image/) and data files (profile/) into the values of model/
 * - analysis/: analyze.c lists the passes, from addresses to functions, graph, times and orders
 * - report/: table.c lists the text reports
 * - export/: files for viewers, a source file each
 * - base/: what serves them all, such as memory, messages, sorting, bounds-checked input
 */
#include "config.h"

#include "io/file.h"
#include "io/profile/ext_beside.h"
#include "run/command/diff.h"
#include "run/command/run.h"
#include "run/launch/guard.h"
#include "run/launch/pager.h"
#include "run/line/arguments.h"
#include "run/session/saved.h"

#include <libiberty/libiberty.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noreturn)) static void no_memory(void *diag)
{
	diag_error(diag, "out of memory");
	exit(EXIT_FAILURE);
}

/* Whether it left a recording, which then is what the options are about. */
static bool run_program(struct options *opt, struct launch *launch, struct arena *mem,
			struct diag *diag)
{
	if (diff_check_files(opt, diag) < 0) {
		launch->status = EXIT_FAILURE;
		return false;
	}
	opt->launch.libraries = opt->input.objects;
	if (launch_program(launch, &opt->launch, mem, diag) < 0)
		return false;
	opt->input.program.path = launch->image;
	opt->input.program.symbols.unnamed = true;
	opt->input.profiles = launch->recordings.list.at;
	opt->input.nprofiles = (int)launch->recordings.list.n;
	opt->input.together = launch->children;
	opt->input.used_ns = launch->used_ns;
	opt->input.main_pid = launch->pid;
	opt->input.main_status = launch->status;
	opt->input.program_named = opt->input.profile_named = true;
	return true;
}

/*
 * Beside call stacks, functions without names are worth showing: whoever recorded them did so with
 * any program. Those of GNU gprof's files stay what they are there.
 */
static bool has_stacks_beside(const struct session_input *input, struct arena *mem)
{
	for (int i = 0; i < input->nprofiles; i++) {
		if (access(ext_beside_name(input->profiles[i], mem), R_OK) == 0)
			return true;
	}
	return false;
}

static void settle_data(struct options *opt, struct arena *mem)
{
	if (!opt->launch.wanted)
		saved_find_program(&opt->input, mem);
	if (has_stacks_beside(&opt->input, mem))
		opt->input.program.symbols.unnamed = true;
}

/* On the stack, all pages of its buffer would be touched at once, and the child would copy them. */
static struct output *standard_output(struct arena *mem, struct diag *diag)
{
	struct output *out = arena_unset(mem, 1, sizeof(*out));

	output_open(out, STDOUT_FILENO, "standard output", diag);
	out->terminal = isatty(STDOUT_FILENO);
	return out;
}

int main(int argc, char **argv)
{
	struct diag diag = diag_to_stderr(argc > 0 ? argv[0] : "gprof");
	struct arena_pool pool = { 0 };
	struct arena mem = { .no_memory = no_memory, .arg = &diag, .pool = &pool };
	char **given = argv;
	struct options opt;
	struct output *out;
	struct launch launch = { .status = EXIT_SUCCESS };
	struct pager pager = { 0 };
	bool pages;
	int rc = EXIT_FAILURE;

	/* A limit on file sizes is an error like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	file_keep_standard();
	out = standard_output(&mem, &diag);
	switch (arguments_expand(&argc, &argv, &diag) < 0
			? OPTIONS_WRONG
			: options_parse(&opt, argc, argv, out, &mem, &diag)) {
	case OPTIONS_RUN:
		if (opt.launch.wanted && !run_program(&opt, &launch, &mem, &diag)) {
			rc = launch_end(&launch, rc);
			break;
		}
		settle_data(&opt, &mem);
		pages = !opt.no_pager && !opt.convert_blocks && pager_is_possible(out);
		if (!guard_begin(opt.input.program.path, pages, &launch.recordings, &rc, &diag))
			/* nothing is buffered, and atexit() was for the child */
			_exit(launch_end(&launch, rc));
		if (pages)
			pager_begin(&pager, out, &mem, &diag);
		rc = run(&opt, out, &mem, &diag);
		break;
	case OPTIONS_DONE:
		rc = EXIT_SUCCESS;
		break;
	case OPTIONS_WRONG:
		break;
	}
	if (output_close(out) < 0)
		rc = EXIT_FAILURE;
	pager_end(&pager);
	arena_free(&mem);
	arena_pool_free(&pool);
	if (argv != given)
		freeargv(argv);
	return rc;
}

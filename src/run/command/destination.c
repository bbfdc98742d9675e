/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/destination.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool destination_is_named(const struct options *opt)
{
	return opt->report_file && strcmp(opt->report_file, "-") != 0;
}

bool destination_is_possible(const struct options *opt, struct arena *mem, struct diag *diag)
{
	const char *name = opt->report_file, *slash, *directory = ".";

	if (!destination_is_named(opt) || access(name, F_OK) == 0)
		return true;
	slash = strrchr(name, '/');
	if (slash)
		directory = arena_strndup(mem, name, (size_t)(slash - name) + 1);
	if (access(directory, W_OK | X_OK) == 0)
		return true;
	diag_error(diag, "%s: %s", name, strerror(errno));
	return false;
}

/* Adds the files that the user named to those that are never replaced. */
static void destination_protect(file_ids *inputs, const struct options *opt,
				const struct session_input *data, struct arena *mem)
{
	fileids_add_path(inputs, data->program.path, mem);
	for (int i = 0; i < data->nprofiles; i++)
		fileids_add_path(inputs, data->profiles[i], mem);
	fileids_add_path(inputs, opt->diff.base, mem);
	fileids_add_path(inputs, opt->diff.program, mem);
	fileids_add_path(inputs, opt->launch.keep, mem);
}

int destination_open(struct destination *to, const struct options *opt,
		     const struct session_input *data, struct output *standard, struct arena *mem,
		     struct diag *diag)
{
	*to = (struct destination){ .out = standard, .files = { .mem = mem, .diag = diag } };
	if (destination_is_named(opt)) {
		outfiles_start(&to->files);
		destination_protect(&to->files.inputs, opt, data, mem);
		to->out = outfiles_open_named(&to->files, opt->report_file, "the report", 0777);
		to->is_file = to->out;
		return to->out ? 0 : -1;
	}
	if (opt->launch.wanted && !opt->versus.wanted && !opt->report_file && !standard->terminal) {
		to->out = arena_unset(mem, 1, sizeof(*to->out));
		output_open(to->out, STDERR_FILENO, "standard error", diag);
		to->out->terminal = isatty(STDERR_FILENO);
	}
	return 0;
}

int destination_close(struct destination *to, bool good)
{
	if (!to->is_file)
		return output_close(to->out);
	if (good)
		return to->files.set.close(&to->files.set);
	outfiles_drop(&to->files);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/outputs.h"

#include "base/join.h"

#include <string.h>
#include <sys/stat.h>

static void outputs_add(confine_paths *outputs, const char *name, struct arena *mem)
{
	if (name && strcmp(name, "-") != 0)
		array_push(mem, outputs) = name;
}

static bool outputs_is_directory(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && S_ISDIR(st.st_mode);
}

void outputs_list(confine_paths *outputs, const struct options *opt, struct arena *mem)
{
	outputs_add(outputs, opt->report_file, mem);
	if (opt->report.wanted & REPORT_SUM)
		outputs_add(outputs, opt->sum ? opt->sum : "gmon.sum", mem);
	for (size_t i = 0; i < opt->exports.n; i++) {
		const struct export_request *request = &opt->exports.at[i];

		outputs_add(outputs, request->file ? request->file : request->format->file, mem);
	}
	if (opt->order.style)
		outputs_add(outputs, opt->order.file, mem);
	if (opt->report.separate_files)
		outputs_add(outputs, "source-ann", mem);
	if (opt->launch.keep)
		outputs_add(outputs,
			    outputs_is_directory(opt->launch.keep)
				    ? JOIN(mem, opt->launch.keep, "/recording")
				    : opt->launch.keep,
			    mem);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/remedy.h"

#include "analysis/stacks/nameless.h"
#include "base/join.h"
#include "base/path.h"
#include "io/packages.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Smaller shares of the time, in percent, are not mentioned. */
enum { LEAST_STRIPPED = 5, LEAST_MADE = 10, LEAST_PYTHON = 50 };

static const struct {
	const char *program; /* the beginning of its name */
	const char *type;    /* what makes it tell the names of the code that it makes */
} tellers[] = {
	{ "node", "node --perf-basic-prof" },
	{ "java", "java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit" },
	{ "dotnet", "DOTNET_PerfMapEnabled=1" },
	{ "beam.smp", "erl +JPperf true" },
	{ "erl", "erl +JPperf true" },
	{ "php", "php -dopcache.jit_debug=16" },
	{ "julia", "ENABLE_JITPROFILING=1" },
	{ "luajit", "luajit built with LUAJIT_USE_PERFTOOLS" },
};

static double remedy_percent(uint64_t part, uint64_t all)
{
	return all > 0 ? 100.0 * (double)part / (double)all : 0.0;
}

/* The file behind all links, or as it is called if that cannot be said. In mem. */
static const char *remedy_real_path(const struct nameless_file *file, struct arena *mem)
{
	char *real = realpath(file->module->path, NULL);
	const char *path = real ? JOIN(mem, real) : file->module->path;

	free(real);
	return path;
}

/* What gives the two worst files their names, if they are of two packages and both matter; or the
 * worst. NULL if that is not known on this machine. */
static const char *remedy_packages(const struct nameless *n, struct arena *mem)
{
	const struct nameless_file *first = &n->file[0], *second = &n->file[1];
	const char *path = remedy_real_path(first, mem), *other = NULL;
	const char *package = packages_debug(path, PACKAGES_LISTS, mem);
	double percent = remedy_percent(first->ticks, n->all);
	double more = remedy_percent(second->ticks, n->all);

	if (package && more >= LEAST_STRIPPED)
		other = packages_debug(remedy_real_path(second, mem), PACKAGES_LISTS, mem);
	if (other && strcmp(other, package) != 0)
		return join_format(mem, "%.0f %% has no names: packages %s and %s", percent + more,
				   package, other);
	if (package)
		return join_format(mem, "%.0f %% of the time has no names: package %s",
				   other ? percent + more : percent, package);
	if (access("/usr/bin/dnf", X_OK) == 0)
		return join_format(
			mem,
			"%.0f %% of the time has no names: dnf debuginfo-install $(rpm -qf %s)",
			percent, path);
	return NULL;
}

const char *remedy_stripped(const struct session *s)
{
	const struct nameless n = nameless_add_up(s->uninlined, s->mem);
	double percent = remedy_percent(n.stripped, n.all);
	const char *packages;

	if (!n.file[0].module || percent < LEAST_STRIPPED)
		return NULL;
	packages = remedy_packages(&n, s->mem);
	if (packages)
		return packages;
	return join_format(s->mem, "%.0f %% of the time has no names%s %s, which is stripped",
			   percent, n.file[0].ticks < n.stripped ? ", most of it in" : ", in",
			   path_base(n.file[0].module->path));
}

/* The program that made most of the code: the main one, or the only one. */
static const char *remedy_program(const struct session *s)
{
	const struct module *program = recorded_program(&s->profile.recorded);

	return path_base(program ? program->path : s->input->program.path);
}

/* The minor version of a program called "python3.13"; 0 if it is not called like that. */
static unsigned long remedy_python(const char *program)
{
	static const char name[] = "python3.";

	return strncmp(program, name, strlen(name)) == 0 ? strtoul(program + strlen(name), NULL, 10)
							 : 0;
}

static const char *remedy_of_python(const struct session *s, const struct nameless *n,
				    const char *program)
{
	enum { TELLING = 12 };
	unsigned long minor = remedy_python(program);
	double percent;

	if (minor == 0 || n->told)
		return NULL;
	percent = remedy_percent(
		nameless_ticks_below(s->uninlined, "_PyEval_EvalFrameDefault", s->mem), n->all);
	if (percent < LEAST_PYTHON)
		return NULL;
	return join_format(s->mem,
			   "%.0f %% of the time is Python's: %s -X perf names its functions",
			   percent, minor >= TELLING ? "python3" : "python3.12");
}

const char *remedy_nameless(const struct session *s)
{
	const struct nameless n = nameless_add_up(s->uninlined, s->mem);
	const char *program = remedy_program(s), *type = NULL;
	double percent = remedy_percent(n.made, n.all);

	if (percent < LEAST_MADE)
		return remedy_of_python(s, &n, program);
	for (size_t i = 0; i < sizeof(tellers) / sizeof(tellers[0]) && !type; i++) {
		if (strncmp(program, tellers[i].program, strlen(tellers[i].program)) == 0)
			type = tellers[i].type;
	}
	if (type && !n.told)
		return join_format(s->mem, "%s names the code of %.0f %% of the time", type,
				   percent);
	return join_format(s->mem, "%.0f %% of the time is in code made at run time that %s",
			   percent,
			   n.told ? "the program told no name of" : "no perf-PID.map names");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names are compared with those of programs that exist: O(entries of the directories). */
#include "config.h"

#include "run/launch/misnamed.h"

#include "base/join.h"
#include "base/nearest_files.h"
#include "base/path.h"
#include "gmon_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What runs or compiles files whose names end like this. */
static const struct {
	const char *suffix;
	const char *interpreter; /* NULL: source text for a compiler */
} languages[] = {
	{ ".c", NULL },    { ".cc", NULL },      { ".cpp", NULL },    { ".cxx", NULL },
	{ ".f90", NULL },  { ".f", NULL },       { ".adb", NULL },    { ".go", NULL },
	{ ".rs", NULL },   { ".d", NULL },       { ".pas", NULL },    { ".h", NULL },
	{ ".sh", "sh" },   { ".py", "python3" }, { ".pl", "perl" },   { ".rb", "ruby" },
	{ ".js", "node" }, { ".lua", "lua" },    { ".tcl", "tclsh" }, { ".php", "php" },
};

static bool misnamed_is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool misnamed_begins(const char *path, const char *magic)
{
	char head[8];
	size_t n = strlen(magic);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool same = fd >= 0 && read(fd, head, n) == (ssize_t)n && memcmp(head, magic, n) == 0;

	if (fd >= 0)
		close(fd);
	return same;
}

/* What to do with a file that is there, but is no program. */
static const char *misnamed_no_program(const char *path, struct arena *mem)
{
	const char *suffix = strrchr(path_base(path), '.');

	if (misnamed_begins(path, GMON_MAGIC))
		return JOIN(mem, "; it is profile data: gprof PROGRAM ", path);
	if (misnamed_begins(path, "#!"))
		return JOIN(mem, "; it is a script that may not be executed: chmod +x ", path);
	for (size_t i = 0; suffix && i < sizeof(languages) / sizeof(languages[0]); i++) {
		if (strcmp(suffix, languages[i].suffix) != 0)
			continue;
		if (languages[i].interpreter)
			return JOIN(mem, "; did you mean '--run ", languages[i].interpreter, " ",
				    path, "'?");
		return "; it is source text: compile it with -g, and run the program";
	}
	return "";
}

/* A command with its arguments in one word, as in --run "./words 1 2". */
static const char *misnamed_in_quotes(const char *command, struct arena *mem)
{
	size_t n = strcspn(command, " \t");
	const char *program = arena_strndup(mem, command, n);

	if (!command[n] || (strchr(program, '/') && !nearest_files_is_program(program)))
		return NULL;
	return JOIN(mem, "; did you mean it without quotes: --run ", command, "?");
}

static const char *misnamed_near(const char *command, struct arena *mem)
{
	struct nearest_search installed = nearest_begin(command, mem);
	const char *list = strchr(command, '/') ? NULL : getenv("PATH");

	for (size_t n; list && *list; list += n + (list[n] == ':')) {
		n = strcspn(list, ":");
		nearest_files_offer(&installed, n > 0 ? arena_strndup(mem, list, n) : ".",
				    &nearest_files_is_program, mem);
	}
	return installed.found.n > 0
		       ? nearest_question(&installed.found, "", mem)
		       : nearest_files_question(command, "./", &nearest_files_is_program, mem);
}

const char *misnamed_hint(const char *command, int error, struct arena *mem)
{
	const char *here = strchr(command, '/') ? command : JOIN(mem, "./", command);
	const char *hint = NULL;

	if (error != ENOENT)
		return error == EACCES && misnamed_is_file(here) ? misnamed_no_program(here, mem)
								 : "";
	if (here != command && nearest_files_is_program(here))
		return JOIN(mem, "; did you mean '", here, "'?");
	if (here != command && misnamed_is_file(here))
		hint = misnamed_no_program(here, mem);
	if (!hint)
		hint = misnamed_in_quotes(command, mem);
	return hint ? hint : misnamed_near(command, mem);
}

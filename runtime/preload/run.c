/* SPDX-License-Identifier: MIT */
/* GMON=run: which process to record, and hiding from what it starts. See run.h. */
#include "preload/run.h"

#include <link.h>
#include <stddef.h>
#include <unistd.h>

#include "base/profile_name.h"
#include "base/program.h"
#include "base/sys.h"
#include "base/text.h"
#include "state.h"

bool run_is_wanted(void)
{
	const struct settings *settings = &gmon.settings;

	if (!settings->run)
		return false;
	if (!settings->has_only || settings->children)
		return true;
	return run_is_program("/proc/self/exe");
}

bool run_is_program(const char *path)
{
	const struct settings *settings = &gmon.settings;
	struct sys_file file;
	long fd = settings->has_only ? sys_open(path, O_PATH | O_CLOEXEC, 0) : -ENOENT;
	bool same;

	if (sys_failed(fd))
		return false;
	same = !sys_look((int)fd, "", &file) && file.device == settings->only_device &&
	       file.number == settings->only_inode;
	sys_close((int)fd);
	return same;
}

static bool run_is_there(const char *path)
{
	return SYS3(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

void run_name(void)
{
	enum { COPIES = 1000 };
	struct settings *settings = &gmon.settings;
	char path[PATH_BYTES];
	bool taken = true;

	if (!settings->again && !settings->children)
		return;
	for (settings->copy = 0; taken && settings->copy < COPIES; settings->copy++) {
		struct text text;

		if (!profile_name_make(settings, path, gmon.pid, gmon.forked, false))
			return;
		text = text_after(path, sizeof(path));
		taken = run_is_there(path);
		text_add(&text, ".live");
		taken = taken || run_is_there(path);
	}
	settings->copy--;
}

/* The value in an entry "NAME=VALUE" of the environment, or NULL if it has another name. */
static char *run_value(char *entry, const char *name)
{
	const char *rest = text_skip(entry, name);

	return rest && *rest == '=' ? entry + (rest + 1 - entry) : NULL;
}
/* Moves the end of a string, from `rest` on, to `text`. */
static void run_move(char *text, const char *rest)
{
	do
		*text++ = *rest;
	while (*rest++);
}

/* Sets *name to the name of the object that this function is in. */
static int run_look_for_own(struct dl_phdr_info *info, size_t size, void *name)
{
	struct program place = { .bias = info->dlpi_addr };

	(void)size;
	if (!program_segments(&place, info->dlpi_phdr, info->dlpi_phnum) ||
	    !program_has(&place, (uintptr_t)run_look_for_own))
		return 0;
	*(const char **)name = info->dlpi_name;
	return 1;
}

/* Whether n bytes are a path of our library, or of another copy, where the program's own records.
 */
static bool run_is_own(const char *entry, size_t n)
{
	const char *own = "";
	size_t at = n;

	while (at > 0 && entry[at - 1] != '/')
		at--;
	dl_iterate_phdr(run_look_for_own, &own);
	return at < n && (text_equal_n(entry + at, n - at, text_last_part(own)) ||
			  text_equal_n(entry + at, n - at, "libgmon.so"));
}

/* Removes the first entry that is ours. Returns whether nothing is left. */
static bool run_cut_preload(char *value)
{
	for (char *at = value; *at;) {
		char *end = at;

		while (*end && *end != ':' && *end != ' ')
			end++;
		if (run_is_own(at, (size_t)(end - at))) {
			run_move(at, end + (*end != '\0'));
			if (!*at && at > value)
				at[-1] = '\0';
			return !*value;
		}
		at = end + (*end != '\0');
	}
	return false;
}

static bool run_is_mark(const char *at)
{
	const char *rest = text_skip(at, "run");

	return rest && (!*rest || *rest == ',');
}
/* Removes all from the key "run" on, which gprof has added. Returns whether nothing is left. */
static bool run_cut_gmon(char *value)
{
	char *at = value;

	while (*at && !run_is_mark(at)) {
		while (*at && *at != ',')
			at++;
		at += *at == ',';
	}
	if (at > value && *at)
		at--; /* the comma */
	*at = '\0';
	return at == value;
}

/* Removes what gprof has added: without that, AddressSanitizer ends a program in which it is not
 * the first library. Returns whether nothing is left. */
static bool run_cut_sanitizer(char *value)
{
	static const char ours[] = "verify_asan_link_order=0";
	size_t n = text_length(value), own = sizeof(ours) - 1;

	if (n >= own && text_equal(value + n - own, ours)) {
		n -= own;
		value[n > 0 ? n - 1 : 0] = '\0'; /* with the colon */
	}
	return !*value;
}

/* The variables that gprof adds to, and what removes that and returns whether nothing is left. */
static const struct {
	const char *name;
	bool (*cut)(char *value);
} run_variables[] = {
	{ "LD_PRELOAD", run_cut_preload },
	{ "GMON", run_cut_gmon },
	{ "ASAN_OPTIONS", run_cut_sanitizer },
};

enum { RUN_VARIABLES = sizeof(run_variables) / sizeof(run_variables[0]), RUN_GMON = 1 };

/* The entries that run_hide() has changed, as they were; empty: it was not there. */
struct run_hidden {
	char entry[RUN_VARIABLES][PATH_BYTES];
};

/* The index of an entry's variable, with its value in *value; RUN_VARIABLES: none of them. */
static unsigned run_find(char *entry, char **value)
{
	unsigned i = 0;

	while (i < RUN_VARIABLES && !(*value = run_value(entry, run_variables[i].name)))
		i++;
	return i;
}

static void run_remember(const char *entry, unsigned i)
{
	struct text text = text_in(gmon.hidden->entry[i], PATH_BYTES);

	text_add(&text, entry);
	if (i == RUN_GMON && !gmon.settings.again)
		text_add(&text, ",again");
	if (text.full)
		gmon.hidden->entry[i][0] = '\0';
}

char **run_environment(char *const *environment)
{
	struct run_hidden *hidden = gmon.hidden;
	size_t n = 0, to = 0;
	char **made, *value;

	if (!hidden)
		return NULL;
	while (environment && environment[n])
		n++;
	n += RUN_VARIABLES + 2;
	made = sys_memory(n * sizeof(*made));
	if (!made)
		return NULL;
	*made++ = (char *)n;
	for (unsigned i = 0; i < RUN_VARIABLES; i++)
		if (hidden->entry[i][0])
			made[to++] = hidden->entry[i];
	for (size_t i = 0; environment && environment[i]; i++)
		if (run_find(environment[i], &value) == RUN_VARIABLES)
			made[to++] = environment[i];
	return made;
}

void run_free_environment(char **environment)
{
	if (environment)
		sys_munmap(environment - 1, (size_t)environment[-1] * sizeof(*environment));
}

/* In a new array: Go's run-time system looks for the auxiliary vector after the old one's end. */
void run_hide(void)
{
	char **made, **to, *value;
	size_t n = 0;

	while (environ && environ[n])
		n++;
	to = made = sys_memory((n + 1) * sizeof(*made));
	gmon.hidden = sys_memory(sizeof(*gmon.hidden));
	for (size_t k = 0; k < n; k++) {
		unsigned i = run_find(environ[k], &value);

		if (i < RUN_VARIABLES && gmon.hidden)
			run_remember(environ[k], i);
		if ((i == RUN_VARIABLES || !run_variables[i].cut(value)) && made)
			*to++ = environ[k];
	}
	if (made)
		environ = made;
}

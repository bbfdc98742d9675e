/* SPDX-License-Identifier: MIT */
/* GMON=run: which process to record, and hiding from what it starts. See run.h. */
#include "preload/run.h"

#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/profile_name.h"
#include "base/program.h"
#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"
#include "state.h"

/*
 * Whether this is a program inside of valgrind, which preloads a library of that name: what takes
 * time there is valgrind, and it complains of system calls that it does not know.
 */
static bool run_is_simulated(void)
{
	const char *preloaded = getenv("LD_PRELOAD");

	while (preloaded && *preloaded && !text_skip(preloaded, "vgpreload_"))
		preloaded++;
	return preloaded && *preloaded;
}

bool run_is_wanted(void)
{
	const struct settings *settings = &gmon.settings;

	if (!settings->run || (settings->has_windows && run_is_simulated()))
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

	if (settings->has_windows || (!settings->again && !settings->children))
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

/* The functions run_cut_* move what gprof has added to a value to *part, and return whether nothing
 * is left. */
static bool run_cut_preload(char *value, struct text *part)
{
	for (char *at = value; *at;) {
		char *end = at;

		while (*end && *end != ':' && *end != ' ')
			end++;
		if (run_is_own(at, (size_t)(end - at))) {
			text_add_bytes(part, at, (size_t)(end - at));
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

/* All from the key "run" on. */
static bool run_cut_gmon(char *value, struct text *part)
{
	char *at = value;

	while (*at && !run_is_mark(at)) {
		while (*at && *at != ',')
			at++;
		at += *at == ',';
	}
	text_add(part, at);
	if (*at && !gmon.settings.again)
		text_add(part, ",again");
	if (at > value && *at)
		at--; /* the comma */
	*at = '\0';
	return at == value;
}

/* Without this, AddressSanitizer ends a program in which it is not the first library. */
static bool run_cut_sanitizer(char *value, struct text *part)
{
	static const char ours[] = "verify_asan_link_order=0";
	size_t n = text_length(value), own = sizeof(ours) - 1;

	if (n >= own && text_equal(value + n - own, ours)) {
		text_add(part, ours);
		n -= own;
		value[n > 0 ? n - 1 : 0] = '\0'; /* with the colon */
	}
	return !*value;
}

/* The variables that gprof adds to, and how what it adds is joined to the rest. */
static const struct {
	const char *name;
	bool (*cut)(char *value, struct text *part);
	const char *between;
	bool first; /* it comes before the rest */
} run_variables[] = {
	{ "LD_PRELOAD", run_cut_preload, ":", true },
	{ "GMON", run_cut_gmon, ",", false },
	{ "ASAN_OPTIONS", run_cut_sanitizer, ":", false },
};

enum { RUN_PRELOAD = 0, RUN_VARIABLES = sizeof(run_variables) / sizeof(run_variables[0]) };

/* What run_hide() has cut out of each variable; empty: nothing. */
struct run_hidden {
	char part[RUN_VARIABLES][PATH_BYTES];
};

/* The index of an entry's variable, with its value in *value; RUN_VARIABLES: none of them. */
static unsigned run_find(char *entry, char **value)
{
	unsigned i = 0;

	while (i < RUN_VARIABLES && !(*value = run_value(entry, run_variables[i].name)))
		i++;
	return i;
}

/* Bytes that run_join() needs for a variable with the rest of its value. */
static size_t run_joined_bytes(unsigned i, const char *rest)
{
	return text_length(run_variables[i].name) + text_length(gmon.hidden->part[i]) +
	       text_length(rest) + sizeof("=:");
}

/* Adds an entry of the environment: what the variable now is, and what was cut out of it. */
static char *run_join(struct text *text, unsigned i, const char *rest)
{
	char *entry = text->at + text->length;
	const char *part = gmon.hidden->part[i];

	text_add(text, run_variables[i].name);
	text_add(text, "=");
	text_add(text, run_variables[i].first ? part : rest);
	if (*part && *rest)
		text_add(text, run_variables[i].between);
	text_add(text, run_variables[i].first ? rest : part);
	text->length++; /* the terminating zero */
	return entry;
}

/* Fills an array: the environment, with the rests of the variables in `rest`. Returns how many
 * entries that are. */
static size_t run_fill(char **made, struct text *text, char *const *environment,
		       const char *const rest[])
{
	char **first = made, *value;

	for (unsigned i = 0; i < RUN_VARIABLES; i++)
		if (rest[i] || gmon.hidden->part[i][0])
			*made++ = run_join(text, i, rest[i] ? rest[i] : "");
	for (; environment && *environment; environment++)
		if (run_find(*environment, &value) == RUN_VARIABLES)
			*made++ = *environment;
	return (size_t)(made - first);
}

/* Counts the entries of an environment, and finds the values of the variables in it. */
static size_t run_look(char *const *environment, const char *rest[RUN_VARIABLES])
{
	size_t n = 0;
	char *value;

	for (; environment && environment[n]; n++) {
		unsigned i = run_find(environment[n], &value);

		if (i < RUN_VARIABLES && !rest[i])
			rest[i] = value;
	}
	return n;
}

/* Bytes of the array for n entries of an environment. */
static size_t run_array_bytes(size_t n)
{
	return (n + RUN_VARIABLES + 1) * sizeof(char *);
}

/* Whether the loader of another program finds our library: a process may have changed its root. */
static bool run_can_be_loaded(void)
{
	const char *library = gmon.hidden->part[RUN_PRELOAD];

	return library[0] != '/' || sandbox_was_closed() || run_is_there(library);
}

size_t run_environment_bytes(char *const *environment)
{
	const char *rest[RUN_VARIABLES] = { NULL };
	size_t bytes;

	if (!gmon.hidden || !run_can_be_loaded())
		return 0;
	bytes = run_array_bytes(run_look(environment, rest));
	for (unsigned i = 0; i < RUN_VARIABLES; i++)
		bytes += run_joined_bytes(i, rest[i] ? rest[i] : "");
	return bytes <= RUN_ENVIRONMENT_MOST ? bytes : 0;
}

char **run_environment(void *memory, char *const *environment)
{
	const char *rest[RUN_VARIABLES] = { NULL };
	size_t room = run_array_bytes(run_look(environment, rest)), bytes = 0, used;
	struct text text;

	for (unsigned i = 0; i < RUN_VARIABLES; i++)
		bytes += run_joined_bytes(i, rest[i] ? rest[i] : "");
	text = text_in((char *)memory + room, bytes);
	used = run_fill(memory, &text, environment, rest);
	((char **)memory)[used] = NULL;
	return memory;
}

/* In a new array: Go's run-time system looks for the auxiliary vector after the old one's end. */
void run_hide(void)
{
	char **made, **to, *value, unused[1];
	size_t n = 0;

	while (environ && environ[n])
		n++;
	to = made = sys_memory((n + 1) * sizeof(*made));
	gmon.hidden = sys_memory(sizeof(*gmon.hidden));
	for (size_t k = 0; k < n; k++) {
		unsigned i = run_find(environ[k], &value);
		struct text part = text_in(unused, sizeof(unused));

		if (i < RUN_VARIABLES && gmon.hidden)
			part = text_in(gmon.hidden->part[i], PATH_BYTES);
		if ((i == RUN_VARIABLES || !run_variables[i].cut(value, &part)) && made)
			*to++ = environ[k];
		if (part.full)
			part.at[0] = '\0';
	}
	if (made)
		environ = made;
}

/* SPDX-License-Identifier: MIT */
/* Whether to record a program, and leaving no trace in its environment. See run.h. */
#include "run.h"

#include <link.h>
#include <stddef.h>
#include <unistd.h>

#include "program.h"
#include "state.h"
#include "sys.h"
#include "text.h"

bool run_is_wanted(void)
{
	const struct settings *settings = &gmon.settings;
	struct sys_file file = { 0 };

	if (!settings->run)
		return false;
	if (!settings->has_only)
		return true;
	/* A link, which only looking through tells the file of. */
	long fd = sys_open("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return false;
	long error = sys_look((int)fd, "", &file);
	sys_close((int)fd);
	return !error && file.device == settings->only_device &&
	       file.number == settings->only_inode;
}

/* What follows NAME= in an entry of the environment, or NULL. */
static char *run_value(char *entry, const char *name)
{
	while (*name && *entry == *name) {
		entry++;
		name++;
	}
	return !*name && *entry == '=' ? entry + 1 : NULL;
}

/* Puts the end of a text, from `rest` on, in the place of all of it. */
static void run_move(char *text, const char *rest)
{
	do
		*text++ = *rest;
	while (*rest++);
}

/* Finds the name of the object that this is a part of. */
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

/* Whether n bytes are a text. */
static bool run_is(const char *bytes, size_t n, const char *text)
{
	size_t i = 0;

	while (i < n && text[i] && bytes[i] == text[i])
		i++;
	return i == n && !text[i];
}

/* Whether n bytes name us, by any path; or another copy, where it is the program's that records. */
static bool run_is_own(const char *entry, size_t n)
{
	const char *own = "";
	size_t at = n;

	while (at > 0 && entry[at - 1] != '/')
		at--;
	dl_iterate_phdr(run_look_for_own, &own);
	return at < n && (run_is(entry + at, n - at, text_last_part(own)) ||
			  run_is(entry + at, n - at, "libgmon.so"));
}

/* The first entry of ours goes, and no other. Whether nothing is left. */
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
	return run_is(at, 3, "run") && (!at[3] || at[3] == ',');
}

/* From "run" on it is ours. Whether nothing is left. */
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

void run_hide(void)
{
	char **to = environ;

	for (char **from = environ; from && *from; from++) {
		char *preload = run_value(*from, "LD_PRELOAD");
		char *keys = run_value(*from, "GMON");

		if (!(preload && run_cut_preload(preload)) && !(keys && run_cut_gmon(keys)))
			*to++ = *from;
	}
	if (to)
		*to = NULL;
}

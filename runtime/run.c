/* SPDX-License-Identifier: MIT */
/* Whether to record a program, and leaving no trace in its environment. See run.h. */
#include "run.h"

#include <stddef.h>
#include <unistd.h>

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

/* The first entry, ours, goes. Whether nothing is left. */
static bool run_cut_preload(char *value)
{
	char *end = value;

	while (*end && *end != ':' && *end != ' ')
		end++;
	run_move(value, end + (*end != '\0'));
	return !*value;
}

static bool run_is_mark(const char *at)
{
	static const char mark[] = "run,";
	size_t i = 0;

	while (mark[i] && at[i] == mark[i])
		i++;
	return !mark[i];
}

/* From "run," on it is ours. Whether nothing is left. */
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

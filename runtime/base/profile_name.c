/* SPDX-License-Identifier: MIT */
/* Names of profiles. See profile_name.h. */
#include "base/profile_name.h"

#include <sys/utsname.h>

bool profile_name_lost_directory(const struct settings *settings)
{
	struct sys_file now;

	return settings->start_directory && settings->root.number && sys_look(-1, "/", &now) == 0 &&
	       !sys_same_file(&now, &settings->root) &&
	       (sys_look(-1, settings->directory, &now) || !sys_same_file(&now, &settings->start));
}

static void profile_name_add_host(struct text *text)
{
	struct utsname host;

	if (!sys_failed(SYS1(SYS_uname, &host)))
		text_add(text, host.nodename);
}

/* What a pattern contains that makes the name this process's own. */
struct profile_name_owner {
	bool pid, rank;
};

/*
 * Appends the name by GMON=file's pattern, for process `pid` or, if that is 0, for the sum of
 * ranks. Returns which parts make the name this process's own.
 */
static struct profile_name_owner profile_name_add_pattern(const struct settings *settings,
							  struct text *text, int32_t pid)
{
	struct profile_name_owner has = { false, false };

	for (const char *pattern = settings->file; *pattern; pattern++) {
		if (pattern[0] != '%' || !pattern[1]) {
			text_add_bytes(text, pattern, 1);
			continue;
		}
		switch (*++pattern) {
		case 'p':
			if (pid)
				text_add_number(text, (uint32_t)pid);
			else
				text_add(text, "sum");
			has.pid = true;
			break;
		case 'h':
			profile_name_add_host(text);
			break;
		case 'e':
			text_add(text, settings->program);
			break;
		case 'r':
			text_add(text, pid ? settings->rank : "sum");
			has.rank = true;
			break;
		case '%':
			text_add(text, "%");
			break;
		default:
			text_add_bytes(text, pattern - 1, 2);
		}
	}
	return has;
}

static void profile_name_add_directory(const struct settings *settings, struct text *text,
				       const char *name)
{
	if (settings->start_directory && name[0] != '/' && settings->directory[0]) {
		text_add(text, settings->directory);
		text_add(text, "/");
	}
}

bool profile_name_make(const struct settings *settings, char path[PATH_BYTES], int32_t pid,
		       bool forked, bool fallback)
{
	struct text text = text_in(path, PATH_BYTES);
	bool use_prefix = settings->has_prefix && !fallback && !settings->file[0];
	const char *name = settings->file[0] ? settings->file
			   : use_prefix      ? settings->prefix
					     : "gmon.out";
	struct profile_name_owner has = { false, false };

	profile_name_add_directory(settings, &text, name);
	if (settings->file[0])
		has = profile_name_add_pattern(settings, &text, pid);
	else
		text_add(&text, name);
	if (settings->mpi && !use_prefix && !has.pid && !has.rank) {
		text_add(&text, ".");
		text_add(&text, settings->rank);
	}
	if (use_prefix || (forked && !has.pid)) {
		text_add(&text, ".");
		text_add_number(&text, (uint32_t)pid);
	}
	if (settings->copy) {
		text_add(&text, ".");
		text_add_number(&text, settings->copy);
	}
	return !text.full;
}

bool profile_name_make_sum(const struct settings *settings, char path[PATH_BYTES])
{
	struct text text = text_in(path, PATH_BYTES);
	struct profile_name_owner has = { false, false };
	const char *name = settings->file[0]      ? settings->file
			   : settings->has_prefix ? settings->prefix
						  : "gmon";

	profile_name_add_directory(settings, &text, name);
	if (settings->file[0])
		has = profile_name_add_pattern(settings, &text, 0);
	else
		text_add(&text, name);
	if (!has.pid && !has.rank)
		text_add(&text, ".sum");
	return !text.full;
}

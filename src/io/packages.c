/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/packages.h"

#include "base/join.h"
#include "io/file.h"

#include <dirent.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

/* Whether a line of the list is the path, with or without "/usr" before it: dpkg knows the one. */
static bool packages_has_line(const struct file *list, const char *path)
{
	const char *bytes = (const char *)list->bytes, *at = bytes, *end = bytes + list->size;
	size_t n = strlen(path);

	while ((at = memmem(at, (size_t)(end - at), path, n))) {
		bool begins = at == bytes || at[-1] == '\n' ||
			      (at - bytes >= 4 && memcmp(at - 4, "/usr", 4) == 0 &&
			       (at - bytes == 4 || at[-5] == '\n'));

		if (begins && (at + n == end || at[n] == '\n'))
			return true;
		at++;
	}
	return false;
}

/* The name of the package with the symbols of one whose list has this name, as "libc6:amd64.list".
 */
static const char *packages_name(const char *list, struct arena *mem)
{
	size_t n = strcspn(list, ":");

	if (list[n] == '\0')
		n -= strlen(".list");
	if (n == 5 && memcmp(list, "libc6", n) == 0)
		return "libc6-dbg";
	return JOIN(mem, arena_strndup(mem, list, n), "-dbgsym");
}

const char *packages_debug(const char *path, const char *lists, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct file list = { 0 };
	DIR *directory = opendir(lists);
	const char *found = NULL;
	struct dirent *entry;
	uint64_t left = MOST_BYTES;

	if (strncmp(path, "/usr/", 5) == 0)
		path += 4;
	while (directory && !found && left > 0 && (entry = readdir(directory))) {
		size_t n = strlen(entry->d_name);
		struct stat st;

		if (n <= 5 || strcmp(entry->d_name + n - 5, ".list") != 0 ||
		    file_read_named(&list, JOIN(&scratch, lists, "/", entry->d_name), &st, NULL,
				    NULL) != 0)
			continue;
		if (packages_has_line(&list, path))
			found = packages_name(entry->d_name, mem);
		left = list.size < left ? left - list.size : 0;
		file_free(&list);
		list = (struct file){ 0 };
	}
	if (directory)
		closedir(directory);
	arena_free(&scratch);
	return found;
}

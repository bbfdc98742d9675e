/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/ext_name.h"

#include "base/join.h"
#include "base/path.h"
#include "gmon_ext.h"
#include "io/file.h"
#include "io/profile/ext_sections.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STAMP_DIGITS = 16, WAITING_SECONDS = 60 };

char *ext_name_room(const char *ext, struct arena *mem)
{
	return arena_array(mem, char, strlen(ext) + STAMP_DIGITS + 2);
}

void ext_name_waiting(char *to, const char *ext, uint64_t stamp)
{
	snprintf(to, strlen(ext) + STAMP_DIGITS + 2, "%s.%016" PRIx64, ext, stamp);
}

size_t ext_name_profile(const char *name)
{
	size_t n = strlen(name), nsuffix = strlen(GMON_EXT_SUFFIX);

	if (n > STAMP_DIGITS + 1 && name[n - STAMP_DIGITS - 1] == '.' &&
	    strspn(name + n - STAMP_DIGITS, "0123456789abcdef") == STAMP_DIGITS)
		n -= STAMP_DIGITS + 1;
	if (n <= nsuffix || memcmp(name + n - nsuffix, GMON_EXT_SUFFIX, nsuffix) != 0)
		return 0;
	return n - nsuffix;
}

/* If two processes write files of that name at the same time, either may be removed: neither
 * belongs to the profile. */
void ext_name_remove(const char *ext)
{
	unsigned char magic[sizeof(struct gmon_ext_head)];
	struct stat st;
	bool is_ext = false;
	int fd = lstat(ext, &st) == 0 && S_ISREG(st.st_mode) ? file_open_named(ext, &st) : -1;

	if (fd < 0)
		return;
	is_ext = read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
		 ext_has_magic(magic, sizeof(magic));
	close(fd);
	if (is_ext)
		unlink(ext);
}

static bool ext_name_is_old(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && st.st_mtime + WAITING_SECONDS <= time(NULL);
}

void ext_name_sweep(const char *ext, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const char *base = path_base(ext);
	size_t n = strlen(base), ndirectory = (size_t)(base - ext);
	const char *directory = arena_strndup(&scratch, ext, ndirectory);
	DIR *dir = opendir(ndirectory > 0 ? directory : ".");
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *name = entry->d_name;

		if (strlen(name) == n + 1 + STAMP_DIGITS && strncmp(name, base, n) == 0 &&
		    ext_name_profile(name) > 0) {
			name = JOIN(&scratch, directory, name);
			if (ext_name_is_old(name))
				ext_name_remove(name);
		}
	}
	if (dir)
		closedir(dir);
	arena_free(&scratch);
}

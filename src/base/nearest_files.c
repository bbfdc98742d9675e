/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/nearest_files.h"

#include "base/join.h"
#include "base/path.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

void nearest_files_offer(struct nearest_search *search, const char *directory,
			 bool (*accepts)(const char *path), struct arena *mem)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *name = entry->d_name;

		if (!accepts || accepts(JOIN(mem, directory, "/", name)))
			nearest_offer(search, arena_strndup(mem, name, strlen(name)));
	}
	if (dir)
		closedir(dir);
}

const char *nearest_files_question(const char *path, const char *here,
				   bool (*accepts)(const char *path), struct arena *mem)
{
	const char *name = path_base(path);
	const char *before = arena_strndup(mem, path, (size_t)(name - path));
	struct nearest_search search = nearest_begin(name, mem);

	nearest_files_offer(&search, *before ? before : ".", accepts, mem);
	return nearest_question(&search.found, *before ? before : here, mem);
}

bool nearest_files_is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of files, by device and inode. */
#include "config.h"

#include "io/fileids.h"

#include <string.h>
#include <unistd.h>

void fileids_add(file_ids *ids, const struct stat *st, struct arena *mem)
{
	if (!fileids_has(ids, st))
		array_push(mem, ids) = (struct file_id){ st->st_dev, st->st_ino };
}

void fileids_add_path(file_ids *ids, const char *path, struct arena *mem)
{
	struct stat st;
	int rc = -1;

	if (path)
		rc = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st);
	if (rc == 0 && (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode)))
		fileids_add(ids, &st, mem);
}

bool fileids_has(const file_ids *ids, const struct stat *st)
{
	for (size_t i = 0; i < ids->n; i++) {
		if (ids->at[i].inode == st->st_ino && ids->at[i].device == st->st_dev)
			return true;
	}
	return false;
}

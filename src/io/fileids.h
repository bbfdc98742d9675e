/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of files by device and inode, since one file has many names: x, ./x and links. */
#ifndef IO_FILEIDS_H
#define IO_FILEIDS_H

#include "base/array.h"

#include <stdbool.h>
#include <sys/stat.h>

struct file_id {
	dev_t device;
	ino_t inode;
};

typedef ARRAY(struct file_id) file_ids;

void fileids_add(file_ids *ids, const struct stat *st, struct arena *mem);

/* Adds the file of that name ("-": standard input) if it is a regular file or a pipe. NULL adds
 * nothing. */
void fileids_add_path(file_ids *ids, const char *path, struct arena *mem);

/* Whether the file is in the set. Linear in the files. */
bool fileids_has(const file_ids *ids, const struct stat *st);

#endif

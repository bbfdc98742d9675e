/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file of --history: lines of JSON, appended and never changed, each an object as
 * export/historyline.h writes it and doc/export-json.md defines it.
 */
#ifndef IO_HISTORY_H
#define IO_HISTORY_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/history.h"

/* The most that is read, from the end of the file. */
enum { HISTORY_MOST_BYTES = 1 << 20 };

/*
 * Opens the file, or creates it, for reading and appending. It must be a regular file that is empty
 * or begins with HISTORY_MARK, so that no other file is written to. Returns a descriptor that exec
 * closes, or -1 after saying why not.
 */
int history_open(const char *path, struct diag *diag);

/*
 * Appends a line, without its newline, as a whole: if that fails, the file is as before. A last
 * line that was cut short, as by a full disk, ends first. Writers wait for each other. Returns 0,
 * or -1 after saying why not.
 */
int history_append(int fd, const char *path, const char *line, size_t n, struct diag *diag);

/*
 * Reads the entries at the end of the file. Lines that are none are counted. All is in mem. Returns
 * 0, or -1 after saying why not. Linear in the bytes that are read.
 */
int history_read(struct history *history, int fd, const char *path, struct arena *mem,
		 struct diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files in memory. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include "base/diag.h"

#include <stddef.h>

/* The bytes of a file. Free with file_free(); an all-zero value is free already. */
struct file {
	unsigned char *bytes;
	size_t size;
};

/*
 * Reads path, or standard input for "-", to its end; pipes are fine. 0, or -1 with the reason
 * said and nothing to free. Devices are refused, for some never end.
 */
int file_read(struct file *file, const char *path, struct diag *diag);

void file_free(struct file *file);

#endif

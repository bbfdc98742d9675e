/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temporary files without names, for what programs read and write that are run many times. */
#ifndef RUN_LAUNCH_SPOOL_H
#define RUN_LAUNCH_SPOOL_H

#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most of standard input that is kept, and of an output that is compared. */
enum { SPOOL_MOST_INPUT = 1 << 30, SPOOL_MOST_OUTPUT = 1 << 28 };

/*
 * Makes an empty file that has no name any more, in the first of n directories where that is
 * possible. Returns a descriptor that exec closes, or -1 with the last reason in errno.
 */
int spool_open(const char *const *places, size_t n);

/* Makes an empty file, in TMPDIR or /tmp. Returns its descriptor, or -1 with the reason said. */
int spool_make(struct diag *diag);

/* Makes the file empty. */
void spool_clear(int fd);

/* How many bytes the file has. */
uint64_t spool_bytes(int fd);

/* Standard input, from which it can be read again and again. */
struct spool_input {
	int fd;
	int64_t start; /* where the input begins in the file; -1: it has no places */
};

/*
 * Takes gprof's standard input: a file is read where it is; of a terminal nothing is read; all else
 * is read to its end and kept. After 2 seconds without data a note says what gprof waits for. 0, or
 * -1 with the reason said.
 */
int spool_take_input(struct spool_input *input, struct diag *diag);

/* A new descriptor of the input at its beginning, to be closed by the caller; -1: an errno. */
int spool_open_input(const struct spool_input *input);

/* Where two files differ. */
struct spool_place {
	uint64_t byte, line; /* both from 1 */
};

/*
 * Whether two files differ in their first SPOOL_MOST_OUTPUT bytes, or in their length; then sets
 * *place to where. A file that cannot be read is empty. Linear, in constant memory.
 */
bool spool_differs(int a, int b, struct spool_place *place);

#endif

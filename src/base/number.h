/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats numbers without printf. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	NUMBER_COLUMNS = 16, /* the widest column */
	NUMBER_ROOM = 352    /* the most bytes that may be written for any number */
};

/*
 * All write at `at`, where NUMBER_ROOM bytes may be overwritten whatever the number is, and return
 * the end of the text, which has no NUL. The text is aligned to the right in `width` columns, at
 * most NUMBER_COLUMNS; if width is negative, to the left.
 */

/* The decimal digits of n. */
char *number_put(char *at, uint64_t n, int width);

/* The same, after ">=" if n is the least that the number can be. */
char *number_put_bound(char *at, uint64_t n, int width, bool least);

/* x with 1 or 2 decimals, byte for byte as C99's "%.1f" and "%.2f" have it. */
char *number_put_fixed(char *at, double x, int width, unsigned decimals);

#endif

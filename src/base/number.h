/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers to text, without printf. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum { NUMBER_BYTES = 24 };

/* The decimal digits of n; returns how many. No NUL follows. */
size_t number_uint(char text[NUMBER_BYTES], uint64_t n);

/*
 * x with 1 or 2 decimals, byte for byte as C99's "%.1f" and "%.2f" have it; returns its length. 0
 * if x is negative, not finite, or 2^52 or more: then printf has to do it.
 */
size_t number_fixed(char text[NUMBER_BYTES], double x, unsigned decimals);

#endif

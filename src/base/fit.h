/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Foreign text in so many columns, with a mark where something is left out. */
#ifndef BASE_FIT_H
#define BASE_FIT_H

#include "base/output.h"

/* In place of a number of columns: as many as it takes. */
#define FIT_ALL UINT32_MAX

/*
 * Writes a line of text without its end. Tabs become blanks up to the next eighth column, control
 * characters are shown as output_name() does it. What does not fit is cut off, with "..." in the
 * last columns. Linear in what is shown.
 */
void fit_line(struct output *out, const char *text, size_t n, uint32_t columns);

/* The same for a name, which loses its middle. Returns how many columns it took. */
uint32_t fit_name(struct output *out, const char *name, size_t n, uint32_t columns);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents with places for data, made from src/export/web/ at build time. */
#ifndef EXPORT_TEMPLATE_H
#define EXPORT_TEMPLATE_H

#include "base/output.h"

/* Pieces of text, with a NULL for each place for data, and one at the end. */
extern const char *const template_webpage[];    /* title, what is shown without scripts, data */
extern const char *const template_flamegraph[]; /* attributes of <svg>, content */
extern const char *const template_picture[];    /* the same, without scripts, inside of HTML */

extern const char *const template_deltas[]; /* the style of a flame graph of a difference */

extern const char
	*const template_difference[]; /* title, summary, table, flame graphs of both sides */

/* Writes the pieces up to the next NULL and advances past it. */
static inline void template_write(const char *const **template, struct output *out)
{
	while (**template)
		output_text(out, *(*template)++);
	++*template;
}

#endif

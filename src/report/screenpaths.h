/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lists above the table of the first screen: where time goes, and what threads waited for. */
#ifndef REPORT_SCREENPATHS_H
#define REPORT_SCREENPATHS_H

#include "report/text.h"

/*
 * Write the frames, or the waits, of view->top after an empty line and a line of heads, in at most
 * `room` lines altogether; nothing if there is room for less than two of them, or nothing to say
 * that the table does not say. Return the number of lines written.
 */
uint32_t screenpaths_write_frames(const struct text *t, uint32_t room, struct output *out);
uint32_t screenpaths_write_waits(const struct text *t, uint32_t room, struct output *out);

#endif

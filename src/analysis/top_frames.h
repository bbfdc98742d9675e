/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the heaviest paths of calls, and who called a function in the user's own code. */
#ifndef ANALYSIS_TOP_FRAMES_H
#define ANALYSIS_TOP_FRAMES_H

#include "model/analysis.h"
#include "model/top.h"

/*
 * Whether a symbol is the user's own code: the program's, but for what starts it and instances of
 * the standard libraries of C++ and Rust, or of a library outside of the system's directories.
 */
bool top_frames_is_own(const struct analysis *a, sym_id s);

/* Whether the line of a symbol tells the user more than its library: not in the system's libraries.
 */
bool top_frames_has_line(const struct analysis *a, sym_id s);

/*
 * Returns, in mem, at most TOP_FRAMES functions at which the time of a->tree divides, of those with
 * a share of at least 5 %: the heaviest first, an outer one before those that it called. Where all
 * the time of a function is in one callee, only the callee is a frame; but the last function of the
 * user's own code before that of libraries is one, too. Of a function that is on a path more than
 * once, the outermost counts; a function that is reached by several ways from the frame above it
 * is one frame with the time of all of them that have 5 %. Expected linear in nodes.
 */
const struct top_frame *top_frames_make(const struct analysis *a, uint32_t *n, struct arena *mem);

/* Sets the callers with a name in the user's own code in n rows, from a->tree. Expected linear in
 * nodes. */
void top_frames_find_callers(const struct analysis *a, struct top_row *rows, uint32_t n,
			     const struct arena *mem);

#endif

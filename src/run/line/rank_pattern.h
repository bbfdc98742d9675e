/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a rank's label and host from a data file's name, with the pattern by which libgmon made the
 * name.
 */
#ifndef RUN_LINE_RANK_PATTERN_H
#define RUN_LINE_RANK_PATTERN_H

#include "base/arena.h"
#include "base/keys.h"
#include "model/ranks.h"

#define RANK_PATTERN_EXPECTED "a pattern of file names with %r for the rank"

/*
 * Returns 0 if the pattern has at least one of %r, %h, %p and %e and, but for %%, no other letter
 * after a percent sign. Else returns -1 after saying what is wrong.
 */
int rank_pattern_check(const char *pattern, const struct keys_words *words);

/*
 * Sets the label (%r) and host (%h) of a rank from the path of its data file; understands %p, %e
 * and %%, too. A pattern without a slash is compared with the last component of the path, any other
 * with as many components at the end as it has. Without %r, the first of the other letters is the
 * label. Returns false and sets nothing if the path does not match or the pattern has no letters.
 * Results live in mem. Takes the product of both lengths.
 */
bool rank_pattern_match(struct rank *rank, const char *pattern, const char *path,
			struct arena *mem);

#endif

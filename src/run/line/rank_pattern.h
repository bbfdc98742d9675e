/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a data file's name says of its rank, by the pattern that libgmon made the name of. */
#ifndef RUN_LINE_RANK_PATTERN_H
#define RUN_LINE_RANK_PATTERN_H

#include "base/arena.h"
#include "base/keys.h"
#include "model/ranks.h"

#define RANK_PATTERN_EXPECTED "a pattern of file names with %r for the rank"

/* 0 if a pattern has one of %r, %h, %p and %e, and no other letter after a percent sign but another
 * percent sign; else -1 with the reason said. */
int rank_pattern_check(const char *pattern, const struct keys_words *words);

/*
 * Label and host of the data file of that path by the pattern that libgmon made its name of: what
 * %r and %h stand for; %p, %e and %% are understood. A pattern without a slash is that of the last
 * part of the path, any other that of its end. Without %r, the label is the first of the others.
 * false, with nothing set, if the name is not of the pattern, or this has none of these. In mem.
 * Product of their lengths.
 */
bool rank_pattern_match(struct rank *rank, const char *pattern, const char *path,
			struct arena *mem);

#endif

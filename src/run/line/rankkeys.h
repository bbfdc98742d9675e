/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of --ranks, and what a data file's name says of its rank. */
#ifndef RUN_LINE_RANKKEYS_H
#define RUN_LINE_RANKKEYS_H

#include "base/arena.h"
#include "base/diag.h"
#include "model/ranks.h"

/*
 * Parses KEY[=VALUE],... into a request whose strings live in mem; NULL: none. *csv is whether the
 * word "csv" is among them. 0, or -1 with the reason said.
 */
int rankkeys_parse(struct ranks_request *request, bool *csv, const char *text, struct arena *mem,
		   struct diag *diag);

/*
 * Label and host of the data file of that path by the pattern that libgmon made its name of: what
 * %r and %h stand for; %p, %e and %% are understood. A pattern without a slash is that of the last
 * part of the path, any other that of its end. Without %r, the label is the first of the others.
 * false, with nothing set, if the name is not of the pattern, or this has none of these. In mem.
 * Product of their lengths.
 */
bool rankkeys_match(struct rank *rank, const char *pattern, const char *path, struct arena *mem);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of --history: the comparisons of --versus that were made so far, an entry a commit. */
#ifndef MODEL_HISTORY_H
#define MODEL_HISTORY_H

#include "base/array.h"
#include "model/paired.h"

/* What each line of the file begins with, and the most bytes that it has. */
#define HISTORY_MARK "{\"format\":\"gprof-history\""
enum { HISTORY_MOST_LINE = 4000, HISTORY_MOST_LABEL = 100 };

/* Of each total only known, seconds, ratio, tested, low, high and verdict are set. */
struct history_entry {
	const char *time;  /* as in "2026-11-24T16:40:00Z"; "": not known */
	const char *label; /* what was compared, such as a commit; "": not known */
	struct paired_total total[PAIRED_COSTS];
};

struct history {
	const char *file;
	ARRAY(struct history_entry) entries; /* oldest first */
	uint64_t nolder;                     /* bytes of the file before the first entry */
	uint64_t nother;                     /* lines that are no entries */
};

#endif

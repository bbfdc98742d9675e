/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input of reports and exports, and the files that they may write. */
#ifndef MODEL_VIEW_H
#define MODEL_VIEW_H

#include "base/output.h"
#include "model/analysis.h"
#include "model/line_costs.h"
#include "model/listing.h"
#include "model/ranks.h"
#include "model/top.h"

/* All pointers refer to values of the caller, which outlive the writing. */
struct view {
	const struct analysis *analysis;
	const struct location
		*locations; /* one for each symbol; filled in as far as needs ask for it */
	const struct source_text *sources; /* one for each file of analysis->sources, or NULL */
	const struct ranks *ranks;         /* for --ranks, or NULL */
	const struct top *top;             /* for the first screen, or NULL */
	const struct line_sums *line_sums; /* for annotated source, or NULL */
	const struct listings *listings;   /* for --source, or NULL */
	const struct source_text *listing_texts; /* one for each listing, with or without bytes */
	struct output_set *files;                /* for reports that are files of their own */
	bool terminal;    /* the output is a terminal: foreign text is escaped */
	uint32_t columns; /* of the terminal; 0: lines may have any length */
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reports and exports show, and where they may write beside their output. */
#ifndef MODEL_VIEW_H
#define MODEL_VIEW_H

#include "base/output.h"
#include "model/analysis.h"
#include "model/line_costs.h"
#include "model/listing.h"
#include "model/ranks.h"
#include "model/top.h"

/* Refers to values that others own; all outlast the writing. */
struct view {
	const struct analysis *analysis;
	const struct location *locations;  /* one for each symbol; those that a report or an export
					      asked for are filled in */
	const struct source_text *sources; /* one for each file of analysis->sources, or NULL */
	const struct ranks *ranks;         /* what data files differ by, or NULL */
	const struct top *top;             /* for the first screen, or NULL */
	const struct line_sums *line_sums; /* for annotated source, or NULL */
	const struct listings *listings;   /* of --source, or NULL, */
	const struct source_text *listing_texts; /* one for each, with or without bytes */
	struct output_set *files;                /* for reports that are files of their own */
	bool terminal;                           /* the output is one: foreign text is escaped */
	uint32_t columns;                        /* of it; 0: lines may have any length */
};

#endif

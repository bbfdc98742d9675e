/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input of reports and exports, and the files that they may write. */
#ifndef MODEL_VIEW_H
#define MODEL_VIEW_H

#include "base/output.h"
#include "model/analysis.h"
#include "model/blame.h"
#include "model/instructions.h"
#include "model/line_costs.h"
#include "model/listing.h"
#include "model/ranks.h"
#include "model/top.h"

/* All pointers refer to values of the caller, which outlive the writing. */
struct view {
	const struct analysis *analysis;
	const struct location *locations;  /* one for each symbol; filled in where the needs of the
					      reports ask for it */
	const struct source_text *sources; /* one for each file of analysis->sources, or NULL */
	const struct ranks *ranks;         /* NULL unless for --ranks */
	const struct blame *blame;         /* NULL unless for --blame, or an export that shows it */
	const struct top *top;             /* NULL unless for the first screen */
	const struct line_sums *line_sums; /* NULL unless for annotated source */
	const struct listings *listings;   /* NULL unless for --source */
	/* one for each listing; texts that are not shown have no bytes */
	const struct source_text *listing_texts;
	const struct instruction_listings *instructions; /* NULL unless for --source=NAME,asm */
	/* for each of these listings, the source text of each instruction's line */
	const struct instruction_source *const *instruction_lines;
	struct output_set *files; /* for reports that are written to their own files */
	bool terminal;            /* the output is a terminal: foreign text is escaped */
	uint32_t columns;         /* columns of the terminal; 0: lines may have any length */
};

#endif

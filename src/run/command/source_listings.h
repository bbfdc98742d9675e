/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source lines of functions that --source names. */
#ifndef RUN_COMMAND_SOURCE_LISTINGS_H
#define RUN_COMMAND_SOURCE_LISTINGS_H

#include "analysis/lines/function_lines.h"
#include "model/listing.h"
#include "model/source.h"
#include "run/session/session.h"

struct source_listings {
	struct listings listings;
	const struct source_text *texts; /* one for each */
};

/*
 * Makes them from a session that was analysed, in its memory. Reads the debug information of code
 * with samples and calls, and the source files, which it adds to ids. 0, or -1 with the reason said
 * if a request names no function.
 */
int listings_prepare(struct source_listings *made, struct session *s,
		     const struct analysis_options *analysis,
		     const struct function_lines_options *opt, file_ids *ids);

#endif

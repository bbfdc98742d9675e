/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of --diff. */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include "base/arena.h"
#include "base/output.h"
#include "model/difference.h"

struct comparison_options {
	bool brief;       /* omit the explanations */
	bool all;         /* list rows without a difference, too */
	uint32_t columns; /* of the terminal that lines have to fit; 0: they may have any length */
};

/* Writes the report. Linear in rows, and in the text shown; `mem` is for the time of the call. */
void comparison_write(const struct difference *d, const struct comparison_options *opt,
		      struct arena *mem, struct output *out);

#endif

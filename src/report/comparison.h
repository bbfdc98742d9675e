/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of --diff. */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include "base/arena.h"
#include "base/output.h"
#include "model/difference.h"

struct comparison_options {
	bool brief; /* omit the explanations */
	bool all;   /* list rows without a difference, too */
};

/* Writes the report. Linear in rows. */
void comparison_write(const struct difference *d, const struct comparison_options *opt,
		      struct output *out);

#endif

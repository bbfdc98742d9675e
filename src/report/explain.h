/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings as sentences. */
#ifndef REPORT_EXPLAIN_H
#define REPORT_EXPLAIN_H

#include "base/demangle.h"
#include "base/output.h"
#include "model/analysis.h"
#include "model/finding.h"

/* Returns the finding's sentence, without its key, in mem. */
const char *explain_sentence(const struct finding *finding, enum demangle_style style,
			     struct arena *mem);

/* Returns "! KEY: " and the finding's sentence, in mem. */
const char *explain_line(const struct finding *finding, enum demangle_style style,
			 struct arena *mem);

/* Writes causes with advice, or that nothing is wrong, then remarks, then facts. The first line of
 * each cause begins with its key and a colon. */
void explain_write(const struct analysis *a, const struct evidence *e,
		   const struct findings *findings, enum demangle_style style, struct output *out,
		   struct arena *mem);

#endif

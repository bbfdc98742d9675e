/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of exports, for their table. Each stands in a file of its own: export_NAME.c. */
#ifndef REPORT_FORMATS_H
#define REPORT_FORMATS_H

#include "report/exports.h"

/* For kcachegrind and callgrind_annotate. Linear in functions and arcs. */
extern const struct exporter export_callgrind;

/* A line for each call path, for flame graphs. Linear in paths times their lengths. */
extern const struct exporter export_folded;

/* For www.speedscope.app. Linear in paths. */
extern const struct exporter export_speedscope;

#endif

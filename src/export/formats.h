/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of exports, for their table. Each stands in a file of its own: export_NAME.c. */
#ifndef REPORT_FORMATS_H
#define REPORT_FORMATS_H

#include "export/export.h"

/* For kcachegrind and callgrind_annotate. Linear in functions and arcs. */
extern const struct exporter export_callgrind;

/* Tables for spreadsheets and databases. Linear in functions or arcs. */
extern const struct exporter export_csv;

/* For graphviz. Linear in functions and arcs, most of which are left out. */
extern const struct exporter export_dot;

/* A line for each call path, for flame graphs. Linear in paths times their lengths. */
extern const struct exporter export_folded;

/* For www.speedscope.app. Linear in paths. */
extern const struct exporter export_speedscope;

/* What the reports know, for programs. Linear in functions and arcs. */
extern const struct exporter export_json;

/* For pprof: compressed. Linear in functions, arcs, and paths times their lengths. */
extern const struct exporter export_pprof;
/* A picture. Linear in paths. */
extern const struct exporter export_flamegraph;

/* A page to look at everything in a browser. Linear in functions and arcs but for sorting. */
extern const struct exporter export_webpage;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions with most time as JSON of bounded length: --export=json,rows=N. */
#ifndef EXPORT_TOPJSON_H
#define EXPORT_TOPJSON_H

#include "export/export_view.h"

/* Writes it: at most 350 bytes a function, and 500 more. n log n in functions. */
void topjson_write(const struct export_view *e, uint64_t rows, struct output *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the exports that were asked for. */
#ifndef EXPORT_H
#define EXPORT_H

#include "base/output.h"
#include "export/export.h"
#include "io/image/image.h"
#include "io/source.h"

/*
 * Writes each to its file, complete or not at all, or to out. `locations` has one for each symbol,
 * those of exports_locations() filled in. Source files are looked for along the path. Goes on to
 * the next if one cannot be written. 0, or -1 with the reason said.
 */
int exports_write(const export_requests *requests, const struct analysis *a,
		  const struct location *locations, const struct image *image,
		  const struct report_options *opt, const string_array *source_path,
		  struct output *out, struct arena *mem, struct diag *diag);

#endif

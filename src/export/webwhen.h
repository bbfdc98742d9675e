/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a page's time was spent: its ticks in columns of the run's time. */
#ifndef EXPORT_WEBWHEN_H
#define EXPORT_WEBWHEN_H

#include "base/json.h"
#include "export/webparts.h"

/* Whether samples have slices of the time. Linear in threads. */
bool webwhen_is_known(const struct export_view *e);

/*
 * Writes the member "when", of a page that has all paths: start and length of the columns, in
 * seconds, their number, the ticks without a time, and a row for each part, or one. A row has for
 * each column with ticks: its number, less that of the one before, and how many numbers follow: for
 * each path that ends in it with ticks, the number of its frame, less that of the one before, ticks
 * and, with waiting, the waiting time. What would be too much is put in fewer columns. n log n in
 * the paths of slices.
 */
void webwhen_write(const struct export_view *e, const struct webparts *parts,
		   const struct webpaths *paths, struct json *json);

#endif

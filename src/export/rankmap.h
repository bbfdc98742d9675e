/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The differences between ranks, for a page to draw. */
#ifndef EXPORT_RANKMAP_H
#define EXPORT_RANKMAP_H

#include "export/export_view.h"

#include "base/json.h"

/*
 * Writes e->ranks as the value of "ranks". Functions are written as index[symbol], or -1 if they
 * are in none. Ranks are sorted by label, with numbers in labels compared by value; if there are
 * too many, adjacent ones share a column, which has their maximum. n log n in ranks.
 */
void rankmap_write(const struct export_view *e, const uint32_t *index, struct json *json);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ranks differ by, for a page to draw. */
#ifndef EXPORT_RANKMAP_H
#define EXPORT_RANKMAP_H

#include "export/view.h"

#include "base/json.h"

/*
 * Writes e->ranks as the value of "ranks". Functions are numbers of `index`, by symbol, or -1: in
 * none. Ranks are in the order of their labels, in which numbers count as such; where they are
 * many, some that follow each other are one, with the most that one of them has. n log n in ranks.
 */
void rankmap_write(const struct export_view *e, const uint32_t *index, struct json *json);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flame graphs in other documents. */
#ifndef EXPORT_FLAMEGRAPH_H
#define EXPORT_FLAMEGRAPH_H

#include "export/view.h"

/* The picture, of e->side if there are two, so many pixels wide. Linear in paths. */
void flamegraph_draw(const struct export_view *e, unsigned width, bool icicle, struct output *out);

#endif

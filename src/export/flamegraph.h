/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flame graphs inside other documents. */
#ifndef EXPORT_FLAMEGRAPH_H
#define EXPORT_FLAMEGRAPH_H

#include "export/export_view.h"

/*
 * Draws the flame graph of e->stacks, or of e->side of a comparison, `width` pixels wide, into a
 * template: template_flamegraph, or template_picture for one inside of HTML without scripts. Linear
 * in paths.
 */
void flamegraph_draw(const struct export_view *e, unsigned width, bool icicle,
		     const char *const *template, struct output *out);

#endif

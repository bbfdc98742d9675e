/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a page shows in a browser without scripts. */
#ifndef EXPORT_WEBPLAIN_H
#define EXPORT_WEBPLAIN_H

#include "export/export_view.h"

/*
 * Writes, as HTML, what the page's summary has: the totals, what is wrong, and the functions with
 * most time; and the flame graph's picture. Linear in paths.
 */
void webplain_write(const struct export_view *e, struct output *out);

#endif

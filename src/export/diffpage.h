/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A difference as a page for browsers. */
#ifndef EXPORT_DIFFPAGE_H
#define EXPORT_DIFFPAGE_H

#include "export/view.h"

/* web/difference.html, filled in. Linear in rows and paths. */
void diffpage_write(const struct export_view *e, struct output *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A difference as an HTML page. */
#ifndef EXPORT_DIFFPAGE_H
#define EXPORT_DIFFPAGE_H

#include "export/export_view.h"

/* Writes web/difference.html with its data. Linear in rows and paths. */
void diffpage_write(const struct export_view *e, struct output *out);

#endif

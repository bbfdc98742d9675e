/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A difference as JSON. */
#ifndef EXPORT_DIFFJSON_H
#define EXPORT_DIFFJSON_H

#include "export/export_view.h"

/* Writes the document that doc/export-json.md defines. Linear in rows. */
void diffjson_write(const struct export_view *e, struct output *out);

#endif

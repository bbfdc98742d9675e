/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A difference as JSON. */
#ifndef EXPORT_DIFFJSON_H
#define EXPORT_DIFFJSON_H

#include "base/json.h"
#include "export/export_view.h"

/* Writes the member "pairs" of it: how the pairs ended, and their totals. */
void diffjson_write_pairs(const struct paired *paired, struct json *to);

/* Writes the document that doc/export-json.md defines. Linear in rows. */
void diffjson_write(const struct export_view *e, struct output *out);

#endif

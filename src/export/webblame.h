/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waited for whom, for a page to draw. */
#ifndef EXPORT_WEBBLAME_H
#define EXPORT_WEBBLAME_H

#include "export/export_view.h"

#include "base/json.h"

/*
 * Writes e->blame as the value of "blame": each row and wait as its time and places. Functions that
 * are listed are written as index[symbol], others by name. Linear.
 */
void webblame_write(const struct export_view *e, const uint32_t *index, struct json *json);

#endif

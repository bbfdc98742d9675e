/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine instructions of a page's hottest functions. */
#ifndef EXPORT_WEBCODE_H
#define EXPORT_WEBCODE_H

#include "base/json.h"
#include "export/export_view.h"

/*
 * Writes the members "code" and "codeFiles" if there are instructions. `index` has the number of
 * each listed symbol. A function has its number, its first address in hexadecimal, the time at no
 * instruction, and rows: a number stands for so many bytes of code far from any time or
 * call, which are left out, and an array for one: its bytes, text, self time, error, calls, whether
 * others jump to it, what it calls or "", the distance from the first address of where it jumps in
 * the function or -1, and its source file and line, as numbers; 0: not known. Functions beyond the
 * most rows of a page are left out. Linear in instructions.
 */
void webcode_write(const struct export_view *e, const uint32_t *index, struct json *json);

#endif

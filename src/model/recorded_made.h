/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of functions that were made at run time. */
#ifndef MODEL_RECORDED_MADE_H
#define MODEL_RECORDED_MADE_H

#include "model/recorded.h"

/*
 * Brings what the recording has of each function that was made at run time together, in the order
 * in which the functions first occur, those with a line first; so the addresses of a function are a
 * range whose start is where it begins. Arrays that change are new ones, in mem. Linear.
 */
void recorded_made_group(struct recorded *rec, struct arena *mem);

/*
 * Whether `n` bytes can be the name of a source file: it has no control characters, and is not
 * longer than paths can be.
 */
bool recorded_made_is_file(const char *name, size_t n);

#endif

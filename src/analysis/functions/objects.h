/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up functions and calls by the objects that they are in. */
#ifndef ANALYSIS_FUNCTIONS_OBJECTS_H
#define ANALYSIS_FUNCTIONS_OBJECTS_H

#include "model/analysis.h"

/* The rows of an analysis with a space, in mem; without one, none. Linear. */
struct object_rows objects_add_up(const struct analysis *a, struct arena *mem);

#endif

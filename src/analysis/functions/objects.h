/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up functions and calls by the objects that they are in. */
#ifndef ANALYSIS_FUNCTIONS_OBJECTS_H
#define ANALYSIS_FUNCTIONS_OBJECTS_H

#include "model/analysis.h"

/* Returns the rows in mem; none if the program has no address space. Linear. */
struct object_rows objects_add_up(const struct analysis *a, struct arena *mem);

#endif

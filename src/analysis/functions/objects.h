/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up functions and calls by the object (program or library) that contains them. */
#ifndef ANALYSIS_FUNCTIONS_OBJECTS_H
#define ANALYSIS_FUNCTIONS_OBJECTS_H

#include "model/analysis.h"

/* Returns the rows in mem; none if the program has no address space. Linear. */
struct object_rows objects_add_up(const struct analysis *a, struct arena *mem);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which symbols each view shows or credits. */
#ifndef MODEL_SELECTION_H
#define MODEL_SELECTION_H

#include "base/bitset.h"

/*
 * Sets of symbols. Of the call graph's two pairs, `on` lists those that are let in, `off` those
 * that are put out where their callers would bring them in; a symbol may be in neither.
 */
struct selection {
	struct bitset flat;                /* credited and listed in the flat profile */
	struct bitset graph_on, graph_off; /* entries of the call graph */
	struct bitset time_on, time_off;   /* sources of propagated time */
};

#endif

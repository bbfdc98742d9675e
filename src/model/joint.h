/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call paths of two sides in one tree. */
#ifndef MODEL_JOINT_H
#define MODEL_JOINT_H

#include "model/difference.h"
#include "model/stacks.h"

/*
 * Both sides have the same nodes at the same indices; a path that a side lacks has no time there.
 * The function of a node is the index of a row of the difference, or STACKS_REST. Children are
 * sorted by time on the new side, then on the base, most first.
 */
struct joint {
	struct stacks side[SIDES];
	const enum difference_verdict *verdict; /* for each node, the test of its total */
	const enum difference_verdict *own;     /* for each node, the test of its self time */
};

#endif

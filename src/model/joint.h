/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call paths of two sides in one tree. */
#ifndef MODEL_JOINT_H
#define MODEL_JOINT_H

#include "model/difference.h"
#include "model/stacks.h"

/*
 * Both sides have the same nodes in the same places; a path that one of them lacks has no time
 * there. The function of a node is the place of a row in the difference, or STACKS_REST. Of one
 * parent, those with most time on the new side come first, then on the base.
 */
struct joint {
	struct stacks side[SIDES];
	const enum difference_verdict *verdict; /* of each node, with all below it; */
	const enum difference_verdict *own;     /* and by its own time */
};

#endif

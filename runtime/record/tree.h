/* SPDX-License-Identifier: MIT */
/*
 * The tree of call stacks, one for the process: a node for each function at each place of a stack,
 * below the one of its caller. Threads and their handlers add to it at once; nothing is ever
 * removed or moved.
 *
 * Nodes are numbered in the order in which they came, callers before those that they call. They lie
 * in blocks (see gmon_live.h), each as large as all before it. What finds them is private memory
 * and is all that is believed: whoever spoils the blocks makes nodes that nobody finds again.
 *
 * Async-signal-safe, without locks. Finding or adding a node takes the time of a look into a hash
 * table.
 */
#ifndef RECORD_TREE_H
#define RECORD_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

/* The parent of a stack's outermost function. */
enum { TREE_ROOT = 0 };

/* Makes room for at most `limit` nodes, 2^30 at most. False: no memory. Before other calls. */
bool tree_start(uint32_t limit);

/*
 * The number of the node for an address, in a module of that number, below a parent; it is added if
 * there is none. 0: no room, or it is just being made.
 */
uint32_t tree_child(uint32_t parent, uintptr_t address, uint32_t module);

/* A node below tree_end(), as it was given to tree_child(); parent is a number of the tree. One
 * with address 0 is not there. */
const struct gmon_ext_node *tree_node(uint32_t node);

/* One more than the highest number of a node. Those of a sample that was seen before are below. */
uint32_t tree_end(void);

/* In the child of a fork, after count_block_renew_all(): it has no nodes. False: no memory, and it
 * must not be used. */
bool tree_forked(void);

#endif

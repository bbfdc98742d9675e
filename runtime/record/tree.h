/* SPDX-License-Identifier: MIT */
/*
 * The tree of call stacks, one for the process. A node is an address below the node of its caller,
 * so a stack is the number of its innermost node, and stacks share the nodes of their callers:
 *
 *     stacks, outermost first                         node  parent  address
 *     main+0x41 work+0x20 read+0x10    is node 3      1     0       main+0x41
 *     main+0x41 work+0x20 sqrt+0x4     is node 4      2     1       work+0x20
 *     main+0x41 work+0x35              is node 5      3     2       read+0x10
 *                                                     4     2       sqrt+0x4
 *                                                     5     1       work+0x35
 *
 * Nodes are numbered as they are added, callers before callees. Threads and their handlers add to
 * the tree at once; nothing is ever removed or moved.
 *
 * Nodes lie in blocks (see gmon_live.h), each as large as all before it together. The hash index is
 * private memory: whoever damages the blocks makes nodes that are not found again, and nothing
 * worse.
 *
 * Async-signal-safe, without locks. Finding or adding a node takes one look-up in the index.
 */
#ifndef RECORD_TREE_H
#define RECORD_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

/* The parent of the node of a stack's outermost function. */
enum { TREE_ROOT = 0 };

/*
 * Makes room for at most `limit` nodes, up to 2^30. To be called before the other functions.
 * Returns false if there is no memory.
 */
bool tree_start(uint32_t limit);

/*
 * Returns the node of an address below a parent, which is added if there is none. `module` is the
 * number of the module that contains the address (modules.h). Returns 0 if there is no room, or
 * another thread is just making room.
 */
uint32_t tree_child(uint32_t parent, uintptr_t address, uint32_t module);

/* Returns a node, from 1 to tree_end() - 1. A node with address 0 is unused. */
const struct gmon_ext_node *tree_node(uint32_t node);

/*
 * Returns the highest number of a node plus one. Nodes of samples that were read before are below
 * it.
 */
uint32_t tree_end(void);

/* In the child of a fork, after count_block_renew_all(): empties the tree. False: no memory; the
 * tree must not be used any more. */
bool tree_forked(void);

#endif

/* SPDX-License-Identifier: MIT */
/* The tree of call stacks: blocks of nodes, and a hash table with chains. See tree.h. */
#include "record/tree.h"

#include <stddef.h>

#include "base/sys.h"
#include "count/count_block.h"
#include "state.h"

enum { TREE_FIRST = 4096 /* number of nodes of the first block */ };

struct tree_block {
	struct count_block head; /* word: number of its nodes; low: number of its first node */
	_Alignas(64) struct gmon_ext_node node[];
};

_Static_assert(offsetof(struct tree_block, node) == GMON_LIVE_BLOCK_HEAD, "see gmon_live.h");
_Static_assert(sizeof(struct gmon_ext_node) == 16, "the same for all pointer widths");

/*
 * Returns the block of a node: block 0 has the nodes below TREE_FIRST, block i those from
 * TREE_FIRST << (i - 1) on.
 */
static unsigned tree_block_of(uint32_t node)
{
	unsigned block = 0;

	for (uint32_t rest = node / TREE_FIRST; rest; rest /= 2)
		block++;
	return block;
}

static uint32_t tree_first_of(unsigned block)
{
	return block ? (uint32_t)TREE_FIRST << (block - 1) : 0;
}

static uint32_t tree_size_of(unsigned block)
{
	return block ? tree_first_of(block) : TREE_FIRST;
}

static struct tree_block *tree_block(unsigned block)
{
	return __atomic_load_n(&gmon.tree.block[block], __ATOMIC_ACQUIRE);
}

/* Makes a block, unless another thread does so or has done so. */
static void tree_make_block(unsigned block)
{
	uint32_t bit = (uint32_t)1 << block;
	uint32_t n = tree_size_of(block);
	struct tree_block *made;

	if (__atomic_fetch_or(&gmon.tree.making, bit, __ATOMIC_RELAXED) & bit)
		return;
	made = count_block_new(GMON_LIVE_NODES, sizeof(*made) + (size_t)n * sizeof(made->node[0]),
			       n, tree_first_of(block));
	if (made)
		__atomic_store_n(&gmon.tree.block[block], made, __ATOMIC_RELEASE);
	else /* a later call may succeed */
		__atomic_fetch_and(&gmon.tree.making, ~bit, __ATOMIC_RELAXED);
}

/* The index: the first node of each chain, and after these, for each node, the next one. */
static size_t tree_index_bytes(void)
{
	return ((size_t)gmon.tree.mask + 1 + gmon.tree.limit + 1) * sizeof(uint32_t);
}

bool tree_start(uint32_t limit)
{
	uint32_t nheads = 1;

	while (nheads < limit)
		nheads *= 2;
	gmon.tree.mask = nheads - 1;
	gmon.tree.limit = limit;
	gmon.tree.end = TREE_ROOT + 1;
	gmon.tree.head = sys_memory(tree_index_bytes());
	if (!gmon.tree.head)
		return false;
	gmon.tree.next = gmon.tree.head + nheads;
	tree_make_block(0);
	return tree_block(0);
}

uint32_t tree_end(void)
{
	return __atomic_load_n(&gmon.tree.end, __ATOMIC_ACQUIRE);
}

static struct gmon_ext_node *tree_at(uint32_t node)
{
	unsigned block = tree_block_of(node);

	return &tree_block(block)->node[node - tree_first_of(block)];
}

const struct gmon_ext_node *tree_node(uint32_t node)
{
	return tree_at(node);
}

/* Returns the number of a new node, whose block exists; 0: no room. */
static uint32_t tree_take(void)
{
	uint32_t node = tree_end();

	do {
		unsigned block = tree_block_of(node);

		if (node > gmon.tree.limit)
			return 0;
		if (!tree_block(block)) {
			tree_make_block(block);
			if (!tree_block(block))
				return 0;
		}
	} while (!__atomic_compare_exchange_n(&gmon.tree.end, &node, node + 1, false,
					      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	/* The next block is made early, so that no thread needs it while it is being made. */
	if (node == tree_first_of(tree_block_of(node)) + tree_size_of(tree_block_of(node)) / 2 &&
	    tree_first_of(tree_block_of(node) + 1) <= gmon.tree.limit)
		tree_make_block(tree_block_of(node) + 1);
	return node;
}

static uint32_t tree_hash(uint32_t parent, uintptr_t address)
{
	uint64_t x = ((uint64_t)address ^ (uint64_t)parent << 40) + parent;

	x *= UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(x >> 32) & gmon.tree.mask;
}

/* Finds a node in a chain, from `from` on and before `to`. 0: it is not there. */
static uint32_t tree_find(uint32_t from, uint32_t to, const struct gmon_ext_node *wanted)
{
	for (; from != to; from = __atomic_load_n(&gmon.tree.next[from], __ATOMIC_RELAXED)) {
		const struct gmon_ext_node *node = tree_at(from);

		if (node->address == wanted->address && node->parent == wanted->parent &&
		    node->module == wanted->module)
			return from;
	}
	return 0;
}

uint32_t tree_child(uint32_t parent, uintptr_t address, uint32_t module)
{
	const struct gmon_ext_node wanted = { parent, module, address };
	uint32_t *head = &gmon.tree.head[tree_hash(parent, address)];
	uint32_t first = __atomic_load_n(head, __ATOMIC_ACQUIRE);
	uint32_t found = tree_find(first, 0, &wanted);
	uint32_t node;

	if (found)
		return found;
	node = tree_take();
	if (!node)
		return 0;
	*tree_at(node) = wanted;
	for (;;) {
		uint32_t seen = first;

		__atomic_store_n(&gmon.tree.next[node], first, __ATOMIC_RELAXED);
		if (__atomic_compare_exchange_n(head, &first, node, false, __ATOMIC_RELEASE,
						__ATOMIC_ACQUIRE))
			return node;
		/*
		 * Another thread was faster, perhaps with the same node; this thread's node then
		 * stays unused.
		 */
		found = tree_find(first, seen, &wanted);
		if (found)
			return found;
	}
}

bool tree_forked(void)
{
	if (!sys_mmap(gmon.tree.head, tree_index_bytes(), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0))
		return false;
	gmon.tree.end = TREE_ROOT + 1;
	gmon.tree.making = 0;
	for (unsigned i = 0; i < TREE_BLOCKS; i++)
		if (gmon.tree.block[i])
			gmon.tree.making |= (uint32_t)1 << i;
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A depth-first walk over the stacks, which keeps the open frames: those on the current path. */
#include "config.h"

#include "export/frames.h"

/* An open frame, on which its callees' frames are placed. */
struct frames_base {
	uint32_t end;           /* end of its subtree, as an index of nodes */
	uint64_t at;            /* position of its next child */
	uint64_t small;         /* time of its small children */
	uint64_t small_waiting; /* waiting time of its small children */
	uint32_t nsmall;        /* number of its small children */
};

struct frames_walk {
	struct frame *frame;
	uint32_t n, depth;
	struct frames_base *base;
	uint32_t nbases; /* the first is the base of the whole graph */
};

static struct frame *frames_add(struct frames_walk *f, uint32_t node, uint64_t total)
{
	struct frames_base *below = &f->base[f->nbases - 1];
	struct frame *frame = &f->frame[f->n++];

	*frame = (struct frame){
		.node = node, .depth = f->nbases - 1, .count = 1, .at = below->at, .total = total
	};
	below->at += total;
	if (frame->depth > f->depth)
		f->depth = frame->depth;
	return frame;
}

static void frames_close(struct frames_walk *f)
{
	const struct frames_base *base = &f->base[f->nbases - 1];

	if (base->small != 0) {
		struct frame *frame = frames_add(f, FRAME_SMALL, base->small);

		frame->count = base->nsmall;
		frame->self = base->small;
		frame->waiting = frame->own_waiting = base->small_waiting;
	}
	f->nbases--;
}

struct frames frames_make(const struct stacks *stacks, uint64_t least, struct arena *mem)
{
	struct frames_walk f = {
		/* Room for one frame per node is enough, since a frame of small nodes replaces one
		   or more of them. */
		.frame = (struct frame *)arena_sparse(mem, (size_t)stacks->n, sizeof(*f.frame)),
		.base = arena_array(mem, struct frames_base, (size_t)stacks->depth + 2),
		.nbases = 1,
	};

	f.base[0] = (struct frames_base){ .end = stacks->n };
	for (uint32_t i = 0; i < stacks->n;) {
		const struct stack_node *node = &stacks->node[i];
		struct frames_base *below;

		while (f.base[f.nbases - 1].end <= i)
			frames_close(&f);
		below = &f.base[f.nbases - 1];
		if (node->total < least) {
			below->small += node->total;
			below->small_waiting += node->total_waiting;
			below->nsmall += node->total != 0;
			i = node->end;
			continue;
		}
		struct frame *frame = frames_add(&f, i, node->total);

		frame->self = node->self;
		frame->waiting = node->total_waiting;
		frame->own_waiting = node->waiting;
		f.base[f.nbases++] = (struct frames_base){ .end = node->end, .at = frame->at };
		i++;
	}
	while (f.nbases > 0)
		frames_close(&f);
	return (struct frames){ f.frame, f.n, f.depth };
}

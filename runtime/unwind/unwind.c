/* SPDX-License-Identifier: MIT */
/* The walk along a stack. See unwind.h. */
#include "unwind/unwind.h"

#include <registers.h>

#if ARCH_UNWINDS
#include "base/sys.h"
#include "state.h"
#include "unwind/frame.h"
#include "unwind/guess.h"

/* The most steps of a walk. Endless recursion on a stack of 8 MB has no more frames. */
enum { MOST_STEPS = 1 << 18 };

struct unwinder {
	struct frame_kit kit;
	uint32_t inner; /* how many of the innermost frames are kept */
	uint32_t outer; /* how many of the outermost frames are kept */
	uintptr_t frame[];
};

bool unwind_known(void)
{
	return true;
}

void unwind_prepare(void)
{
	if (!gmon.starts)
		gmon.starts = eh_objects_start();
}

struct unwinder *unwind_new(uint32_t depth, bool blocked)
{
	struct unwinder *unwinder = sys_memory(sizeof(*unwinder) + depth * sizeof(uintptr_t));

	if (!unwinder)
		return NULL;
	unwinder->kit.starts = gmon.starts;
	unwinder->outer = depth / 8;
	unwinder->inner = depth - unwinder->outer;
	unwinder->kit.readable.blocked = blocked;
	return unwinder;
}

void unwind_renew(struct unwinder *unwinder)
{
	unwinder->kit.readable.low = unwinder->kit.readable.high = 0;
}

/* Stores a frame by its number: the first `inner` for good, later ones in a ring of `outer`. */
static void unwind_keep(struct unwinder *unwinder, uint32_t number, uintptr_t pc)
{
	if (number >= unwinder->inner)
		number = unwinder->inner + (number - unwinder->inner) % unwinder->outer;
	unwinder->frame[number] = pc;
}

static void unwind_reverse(uintptr_t *frame, uint32_t n)
{
	for (uint32_t i = 0; i < n / 2; i++) {
		uintptr_t other = frame[n - 1 - i];

		frame[n - 1 - i] = frame[i];
		frame[i] = other;
	}
}

/* Rotates the ring after n calls of unwind_keep(), so that its oldest frame comes first. */
static void unwind_order(struct unwinder *unwinder, uint32_t n)
{
	uint32_t first = (n - unwinder->inner) % unwinder->outer;
	uintptr_t *outer = unwinder->frame + unwinder->inner;

	unwind_reverse(outer, first);
	unwind_reverse(outer + first, unwinder->outer - first);
	unwind_reverse(outer, unwinder->outer);
}

/* Walks from a frame to the outermost one. */
static struct unwound unwind_from(struct unwinder *unwinder, struct frame *frame)
{
	struct frame_kit *kit = &unwinder->kit;
	uint32_t depth = unwinder->inner + unwinder->outer;
	enum frame_step step = FRAME_STEPPED;
	struct unwound stack;

	stack.frame = unwinder->frame;
	stack.n = 0;
	while (step == FRAME_STEPPED && stack.n < MOST_STEPS) {
		uintptr_t pc = frame_pc(frame);

		step = frame_step(kit, frame);
		if (step == FRAME_UNKNOWN)
			step = guess_step(kit, frame, &pc);
		unwind_keep(unwinder, stack.n++, pc);
	}
	stack.end = step != FRAME_OUTERMOST ? UNWIND_BROKEN
		    : frame->guessed        ? UNWIND_GUESSED
					    : UNWIND_COMPLETE;
	stack.gap = stack.n;
	if (stack.n > depth) {
		unwind_order(unwinder, stack.n);
		stack.n = depth;
		stack.gap = unwinder->inner;
	}
	return stack;
}

struct unwound unwind(struct unwinder *unwinder, const ucontext_t *context)
{
	struct frame frame;

	frame_begin(&unwinder->kit, &frame, context);
	guess_leave_injected(&unwinder->kit, &frame);
	return unwind_from(unwinder, &frame);
}

struct unwound unwind_blocked(struct unwinder *unwinder, uintptr_t sp, uintptr_t pc)
{
	struct frame frame;

	frame_begin_blocked(&unwinder->kit, &frame, sp, pc);
	return unwind_from(unwinder, &frame);
}

#else

bool unwind_known(void)
{
	return false;
}

void unwind_prepare(void)
{
}

struct unwinder *unwind_new(uint32_t depth, bool blocked)
{
	(void)depth;
	(void)blocked;
	return NULL;
}

void unwind_renew(struct unwinder *unwinder)
{
	(void)unwinder;
}

struct unwound unwind_blocked(struct unwinder *unwinder, uintptr_t sp, uintptr_t pc)
{
	(void)unwinder;
	(void)sp;
	(void)pc;
	return (struct unwound){ NULL, 0, 0, UNWIND_BROKEN };
}

struct unwound unwind(struct unwinder *unwinder, const ucontext_t *context)
{
	(void)unwinder;
	(void)context;
	return (struct unwound){ NULL, 0, 0, UNWIND_BROKEN };
}
#endif

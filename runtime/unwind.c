/* SPDX-License-Identifier: MIT */
/* The walk along a stack. See unwind.h. */
#include "unwind.h"

#include "sys.h"

struct unwinder {
	uint32_t depth;
	uintptr_t frame[];
};

bool unwind_known(void)
{
	return true;
}

void unwind_prepare(void)
{
}

struct unwinder *unwind_new(uint32_t depth)
{
	struct unwinder *unwinder = sys_memory(sizeof(*unwinder) + depth * sizeof(uintptr_t));

	if (unwinder)
		unwinder->depth = depth;
	return unwinder;
}

void unwind_renew(struct unwinder *unwinder)
{
	(void)unwinder;
}

struct unwound unwind(struct unwinder *unwinder, const ucontext_t *context)
{
	unwinder->frame[0] = arch_pc(context);
	return (struct unwound){ unwinder->frame, 1, 1, UNWIND_BROKEN };
}

/* SPDX-License-Identifier: MIT */
/*
 * The call stack of a thread that a signal has interrupted, or that is blocked.
 *
 * Everything but unwind_prepare() is async-signal-safe and takes no lock. Only unwind_new()
 * allocates memory, by mmap. _dl_find_object() is the only function of the C library that is
 * called. Whatever a stack or call-frame information holds, no read faults and every walk ends.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* How a walk along a stack ended. */
enum unwind_end {
	UNWIND_COMPLETE, /* at the outermost frame, each step by call-frame information */
	UNWIND_GUESSED,  /* at the outermost frame, but at least one step was a guess */
	UNWIND_BROKEN,   /* before the outermost frame, whose callers are missing */
};

/* A thread's memory between its walks; a thread makes one walk at a time. */
struct unwinder;

/*
 * After unwind_prepare(): an unwinder, in mapped memory that is never freed: some 250 KB, of which
 * pages are used as needed. `depth`: the most frames of a stack that are kept, 16 to 65535.
 * `blocked`: it is for unwind_blocked(), which copies stacks, and not for unwind(). NULL: no
 * memory.
 */
struct unwinder *unwind_new(uint32_t depth, bool blocked);

/* Call before another thread takes over the unwinder of a thread that has ended. */
void unwind_renew(struct unwinder *unwinder);

/* A stack, innermost frame first. */
struct unwound {
	/*
	 * n run-time addresses, in the unwinder's memory, valid until its next walk. frame[0] is
	 * the interrupted instruction, as is each frame that a signal interrupted; others are
	 * return addresses minus 1, which lie in the call instruction.
	 */
	const uintptr_t *frame;
	uint32_t n; /* 1 to depth */
	/*
	 * Of a stack of more than `depth` frames, the innermost depth - depth / 8 and the outermost
	 * depth / 8 are kept; those between frame[gap - 1] and frame[gap] are missing. n: none is.
	 */
	uint32_t gap;
	enum unwind_end end;
};

/*
 * The stack of the calling thread as it was when a signal interrupted it. `context` is the third
 * argument of the signal's handler.
 */
struct unwound unwind(struct unwinder *unwinder, const ucontext_t *context);

/*
 * The stack of another thread, which is blocked with this stack pointer, before instruction `pc`.
 * The thread is not interrupted. If it runs meanwhile, the answer is meaningless, but harmless.
 */
struct unwound unwind_blocked(struct unwinder *unwinder, uintptr_t sp, uintptr_t pc);

/*
 * If stacks are wanted: collects what a handler cannot ask for into gmon.starts, without which
 * there are no walks; NULL: no memory. To be called before other threads exist; later calls do
 * nothing. Not async-signal-safe.
 */
void unwind_prepare(void);

/* Whether this machine is supported. If not, unwind_new() returns NULL. */
bool unwind_known(void);

#endif

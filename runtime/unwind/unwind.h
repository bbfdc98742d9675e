/* SPDX-License-Identifier: MIT */
/*
 * The call stack of an interrupted thread, for the handler of samples.
 *
 * All but unwind_prepare() is async-signal-safe, takes no lock, allocates nothing and calls nothing
 * of the C library but _dl_find_object(), which is made for that. Every read of memory is bounded:
 * whatever a stack or a file's call-frame information holds, no read faults and no walk is endless.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* How the walk along a stack ended. */
enum unwind_end {
	UNWIND_COMPLETE, /* at the outermost frame, each step by what the program's files say */
	UNWIND_GUESSED,  /* there, too, but a step is a guess, where nothing says how to take it */
	UNWIND_BROKEN,   /* before that: callers are missing at the outer end */
};

/* What a thread keeps between its samples. For one walk at a time. */
struct unwinder;

/*
 * In memory of its own, which stays for ever: some 100 KB of addresses, of which the kernel gives
 * what is used. `depth`: the most frames of a stack that are kept, 16 to 65535. NULL: no memory.
 */
struct unwinder *unwind_new(uint32_t depth);

/* Before another thread than the one that has ended goes on with an unwinder. */
void unwind_renew(struct unwinder *unwinder);

/* A stack, innermost frame first. */
struct unwound {
	/*
	 * n addresses at run time: [0] is the interrupted instruction, as is one that was
	 * interrupted by a handler further in; of others, the return address less 1, which lies in
	 * the call. They are the unwinder's, until its next walk.
	 */
	const uintptr_t *frame;
	uint32_t n; /* 1 to depth */
	/*
	 * Where a stack has more than `depth` frames, the innermost depth - depth / 8 are kept and
	 * the outermost depth / 8; those before frame[gap] are missing. n: none are.
	 */
	uint32_t gap;
	enum unwind_end end;
};

/*
 * As unwind_new(), for walks along the stacks of other threads, which are copied for that. Not for
 * those of the own.
 */
struct unwinder *unwind_new_for_others(uint32_t depth);

/*
 * The stack of a thread that is blocked with this stack pointer, before this instruction: nothing
 * is written there and nobody is interrupted. frame[0] is `pc`. Only if the thread has not gone on
 * meanwhile does the answer mean anything; it does no harm if it has.
 */
struct unwound unwind_blocked(struct unwinder *unwinder, uintptr_t sp, uintptr_t pc);

/*
 * The stack of the calling thread, as it was when the handler with this context interrupted it.
 * `context` is the handler's third argument.
 */
struct unwound unwind(struct unwinder *unwinder, const ucontext_t *context);

/*
 * Before other threads exist, if stacks are wanted: finds out what a handler may not. Not
 * async-signal-safe; may be called again.
 */
void unwind_prepare(void);

/* Whether there is a way to do this on this machine. If not, unwind_new() is NULL. */
bool unwind_known(void);

#endif

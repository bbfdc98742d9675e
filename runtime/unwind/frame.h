/* SPDX-License-Identifier: MIT */
/*
 * A frame of a stack, and the step from it to its caller's by call-frame information: the drawing
 * is in cfi.h. A register is `known` if the step found its value, and `sure` unless that is a
 * guess.
 */
#ifndef UNWIND_FRAME_H
#define UNWIND_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/readable.h"
#include "unwind/cfi.h"
#include "unwind/eh_objects.h"
#include "unwind/expression.h"

struct frame {
	uintptr_t ip;
	bool exact;   /* ip is the next instruction to execute; if false, ip is a return address */
	bool guessed; /* this frame, or one nearer to the interrupted function, is a guess */
	struct registers registers;
};

/*
 * Returns an address in the instruction at which the frame is; for a caller, in its call
 * instruction.
 */
static inline uintptr_t frame_pc(const struct frame *frame)
{
	return frame->ip - !frame->exact;
}

enum { FRAME_CACHE_BITS = 11 };

struct frame_cached {
	uintptr_t pc;          /* 0: the entry is empty */
	uintptr_t fingerprint; /* fingerprint of the object that contains pc */
	struct cfi_row row;
};

/* Memory of a thread for its walks. Zeroed memory is valid, except for `starts`. */
struct frame_kit {
	const struct eh_starts *starts;
	struct readable readable;
	uintptr_t top; /* the stack ends below this address; UINTPTR_MAX: not known */
	struct eh_objects objects;
	struct cfi_scratch scratch;
	struct frame_cached cache[1 << FRAME_CACHE_BITS];
};

/* Begins a walk at the frame that a signal handler with this context has interrupted. */
void frame_begin(struct frame_kit *kit, struct frame *frame, const ucontext_t *context);

/*
 * Begins a walk in another thread, which is blocked with this stack pointer, before this
 * instruction. Its other registers are not known. kit->readable.blocked must be set.
 */
void frame_begin_blocked(struct frame_kit *kit, struct frame *frame, uintptr_t sp, uintptr_t pc);

/* Copies a frame that knows no registers above REGISTERS_KEPT. */
void frame_copy(struct frame *to, const struct frame *from);

enum frame_step {
	FRAME_STEPPED,   /* the frame is now the caller's */
	FRAME_OUTERMOST, /* the frame has no caller */
	FRAME_UNKNOWN,   /* there is no call-frame information, or the caller that it gives is
			    impossible */
};

/* Steps to the caller. Unless the result is FRAME_STEPPED, the frame is unchanged. */
enum frame_step frame_step(struct frame_kit *kit, struct frame *frame);

/*
 * Steps to the code that a signal interrupted, if ip is in the code to which signal handlers
 * return. Returns false if it is not; the frame is then unchanged.
 */
bool frame_leave_signal(struct frame_kit *kit, struct frame *frame);

/* Reads n bytes of code at an address, of an object or made at run time. False: it cannot. */
bool frame_code(struct frame_kit *kit, uintptr_t at, void *to, size_t n);

/* Whether the code at an address is that to which signal handlers return. */
bool frame_is_signal_return(struct frame_kit *kit, uintptr_t ip);

/* Whether there is call-frame information for this instruction. */
bool frame_has_cfi(struct frame_kit *kit, uintptr_t pc);

/* A register with an unknown value, which is needed to compute the CFA. */
struct frame_lack {
	int number;         /* number in registers.h */
	uintptr_t distance; /* address of the return address minus the register's value */
	uintptr_t entry;    /* entry of the frame's function */
};

/* Whether that register is all that is missing for a step; if so, sets *lack. */
bool frame_lacks(struct frame_kit *kit, const struct frame *frame, struct frame_lack *lack);

/* Sets a register. */
static inline void frame_learn(struct frame *frame, int number, uintptr_t value, bool sure)
{
	uint64_t bit = (uint64_t)1 << number;

	frame->registers.value[number] = value;
	frame->registers.known |= bit;
	frame->registers.sure = sure ? frame->registers.sure | bit : frame->registers.sure & ~bit;
}

#endif

/* SPDX-License-Identifier: MIT */
/* One step along a stack, from a frame to its caller's, by call-frame information. */
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
	bool exact;   /* ip is the instruction to run next; else it is where a call returns to */
	bool guessed; /* it, or one further in */
	struct registers registers;
};

/* An address in the instruction that the frame is at. */
static inline uintptr_t frame_pc(const struct frame *frame)
{
	return frame->ip - !frame->exact;
}

enum { FRAME_CACHE_BITS = 11 };

struct frame_cached {
	uintptr_t pc;    /* 0: nothing */
	uintptr_t print; /* of the object in which pc lies */
	struct cfi_rule rule;
};

/* What a thread needs for its walks. All zero is right at first, but for starts. */
struct frame_kit {
	const struct eh_starts *starts;
	struct readable readable;
	uintptr_t top; /* above the stack, as far as that is known */
	struct eh_objects objects;
	struct cfi_room room;
	struct frame_cached cache[1 << FRAME_CACHE_BITS];
};

/* The frame that a handler has interrupted; a walk begins with it. */
void frame_begin(struct frame_kit *kit, struct frame *frame, const ucontext_t *context);

/*
 * The frame of another thread, which is blocked with this stack pointer, before this instruction;
 * what its other registers hold is not known. kit->readable has a copy.
 */
void frame_begin_blocked(struct frame_kit *kit, struct frame *frame, uintptr_t sp, uintptr_t pc);

/* Of a frame that knows no other registers than those that called functions hand back. */
void frame_copy(struct frame *to, const struct frame *from);

enum frame_step {
	FRAME_STEPPED,   /* the frame is the caller's now */
	FRAME_OUTERMOST, /* it has none */
	FRAME_UNKNOWN,   /* nothing says how, or what is said cannot be */
};

/* Goes on to the caller. Unless that is done, the frame is as before. */
enum frame_step frame_step(struct frame_kit *kit, struct frame *frame);

/*
 * Goes on to what a signal has interrupted, if the code to which handlers return is at ip. False:
 * it is not, and the frame is as before.
 */
bool frame_leave_signal(struct frame_kit *kit, struct frame *frame);

/* Whether there is call-frame information of a function with this instruction. */
bool frame_has_rule(struct frame_kit *kit, uintptr_t pc);

/* A register that is missing for a step, and nothing else. */
struct frame_lack {
	int number;
	uintptr_t distance; /* what it is less than where the frame keeps its return address */
	uintptr_t entry;    /* of the frame's function */
};

/* False: that is not so. */
bool frame_lacks(struct frame_kit *kit, const struct frame *frame, struct frame_lack *lack);

/* That register is found. */
static inline void frame_learn(struct frame *frame, int number, uintptr_t value, bool sure)
{
	uint64_t bit = (uint64_t)1 << number;

	frame->registers.value[number] = value;
	frame->registers.known |= bit;
	frame->registers.sure = sure ? frame->registers.sure | bit : frame->registers.sure & ~bit;
}

#endif

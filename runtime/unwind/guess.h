/* SPDX-License-Identifier: MIT */
/*
 * Steps along a stack where no call-frame information says how: in hand-written assembly, in C
 * libraries that are built without it, in code made at run time.
 *
 * Return addresses are known by the call before them. If that call leads to where the frame is, the
 * step is as sure as any; else it is a guess, and the frame says so from then on.
 */
#ifndef UNWIND_GUESS_H
#define UNWIND_GUESS_H

#include "unwind/frame.h"

/*
 * As frame_step(), where that does not know. FRAME_OUTERMOST: the frame is of the code that starts
 * the program, or nothing but such code can have called it. *pc, the address of the frame that is
 * left, becomes its first instruction if no call leads there.
 */
enum frame_step guess_step(struct frame_kit *kit, struct frame *frame, uintptr_t *pc);

#endif

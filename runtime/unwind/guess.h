/* SPDX-License-Identifier: MIT */
/*
 * Steps to the caller where there is no call-frame information: in hand-written assembly, in C
 * libraries built without it, in code made at run time.
 *
 * A word of the stack is taken for a return address if a call instruction ends where it points. If
 * that call goes to the frame's function, the step is sure; else it is a guess, and the frame is
 * marked as guessed.
 */
#ifndef UNWIND_GUESS_H
#define UNWIND_GUESS_H

#include "unwind/frame.h"

/*
 * Steps like frame_step(), after that has returned FRAME_UNKNOWN. Returns FRAME_OUTERMOST if the
 * frame is in the code that starts the program, or if only such code can have called it. *pc is
 * frame_pc() of the frame that is left; it becomes ip if no call ends there (signal returns,
 * functions entered by hand).
 */
enum frame_step guess_step(struct frame_kit *kit, struct frame *frame, uintptr_t *pc);

/*
 * In the frame that a signal has interrupted: if another signal's handler has changed the context
 * to which it returns, so that the interrupted code seems to call a function, and that has not
 * begun yet, the frame becomes that of the interrupted code. So Go's runtime stops goroutines: a
 * sample that was due while the handler ran would be charged to runtime.asyncPreempt.
 */
void guess_leave_injected(struct frame_kit *kit, struct frame *frame);

#endif

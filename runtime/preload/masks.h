/* SPDX-License-Identifier: MIT */
/* The sets of signals of a program under GMON=run; in the shared library only. See masks.c. */
#ifndef PRELOAD_MASKS_H
#define PRELOAD_MASKS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* The signal of samples; 0: it is treated as any other. */
int masks_signal(void);

/* The set to pass on in place of the program's: without the signal, in *copy, or `set` itself. */
const sigset_t *masks_instead(sigset_t *copy, const sigset_t *set);

/* Whether the signal is blocked since one of the program's may be pending; and after that was
 * received. */
bool masks_wait_for_program(void);
void masks_received(void);

/* Whether the calling thread, as it sees itself, blocks the signal of samples. */
bool masks_blocked(void) __attribute__((weak));

/* In a new thread: whether its creator blocked the signal. */
void masks_begin(bool blocked);

/* When the recording starts: unblocks the calling thread's signal. */
void masks_start(void) __attribute__((weak));

/* When samples come by another signal than `before`, which the thread, as it sees itself, blocked
 * or not. */
void masks_move(int before, bool blocked) __attribute__((weak));

/*
 * In our handler, with a signal of samples that is the program's: if the thread blocks it, as it
 * sees itself, the signal becomes pending, as it would be without us. False: it is not blocked.
 */
bool masks_put_off(int signal, siginfo_t *info, ucontext_t *context) __attribute__((weak));

/*
 * Before exec() and the like, and where the recording ends in the child of a fork: what the
 * thread blocks and the process ignores becomes what the program sees. masks_resume() undoes it,
 * with the result.
 */
uint32_t masks_hand_on(void) __attribute__((weak));
void masks_resume(uint32_t handed);

#endif

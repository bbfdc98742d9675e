/* SPDX-License-Identifier: MIT */
/*
 * GMON=clock=wall: time that threads wait, beside the CPU time that their own timers bring. A
 * helper looks at random places, as often as samples are taken, at all threads of the process
 * (offcpu.h), and sends them nothing: a signal would end their system calls.
 *
 * The helper is a thread of the kernel's alone, which the C library does not know. One that it knew
 * would keep the process alive behind the last thread of the program, or end it in that one's
 * place; the library would begin to lock what a program with one thread does not; and it could not
 * be made in the child of a fork, where memory may be locked. So it has no memory of a thread's
 * own, blocks all signals, has a table of descriptors to itself, where the program neither sees nor
 * closes any, and follows by itself when the program gives up rights (rights.h). Its CPU time is
 * not the program's.
 *
 * What says nothing else is async-signal-safe.
 */
#ifndef WAIT_OFFCPU_HELPER_H
#define WAIT_OFFCPU_HELPER_H

#include <stdbool.h>
#include <stdint.h>

/* Before other threads exist, when settings are read: finds out whether the kernel tells what there
 * is to know, and says so if not. Not async-signal-safe. */
void offcpu_helper_prepare(void);

/* Starts the helper, if there is to be one and none is there. By the one that starts a recording.
 */
void offcpu_helper_start(void);

/* In the child of a fork, after stacks_forked(): starts its own. */
void offcpu_helper_forked(void);

/*
 * What threads have waited until now is charged; `anew`: and what they were doing before is
 * forgotten. Waits for the helper, which needs a moment, but no more than a second. Does nothing
 * behind a filter of system calls that may kill.
 */
void offcpu_helper_settle(bool anew);

/* CPU time that the helper has used, in ns. */
uint64_t offcpu_helper_used_ns(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * GMON=clock=wall: the helper thread, which looks at all threads of the process (offcpu.h) to find
 * out how long they wait, and where. It looks at random times, as often as samples are taken. It
 * sends no signals, which would interrupt their system calls.
 *
 * The C library does not know the helper, which is made by clone(). One made by pthread_create()
 * would keep the process alive after the program's last thread, or run the program's exit handlers;
 * it would make the library lock in programs of one thread; and the child of a fork could not make
 * one, since locks may be held there. So the helper uses no thread-local memory, blocks all
 * signals, has its own table of descriptors, hidden from the program, and gives up rights when the
 * program does (rights.h). Its CPU time is not counted as the program's.
 *
 * Async-signal-safe where nothing else is said.
 */
#ifndef WAIT_OFFCPU_HELPER_H
#define WAIT_OFFCPU_HELPER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * To be called once settings are read, before other threads exist: finds out whether the kernel
 * shows what is needed, and says so if not. Not async-signal-safe.
 */
void offcpu_helper_prepare(void);

/* Starts the helper, if it is wanted and not running. To be called when a recording starts. */
void offcpu_helper_start(void);

/* In the child of a fork, after stacks_forked(): starts the child's own helper. */
void offcpu_helper_forked(void);

/*
 * Has the helper record all waiting until now, which else it does at its next looks; with `restart`
 * it forgets that instead, and begins from zero. Waits until that is done, at most a second. Does
 * nothing in a closed sandbox (sandbox.h).
 */
void offcpu_helper_flush(bool restart);

/* Ends the helper, and waits for that, at most a second. */
void offcpu_helper_end(void);

/* After offcpu_helper_end(), when the helper has ended: starts another one, if it is wanted. */
void offcpu_helper_restart(void);

/* CPU time of the helper, in ns. */
uint64_t offcpu_helper_used_ns(void);

#endif

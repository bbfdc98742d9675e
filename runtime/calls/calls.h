/* SPDX-License-Identifier: MIT */
/*
 * GMON=calls: exact counts of the calls in a program that was not built for that. Before main(),
 * each call site of the program, with calls=libs also of its libraries, is found (sites.h) and led
 * through a stub (stubs.h). Each thread has counts of its own, so a call costs a few instructions
 * and no lock, and no two threads write the same word.
 *
 *     main's code       the site's stub             that of f            counts of the thread
 *     call f      ───>  mov $8 * 17, %eax
 *                       jmp  ────────────────────>  add %fs:counts, %rax
 *                                                   subq $1, (%rax)  ──>  | 0 | 0 | .. | -17 |
 *       <─ ret ── f  <─────────────────────────────  jmp f
 *
 * Counts go down: see stubs.h.
 *
 * Counts are blocks of the window (count/count_block.h), so that whatever ends the process loses
 * none. Only with GMON=windows. In the shared library for x86-64 only: elsewhere calls_start is
 * NULL.
 */
#ifndef CALLS_CALLS_H
#define CALLS_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct thread;

/* With GMON=calls, once the recording runs, before main(): changes the code. What cannot be counted
 * is one line on stderr. Not async-signal-safe. */
void calls_start(void) __attribute__((weak));

/* When a library is about to be initialised, by the call of __gmon_start__() that returns to
 * `caller`: counts in this library, and in those that were loaded with it. Not async-signal-safe.
 */
void calls_library_begins(uintptr_t caller);

/* In a new thread that has an entry: gives it counts. Async-signal-safe. */
void calls_thread_begin(struct thread *thread) __attribute__((weak));

/* In the child of a fork, after thread_forked(). */
void calls_forked(void) __attribute__((weak));

/* At exit(): names libraries that were loaded meanwhile and are not counted. Not
 * async-signal-safe. */
void calls_end(void) __attribute__((weak));

/* Before the process ends, or becomes another program: notes in the window to which functions the
 * entries of the PLT have led. Linear in these entries. Async-signal-safe. */
void calls_note_plt(void) __attribute__((weak));

/* Sets all counts to zero. Other threads may count meanwhile. */
void calls_zero(void) __attribute__((weak));

/* Instruction and stack pointer of a context that a signal has interrupted. */
struct calls_registers {
	uintptr_t ip, sp;
};

/*
 * If a signal has interrupted a stub: changes the context to that of the function to which the stub
 * leads, at its start, so that a walk begins there; the context's own registers go to *saved, for
 * calls_restore(). Returns false if it was no stub: the context stays. Async-signal-safe.
 */
bool calls_skip_stub(ucontext_t *context, struct calls_registers *saved) __attribute__((weak));

/* Before the handler returns: undoes calls_skip_stub(). Async-signal-safe. */
void calls_restore(ucontext_t *context, const struct calls_registers *saved) __attribute__((weak));

#endif

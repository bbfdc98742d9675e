/* SPDX-License-Identifier: MIT */
/*
 * The handler of the signal of samples: turns a signal into ticks in the tables. Async-signal-safe.
 */
#ifndef SAMPLE_TICK_H
#define SAMPLE_TICK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Installs the handler for a signal, as handlers_take(). */
bool tick_handle(int signal);

/*
 * Whether a signal of samples is libgmon's, not one that the program sent or for which it has a
 * timer.
 */
bool tick_is_ours(const siginfo_t *info);

/* Whether an action is libgmon's handler. */
bool tick_is_handler(const struct sigaction *action);

/*
 * Adds ticks at pc: to the histogram, or if pc is outside of that, to the calling thread's table in
 * a cell with `mark` as its `self`.
 */
void tick_add(uintptr_t pc, uint32_t ticks, uintptr_t mark);

/*
 * Adds ticks for which no sample was taken, and which belong to no function; thread is NULL if it
 * is unknown.
 */
void tick_lose(const struct thread *thread, uint32_t ticks);

#endif

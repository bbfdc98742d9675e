/* SPDX-License-Identifier: MIT */
/* The handler of the signal of samples: from a signal to ticks in the tables. Async-signal-safe. */
#ifndef SAMPLE_TICK_H
#define SAMPLE_TICK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Installs the handler for a signal, as handlers_take(). */
bool tick_handle(int signal);

/* Whether a signal of samples is ours, not one that the program sent or has a timer for. */
bool tick_is_ours(const siginfo_t *info);

/* Whether an action is our handler. */
bool tick_is_handler(const struct sigaction *action);

/*
 * Adds ticks at pc: to the histogram, or if pc is outside of that, to the calling thread's table in
 * a cell with `mark` as its `self`.
 */
void tick_add(uintptr_t pc, uint32_t ticks, uintptr_t mark);

/* Adds ticks of time in which nobody looked, and which belong to no function; NULL: the thread is
 * unknown. */
void tick_lose(const struct thread *thread, uint32_t ticks);

#endif

/* SPDX-License-Identifier: MIT */
/* The handler of the signal of samples: from a signal to ticks in the tables. Async-signal-safe. */
#ifndef SAMPLE_TICK_H
#define SAMPLE_TICK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Installs the handler for a signal; the action before goes to *old, if that is not NULL. False:
 * the system refuses. */
bool tick_handle(int signal, struct sigaction *old);

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

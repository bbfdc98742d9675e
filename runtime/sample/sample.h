/* SPDX-License-Identifier: MIT */
/*
 * Samples of the program counter, into the histogram of the recording.
 *
 * By default each thread that counts has a clock of its own; a signal stands for as many ticks as
 * the clock ran out since the last. The classic clock serves where such clocks cannot be had or
 * GMON says so. See clock.h.
 */
#ifndef SAMPLE_SAMPLE_H
#define SAMPLE_SAMPLE_H

#include <stdbool.h>

struct sigaction;

/* Makes our handler the one of a signal; the one before into *old, if not NULL. False if the system
 * refuses. */
bool sample_handle(int signal, struct sigaction *old);

/*
 * Installs the handler: before the first clock is armed, which may tick at once, and kill where
 * there is none. False if the system refuses; then no clock is armed.
 */
bool sample_prepare(void);

/* Installs the handler and starts the clocks of all living threads, as configured. */
void sample_start(void);

/*
 * Where a thread's clock could not be had (gmon.refused): starts the classic one for such threads,
 * if the program does not use it, and says so, once. Async-signal-safe.
 */
void sample_share(void);

/* Stops the clocks. The handler stays: a signal may be under way. */
void sample_stop(void);

/* In the child of a fork, which inherits no timer; after thread_forked(). */
void sample_forked(void);

/*
 * Keeps all other threads that count in their handlers, for ever: the process is about to die of a
 * signal, and what they do from here on would not be in its profile. Does not wait for one that
 * blocks the signal.
 */
void sample_hold_others(void);

/* Whether the sampling signal still comes to us, unblocked in the calling thread. */
bool sample_arrives(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Samples of the program counter.
 *
 * By default each thread that counts has a timer on its own CPU clock, whose signal goes to that
 * thread; a signal stands for as many ticks as the timer ran out since the last. The classic clock,
 * ITIMER_PROF of the whole process, serves where such timers cannot be had or GMON says so.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

struct sigaction;
struct thread;

/* Makes our handler the one of a signal; the one before into *old, if not NULL. */
void sample_handle(int signal, struct sigaction *old);

/* Starts ITIMER_PROF at a rate, or stops it for 0. 0 or -errno. */
long sample_set_classic(uint32_t rate);

/* Installs the handler and starts the clocks of all living threads, as configured. */
void sample_start(void);

/* Stops the clocks. The handler stays: a signal may be under way. */
void sample_stop(void);

/* In the child of a fork, which inherits no timer; after thread_forked(). */
void sample_forked(void);

/* Starts the clock of a thread, whose number is tid, if the recording runs and it has none. */
void sample_arm(struct thread *thread, int32_t tid);

/*
 * Keeps all other threads that count in their handlers, for ever: the process is about to die of a
 * signal, and what they do from here on would not be in its profile. Does not wait for one that
 * blocks the signal.
 */
void sample_hold_others(void);

/* Whether the sampling signal still comes to us, unblocked in the calling thread. */
bool sample_arrives(void);

#endif

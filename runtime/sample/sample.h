/* SPDX-License-Identifier: MIT */
/*
 * Sampling: starting and stopping the clocks of all threads. What a tick does is in tick.h.
 *
 * By default each thread that counts has a clock of its own. ITIMER_PROF of the process serves
 * where such clocks are not available, or GMON=clock=profil asks for it. See clock.h.
 */
#ifndef SAMPLE_SAMPLE_H
#define SAMPLE_SAMPLE_H

#include <stdbool.h>

/*
 * Installs the handler, without which the first signal would kill, and starts the clocks of all
 * living threads. If the system refuses the handler, no clock is started.
 */
void sample_start(void);

/*
 * After a thread did not get a clock (gmon.refused): starts ITIMER_PROF for such threads,
 * unless the program uses it, and says so once on stderr. Async-signal-safe.
 */
void sample_share(void);

/*
 * Starts the clocks of threads that live, but have no entry (thread_expect()), as constructors of
 * libraries have started them. Some system calls more for each.
 */
void sample_arm_others(void);

/* From here on, CPU time and ticks are compared for sample_stop(). Linear in the threads. */
void sample_account(void);

/*
 * Stops the clocks. The handler stays, since a last signal may still come; but the program may now
 * replace it, so that no clock is armed until sample_start(). CPU time that the kernel has
 * counted and nobody has seen becomes ticks of no function (tick_lose()), if it is more than a
 * fiftieth.
 */
void sample_stop(void);

/* In the child of a fork, which inherits no timer: starts the clock, perhaps with another signal.
 * `blocked`: the thread blocks the signal, as it sees itself. After thread_forked(). */
void sample_forked(bool blocked);

/*
 * Stops all other threads that count in their handlers, for ever: the process is about to die of a
 * signal, and what they would do until then could not be in its profile. Waits 0.2 s at most for
 * those that block the signal.
 */
void sample_hold_others(void);

/*
 * After sample_stop(): has all other threads close their counters, by signals that they handle.
 * Returns false if one has not done so in 0.2 s: then the handler has to stay.
 */
bool sample_close_counters(void);

/* Whether the signal of samples still has our handler, and the calling thread does not block it. */
bool sample_arrives(void);

#endif

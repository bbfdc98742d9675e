/* SPDX-License-Identifier: MIT */
/*
 * The clocks that bring ticks: a timer on the CPU clock of each thread, whose signal goes to that
 * thread, or the classic one, ITIMER_PROF of the whole process. Which is in use is gmon.classic.
 *
 * All of it is async-signal-safe.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A thread's timer and the ticks that it brought. The timer is armed and disarmed by its thread or
 * by the one that starts or stops the recording; ticks and last_pc are from the thread's handler.
 */
struct clock {
	int timer; /* the kernel's number of it, if armed */
	unsigned char armed;
	uint32_t ticks;    /* since it was armed */
	uintptr_t last_pc; /* of the newest tick; 0: none */
	long armed_at[2];  /* the thread's CPU time then: seconds, nanoseconds */
};

/*
 * Starts the clock of the thread whose number is tid, in place of one that runs, if ticks are taken
 * from such clocks now. clock->armed says whether it runs.
 */
void clock_arm(struct clock *clock, int32_t tid);

/* Stops an armed clock. Its signal may be under way. */
void clock_disarm(struct clock *clock);

/* Whether a signal is that of a thread's clock. */
bool clock_sent(const siginfo_t *info);

/* In the handler of such a signal: it came at pc and stands for so many ticks. */
void clock_note(struct clock *clock, uintptr_t pc, uint32_t ticks);

/*
 * How many ticks the kernel owes to a thread that is alive. It looks at the clocks of the thread
 * that runs when its own clock ticks, so a thread among many busy ones may be missed for a while;
 * its next signal then stands for all that time. 0 if there was no tick yet.
 */
uint32_t clock_owed(const struct clock *clock, int32_t tid);

/*
 * How many ticks a second there can be: the kernel looks at all these clocks only when its own
 * ticks. UINT32_MAX if it does not say how often that is.
 */
uint32_t clock_most(void);

/* CPU time of a living thread of the process, in ns; of the calling one for 0. 0: nobody knows. */
uint64_t clock_thread_ns(int32_t tid);

/* What the thread of an armed clock had used, in ns, when it was armed. */
uint64_t clock_armed_ns(const struct clock *clock);

/* CPU time of the process, in milliseconds; what came before an exec() is in it. */
uint64_t clock_used_ms(void);

/* The signal of the clocks in use. */
int clock_signal(void);

/* Starts ITIMER_PROF at a rate of ticks a second, or stops it for 0. 0 or -errno. */
long clock_set_classic(uint32_t rate);

#endif

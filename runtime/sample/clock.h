/* SPDX-License-Identifier: MIT */
/*
 * The clocks that decide when a thread is looked at: a timer on each thread's CPU clock, whose
 * signal goes to that thread; with GMON=clock=task a counter of its CPU time, which does not depend
 * on the kernel's tick; or, for threads without one of these, ITIMER_PROF of the whole process
 * (gmon.by_itimer).
 *
 * Everything here is async-signal-safe.
 */
#ifndef SAMPLE_CLOCK_H
#define SAMPLE_CLOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "sample/perf.h"
#include "sample/sample_schedule.h"

/*
 * How much CPU time a thread uses for each of the kernel's ticks that interrupts it: a tick, or on
 * a busy machine more or less. In ns; written by the thread's handler.
 */
struct clock_rate {
	_Alignas(8) uint64_t by_ticks; /* its CPU time in ticks at the last look; 0: no look */
	_Alignas(8) uint64_t used;     /* in the newest looks: CPU time ... */
	_Alignas(8) uint64_t ticks;    /* ... and the same in ticks */
};

/*
 * With a counter: time in the kernel, for which it sends no signals. In ns; set when the clock is
 * armed, then by the thread's handler.
 */
struct clock_kernel {
	_Alignas(8) int64_t lag;    /* how far the counter is behind the thread's CPU clock */
	_Alignas(8) uint64_t until; /* the counter's time up to which looks of the timer know
				       whether it sent signals */
	bool lag_known;
	_Alignas(8) uint64_t by_ticks; /* by the kernel's ticks, at the last look by the timer */
	_Alignas(8) uint64_t ahead;    /* counted by looks of the timer, to be left out of the
					  counter's next looks, which have it, too */
};

/* How long a thread has lived when its clock is armed: CLOCK_NEW: its own code is still to begin.
 */
enum clock_age { CLOCK_OLD, CLOCK_YOUNG, CLOCK_NEW };

/*
 * A thread's timer or counter, and what is known of its CPU time.
 *
 * The thread is to be sampled at some points of its CPU time (sample_schedule.h). It is looked at
 * more often than that, by a timer that expires at equal intervals, and a look counts as many ticks
 * as points were passed since the look before. So a handler never has to set a timer, for which a
 * filter of system calls might kill the process.
 *
 * The kernel notices only at its own ticks that a timer has expired. Points are random, and a tick
 * of the kernel is equally likely anywhere: so each piece of code gets ticks in proportion to its
 * time, whatever the program's rhythm, unless that is the rhythm of the kernel's ticks. A signal
 * that is put off stands for the ticks of the kernel until then.
 *
 * A counter (perf.h) is as exact as the kernel's high-resolution timers. It sends no signal for
 * time in the kernel, since that would end system calls early; so there is a timer beside it, whose
 * looks find out at the end of a system call that a tick of the kernel was in it. If the counter
 * sent no signal for longer than a tick, they count that time, else the tick.
 *
 * Armed and disarmed by the thread, or by the one that starts or stops the recording; the rest is
 * written by the thread's handler.
 */
struct clock {
	int timer;        /* the kernel's number of the timer, if there is one */
	struct perf perf; /* the counter; if it has a map, it is armed in place of the timer */
	unsigned char armed;
	unsigned char age;            /* enum clock_age */
	uintptr_t last_pc;            /* at the newest tick, or at the first look; 0: no look */
	_Alignas(8) uint64_t next;    /* the next sampling point, in CPU time of the thread, counted
					 from one interval before the first look; 0: no look yet */
	_Alignas(8) uint64_t used;    /* the same CPU time at the last look */
	_Alignas(8) uint64_t counted; /* the CPU time up to which looks have counted, likewise */
	struct clock_rate rate;
	struct clock_kernel kernel;
	bool times_kernel; /* there is a timer beside the counter */
	uint32_t ticks;    /* of all looks, also at threads that had it before; clock_forget() */
	struct sample_schedule schedule;
	long armed_at[2]; /* the thread's CPU clock when it was armed: seconds, nanoseconds */
};

/* The ticks of a look. */
struct clock_ticks {
	uint32_t here;    /* for the place where the thread is */
	uint32_t unknown; /* for CPU time that it used earlier, without samples */
};
/*
 * Once, after settings were read: sets gmon.sample_rule, and the rate if none was given. Where the
 * kernel refuses counters for clock=task, the settings become those of threads' timers; a rate that
 * the clock does not allow becomes the highest that it does.
 */
void clock_prepare(void);

/*
 * Starts the clock of the thread whose number is tid, in place of one that runs, if the recording
 * now uses such clocks. Then clock->armed is set; if the kernel has no timer left, gmon.refused
 * says why.
 *
 * What a thread does between its last look and its end is not seen. To make up for that, the first
 * look at a thread that is not CLOCK_OLD counts as much time as the interval between two looks,
 * even if the thread has not lived that long: for each thread that is seen too early, another ends
 * before it is seen. So sums over many threads are right, however short these live, if the kernel's
 * tick is equally likely anywhere in them. See sample_stop() for what is missing otherwise.
 */
void clock_arm(struct clock *clock, int32_t tid, enum clock_age age);

/* In a thread that adopts the entry of a dead thread: closes the dead thread's counter, if any. */
void clock_take_over(struct clock *clock);

/* In the child of a fork, which inherits no clock: marks it as not armed. */
void clock_forget(struct clock *clock);

/* Stops an armed clock, whose last signal may still come. `ours`: its thread is the calling one, or
 * dead. */
void clock_disarm(struct clock *clock, bool ours);

/* Whether the clock is a counter, not a timer. */
bool clock_by_task(const struct clock *clock);

/* Whether a signal was sent by a timer of ours. */
bool clock_sent(const siginfo_t *info);

/*
 * In the handler of the clock's signal: returns the ticks since the look before, and notes pc. If
 * the signal is that of the timer (`timed`), it stands for 1 + overrun expirations.
 */
struct clock_ticks clock_look(struct clock *clock, uintptr_t pc, int overrun, bool timed);

/*
 * The ticks since the last look at a living thread; `here` belong to clock->last_pc. Where many
 * threads compete for a CPU, the kernel may not look at one for a while, since at its tick it looks
 * at the running thread's clock only.
 */
struct clock_ticks clock_owed(const struct clock *clock, int32_t tid);

/* How many ticks `used` ns of CPU time are. */
uint64_t clock_due(uint64_t used);

/* CPU time of a living thread in ns; of the calling one if tid is 0. 0: the thread has ended. */
uint64_t clock_thread_ns(int32_t tid);

/* CPU time in ns that a clock's thread had used when the clock was armed. */
uint64_t clock_armed_ns(const struct clock *clock);

/* CPU time of the process in ms, also from before an exec(). */
uint64_t clock_used_ms(void);

/* The same in ns; ns since 1970; ns by CLOCK_MONOTONIC. */
uint64_t clock_process_ns(void);
uint64_t clock_real_ns(void);
uint64_t clock_monotonic_ns(void);
/* The signal of the threads' clocks, or with GMON=clock=profil SIGPROF. */
int clock_signal(void);

/* Whether ITIMER_PROF is not running. */
bool clock_is_free(void);

/* Starts ITIMER_PROF with `rate` signals a second, or stops it if that is 0. 0 or -errno. */
long clock_set_itimer(uint32_t rate);

#endif

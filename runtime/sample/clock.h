/* SPDX-License-Identifier: MIT */
/*
 * The clocks that bring ticks: a timer on the CPU clock of each thread, whose signal goes to that
 * thread; with GMON=clock=task a counter of its CPU time, which the kernel's tick does not bind; or
 * the classic one, ITIMER_PROF of the whole process, for threads without one: gmon.classic.
 *
 * All of it is async-signal-safe.
 */
#ifndef SAMPLE_CLOCK_H
#define SAMPLE_CLOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "sample/perf.h"
#include "sample/sample_schedule.h"

/*
 * A thread's timer, and what is known of the CPU time that it measures.
 *
 * At some of its CPU time's places a thread is to be sampled (sample_schedule.h). It is looked at
 * more often, by a timer that runs out at equal distances, and a look counts as many ticks as
 * places were passed since the one before. So nothing has to be armed anew in a handler, where a
 * filter of system calls might end the program.
 *
 * The kernel tells at its own ticks only that a timer ran out. Places are random, and a tick of the
 * kernel comes with equal chance anywhere: so each piece of code gets ticks in proportion to its
 * time, whatever the program's rhythm, but for that of the kernel's tick.
 *
 * A counter of CPU time (perf.h) is as exact as the kernel's high-resolution timers. It has no
 * signals for time in the kernel: that counts at the next look, where the thread is then.
 *
 * The timer is armed and disarmed by its thread or by the one that starts or stops the recording;
 * the rest is from the thread's handler.
 */
struct clock {
	int timer;        /* the kernel's number of it, if armed */
	struct perf perf; /* armed if it has a map: in place of the timer */
	unsigned char armed;
	unsigned char young; /* see clock_arm() */
	uintptr_t last_pc;   /* of the newest tick, or of a look */
	_Alignas(8)
		uint64_t next;     /* the place to take next; 0: there was no look. Times are of the
				      thread's CPU clock, from rule.look_interval before it was armed */
	_Alignas(8) uint64_t used; /* at the last look */
	uint32_t ticks;            /* of all looks */
	struct sample_schedule schedule;
	long armed_at[2]; /* the CPU clock then: seconds, nanoseconds */
};

/* What a look counts. */
struct clock_ticks {
	uint32_t here;    /* where it found the thread */
	uint32_t unknown; /* of time that the thread used long before, when nobody looked */
};

/*
 * Once, after settings were read: sets gmon.sample_rule. Where the kernel refuses counters for
 * clock=task, the settings become those of threads' timers; a rate that the clock does not allow
 * becomes the highest that it does.
 */
void clock_prepare(void);

/*
 * Starts the clock of the thread whose number is tid, in place of one that runs, if ticks are taken
 * from such clocks now. clock->armed says whether it runs; if the kernel has no timer for it,
 * gmon.refused says why.
 *
 * Nobody looks at a thread where it ends. So the first look at a `young` thread, one that has just
 * begun, stands for as much time as any between two looks does, even if the thread has not lived
 * for so long: for each that is seen early there is one that is not seen before its end. Sums over
 * many threads are right, however short they live, if the kernel's tick comes anywhere in them with
 * equal chance. See clock_unseen().
 */
void clock_arm(struct clock *clock, int32_t tid, bool young);

/* In a thread that takes the clock of a dead one over: closes its counter, if it has one. */
void clock_take_over(struct clock *clock);

/* In the child of a fork, where no clock runs. */
void clock_forget(struct clock *clock);

/* Stops an armed clock. Its signal may be under way. `ours`: its thread is the calling one or dead.
 */
void clock_disarm(struct clock *clock, bool ours);

/* Whether it runs by its counter, and not by a timer. */
bool clock_by_task(const struct clock *clock);

/* Whether a signal is that of a thread's timer. */
bool clock_sent(const siginfo_t *info);

/*
 * In the handler of such a signal, which came at pc, and stands for so many more that were not
 * sent; or of one by the clock's counter, whatever sent it.
 */
struct clock_ticks clock_look(struct clock *clock, uintptr_t pc, int overrun);

/*
 * The ticks since the last look at a thread that is alive; `here` are at clock->last_pc. The kernel
 * looks at the clock of the thread that runs when its own clock ticks, so one among many busy ones
 * may be missed for a while.
 */
struct clock_ticks clock_owed(const struct clock *clock, int32_t tid);

/* In a thread whose number is tid and which ends: so much it used, and so many ticks it got. */
void clock_end(const struct clock *clock, int32_t tid);

/*
 * When all clocks are stopped: how many ticks the threads that ended have got too few, if it is so
 * many that chance is no reason. On a busy machine the kernel may start threads at its ticks, and
 * those that end before the next are seen by none. Next time it starts from 0.
 */
uint32_t clock_unseen(void);

/* CPU time of a living thread of the process, in ns; of the calling one for 0. 0: nobody knows. */
uint64_t clock_thread_ns(int32_t tid);

/* What the thread of an armed clock had used, in ns, when it was armed. */
uint64_t clock_armed_ns(const struct clock *clock);

/* CPU time of the process, in milliseconds; what came before an exec() is in it. */
uint64_t clock_used_ms(void);

/* The same in ns; the time since 1970; and by CLOCK_MONOTONIC. */
uint64_t clock_process_ns(void);
uint64_t clock_real_ns(void);
uint64_t clock_monotonic_ns(void);

/* The signal of the threads' clocks, or of the classic one if the user wants that. */
int clock_signal(void);

/* Whether nobody has started ITIMER_PROF. */
bool clock_is_free(void);

/* Starts ITIMER_PROF at a rate of ticks a second, or stops it for 0. 0 or -errno. */
long clock_set_classic(uint32_t rate);

#endif

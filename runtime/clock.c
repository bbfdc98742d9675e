/* SPDX-License-Identifier: MIT */
/* Timers. See clock.h. */
#include "clock.h"

#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#include "state.h"
#include "sys.h"

enum { NS = 1000000000, US = 1000000 };

/* struct sigevent and struct itimerspec as the kernel has them; libc's differ between libraries. */
struct clock_event {
	const void *value;
	int32_t signal, notify, tid;
	char rest[64 - sizeof(void *) - 3 * sizeof(int32_t)];
};

struct clock_times {
	long interval_s, interval_ns, first_s, first_ns;
};

/* Our timers' signals carry this address. */
static const void *clock_mark(void)
{
	return &gmon;
}

/* The kernel's number of the CPU clock of a thread. */
static int32_t clock_number(int32_t tid)
{
	enum { PER_THREAD_CPU = 6 };

	return ~tid * 8 | PER_THREAD_CPU;
}

/* The first tick comes after half the time of one: what a thread uses is rounded, not cut off. */
static bool clock_start(struct clock *clock, int32_t tid)
{
	enum { THREAD_ID = 4 };
	struct clock_event event;
	long ns = NS / (long)gmon.settings.rate;
	struct clock_times times = { ns / NS, ns % NS, ns / 2 / NS, ns / 2 % NS + 1 };
	int32_t number = clock_number(tid);

	event.value = clock_mark();
	event.signal = gmon.settings.sample_signal;
	event.notify = THREAD_ID;
	event.tid = tid;
	for (size_t i = 0; i < sizeof(event.rest); i++)
		event.rest[i] = 0;
	if (sys_failed(SYS3(SYS_timer_create, number, &event, &clock->timer)))
		return false;
	SYS2(SYS_clock_gettime, number, clock->armed_at);
	__atomic_store_n(&clock->ticks, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&clock->last_pc, 0, __ATOMIC_RELAXED);
	SYS4(SYS_timer_settime, clock->timer, 0, &times, NULL);
	return true;
}

void clock_arm(struct clock *clock, int32_t tid)
{
	bool was = __atomic_load_n(&clock->armed, __ATOMIC_RELAXED);

	if (gmon.classic || !gmon.bins || (gmon.phase != RUNNING && gmon.phase != STARTING))
		return;
	if (was) /* by the thread whose place this one has taken */
		SYS1(SYS_timer_delete, clock->timer);
	__atomic_store_n(&clock->armed, clock_start(clock, tid), __ATOMIC_RELAXED);
}

void clock_disarm(struct clock *clock)
{
	SYS1(SYS_timer_delete, clock->timer);
	clock->armed = 0;
}

bool clock_sent(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == clock_mark();
}

void clock_note(struct clock *clock, uintptr_t pc, uint32_t ticks)
{
	__atomic_store_n(&clock->ticks, clock->ticks + ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&clock->last_pc, pc, __ATOMIC_RELAXED);
}

uint32_t clock_owed(const struct clock *clock, int32_t tid)
{
	uint32_t ticks = __atomic_load_n(&clock->ticks, __ATOMIC_RELAXED);
	uint64_t tick_ns = NS / gmon.settings.rate;
	long now[2];
	uint32_t due;

	if (!__atomic_load_n(&clock->last_pc, __ATOMIC_RELAXED) ||
	    sys_failed(SYS2(SYS_clock_gettime, clock_number(tid), now)))
		return 0;
	due = (uint32_t)(((uint64_t)(now[0] - clock->armed_at[0]) * NS + (uint64_t)now[1] +
			  tick_ns / 2 - (uint64_t)clock->armed_at[1]) /
			 tick_ns);
	return due > ticks ? due - ticks : 0;
}

uint32_t clock_most(void)
{
	long step[2] = { 0, 0 };

	/* Of the coarse clock: the kernel's tick. */
	if (sys_failed(SYS2(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, step)) || step[0] ||
	    step[1] <= 0)
		return UINT32_MAX;
	return (uint32_t)((NS + step[1] / 2) / step[1]);
}

uint64_t clock_thread_ns(int32_t tid)
{
	long now[2] = { 0, 0 };

	SYS2(SYS_clock_gettime, tid ? clock_number(tid) : CLOCK_THREAD_CPUTIME_ID, now);
	return (uint64_t)now[0] * NS + (uint64_t)now[1];
}

uint64_t clock_armed_ns(const struct clock *clock)
{
	return (uint64_t)clock->armed_at[0] * NS + (uint64_t)clock->armed_at[1];
}

uint64_t clock_used_ms(void)
{
	long now[2] = { 0, 0 };

	SYS2(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, now);
	return (uint64_t)now[0] * 1000 + (uint64_t)now[1] / 1000000;
}

int clock_signal(void)
{
	return gmon.classic ? SIGPROF : gmon.settings.sample_signal;
}

long clock_set_classic(uint32_t rate)
{
	long us = rate ? rate < US ? US / (long)rate : 1 : 0;
	long times[4] = { us / US, us % US, us / US, us % US };

	return SYS3(SYS_setitimer, ITIMER_PROF, times, NULL);
}

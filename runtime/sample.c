/* SPDX-License-Identifier: MIT */
/* Sampling: the clocks, and the handler that fills the histogram. See sample.h. */
#include "sample.h"

#include <signal.h>
#include <sys/time.h>

#include "internal.h"
#include "profil.h"
#include "settings.h"
#include "sys.h"
#include "text.h"
#include "thread.h"

enum { NS = 1000000000, US = 1000000 };

/* struct sigevent and struct itimerspec as the kernel has them; libc's differ between libraries. */
struct kernel_event {
	const void *value;
	int32_t signal, notify, tid;
	char rest[64 - sizeof(void *) - 3 * sizeof(int32_t)];
};

struct kernel_times {
	long interval_s, interval_ns, first_s, first_ns;
};

/* Our timers' signals carry its address. */
static const char ours;

/* Set by sample_start(): the clock of the process is the one in use. */
static bool classic;

/* The thread that called sample_hold_others(), and how many others it has stopped. */
static int32_t holding;
static uint32_t held;

static void count_ticks(uintptr_t pc, uint32_t ticks)
{
	struct bins *bins = gmon.bins;
	uintptr_t bin;

	if (!bins)
		return;
	bin = (pc - bins->region.low) / 2;
	if (bin < bins->region.word)
		__atomic_fetch_add(&bins->tick[bin], ticks, __ATOMIC_RELAXED);
	else if (gmon_table)
		gmon_count(settings.libs ? pc : FROM_ANYWHERE, CELL_OUTSIDE_TICKS, ticks);
	else
		wide_add(&gmon.elsewhere, ticks);
}

static int tick_signal(void)
{
	return classic ? SIGPROF : settings.sample_signal;
}

/* In the handler, where all signals are blocked. */
static void stay(void)
{
	const long second[2] = { 1, 0 };

	__atomic_fetch_add(&held, 1, __ATOMIC_RELEASE);
	for (;;)
		SYS2(SYS_nanosleep, second, NULL);
}

static void on_tick(int signal, siginfo_t *info, void *context)
{
	uintptr_t pc = arch_pc(context);
	int32_t holder = __atomic_load_n(&holding, __ATOMIC_ACQUIRE);

	(void)signal;
	if (holder && holder != sys_gettid())
		stay();
	if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &ours) {
		uint32_t ticks = 1 + (uint32_t)info->si_overrun;
		struct thread *self = thread_self();

		if (self) {
			__atomic_store_n(&self->ticks, self->ticks + ticks, __ATOMIC_RELAXED);
			__atomic_store_n(&self->last_pc, pc, __ATOMIC_RELAXED);
		}
		if (gmon_on)
			count_ticks(pc, ticks);
	} else if (!profil_tick(pc) && classic && gmon_on) {
		count_ticks(pc, 1);
	}
}

void sample_handle(int signal, struct sigaction *old)
{
	struct sigaction action; /* no initializer: some compilers call memset for it */

	action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	action.sa_sigaction = on_tick;
	sigfillset(&action.sa_mask);
	sigaction(signal, &action, old);
}

long sample_set_classic(uint32_t rate)
{
	long us = rate ? rate < US ? US / (long)rate : 1 : 0;
	long times[4] = { us / US, us % US, us / US, us % US };

	return SYS3(SYS_setitimer, ITIMER_PROF, times, NULL);
}

/* The kernel's number of the CPU clock of a thread. */
static int32_t clock_of(int32_t tid)
{
	enum { PER_THREAD_CPU = 6 };

	return ~tid * 8 | PER_THREAD_CPU;
}

/* The first tick comes after half the time of one: what a thread uses is rounded, not cut off. */
static bool start_timer(struct thread *thread, int32_t tid)
{
	enum { THREAD_ID = 4 };
	struct kernel_event event;
	long ns = NS / (long)settings.rate;
	struct kernel_times times = { ns / NS, ns % NS, ns / 2 / NS, ns / 2 % NS + 1 };
	int32_t clock = clock_of(tid);

	event.value = &ours;
	event.signal = settings.sample_signal;
	event.notify = THREAD_ID;
	event.tid = tid;
	for (size_t i = 0; i < sizeof(event.rest); i++)
		event.rest[i] = 0;
	if (sys_failed(SYS3(SYS_timer_create, clock, &event, &thread->timer)))
		return false;
	SYS2(SYS_clock_gettime, clock, thread->armed_at);
	__atomic_store_n(&thread->ticks, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&thread->last_pc, 0, __ATOMIC_RELAXED);
	SYS4(SYS_timer_settime, thread->timer, 0, &times, NULL);
	return true;
}

void sample_arm(struct thread *thread, int32_t tid)
{
	bool was = __atomic_load_n(&thread->armed, __ATOMIC_RELAXED);

	if (classic || !gmon.bins || (gmon.phase != RUNNING && gmon.phase != STARTING))
		return;
	if (was) /* by the thread whose place this one has taken */
		SYS1(SYS_timer_delete, thread->timer);
	__atomic_store_n(&thread->armed, start_timer(thread, tid), __ATOMIC_RELAXED);
}

void sample_start(void)
{
	bool any = false;
	bool one = false;

	classic = settings.classic_clock;
	sample_handle(tick_signal(), NULL);
	for (struct thread *thread = thread_first(); thread && !classic; thread = thread->next) {
		int32_t tid = thread_alive(thread);

		if (!tid)
			continue;
		sample_arm(thread, tid);
		any = true;
		one |= thread->armed;
	}
	if (any && !one) {
		classic = true;
		sample_handle(SIGPROF, NULL);
	}
	if (classic && sys_failed(sample_set_classic(settings.rate)))
		text_complain("no clock to take samples by: the profile will hold counts only",
			      NULL, 0);
}

/*
 * The kernel looks at the clocks of the thread that runs when its own clock ticks. A thread among
 * many busy ones may be missed for a while; its next signal then stands for all that time. Here
 * that signal is made for what is left at the end.
 */
static void count_rest(const struct thread *thread)
{
	int32_t tid = thread_alive(thread);
	uint32_t ticks = __atomic_load_n(&thread->ticks, __ATOMIC_RELAXED);
	uintptr_t pc = __atomic_load_n(&thread->last_pc, __ATOMIC_RELAXED);
	long now[2];
	uint64_t half_ns;
	uint32_t due;

	if (!tid || !pc || sys_failed(SYS2(SYS_clock_gettime, clock_of(tid), now)))
		return;
	half_ns = NS / settings.rate / 2;
	due = (uint32_t)(((uint64_t)(now[0] - thread->armed_at[0]) * NS + (uint64_t)now[1] +
			  half_ns - (uint64_t)thread->armed_at[1]) /
			 (NS / settings.rate));
	if (due > ticks)
		count_ticks(pc, due - ticks);
}

void sample_stop(void)
{
	if (classic)
		sample_set_classic(0);
	for (struct thread *thread = thread_first(); thread; thread = thread->next) {
		if (!thread->armed)
			continue;
		SYS1(SYS_timer_delete, thread->timer);
		thread->armed = 0;
		if (!gmon.paused)
			count_rest(thread);
	}
}

void sample_forked(void)
{
	if (gmon.phase == RUNNING)
		sample_start();
}

void sample_hold_others(void)
{
	enum { TURN_NS = 100000, TURNS = 2000 };
	const long turn[2] = { 0, TURN_NS };
	int32_t self = sys_gettid();
	uint32_t others = 0;

	__atomic_store_n(&holding, self, __ATOMIC_RELEASE);
	for (struct thread *thread = thread_first(); thread; thread = thread->next) {
		int32_t tid = thread_alive(thread);

		if (tid && tid != self && !SYS3(SYS_tgkill, gmon.pid, tid, tick_signal()))
			others++;
	}
	for (int i = 0; i < TURNS && __atomic_load_n(&held, __ATOMIC_ACQUIRE) < others; i++)
		SYS2(SYS_nanosleep, turn, NULL);
}

bool sample_arrives(void)
{
	struct sigaction action;
	int signal = tick_signal();
	uint64_t blocked = 0;

	SYS4(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, sizeof(blocked));
	return sigaction(signal, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) &&
	       action.sa_sigaction == on_tick && !(blocked >> (signal - 1) & 1);
}

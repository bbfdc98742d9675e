/* SPDX-License-Identifier: MIT */
/* Starting and stopping the clocks of all threads. See sample.h. */
#include "sample/sample.h"

#include <signal.h>

#include "base/sys.h"
#include "base/text.h"
#include "count/thread.h"
#include "record/stacks.h"
#include "sample/clock.h"
#include "sample/event.h"
#include "sample/tick.h"
#include "state.h"

bool sample_prepare(void)
{
	bool handled = tick_handle(clock_signal());

	__atomic_store_n(&gmon.handled, handled, __ATOMIC_RELEASE);
	return handled;
}

/* Starts the classic clock. False: the program uses it. */
static bool sample_start_classic(void)
{
	struct sigaction action;

	if (!clock_is_free() || sigaction(SIGPROF, NULL, &action))
		return false;
	if (!tick_is_handler(&action) &&
	    (action.sa_flags & SA_SIGINFO || action.sa_handler != SIG_DFL))
		return false;
	if (!tick_handle(SIGPROF))
		return false;
	__atomic_store_n(&gmon.classic, true, __ATOMIC_RELEASE);
	return !sys_failed(clock_set_classic(gmon.settings.rate));
}

void sample_share(void)
{
	int32_t error = __atomic_exchange_n(&gmon.refused, 0, __ATOMIC_RELAXED);

	if (!error || __atomic_exchange_n(&gmon.shared, 1, __ATOMIC_RELAXED))
		return;
	text_complain(sample_start_classic()
			      ? "threads lack timers of their own, and share ITIMER_PROF"
			      : "threads lack timers of their own, and are not sampled",
		      NULL, error);
}

static void sample_arm_all(void)
{
	struct thread *thread = NULL;

	if (!gmon.classic || gmon.settings.event)
		thread = thread_first();
	for (; thread; thread = thread_next(thread)) {
		int32_t tid = thread_alive(thread);

		if (tid && !gmon.classic)
			clock_arm(&thread->clock, tid, false);
		if (tid)
			event_arm(&thread->event, tid);
	}
}

void sample_start(void)
{
	gmon.classic = gmon.settings.classic_clock;
	gmon.shared = 0;
	if (!sample_prepare()) {
		text_complain("no handler for the signal of samples can be installed: the profile "
			      "will hold counts only",
			      NULL, 0);
		return;
	}
	sample_arm_all();
	event_complain();
	if (gmon.classic && sys_failed(clock_set_classic(gmon.settings.rate)))
		text_complain("no clock to take samples by: the profile will hold counts only",
			      NULL, 0);
	sample_share();
}

/* Adds the ticks of a stopped clock that no signal has brought. */
static void sample_rest(const struct thread *thread, int32_t tid)
{
	const struct clock *clock = &thread->clock;
	uintptr_t pc = __atomic_load_n(&clock->last_pc, __ATOMIC_RELAXED);
	struct clock_ticks ticks = { 0, 0 };

	if (tid)
		ticks = clock_owed(clock, tid);
	tick_lose(thread, ticks.unknown);
	if (!ticks.here)
		return;
	tick_add(pc, ticks.here, thread->mark ? thread->mark : CELL_OUTSIDE_TICKS);
	if (gmon.stacks.on)
		stacks_add_rest(thread, pc, ticks.here);
}

static void sample_stop_thread(struct thread *thread)
{
	int32_t tid = thread_alive(thread);
	bool ours = !tid || thread == thread_self();

	event_disarm(&thread->event, ours);
	if (!thread->clock.armed)
		return;
	clock_disarm(&thread->clock, ours);
	if (!gmon.paused)
		sample_rest(thread, tid);
}

void sample_stop(void)
{
	gmon.handled = false;
	if (gmon.classic)
		clock_set_classic(0);
	for (struct thread *thread = thread_first(); thread; thread = thread_next(thread)) {
		if (thread->clock.armed || event_is_armed(&thread->event))
			sample_stop_thread(thread);
	}
	tick_lose(NULL, clock_unseen());
}

/*
 * Between fork() and exec() children reset the actions of all signals, and the default one of
 * SIGPROF is death. That of SIGURG is to do nothing, so a child uses SIGURG.
 */
static void sample_choose_harmless(void)
{
	struct sigaction action;

	if (gmon.settings.sample_signal == SIGPROF && sigaction(SIGURG, NULL, &action) == 0 &&
	    action.sa_handler == SIG_DFL)
		gmon.settings.sample_signal = SIGURG;
}

void sample_forked(void)
{
	sample_choose_harmless();
	if (gmon.phase == RUNNING)
		sample_start();
}

void sample_hold_others(void)
{
	enum { TURN_NS = 100000, TURNS = 2000 };
	const long turn[2] = { 0, TURN_NS };
	int32_t self = sys_gettid();
	uint32_t others = 0;

	__atomic_store_n(&gmon.holder, self, __ATOMIC_RELEASE);
	for (struct thread *thread = thread_first(); thread; thread = thread_next(thread)) {
		int32_t tid = thread_alive(thread);

		if (tid && tid != self && !SYS3(SYS_tgkill, gmon.pid, tid, clock_signal()))
			others++;
	}
	for (int i = 0; i < TURNS && __atomic_load_n(&gmon.held, __ATOMIC_ACQUIRE) < others; i++)
		SYS2(SYS_nanosleep, turn, NULL);
}

bool sample_arrives(void)
{
	struct sigaction action;
	int signal = clock_signal();
	uint64_t blocked = 0;

	SYS4(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, sizeof(blocked));
	return sigaction(signal, NULL, &action) == 0 && tick_is_handler(&action) &&
	       !(blocked >> (signal - 1) & 1);
}

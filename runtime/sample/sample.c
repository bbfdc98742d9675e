/* SPDX-License-Identifier: MIT */
/* Sampling: the handler that fills the histogram. See sample.h. */
#include "sample/sample.h"

#include <signal.h>

#include "base/mask.h"
#include "base/sys.h"
#include "base/text.h"
#include "count/thread.h"
#include "record/modules.h"
#include "record/stacks.h"
#include "sample/bins.h"
#include "sample/clock.h"
#include "sample/event.h"
#include "sample/profil_bins.h"
#include "state.h"
#include "write/live.h"

/* What the cell of ticks at pc, if that is outside, says: where the calling thread is now. */
static uintptr_t sample_mark(uintptr_t pc)
{
	struct modules_recent recent = { 0, 0, GMON_EXT_NONE };
	uint32_t module;

	if (!gmon.modules.of_calls)
		return CELL_OUTSIDE_TICKS;
	module = modules_at(pc, &recent);
	if (module != GMON_EXT_NONE)
		return CELL_OUTSIDE_IN + module;
	return modules_can_find() ? CELL_OUTSIDE_NONE : CELL_OUTSIDE_TICKS;
}

static void sample_add(uintptr_t pc, uint32_t ticks, uintptr_t mark)
{
	struct bins *bins = gmon.bins;

	if (!bins)
		return;
	if (bins_add(bins, pc, ticks)) {
		if (gmon.parts)
			gmon.parts[bins_part(bins, pc)] = 1;
		return;
	}
	if (gmon_table || gmon.modules.of_calls)
		thread_add(gmon.settings.libs ? pc : FROM_ANYWHERE, mark, ticks);
	else
		wide_add(&gmon.elsewhere, ticks);
}

/* Ticks of time that belongs to no function, since nobody looked; the thread's, or NULL: unknown.
 */
static void sample_lose(const struct thread *thread, uint32_t ticks)
{
	if (!ticks)
		return;
	thread_add(FROM_ANYWHERE, CELL_UNKNOWN_TICKS, ticks);
	if (gmon.stacks.on)
		stacks_add_unseen(thread, ticks);
}

/* In the handler, where all signals are blocked. */
static void sample_stay(void)
{
	const long second[2] = { 1, 0 };

	__atomic_fetch_add(&gmon.held, 1, __ATOMIC_RELEASE);
	for (;;)
		SYS2(SYS_nanosleep, second, NULL);
}

static void sample_add_all(const ucontext_t *context, uint32_t ticks, uintptr_t mark)
{
	sample_add(arch_pc(context), ticks, mark);
	if (gmon.stacks.on)
		stacks_add(context, KINDS_CPU, ticks);
}

/* Whether a tick of the classic clock is the calling thread's, which lacks one of its own. */
static bool sample_by_classic(void)
{
	const struct thread *self = thread_self();

	return gmon.classic && !(self && self->clock.armed);
}

/* To the program, as far as it wants to be told; what is to kill it does when we return. */
static void sample_pass_on(int signal, siginfo_t *info, void *context)
{
	const struct sigaction *action =
		&gmon.actions.of_program[__atomic_load_n(&gmon.actions.current, __ATOMIC_ACQUIRE)];

	if (action->sa_flags & SA_SIGINFO) {
		action->sa_sigaction(signal, info, context);
	} else if (action->sa_handler == SIG_DFL) {
		sigaction(signal, action, NULL);
		SYS3(SYS_tgkill, sys_getpid(), sys_gettid(), signal);
	} else if (action->sa_handler != SIG_IGN) {
		action->sa_handler(signal);
	}
}

/* A look by the clock of the thread. */
static void sample_look(const ucontext_t *context, int overrun)
{
	struct thread *self = thread_self();
	struct clock_ticks ticks = { 1, 0 };
	bool first = self && !__atomic_load_n(&self->clock.last_pc, __ATOMIC_RELAXED);
	uintptr_t mark = sample_mark(arch_pc(context));

	if (self) {
		ticks = clock_look(&self->clock, arch_pc(context), overrun);
		self->mark = mark;
	}
	if (!gmon_on)
		return;
	if (ticks.here) {
		sample_add_all(context, ticks.here, mark);
		sample_lose(self, ticks.unknown);
	} else if (first && gmon.stacks.on) {
		/* A thread that ends before its first place has this stack. */
		stacks_add(context, KINDS_CPU, 0);
	}
}

/* Whether a signal is that of one of the thread's counters. */
static bool sample_counted(const struct thread *self, const siginfo_t *info)
{
	return self && (perf_sent(&self->clock.perf, info) || event_sent(&self->event, info));
}

static void sample_add_event(const ucontext_t *context, uint32_t ticks)
{
	if (!ticks || !gmon_on)
		return;
	event_add(arch_pc(context), ticks);
	if (gmon.stacks.on)
		stacks_add(context, gmon.event.kind, ticks);
}

/*
 * A signal of ours. One of a counter stands for all that is due: the kernel drops a signal if
 * another is pending.
 */
static void sample_take(const ucontext_t *context, int overrun, bool timed)
{
	struct thread *self = thread_self();
	/* First of all: what is done from here on may count, too. */
	uint32_t events = self ? event_take(&self->event) : 0;

	if (timed || clock_by_task(&self->clock))
		sample_look(context, overrun);
	if (!self)
		return;
	sample_add_event(context, events);
	event_pass(&self->event);
}

static void sample_on_tick(int signal, siginfo_t *info, void *context)
{
	uintptr_t pc = arch_pc(context);
	int32_t holder = __atomic_load_n(&gmon.holder, __ATOMIC_ACQUIRE);

	if (holder && holder != sys_gettid())
		sample_stay();
	live_tick();
	if (clock_sent(info)) {
		sample_take(context, info->si_overrun, true);
	} else if (sample_counted(thread_self(), info)) {
		sample_take(context, 0, false);
	} else if (!profil_bins_add(pc)) {
		if (sample_by_classic() && gmon_on)
			sample_add_all(context, 1, sample_mark(pc));
		else if (__atomic_load_n(&gmon.actions.set, __ATOMIC_ACQUIRE))
			sample_pass_on(signal, info, context);
	}
}

static bool sample_is_handler(const struct sigaction *action)
{
	return action->sa_flags & SA_SIGINFO && action->sa_sigaction == sample_on_tick;
}

bool sample_handle(int signal, struct sigaction *old)
{
	struct sigaction action; /* no initializer: some compilers call memset for it */

	action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	action.sa_sigaction = sample_on_tick;
	mask_fill(&action.sa_mask);
	return sigaction(signal, &action, old) == 0;
}

bool sample_prepare(void)
{
	gmon.unhandled = !sample_handle(clock_signal(), NULL);
	return !gmon.unhandled;
}

/* Starts the classic clock unless the program has a use for it. */
static bool sample_start_classic(void)
{
	struct sigaction action;

	if (!clock_is_free() || sigaction(SIGPROF, NULL, &action))
		return false;
	if (!sample_is_handler(&action) &&
	    (action.sa_flags & SA_SIGINFO || action.sa_handler != SIG_DFL))
		return false;
	if (!sample_handle(SIGPROF, NULL))
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

/* Makes the sample of the time that no signal of a stopped clock stood for. */
static void sample_rest(const struct thread *thread, int32_t tid)
{
	const struct clock *clock = &thread->clock;
	uintptr_t pc = __atomic_load_n(&clock->last_pc, __ATOMIC_RELAXED);
	struct clock_ticks ticks = { 0, 0 };

	if (tid)
		ticks = clock_owed(clock, tid);
	sample_lose(thread, ticks.unknown);
	if (!ticks.here)
		return;
	sample_add(pc, ticks.here, thread->mark ? thread->mark : CELL_OUTSIDE_TICKS);
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
	if (gmon.classic)
		clock_set_classic(0);
	for (struct thread *thread = thread_first(); thread; thread = thread_next(thread)) {
		if (thread->clock.armed || event_is_armed(&thread->event))
			sample_stop_thread(thread);
	}
	sample_lose(NULL, clock_unseen());
}

/*
 * Between fork() and exec(), children make all signals' actions the default ones, which for SIGPROF
 * is death. That of SIGURG is to do nothing.
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
	return sigaction(signal, NULL, &action) == 0 && sample_is_handler(&action) &&
	       !(blocked >> (signal - 1) & 1);
}

/* SPDX-License-Identifier: MIT */
/* The handler of the signal of samples. See tick.h. */
#include "sample/tick.h"

#include "base/handlers.h"
#include "base/mask.h"
#include "base/sys.h"
#include "calls/calls.h"
#include "count/thread.h"
#include "preload/masks.h"
#include "record/modules.h"
#include "record/stacks.h"
#include "sample/bins.h"
#include "sample/clock.h"
#include "sample/event.h"
#include "sample/profil_bins.h"
#include "state.h"
#include "write/live.h"

/*
 * Returns the mark for ticks at pc, if pc is outside the program: it says which module the thread
 * is in.
 */
static uintptr_t tick_mark(uintptr_t pc)
{
	uint32_t module;

	if (!gmon.modules.of_calls)
		return CELL_OUTSIDE_TICKS;
	module = modules_meet(pc);
	if (module != GMON_EXT_NONE)
		return CELL_OUTSIDE_IN + module;
	return modules_can_find() ? CELL_OUTSIDE_NONE : CELL_OUTSIDE_TICKS;
}

void tick_add(uintptr_t pc, uint32_t ticks, uintptr_t mark)
{
	struct bins *bins = gmon.bins;

	if (!bins)
		return;
	if (bins_add(bins, pc, ticks)) {
		if (gmon.ticked)
			gmon.ticked[bins_span(bins, pc)] = 1;
		return;
	}
	if (gmon_table || gmon.modules.of_calls)
		thread_add(gmon.settings.libs ? pc : FROM_ANYWHERE, mark, ticks);
	else
		wide_add(&gmon.elsewhere, ticks);
}

void tick_lose(const struct thread *thread, uint32_t ticks)
{
	if (!ticks)
		return;
	thread_add(FROM_ANYWHERE, CELL_UNKNOWN_TICKS, ticks);
	if (gmon.stacks.on)
		stacks_add_unseen(thread, ticks);
}

static void tick_add_all(const ucontext_t *context, uint32_t ticks, uintptr_t mark)
{
	tick_add(arch_pc(context), ticks, mark);
	if (gmon.stacks.on)
		stacks_add(context, KINDS_CPU, ticks);
}

/*
 * Whether a tick of ITIMER_PROF counts, because the calling thread has no clock of its own.
 */
static bool tick_by_itimer(void)
{
	const struct thread *self = thread_self();

	return gmon.by_itimer && !(self && self->clock.armed);
}

/* Returns the first 64 signals of a set; C libraries have room for more. */
static uint64_t tick_bits(const sigset_t *set)
{
	uint64_t mask;

	__builtin_memcpy(&mask, set, sizeof(mask));
	return mask;
}

/* Sets the mask with which the kernel would call the program's handler. */
static void tick_set_mask(int signal, const struct sigaction *action, const ucontext_t *context)
{
	uint64_t mask = tick_bits(&context->uc_sigmask) | tick_bits(&action->sa_mask);

	if (!(action->sa_flags & SA_NODEFER))
		mask |= UINT64_C(1) << (signal - 1);
	SYS4(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
}

/*
 * Does the default action of a signal of samples: the process dies when the handler returns, or
 * nothing happens.
 */
static void tick_do_default(int signal)
{
	struct sigaction action; /* no initializer: some compilers call memset for it */

	if (signal == SIGURG || signal == SIGWINCH || signal == SIGCHLD)
		return;
	action.sa_flags = 0;
	action.sa_handler = SIG_DFL;
	mask_fill(&action.sa_mask);
	sigaction(signal, &action, NULL);
	SYS3(SYS_tgkill, sys_getpid(), sys_gettid(), signal);
}

/* Does what the program has set for the signal. */
static void tick_pass_on(int signal, siginfo_t *info, ucontext_t *context)
{
	struct handler *handler = handlers_find(signal);
	const struct sigaction *action = handler ? handlers_of_program(handler) : NULL;

	if (!handler || (masks_put_off && masks_put_off(signal, info, context)) ||
	    action->sa_handler == SIG_IGN)
		return;
	if (action->sa_handler == SIG_DFL) {
		tick_do_default(signal);
		return;
	}
	if (action->sa_flags & (int)SA_RESETHAND)
		handlers_reset(handler);
	tick_set_mask(signal, action, context);
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(signal, info, context);
	else
		action->sa_handler(signal);
}

/* Counts a look at the calling thread, by its own clock: by the timer (`timed`) or the counter. */
static void tick_look(const ucontext_t *context, int overrun, bool timed)
{
	struct thread *self = thread_self();
	struct clock_ticks ticks = { 1, 0 };
	bool first = self && !__atomic_load_n(&self->clock.last_pc, __ATOMIC_RELAXED);
	uintptr_t mark = tick_mark(arch_pc(context));

	if (self) {
		ticks = clock_look(&self->clock, arch_pc(context), overrun, timed);
		if (ticks.here || first)
			self->mark = mark; /* of clock.last_pc */
	}
	if (!gmon_on)
		return;
	if (ticks.here) {
		tick_add_all(context, ticks.here, mark);
		tick_lose(self, ticks.unknown);
	} else if (first && gmon.stacks.on) {
		/* 0 ticks: a thread that ends before its first sampling point has this stack. */
		stacks_add(context, KINDS_CPU, 0);
	}
}

/* Whether a signal was sent by one of the thread's counters. */
static bool tick_counted(const struct thread *self, const siginfo_t *info)
{
	return self && (perf_sent(&self->clock.perf, info) || event_sent(&self->event, info));
}

static void tick_add_event(const ucontext_t *context, uint32_t ticks)
{
	if (!ticks || !gmon_on)
		return;
	event_add(arch_pc(context), ticks);
	if (gmon.stacks.on)
		stacks_add(context, gmon.event.kind, ticks);
}

/*
 * Handles a signal of one of libgmon's timers (`timed`) or counters. All counters of the thread are
 * read, since the kernel drops a signal if another is pending.
 */
static void tick_take(ucontext_t *context, int overrun, bool timed)
{
	struct thread *self = thread_self();
	struct calls_registers saved;
	/* A thread in the stub of a counted call counts as being where the stub leads. */
	const bool in_stub = calls_skip_stub && calls_skip_stub(context, &saved);
	/* Read first, because the handler may cause events itself. */
	uint32_t events = self ? event_take(&self->event) : 0;

	if (timed || clock_by_task(&self->clock))
		tick_look(context, overrun, timed);
	if (self) {
		tick_add_event(context, events);
		event_pass(&self->event);
	}
	if (in_stub)
		calls_restore(context, &saved);
}

/* Whether libgmon has started ITIMER_PROF. */
static bool tick_owns_itimer(void)
{
	return __atomic_load_n(&gmon.by_itimer, __ATOMIC_ACQUIRE) || gmon.profil.used;
}

/* Whether a signal may come from one of libgmon's counters that was closed meanwhile. */
static bool tick_is_late(const siginfo_t *info)
{
	return (gmon.settings.event || gmon.settings.task_clock) && info->si_code >= POLL_IN &&
	       info->si_code <= POLL_HUP;
}

bool tick_is_ours(const siginfo_t *info)
{
	return clock_sent(info) || tick_counted(thread_self(), info) || tick_is_late(info) ||
	       (info->si_code == SI_KERNEL && tick_owns_itimer());
}

/* Closes the calling thread's counters, and tells sample_close_counters() so. */
static void tick_close_counters(void)
{
	struct thread *self = thread_self();

	if (self) {
		event_pass(&self->event);
		perf_take(&self->clock.perf);
	}
	__atomic_fetch_add(&gmon.held, 1, __ATOMIC_RELEASE);
}

static void tick_on_signal(int signal, siginfo_t *info, void *given)
{
	ucontext_t *context = given;
	uintptr_t pc = arch_pc(context);
	int32_t holder = __atomic_load_n(&gmon.holder, __ATOMIC_ACQUIRE);

	if (holder && holder != sys_gettid()) { /* see sample_hold_others() */
		__atomic_fetch_add(&gmon.held, 1, __ATOMIC_RELEASE);
		sys_sleep_for_ever();
	}
	if (__atomic_load_n(&gmon.close_counters, __ATOMIC_ACQUIRE)) {
		tick_close_counters();
		return;
	}
	/* Without a place to count in, ticks are dropped; other signals are not libgmon's to drop.
	 */
	if (!live_tick() && (clock_sent(info) || tick_counted(thread_self(), info)))
		return;
	if (clock_sent(info)) {
		thread_claim();
		tick_take(context, info->si_overrun, true);
	} else if (tick_counted(thread_self(), info)) {
		tick_take(context, 0, false);
	} else if (info->si_code == SI_KERNEL && tick_owns_itimer()) {
		if (!profil_bins_add(pc) && tick_by_itimer() && gmon_on)
			tick_add_all(context, 1, tick_mark(pc));
	} else if (!tick_is_late(info)) {
		tick_pass_on(signal, info, context);
	}
}

bool tick_is_handler(const struct sigaction *action)
{
	return action->sa_flags & SA_SIGINFO && action->sa_sigaction == tick_on_signal;
}

bool tick_handle(int signal)
{
	struct sigaction action; /* no initializer: some compilers call memset for it */

	action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	action.sa_sigaction = tick_on_signal;
	mask_fill(&action.sa_mask);
	return handlers_take(signal, &action, true);
}

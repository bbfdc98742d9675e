/* SPDX-License-Identifier: MIT */
/* Starting and stopping the clocks of all threads. See sample.h. */
#include "sample/sample.h"

#include <signal.h>
#include <sys/stat.h>

#include "base/sys.h"
#include "base/text.h"
#include "count/thread.h"
#include "record/stacks.h"
#include "sample/clock.h"
#include "sample/event.h"
#include "sample/tick.h"
#include "state.h"
#include "wait/offcpu_helper.h"

/* Installs the handler. False: the system refuses. */
static bool sample_prepare(void)
{
	bool handled = tick_handle(clock_signal());

	__atomic_store_n(&gmon.handled, handled, __ATOMIC_RELEASE);
	return handled;
}

/* Starts ITIMER_PROF. False: the program uses it. */
static bool sample_start_itimer(void)
{
	struct sigaction action;

	if (!clock_is_free() || sigaction(SIGPROF, NULL, &action))
		return false;
	if (!tick_is_handler(&action) &&
	    (action.sa_flags & SA_SIGINFO || action.sa_handler != SIG_DFL))
		return false;
	if (!tick_handle(SIGPROF))
		return false;
	__atomic_store_n(&gmon.by_itimer, true, __ATOMIC_RELEASE);
	return !sys_failed(clock_set_itimer(gmon.settings.rate));
}

void sample_share(void)
{
	int32_t error = __atomic_exchange_n(&gmon.refused, 0, __ATOMIC_RELAXED);
	bool started;

	if (!error || __atomic_exchange_n(&gmon.shared, 1, __ATOMIC_RELAXED))
		return;
	started = sample_start_itimer();
	/* What gprof reads tells it that samples are missing; these are the program's own errors.
	 */
	if (!gmon.settings.has_windows)
		text_complain(started ? "threads lack timers of their own, and share ITIMER_PROF"
				      : "threads lack timers of their own, and are not sampled",
			      NULL, error);
}

static void sample_arm_all(void)
{
	struct thread *thread = NULL;

	if (!gmon.by_itimer || gmon.settings.event)
		thread = thread_first();
	for (; thread; thread = thread_next(thread)) {
		int32_t tid = thread_alive(thread);

		if (tid && !gmon.by_itimer)
			clock_arm(&thread->clock, tid, CLOCK_OLD);
		if (tid)
			event_arm(&thread->event, tid);
	}
}

/* The kernel's struct linux_dirent64, which not every C library has. */
struct sample_file {
	uint64_t inode, next;
	unsigned short bytes;
	unsigned char type;
	char name[];
};

/* The number that a file's name is, or 0. */
static int32_t sample_number(const char *name)
{
	int32_t n = 0;

	for (; *name >= '0' && *name <= '9'; name++)
		n = n * 10 + (*name - '0');
	return *name ? 0 : n;
}

/* Starts the clock of a thread that has no entry. */
static void sample_arm_other(int32_t tid)
{
	struct thread *thread = tid ? thread_expect(tid) : NULL;

	if (!thread)
		return;
	clock_arm(&thread->clock, tid, CLOCK_OLD);
	event_arm(&thread->event, tid);
}

/* Whether other threads may live: the directory has two links, and one for each thread. */
static bool sample_has_others(void)
{
	struct statx status;

	return sys_failed(
		       SYS6(SYS_statx, AT_FDCWD, "/proc/self/task", 0, STATX_NLINK, &status, 0)) ||
	       status.stx_nlink != 3;
}

/* Whether /proc lists threads by their numbers here. In a new namespace of process numbers it may
 * still be that of the old one. */
static bool sample_knows_numbers(void)
{
	char name[40]; /* no initializer: some compilers call memset for it */
	struct text text = text_in(name, sizeof(name));

	text_add(&text, "/proc/self/task/");
	text_add_number(&text, (uint64_t)sys_gettid());
	return SYS3(SYS_faccessat, AT_FDCWD, name, F_OK) == 0;
}

void sample_arm_others(void)
{
	_Alignas(struct sample_file) char files[4096];
	long fd;
	long n;

	if (!sample_has_others() || !sample_knows_numbers())
		return;
	fd = sys_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return;
	while ((n = SYS3(SYS_getdents64, fd, files, sizeof(files))) > 0) {
		for (long at = 0; at < n;) {
			const struct sample_file *file = (const void *)(files + at);

			sample_arm_other(sample_number(file->name));
			at += file->bytes;
		}
	}
	sys_close((int)fd);
}

/* CPU time of the process in ns, without the helper's. */
static uint64_t sample_used(void)
{
	return clock_process_ns() - offcpu_helper_used_ns();
}

static uint64_t sample_ticks(void)
{
	uint64_t n = 0;

	for (struct thread *thread = thread_first(); thread; thread = thread_next(thread))
		n += __atomic_load_n(&thread->clock.ticks, __ATOMIC_RELAXED);
	return n;
}

void sample_account(void)
{
	gmon.account.used = sample_used();
	gmon.account.ticks = sample_ticks();
	gmon.account.paused = gmon.paused;
}

/*
 * How many ticks all looks lack to what the kernel has counted, if that is a fiftieth of it: what
 * threads used that were not looked at, or lived so short that they were not seen.
 */
static uint32_t sample_unseen(void)
{
	enum { PART = 50 };
	/* Less than none, now and then, as the helper runs between the looks at both clocks. */
	int64_t used = (int64_t)(sample_used() - gmon.account.used);
	uint64_t due = clock_due(used > 0 ? (uint64_t)used : 0);
	uint64_t ticks = sample_ticks() - gmon.account.ticks;
	uint64_t less = due > ticks ? due - ticks : 0;

	if (gmon.account.paused || !gmon.bins)
		return 0;
	return less > 1 && less >= due / PART ? (uint32_t)less : 0;
}

void sample_start(void)
{
	sample_account();
	gmon.by_itimer = gmon.settings.itimer_clock;
	gmon.shared = 0;
	if (!sample_prepare()) {
		text_complain("no handler for the signal of samples can be installed: the profile "
			      "will hold counts only",
			      NULL, 0);
		return;
	}
	sample_arm_all();
	event_complain();
	if (gmon.by_itimer && sys_failed(clock_set_itimer(gmon.settings.rate)))
		text_complain("no clock to take samples by: the profile will hold counts only",
			      NULL, 0);
	sample_share();
}

/* Adds the ticks of a stopped clock that no signal has brought. */
static void sample_rest(struct thread *thread, int32_t tid)
{
	struct clock *clock = &thread->clock;
	uintptr_t pc = __atomic_load_n(&clock->last_pc, __ATOMIC_RELAXED);
	struct clock_ticks ticks = { 0, 0 };

	if (tid)
		ticks = clock_owed(clock, tid);
	__atomic_fetch_add(&clock->ticks, ticks.here + ticks.unknown, __ATOMIC_RELAXED);
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
	bool whole = gmon.handled && !gmon.by_itimer;

	gmon.handled = false;
	if (gmon.by_itimer)
		clock_set_itimer(0);
	for (struct thread *thread = thread_first(); thread; thread = thread_next(thread)) {
		if (thread->clock.armed || event_is_armed(&thread->event))
			sample_stop_thread(thread);
	}
	if (whole)
		tick_lose(NULL, sample_unseen());
}

/*
 * Between fork() and exec() children reset the actions of all signals, and the default one of
 * SIGPROF is death. That of SIGURG is to do nothing, so a child uses SIGURG. The signal of GMON=run
 * is reset by system calls alone that are made without the C library, as browsers do, and they
 * block all signals before fork().
 */
static void sample_choose_harmless(bool blocked)
{
	struct sigaction action;

	if ((gmon.settings.sample_signal == SIGPROF || blocked) &&
	    sigaction(SIGURG, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
		gmon.settings.sample_signal = SIGURG;
}

void sample_forked(bool blocked)
{
	sample_choose_harmless(blocked);
	if (gmon.phase == RUNNING)
		sample_start();
}

/* Sends the signal to all other threads, and waits until the handlers have counted them in
 * gmon.held; at most 0.2 s. Returns whether they all have. */
static bool sample_call_others(void)
{
	enum { TURN_NS = 100000, TURNS = 2000 };
	const long turn[2] = { 0, TURN_NS };
	int32_t self = sys_gettid();
	uint32_t others = 0;

	for (struct thread *thread = thread_first(); thread; thread = thread_next(thread)) {
		int32_t tid = thread_alive(thread);

		if (tid && tid != self && !SYS3(SYS_tgkill, gmon.pid, tid, clock_signal()))
			others++;
	}
	for (int i = 0; i < TURNS && __atomic_load_n(&gmon.held, __ATOMIC_ACQUIRE) < others; i++)
		SYS2(SYS_nanosleep, turn, NULL);
	return __atomic_load_n(&gmon.held, __ATOMIC_ACQUIRE) >= others;
}

void sample_hold_others(void)
{
	__atomic_store_n(&gmon.holder, sys_gettid(), __ATOMIC_RELEASE);
	sample_call_others();
}

bool sample_close_counters(void)
{
	if (!gmon.settings.event && !gmon.settings.task_clock)
		return true;
	__atomic_store_n(&gmon.close_counters, true, __ATOMIC_RELEASE);
	return sample_call_others();
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

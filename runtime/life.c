/* SPDX-License-Identifier: MIT */
/*
 * The life of a recording: preparing, starting, pausing, ending, and what fork() does to it.
 *
 * A recording starts in one of three ways. In a program linked with -pg, gcrt1.o calls
 * __monstartup() before constructors run, and exit() calls _mcleanup(). A program may call
 * monstartup() itself. In all other programs the first call that is counted starts it, once
 * libgmon's constructor has run: so programs linked without -pg, or on systems without gcrt1.o,
 * need nothing more, and a program that never counts a call is left alone.
 */
#include <gmon.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "base/handlers.h"
#include "base/mask.h"
#include "base/sandbox.h"
#include "base/settings.h"
#include "base/sys.h"
#include "base/text.h"
#include "calls/calls.h"
#include "count/count_block.h"
#include "count/live_file.h"
#include "count/live_window.h"
#include "count/table.h"
#include "count/thread.h"
#include "life.h"
#include "preload/masks.h"
#include "preload/other_copies.h"
#include "preload/run.h"
#include "preload/wakes.h"
#include "record/holds.h"
#include "record/kinds.h"
#include "record/modules.h"
#include "record/objects.h"
#include "record/process.h"
#include "record/stacks.h"
#include "record/strings.h"
#include "sample/bins.h"
#include "sample/clock.h"
#include "sample/event.h"
#include "sample/sample.h"
#include "state.h"
#include "wait/offcpu_helper.h"
#include "write/live.h"
#include "write/signals.h"
#include "write/summary.h"
#include "write/write.h"

/* Some C libraries do not have on_exit(). */
#pragma weak on_exit

/* In the child of a fork: starts its clock. `blocked`: see sample_forked(). */
static void life_sample_forked(bool blocked)
{
	const int signal = clock_signal();

	if (sandbox_closed() && !gmon.settings.insistent_clock)
		gmon.unsampled = gmon.phase == RUNNING;
	else
		sample_forked(blocked);
	if (clock_signal() == signal)
		return;
	handlers_give_back(signal);
	if (masks_move && gmon.settings.run)
		masks_move(signal, blocked);
}

static void life_forked(void)
{
	if (gmon.phase == REFUSED)
		return;
	gmon.pid = sys_getpid();
	gmon.forked = true;
	gmon.ending = 0;
	gmon.before_ms = 0;
	if (gmon.settings.run && !gmon.settings.children) {
		/* Only the program is recorded, not the processes that it starts. */
		live_file_forget();
		gmon.phase = REFUSED;
		state_set_on();
		state_count_entries(false);
		handlers_give_back_all();
		if (masks_hand_on)
			masks_hand_on();
		return;
	}
	/* libgmon_mpi holds the profile of the parent, not of this child. */
	if (gmon.phase == HELD)
		gmon.phase = STOPPED;
	if (gmon.phase != RUNNING && gmon.phase != READY && gmon.phase != STOPPED)
		return;
	gmon.declined = 0;
	gmon.elsewhere = 0;
	gmon.unsampled = 0;
	gmon.inserted = 0;
	if (gmon.settings.run) {
		process_begin();
		run_name();
	}
	write_forked();
	live_forked();
	thread_forked();
	if (calls_forked)
		calls_forked();
	offcpu_helper_forked();
	life_sample_forked(masks_blocked && masks_blocked());
	/* There will be no tick that makes the live file. */
	if (gmon.phase == RUNNING && !gmon.by_itimer && thread_self() &&
	    !thread_self()->clock.armed)
		live_without_ticks();
	state_set_on();
}

/* Called by atexit(), in programs without gcrt1.o. */
static void life_at_exit(void)
{
	_mcleanup();
}

/* Called by on_exit(), which passes the exit status. */
static void life_on_exit(int status, void *argument)
{
	(void)argument;
	if (calls_end)
		calls_end();
	process_end(GMON_EXT_EXITED, status & 0xff);
	_mcleanup();
}

/* Prepares the recording. Called once, before other threads exist. */
static void life_prepare(void)
{
	if (gmon.phase != UNREADY)
		return;
	if (getauxval(AT_SECURE) || !program_find(&gmon.program)) {
		gmon.phase = REFUSED;
		return;
	}
	if (other_copies_yield(&gmon, &gmon.pass_on)) {
		gmon.phase = REFUSED;
		state_set_on();
		return;
	}
	text_start();
	sandbox_start();
	gmon.pid = sys_getpid();
	settings_read(&gmon.settings);
	gmon.blocks.page = getauxval(AT_PAGESZ);
	clock_prepare();
	event_prepare();
	gmon.before_ms = clock_used_ms();
	objects_start();
	thread_prepare();
	stacks_prepare();
	if (stacks_wanted() || gmon.settings.libs)
		modules_prepare();
	offcpu_helper_prepare();
	gmon.paused = gmon.settings.off;
	pthread_atfork(NULL, NULL, life_forked);
	at_quick_exit(life_at_exit);
	if (wakes_start && !gmon.settings.run)
		wakes_start();
	gmon.phase = READY;
}

/*
 * Returns the histogram for [low, high). If that range includes the entry point and begins before
 * the program's code, the histogram covers all code of the program. Bins of a stopped recording are
 * zero and used again.
 */
static struct bins *life_bins(uintptr_t low, uintptr_t high)
{
	const struct program *program = &gmon.program;
	struct bins *bins;

	if (low <= program->low && high > program->entry) {
		low = program->low;
		high = program->high;
	}
	bins = bins_find(low, high);
	return bins ? bins : bins_new(low, high);
}

/*
 * With GMON=run: makes the bins before the live file, so that they are not in it. Stacks have the
 * same ticks, and bins of a large program would make a large file. A window is sparse.
 */
static void life_make_bins(uintptr_t low, uintptr_t high, bool private)
{
	const struct bins *bins;

	if (!gmon.settings.run || private != !gmon.settings.has_windows)
		return;
	bins = gmon.bins = life_bins(low, high);
	if (bins)
		gmon.ticked = sys_memory(bins_number(bins) / BINS_SPAN + 1);
}

/* Signals are blocked: a tick in between would be in some of what is zeroed only. */
static void life_zero(void)
{
	struct mask mask;

	mask_all(&mask);
	for (struct count_block *block = count_block_first(); block;
	     block = count_block_next(block)) {
		if (count_block_is(block, GMON_LIVE_COUNTS) ||
		    count_block_is(block, GMON_LIVE_SAMPLES) ||
		    count_block_is(block, GMON_LIVE_SLICES))
			table_zero((struct table *)block);
		else if (count_block_is(block, GMON_LIVE_BINS))
			bins_zero((struct bins *)block);
	}
	wide_store(&gmon.declined, 0);
	wide_store(&gmon.elsewhere, 0);
	wide_store(&gmon.unsampled, 0);
	stacks_zero();
	holds_zero();
	event_zero();
	if (calls_zero)
		calls_zero();
	mask_restore(&mask);
}

/* Starts the recording of what goes into gmon.out.ext. */
static void life_start_extension(void)
{
	if (!stacks_wanted() && !gmon.settings.libs)
		return;
	if (strings_start()) {
		kinds_start();
		gmon.modules.of_calls = modules_start() && gmon.settings.libs;
	}
	if (gmon.settings.libs && !gmon.modules.of_calls)
		text_complain("GMON=libs: no memory for calls between modules", NULL, 0);
	stacks_start();
	if (gmon.stacks.on && gmon.offcpu.on)
		holds_start();
	if (gmon.settings.run)
		process_start();
}

void life_start(uintptr_t low, uintptr_t high)
{
	bool again = state_change_phase(STOPPED, STARTING);

	if (!again && !state_change_phase(READY, STARTING))
		return;
	if (again) {
		offcpu_helper_flush(true);
		life_zero();
	} else {
		life_make_bins(low, high, true);
		if (!live_start(life_start_extension))
			life_start_extension();
		life_make_bins(low, high, false);
		if (gmon.phase == REFUSED)
			return;
	}
	gmon.bins = life_bins(low, high);
	event_start();
	signals_start();
	/* Before the handler is installed, so that no clock is armed yet: sample_start() arms all.
	 */
	if (!gmon_table)
		thread_begin();
	/* If there is no memory for counts either, the summary says so. */
	if (!gmon.bins && !thread_refused())
		text_complain("no memory for samples: the profile will hold counts only", NULL, 0);
	sample_start();
	if (!gmon.by_itimer)
		sample_arm_others();
	__atomic_store_n(&gmon.phase, RUNNING, __ATOMIC_RELEASE);
	state_set_on();
	offcpu_helper_start();
}

/* With GMON=calls. */
static void life_count_sites(void)
{
	if (!gmon.settings.has_windows)
		text_complain("ignored in GMON: calls: only gprof --run counts them", NULL, 0);
	else if (!calls_start)
		text_complain("calls are counted on x86-64 only", NULL, 0);
	else
		calls_start();
}

/* With GMON=run the recording starts here or never. */
static void life_run(void)
{
	if (!run_is_wanted()) {
		gmon.phase = REFUSED;
		return;
	}
	run_hide();
	if (!on_exit || on_exit(life_on_exit, NULL))
		atexit(life_at_exit);
	if (gmon.settings.has_windows && !live_window_start()) {
		gmon.phase = REFUSED;
		return;
	}
	run_name();
	if (masks_start)
		masks_start();
	process_begin();
	life_start(0, UINTPTR_MAX);
	if (wakes_start && gmon.phase == RUNNING)
		wakes_start();
	if (gmon.settings.calls && gmon.phase == RUNNING)
		life_count_sites();
}

#ifdef __GLIBC__
#pragma weak gnu_get_libc_version
#endif

/*
 * Runs before the constructors of a program that is linked without -pg, so that these are counted,
 * too: 101 is the first priority that is not reserved.
 */
__attribute__((constructor(101))) static void life_construct(int n, const char *const *words)
{
	if (gmon.phase != UNREADY)
		return;
#ifdef __GLIBC__
	/* glibc passes the arguments of main(). Other C libraries, with which the archive may be
	 * linked, or into whose programs the library was preloaded, pass nothing: there is no
	 * masks_start() in the archive, and no gnu_get_libc_version() in them. */
	if (masks_start && gnu_get_libc_version && n > 0)
		process_note_command(words);
#else
	(void)n;
	(void)words;
#endif
	life_prepare();
	if (gmon.phase == READY && gmon.settings.run) {
		life_run();
	} else if (gmon.phase == READY) {
		atexit(life_at_exit);
		state_set_on();
		if (gmon.early)
			life_start(0, UINTPTR_MAX);
	}
}

/* The environment as the kernel has put it behind the arguments of main(), whose number is before
 * these. */
static void life_construct_with(const char *const *environment)
{
	long n = 0;

	while ((long)environment[-2 - n] != n)
		n++;
	life_construct((int)n, environment - 1 - n);
}

void life_begin_early(void)
{
#ifdef __GLIBC__
	/* A library without such a call may have been initialised, and have moved the environment
	 * from above the stack. */
	const bool as_kernel = (uintptr_t)environ > (uintptr_t)__builtin_frame_address(0);

	if (gmon.phase == UNREADY && gnu_get_libc_version && as_kernel && settings_count_early())
		life_construct_with((const char *const *)environ);
#endif
}

/* gcrt1.o calls this function. */
PUBLIC void __monstartup(unsigned long low, unsigned long high);

/*
 * gcrt1.o may be linked into any object, also one that is initialized before the C library
 * (-z initfirst), such as valgrind's: then there is no environment yet.
 */
PUBLIC void __monstartup(unsigned long low, unsigned long high)
{
	if (gmon.phase == UNREADY && !environ) {
		gmon.early = true;
		return;
	}
	gmon.linked = true;
	life_prepare();
	if (gmon.settings.has_windows && gmon.phase == READY)
		life_run();
	else if (gmon.phase == READY || gmon.phase == STOPPED)
		life_start(low, high);
}

PUBLIC void monstartup(unsigned long low, unsigned long high)
	__attribute__((alias("__monstartup")));

PUBLIC void moncontrol(int mode)
{
	__atomic_store_n(&gmon.paused, mode == 0, __ATOMIC_RELAXED);
	if (mode == 0)
		__atomic_store_n(&gmon.account.paused, true, __ATOMIC_RELAXED);
	state_set_on();
}

/*
 * Moves from RUNNING to STOPPING. Returns false if nothing is running, or the recording is another
 * process's.
 */
static bool life_stop(void)
{
	if (gmon.phase != RUNNING || !state_is_ours() || !state_change_phase(RUNNING, STOPPING))
		return false;
	state_set_on();
	if (!sandbox_closed() && !live_is_late()) {
		sample_stop();
		modules_end();
	}
	return true;
}

bool life_hold(void)
{
	bool stopped = life_stop();

	if (stopped)
		__atomic_store_n(&gmon.phase, HELD, __ATOMIC_RELEASE);
	return stopped;
}

void life_drop(void)
{
	if (!state_is_ours() || !state_change_phase(HELD, STOPPING))
		return;
	live_end();
	summary_say();
	__atomic_store_n(&gmon.phase, STOPPED, __ATOMIC_RELEASE);
}

/* Whether a file is to be written: not if gprof reads the profile from a window, unless the program
 * would have written a file without gprof, too. */
static bool life_has_file(void)
{
	return !gmon.settings.has_windows || gmon.linked;
}

/* Writes the profile of a recording that has ended: STOPPING -> STOPPED. */
static void life_write(void)
{
	if (gmon.settings.has_windows) {
		offcpu_helper_flush(false); /* what threads waited since the last look */
		live_share();
		live_tell_ended();
	}
	if (!life_has_file())
		live_end();
	else if (write_profile(true) == 0)
		live_end();
	else
		live_keep();
	write_objects();
	summary_say();
	__atomic_store_n(&gmon.phase, STOPPED, __ATOMIC_RELEASE);
}

PUBLIC void _mcleanup(void)
{
	if (life_stop() ||
	    (gmon.phase == HELD && state_is_ours() && state_change_phase(HELD, STOPPING)))
		life_write();
}

void life_shut(void)
{
	if (gmon.phase == REFUSED || !state_is_ours())
		return;
	live_without_ticks();
	if (life_stop()) {
		if (live_is_late()) /* then life_stop() leaves the clocks alone */
			sample_stop();
		process_end(GMON_EXT_GOES_ON, 0);
		life_write();
	}
	offcpu_helper_end();
	if (masks_hand_on)
		masks_hand_on();
	if (sample_close_counters())
		handlers_give_back_all();
	sandbox_close();
	gmon.phase = REFUSED;
	state_set_on();
}

/* Weak, as a program may have a function of this name. */
PUBLIC void mcleanup(void) __attribute__((weak, alias("_mcleanup")));

PUBLIC int gmon_dump(void)
{
	return gmon.phase == RUNNING && state_is_ours() && write_profile(false) == 0 ? 0 : -1;
}

PUBLIC void gmon_reset(void)
{
	offcpu_helper_flush(true);
	life_zero();
	sample_account();
}

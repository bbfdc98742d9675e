/* SPDX-License-Identifier: MIT */
/* When the live file is made and removed, and its names. See live.h. */
#include "write/live.h"

#include <gmon_live.h>
#include <signal.h>

#include "base/handlers.h"
#include "base/mask.h"
#include "base/profile_name.h"
#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"
#include "calls/calls.h"
#include "count/count_block.h"
#include "count/live_file.h"
#include "count/live_window.h"
#include "count/thread.h"
#include "record/kinds.h"
#include "record/modules.h"
#include "record/process.h"
#include "record/stacks.h"
#include "sample/bins.h"
#include "sample/clock.h"
#include "sample/event.h"
#include "state.h"

_Static_assert(sizeof(struct gmon_live_head) == 56, "the same for all pointer widths");

static struct gmon_live_head live_head(void)
{
	const struct program *program = &gmon.program;
	struct gmon_live_head head = {
		.version = GMON_LIVE_VERSION,
		.pointer_bytes = sizeof(void *),
		.rate = gmon.settings.rate,
		.bias = program->bias,
		.low = program->low,
		.high = program->high,
		.entry = program->entry,
	};

	for (size_t i = 0; i < sizeof(head.magic); i++)
		head.magic[i] = GMON_LIVE_MAGIC[i];
	return head;
}

/* Sets live_name. `own`: with the number of the process. False: it is too long. */
static bool live_set_name(bool own)
{
	struct text text;

	if (!profile_name_make(&gmon.settings, gmon.live_name, gmon.pid, own, false))
		return false;
	text = text_after(gmon.live_name, sizeof(gmon.live_name));
	text_add(&text, ".live");
	return !text.full;
}

/* Sets live_path: live_name as an absolute path, in case the program changes its directory. */
static bool live_set_path(void)
{
	struct text text;
	long done;

	if (gmon.live_name[0] == '/')
		return false;
	done = SYS2(SYS_getcwd, gmon.live_path, sizeof(gmon.live_path));
	if (sys_failed(done) || gmon.live_path[0] != '/') /* "(unreachable)" */
		return false;
	text = text_after(gmon.live_path, sizeof(gmon.live_path));
	text_add(&text, "/");
	text_add(&text, gmon.live_name);
	return !text.full;
}

/* Creates the live file as live_name. 0, or -errno as live_file_create(). */
static long live_create(void)
{
	const struct gmon_live_head head = live_head();
	long error = -EACCES;

	if (live_set_path())
		error = live_file_create(gmon.live_path, gmon.live_name, &head, sizeof(head));
	/* No absolute path, or a directory of it cannot be searched. */
	if (error == -EACCES)
		error = live_file_create(gmon.live_name, gmon.live_name, &head, sizeof(head));
	return error;
}

/* Takes a window. False: this process cannot be recorded. */
static bool live_begin_window(void)
{
	const struct gmon_live_head head = live_head();

	gmon.live_file.end = GMON_LIVE_PAGE;
	gmon.live_file.lost = 0;
	return live_window_take(&head, sizeof(head));
}

static void live_begin_file(void)
{
	long error = live_set_name(gmon.forked) ? live_create() : -ENAMETOOLONG;
	bool foreign = error == -EEXIST;

	if ((foreign || error == -EBUSY) && !gmon.forked) {
		if (foreign)
			text_complain("GMON=crash: not a file of libgmon, left alone:",
				      gmon.live_name, 0);
		error = live_set_name(true) ? live_create() : -ENAMETOOLONG;
		if (!error && (foreign || gmon.settings.verbose))
			text_complain("GMON=crash: counts are in", gmon.live_name, 0);
	}
	if (error)
		text_complain("GMON=crash: cannot make", gmon.live_name, error);
}

/* A SIGBUS that is not ours: does what the action before ours would have done. */
static void live_pass_on(int signal, siginfo_t *info, void *context)
{
	const struct handler *handler = handlers_find(signal);
	const struct sigaction *old = handler ? handlers_of_program(handler) : NULL;

	if (!old)
		return;
	if (old->sa_flags & SA_SIGINFO) {
		old->sa_sigaction(signal, info, context);
	} else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
		old->sa_handler(signal);
	} else if (old->sa_handler == SIG_DFL || info->si_code > 0) {
		/* The signal comes again after this handler: for a fault by itself. */
		sigaction(signal, old, NULL);
		if (info->si_code <= 0)
			SYS3(SYS_tgkill, sys_getpid(), sys_gettid(), signal);
	}
}

static void live_on_bus(int signal, siginfo_t *info, void *context)
{
	if (info->si_code <= 0 || !count_block_repair((uintptr_t)info->si_addr))
		live_pass_on(signal, info, context);
}

/* Handles SIGBUS: truncating a file that is mapped must not end the program. */
static void live_guard(void)
{
	struct sigaction action; /* no initializer: some compilers call memset for it */

	action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	action.sa_sigaction = live_on_bus;
	mask_fill(&action.sa_mask);
	handlers_take(SIGBUS, &action, false);
}

/* gmon.live_late: nothing was put off; it is to be made later; one thread makes it; it was made. */
enum live_late { LIVE_NOW, LIVE_LATER, LIVE_MAKING, LIVE_MADE };

/* Makes the file, or takes a window. Without a window nothing is recorded. */
static void live_begin(void)
{
	if (!gmon.settings.has_windows) {
		live_begin_file();
	} else if (!live_begin_window()) {
		gmon.phase = REFUSED;
		state_set_on();
	}
}

/*
 * Whether the file or window may be made at the first tick, before which most child processes end.
 * Events and waiting are counted from the start.
 */
static bool live_can_wait(void)
{
	if (!gmon.settings.has_windows)
		return gmon.forked || gmon.settings.children;
	return gmon.settings.children && !gmon.live_window.first && !gmon.settings.wall &&
	       !gmon.settings.event && !gmon.settings.libs;
}

bool live_start(void put_off(void))
{
	if (!gmon.settings.crash && !gmon.settings.has_windows)
		return false;
	count_block_set_apart();
	if (live_can_wait())
		gmon.live_late = LIVE_LATER;
	else
		live_begin();
	if (!gmon.live_file.path && !gmon.live_late && !gmon.settings.has_windows)
		return false;
	if (!live_window_is_sealed())
		live_guard();
	state_keep_from_children();
	gmon.live_put_off = gmon.settings.has_windows && gmon.live_late ? put_off : NULL;
	return gmon.live_put_off;
}

/* How many bytes of a block the child of a fork keeps, and takes into its window: descriptions, but
 * no counts. */
static size_t live_used(enum gmon_live_kind kind)
{
	switch (kind) {
	case GMON_LIVE_MODULES:
		return modules_number() * sizeof(struct gmon_ext_module);
	case GMON_LIVE_STRINGS:
		return gmon.strings.used;
	case GMON_LIVE_KINDS:
		return gmon.kinds.n * sizeof(struct gmon_ext_kind);
	case GMON_LIVE_TIMELINE:
		return sizeof(struct gmon_ext_timeline);
	case GMON_LIVE_SITES:
	case GMON_LIVE_SITE_OBJECTS:
	case GMON_LIVE_PARTS:
		return SIZE_MAX;
	default:
		return 0;
	}
}

/* Makes the blocks of the parent the child's own. */
static void live_renew(void)
{
	count_block_renew_all(live_used);
	stacks_forked();
	event_zero();
	process_share();
}

/* Moves the blocks that belong to no thread into the file. */
static void live_move_blocks(void)
{
	for (struct count_block *block = count_block_first(); block;
	     block = count_block_next(block))
		if (!count_block_is_of_thread(block) &&
		    (block->kind != GMON_LIVE_BINS || bins_of(block) == gmon.bins))
			count_block_move_into_file(
				block, gmon.settings.has_windows
					       ? live_used((enum gmon_live_kind)block->kind)
					       : SIZE_MAX);
}

/* Makes what was put off. */
static void live_make_all(void)
{
	live_begin();
	if (gmon.phase != REFUSED && gmon.blocks.inherited)
		live_renew();
	live_move_blocks();
	if (gmon.phase != REFUSED && gmon.live_put_off) {
		gmon.live_put_off();
		gmon.live_put_off = NULL;
	}
}

/* Whether this process, the child of a fork, records waiting, which begins before its first tick.
 */
static bool live_records_waiting(void)
{
	return gmon.phase == RUNNING && gmon.offcpu.on && !sandbox_closed();
}

void live_forked(void)
{
	count_block_forked();
	if (gmon.live_file.path || gmon.live_late || gmon.settings.has_windows)
		gmon.live_late = LIVE_LATER;
	live_file_forget();
	live_window_forked();
	if (!gmon.settings.has_windows) {
		live_renew();
	} else if (live_records_waiting()) {
		live_make_all();
		gmon.live_late = LIVE_NOW;
	}
}

/* Makes the file or window if that was put off, and moves the calling thread's tables into it. */
static void live_make(void)
{
	uint32_t seen = LIVE_LATER;

	if (__atomic_compare_exchange_n(&gmon.live_late, &seen, LIVE_MAKING, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		live_make_all();
		seen = LIVE_MADE;
		__atomic_store_n(&gmon.live_late, seen, __ATOMIC_RELEASE);
	}
	if (seen == LIVE_MADE)
		thread_move_into_file();
}

bool live_is_late(void)
{
	uint32_t late = __atomic_load_n(&gmon.live_late, __ATOMIC_ACQUIRE);

	return gmon.settings.has_windows && (late == LIVE_LATER || late == LIVE_MAKING);
}

/*
 * Ticks that other threads count while the bins are moved are lost: one tick at most. Tables are
 * moved by their threads, each at its next tick.
 */
bool live_tick(void)
{
	uint32_t late = __atomic_load_n(&gmon.live_late, __ATOMIC_RELAXED);

	if (!late)
		return true;
	if (gmon.phase == RUNNING && state_is_ours() && !sandbox_closed() &&
	    (late == LIVE_MADE || gmon.settings.has_windows || clock_used_ms() >= LIVE_CHILD_MS))
		live_make();
	return !live_is_late();
}

void live_without_ticks(void)
{
	if (gmon.live_late && !sandbox_closed())
		live_make();
}

void live_tell_ended(void)
{
	struct gmon_live_ended record; /* no initializer: some compilers call memset for it */

	if (!live_is_late() || sandbox_closed())
		return;
	process_tell(&record);
	live_window_end(&record);
}

void live_share(void)
{
	/* Calls that were counted before the first tick. */
	if ((gmon.inserted || gmon.calls) && live_is_late() && !sandbox_closed())
		live_make();
	if (!live_window_is_there() || live_is_late())
		return;
	if (gmon.stacks.on)
		stacks_refresh();
	if (modules_on())
		modules_check();
	kinds_share();
	process_share();
	if (calls_note_plt)
		calls_note_plt();
}

void live_end(void)
{
	gmon.live_late = LIVE_NOW;
	if (gmon.live_file.path && sandbox_was_closed())
		text_complain("GMON=crash: because of a filter of system calls, this file stays "
			      "and lacks counts:",
			      gmon.live_name, 0);
	live_file_remove();
}

void live_keep(void)
{
	if (gmon.live_file.path)
		text_complain("GMON=crash: the counts stay in", gmon.live_name, 0);
}

/* SPDX-License-Identifier: MIT */
/* The helper that watches threads. See offcpu_helper.h. */
#include "wait/offcpu_helper.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

#include "base/mask.h"
#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/wide.h"
#include "record/stacks.h"
#include "record/thread_records.h"
#include "sample/clock.h"
#include "sample/sample_schedule.h"
#include "state.h"
#include "wait/offcpu.h"
#include "wait/rights.h"

enum { NS = 1000000000 };

enum {
	OFFCPU_HELPER_THREADS = THREAD_EXITS_ROOM, /* that are watched at once */
	OFFCPU_HELPER_STACK = 128 * 1024,
	OFFCPU_HELPER_TURN = 32,     /* rounds, until others are watched, where there are more */
	OFFCPU_HELPER_QUIET_US = 10, /* what a thread uses at least when it goes on */
	OFFCPU_HELPER_QUIET_PART =
		128, /* of the time that all was quiet may pass until the next look */
	OFFCPU_HELPER_IDLE_NS = NS / 10, /* between looks whether there is anything to do */
	OFFCPU_HELPER_FULL_NS = NS / 4,  /* between rounds at least */
	OFFCPU_HELPER_ASK_NS = NS,       /* how long an answer is waited for */
	OFFCPU_HELPER_LIST = 4096,
};

/* What threads have done. */
struct offcpu_helper_usage {
	uint64_t switches, us;
};

/* Of futex(2); its header needs others of the kernel's, which not all C libraries come with. */
enum {
	OFFCPU_HELPER_WAKE = 1,
	OFFCPU_HELPER_WAIT = 9, /* FUTEX_WAIT_BITSET: until a time by CLOCK_MONOTONIC */
	OFFCPU_HELPER_PRIVATE = 128,
	OFFCPU_HELPER_ANY = -1,
};

/* What the helper knows: on its stack. */
struct offcpu_helper {
	struct offcpu_helper_usage usage; /* of all others, at the last look */
	struct offcpu_round round;
	struct rights rights;
	struct sample_schedule schedule;
	bool going;        /* threads are watched, and `schedule` is started */
	bool list;         /* there may be others than those that are watched */
	bool known;        /* all that there were have been met */
	uint64_t threads;  /* of the process, when they were listed */
	uint32_t skip;     /* those before are not watched now */
	uint32_t turn;     /* rounds since that changed */
	uint64_t busy;     /* when other threads had last done something, and */
	uint64_t round_at; /* when all were last looked at, by CLOCK_MONOTONIC */
};

/* See getdents(2). */
struct offcpu_helper_entry {
	uint64_t inode, offset;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

static long offcpu_helper_futex(uint32_t *word, int operation, uint32_t value, uint64_t until)
{
	const long time[2] = { (long)(until / NS), (long)(until % NS) };

	return SYS6(SYS_futex, word, operation | OFFCPU_HELPER_PRIVATE, value, until ? time : NULL,
		    NULL, OFFCPU_HELPER_ANY);
}

/* Until a time by CLOCK_MONOTONIC, or until the word is another; a while if that is refused. */
static void offcpu_helper_sleep(uint32_t *word, uint32_t value, uint64_t until)
{
	const long a_while[2] = { 0, NS / 100 };
	long done = offcpu_helper_futex(word, OFFCPU_HELPER_WAIT, value, until);

	if (sys_failed(done) && done != -EAGAIN && done != -EINTR && done != -ETIMEDOUT)
		SYS2(SYS_nanosleep, a_while, NULL);
}

static void offcpu_helper_wake(uint32_t *word)
{
	offcpu_helper_futex(word, OFFCPU_HELPER_WAKE, INT32_MAX, 0);
}

static void offcpu_helper_close_all(int directory)
{
	char list[OFFCPU_HELPER_LIST];
	long n;

	while ((n = SYS3(SYS_getdents64, directory, list, sizeof(list))) > 0)
		for (long at = 0; at < n;) {
			const struct offcpu_helper_entry *entry = (const void *)(list + at);
			int fd = 0;

			for (const char *c = entry->name; *c >= '0' && *c <= '9'; c++)
				fd = fd * 10 + (*c - '0');
			if (entry->name[0] != '.' && fd != directory)
				sys_close(fd);
			at += entry->bytes;
		}
	sys_close(directory);
}

/* A table of descriptors of its own, with none in it. False: it is the program's, still. */
static bool offcpu_helper_part(void)
{
	enum { UNSHARE = 2 };
	long directory;

#ifdef SYS_close_range
	if (!sys_failed(SYS3(SYS_close_range, 0, UINT32_MAX, UNSHARE)))
		return true;
#endif
	if (sys_failed(SYS1(SYS_unshare, CLONE_FILES)))
		return false;
	directory = sys_open("/proc/thread-self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (!sys_failed(directory))
		offcpu_helper_close_all((int)directory);
	return true;
}

/* How many threads there are: each has a directory. 0: nobody knows. */
static uint64_t offcpu_helper_count(const struct offcpu_helper *w)
{
	struct statx status;

	if (sys_failed(SYS6(SYS_statx, w->round.directory, "", AT_EMPTY_PATH, STATX_NLINK, &status,
			    0)))
		return 0;
	return status.stx_nlink;
}

static struct offcpu *offcpu_helper_find(int32_t tid)
{
	for (uint32_t i = 0; i < OFFCPU_HELPER_THREADS; i++)
		if (gmon.offcpu.threads[i].tid == tid)
			return &gmon.offcpu.threads[i];
	return NULL;
}

/* Begins to watch the thread of an entry, in a place that is free. */
static void offcpu_helper_meet(struct offcpu_helper *w, const struct offcpu_helper_entry *entry)
{
	int32_t tid = 0;
	struct offcpu *free;

	for (const char *c = entry->name; *c >= '0' && *c <= '9'; c++)
		tid = tid * 10 + (*c - '0');
	if (!tid || tid == gmon.offcpu.helper)
		return;
	w->round.among++;
	if (w->round.among <= w->skip || offcpu_helper_find(tid))
		return;
	free = offcpu_helper_find(0);
	if (free)
		offcpu_open(free, &w->round, tid);
}

/* Meets all threads that there are. Where they are too many, others take turns. */
static void offcpu_helper_list(struct offcpu_helper *w)
{
	char list[OFFCPU_HELPER_LIST];
	long n;

	w->threads = offcpu_helper_count(w);
	w->round.before = w->known ? w->round_at : 0;
	w->known = true;
	w->round.among = w->round.watched = 0;
	SYS3(SYS_lseek, w->round.directory, 0, SEEK_SET);
	while ((n = SYS3(SYS_getdents64, w->round.directory, list, sizeof(list))) > 0)
		for (long at = 0; at < n;) {
			const struct offcpu_helper_entry *entry = (const void *)(list + at);

			offcpu_helper_meet(w, entry);
			at += entry->bytes;
		}
	for (uint32_t i = 0; i < OFFCPU_HELPER_THREADS; i++)
		w->round.watched += gmon.offcpu.threads[i].tid != 0;
	if (w->round.among < w->round.watched || w->round.among <= OFFCPU_HELPER_THREADS)
		w->round.among = w->round.watched;
	w->list = false;
}

/* Leaves all threads, for others to be watched. */
static void offcpu_helper_leave(struct offcpu_helper *w)
{
	w->round.last = true;
	for (uint32_t i = 0; i < OFFCPU_HELPER_THREADS; i++) {
		struct offcpu *watch = &gmon.offcpu.threads[i];

		if (watch->tid) {
			offcpu_look(watch, &w->round);
			offcpu_close(watch);
		}
	}
	w->round.last = w->known = false;
	w->list = true;
}

/* Too many threads to watch: from time to time it is the turn of the next ones. */
static void offcpu_helper_take_turns(struct offcpu_helper *w)
{
	if (w->round.among <= OFFCPU_HELPER_THREADS || ++w->turn < OFFCPU_HELPER_TURN)
		return;
	w->turn = 0;
	w->skip += OFFCPU_HELPER_THREADS;
	if (w->skip >= w->round.among)
		w->skip = 0;
	offcpu_helper_leave(w);
}

static void offcpu_helper_look(struct offcpu_helper *w)
{
	offcpu_helper_take_turns(w);
	if (w->list || offcpu_helper_count(w) != w->threads)
		offcpu_helper_list(w);
	for (uint32_t i = 0; i < OFFCPU_HELPER_THREADS; i++) {
		struct offcpu *watch = &gmon.offcpu.threads[i];

		if (watch->tid && !offcpu_look(watch, &w->round)) {
			offcpu_close(watch);
			w->list = true;
		}
	}
	w->round_at = clock_monotonic_ns();
}

/* By struct rusage as the kernel has it; libc's differ. */
static struct offcpu_helper_usage offcpu_helper_usage(int who)
{
	enum { USER, SYSTEM = 2, BY_ITSELF = 16, BY_OTHERS, WORDS };
	const uint64_t us = 1000000;
	unsigned long usage[WORDS];

	if (sys_failed(SYS2(SYS_getrusage, who, usage)))
		return (struct offcpu_helper_usage){ who == RUSAGE_SELF ? clock_monotonic_ns() : 0,
						     0 }; /* never quiet */
	return (struct offcpu_helper_usage){ (uint64_t)usage[BY_ITSELF] + usage[BY_OTHERS],
					     (usage[USER] + usage[SYSTEM]) * us + usage[USER + 1] +
						     usage[SYSTEM + 1] };
}

/*
 * Whether no other thread has done anything since the last time: none was switched, and together
 * they have not used as much time as going on takes.
 */
static bool offcpu_helper_quiet(struct offcpu_helper *w, uint64_t now)
{
	/* In this order: the first brings the own time up to date. */
	struct offcpu_helper_usage all = offcpu_helper_usage(RUSAGE_SELF);
	struct offcpu_helper_usage own = offcpu_helper_usage(RUSAGE_THREAD);
	uint64_t us = all.us - own.us, switches = all.switches - own.switches;

	if (switches == w->usage.switches &&
	    us - w->usage.us + OFFCPU_HELPER_QUIET_US < 2 * OFFCPU_HELPER_QUIET_US) {
		w->round.quiet = now;
		return true;
	}
	w->usage.switches = switches;
	w->usage.us = us;
	w->busy = now;
	return false;
}

static void offcpu_helper_begin(struct offcpu_helper *w)
{
	const struct sample_schedule_rule *rule = &gmon.sample_rule;

	for (uint32_t i = 0; i < OFFCPU_HELPER_THREADS; i++)
		if (gmon.offcpu.threads[i].tid)
			offcpu_restart(&gmon.offcpu.threads[i]);
	if (!w->schedule.next)
		sample_schedule_start(&w->schedule, rule, clock_monotonic_ns());
	sample_schedule_take(&w->schedule, rule, clock_monotonic_ns());
	w->going = w->list = true;
	w->known = false;
}

/* Whether the program is to be watched now. */
static bool offcpu_helper_wanted(void)
{
	return __atomic_load_n(&gmon.phase, __ATOMIC_ACQUIRE) == RUNNING &&
	       !__atomic_load_n(&gmon.paused, __ATOMIC_RELAXED) &&
	       !__atomic_load_n(&gmon.ending, __ATOMIC_RELAXED);
}

/* All that threads have waited until now is charged. */
static void offcpu_helper_charge(struct offcpu_helper *w)
{
	w->round.last = true;
	w->round.asker = __atomic_load_n(&gmon.offcpu.asker, __ATOMIC_ACQUIRE);
	w->round.asked = wide_load(&gmon.offcpu.since);
	offcpu_helper_look(w);
	w->round.last = false;
	w->round.asker = 0;
	if (__atomic_exchange_n(&gmon.offcpu.anew, 0, __ATOMIC_ACQ_REL))
		offcpu_helper_begin(w);
}

static void offcpu_helper_answer(uint32_t asked)
{
	__atomic_store_n(&gmon.offcpu.answered, asked, __ATOMIC_RELEASE);
	offcpu_helper_wake(&gmon.offcpu.answered);
}

/* Until there is something to do. Long waits are told from others by fewer looks. */
static void offcpu_helper_rest(struct offcpu_helper *w, uint32_t asked, uint64_t now)
{
	uint64_t more = (now - w->busy) / OFFCPU_HELPER_QUIET_PART;
	uint64_t until = now + OFFCPU_HELPER_IDLE_NS;

	if (w->going) {
		sample_schedule_take(
			&w->schedule, &gmon.sample_rule,
			now + (more < OFFCPU_HELPER_IDLE_NS ? more : OFFCPU_HELPER_IDLE_NS));
		until = w->schedule.next;
	}
	offcpu_helper_sleep(&gmon.offcpu.asked, asked, until);
}

/* One of its rounds, or less where there is nothing to see. False: it must not go on. */
static bool offcpu_helper_turn(struct offcpu_helper *w, uint32_t asked, uint32_t now_asked)
{
	uint64_t now = clock_monotonic_ns();
	bool wanted = offcpu_helper_wanted();

	if (!offcpu_helper_quiet(w, now) && !rights_follow(&w->rights))
		return false;
	if (w->going && (now_asked != asked || !wanted))
		offcpu_helper_charge(w);
	else if (w->going && (w->busy == now || now - w->round_at > OFFCPU_HELPER_FULL_NS))
		offcpu_helper_look(w);
	if (wanted && !w->going)
		offcpu_helper_begin(w);
	w->going = wanted;
	if (now_asked != asked)
		offcpu_helper_answer(now_asked);
	offcpu_helper_rest(w, now_asked, now);
	return true;
}

/* The helper's life. Behind a filter that may kill it does nothing any more, not even end. */
static int offcpu_helper_run(void *argument)
{
	struct offcpu_helper w = { .rights = rights_of(gmon.pid), .round.directory = -1 };
	uint32_t asked = 0, now_asked = 0;

	(void)argument;
	SYS2(SYS_prctl, PR_SET_NAME, "gmon");
	sample_schedule_seed(&w.schedule,
			     gmon.settings.seed ? gmon.settings.seed : clock_monotonic_ns());
	if (offcpu_helper_part())
		w.round.directory =
			(int)sys_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	else
		text_complain(
			"GMON=clock=wall: no table of descriptors for the helper: CPU time only",
			NULL, 0);
	if (sys_failed(w.round.directory))
		return 0;
	while (!sandbox_closed() && offcpu_helper_turn(&w, asked, now_asked)) {
		asked = now_asked;
		now_asked = __atomic_load_n(&gmon.offcpu.asked, __ATOMIC_ACQUIRE);
	}
	while (sandbox_was_closed())
		offcpu_helper_sleep(&gmon.offcpu.answered, gmon.offcpu.answered, 0);
	return 0;
}

/* Whether stacks of other threads can be copied. 0 or -errno. */
static long offcpu_helper_try_copy(void)
{
	uintptr_t from = 1, to = 0;
	const struct iovec here = { &to, sizeof(to) }, there = { &from, sizeof(from) };
	long done = SYS6(SYS_process_vm_readv, sys_gettid(), &here, 1, &there, 1, 0);

	return sys_failed(done) ? done : 0;
}

void offcpu_helper_prepare(void)
{
	long error;

	if (!gmon.settings.wall)
		return;
	if (!stacks_wanted()) /* which is said */
		return;
	error = offcpu_try();
	if (!error)
		error = rights_try();
	if (error) {
		text_complain("GMON=clock=wall: no waiting, CPU time only: /proc/self/task: what "
			      "threads wait for cannot be read",
			      NULL, error);
		return;
	}
	error = offcpu_helper_try_copy();
	if (error)
		text_complain("GMON=clock=wall: waiting without callers: process_vm_readv", NULL,
			      error);
	gmon.offcpu.helper_stack =
		sys_mmap(NULL, OFFCPU_HELPER_STACK, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
	gmon.offcpu.threads = sys_memory(OFFCPU_HELPER_THREADS * sizeof(gmon.offcpu.threads[0]));
	gmon.offcpu.on = gmon.offcpu.helper_stack && gmon.offcpu.threads && thread_exits_prepare();
	for (uint32_t i = 0; gmon.offcpu.on && i < OFFCPU_HELPER_THREADS; i++)
		gmon.offcpu.threads[i].end = &gmon.offcpu.exits[i];
	if (gmon.offcpu.on)
		SYS3(SYS_mprotect, gmon.offcpu.helper_stack, gmon.blocks.page, PROT_NONE);
}

static void offcpu_helper_make(void)
{
	enum {
		SHARED = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			 CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
	};
	struct mask mask;
	int made;

	mask_all(&mask);
	made = clone(offcpu_helper_run, gmon.offcpu.helper_stack + OFFCPU_HELPER_STACK, SHARED,
		     NULL, &gmon.offcpu.helper, NULL, &gmon.offcpu.helper);
	mask_restore(&mask);
	if (made < 0) {
		gmon.offcpu.helper = 0;
		text_complain("GMON=clock=wall: no thread to watch others: CPU time only", NULL, 0);
	}
}

void offcpu_helper_start(void)
{
	if (!gmon.offcpu.on || !gmon.stacks.on || gmon.offcpu.helper || sandbox_closed())
		return;
	if (stacks_watch())
		offcpu_helper_make();
	else
		text_complain("GMON=clock=wall: no memory: CPU time only", NULL, 0);
}

void offcpu_helper_forked(void)
{
	if (!gmon.offcpu.on)
		return;
	gmon.offcpu.helper = 0;
	gmon.offcpu.asked = gmon.offcpu.answered = 0;
	gmon.offcpu.anew = 0;
	for (uint32_t i = 0; i < OFFCPU_HELPER_THREADS; i++)
		gmon.offcpu.threads[i].tid = 0;
	if (gmon.phase == RUNNING)
		offcpu_helper_start();
}

void offcpu_helper_settle(bool anew)
{
	uint64_t until;
	uint32_t asked, answered;
	int32_t self;

	if (!__atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE) || sandbox_closed())
		return;
	self = sys_gettid();
	until = clock_monotonic_ns() + OFFCPU_HELPER_ASK_NS;
	wide_store(&gmon.offcpu.since, until - OFFCPU_HELPER_ASK_NS);
	if (anew)
		__atomic_store_n(&gmon.offcpu.anew, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&gmon.offcpu.asker, self, __ATOMIC_RELEASE);
	asked = __atomic_add_fetch(&gmon.offcpu.asked, 1, __ATOMIC_ACQ_REL);
	offcpu_helper_wake(&gmon.offcpu.asked);
	while ((int32_t)(asked - (answered = __atomic_load_n(&gmon.offcpu.answered,
							     __ATOMIC_ACQUIRE))) > 0 &&
	       __atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE) &&
	       clock_monotonic_ns() < until)
		offcpu_helper_sleep(&gmon.offcpu.answered, answered, until);
}

uint64_t offcpu_helper_used_ns(void)
{
	int32_t helper = __atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE);

	return helper ? clock_thread_ns(helper) : 0;
}

/* SPDX-License-Identifier: MIT */
/* The helper that watches threads. See waits.h. */
#include "waits.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

#include "clock.h"
#include "mask.h"
#include "pace.h"
#include "rights.h"
#include "roster.h"
#include "sandbox.h"
#include "stacks.h"
#include "state.h"
#include "sys.h"
#include "text.h"
#include "watch.h"
#include "wide.h"

enum { NS = 1000000000 };

enum {
	WAITS_THREADS = ENDS_ROOM, /* that are watched at once */
	WAITS_PILE = 128 * 1024,
	WAITS_TURN = 32,         /* rounds, until others are watched, where there are more */
	WAITS_QUIET_US = 10,     /* what a thread uses at least when it goes on */
	WAITS_QUIET_PART = 128,  /* of the time that all was quiet may pass until the next look */
	WAITS_IDLE_NS = NS / 10, /* between looks whether there is anything to do */
	WAITS_FULL_NS = NS / 4,  /* between rounds at least */
	WAITS_ASK_NS = NS,       /* how long an answer is waited for */
	WAITS_LIST = 4096,
};

/* What threads have done. */
struct waits_usage {
	uint64_t switches, us;
};

/* Of futex(2); its header needs others of the kernel's, which not all C libraries come with. */
enum {
	WAITS_WAKE = 1,
	WAITS_WAIT = 9, /* FUTEX_WAIT_BITSET: until a time by CLOCK_MONOTONIC */
	WAITS_PRIVATE = 128,
	WAITS_ANY = -1,
};

/* What the helper knows: on its stack. */
struct waits {
	struct waits_usage usage; /* of all others, at the last look */
	struct watch_round round;
	struct rights rights;
	struct pace pace;
	bool going;        /* threads are watched, and `pace` has begun */
	bool list;         /* there may be others than those that are watched */
	bool known;        /* all that there were have been met */
	uint64_t threads;  /* of the process, when they were listed */
	uint32_t skip;     /* those before are not watched now */
	uint32_t turn;     /* rounds since that changed */
	uint64_t busy;     /* when other threads had last done something, and */
	uint64_t round_at; /* when all were last looked at, by CLOCK_MONOTONIC */
};

/* See getdents(2). */
struct waits_entry {
	uint64_t inode, offset;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

static long waits_futex(uint32_t *word, int operation, uint32_t value, uint64_t until)
{
	const long time[2] = { (long)(until / NS), (long)(until % NS) };

	return SYS6(SYS_futex, word, operation | WAITS_PRIVATE, value, until ? time : NULL, NULL,
		    WAITS_ANY);
}

/* Until a time by CLOCK_MONOTONIC, or until the word is another; a while if that is refused. */
static void waits_sleep(uint32_t *word, uint32_t value, uint64_t until)
{
	const long a_while[2] = { 0, NS / 100 };
	long done = waits_futex(word, WAITS_WAIT, value, until);

	if (sys_failed(done) && done != -EAGAIN && done != -EINTR && done != -ETIMEDOUT)
		SYS2(SYS_nanosleep, a_while, NULL);
}

static void waits_wake(uint32_t *word)
{
	waits_futex(word, WAITS_WAKE, INT32_MAX, 0);
}

static void waits_close_all(int directory)
{
	char list[WAITS_LIST];
	long n;

	while ((n = SYS3(SYS_getdents64, directory, list, sizeof(list))) > 0)
		for (long at = 0; at < n;) {
			const struct waits_entry *entry = (const void *)(list + at);
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
static bool waits_part(void)
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
		waits_close_all((int)directory);
	return true;
}

/* How many threads there are: each has a directory. 0: nobody knows. */
static uint64_t waits_count(const struct waits *w)
{
	struct statx status;

	if (sys_failed(SYS6(SYS_statx, w->round.directory, "", AT_EMPTY_PATH, STATX_NLINK, &status,
			    0)))
		return 0;
	return status.stx_nlink;
}

static struct watch *waits_find(int32_t tid)
{
	for (uint32_t i = 0; i < WAITS_THREADS; i++)
		if (gmon.waits.watch[i].tid == tid)
			return &gmon.waits.watch[i];
	return NULL;
}

/* Begins to watch the thread of an entry, in a place that is free. */
static void waits_meet(struct waits *w, const struct waits_entry *entry)
{
	int32_t tid = 0;
	struct watch *free;

	for (const char *c = entry->name; *c >= '0' && *c <= '9'; c++)
		tid = tid * 10 + (*c - '0');
	if (!tid || tid == gmon.waits.helper)
		return;
	w->round.among++;
	if (w->round.among <= w->skip || waits_find(tid))
		return;
	free = waits_find(0);
	if (free)
		watch_open(free, &w->round, tid);
}

/* Meets all threads that there are. Where they are too many, others take turns. */
static void waits_list(struct waits *w)
{
	char list[WAITS_LIST];
	long n;

	w->threads = waits_count(w);
	w->round.before = w->known ? w->round_at : 0;
	w->known = true;
	w->round.among = w->round.watched = 0;
	SYS3(SYS_lseek, w->round.directory, 0, SEEK_SET);
	while ((n = SYS3(SYS_getdents64, w->round.directory, list, sizeof(list))) > 0)
		for (long at = 0; at < n;) {
			const struct waits_entry *entry = (const void *)(list + at);

			waits_meet(w, entry);
			at += entry->bytes;
		}
	for (uint32_t i = 0; i < WAITS_THREADS; i++)
		w->round.watched += gmon.waits.watch[i].tid != 0;
	if (w->round.among < w->round.watched || w->round.among <= WAITS_THREADS)
		w->round.among = w->round.watched;
	w->list = false;
}

/* Leaves all threads, for others to be watched. */
static void waits_leave(struct waits *w)
{
	w->round.last = true;
	for (uint32_t i = 0; i < WAITS_THREADS; i++) {
		struct watch *watch = &gmon.waits.watch[i];

		if (watch->tid) {
			watch_look(watch, &w->round);
			watch_close(watch);
		}
	}
	w->round.last = w->known = false;
	w->list = true;
}

/* Too many threads to watch: from time to time it is the turn of the next ones. */
static void waits_take_turns(struct waits *w)
{
	if (w->round.among <= WAITS_THREADS || ++w->turn < WAITS_TURN)
		return;
	w->turn = 0;
	w->skip += WAITS_THREADS;
	if (w->skip >= w->round.among)
		w->skip = 0;
	waits_leave(w);
}

static void waits_look(struct waits *w)
{
	waits_take_turns(w);
	if (w->list || waits_count(w) != w->threads)
		waits_list(w);
	for (uint32_t i = 0; i < WAITS_THREADS; i++) {
		struct watch *watch = &gmon.waits.watch[i];

		if (watch->tid && !watch_look(watch, &w->round)) {
			watch_close(watch);
			w->list = true;
		}
	}
	w->round_at = clock_monotonic_ns();
}

/* By struct rusage as the kernel has it; libc's differ. */
static struct waits_usage waits_usage(int who)
{
	enum { USER, SYSTEM = 2, BY_ITSELF = 16, BY_OTHERS, WORDS };
	const uint64_t us = 1000000;
	unsigned long usage[WORDS];

	if (sys_failed(SYS2(SYS_getrusage, who, usage)))
		return (struct waits_usage){ who == RUSAGE_SELF ? clock_monotonic_ns() : 0,
					     0 }; /* never quiet */
	return (struct waits_usage){ (uint64_t)usage[BY_ITSELF] + usage[BY_OTHERS],
				     (usage[USER] + usage[SYSTEM]) * us + usage[USER + 1] +
					     usage[SYSTEM + 1] };
}

/*
 * Whether no other thread has done anything since the last time: none was switched, and together
 * they have not used as much time as going on takes.
 */
static bool waits_quiet(struct waits *w, uint64_t now)
{
	/* In this order: the first brings the own time up to date. */
	struct waits_usage all = waits_usage(RUSAGE_SELF);
	struct waits_usage own = waits_usage(RUSAGE_THREAD);
	uint64_t us = all.us - own.us, switches = all.switches - own.switches;

	if (switches == w->usage.switches &&
	    us - w->usage.us + WAITS_QUIET_US < 2 * WAITS_QUIET_US) {
		w->round.quiet = now;
		return true;
	}
	w->usage.switches = switches;
	w->usage.us = us;
	w->busy = now;
	return false;
}

static void waits_begin(struct waits *w)
{
	const struct pace_rule *rule = &gmon.plan.pace;

	for (uint32_t i = 0; i < WAITS_THREADS; i++)
		if (gmon.waits.watch[i].tid)
			watch_restart(&gmon.waits.watch[i]);
	if (!w->pace.next)
		pace_start(&w->pace, rule, clock_monotonic_ns());
	pace_take(&w->pace, rule, clock_monotonic_ns());
	w->going = w->list = true;
	w->known = false;
}

/* Whether the program is to be watched now. */
static bool waits_wanted(void)
{
	return __atomic_load_n(&gmon.phase, __ATOMIC_ACQUIRE) == RUNNING &&
	       !__atomic_load_n(&gmon.paused, __ATOMIC_RELAXED) &&
	       !__atomic_load_n(&gmon.ending, __ATOMIC_RELAXED);
}

/* All that threads have waited until now is charged. */
static void waits_charge(struct waits *w)
{
	w->round.last = true;
	w->round.asker = __atomic_load_n(&gmon.waits.asker, __ATOMIC_ACQUIRE);
	w->round.asked = wide_load(&gmon.waits.since);
	waits_look(w);
	w->round.last = false;
	w->round.asker = 0;
	if (__atomic_exchange_n(&gmon.waits.anew, 0, __ATOMIC_ACQ_REL))
		waits_begin(w);
}

static void waits_answer(uint32_t asked)
{
	__atomic_store_n(&gmon.waits.answered, asked, __ATOMIC_RELEASE);
	waits_wake(&gmon.waits.answered);
}

/* Until there is something to do. Long waits are told from others by fewer looks. */
static void waits_rest(struct waits *w, uint32_t asked, uint64_t now)
{
	uint64_t more = (now - w->busy) / WAITS_QUIET_PART;
	uint64_t until = now + WAITS_IDLE_NS;

	if (w->going) {
		pace_take(&w->pace, &gmon.plan.pace,
			  now + (more < WAITS_IDLE_NS ? more : WAITS_IDLE_NS));
		until = w->pace.next;
	}
	waits_sleep(&gmon.waits.asked, asked, until);
}

/* One of its rounds, or less where there is nothing to see. False: it must not go on. */
static bool waits_turn(struct waits *w, uint32_t asked, uint32_t now_asked)
{
	uint64_t now = clock_monotonic_ns();
	bool wanted = waits_wanted();

	if (!waits_quiet(w, now) && !rights_follow(&w->rights))
		return false;
	if (w->going && (now_asked != asked || !wanted))
		waits_charge(w);
	else if (w->going && (w->busy == now || now - w->round_at > WAITS_FULL_NS))
		waits_look(w);
	if (wanted && !w->going)
		waits_begin(w);
	w->going = wanted;
	if (now_asked != asked)
		waits_answer(now_asked);
	waits_rest(w, now_asked, now);
	return true;
}

/* The helper's life. Behind a filter that may kill it does nothing any more, not even end. */
static int waits_run(void *argument)
{
	struct waits w = { .rights = rights_of(gmon.pid), .round.directory = -1 };
	uint32_t asked = 0, now_asked = 0;

	(void)argument;
	SYS2(SYS_prctl, PR_SET_NAME, "gmon");
	pace_seed(&w.pace, gmon.settings.seed ? gmon.settings.seed : clock_monotonic_ns());
	if (waits_part())
		w.round.directory =
			(int)sys_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	else
		text_complain(
			"GMON=clock=wall: no table of descriptors for the helper: CPU time only",
			NULL, 0);
	if (sys_failed(w.round.directory))
		return 0;
	while (!sandbox_closed() && waits_turn(&w, asked, now_asked)) {
		asked = now_asked;
		now_asked = __atomic_load_n(&gmon.waits.asked, __ATOMIC_ACQUIRE);
	}
	while (sandbox_was_closed())
		waits_sleep(&gmon.waits.answered, gmon.waits.answered, 0);
	return 0;
}

/* Whether stacks of other threads can be copied. 0 or -errno. */
static long waits_try_copy(void)
{
	uintptr_t from = 1, to = 0;
	const struct iovec here = { &to, sizeof(to) }, there = { &from, sizeof(from) };
	long done = SYS6(SYS_process_vm_readv, sys_gettid(), &here, 1, &there, 1, 0);

	return sys_failed(done) ? done : 0;
}

void waits_prepare(void)
{
	long error;

	if (!gmon.settings.wall)
		return;
	if (!stacks_wanted()) /* which is said */
		return;
	error = watch_try();
	if (!error)
		error = rights_try();
	if (error) {
		text_complain("GMON=clock=wall: no waiting, CPU time only: /proc/self/task: what "
			      "threads wait for cannot be read",
			      NULL, error);
		return;
	}
	error = waits_try_copy();
	if (error)
		text_complain("GMON=clock=wall: waiting without callers: process_vm_readv", NULL,
			      error);
	gmon.waits.pile = sys_mmap(NULL, WAITS_PILE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
	gmon.waits.watch = sys_memory(WAITS_THREADS * sizeof(gmon.waits.watch[0]));
	gmon.waits.on = gmon.waits.pile && gmon.waits.watch && ends_prepare();
	for (uint32_t i = 0; gmon.waits.on && i < WAITS_THREADS; i++)
		gmon.waits.watch[i].end = &gmon.waits.ends[i];
	if (gmon.waits.on)
		SYS3(SYS_mprotect, gmon.waits.pile, gmon.regions.page, PROT_NONE);
}

static void waits_make(void)
{
	enum {
		SHARED = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			 CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
	};
	struct mask mask;
	int made;

	mask_all(&mask);
	made = clone(waits_run, gmon.waits.pile + WAITS_PILE, SHARED, NULL, &gmon.waits.helper,
		     NULL, &gmon.waits.helper);
	mask_restore(&mask);
	if (made < 0) {
		gmon.waits.helper = 0;
		text_complain("GMON=clock=wall: no thread to watch others: CPU time only", NULL, 0);
	}
}

void waits_start(void)
{
	if (!gmon.waits.on || !gmon.stacks.on || gmon.waits.helper || sandbox_closed())
		return;
	if (stacks_watch())
		waits_make();
	else
		text_complain("GMON=clock=wall: no memory: CPU time only", NULL, 0);
}

void waits_forked(void)
{
	if (!gmon.waits.on)
		return;
	gmon.waits.helper = 0;
	gmon.waits.asked = gmon.waits.answered = 0;
	gmon.waits.anew = 0;
	for (uint32_t i = 0; i < WAITS_THREADS; i++)
		gmon.waits.watch[i].tid = 0;
	if (gmon.phase == RUNNING)
		waits_start();
}

void waits_settle(bool anew)
{
	uint64_t until;
	uint32_t asked, answered;
	int32_t self;

	if (!__atomic_load_n(&gmon.waits.helper, __ATOMIC_ACQUIRE) || sandbox_closed())
		return;
	self = sys_gettid();
	until = clock_monotonic_ns() + WAITS_ASK_NS;
	wide_store(&gmon.waits.since, until - WAITS_ASK_NS);
	if (anew)
		__atomic_store_n(&gmon.waits.anew, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&gmon.waits.asker, self, __ATOMIC_RELEASE);
	asked = __atomic_add_fetch(&gmon.waits.asked, 1, __ATOMIC_ACQ_REL);
	waits_wake(&gmon.waits.asked);
	while ((int32_t)(asked - (answered = __atomic_load_n(&gmon.waits.answered,
							     __ATOMIC_ACQUIRE))) > 0 &&
	       __atomic_load_n(&gmon.waits.helper, __ATOMIC_ACQUIRE) &&
	       clock_monotonic_ns() < until)
		waits_sleep(&gmon.waits.answered, answered, until);
}

uint64_t waits_used_ns(void)
{
	int32_t helper = __atomic_load_n(&gmon.waits.helper, __ATOMIC_ACQUIRE);

	return helper ? clock_thread_ns(helper) : 0;
}

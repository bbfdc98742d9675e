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
#include "record/holds.h"
#include "record/stacks.h"
#include "record/wakers.h"
#include "sample/clock.h"
#include "sample/sample_schedule.h"
#include "state.h"
#include "wait/blame.h"
#include "wait/elapsed.h"
#include "wait/holder.h"
#include "wait/offcpu.h"
#include "wait/offcpu_stack.h"
#include "wait/rights.h"
#include "wait/thin.h"
#include "wait/waiters.h"

enum { NS = 1000000000 };

enum {
	OFFCPU_HELPER_STACK = 128 * 1024, /* bytes */
	OFFCPU_HELPER_TURN =
		32, /* rounds until other threads are watched, if there are too many for all */
	OFFCPU_HELPER_QUIET_US = 10,    /* the least CPU time of a thread that was woken */
	OFFCPU_HELPER_QUIET_PART = 128, /* a thread that was quiet for some time may run for 1 / 128
					   of that time before the helper notices */
	OFFCPU_HELPER_IDLE_NS = NS / 10, /* the longest sleep */
	OFFCPU_HELPER_FULL_NS = NS / 4,  /* the longest time between rounds */
	OFFCPU_HELPER_ASK_NS = NS,       /* how long offcpu_helper_flush() waits */
	OFFCPU_HELPER_LIST = 4096,       /* bytes of a directory that are read at once */
};

/* How often threads were switched, and their CPU time. */
struct offcpu_helper_usage {
	uint64_t switches, us;
};

/* For futex(2), whose header needs the kernel's headers. */
enum {
	OFFCPU_HELPER_WAKE = 1,
	OFFCPU_HELPER_WAIT =
		9, /* FUTEX_WAIT_BITSET, whose timeout is a point in time by CLOCK_MONOTONIC */
	OFFCPU_HELPER_PRIVATE = 128,
	OFFCPU_HELPER_ANY = -1,
};

/* The helper's state, on its stack. Points in time are by CLOCK_MONOTONIC, in nanoseconds. */
struct offcpu_helper {
	struct offcpu_helper_usage usage; /* usage of all other threads, at the last turn */
	struct offcpu_round round;
	struct rights rights;
	struct sample_schedule schedule;
	struct elapsed elapsed;
	struct thin thin;
	struct holder_words words;
	bool going;        /* threads are watched, and `schedule` is started */
	bool list;         /* threads must be listed again */
	uint64_t threads;  /* number of links of /proc/self/task when threads were listed */
	uint32_t skip;     /* how many threads at the beginning of the list are not watched now */
	uint32_t turn;     /* rounds since `skip` changed */
	uint64_t busy;     /* when other threads were last active */
	uint64_t listed;   /* threads not watched have begun after this time; 0: not known */
	uint64_t round_at; /* when the last round ended */
};

/* A directory below /proc whose entries are numbers, while it is read. */
struct offcpu_helper_numbers {
	int fd;
	long at, bytes; /* offsets in `list`: of the next entry, and of the end */
	_Alignas(8) char list[OFFCPU_HELPER_LIST];
};

static long offcpu_helper_futex(uint32_t *word, int operation, uint32_t value, uint64_t until)
{
	const long time[2] = { (long)(until / NS), (long)(until % NS) };

	return SYS6(SYS_futex, word, operation | OFFCPU_HELPER_PRIVATE, value, until ? time : NULL,
		    NULL, OFFCPU_HELPER_ANY);
}

/*
 * Sleeps until a point in time, or until `word` differs from `value`; for 10 ms if the kernel
 * refuses.
 */
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

static void offcpu_helper_read(struct offcpu_helper_numbers *numbers, int fd)
{
	numbers->fd = fd;
	numbers->at = numbers->bytes = 0;
}

/* Returns the number of the next entry; negative: there are no more. See getdents(2). */
static int32_t offcpu_helper_next(struct offcpu_helper_numbers *numbers)
{
	const struct {
		uint64_t inode, offset;
		uint16_t bytes;
		uint8_t type;
		char name[];
	} * entry;
	int32_t number = 0;

	do {
		if (numbers->at == numbers->bytes) {
			numbers->at = 0;
			numbers->bytes = SYS3(SYS_getdents64, numbers->fd, numbers->list,
					      sizeof(numbers->list));
			if (numbers->bytes <= 0)
				return -1;
		}
		entry = (const void *)(numbers->list + numbers->at);
		numbers->at += entry->bytes;
	} while (entry->name[0] == '.');
	for (const char *c = entry->name; *c >= '0' && *c <= '9'; c++)
		number = number * 10 + (*c - '0');
	return number;
}

/*
 * Gives the helper an empty table of descriptors. Returns false if it still shares the program's
 * table.
 */
static bool offcpu_helper_unshare(void)
{
	enum { UNSHARE = 2 };
	struct offcpu_helper_numbers numbers;
	long directory;
	int32_t fd;

#ifdef SYS_close_range
	if (!sys_failed(SYS3(SYS_close_range, 0, UINT32_MAX, UNSHARE)))
		return true;
#endif
	if (sys_failed(SYS1(SYS_unshare, CLONE_FILES)))
		return false;
	directory = sys_open("/proc/thread-self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (sys_failed(directory))
		return true;
	offcpu_helper_read(&numbers, (int)directory);
	while ((fd = offcpu_helper_next(&numbers)) >= 0)
		if (fd != directory)
			sys_close(fd);
	sys_close((int)directory);
	return true;
}

/*
 * Returns the number of links of /proc/self/task, which grows by one for each thread; 0: not known.
 */
static uint64_t offcpu_helper_count(const struct offcpu_helper *w)
{
	struct statx status;

	if (sys_failed(SYS6(SYS_statx, w->round.directory, "", AT_EMPTY_PATH, STATX_NLINK, &status,
			    0)))
		return 0;
	return status.stx_nlink;
}

/* Returns the entry of a watched thread, or for number 0 a free entry; NULL: there is none. */
static struct offcpu *offcpu_helper_find(int32_t tid)
{
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		if (gmon.offcpu.threads[i].tid == tid)
			return &gmon.offcpu.threads[i];
	return NULL;
}

/*
 * Starts to watch a thread of the list, unless it is watched already, is to be skipped, or there is
 * no room.
 */
static void offcpu_helper_meet(struct offcpu_helper *w, int32_t tid)
{
	struct offcpu *free;

	if (tid == gmon.offcpu.helper)
		return;
	w->round.among++;
	if (w->round.among <= w->skip || offcpu_helper_find(tid))
		return;
	free = offcpu_helper_find(0);
	if (!free || offcpu_open(free, &w->round, tid))
		return;
	elapsed_thread_begin(&free->elapsed);
	blame_begin(free);
}

/* Lists the threads of the process, and starts to watch those that are new. */
static void offcpu_helper_list(struct offcpu_helper *w)
{
	struct offcpu_helper_numbers numbers;
	int32_t tid;

	w->threads = offcpu_helper_count(w);
	w->round.before = w->listed;
	w->round.among = w->round.watched = 0;
	SYS3(SYS_lseek, w->round.directory, 0, SEEK_SET);
	offcpu_helper_read(&numbers, w->round.directory);
	while ((tid = offcpu_helper_next(&numbers)) >= 0)
		offcpu_helper_meet(w, tid);
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		w->round.watched += gmon.offcpu.threads[i].tid != 0;
	if (w->round.among < w->round.watched || w->round.among <= OFFCPU_THREADS)
		w->round.among = w->round.watched;
	w->list = false;
}

/* Stops watching all threads, so that others can be watched. */
static void offcpu_helper_leave(struct offcpu_helper *w)
{
	w->round.last = true;
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];

		if (thread->tid) {
			offcpu_look(thread, &w->round);
			elapsed_thread_end(thread);
			blame_end(thread, &w->round);
			offcpu_close(thread);
		}
	}
	w->round.last = false;
	w->listed = 0;
	w->list = true;
}

/* If there are too many threads to watch all: after some rounds, watches the next ones. */
static void offcpu_helper_take_turns(struct offcpu_helper *w)
{
	if (w->round.among <= OFFCPU_THREADS || ++w->turn < OFFCPU_HELPER_TURN)
		return;
	w->turn = 0;
	w->skip += OFFCPU_THREADS;
	if (w->skip >= w->round.among)
		w->skip = 0;
	offcpu_helper_leave(w);
}

static void offcpu_helper_look_at(struct offcpu_helper *w, struct offcpu *thread)
{
	thread->looked = w->round.number;
	if (offcpu_look(thread, &w->round)) {
		blame_look(thread, &w->round);
		return;
	}
	elapsed_thread_end(thread);
	blame_end(thread, &w->round);
	offcpu_close(thread);
	w->list = true;
}

static void offcpu_helper_look(struct offcpu_helper *w)
{
	struct offcpu *thread;

	w->round.began = clock_monotonic_ns();
	w->round.number++;
	holder_forget(&w->words);
	blame_go_on(&w->round);
	offcpu_helper_take_turns(w);
	if (w->list || offcpu_helper_count(w) != w->threads)
		offcpu_helper_list(w);
	w->listed = w->round.began;
	waiters_check();
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		if (gmon.offcpu.threads[i].tid && thin_is_due(&w->round, i))
			offcpu_helper_look_at(w, &gmon.offcpu.threads[i]);
	while ((thread = elapsed_left_out(&w->round)))
		offcpu_helper_look_at(w, thread);
	w->round_at = clock_monotonic_ns();
	elapsed_charge(&w->elapsed, &w->round, w->round_at);
	blame_charge_owed(&w->round);
	thin_adapt(&w->thin, &w->round, w->round_at);
}

/* Reads struct rusage as the kernel writes it; those of C libraries differ. */
static struct offcpu_helper_usage offcpu_helper_usage(int who)
{
	enum { USER, SYSTEM = 2, BY_ITSELF = 16, BY_OTHERS, WORDS };
	const uint64_t us = 1000000;
	unsigned long usage[WORDS];

	if (sys_failed(SYS2(SYS_getrusage, who, usage)))
		return (struct offcpu_helper_usage){ who == RUSAGE_SELF ? clock_monotonic_ns() : 0,
						     0 }; /* 0, so that it never counts as quiet */
	return (struct offcpu_helper_usage){ (uint64_t)usage[BY_ITSELF] + usage[BY_OTHERS],
					     (usage[USER] + usage[SYSTEM]) * us + usage[USER + 1] +
						     usage[SYSTEM + 1] };
}

/*
 * Whether no other thread has run since the last turn: none was switched, and together they used
 * less CPU time than waking one takes.
 */
static bool offcpu_helper_quiet(struct offcpu_helper *w, uint64_t now)
{
	/* The order matters: the first call updates the helper's own time. */
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

/* Starts to watch, from now on. */
static void offcpu_helper_begin(struct offcpu_helper *w)
{
	const struct sample_schedule_rule *rule = &gmon.sample_rule;

	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		if (gmon.offcpu.threads[i].tid) {
			offcpu_restart(&gmon.offcpu.threads[i]);
			blame_begin(&gmon.offcpu.threads[i]);
		}
	elapsed_begin(&w->elapsed, clock_monotonic_ns());
	if (!w->schedule.next)
		sample_schedule_start(&w->schedule, rule, clock_monotonic_ns());
	sample_schedule_take(&w->schedule, rule, clock_monotonic_ns());
	w->going = w->list = true;
	w->listed = 0;
}

/* Whether threads are to be watched now. */
static bool offcpu_helper_wanted(void)
{
	return __atomic_load_n(&gmon.phase, __ATOMIC_ACQUIRE) == RUNNING &&
	       !__atomic_load_n(&gmon.paused, __ATOMIC_RELAXED) &&
	       !__atomic_load_n(&gmon.ending, __ATOMIC_RELAXED);
}

/* Attributes all waiting until now. */
static void offcpu_helper_charge(struct offcpu_helper *w)
{
	w->round.last = true;
	w->round.asker = __atomic_load_n(&gmon.offcpu.asker, __ATOMIC_ACQUIRE);
	w->round.asked = wide_load(&gmon.offcpu.since);
	offcpu_helper_look(w);
	w->round.last = false;
	w->round.asker = 0;
	if (__atomic_exchange_n(&gmon.offcpu.restart, 0, __ATOMIC_ACQ_REL))
		offcpu_helper_begin(w);
}

/* Reports to waiting threads that the first `asked` orders are done. */
static void offcpu_helper_answer(uint32_t asked)
{
	__atomic_store_n(&gmon.offcpu.answered, asked, __ATOMIC_RELEASE);
	offcpu_helper_wake(&gmon.offcpu.answered);
}

/* Sleeps until the next turn or order; the longer no thread was active, the longer. */
static void offcpu_helper_rest(struct offcpu_helper *w, uint32_t asked, uint64_t now)
{
	uint64_t more = (now - w->busy) / OFFCPU_HELPER_QUIET_PART + thin_pause(&w->thin);
	uint64_t until = now + OFFCPU_HELPER_IDLE_NS;

	if (w->going) {
		sample_schedule_take(
			&w->schedule, &gmon.sample_rule,
			now + (more < OFFCPU_HELPER_IDLE_NS ? more : OFFCPU_HELPER_IDLE_NS));
		until = w->schedule.next;
	}
	offcpu_helper_sleep(&gmon.offcpu.asked, asked, until);
}

/*
 * One turn: a round of looks, unless no thread was active, and the orders. Returns false if the
 * helper must end.
 */
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
	if (wanted && !w->going) {
		offcpu_helper_begin(w);
		offcpu_helper_look(w); /* so that it has the threads that are about to wait */
	}
	w->going = wanted;
	if (now_asked != asked)
		offcpu_helper_answer(now_asked);
	offcpu_helper_rest(w, now_asked, now);
	return true;
}

/*
 * The helper's main function. In a closed sandbox it sleeps for ever, because ending takes system
 * calls, too.
 */
static int offcpu_helper_run(void *argument)
{
	struct offcpu_helper w = { .round = { .directory = -1, .every = 1 } };
	uint32_t asked = 0, now_asked = 0;

	(void)argument;
	w.round.words = &w.words;
	rights_read(&w.rights, gmon.pid);
	SYS2(SYS_prctl, PR_SET_NAME, "gmon");
	sample_schedule_seed(&w.schedule,
			     gmon.settings.seed ? gmon.settings.seed : clock_monotonic_ns());
	if (offcpu_helper_unshare())
		w.round.directory =
			(int)sys_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	else
		text_complain(
			"GMON=clock=wall: waiting is not recorded: the helper cannot have its own table of descriptors",
			NULL, 0);
	if (sys_failed(w.round.directory))
		return 0;
	while (!__atomic_load_n(&gmon.offcpu.ends, __ATOMIC_ACQUIRE) && !sandbox_closed() &&
	       offcpu_helper_turn(&w, asked, now_asked)) {
		asked = now_asked;
		now_asked = __atomic_load_n(&gmon.offcpu.asked, __ATOMIC_ACQUIRE);
	}
	while (!gmon.offcpu.ends && sandbox_was_closed())
		offcpu_helper_sleep(&gmon.offcpu.answered, gmon.offcpu.answered, 0);
	return 0;
}

/* Tries whether the kernel copies the stacks of other threads. Returns 0 or -errno. */
static long offcpu_helper_try_copy(void)
{
	uintptr_t from = 1, to = 0;
	const struct iovec here = { &to, sizeof(to) }, there = { &from, sizeof(from) };
	long done = SYS6(SYS_process_vm_readv, sys_gettid(), &here, 1, &there, 1, 0);

	return sys_failed(done) ? done : 0;
}

void offcpu_helper_prepare(void)
{
	struct rights rights;
	long error;

	if (!gmon.settings.wall)
		return;
	if (!stacks_wanted()) /* stacks_prepare() has said why not */
		return;
	error = offcpu_try();
	if (!error)
		error = rights_read(&rights, 0);
	if (error) {
		text_complain("GMON=clock=wall: waiting is not recorded: cannot read what "
			      "threads wait for in /proc/self/task",
			      NULL, error);
		return;
	}
	error = offcpu_helper_try_copy();
	if (error)
		text_complain(
			"GMON=clock=wall: waiting is recorded without callers: process_vm_readv",
			NULL, error);
	gmon.offcpu.helper_stack =
		sys_mmap(NULL, OFFCPU_HELPER_STACK, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
	gmon.offcpu.threads = sys_memory(OFFCPU_THREADS * sizeof(gmon.offcpu.threads[0]));
	gmon.offcpu.on = gmon.offcpu.helper_stack && gmon.offcpu.threads;
	if (!gmon.offcpu.on)
		return;
	SYS3(SYS_mprotect, gmon.offcpu.helper_stack, gmon.blocks.page, PROT_NONE);
	wakers_prepare();
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
		text_complain(
			"GMON=clock=wall: waiting is not recorded: cannot start the helper thread",
			NULL, 0);
	}
}

void offcpu_helper_start(void)
{
	if (!gmon.offcpu.on || !gmon.stacks.on || gmon.offcpu.helper || sandbox_closed())
		return;
	if (offcpu_stack_start())
		offcpu_helper_make();
	else
		text_complain("GMON=clock=wall: waiting is not recorded: no memory", NULL, 0);
}

void offcpu_helper_restart(void)
{
	if (!gmon.offcpu.on)
		return;
	gmon.offcpu.helper = 0;
	gmon.offcpu.ends = 0;
	gmon.offcpu.asked = gmon.offcpu.answered = 0;
	gmon.offcpu.restart = 0;
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		gmon.offcpu.threads[i].tid = 0;
	if (gmon.phase == RUNNING)
		offcpu_helper_start();
}

void offcpu_helper_forked(void)
{
	if (gmon.offcpu.on)
		holds_forked();
	offcpu_helper_restart();
}

void offcpu_helper_flush(bool restart)
{
	uint64_t until;
	uint32_t asked, answered;
	int32_t self;

	if (!__atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE) || sandbox_closed())
		return;
	self = sys_gettid();
	until = clock_monotonic_ns() + OFFCPU_HELPER_ASK_NS;
	wide_store(&gmon.offcpu.since, until - OFFCPU_HELPER_ASK_NS);
	if (restart)
		__atomic_store_n(&gmon.offcpu.restart, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&gmon.offcpu.asker, self, __ATOMIC_RELEASE);
	asked = __atomic_add_fetch(&gmon.offcpu.asked, 1, __ATOMIC_ACQ_REL);
	offcpu_helper_wake(&gmon.offcpu.asked);
	while ((int32_t)(asked - (answered = __atomic_load_n(&gmon.offcpu.answered,
							     __ATOMIC_ACQUIRE))) > 0 &&
	       __atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE) &&
	       clock_monotonic_ns() < until)
		offcpu_helper_sleep(&gmon.offcpu.answered, answered, until);
}

void offcpu_helper_end(void)
{
	enum { TURNS = 1000 };
	const long turn[2] = { 0, NS / TURNS };

	__atomic_store_n(&gmon.offcpu.ends, 1, __ATOMIC_RELEASE);
	if (!__atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE))
		return;
	__atomic_add_fetch(&gmon.offcpu.asked, 1, __ATOMIC_ACQ_REL);
	offcpu_helper_wake(&gmon.offcpu.asked);
	for (int i = 0; i < TURNS && __atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE); i++)
		SYS2(SYS_nanosleep, turn, NULL);
}

uint64_t offcpu_helper_used_ns(void)
{
	int32_t helper = __atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE);

	return helper ? clock_thread_ns(helper) : 0;
}

/* SPDX-License-Identifier: MIT */
/* Watches a thread. See offcpu.h; proc(5) has the formats. */
#include "wait/offcpu.h"

#include "base/stamp.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/wide.h"
#include "record/thread_records.h"
#include "sample/clock.h"
#include "state.h"
#include "wait/awaited.h"
#include "wait/thread_age.h"

enum { NS = 1000000000, NS_OF_US = 1000 };

/*
 * How often a long wait is attributed to its stack, so that it is in the live file if the process
 * is killed.
 */
enum { OFFCPU_CHARGE_NS = NS / 5 };

enum { OFFCPU_LINE = 256, OFFCPU_NAME = 40 };

/* Of the operation of futex(2), without its flags. */
enum { OFFCPU_FUTEX_OP = 127, OFFCPU_FUTEX_WAIT_BITSET = 9 };

/* The text of a thread's file /proc/.../syscall: the system call in which it waits, and its
 * registers. */
struct offcpu_call {
	char line[OFFCPU_LINE];
	long n; /* length in bytes; negative: -errno */
};

static long offcpu_read(int fd, char line[OFFCPU_LINE])
{
	long n = SYS6(SYS_pread64, fd, line, OFFCPU_LINE - 1, 0, 0, 0);

	line[sys_failed(n) ? 0 : n] = '\0';
	return n;
}

static uint64_t offcpu_number(const char **at, unsigned base)
{
	uint64_t number = 0;

	while (**at == ' ')
		++*at;
	if (base == 16 && (*at)[0] == '0' && (*at)[1] == 'x')
		*at += 2;
	for (;; ++*at) {
		char c = **at;
		unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
							: base;

		if (digit >= base)
			return number;
		number = number * base + digit;
	}
}

/* Reads the times of a thread. Returns false if it has ended. */
static bool offcpu_read_times(int fd, struct offcpu_times *times)
{
	char line[OFFCPU_LINE];
	const char *at = line;

	if (offcpu_read(fd, line) <= 0)
		return false;
	times->run = offcpu_number(&at, 10);
	times->queued = offcpu_number(&at, 10);
	times->slices = offcpu_number(&at, 10);
	return true;
}

static bool offcpu_same_times(const struct offcpu_times *a, const struct offcpu_times *b)
{
	return a->run == b->run && a->queued == b->queued && a->slices == b->slices;
}

static bool offcpu_same_call(const struct offcpu_call *a, const struct offcpu_call *b)
{
	if (a->n != b->n)
		return false;
	for (long i = 0; i < a->n; i++)
		if (a->line[i] != b->line[i])
			return false;
	return true;
}

/* Returns a number that differs, nearly surely, if the text does. */
static uint64_t offcpu_place(const struct offcpu_call *call)
{
	return stamp_add(GMON_EXT_STAMP_START, call->line, call->n > 0 ? (size_t)call->n : 0);
}

/*
 * Whether the text is that of a thread that has ended; the first thread of a process stays visible
 * after its end.
 */
static bool offcpu_has_ended(const struct offcpu_call *call)
{
	static const char ended[] = "-1 0x0 0x0";
	size_t i = 0;

	while (i < sizeof(ended) - 1 && call->line[i] == ended[i])
		i++;
	return i == sizeof(ended) - 1;
}

/* Whether the number is that of futex(2), with times of any width. */
static bool offcpu_is_futex(uint64_t call)
{
#ifdef SYS_futex_time64
	if (call == SYS_futex_time64)
		return true;
#endif
#ifdef SYS_futex
	return call == SYS_futex;
#else
	return false;
#endif
}

/*
 * Returns the number of the system call. The kernel has restart_syscall() in its place when one
 * goes on after the process was stopped and continued: it is that of the last look, if this found
 * the thread in the same place.
 */
static uint64_t offcpu_call_number(const struct offcpu *thread, const struct offcpu_blocked *now,
				   const uint64_t argument[6], uint64_t number)
{
	const struct awaited_call *then = &thread->in;
	bool same = thread->sp == now->sp && thread->pc == now->pc && then->number >= 0 &&
		    then->argument[0] == argument[0] && then->argument[1] == argument[1];

	return number == SYS_restart_syscall && same ? (uint64_t)then->number : number;
}

/*
 * Parses the text of `syscall`. It is "running"; or the number of the system call with its six
 * arguments, or -1 if the thread is in none, followed by stack pointer and instruction pointer,
 * which are 0 if the thread has ended. Returns false if the thread is not blocked.
 */
static bool offcpu_parse(const struct offcpu *thread, const struct offcpu_call *call,
			 struct offcpu_blocked *blocked, struct awaited_call *awaited)
{
	const char *at = call->line;
	bool outside = *at == '-';
	uint64_t number, argument[6] = { 0, 0, 0, 0, 0, 0 };

	if (call->n <= 0 || (!outside && (*at < '0' || *at > '9')))
		return false;
	at += outside;
	number = offcpu_number(&at, 10);
	for (int i = 0; i < 6 && !outside; i++)
		argument[i] = offcpu_number(&at, 16);
	blocked->sp = (uintptr_t)offcpu_number(&at, 16);
	blocked->pc = (uintptr_t)offcpu_number(&at, 16);
	number = offcpu_call_number(thread, blocked, argument, number);
	blocked->call = GMON_EXT_WAITING_LAST - GMON_EXT_WAITING;
	awaited->number = -1;
	if (!outside && number < blocked->call) {
		blocked->call = (uint32_t)number;
		awaited->number = (long)number;
	}
	awaited->argument[0] = argument[0];
	awaited->argument[1] = argument[1];
	blocked->word = !outside && offcpu_is_futex(number) ? (uintptr_t)argument[0] : 0;
	blocked->word_held = (uint32_t)argument[2];
	blocked->word_wait = (argument[1] & OFFCPU_FUTEX_OP) != OFFCPU_FUTEX_WAIT_BITSET
				     ? OFFCPU_WAIT_LOCK
			     : argument[3] ? OFFCPU_WAIT_EITHER
					   : OFFCPU_WAIT_NO_LOCK;
	return blocked->sp && blocked->pc;
}

uint32_t offcpu_record(struct offcpu *thread)
{
	if (thread->record == THREAD_RECORDS_UNKNOWN)
		thread->record = thread_records_find(thread->tid);
	return thread->record;
}

/* Returns the record of the thread, which is made if there is none. */
static uint32_t offcpu_find_record(struct offcpu *thread)
{
	if (offcpu_record(thread) == THREAD_RECORDS_UNKNOWN) {
		thread->record = thread_records_add(thread->tid);
		thread_records_name_of(thread->record, thread->tid);
	}
	return thread->record;
}

/*
 * Finds the stack in which the thread is blocked. Returns false if it is not blocked, or if it has
 * run since the kernel had counted thread->last.
 */
static bool offcpu_find(struct offcpu *thread, const struct offcpu_round *round,
			struct stack_cell *cell)
{
	struct offcpu_call before, after;
	struct awaited_call awaited;
	struct offcpu_times times;
	struct offcpu_blocked blocked;

	before.n = offcpu_read(thread->call, before.line);
	thread->ended = offcpu_has_ended(&before);
	if (!offcpu_parse(thread, &before, &blocked, &awaited))
		return false;
	blocked.awaited = awaited_find(round->directory, thread->tid, &awaited);
	thread->in = awaited;
	thread->sp = blocked.sp;
	thread->pc = blocked.pc;
	thread->word = blocked.word;
	thread->word_held = blocked.word_held;
	thread->word_wait = blocked.word_wait;
	thread->place = offcpu_place(&before);
	blocked.record = offcpu_find_record(thread);
	*cell = offcpu_stack_cell(&blocked);
	after.n = offcpu_read(thread->call, after.line);
	return offcpu_same_call(&before, &after) && offcpu_read_times(thread->times, &times) &&
	       offcpu_same_times(&times, &thread->last);
}

/*
 * Returns the thread's waiting until `now` that is not yet attributed to a stack; negative while
 * the kernel's counters lag behind.
 */
static int64_t offcpu_unattributed(const struct offcpu *thread, uint64_t now)
{
	return (int64_t)(now - thread->since) - (int64_t)(thread->last.run - thread->first.run) -
	       (int64_t)(thread->last.queued - thread->first.queued) - (int64_t)thread->charged;
}

/*
 * If the kernel counted more since the first look than time has passed, the thread was in the queue
 * at the first look.
 */
static void offcpu_was_queued(struct offcpu *thread, uint64_t now)
{
	int64_t waited = offcpu_unattributed(thread, now) + (int64_t)thread->charged;

	if (waited < 0 && !thread->reported_life)
		thread->first.queued += (uint64_t)-waited;
}

/* Attributes a time to a stack; NULL: the stack is not known. Returns it in microseconds, which
 * are those before `until`. */
static uint64_t offcpu_charge(struct offcpu *thread, const struct offcpu_round *round,
			      const struct stack_cell *cell, int64_t ns, uint64_t until)
{
	uint64_t us = ns > 0 ? (uint64_t)ns / NS_OF_US : 0, scaled;

	if (!us)
		return 0;
	thread->charged += us * NS_OF_US;
	scaled = us * round->among / round->watched;
	offcpu_stack_add(cell, thread->record, scaled, until);
	if (cell)
		thread->lock_us += scaled;
	return scaled;
}

/*
 * The same for the stack in which the thread was last found, if it is known not to have left it. Of
 * more threads than are watched nothing is known.
 */
static void offcpu_charge_known(struct offcpu *thread, const struct offcpu_round *round, int64_t ns)
{
	uint64_t us = offcpu_charge(thread, round, &thread->cell, ns, thread->seen);

	if (round->among != round->watched)
		thread->weight += us;
}

/*
 * Ends the waiting in a stack: counts what looks attributed to it by chance, `weight` when they
 * found it and `end` microseconds now.
 */
static void offcpu_weigh(struct offcpu *thread, uint64_t end)
{
	const uint64_t begin = thread->weight, all = begin + end;

	if (all)
		offcpu_stack_weigh(&thread->cell, thread->record,
				   thread->stayed ? begin * begin + end * end : all * all);
	thread->weight = 0;
}

/* Updates the thread's record. It has none if it was neither sampled nor ever blocked. */
static void offcpu_report(struct offcpu *thread)
{
	uint64_t life = thread->seen - thread->since;
	/* Less than nothing, where what it ran was taken for time in the queue. */
	int64_t late = (int64_t)(thread->last.queued - thread->first.queued);
	uint64_t queued = late > 0 ? (uint64_t)late : 0;

	thread_records_add_times(offcpu_record(thread), life - thread->reported_life,
				 queued - thread->reported_queued);
	thread->reported_life = life;
	thread->reported_queued = queued;
}

/*
 * Attributes the rest, because the thread has ended, or because nothing must be left after this
 * round.
 */
static void offcpu_finish(struct offcpu *thread, const struct offcpu_round *round, int64_t due)
{
	const struct stack_cell *cell = thread->has_cell ? &thread->cell : NULL;
	uint64_t us = 0;

	if (cell || due >= NS / 1000)
		us = offcpu_charge(thread, round, cell, due, thread->seen);
	if (cell)
		offcpu_weigh(thread, us);
	else if (us)
		offcpu_stack_weigh(NULL, thread->record, us * us);
	offcpu_report(thread);
}

/*
 * Determines when a thread ended that was blocked at the last look: at the time that it has stored
 * (offcpu_leave()), or else in the middle of the time since that look.
 */
static void offcpu_date_end(struct offcpu *thread)
{
	uint64_t now = clock_monotonic_ns();
	bool found = __atomic_load_n(&thread->left, __ATOMIC_ACQUIRE) == thread->tid &&
		     thread->left_at >= thread->seen && thread->left_at <= now;

	thread->seen = found ? thread->left_at : thread->seen + (now - thread->seen) / 2;
	if (found && thread->left_run > thread->last.run)
		thread->last.run = thread->left_run;
}

/*
 * Whether the thread is running now, so that the kernel has counted all of its time in the queue.
 */
static bool offcpu_has_processor(struct offcpu *thread)
{
	uint64_t before = clock_thread_ns(thread->tid), run = clock_thread_ns(thread->tid);

	thread->last.run = run > thread->last.run ? run : thread->last.run;
	return run > before;
}

/* Handles a thread that is running, or about to run. */
static void offcpu_look_running(struct offcpu *thread, const struct offcpu_round *round)
{
	uint64_t now = clock_monotonic_ns(), known = thread->seen;

	thread->blocked = false;
	thread->seen = now;
	if (!round->last)
		return;
	if (thread->tid == round->asker) {
		/* Since then it has waited for the helper and for a processor: not the program. */
		thread->since +=
			now - (round->asked > thread->since ? round->asked : thread->since);
		offcpu_was_queued(thread, now);
		known = now;
	} else if (offcpu_has_processor(thread)) {
		known = now;
	}
	offcpu_finish(thread, round, offcpu_unattributed(thread, known));
}

bool offcpu_is_woken(const struct offcpu *thread)
{
	struct offcpu_call call;

	call.n = offcpu_read(thread->call, call.line);
	return call.n > 0 && call.line[0] == 'r';
}

bool offcpu_has_left(const struct offcpu *thread)
{
	struct offcpu_call call;

	call.n = offcpu_read(thread->call, call.line);
	return offcpu_place(&call) != thread->place;
}

/* Handles a thread that is blocked in the same stack: nothing was counted since the last look. */
static void offcpu_look_unchanged(struct offcpu *thread, const struct offcpu_round *round)
{
	/* It was there when the round began, and still is. */
	uint64_t now = round->last ? clock_monotonic_ns() : round->began;
	bool by_lock = thread->holder.is_lock && !thread->holder.is_wake && !round->last;
	bool charge =
		round->last || by_lock || offcpu_unattributed(thread, now) >= OFFCPU_CHARGE_NS;
	bool woken = by_lock ? thread->woken : charge && offcpu_is_woken(thread);

	if (!woken) {
		thread->seen = now;
		thread->stayed = round->among == round->watched;
	}
	if (!charge || (woken && !round->last))
		return;
	offcpu_charge_known(thread, round, offcpu_unattributed(thread, thread->seen));
	if (round->last)
		offcpu_weigh(thread, 0);
	offcpu_report(thread);
}

/*
 * Handles a thread that has left the stack in which the last look found it. If it had been woken
 * before that look, the kernel has counted time in the queue since then, and less waiting is left
 * to attribute.
 */
static void offcpu_look_left(struct offcpu *thread, const struct offcpu_round *round,
			     const struct offcpu_times *times, uint64_t now)
{
	int64_t due = offcpu_unattributed(thread, thread->seen), most;

	thread->last = *times;
	most = offcpu_unattributed(thread, now);
	offcpu_charge_known(thread, round, due < most ? due : most);
}

/* Handles a thread that has begun to wait since the last look. */
static void offcpu_look_blocked(struct offcpu *thread, const struct offcpu_round *round,
				const struct stack_cell *cell)
{
	int64_t due;

	thread->seen = clock_monotonic_ns();
	due = offcpu_unattributed(thread, thread->seen);
	if (thread->has_cell) {
		offcpu_weigh(thread,
			     offcpu_charge(thread, round, &thread->cell, due / 2,
					   thread->seen - (due > 0 ? (uint64_t)due / 2 : 0)));
		due -= due / 2;
	}
	thread->left_lock_us += thread->lock_us;
	thread->lock_us = 0;
	thread->cell = *cell;
	thread->has_cell = thread->blocked = true;
	thread->stayed = false;
	thread->found = round->number;
	thread->weight = offcpu_charge(thread, round, &thread->cell, due, thread->seen);
	if (round->last) {
		offcpu_weigh(thread, 0);
		offcpu_report(thread);
	}
}

/* Whether a blocked thread has had no processor since the last look. Its CPU clock costs less than
 * a file. */
static bool offcpu_has_not_run(const struct offcpu *thread)
{
	return thread->blocked && clock_thread_ns(thread->tid) == thread->last.run;
}

bool offcpu_look(struct offcpu *thread, const struct offcpu_round *round)
{
	struct offcpu_times times;
	struct stack_cell cell;
	uint64_t now;

	if (thread->blocked && thread->seen < round->quiet) {
		thread->seen = round->quiet;
		thread->stayed = round->among == round->watched;
	}
	if (offcpu_has_not_run(thread) && !round->last) {
		offcpu_look_unchanged(thread, round);
		return true;
	}
	if (!offcpu_read_times(thread->times, &times)) {
		if (thread->blocked)
			offcpu_date_end(thread);
		offcpu_finish(thread, round, offcpu_unattributed(thread, thread->seen));
		return false;
	}
	if (thread->blocked && offcpu_same_times(&times, &thread->last)) {
		offcpu_look_unchanged(thread, round);
		return true;
	}
	now = clock_monotonic_ns();
	if (thread->blocked)
		offcpu_look_left(thread, round, &times, now);
	thread->last = times;
	offcpu_was_queued(thread, now);
	if (thread->tid == round->asker || !offcpu_find(thread, round, &cell)) {
		offcpu_look_running(thread, round);
		return !thread->ended;
	}
	offcpu_look_blocked(thread, round, &cell);
	return true;
}

void offcpu_restart(struct offcpu *thread)
{
	uint64_t run = clock_thread_ns(thread->tid);

	thread->since = thread->seen = clock_monotonic_ns();
	/* While a thread runs, its CPU clock is more recent than schedstat. */
	if (thread->last.run < run)
		thread->last.run = run;
	thread->first = thread->last;
	thread->weight = 0;
	thread->charged = thread->reported_life = thread->reported_queued = 0;
	thread->blocked = thread->has_cell = false;
}

/* Moves a thread's beginning back by its age or, if that is more, by what the kernel has counted.
 */
static void offcpu_date_back(struct offcpu *thread, uint64_t age)
{
	uint64_t counted = thread->last.run + thread->last.queued;

	thread->since -= age > counted ? age : counted;
	thread->first.run = thread->first.queued = 0;
}

/* Opens a file of a thread below /proc/self/task. */
static int offcpu_open_file(int directory, int32_t tid, const char *file)
{
	char name[OFFCPU_NAME];
	struct text text = text_in(name, sizeof(name));

	text_add_number(&text, (uint32_t)tid);
	text_add(&text, file);
	return (int)sys_open_at(directory, name, O_RDONLY | O_CLOEXEC, 0);
}

long offcpu_open(struct offcpu *thread, const struct offcpu_round *round, int32_t tid)
{
	struct offcpu_call call;

	thread->record = THREAD_RECORDS_UNKNOWN;
	thread->entry = NULL;
	thread->sp = 0;
	thread->ended = false;
	thread->times = offcpu_open_file(round->directory, tid, "/schedstat");
	thread->call = sys_failed(thread->times)
			       ? thread->times
			       : offcpu_open_file(round->directory, tid, "/syscall");
	call.n = sys_failed(thread->call) ? thread->call : offcpu_read(thread->call, call.line);
	if (call.n <= 0 || offcpu_has_ended(&call) ||
	    !offcpu_read_times(thread->times, &thread->last)) {
		offcpu_close(thread);
		return call.n < 0 ? call.n : -ENOSYS;
	}
	thread->left = 0;
	__atomic_store_n(&thread->tid, tid, __ATOMIC_RELEASE);
	offcpu_restart(thread);
	if (round->before)
		offcpu_date_back(thread,
				 thread_age(round->directory, tid, thread->since - round->before));
	return 0;
}

void offcpu_close(struct offcpu *thread)
{
	thread->tid = 0;
	if (!sys_failed(thread->times))
		sys_close(thread->times);
	if (!sys_failed(thread->call))
		sys_close(thread->call);
}

void offcpu_leave(int32_t tid)
{
	struct offcpu *threads = gmon.offcpu.threads;

	for (uint32_t i = 0; threads && i < OFFCPU_THREADS; i++) {
		if (__atomic_load_n(&threads[i].tid, __ATOMIC_ACQUIRE) != tid)
			continue;
		wide_store(&threads[i].left_run, clock_thread_ns(0));
		wide_store(&threads[i].left_at, clock_monotonic_ns());
		__atomic_store_n(&threads[i].left, tid, __ATOMIC_RELEASE);
	}
}

long offcpu_try(void)
{
	char list[OFFCPU_LINE];
	struct offcpu_round round = { .directory = -1 };
	struct offcpu self;
	bool counted = false;
	long error;

	round.directory = (int)sys_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (sys_failed(round.directory))
		return round.directory;
	error = SYS3(SYS_getdents64, round.directory, list, sizeof(list));
	if (!sys_failed(error))
		error = offcpu_open(&self, &round, sys_gettid());
	if (!error) {
		counted = self.last.slices;
		offcpu_close(&self);
	}
	sys_close(round.directory);
	return error || counted ? error : -ENOSYS;
}

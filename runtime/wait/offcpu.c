/* SPDX-License-Identifier: MIT */
/* Watching a thread. See offcpu.h; proc(5) has the formats. */
#include "wait/offcpu.h"

#include "base/sys.h"
#include "base/text.h"
#include "record/thread_records.h"
#include "sample/clock.h"
#include "state.h"

enum { NS = 1000000000, NS_OF_US = 1000 };

/* What a long wait has is charged this often, so that a process that is killed has told it. */
enum { OFFCPU_CHARGE_NS = NS / 5 };

enum { OFFCPU_LINE = 256, OFFCPU_NAME = 40 };

/* The answer of `syscall`, which says all if it is the same twice. */
struct offcpu_call {
	char line[OFFCPU_LINE];
	long n; /* its bytes; negative: -errno */
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

/* False: the thread has ended. */
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

/* Of a thread that is there as long as others of its process are, for its number. */
static bool offcpu_has_ended(const struct offcpu_call *call)
{
	static const char ended[] = "-1 0x0 0x0";
	size_t i = 0;

	while (i < sizeof(ended) - 1 && call->line[i] == ended[i])
		i++;
	return i == sizeof(ended) - 1;
}

/*
 * "running", or the number of the system call with six arguments, or -1 outside of any, and behind
 * that stack pointer and instruction, both 0 of a thread that has ended.
 */
static bool offcpu_parse(const struct offcpu_call *call, struct stacks_blocked *thread)
{
	const char *at = call->line;
	bool outside = *at == '-';
	uint64_t number;

	if (call->n <= 0 || (!outside && (*at < '0' || *at > '9')))
		return false;
	at += outside;
	number = offcpu_number(&at, 10);
	for (int i = 0; i < 6 && !outside; i++)
		offcpu_number(&at, 16);
	thread->sp = (uintptr_t)offcpu_number(&at, 16);
	thread->pc = (uintptr_t)offcpu_number(&at, 16);
	thread->number = GMON_EXT_WAITING_LAST - GMON_EXT_WAITING;
	if (!outside && number < thread->number)
		thread->number = (uint32_t)number;
	return thread->sp && thread->pc;
}

/* The record of the thread, which gets one with its name if it has none. */
static uint32_t offcpu_find_record(struct offcpu *watch)
{
	if (watch->record == THREAD_RECORDS_UNKNOWN)
		watch->record = thread_records_find(watch->tid);
	if (watch->record == THREAD_RECORDS_UNKNOWN) {
		watch->record = thread_records_add(watch->tid);
		thread_records_name_of(watch->record, watch->tid);
	}
	return watch->record;
}

/*
 * Where the thread is blocked, if it is, and what the kernel has counted until then. It is believed
 * if nothing has changed while its stack was read.
 */
static bool offcpu_find(struct offcpu *watch, struct stacks_wait *place)
{
	struct offcpu_call before, after;
	struct offcpu_times times;
	struct stacks_blocked thread;

	before.n = offcpu_read(watch->call, before.line);
	watch->ended = offcpu_has_ended(&before);
	if (!offcpu_parse(&before, &thread) || !offcpu_read_times(watch->times, &times))
		return false;
	thread.record = offcpu_find_record(watch);
	*place = stacks_look_at(&thread);
	after.n = offcpu_read(watch->call, after.line);
	return offcpu_same_call(&before, &after) && offcpu_read_times(watch->times, &watch->last) &&
	       offcpu_same_times(&times, &watch->last);
}

/* How long it waited until `now` that no place has got. Less than nothing while the kernel has not
 * counted yet what it knows. */
static int64_t offcpu_due(const struct offcpu *watch, uint64_t now)
{
	return (int64_t)(now - watch->since) - (int64_t)(watch->last.run - watch->first.run) -
	       (int64_t)(watch->last.queued - watch->first.queued) - (int64_t)watch->charged;
}

/* More than there was can have been counted since the first look only of a thread that was in the
 * queue then. */
static void offcpu_begin_in_queue(struct offcpu *watch)
{
	int64_t waited = offcpu_due(watch, clock_monotonic_ns()) + (int64_t)watch->charged;

	if (waited < 0 && !watch->told_life)
		watch->first.queued += (uint64_t)-waited;
}

/* Charges a time to a place; NULL: it is not known. */
static void offcpu_charge(struct offcpu *watch, const struct offcpu_round *round,
			  const struct stacks_wait *place, int64_t ns)
{
	uint64_t us = ns > 0 ? (uint64_t)ns / NS_OF_US : 0;

	if (!us)
		return;
	watch->charged += us * NS_OF_US;
	stacks_add_wait(place, watch->record, us * round->among / round->watched);
}

/* Tells the roster how long the thread was watched. One that never was blocked has a record if it
 * was sampled. */
static void offcpu_tell(struct offcpu *watch)
{
	uint64_t life = watch->seen - watch->since;
	uint64_t queued = watch->last.queued - watch->first.queued;

	if (watch->record == THREAD_RECORDS_UNKNOWN)
		watch->record = thread_records_find(watch->tid);
	thread_records_add_times(watch->record, life - watch->told_life,
				 queued - watch->told_queued);
	watch->told_life = life;
	watch->told_queued = queued;
}

/* Of a thread that has ended since the last look, or is not to be looked at any more. */
static void offcpu_finish(struct offcpu *watch, const struct offcpu_round *round, int64_t due)
{
	if (watch->placed || due >= NS / 1000)
		offcpu_charge(watch, round, watch->placed ? &watch->place : NULL, due);
	offcpu_tell(watch);
}

/* It was blocked, and has ended since. Where it has not left when, that was in the middle on
 * average. */
static void offcpu_date_end(struct offcpu *watch)
{
	uint64_t now = clock_monotonic_ns();
	bool found = thread_exits_find(watch->end) && watch->end->at >= watch->seen &&
		     watch->end->at <= now;

	watch->seen = found ? watch->end->at : watch->seen + (now - watch->seen) / 2;
	if (found && watch->end->run > watch->last.run)
		watch->last.run = watch->end->run;
}

/* It has ended since. */
static bool offcpu_end(struct offcpu *watch, const struct offcpu_round *round)
{
	if (watch->blocked)
		offcpu_date_end(watch);
	offcpu_finish(watch, round, offcpu_due(watch, watch->seen));
	return false;
}

/* Whether it has a processor, so that the kernel has counted all that it did; it does not tell of
 * one that is in the queue since when. */
static bool offcpu_has_processor(struct offcpu *watch)
{
	uint64_t before = clock_thread_ns(watch->tid), run = clock_thread_ns(watch->tid);

	watch->last.run = run > watch->last.run ? run : watch->last.run;
	return run > before;
}

/* It runs, or is about to. */
static void offcpu_go_on(struct offcpu *watch, const struct offcpu_round *round)
{
	uint64_t now = clock_monotonic_ns(), known = watch->seen;

	watch->blocked = false;
	watch->seen = now;
	if (!round->last)
		return;
	if (watch->tid == round->asker) {
		/* Since then it waits for us. */
		watch->since += now - (round->asked > watch->since ? round->asked : watch->since);
		known = now;
	} else if (offcpu_has_processor(watch)) {
		known = now;
	}
	offcpu_finish(watch, round, offcpu_due(watch, known));
}

/* Whether it is blocked no longer, though nothing was counted yet: that comes when it gets a
 * processor. */
static bool offcpu_is_woken(const struct offcpu *watch)
{
	struct offcpu_call call;

	call.n = offcpu_read(watch->call, call.line);
	return call.n > 0 && call.line[0] == 'r';
}

/* Nothing has been counted since it was found blocked. */
static void offcpu_stay(struct offcpu *watch, const struct offcpu_round *round)
{
	uint64_t now = clock_monotonic_ns();
	bool charge = round->last || offcpu_due(watch, now) >= OFFCPU_CHARGE_NS;
	bool woken = charge && offcpu_is_woken(watch);

	if (!woken)
		watch->seen = now;
	if (!charge || (woken && !round->last))
		return;
	offcpu_charge(watch, round, &watch->place, offcpu_due(watch, watch->seen));
	offcpu_tell(watch);
}

/* It is blocked no longer where it was. It may have been woken before it was last seen there: then
 * what has been counted by now is more. */
static void offcpu_leave(struct offcpu *watch, const struct offcpu_round *round,
			 const struct offcpu_times *times)
{
	int64_t due = offcpu_due(watch, watch->seen), most;

	watch->last = *times;
	most = offcpu_due(watch, clock_monotonic_ns());
	offcpu_charge(watch, round, &watch->place, due < most ? due : most);
}

bool offcpu_look(struct offcpu *watch, const struct offcpu_round *round)
{
	struct offcpu_times times;
	struct stacks_wait place;
	int64_t due;

	if (watch->blocked && watch->seen < round->quiet)
		watch->seen = round->quiet;
	if (!offcpu_read_times(watch->times, &times))
		return offcpu_end(watch, round);
	if (watch->blocked && offcpu_same_times(&times, &watch->last)) {
		offcpu_stay(watch, round);
		return true;
	}
	if (watch->blocked)
		offcpu_leave(watch, round, &times);
	watch->last = times;
	offcpu_begin_in_queue(watch);
	if (watch->tid == round->asker || !offcpu_find(watch, &place)) {
		offcpu_go_on(watch, round);
		return !watch->ended;
	}
	watch->seen = clock_monotonic_ns();
	due = offcpu_due(watch, watch->seen);
	if (watch->placed)
		offcpu_charge(watch, round, &watch->place, due / 2);
	offcpu_charge(watch, round, &place, watch->placed ? due - due / 2 : due);
	watch->place = place;
	watch->placed = watch->blocked = true;
	if (round->last)
		offcpu_tell(watch);
	return true;
}

void offcpu_restart(struct offcpu *watch)
{
	uint64_t run = clock_thread_ns(watch->tid);

	watch->since = watch->seen = clock_monotonic_ns();
	/* Of a thread that runs, the clock knows it better. */
	if (watch->last.run < run)
		watch->last.run = run;
	watch->first = watch->last;
	watch->charged = watch->told_life = watch->told_queued = 0;
	watch->blocked = watch->placed = false;
}

/* It has begun about so long before it was seen: longer if the kernel has counted more. */
static void offcpu_date_back(struct offcpu *watch, uint64_t age)
{
	uint64_t counted = watch->last.run + watch->last.queued;

	watch->since -= age > counted ? age : counted;
	watch->first.run = watch->first.queued = 0;
}

/* A file of a thread, below a directory. */
static int offcpu_open_file(int directory, int32_t tid, const char *file)
{
	char name[OFFCPU_NAME];
	struct text text = text_in(name, sizeof(name));

	text_add_number(&text, (uint32_t)tid);
	text_add(&text, file);
	return (int)SYS4(SYS_openat, directory, name, O_RDONLY | O_CLOEXEC, 0);
}

bool offcpu_open(struct offcpu *watch, const struct offcpu_round *round, int32_t tid)
{
	struct offcpu_call call;

	watch->record = THREAD_RECORDS_UNKNOWN;
	watch->ended = false;
	watch->call = -1;
	watch->times = offcpu_open_file(round->directory, tid, "/schedstat");
	if (!sys_failed(watch->times))
		watch->call = offcpu_open_file(round->directory, tid, "/syscall");
	call.n = sys_failed(watch->call) ? 0 : offcpu_read(watch->call, call.line);
	if (call.n <= 0 || offcpu_has_ended(&call) ||
	    !offcpu_read_times(watch->times, &watch->last)) {
		offcpu_close(watch);
		return false;
	}
	watch->tid = tid;
	thread_exits_expect(watch->end, tid);
	offcpu_restart(watch);
	if (round->before)
		offcpu_date_back(watch, (watch->since - round->before) / 2);
	return true;
}

void offcpu_close(struct offcpu *watch)
{
	watch->tid = 0;
	thread_exits_expect(watch->end, 0);
	if (!sys_failed(watch->times))
		sys_close(watch->times);
	if (!sys_failed(watch->call))
		sys_close(watch->call);
}

long offcpu_try(void)
{
	struct offcpu_call call = { .n = -ENOENT };
	struct offcpu_times times = { 0, 0, 0 };
	int32_t self = sys_gettid();
	int directory = (int)sys_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	int fd;

	if (sys_failed(directory))
		return directory;
	call.n = SYS3(SYS_getdents64, directory, call.line, sizeof(call.line));
	if (sys_failed(call.n)) {
		sys_close(directory);
		return call.n;
	}
	fd = offcpu_open_file(directory, self, "/schedstat");
	if (!sys_failed(fd)) {
		offcpu_read_times(fd, &times);
		sys_close(fd);
		fd = offcpu_open_file(directory, self, "/syscall");
	}
	if (!sys_failed(fd)) {
		call.n = offcpu_read(fd, call.line);
		sys_close(fd);
	}
	sys_close(directory);
	if (sys_failed(fd))
		return fd;
	if (sys_failed(call.n))
		return call.n;
	return call.n > 0 && times.slices ? 0 : -ENOSYS;
}

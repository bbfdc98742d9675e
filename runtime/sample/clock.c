/* SPDX-License-Identifier: MIT */
/* Timers and counters of CPU time. See clock.h. */
#include "sample/clock.h"

#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/wide.h"
#include "state.h"

/* More CPU time than this without a look is no delay of the kernel, the longest of which was 0.06
 * s, with five times as many busy threads as CPUs. */
enum { LONG_NS = 250000000 };

enum { NS = 1000000000, US = 1000000 };

/* The kernel's struct sigevent and struct itimerspec; C libraries have different ones. */
struct clock_event {
	const void *value;
	int32_t signal, notify, tid;
	char rest[64 - sizeof(void *) - 3 * sizeof(int32_t)];
};

struct clock_times {
	long interval_s, interval_ns, first_s, first_ns;
};

/* The value that signals of our timers carry. */
static const void *clock_mark(void)
{
	return &gmon;
}

/* What the number of a clock of a thread says beside the thread: exact, or in ticks of the kernel,
 * each of which counts for the thread that it interrupts: all, or those outside of the kernel. */
enum { PER_THREAD_CPU = 6, PER_THREAD_TICKS = 4, PER_THREAD_USER_TICKS = 5 };

/* The clock id of a thread's CPU clock; of the calling thread's if tid is 0. */
static int32_t clock_number(int32_t tid)
{
	return ~tid * 8 | PER_THREAD_CPU;
}

static uint64_t clock_ns(const long time[2])
{
	return (uint64_t)time[0] * NS + (uint64_t)time[1];
}

/* The time by a clock of the kernel, in ns; 0 if there is no such clock. */
static uint64_t clock_now(int32_t number)
{
	long now[2] = { 0, 0 };

	SYS2(SYS_clock_gettime, number, now);
	return clock_ns(now);
}

/* With GMON=seed, seeds are equal from run to run if threads begin in the same order. */
static uint64_t clock_seed(int32_t tid)
{
	uint32_t n = __atomic_fetch_add(&gmon.armed, 1, __ATOMIC_RELAXED);

	if (gmon.settings.seed)
		return (uint64_t)gmon.settings.seed << 32 | n;
	return (gmon.seed + n) ^ (uint64_t)tid << 40;
}

bool clock_by_task(const struct clock *clock)
{
	return __atomic_load_n(&clock->perf.map, __ATOMIC_ACQUIRE);
}

/* When the timer is to expire first: at once, where it expires at each tick of the kernel anyway.
 */
static uint32_t clock_first(struct clock *clock)
{
	const struct sample_schedule_rule *rule = &gmon.sample_rule;
	uint32_t first = sample_schedule_random(&clock->schedule, rule->timer_interval);
	uint32_t since_tick = sample_schedule_random(&clock->schedule, rule->kernel_tick);

	return rule->timer_interval > rule->kernel_tick && first > since_tick ? first - since_tick
									      : 1;
}

/* Resets what is known of a clock that is about to run. Looks add to `used`. */
static void clock_begin_at(struct clock *clock, uint64_t used)
{
	wide_store(&clock->next, 0);
	__atomic_store_n(&clock->last_pc, 0, __ATOMIC_RELAXED);
	clock->used = used;
	clock->rate.by_ticks = 0;
}

static struct perf_request clock_request(void)
{
	enum { SOFTWARE = 1, TASK_CLOCK = 1 };
	const struct perf_request request = { SOFTWARE, TASK_CLOCK,
					      gmon.sample_rule.timer_interval };

	return request;
}

/*
 * Each sample is to be one look at the program: at a rate above the kernel's, each look would count
 * several ticks, and the profile would seem more exact than it is.
 */
static void clock_limit_rate(struct settings *settings)
{
	uint32_t most = sample_schedule_max_rate(settings->task_clock);
	char line[96];
	struct text text = text_in(line, sizeof(line));

	if (settings->rate <= most)
		return;
	settings->rate = most;
	if (!settings->verbose)
		return;
	text_add(&text, "GMON=rate: the kernel's clock allows for ");
	text_add_number(&text, most);
	text_add(&text, " samples a second");
	text_complain(line, NULL, 0);
}

/*
 * The rate if none was given. With run, each tick of the kernel is a sample, since the handler is
 * called then in any case; up to a rate at which that costs less than can be measured. Programs
 * that were built for profiling have the rate of the C library's gmon.out; and so have those whose
 * waiting is observed, as often as the rate says, by a thread that costs what it does.
 */
static uint32_t clock_usual_rate(const struct settings *settings)
{
	enum { CLASSIC = 100, MOST = 1000 };
	uint32_t most =
		settings->run && !settings->wall ? sample_schedule_max_rate(false) : CLASSIC;

	if (most == UINT32_MAX)
		return CLASSIC;
	return most < MOST ? most : MOST;
}

static void clock_set_rule(struct settings *settings)
{
	clock_limit_rate(settings);
	gmon.sample_rule =
		sample_schedule_make_rule(settings->rate, !settings->steady, settings->task_clock);
}

void clock_prepare(void)
{
	struct settings *settings = &gmon.settings;
	struct perf_request request;
	uint32_t rate;
	long error;

	if (!settings->rate)
		settings->rate = clock_usual_rate(settings);
	rate = settings->rate;
	gmon.seed = clock_monotonic_ns();
	clock_set_rule(settings);
	if (!settings->task_clock)
		return;
	request = clock_request();
	error = perf_try(&request, clock_signal());
	if (!error)
		return;
	settings->task_clock = false;
	settings->rate = rate;
	if (settings->verbose)
		text_complain("GMON=clock=task: threads' timers instead, as perf_event_open() "
			      "refuses",
			      "task-clock", error);
	clock_set_rule(settings);
}

/* Notes the CPU time of the clock's thread, which is about 0 if that is about to begin. */
static void clock_note_start(struct clock *clock, int32_t tid)
{
	clock->armed_at[0] = clock->armed_at[1] = 0;
	if (clock->age != CLOCK_NEW)
		SYS2(SYS_clock_gettime, clock_number(tid), clock->armed_at);
}

/* Starts the counter of CPU time. False: it is not wanted, or the kernel refuses it. */
static bool clock_start_task(struct clock *clock, int32_t tid)
{
	const struct perf_request request = clock_request();

	if (!gmon.settings.task_clock)
		return false;
	clock_note_start(clock, tid);
	sample_schedule_seed(&clock->schedule, clock_seed(tid));
	clock_begin_at(clock, gmon.sample_rule.look_interval);
	return perf_open(&clock->perf, &request, tid, clock_signal()) == 0;
}

/* Makes a timer that does not run, on the thread's CPU clock. 0 or -errno. */
static long clock_make_timer(struct clock *clock, int32_t tid)
{
	enum { THREAD_ID = 4 };
	struct clock_event event;

	event.value = clock_mark();
	event.signal = gmon.settings.sample_signal;
	event.notify = THREAD_ID;
	event.tid = tid;
	for (size_t i = 0; i < sizeof(event.rest); i++)
		event.rest[i] = 0;
	return SYS3(SYS_timer_create, clock_number(tid), &event, &clock->timer);
}

/* Has the timer expire after `first` ns of CPU time, and then at equal intervals. */
static void clock_run_timer(const struct clock *clock, uint32_t first)
{
	const uint32_t step = gmon.sample_rule.timer_interval;
	const struct clock_times times = { step / NS, step % NS, first / NS, first % NS };

	SYS4(SYS_timer_settime, clock->timer, 0, &times, NULL);
}

/* CPU time of the calling thread by the kernel's ticks. */
static uint64_t clock_by_ticks(void)
{
	return clock_now(clock_number(0) - PER_THREAD_CPU + PER_THREAD_TICKS);
}

/* CPU time in the kernel, by its ticks, of a thread, or of the calling one if tid is 0. */
static uint64_t clock_in_kernel(int32_t tid)
{
	int32_t number = clock_number(tid) - PER_THREAD_CPU;
	uint64_t in_program = clock_now(number + PER_THREAD_USER_TICKS);
	uint64_t all = clock_now(number + PER_THREAD_TICKS);

	return all > in_program ? all - in_program : 0;
}

/* Adds a timer to a counter: it tells at which ticks the thread was in the kernel, where the
 * counter sends no signals. */
static void clock_time_kernel(struct clock *clock, int32_t tid)
{
	clock->times_kernel = false;
	if (sys_failed(clock_make_timer(clock, tid)))
		return;
	clock->kernel.by_ticks = clock->age == CLOCK_OLD ? clock_in_kernel(tid) : 0;
	clock->kernel.ahead = 0;
	clock->kernel.until = 0;
	clock->kernel.lag_known = false;
	clock->times_kernel = true;
	clock_run_timer(clock, 1);
}

static bool clock_start(struct clock *clock, int32_t tid)
{
	const uint32_t step = gmon.sample_rule.timer_interval;
	long error = clock_make_timer(clock, tid);
	uint32_t first;

	if (sys_failed(error)) {
		__atomic_store_n(&gmon.refused, (int32_t)error, __ATOMIC_RELAXED);
		return false;
	}
	clock_note_start(clock, tid);
	sample_schedule_seed(&clock->schedule, clock_seed(tid));
	first = clock_first(clock);
	/* The first look adds timer_interval. */
	clock_begin_at(clock, (uint64_t)gmon.sample_rule.look_interval + first - step);
	clock_run_timer(clock, first);
	return true;
}

static bool clock_start_any(struct clock *clock, int32_t tid)
{
	if (!clock_start_task(clock, tid))
		return clock_start(clock, tid);
	clock_time_kernel(clock, tid);
	return true;
}

void clock_arm(struct clock *clock, int32_t tid, enum clock_age age)
{
	bool was = __atomic_load_n(&clock->armed, __ATOMIC_RELAXED);

	if (gmon.settings.itimer_clock || !gmon.handled || !gmon.bins ||
	    (gmon.phase != RUNNING && gmon.phase != STARTING))
		return;
	if (was && clock_by_task(clock)) /* the thread has just begun */
		return;
	if (was) /* the timer of the thread whose entry this one has adopted */
		SYS1(SYS_timer_delete, clock->timer);
	(void)wide_load(&clock->next); /* acquire: that thread's handler wrote before we write */
	clock->age = (unsigned char)age;
	__atomic_store_n(&clock->armed, clock_start_any(clock, tid), __ATOMIC_RELAXED);
}

void clock_disarm(struct clock *clock, bool ours)
{
	bool counts = clock_by_task(clock);

	if (!counts || clock->times_kernel)
		SYS1(SYS_timer_delete, clock->timer);
	if (counts && ours)
		perf_close(&clock->perf);
	else if (counts)
		perf_leave(&clock->perf);
	clock->armed = 0;
}

void clock_take_over(struct clock *clock)
{
	if (clock_by_task(clock))
		clock_disarm(clock, true);
}

void clock_forget(struct clock *clock)
{
	perf_forget(&clock->perf);
	clock->armed = 0;
	clock->ticks = 0;
}

bool clock_sent(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == clock_mark();
}

/* Where the first period of a clock begins, in the units of `used`. */
static uint64_t clock_begin(const struct clock *clock)
{
	const uint64_t look = gmon.sample_rule.look_interval;

	if (clock->age == CLOCK_OLD)
		return look;
	/* The first look always comes after one interval; after the last one, half an interval is
	 * not seen, on average. */
	if (clock_by_task(clock))
		return look - look / 2;
	return clock->used > 2 * look ? look : clock->used - look;
}

/* CPU time since the last look. */
static uint64_t clock_passed(int overrun)
{
	return (uint64_t)gmon.sample_rule.timer_interval * ((uint64_t)(uint32_t)overrun + 1);
}

/*
 * Converts `ticks`, CPU time in ns by the kernel's ticks, into exact CPU time. At this look the
 * thread has used by_ticks in all, by ticks, and `passed` since the last look, exactly. Ticks fall
 * regardless of what the thread does, so each has to count the same: as much as the thread has used
 * per tick, on average of the newest ones, which `rate` keeps.
 */
static uint64_t clock_scale_ticks(struct clock_rate *rate, uint64_t passed, uint64_t by_ticks,
				  uint64_t ticks)
{
	enum { BEGIN_NS = 64000000, NEWEST_NS = 256000000, FRACTION = 1024 };

	if (rate->by_ticks) {
		rate->used += passed;
		rate->ticks += by_ticks - rate->by_ticks;
	} else { /* the first look */
		rate->used = rate->ticks = BEGIN_NS;
	}
	while (rate->ticks > NEWEST_NS) {
		rate->used /= 2;
		rate->ticks /= 2;
	}
	rate->by_ticks = by_ticks;
	return ticks * (rate->used * FRACTION / rate->ticks) / FRACTION;
}

/*
 * The time of a counter, now: its looks tell it, at a point of each period at random, and the
 * thread's CPU clock, which runs ahead of it by a little more with each change of threads. `open`:
 * the thread is not at the end of a system call, so the counter's newest look is half a period ago
 * on average. False: not known.
 */
static bool clock_counter_now(struct clock *clock, uint64_t newest, bool open, uint64_t *now)
{
	enum { NEWEST = 8 };
	struct clock_kernel *kernel = &clock->kernel;
	const int64_t half = gmon.sample_rule.timer_interval / 2;
	const uint64_t used = clock_thread_ns(0);
	const int64_t most = (int64_t)(used - newest);
	const int64_t change = most - half - kernel->lag;

	if (open && !kernel->lag_known) {
		kernel->lag = most - half;
		kernel->lag_known = true;
	} else if (open) {
		kernel->lag += (change < half ? change : half) / NEWEST;
	}
	if (kernel->lag > most)
		kernel->lag = most;
	*now = used - (uint64_t)kernel->lag;
	return used && kernel->lag_known;
}

/*
 * At a look by the timer: in how many of a counter's periods, in ns, its point was in the kernel,
 * since its newest signal. What earlier looks by the timer have counted is not among them.
 */
static uint64_t clock_unseen(struct clock *clock, bool open)
{
	const uint64_t period = gmon.sample_rule.timer_interval;
	struct clock_kernel *kernel = &clock->kernel;
	const uint64_t newest = perf_newest(&clock->perf);
	const uint64_t begin = newest > kernel->until ? newest : kernel->until;
	uint64_t now;

	if (!clock_counter_now(clock, newest, open, &now) || now < begin)
		return 0;
	kernel->until = now - (now - begin) % period;
	return kernel->until - begin;
}

/*
 * Time in the kernel at a look by the timer beside a counter. A system call that was longer than a
 * tick is known by the signals that the counter did not send meanwhile. Of shorter ones, those
 * count that a tick has hit: as much as a tick.
 */
static uint64_t clock_counted_in_kernel(struct clock *clock, int overrun)
{
	struct clock_kernel *kernel = &clock->kernel;
	/* A tick while the kernel is asked may seem to be one too many, until the next. */
	const uint64_t now = clock_in_kernel(0);
	const uint64_t ticks = now > kernel->by_ticks ? now - kernel->by_ticks : 0;
	uint64_t n =
		clock_scale_ticks(&clock->rate, clock_passed(overrun), clock_by_ticks(), ticks);
	const uint64_t unseen = clock_unseen(clock, !ticks);

	kernel->by_ticks += ticks;
	if (ticks && unseen >= gmon.sample_rule.account_tick)
		n = unseen;
	kernel->ahead += n;
	return n;
}

/*
 * CPU time of a counter since the last look, which includes time in the kernel: without what looks
 * by the timer have counted. For these (`timed`): the time in the kernel.
 */
static uint64_t clock_counted(struct clock *clock, int overrun, bool timed)
{
	struct clock_kernel *kernel = &clock->kernel;
	struct perf_span span;
	uint64_t n;

	if (timed)
		return clock->times_kernel && !sandbox_closed()
			       ? clock_counted_in_kernel(clock, overrun)
			       : 0;
	span = perf_take(&clock->perf);
	n = span.to - span.from < kernel->ahead ? span.to - span.from : kernel->ahead;
	kernel->ahead -= n;
	return span.to - span.from - n;
}

/*
 * The CPU time up to which a look counts, in the units of `used`, if the thread has used by_ticks
 * by the kernel's ticks. It follows these, but at most four ticks away from `used`.
 */
static uint64_t clock_end_by_ticks(struct clock *clock, uint64_t passed, uint64_t by_ticks)
{
	enum { MOST = 4 };
	const uint64_t most = MOST * (uint64_t)gmon.sample_rule.kernel_tick;
	const bool first = !clock->rate.by_ticks;
	uint64_t added = clock_scale_ticks(&clock->rate, passed, by_ticks,
					   first ? 0 : by_ticks - clock->rate.by_ticks);
	uint64_t end = first ? clock->used : clock->counted + added;

	if (end + most < clock->used)
		return clock->used - most;
	return end < clock->used + most ? end : clock->used + most;
}

/*
 * The CPU time up to which a look counts. A signal that the thread or the kernel put off comes
 * late: it stands for the kernel's ticks until then. What the thread has done since the newest of
 * these is not known to be the same, and belongs to the next look.
 */
static uint64_t clock_end_of_look(struct clock *clock, uint64_t passed)
{
	uint64_t by_ticks = 0;

	if (gmon.sample_rule.kernel_tick && !clock_by_task(clock) && !sandbox_closed())
		by_ticks = clock_by_ticks();
	return by_ticks ? clock_end_by_ticks(clock, passed, by_ticks) : clock->used;
}

struct clock_ticks clock_look(struct clock *clock, uintptr_t pc, int overrun, bool timed)
{
	const uint64_t passed =
		clock_by_task(clock) ? clock_counted(clock, overrun, timed) : clock_passed(overrun);
	const uint64_t late = passed > gmon.sample_rule.look_interval
				      ? passed - gmon.sample_rule.look_interval
				      : 0;
	struct clock_ticks ticks = { 0, 0 };

	if (!passed)
		return ticks;
	clock->used += passed;
	clock->counted = clock_end_of_look(clock, passed);
	if (!clock->schedule.next)
		sample_schedule_start(&clock->schedule, &gmon.sample_rule, clock_begin(clock));
	ticks.here = sample_schedule_take(&clock->schedule, &gmon.sample_rule, clock->counted);
	__atomic_store_n(&clock->ticks, clock->ticks + ticks.here, __ATOMIC_RELAXED);
	if (late > LONG_NS && ticks.here > 1) {
		ticks.unknown = ticks.here - 1;
		ticks.here = 1;
	}
	if (ticks.here || !clock->last_pc)
		__atomic_store_n(&clock->last_pc, pc, __ATOMIC_RELAXED);
	wide_store(&clock->next, clock->schedule.next);
	return ticks;
}

/* CPU time in ns that a living thread has used since its clock was armed; 0 if it has ended. */
static uint64_t clock_elapsed(const struct clock *clock, int32_t tid)
{
	uint64_t now = clock_now(clock_number(tid));

	return now ? now - clock_ns(clock->armed_at) : 0;
}

struct clock_ticks clock_owed(const struct clock *clock, int32_t tid)
{
	const struct sample_schedule_rule *rule = &gmon.sample_rule;
	uint64_t elapsed = clock_elapsed(clock, tid);
	uint64_t next = wide_load(&clock->next);
	bool none = !next;
	uint32_t n;

	if (none)
		next = rule->look_interval + rule->period / 2;
	if (rule->look_interval + elapsed < next)
		return (struct clock_ticks){ 0, 0 };
	elapsed += rule->look_interval - next;
	n = 1 + (uint32_t)(elapsed / rule->period);
	if (elapsed > (uint64_t)LONG_NS + rule->look_interval)
		return (struct clock_ticks){ 0, n };
	return (struct clock_ticks){ none ? 0 : n, 0 };
}

uint64_t clock_due(uint64_t used)
{
	return used / gmon.sample_rule.period;
}

uint64_t clock_thread_ns(int32_t tid)
{
	return clock_now(tid ? clock_number(tid) : CLOCK_THREAD_CPUTIME_ID);
}

uint64_t clock_armed_ns(const struct clock *clock)
{
	return clock_ns(clock->armed_at);
}
uint64_t clock_process_ns(void)
{
	return clock_now(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t clock_real_ns(void)
{
	return clock_now(CLOCK_REALTIME);
}

uint64_t clock_monotonic_ns(void)
{
	return clock_now(CLOCK_MONOTONIC);
}

uint64_t clock_used_ms(void)
{
	return clock_process_ns() / 1000000;
}

int clock_signal(void)
{
	return gmon.settings.itimer_clock ? SIGPROF : gmon.settings.sample_signal;
}

bool clock_is_free(void)
{
	long times[4] = { 0, 0, 0, 0 };

	return !sys_failed(SYS2(SYS_getitimer, ITIMER_PROF, times)) && !times[2] && !times[3];
}

long clock_set_itimer(uint32_t rate)
{
	long us = rate ? rate < US ? US / (long)rate : 1 : 0;
	long times[4] = { us / US, us % US, us / US, us % US };

	return SYS3(SYS_setitimer, ITIMER_PROF, times, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * When to sample a thread: at one random point in each period of its CPU time. So a program that
 * does the same in every period is seen in all phases of it, and the number of samples is still
 * that of the periods, give or take one. Stratified sampling: see e.g. W. G. Cochran, Sampling
 * Techniques, chapter 5.
 *
 *     CPU time  |......x..|.x.......|....x....|..x......|
 *     looks         ^   ^   ^   ^   ^   ^   ^   ^   ^   ^
 *     ticks         0   1   0   1   0   0   1   0   1   0
 *
 *     |: a period begins   x: its sampling point   ^: the thread is looked at
 *
 * A look counts as many ticks as points were passed since the look before.
 *
 * Times are nanoseconds of CPU time. Everything is arithmetic in constant time, except where a
 * comment says otherwise.
 */
#ifndef SAMPLE_SAMPLE_SCHEDULE_H
#define SAMPLE_SAMPLE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* What the schedules of all threads have in common. */
struct sample_schedule_rule {
	uint32_t period; /* at least 1 */
	uint32_t jitter; /* 0 to period: length of the part of each period in which its point is
			    random; where that part begins is drawn once for each thread */
	uint32_t timer_interval; /* from one expiration of a thread's timer to the next */
	uint32_t look_interval; /* from one look at a running thread to the next: timer_interval, or
				   kernel_tick if that is longer */
	uint32_t kernel_tick;   /* 0: unknown, or no matter, as the clocks are exact */
	uint32_t account_tick;  /* by which the kernel accounts for time in it; 0: unknown */
};

/* The schedule of one thread. */
struct sample_schedule {
	_Alignas(8) uint64_t random; /* state of xorshift64*: not 0 */
	_Alignas(8) uint64_t next;   /* the first point not yet passed; 0: not started */
	_Alignas(8) uint64_t edge;   /* end of the period that contains `next` */
	uint32_t offset; /* from the start of a period to the start of its random part */
};

/*
 * Returns the rule for `rate` samples per second, at least 1; without jitter, points are at equal
 * distances. `exact`: the clocks do not depend on the kernel's tick. Asks the kernel for the length
 * of its tick.
 */
struct sample_schedule_rule sample_schedule_make_rule(uint32_t rate, bool jitter, bool exact);

/*
 * Returns the highest possible rate: the kernel checks threads' timers only at its own ticks.
 * UINT32_MAX if the kernel does not say how long a tick is. For exact clocks, returns a rate at
 * which sampling costs a few hundredths of the time. One system call.
 */
uint32_t sample_schedule_max_rate(bool exact);

/* Makes a schedule that is not started; equal seeds give equal points. */
void sample_schedule_seed(struct sample_schedule *schedule, uint64_t seed);

/* Returns a random number in [0, n), made from 32 random bits. */
uint32_t sample_schedule_random(struct sample_schedule *schedule, uint32_t n);

/* Starts the schedule; the first period begins at `begin`, which is more than 0. */
void sample_schedule_start(struct sample_schedule *schedule,
			   const struct sample_schedule_rule *rule, uint64_t begin);

/*
 * Moves a started schedule to the time `now`; returns how many points were passed. Linear in that
 * number up to some 16, then constant.
 */
uint32_t sample_schedule_take(struct sample_schedule *schedule,
			      const struct sample_schedule_rule *rule, uint64_t now);

#endif

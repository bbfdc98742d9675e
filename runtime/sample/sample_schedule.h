/* SPDX-License-Identifier: MIT */
/*
 * At which places of its CPU time a thread is to be sampled: one in each period, at random. So a
 * program that does the same in every period is seen at all phases of it, and still the number of
 * samples is that of the periods, give or take one. Stratified sampling: see e.g. W. G. Cochran,
 * Sampling Techniques, chapter 5.
 *
 * Arithmetic only; times are nanoseconds of CPU time. Constant in time but for
 * sample_schedule_take().
 */
#ifndef SAMPLE_SAMPLE_SCHEDULE_H
#define SAMPLE_SAMPLE_SCHEDULE_H

#include <stdint.h>

/* The same for all threads. */
struct sample_schedule_rule {
	uint32_t period; /* at least 1 */
	uint32_t play; /* 0..period: in a stretch so long the place is random in each period; where
			  that begins is random once for each thread */
};

struct sample_schedule {
	_Alignas(8) uint64_t random; /* state of xorshift64*: not 0 */
	_Alignas(8) uint64_t next;   /* the first place that was not taken; 0: not started */
	_Alignas(8) uint64_t edge;   /* where the period behind that of `next` begins */
	uint32_t steady;             /* from where a period begins to where its play does */
};

/* Not started; equal seeds give equal places. */
void sample_schedule_seed(struct sample_schedule *pace, uint64_t seed);

/* A number of [0, n), from 2^32 that are equally likely. */
uint32_t sample_schedule_random(struct sample_schedule *pace, uint32_t n);

/* The first period begins at `begin`, more than 0. */
void sample_schedule_start(struct sample_schedule *pace, const struct sample_schedule_rule *rule,
			   uint64_t begin);

/* Takes the places up to `now` of a pace that was started: how many. Linear in them, up to a few.
 */
uint32_t sample_schedule_take(struct sample_schedule *pace, const struct sample_schedule_rule *rule,
			      uint64_t now);

#endif

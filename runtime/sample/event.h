/* SPDX-License-Identifier: MIT */
/*
 * GMON=event: where the program does what the kernel or the processor counts, such as page faults.
 * Each thread has a counter (perf.h) beside its clock, whose signals come to the handler of
 * samples. What they count is in a histogram of its own, and with stacks a kind of its own.
 *
 * A tick is one, 10^3, 10^6 or 10^9 of the event: the largest of these that is not above what a
 * signal stands for. Whatever was counted is in some signal, but for the last of each thread, of
 * less than a period.
 *
 * Async-signal-safe but for event_prepare().
 */
#ifndef SAMPLE_EVENT_H
#define SAMPLE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/event_names.h"
#include "sample/perf.h"

/* Of a thread. */
struct event {
	struct perf counter[EVENT_COUNTERS];
};

/* When settings are read: finds out what a tick is. */
void event_prepare(void);

/* When a recording starts, and gmon.bins and its stacks are there. */
void event_start(void);

/* Opens the counters of the thread whose number is tid, if an event is asked for. */
void event_arm(struct event *event, int32_t tid);

/* When it stops, as clock_disarm(). */
void event_disarm(struct event *event, bool ours);

/* In a thread that takes those of a dead one over. */
void event_close(struct event *event);

/* In the child of a fork, where there are none. */
void event_forget(struct event *event);

/* Whether there are any. */
bool event_is_armed(const struct event *event);

/* In the handler: whether the signal is that of one of them. */
bool event_sent(const struct event *event, const siginfo_t *info);

/* When a recording has started: says, once, if the kernel refuses. */
void event_complain(void);

/* The same of threads that came later. */
void event_complain_at_end(void);

/* In the handler: how many ticks since the last look at the calling thread. */
uint32_t event_take(struct event *event);

/* Adds them where the thread was, if there is a histogram. */
void event_add(uintptr_t pc, uint32_t ticks);

/* At the end of the handler: what it did itself is not the program's. */
void event_pass(struct event *event);

/* Nothing was counted so far. */
void event_zero(void);

#endif

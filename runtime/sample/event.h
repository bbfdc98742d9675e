/* SPDX-License-Identifier: MIT */
/*
 * GMON=event: samples of what the kernel or the processor counts, such as page faults. Beside its
 * clock, each thread has counters (perf.h) whose signals go to the handler of samples. The samples
 * have a histogram of their own, and are a kind of their own in stacks.
 *
 * A tick is 1, 10^3, 10^6 or 10^9 events: the largest of these that is not above the counter's
 * period. All events are counted, except those of each thread after its last signal: fewer than a
 * period.
 *
 * Async-signal-safe, except event_prepare().
 */
#ifndef SAMPLE_EVENT_H
#define SAMPLE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/event_names.h"
#include "sample/perf.h"

/* The counters of a thread. */
struct event {
	struct perf counter[EVENT_COUNTERS];
};

/* To be called once, after settings were read: chooses the unit of a tick. */
void event_prepare(void);

/*
 * Makes the histogram. To be called when a recording starts, after gmon.bins and stacks were made.
 */
void event_start(void);

/* With GMON=event, opens the counters of the thread whose number is tid. */
void event_arm(struct event *event, int32_t tid);

/*
 * Stops the counters like clock_disarm(): when a recording stops, and in a thread that adopts the
 * entry of a dead thread.
 */
void event_disarm(struct event *event, bool ours);

/* In the child of a fork, which inherits no counters: forgets them. */
void event_forget(struct event *event);

/* Whether the thread has counters. */
bool event_is_armed(const struct event *event);

/* To be called in the handler: whether the signal was sent by one of the counters. */
bool event_sent(const struct event *event, const siginfo_t *info);

/*
 * When a recording has started: reports once on stderr that the kernel refuses counters, if it
 * does.
 */
void event_complain(void);

/* At the end: reports for how many threads the kernel refused counters later. */
void event_complain_at_end(void);

/* To be called in the handler: returns the ticks since the last call in this thread. */
uint32_t event_take(struct event *event);

/* Adds ticks at pc to the histogram, if there is one, and to the totals. */
void event_add(uintptr_t pc, uint32_t ticks);

/* To be called at the end of the handler: skips the events that the handler itself has caused. */
void event_pass(struct event *event);

/* Sets the event's counts in gmon.event, of ticks and of refused threads, to zero. */
void event_zero(void);

#endif

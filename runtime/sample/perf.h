/* SPDX-License-Identifier: MIT */
/*
 * Counters of the kernel (perf events) for one thread each, whose signal comes to that thread as
 * often as so much was counted.
 *
 * No descriptor is kept: programs close those that they do not know, and have others under the same
 * number then. The mapping of what the counter writes keeps it alive; it goes with exec(), and a
 * fork's child lacks it. There a handler reads how much was counted, without a system call, also
 * for signals that were lost because one was pending.
 *
 * The signal is only for what the thread does in code of its own, not in the kernel: one that came
 * in a system call would end it early (EINTR). It may be late by some instructions, and so meet a
 * call that comes right then: one of 24000 waits, at 10000 signals a second.
 *
 * Async-signal-safe. A counter is closed by its thread, or by another when that thread is dead:
 * else its handler might be reading.
 */
#ifndef SAMPLE_PERF_H
#define SAMPLE_PERF_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* What to count, by the numbers of <linux/perf_event.h>, and how much of it for a signal. */
struct perf_request {
	uint32_t type, config;
	uint32_t period; /* not 0 */
};

struct perf {
	void *map;                 /* NULL: there is none. By whoever opens and closes */
	int fd;                    /* the number that it had, which its signals tell */
	uint32_t state;            /* enum perf_state, see perf.c */
	_Alignas(8) uint64_t seen; /* what its thread's handler has taken; by the thread */
};

/*
 * Opens a counter for the thread whose number is tid, and lets `signal`, none of the real-time
 * ones, come to it. One that is there already stays; if it was to be left, it goes on from where it
 * stands. 0 or -errno.
 */
long perf_open(struct perf *perf, const struct perf_request *request, int32_t tid, int signal);

/* 0 if the calling thread could have such a counter now, or -errno. */
long perf_try(const struct perf_request *request, int signal);

/* Closes a counter, if there is one. */
void perf_close(struct perf *perf);

/* Any thread: the counter is to be closed by its thread when its signal comes next. */
void perf_leave(struct perf *perf);

/* In the child of a fork: there is none. */
void perf_forget(struct perf *perf);

/* In its thread's handler: whether the signal is the counter's. */
bool perf_sent(const struct perf *perf, const siginfo_t *info);

/* From what the counter stood at, to what it stands at. */
struct perf_span {
	uint64_t from, to;
};

/*
 * In its thread's handler: what was counted since the last call, up to the newest signal; also what
 * the handler itself has done. The same twice: nothing.
 */
struct perf_span perf_take(struct perf *perf);

#endif

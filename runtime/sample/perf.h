/* SPDX-License-Identifier: MIT */
/*
 * Counters of the kernel (perf events), each for one thread, to which the kernel sends a signal
 * once in each period of the counter.
 *
 * No descriptor is kept: programs close those that they do not know, and then have other files
 * under the same number. The mapping of the counter's records keeps it alive; exec() ends it, and a
 * fork's child does not have it. From there the handler reads the count without a system call, also
 * for signals that were dropped because one was pending.
 *
 * The signal is sent only for what the thread does outside the kernel: in a system call it would
 * end the call early (EINTR). It may come some instructions late, just when a call begins: this
 * happened to one wait in 24000, at 10000 signals a second.
 *
 * Async-signal-safe. A counter is closed by its thread, or by another one if that thread is dead:
 * else its handler might be reading.
 */
#ifndef SAMPLE_PERF_H
#define SAMPLE_PERF_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* What to count, by the numbers of <linux/perf_event.h>, and how many events per signal. */
struct perf_request {
	uint32_t type, config;
	uint32_t period; /* not 0 */
};

struct perf {
	void *map;      /* NULL: no counter. Set by the thread that opens or closes it */
	int fd;         /* the descriptor that the counter had, which its signals carry */
	uint32_t state; /* enum perf_state, see perf.c */
	_Alignas(8)
		uint64_t seen; /* the count at the last perf_take(); set by the counter's thread */
};

/*
 * Opens a counter for the thread whose number is tid, and has its signals, not of a real-time
 * number, sent to that thread. An open counter stays; if perf_leave() was called, it restarts. 0 or
 * -errno.
 */
long perf_open(struct perf *perf, const struct perf_request *request, int32_t tid, int signal);

/*
 * Tries to open such a counter for the calling thread, and closes it; no signal comes. Returns 0 or
 * -errno.
 */
long perf_try(const struct perf_request *request, int signal);

/* Closes a counter, if there is one. */
void perf_close(struct perf *perf);

/* Called by any thread: asks the counter's thread to close it at the next signal. */
void perf_leave(struct perf *perf);

/* In the child of a fork, which has no counter: forgets it. */
void perf_forget(struct perf *perf);

/*
 * To be called in the handler of the counter's thread: whether the signal was sent by the counter.
 */
bool perf_sent(const struct perf *perf, const siginfo_t *info);

/* What was counted: the counter went from one value to the other. */
struct perf_span {
	uint64_t from, to;
};

/*
 * To be called in the handler of the counter's thread: returns what was counted from the last call
 * to the newest signal, including what the handler itself has done.
 */
struct perf_span perf_take(struct perf *perf);

/* Likewise: the count at the newest signal, also if perf_take() has not been called for that. */
uint64_t perf_newest(const struct perf *perf);

#endif

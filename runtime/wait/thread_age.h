/* SPDX-License-Identifier: MIT */
/* When a thread began. proc_pid_stat(5) has the format that tells it. */
#ifndef WAIT_THREAD_AGE_H
#define WAIT_THREAD_AGE_H

#include <stdint.h>

/*
 * Returns how many nanoseconds ago a thread began, at most `most`: it was not there earlier. The
 * kernel tells it to 10 ms. If it does not, or if `most` is not much more than that, half of `most`
 * is the answer: the thread can have begun at any time since.
 *
 * `directory` is a descriptor of /proc/self/task. Three system calls. Async-signal-safe.
 */
uint64_t thread_age(int directory, int32_t tid, uint64_t most);

#endif

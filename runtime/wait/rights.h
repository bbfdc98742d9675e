/* SPDX-License-Identifier: MIT */
/*
 * The rights of the helper thread (offcpu_helper.h). setuid() and its like change users and groups
 * in all threads that the C library knows, so the helper must make these changes itself.
 * Async-signal-safe.
 */
#ifndef WAIT_RIGHTS_H
#define WAIT_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

/* Capabilities as capget(2) has them: effective, permitted, inheritable, in two halves. */
struct rights {
	uint32_t word[6];
};

/*
 * Reads the capabilities of a thread of the process; tid 0 is the calling thread. Returns 0 or
 * -errno.
 */
long rights_read(struct rights *rights, int32_t tid);

/*
 * If the capabilities of the process's first thread differ from *known: gives the calling thread
 * its user, groups and capabilities, and updates *known. A process without capabilities cannot
 * change users, so every change that matters shows in them. Returns false if that failed.
 */
bool rights_follow(struct rights *known);

#endif

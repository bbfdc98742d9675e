/* SPDX-License-Identifier: MIT */
/*
 * The rights of the helper thread (offcpu_helper.h). setuid() and its like change users and groups
 * in all threads that the C library knows, so the helper has to follow by itself.
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

/* The capabilities of a thread of the process. All zero: they cannot be read. */
struct rights rights_of(int32_t tid);

/* Whether they can be read. 0 or -errno. */
long rights_try(void);

/*
 * If the capabilities of the process's first thread differ from *known: gives the calling thread
 * its user, groups and capabilities, and updates *known. A process without capabilities cannot
 * change users, so every change that matters shows in them. False: it could not be done.
 */
bool rights_follow(struct rights *known);

#endif

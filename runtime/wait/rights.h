/* SPDX-License-Identifier: MIT */
/*
 * The rights of a thread that the C library does not know. It does not pass on to it what setuid()
 * and its like change in all others, so it has to follow by itself. Async-signal-safe.
 */
#ifndef WAIT_RIGHTS_H
#define WAIT_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

/* What a thread may do, as the kernel numbers it: effective, permitted and inheritable. */
struct rights {
	uint32_t word[6];
};

/* Those of a thread of the process by its number; all zero: nobody knows. */
struct rights rights_of(int32_t tid);

/* Whether the kernel tells. 0 or -errno. */
long rights_try(void);

/*
 * If the first thread of the process has other rights than *known: takes its user and groups and
 * its rights, and notes them. Without rights nobody can change users, so all that matters is seen.
 * False: it cannot be done.
 */
bool rights_follow(struct rights *known);

#endif

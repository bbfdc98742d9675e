/* SPDX-License-Identifier: MIT */
/*
 * What the descriptor is for which a thread waits: whether it reads from a pipe, a socket, a
 * terminal or a disk. The descriptors are the program's, and the helper has a table of its own; so
 * it asks the kernel for /proc/self/task/TID/fd/N, which opens nothing and has no file system
 * asked:
 *
 *     read(5, ...)            of descriptor 5: statx() says pipe, file, terminal or socket
 *     recvfrom(7, ...)        of a socket: an attribute has the protocol, "TCP" or "UNIX"
 *     poll({5, 7}, 2, ...)    of all descriptors, if they are few and of one sort, or of the
 * network and of what threads wake each other up by
 *
 * Only the helper (offcpu_helper.h) may call this.
 */
#ifndef WAIT_AWAITED_H
#define WAIT_AWAITED_H

#include <stdint.h>

/* A system call in which a thread is blocked. */
struct awaited_call {
	long number; /* negative: it is not known */
	uint64_t argument[2];
};

/*
 * Returns what a blocked thread waits for, one of enum gmon_ext_awaited. `directory`: descriptor of
 * /proc/self/task. One system call for a descriptor, two for a socket, and one for poll(); none for
 * other calls, or where looking at processes may kill (sandbox.h).
 */
uint32_t awaited_find(int directory, int32_t tid, const struct awaited_call *call);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Which watched thread another one waits for, as far as memory tells it (record/lock_owner.h).
 */
#ifndef WAIT_HOLDER_H
#define WAIT_HOLDER_H

#include <stdbool.h>

#include "wait/offcpu.h"

/* Whom a thread waits for. */
struct holder {
	struct offcpu *thread; /* NULL: it is not known */
	bool joined;           /* its end is awaited; else it has a lock */
	bool is_lock;          /* the wait is for a lock, as it seems, whoever has that */
};

/*
 * Finds whom a blocked thread waits for. What it reads may have changed since the thread was looked
 * at. One system call, if the thread is blocked in futex().
 */
struct holder holder_find(const struct offcpu *thread);

#endif

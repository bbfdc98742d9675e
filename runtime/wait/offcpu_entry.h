/* SPDX-License-Identifier: MIT */
/*
 * The entry of a watched thread among those that count (count/thread.h), which has its samples.
 * Only the helper (offcpu_helper.h) may call this.
 */
#ifndef WAIT_OFFCPU_ENTRY_H
#define WAIT_OFFCPU_ENTRY_H

#include "wait/offcpu.h"

/* Returns the thread's entry; NULL: it has none. Linear in the entries until it is found. */
const struct thread *offcpu_entry(struct offcpu *thread);

#endif

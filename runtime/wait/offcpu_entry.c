/* SPDX-License-Identifier: MIT */
/* Finds the entries of watched threads. See offcpu_entry.h. */
#include "wait/offcpu_entry.h"

#include "count/thread.h"

const struct thread *offcpu_entry(struct offcpu *thread)
{
	const struct thread *entry = thread->entry;

	if (entry && thread_number(entry) == thread->tid)
		return entry;
	for (entry = thread_first(); entry; entry = thread_next(entry))
		if (thread_number(entry) == thread->tid)
			break;
	thread->entry = entry;
	return entry;
}

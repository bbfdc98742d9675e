/* SPDX-License-Identifier: MIT */
/* Linear in THREAD_EXITS_ROOM. See thread_exits.h. */
#include "wait/thread_exits.h"

#include "base/sys.h"
#include "base/wide.h"
#include "sample/clock.h"
#include "state.h"

struct thread_exit *thread_exits_prepare(void)
{
	gmon.offcpu.exits = sys_memory(THREAD_EXITS_ROOM * sizeof(gmon.offcpu.exits[0]));
	return gmon.offcpu.exits;
}

void thread_exits_expect(struct thread_exit *end, int32_t tid)
{
	__atomic_store_n(&end->left, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&end->tid, tid, __ATOMIC_RELEASE);
}

void thread_exits_leave(int32_t tid)
{
	struct thread_exit *ends = gmon.offcpu.exits;

	for (uint32_t i = 0; ends && i < THREAD_EXITS_ROOM; i++) {
		if (__atomic_load_n(&ends[i].tid, __ATOMIC_ACQUIRE) != tid)
			continue;
		wide_store(&ends[i].run, clock_thread_ns(0));
		wide_store(&ends[i].at, clock_monotonic_ns());
		__atomic_store_n(&ends[i].left, tid, __ATOMIC_RELEASE);
	}
}

bool thread_exits_find(const struct thread_exit *end)
{
	return end->tid && __atomic_load_n(&end->left, __ATOMIC_ACQUIRE) == end->tid;
}

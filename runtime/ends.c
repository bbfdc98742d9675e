/* SPDX-License-Identifier: MIT */
/* Linear in ENDS_ROOM. See ends.h. */
#include "ends.h"

#include "clock.h"
#include "state.h"
#include "sys.h"
#include "wide.h"

struct end *ends_prepare(void)
{
	gmon.waits.ends = sys_memory(ENDS_ROOM * sizeof(gmon.waits.ends[0]));
	return gmon.waits.ends;
}

void ends_expect(struct end *end, int32_t tid)
{
	__atomic_store_n(&end->left, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&end->tid, tid, __ATOMIC_RELEASE);
}

void ends_leave(int32_t tid)
{
	struct end *ends = gmon.waits.ends;

	for (uint32_t i = 0; ends && i < ENDS_ROOM; i++) {
		if (__atomic_load_n(&ends[i].tid, __ATOMIC_ACQUIRE) != tid)
			continue;
		wide_store(&ends[i].run, clock_thread_ns(0));
		wide_store(&ends[i].at, clock_monotonic_ns());
		__atomic_store_n(&ends[i].left, tid, __ATOMIC_RELEASE);
	}
}

bool ends_find(const struct end *end)
{
	return end->tid && __atomic_load_n(&end->left, __ATOMIC_ACQUIRE) == end->tid;
}

/* SPDX-License-Identifier: MIT */
/* The state of a recording. See state.h. */
#include "state.h"

struct gmon gmon;
unsigned char gmon_on;

bool state_change_phase(enum gmon_phase from, enum gmon_phase to)
{
	uint32_t seen = from;

	return __atomic_compare_exchange_n(&gmon.phase, &seen, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

void state_set_on(void)
{
	bool counts = gmon.phase == READY || gmon.phase == RUNNING;

	__atomic_store_n(&gmon_on, counts && !gmon.paused, __ATOMIC_RELEASE);
}

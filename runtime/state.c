/* SPDX-License-Identifier: MIT */
/* The state of a recording. See state.h. */
#include "state.h"

#include "base/sys.h"

enum { STATE_PAGE = 4096 };

struct gmon gmon;

/* gmon_on, alone in its page: see state_keep_from_children(). */
_Alignas(STATE_PAGE) unsigned char state_on[STATE_PAGE] __asm__("gmon_on");

bool state_change_phase(enum gmon_phase from, enum gmon_phase to)
{
	uint32_t seen = from;

	return __atomic_compare_exchange_n(&gmon.phase, &seen, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

bool state_is_ours(void)
{
	return sys_getpid() == gmon.pid;
}

/* Kernels before 4.14 lack this; with larger pages, other data would be wiped. */
void state_keep_from_children(void)
{
	if (gmon.blocks.page == STATE_PAGE)
		SYS3(SYS_madvise, state_on, STATE_PAGE, MADV_WIPEONFORK);
}

void state_count_entries(bool count)
{
	__atomic_store_n(&state_on[1], count, __ATOMIC_RELEASE);
}

void state_set_on(void)
{
	bool counts =
		gmon.pass_on || ((gmon.phase == READY || gmon.phase == RUNNING) && state_is_ours());

	__atomic_store_n(&gmon_on, counts && !gmon.paused, __ATOMIC_RELEASE);
}

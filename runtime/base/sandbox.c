/* SPDX-License-Identifier: MIT */
/* Notices filters of system calls (seccomp). See sandbox.h. */
#include "base/sandbox.h"

#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>

#include "base/sys.h"

enum sandbox_state { SANDBOX_UNKNOWN, SANDBOX_OPEN, SANDBOX_CLOSED };

static uint32_t
	sandbox_state; /* enum sandbox_state; set before other threads exist, later by any thread */
static bool sandbox_filtered; /* there was a filter at the start already */
static bool sandbox_confined; /* and no_new_privs, too */

static bool sandbox_has_filter(void)
{
	return SYS1(SYS_prctl, PR_GET_SECCOMP) == SECCOMP_MODE_FILTER;
}

/* Whether the process has set no_new_privs. */
static bool sandbox_is_confined(void)
{
	return SYS6(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0, 0) == 1;
}

void sandbox_start(void)
{
	sandbox_filtered = sandbox_has_filter();
	sandbox_confined = sandbox_filtered && sandbox_is_confined();
	if (!sandbox_confined)
		sandbox_state = SANDBOX_OPEN;
}

bool sandbox_was_closed(void)
{
	return __atomic_load_n(&sandbox_state, __ATOMIC_RELAXED) == SANDBOX_CLOSED;
}

bool sandbox_forbids_looking(void)
{
	return sandbox_confined || sandbox_was_closed();
}

void sandbox_close(void)
{
	__atomic_store_n(&sandbox_state, SANDBOX_CLOSED, __ATOMIC_RELAXED);
}

bool sandbox_closed(void)
{
	uint32_t state = __atomic_load_n(&sandbox_state, __ATOMIC_RELAXED);

	if (state == SANDBOX_OPEN &&
	    (sandbox_filtered ? sandbox_is_confined() : sandbox_has_filter())) {
		state = SANDBOX_CLOSED;
		__atomic_store_n(&sandbox_state, state, __ATOMIC_RELAXED);
	}
	return state == SANDBOX_CLOSED;
}

/* SPDX-License-Identifier: MIT */
/* Blocking signals for a moment. See mask.h. */
#include "base/mask.h"

#include <stddef.h>

#include "base/sandbox.h"
#include "base/sys.h"

static const uint64_t mask_size_signal = (uint64_t)1 << (SIGXFSZ - 1);

void mask_all(struct mask *mask)
{
	const uint64_t all = ~((uint64_t)1 << (SIGBUS - 1));

	*mask = (struct mask){ 0, 0 };
	SYS4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask->blocked, sizeof(all));
	if (!sandbox_was_closed())
		SYS2(SYS_rt_sigpending, &mask->pending, sizeof(all));
}

void mask_restore(const struct mask *mask)
{
	const long no_time[2] = { 0, 0 };

	if (!(mask->pending & mask_size_signal) && !sandbox_was_closed())
		SYS4(SYS_rt_sigtimedwait, &mask_size_signal, NULL, no_time,
		     sizeof(mask_size_signal));
	SYS4(SYS_rt_sigprocmask, SIG_SETMASK, &mask->blocked, NULL, sizeof(mask->blocked));
}

void mask_fill(sigset_t *set)
{
	unsigned long *first = (void *)set; /* of the kernel's words */

	sigfillset(set);
	*first &= ~(1ul << (SIGBUS - 1));
}

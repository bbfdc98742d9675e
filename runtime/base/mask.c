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
	static sigset_t full; /* by sigfillset(), whose page the child of a fork need not map */
	unsigned long *first = (void *)&full; /* of the kernel's words */

	if (!*first)
		sigfillset(&full);
	for (size_t i = 0; i < sizeof(full); i++)
		((volatile unsigned char *)set)[i] = ((const unsigned char *)&full)[i];
	first = (void *)set;
	*first &= ~(1ul << (SIGBUS - 1));
}

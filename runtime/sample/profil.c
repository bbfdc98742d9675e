/* SPDX-License-Identifier: MIT */
/*
 * profil(), as in Version 7 Unix: a histogram in the caller's memory, by ITIMER_PROF. It can run
 * beside a recording, which uses other clocks.
 */
#include <gmon.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

#include "base/handlers.h"
#include "sample/clock.h"
#include "sample/tick.h"
#include "state.h"

enum { TICKS_PER_SECOND = 100 };

static int profil_stop(void)
{
	if (!gmon.profil.running)
		return 0;
	gmon.profil.running = false;
	if (setitimer(ITIMER_PROF, &gmon.profil.old_timer, NULL) < 0)
		return -1;
	if (clock_signal() != SIGPROF && !gmon.by_itimer)
		handlers_give_back(SIGPROF);
	return 0;
}

/*
 * <gmon.h> has the contract. <unistd.h> may declare that profil's buffer is never NULL, and the
 * compiler would drop our test: hence the second name. `profil` is weak, since a program may have a
 * function of that name.
 */
__attribute__((used)) static int profil_start_or_stop(unsigned short *buffer, size_t size,
						      size_t offset, unsigned scale)
{
	const struct itimerval timer = { { 0, 1000000 / TICKS_PER_SECOND },
					 { 0, 1000000 / TICKS_PER_SECOND } };
	struct profil_bins *bins = &gmon.profil.bins;

	__atomic_store_n(&bins->buffer, NULL, __ATOMIC_RELEASE);
	if (!buffer || !scale)
		return profil_stop();
	bins->nbins = size / sizeof(*buffer);
	bins->offset = offset;
	bins->scale = scale;
	__atomic_store_n(&bins->buffer, buffer, __ATOMIC_RELEASE);
	if (gmon.profil.running)
		return 0;
	gmon.profil.used = true;
	tick_handle(SIGPROF);
	if (setitimer(ITIMER_PROF, &timer, &gmon.profil.old_timer) < 0)
		return -1;
	gmon.profil.running = true;
	return 0;
}

PUBLIC int profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
	__attribute__((weak, alias("profil_start_or_stop")));

/* SPDX-License-Identifier: MIT */
/*
 * profil(), as of Version 7: a histogram in the caller's memory, by the clock of the whole process.
 *
 * It can run beside a recording: that has clocks of its own.
 */
#include "profil.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

#include "internal.h"
#include "sample.h"

enum { TICKS_PER_SECOND = 100 };

/* buffer is set last and cleared first: the handler looks at it before the rest. */
static struct {
	unsigned short *buffer;
	size_t nbins;
	uintptr_t offset;
	unsigned scale;
	bool running;
	struct sigaction old_action;
	struct itimerval old_timer;
} histogram;

#ifdef ARCH_NO_SHORT_ATOMICS

/* The bin is half of a word. */
static void add_tick(unsigned short *bin)
{
	uint32_t *word = (uint32_t *)((uintptr_t)bin & ~(uintptr_t)3);
	bool upper = ((uintptr_t)bin & 2) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 2 : 0);
	int shift = upper ? 16 : 0;
	uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);

	while ((seen >> shift & USHRT_MAX) != USHRT_MAX)
		if (__atomic_compare_exchange_n(word, &seen, seen + (UINT32_C(1) << shift), false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			break;
}

#else

static void add_tick(unsigned short *bin)
{
	if (*bin < USHRT_MAX)
		__atomic_fetch_add(bin, 1, __ATOMIC_RELAXED);
}

#endif

bool profil_tick(uintptr_t pc)
{
	unsigned short *buffer = __atomic_load_n(&histogram.buffer, __ATOMIC_ACQUIRE);
	uintptr_t words = (pc - histogram.offset) / 2;
	uintptr_t bin;

	if (!buffer)
		return false;
	/* words * scale / 65536 without overflow. */
	bin = words / 65536 * histogram.scale + words % 65536 * histogram.scale / 65536;
	if (pc >= histogram.offset && bin < histogram.nbins)
		add_tick(&buffer[bin]);
	return true;
}

static int stop(void)
{
	if (!histogram.running)
		return 0;
	histogram.running = false;
	if (setitimer(ITIMER_PROF, &histogram.old_timer, NULL) < 0)
		return -1;
	return sigaction(SIGPROF, &histogram.old_action, NULL);
}

/*
 * <gmon.h> has the contract. <unistd.h> may tell the compiler that profil's buffer is never NULL,
 * which its callers do not know: hence the second name.
 */
__attribute__((used)) static int start_or_stop(unsigned short *buffer, size_t size, size_t offset,
					       unsigned scale)
{
	const struct itimerval timer = { { 0, 1000000 / TICKS_PER_SECOND },
					 { 0, 1000000 / TICKS_PER_SECOND } };

	__atomic_store_n(&histogram.buffer, NULL, __ATOMIC_RELEASE);
	if (!buffer || !scale)
		return stop();
	histogram.nbins = size / sizeof(*buffer);
	histogram.offset = offset;
	histogram.scale = scale;
	__atomic_store_n(&histogram.buffer, buffer, __ATOMIC_RELEASE);
	if (histogram.running)
		return 0;
	sample_handle(SIGPROF, &histogram.old_action);
	if (setitimer(ITIMER_PROF, &timer, &histogram.old_timer) < 0)
		return -1;
	histogram.running = true;
	return 0;
}

PUBLIC int profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
	__attribute__((alias("start_or_stop")));

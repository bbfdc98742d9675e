/* SPDX-License-Identifier: MIT */
/* The histogram of profil(). See profil_bins.h. */
#include "sample/profil_bins.h"

#include <limits.h>

#include <arch.h>

#include "state.h"

#ifdef ARCH_NO_SHORT_ATOMICS

/* Adds 1 to a bin by an atomic operation on the word that contains it. */
static void profil_bins_tick(unsigned short *bin)
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

static void profil_bins_tick(unsigned short *bin)
{
	if (*bin < USHRT_MAX)
		__atomic_fetch_add(bin, 1, __ATOMIC_RELAXED);
}

#endif

bool profil_bins_add(uintptr_t pc)
{
	const struct profil_bins *bins = &gmon.profil.bins;
	unsigned short *buffer = __atomic_load_n(&bins->buffer, __ATOMIC_ACQUIRE);
	uintptr_t words = (pc - bins->offset) / 2;
	uintptr_t bin;

	if (!buffer)
		return false;
	/* words * scale / 65536 without overflow. */
	bin = words / 65536 * bins->scale + words % 65536 * bins->scale / 65536;
	if (pc >= bins->offset && bin < bins->nbins)
		profil_bins_tick(&buffer[bin]);
	return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * 64-bit words that several threads change, on machines whose compiler may have no such operations
 * in general registers: arch.h then defines ARCH_WIDE_SWAP and arch_wide_swap(). Words are aligned
 * to 8 bytes.
 */
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#include <arch.h>

#ifdef ARCH_WIDE_SWAP

/* The upper half before and after is the same: so it was when the lower half was read. */
static inline uint64_t wide_load(const uint64_t *word)
{
	const uint32_t *half = (const void *)word;
	uint32_t low;
	uint32_t high;

	do {
		high = __atomic_load_n(&half[1], __ATOMIC_ACQUIRE);
		low = __atomic_load_n(&half[0], __ATOMIC_ACQUIRE);
	} while (high != __atomic_load_n(&half[1], __ATOMIC_ACQUIRE));
	return (uint64_t)high << 32 | low;
}

static inline bool wide_swap(uint64_t *word, uint64_t seen, uint64_t value)
{
	return arch_wide_swap(word, seen, value);
}

static inline void wide_store(uint64_t *word, uint64_t value)
{
	while (!arch_wide_swap(word, wide_load(word), value))
		;
}

/* What was there. */
static inline uint64_t wide_add(uint64_t *word, uint64_t n)
{
	uint64_t seen;

	do
		seen = wide_load(word);
	while (!arch_wide_swap(word, seen, seen + n));
	return seen;
}

#else

static inline uint64_t wide_load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* Whether `seen` was there; then `value` is. */
static inline bool wide_swap(uint64_t *word, uint64_t seen, uint64_t value)
{
	return __atomic_compare_exchange_n(word, &seen, value, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

static inline void wide_store(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* What was there. */
static inline uint64_t wide_add(uint64_t *word, uint64_t n)
{
	return __atomic_fetch_add(word, n, __ATOMIC_RELAXED);
}

#endif

#endif

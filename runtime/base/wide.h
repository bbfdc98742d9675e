/* SPDX-License-Identifier: MIT */
/*
 * 64-bit words that several threads change, also on 32-bit machines whose compiler has no such
 * atomic operations: arch.h then defines ARCH_WIDE_SWAP and arch_wide_swap(). Words are aligned to
 * 8 bytes.
 */
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#include <arch.h>

#ifdef ARCH_WIDE_SWAP

/* If the upper half did not change, both halves are from the same moment. */
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

/* Adds n; returns the old value. */
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

/* Replaces `seen` by `value`. Returns false and does nothing if the word has another value. */
static inline bool wide_swap(uint64_t *word, uint64_t seen, uint64_t value)
{
	return __atomic_compare_exchange_n(word, &seen, value, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

static inline void wide_store(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* Adds n; returns the old value. */
static inline uint64_t wide_add(uint64_t *word, uint64_t n)
{
	return __atomic_fetch_add(word, n, __ATOMIC_RELAXED);
}

#endif

#endif

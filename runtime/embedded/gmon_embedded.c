/* SPDX-License-Identifier: MIT */
/*
 * The memory that the program gives:
 *
 *   struct gmon_span[n]    the ranges
 *   uint16_t[]             bins of the first range, of the second, ...
 *   struct gmon_cell[]     calls: as many cells as there is room for
 */
#include "gmon_embedded.h"
#include "gmon_state.h"

/* The C library's, whose headers may be missing. */
extern void *memset(void *at, int byte, size_t n);

enum { GMON_SHIFT_LEAST = 1, GMON_SHIFT_MOST = 16 };

struct gmon_state gmon_state;

/* How many bins a range has; 0: none can be. */
static GMON_PLAIN uint32_t gmon_count_bins(const struct gmon_range *range)
{
	if (range->high <= range->low || range->shift < GMON_SHIFT_LEAST ||
	    range->shift > GMON_SHIFT_MOST)
		return 0;
	return (uint32_t)(((range->high - range->low - 1) >> range->shift) + 1);
}

/* The bytes of bins, up to where cells may begin. */
static GMON_PLAIN size_t gmon_bin_bytes(size_t nbins)
{
	const size_t align = sizeof(uintptr_t);

	return (nbins * sizeof(uint16_t) + align - 1) / align * align;
}

GMON_PLAIN size_t gmon_size(const struct gmon_range *ranges, unsigned n, unsigned arcs)
{
	size_t nbins = 0;

	for (unsigned i = 0; i < n; i++)
		nbins += gmon_count_bins(&ranges[i]);
	/* The memory may begin anywhere. */
	return sizeof(uintptr_t) - 1 + n * sizeof(struct gmon_span) + gmon_bin_bytes(nbins) +
	       arcs * sizeof(struct gmon_cell);
}

/* Fills the spans. Returns the number of bins, or 0: see gmon_start(). */
static GMON_PLAIN uint32_t gmon_lay_out(struct gmon_span *spans, const struct gmon_range *ranges,
					unsigned n)
{
	uint32_t nbins = 0;

	for (unsigned i = 0; i < n; i++) {
		uint32_t bins = gmon_count_bins(&ranges[i]);

		spans[i].low = ranges[i].low;
		spans[i].bytes = (uintptr_t)bins << ranges[i].shift;
		spans[i].shift = ranges[i].shift;
		spans[i].first = nbins;
		if (bins == 0 || ranges[i].shift != ranges[0].shift)
			return 0;
		for (unsigned k = 0; k < i; k++) {
			if (spans[k].low - spans[i].low < spans[i].bytes ||
			    spans[i].low - spans[k].low < spans[k].bytes)
				return 0;
		}
		nbins += bins;
	}
	return nbins;
}

GMON_PLAIN int gmon_start(void *memory, size_t bytes, const struct gmon_range *ranges, unsigned n,
			  uint32_t rate)
{
	struct gmon_state *s = &gmon_state;
	const size_t align = sizeof(uintptr_t);
	uintptr_t at = ((uintptr_t)memory + align - 1) / align * align;
	size_t fixed = gmon_size(ranges, n, 0), ncells = 0;
	struct gmon_span *spans = (struct gmon_span *)at;

	if (bytes > fixed)
		ncells = (bytes - fixed) / sizeof(struct gmon_cell);
	if (n == 0 || ncells == 0)
		return -1;
	*(volatile uint32_t *)&s->on = GMON_OFF;
	memset(s, 0, sizeof(*s));
	memset(memory, 0, bytes);
	if (GMON_HAS_STACKS)
		gmon_clear_stacks();
	s->nbins = gmon_lay_out(spans, ranges, n);
	if (s->nbins == 0)
		return -1;
	s->spans = spans;
	s->spans_end = spans + n;
	s->bins = (uint32_t *)(spans + n);
	s->cells = (struct gmon_cell *)((uintptr_t)s->bins + gmon_bin_bytes(s->nbins));
	s->end = s->cells + ncells;
	while (s->mask < ncells / 2)
		s->mask = s->mask * 2 + 1;
	s->mask *= GMON_HASH_UNIT;
	s->rate = rate;
	__asm__ volatile("" ::: "memory");
	*(volatile uint32_t *)&s->on = GMON_ON;
	return 0;
}

GMON_PLAIN void gmon_control(int on)
{
	if (gmon_state.nbins > 0)
		*(volatile uint32_t *)&gmon_state.on = on ? GMON_ON : GMON_OFF;
}

GMON_PLAIN void gmon_tick(uintptr_t pc)
{
	struct gmon_state *s = &gmon_state;

	if (s->on != GMON_ON)
		return;
	for (const struct gmon_span *span = s->spans; span < s->spans_end; span++) {
		uintptr_t offset = pc - span->low;

		if (offset < span->bytes) {
			uint32_t bin = span->first + (uint32_t)(offset >> span->shift);
			unsigned shift = (bin & 1) << 4;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
			shift ^= 16;
#endif
			if ((s->bins[bin / 2] >> shift & 0xffff) >= 0xffff - GMON_SLACK)
				gmon_add_one(&s->saturated);
			else
				gmon_add(&s->bins[bin / 2], UINT32_C(1) << shift);
			return;
		}
	}
	gmon_add_one(&s->outside);
}

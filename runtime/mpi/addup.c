/* SPDX-License-Identifier: MIT */
/* Adding up profiles. See addup.h. */
#include "addup.h"

#include <stdlib.h>
#include <string.h>

#include <gmon_out.h>

enum { FIRST_ROOM = 1024, MAX_TICKS = UINT16_MAX };

/* If a bin exceeds 16 bits, this many bins around it are written in several records. */
enum { PART_BINS = 64 };

static const char dimension[GMON_DIMENSION_BYTES + 1] = "seconds\0\0\0\0\0\0\0\0s";

/* The bytes that are still to be read, in this machine's byte order. */
struct addup_input {
	const unsigned char *at;
	size_t left;
};

static bool addup_take(struct addup_input *input, void *to, size_t n)
{
	if (input->left < n)
		return false;
	memcpy(to, input->at, n);
	input->at += n;
	input->left -= n;
	return true;
}

/* Returns the entry of a pair, or the free entry where it would be. The table is never full. */
static struct addup_count *addup_find(const struct addup *sum, uintptr_t from, uintptr_t self)
{
	uint64_t hash =
		(from * UINT64_C(0x9e3779b97f4a7c15)) ^ (self * UINT64_C(0xc2b2ae3d27d4eb4f));
	size_t i = (size_t)(hash ^ hash >> 29) & (sum->room - 1);

	while (sum->count[i].n && (sum->count[i].from != from || sum->count[i].self != self))
		i = (i + 1) & (sum->room - 1);
	return &sum->count[i];
}

static bool addup_grow(struct addup *sum)
{
	struct addup larger = { .room = sum->room ? 2 * sum->room : FIRST_ROOM };

	larger.count = calloc(larger.room, sizeof(larger.count[0]));
	if (!larger.count)
		return false;
	for (size_t i = 0; i < sum->room; i++)
		if (sum->count[i].n)
			*addup_find(&larger, sum->count[i].from, sum->count[i].self) =
				sum->count[i];
	free(sum->count);
	sum->count = larger.count;
	sum->room = larger.room;
	return true;
}

static bool addup_count(struct addup *sum, uintptr_t from, uintptr_t self, uint64_t n)
{
	struct addup_count *count;

	if (!n)
		return true;
	if (2 * sum->ncounts >= sum->room && !addup_grow(sum))
		return false;
	count = addup_find(sum, from, self);
	sum->ncounts += !count->n;
	n = n < UINT64_MAX - count->n ? count->n + n : UINT64_MAX;
	*count = (struct addup_count){ from, self, n };
	return true;
}

static size_t addup_bins(const struct addup_range *range)
{
	return (range->high - range->low) / range->width;
}

/* Whether two ranges overlap or are adjacent. */
static bool addup_meet(const struct addup_range *a, const struct addup_range *b)
{
	return a->low <= b->high && b->low <= a->high;
}

/* Adds the ticks of a range to those of a larger one that contains it. */
static void addup_add_range(struct addup_range *to, const struct addup_range *from)
{
	uint64_t *ticks = to->ticks + (from->low - to->low) / to->width;

	for (size_t i = 0; i < addup_bins(from); i++)
		ticks[i] += from->ticks[i];
}

/* Whether two ranges have bins of the same width, whose limits coincide where they overlap. */
static bool addup_fit(const struct addup_range *a, const struct addup_range *b)
{
	uintptr_t apart = a->low > b->low ? a->low - b->low : b->low - a->low;

	return a->width == b->width && apart % a->width == 0;
}

/* Extends a range to include all ranges that it overlaps or touches. False: bins do not fit. */
static bool addup_unite(const struct addup *sum, struct addup_range *all)
{
	const struct addup_range only = *all;

	for (size_t i = 0; i < sum->nranges; i++) {
		const struct addup_range *range = &sum->range[i];

		if (!addup_meet(range, &only))
			continue;
		if (!addup_fit(range, &only))
			return false;
		all->low = range->low < all->low ? range->low : all->low;
		all->high = range->high > all->high ? range->high : all->high;
	}
	return true;
}

/*
 * Returns the range of the sum that contains `wanted`; if there is none, makes it from all ranges
 * that overlap `wanted`. Returns NULL and sets *error on failure.
 */
static struct addup_range *addup_cover(struct addup *sum, const struct addup_range *wanted,
				       enum addup_error *error)
{
	struct addup_range all = { wanted->low, wanted->high, wanted->width, NULL };
	struct addup_range *more;
	size_t kept = 0;

	*error = ADDUP_OTHER_RANGES;
	if (!addup_unite(sum, &all))
		return NULL;
	for (size_t i = 0; i < sum->nranges; i++)
		if (sum->range[i].low == all.low && sum->range[i].high == all.high)
			return &sum->range[i];
	*error = ADDUP_NO_MEMORY;
	more = realloc(sum->range, (sum->nranges + 1) * sizeof(*more));
	if (!more)
		return NULL;
	sum->range = more;
	all.ticks = calloc(addup_bins(&all), sizeof(all.ticks[0]));
	if (!all.ticks)
		return NULL;
	for (size_t i = 0; i < sum->nranges; i++) {
		if (addup_meet(&more[i], &all)) {
			addup_add_range(&all, &more[i]);
			free(more[i].ticks);
		} else {
			more[kept++] = more[i];
		}
	}
	more[kept] = all;
	sum->nranges = kept + 1;
	return &more[kept];
}

static enum addup_error addup_read_hist(struct addup *sum, struct addup_input *input)
{
	struct addup_range range = { 0, 0, 0, NULL };
	struct addup_range *cover;
	uint32_t n, rate;
	char unit[sizeof(dimension)];
	enum addup_error error;
	uint64_t *ticks;

	if (!addup_take(input, &range.low, sizeof(range.low)) ||
	    !addup_take(input, &range.high, sizeof(range.high)) ||
	    !addup_take(input, &n, sizeof(n)) || !addup_take(input, &rate, sizeof(rate)) ||
	    !addup_take(input, unit, sizeof(unit)) || input->left / sizeof(uint16_t) < n ||
	    memcmp(unit, dimension, sizeof(unit)) != 0 || range.high < range.low ||
	    (n ? range.high == range.low || (range.high - range.low) % n : range.high != range.low))
		return ADDUP_DAMAGED;
	if (!rate)
		return n ? ADDUP_DAMAGED : ADDUP_DONE;
	if (sum->rate && rate != sum->rate)
		return ADDUP_OTHER_RATE;
	sum->rate = rate;
	if (!n)
		return ADDUP_DONE;
	range.width = (range.high - range.low) / n;
	cover = addup_cover(sum, &range, &error);
	if (!cover)
		return error;
	ticks = cover->ticks + (range.low - cover->low) / cover->width;
	for (uint32_t i = 0; i < n; i++) {
		uint16_t more = 0;

		addup_take(input, &more, sizeof(more));
		ticks[i] += more;
	}
	return ADDUP_DONE;
}

static enum addup_error addup_read_arc(struct addup *sum, struct addup_input *input)
{
	uintptr_t from, self;
	uint32_t n;

	if (!addup_take(input, &from, sizeof(from)) || !addup_take(input, &self, sizeof(self)) ||
	    !addup_take(input, &n, sizeof(n)) || (!self && n))
		return ADDUP_DAMAGED;
	return addup_count(sum, from, self, n) ? ADDUP_DONE : ADDUP_NO_MEMORY;
}

static enum addup_error addup_read_blocks(struct addup *sum, struct addup_input *input)
{
	uint32_t entries;

	if (!addup_take(input, &entries, sizeof(entries)) ||
	    input->left / (2 * sizeof(uintptr_t)) < entries)
		return ADDUP_DAMAGED;
	while (entries--) {
		uintptr_t address = 0, n = 0;

		addup_take(input, &address, sizeof(address));
		addup_take(input, &n, sizeof(n));
		if (!addup_count(sum, address, 0, n))
			return ADDUP_NO_MEMORY;
	}
	return ADDUP_DONE;
}

enum addup_error addup_add(struct addup *sum, const void *bytes, size_t n)
{
	struct addup_input input = { bytes, n };
	unsigned char header[GMON_HEADER_BYTES];
	const uint32_t version = GMON_VERSION;
	enum addup_error error = ADDUP_DONE;
	unsigned char tag;

	if (!addup_take(&input, header, sizeof(header)) || memcmp(header, GMON_MAGIC, 4) != 0 ||
	    memcmp(header + 4, &version, sizeof(version)) != 0)
		return ADDUP_DAMAGED;
	while (error == ADDUP_DONE && addup_take(&input, &tag, 1)) {
		switch (tag) {
		case GMON_HIST:
			error = addup_read_hist(sum, &input);
			break;
		case GMON_ARC:
			error = addup_read_arc(sum, &input);
			break;
		case GMON_BLOCKS:
			error = addup_read_blocks(sum, &input);
			break;
		default:
			error = ADDUP_DAMAGED;
		}
	}
	return error;
}

/* Where bytes are written; if `at` is NULL they are only counted. */
struct addup_output {
	unsigned char *bytes;
	size_t used;
};

static void addup_put(struct addup_output *output, const void *from, size_t n)
{
	if (output->bytes)
		memcpy(output->bytes + output->used, from, n);
	output->used += n;
}

static void addup_put_byte(struct addup_output *output, unsigned char byte)
{
	addup_put(output, &byte, 1);
}

static void addup_put_u32(struct addup_output *output, uint32_t number)
{
	addup_put(output, &number, sizeof(number));
}

/* Writes record number `part` of the bins [first, first + n) of a range. */
static void addup_put_record(struct addup_output *output, const struct addup *sum,
			     const struct addup_range *range, const size_t bins[2], uint64_t part)
{
	const uintptr_t low = range->low + bins[0] * range->width;
	const uintptr_t high = low + bins[1] * range->width;

	addup_put_byte(output, GMON_HIST);
	addup_put(output, &low, sizeof(low));
	addup_put(output, &high, sizeof(high));
	addup_put_u32(output, (uint32_t)bins[1]);
	addup_put_u32(output, sum->rate);
	addup_put(output, dimension, sizeof(dimension));
	for (size_t i = bins[0]; i < bins[0] + bins[1]; i++) {
		uint64_t ticks = range->ticks[i], before = part * MAX_TICKS;
		uint64_t left = ticks > before ? ticks - before : 0;
		uint16_t here = left < MAX_TICKS ? (uint16_t)left : MAX_TICKS;

		addup_put(output, &here, sizeof(here));
	}
}

/* Writes the bins {first, n} of a range, in as many records as needed. Recurses log2(n) deep. */
static void addup_put_range(struct addup_output *output, const struct addup *sum,
			    const struct addup_range *range, const size_t bins[2])
{
	uint64_t most = 0;

	for (size_t i = bins[0]; i < bins[0] + bins[1]; i++)
		most = range->ticks[i] > most ? range->ticks[i] : most;
	if (most > MAX_TICKS && bins[1] > PART_BINS) {
		const size_t half = bins[1] / 2;

		addup_put_range(output, sum, range, (const size_t[]){ bins[0], half });
		addup_put_range(output, sum, range,
				(const size_t[]){ bins[0] + half, bins[1] - half });
		return;
	}
	for (uint64_t part = 0; part == 0 || part * MAX_TICKS < most; part++)
		addup_put_record(output, sum, range, bins, part);
}

/*
 * Writes an empty histogram: GNU gprof takes a file without histogram for damaged, like one without
 * arcs.
 */
static void addup_put_no_range(struct addup_output *output, const struct addup *sum)
{
	const struct addup_range none = { 0, 0, 1, NULL };

	addup_put_record(output, sum, &none, (const size_t[]){ 0, 0 }, 0);
}

static void addup_put_arc(struct addup_output *output, const struct addup_count *count)
{
	uint64_t left = count->n;

	do {
		uint32_t part = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;

		addup_put_byte(output, GMON_ARC);
		addup_put(output, &count->from, sizeof(count->from));
		addup_put(output, &count->self, sizeof(count->self));
		addup_put_u32(output, part);
		left -= part;
	} while (left);
}

/* Writes one record, or several if the count is too wide for one; readers add them up. */
static void addup_put_block(struct addup_output *output, const struct addup_count *count)
{
	for (uint64_t left = count->n; left;) {
		uintptr_t part = left < UINTPTR_MAX ? (uintptr_t)left : UINTPTR_MAX;

		addup_put_byte(output, GMON_BLOCKS);
		addup_put_u32(output, 1);
		addup_put(output, &count->from, sizeof(count->from));
		addup_put(output, &part, sizeof(part));
		left -= part;
	}
}

static int addup_by_address(const void *a, const void *b)
{
	const struct addup_count *one = a, *other = b;

	if (one->from != other->from)
		return one->from < other->from ? -1 : 1;
	return (one->self > other->self) - (one->self < other->self);
}

static int addup_by_place(const void *a, const void *b)
{
	const struct addup_range *one = a, *other = b;

	return (one->low > other->low) - (one->low < other->low);
}

/* Writes the whole file: arcs first, then blocks, whose `self` is 0. */
static void addup_put_all(struct addup_output *output, const struct addup *sum)
{
	static const struct addup_count no_arc;
	static const unsigned char zeros[GMON_HEADER_BYTES - 8];
	bool any = false;

	output->used = 0;
	addup_put(output, GMON_MAGIC, 4);
	addup_put_u32(output, GMON_VERSION);
	addup_put(output, zeros, sizeof(zeros));
	for (size_t i = 0; i < sum->nranges; i++)
		addup_put_range(output, sum, &sum->range[i],
				(const size_t[]){ 0, addup_bins(&sum->range[i]) });
	if (!sum->nranges)
		addup_put_no_range(output, sum);
	for (size_t i = 0; i < sum->ncounts; i++)
		if (sum->count[i].self) {
			addup_put_arc(output, &sum->count[i]);
			any = true;
		}
	if (!any)
		addup_put_arc(output, &no_arc);
	for (size_t i = 0; i < sum->ncounts; i++)
		if (!sum->count[i].self)
			addup_put_block(output, &sum->count[i]);
}

unsigned char *addup_write(const struct addup *sum, size_t *n)
{
	struct addup sorted = *sum;
	struct addup_output output = { NULL, 0 };
	size_t used = 0;

	sorted.range = malloc((sum->nranges + 1) * sizeof(sorted.range[0]));
	sorted.count = malloc((sum->ncounts + 1) * sizeof(sorted.count[0]));
	if (sorted.range && sorted.count) {
		if (sum->nranges)
			memcpy(sorted.range, sum->range, sum->nranges * sizeof(sum->range[0]));
		for (size_t i = 0; i < sum->room; i++)
			if (sum->count[i].n)
				sorted.count[used++] = sum->count[i];
		qsort(sorted.range, sum->nranges, sizeof(sorted.range[0]), addup_by_place);
		qsort(sorted.count, used, sizeof(sorted.count[0]), addup_by_address);
		addup_put_all(&output, &sorted);
		output.bytes = malloc(output.used);
		if (output.bytes)
			addup_put_all(&output, &sorted);
	}
	free(sorted.range);
	free(sorted.count);
	*n = output.used;
	return output.bytes;
}

void addup_free(struct addup *sum)
{
	for (size_t i = 0; i < sum->nranges; i++)
		free(sum->range[i].ticks);
	free(sum->range);
	free(sum->count);
}

/* SPDX-License-Identifier: MIT */
/*
 * The bytes of gmon.out. See encode.h.
 *
 * Counts above 32 bits and bins above 16 bits become several records, which readers add up. A
 * histogram is one record unless a bin overflows; then it is halved, as far down as BINS_SPAN, so
 * that only the span around that bin is written more than once.
 */
#include "write/encode.h"

#include <gmon_out.h>

#include "base/sandbox.h"
#include "base/text.h"
#include "sample/clock.h"
#include "state.h"
#include "write/file.h"
#include "write/merge.h"

_Static_assert(GMON_UNKNOWN_BEFORE / 2 == 2 * GMON_LIVE_BIN_CODE, "two bins");

enum { MAX_TICKS = UINT16_MAX };

/* More ticks than chance, or CPU time from before the recording, can add. */
enum { FEW_TICKS = 1 << 22 };

struct encode_source encode_time(const struct program *object, const struct bins *bins)
{
	bool closed = sandbox_closed(); /* if it is closed, asking for the CPU time may kill */
	uint64_t ticks = closed ? 0 : clock_used_ms() * gmon.settings.rate / 1000;

	return (struct encode_source){ object, bins, NULL,
				       closed ? UINT64_MAX : 2 * ticks + FEW_TICKS };
}

static void encode_byte(struct file_writer *file, unsigned char byte)
{
	file_put(file, &byte, 1);
}

static void encode_u16(struct file_writer *file, uint16_t number)
{
	file_put(file, &number, sizeof(number));
}

static void encode_u32(struct file_writer *file, uint32_t number)
{
	file_put(file, &number, sizeof(number));
}

static void encode_address(struct file_writer *file, uintptr_t address)
{
	file_put(file, &address, sizeof(address));
}

/* `stamp` is FNV-1a of the arcs if they are in the order of their first calls, else NULL. */
static void encode_header(struct file_writer *file, const uint64_t *stamp)
{
	const uint64_t none = 0;

	file_put(file, GMON_MAGIC, 4);
	encode_u32(file, GMON_VERSION);
	encode_u32(file, stamp ? GMON_IN_ORDER : 0);
	file_put(file, stamp ? stamp : &none, sizeof(none));
}

static uint32_t encode_rate(const struct encode_source *source)
{
	return source->dimension ? 1 : gmon.settings.rate;
}

/* Writes the dimension's name, padded with zeros, and its abbreviation. */
static void encode_dimension(struct file_writer *file, const struct encode_source *source)
{
	const char *name = source->dimension ? source->dimension : "seconds";
	char dimension[GMON_DIMENSION_BYTES + 1];
	struct text text = text_in(dimension, sizeof(dimension));

	for (size_t i = 0; i < sizeof(dimension); i++)
		((volatile char *)dimension)[i] = '\0';
	text_add(&text, name);
	file_put(file, dimension, GMON_DIMENSION_BYTES);
	encode_byte(file, (unsigned char)(source->dimension ? gmon.event.abbreviation : 's'));
}

/* Writes what precedes the n bins of a histogram record. */
static void encode_range_head(struct file_writer *file, const struct encode_source *source,
			      uintptr_t low, size_t n)
{
	encode_byte(file, GMON_HIST);
	encode_address(file, low);
	encode_address(file, low + GMON_LIVE_BIN_CODE * n);
	encode_u32(file, (uint32_t)n);
	encode_u32(file, encode_rate(source));
	encode_dimension(file, source);
}

/* Returns `ticks`; 0, after a line on stderr, if the program cannot have used so much time. */
static uint64_t encode_plausible(const struct encode_source *source, uint64_t ticks)
{
	if (ticks <= source->most)
		return ticks;
	count_block_say_spoiled();
	return 0;
}

static uint32_t encode_ticks(const struct encode_source *source, size_t i)
{
	return (uint32_t)encode_plausible(source, bins_ticks(source->bins, i));
}

/* Returns the largest of the n bins from `first` on. */
static uint32_t encode_most(const struct encode_source *source, size_t first, size_t n)
{
	uint32_t most = 0;

	for (size_t i = first; i < first + n; i++) {
		uint32_t ticks = encode_ticks(source, i);

		most = ticks > most ? ticks : most;
	}
	return most;
}

/* Returns the part of a bin's ticks that record number `part` of a range contains. */
static uint16_t encode_part_of(uint32_t ticks, uint32_t part)
{
	uint64_t before = (uint64_t)part * MAX_TICKS;

	if (ticks <= before)
		return 0;
	return ticks - before < MAX_TICKS ? (uint16_t)(ticks - before) : MAX_TICKS;
}

/*
 * Writes the bins [first, first + n) in as many records as needed. Recurses log2(n / BINS_SPAN)
 * deep.
 */
static void encode_ranges(struct file_writer *file, const struct encode_source *source,
			  size_t first, size_t n)
{
	const struct bins *bins = source->bins;
	uintptr_t low = bins->head.low - source->object->bias + GMON_LIVE_BIN_CODE * first;
	uint32_t most = encode_most(source, first, n);

	if (most > MAX_TICKS && n > BINS_SPAN) {
		encode_ranges(file, source, first, n / 2);
		encode_ranges(file, source, first + n / 2, n - n / 2);
		return;
	}
	for (uint32_t part = 0; part == 0 || (uint64_t)part * MAX_TICKS < most; part++) {
		encode_range_head(file, source, low, n);
		for (size_t i = first; i < first + n; i++)
			encode_u16(file, encode_part_of(encode_ticks(source, i), part));
	}
}

static bool encode_is_wanted(const struct encode_source *source, size_t first, size_t n)
{
	return (!gmon.ticked || gmon.ticked[first / BINS_SPAN]) && encode_most(source, first, n);
}

/*
 * Writes only the spans that have ticks, or the first one if none has. Spans begin at the same
 * addresses in all profiles of a program, so that their ranges can be added up.
 */
static void encode_sparsely(struct file_writer *file, const struct encode_source *source)
{
	size_t all = bins_number(source->bins);
	bool any = false;

	for (size_t first = 0; first < all; first += BINS_SPAN) {
		size_t n = all - first < BINS_SPAN ? all - first : BINS_SPAN;

		if (!encode_is_wanted(source, first, n))
			continue;
		encode_ranges(file, source, first, n);
		any = true;
	}
	if (!any)
		encode_ranges(file, source, 0, all < BINS_SPAN ? all : BINS_SPAN);
}

/* If there are no bins, an empty histogram is written: GNU gprof refuses a file without any. */
static void encode_histogram(struct file_writer *file, const struct encode_source *source)
{
	if (source->bins && gmon.settings.run)
		encode_sparsely(file, source);
	else if (source->bins)
		encode_ranges(file, source, 0, bins_number(source->bins));
	else
		encode_range_head(file, source, (uintptr_t)0 - source->object->bias, 0);
}

/* Writes the ticks for which no sample was taken; only in the program's own file. */
static void encode_unknown(struct file_writer *file, const struct encode_source *source)
{
	bool program = source->object == &gmon.program && !source->dimension;
	uint64_t left = program ? encode_plausible(source, merge_unknown_ticks()) : 0;

	while (left > 0) {
		uint16_t part = left < MAX_TICKS ? (uint16_t)left : MAX_TICKS;

		encode_range_head(file, source, (uintptr_t)0 - GMON_UNKNOWN_BEFORE, 2);
		encode_u16(file, part);
		encode_u16(file, 0);
		left -= part;
	}
}

static void encode_arc_record(struct file_writer *file, uintptr_t from, uintptr_t self, uint32_t n)
{
	encode_byte(file, GMON_ARC);
	encode_address(file, from);
	encode_address(file, self);
	encode_u32(file, n);
}

struct encode_arcs {
	struct file_writer *file; /* NULL: only the stamp is wanted */
	uint64_t stamp;
	bool any;
};

static void encode_arc(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	struct encode_arcs *arcs = context;

	if (self <= CELL_MARKS)
		return;
	arcs->any = true;
	for (uint64_t left = count; left > 0;) {
		uint32_t part = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;

		if (arcs->file)
			encode_arc_record(arcs->file, from, self, part);
		arcs->stamp = gmon_order_stamp(arcs->stamp, from, self);
		left -= part;
	}
}

/*
 * Writes all records of arcs; an empty record if there is none, as GNU gprof refuses a file without
 * arcs. Returns their stamp.
 */
static uint64_t encode_arcs(struct file_writer *file, const struct merged *merged,
			    const struct program *object)
{
	struct encode_arcs arcs = { .file = file, .stamp = GMON_ORDER_STAMP_START };

	merge_each(merged, object, encode_arc, &arcs);
	if (arcs.any)
		return arcs.stamp;
	if (file)
		encode_arc_record(file, 0, 0, 0);
	return gmon_order_stamp(arcs.stamp, 0, 0);
}

/* Returns how many entries a count takes; in the file, counts are as wide as addresses. */
static uint32_t encode_block_parts(uint64_t count)
{
	return count ? (uint32_t)((count - 1) / UINTPTR_MAX) + 1 : 0;
}

struct encode_blocks {
	struct file_writer *file;
	bool single; /* each entry is written as its own record */
	uint32_t n;  /* number of entries */
};

static void encode_count_block(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	struct encode_blocks *blocks = context;

	(void)from;
	if (self == CELL_BLOCK)
		blocks->n += encode_block_parts(count);
}

static void encode_block(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	const struct encode_blocks *blocks = context;

	if (self != CELL_BLOCK)
		return;
	for (uint64_t left = count; left > 0;) {
		uintptr_t part = left < UINTPTR_MAX ? (uintptr_t)left : UINTPTR_MAX;

		if (blocks->single) {
			encode_byte(blocks->file, GMON_BLOCKS);
			encode_u32(blocks->file, 1);
		}
		encode_address(blocks->file, from);
		encode_address(blocks->file, part);
		left -= part;
	}
}

/* Tables that could not be merged may change while they are read, so the number of entries is not
 * known beforehand. */
static void encode_all_blocks(struct file_writer *file, const struct merged *merged,
			      const struct program *object)
{
	struct encode_blocks blocks = { .file = file, .single = !merged->table };

	if (merged->table) {
		merge_each(merged, object, encode_count_block, &blocks);
		if (blocks.n == 0)
			return;
		encode_byte(file, GMON_BLOCKS);
		encode_u32(file, blocks.n);
	}
	merge_each(merged, object, encode_block, &blocks);
}

void encode_profile(struct file_writer *file, const void *what)
{
	const struct encode_source *source = what;
	struct merged merged = merge_tables(source->object);
	uint64_t stamp = 0;

	if (merged.order.n)
		stamp = encode_arcs(NULL, &merged, source->object);
	encode_header(file, merged.order.n ? &stamp : NULL);
	encode_histogram(file, source);
	encode_unknown(file, source);
	encode_arcs(file, &merged, source->object);
	encode_all_blocks(file, &merged, source->object);
	merge_free(&merged);
}

/* SPDX-License-Identifier: MIT */
/*
 * A profile's way out: the records of a gmon.out, one after another, of which
 *
 *   gmon_dump()        hands on blocks
 *   gmon_dump_text()   makes lines of 57 bytes (gmon_text.h)
 *
 * Nothing is kept of it but one line.
 */
#include "gmon_embedded.h"
#include "gmon_state.h"

#include "gmon_ext.h"
#include "gmon_out.h"
#include "gmon_text.h"

struct gmon_writer {
	gmon_write *write; /* NULL: text */
	gmon_put *put;
	void *context;
	int failed; /* what a callback returned */
	unsigned n;
	unsigned char block[GMON_TEXT_LINE_BYTES];
	uint32_t nlines, crc;
	uint64_t stamp; /* of all bytes, if there are stacks */
};

/* Each writes at `at` and returns the place behind it. */
static GMON_PLAIN char *gmon_put_hex(char *at, uint32_t value, unsigned digits)
{
	while (digits-- > 0)
		*at++ = "0123456789abcdef"[value >> 4 * digits & 15];
	return at;
}

/* Small processors have no division. */
static GMON_PLAIN char *gmon_put_decimal(char *at, uint32_t value)
{
	static const uint32_t tens[] = { 1000000000, 100000000, 10000000, 1000000, 100000,
					 10000,      1000,      100,      10,      1 };
	const char *begin = at;

	for (unsigned i = 0; i < sizeof(tens) / sizeof(tens[0]); i++) {
		char digit = '0';

		for (; value >= tens[i]; value -= tens[i])
			digit++;
		if (digit > '0' || at > begin || tens[i] == 1)
			*at++ = digit;
	}
	return at;
}

static GMON_PLAIN char *gmon_put_word(char *at, const char *word)
{
	while (*word)
		*at++ = *word++;
	return at;
}

static GMON_PLAIN void gmon_put_line(struct gmon_writer *w, const char *line)
{
	if (!w->failed)
		w->failed = w->put(w->context, line);
}

static GMON_PLAIN char *gmon_put_base64(char *at, const unsigned char *bytes, unsigned n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (unsigned i = 0; i < n; i += 3) {
		uint32_t three = (uint32_t)bytes[i] << 16;

		if (i + 1 < n)
			three |= (uint32_t)bytes[i + 1] << 8;
		if (i + 2 < n)
			three |= bytes[i + 2];
		*at++ = digits[three >> 18];
		*at++ = digits[three >> 12 & 63];
		*at++ = i + 1 < n ? digits[three >> 6 & 63] : '=';
		*at++ = i + 2 < n ? digits[three & 63] : '=';
	}
	return at;
}

static GMON_PLAIN uint32_t gmon_add_crc(uint32_t crc, const unsigned char *bytes, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		crc ^= bytes[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
	}
	return crc;
}

static GMON_PLAIN uint64_t gmon_add_stamp(uint64_t stamp, const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		stamp = (stamp ^ bytes[i]) * GMON_EXT_STAMP_FACTOR;
	return stamp;
}

/* Hands on what is in the block. */
static GMON_PLAIN void gmon_flush(struct gmon_writer *w)
{
	char line[GMON_LINE_MOST + 1], *at = line;

	if (w->n == 0 || w->failed)
		return;
	if (w->write) {
		w->failed = w->write(w->context, w->block, w->n);
	} else {
		at = gmon_put_base64(at, w->block, w->n);
		*at++ = ':';
		at = gmon_put_hex(at, gmon_text_sum(w->block, w->n, w->nlines), 4);
		*at = 0;
		gmon_put_line(w, line);
		w->crc = gmon_add_crc(w->crc, w->block, w->n);
		w->nlines++;
	}
	w->n = 0;
}

GMON_PLAIN void gmon_put_bytes(struct gmon_writer *w, const void *bytes, size_t n)
{
	const unsigned char *from = bytes;

	if (GMON_HAS_STACKS)
		w->stamp = gmon_add_stamp(w->stamp, from, n);
	if (w->write && n > sizeof(w->block)) {
		gmon_flush(w);
		if (!w->failed)
			w->failed = w->write(w->context, bytes, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		w->block[w->n++] = from[i];
		if (w->n == sizeof(w->block))
			gmon_flush(w);
	}
}

static GMON_PLAIN void gmon_put_address(struct gmon_writer *w, uintptr_t address)
{
	gmon_put_bytes(w, &address, sizeof(address));
}

static GMON_PLAIN void gmon_put_tag(struct gmon_writer *w, enum gmon_tag tag)
{
	unsigned char byte = (unsigned char)tag;

	gmon_put_bytes(w, &byte, 1);
}

static GMON_PLAIN void gmon_put_span(struct gmon_writer *w, const struct gmon_span *span)
{
	const struct gmon_state *s = &gmon_state;
	uint32_t nbins = (uint32_t)(span->bytes >> span->shift);

	gmon_put_tag(w, GMON_HIST);
	gmon_put_address(w, span->low);
	gmon_put_address(w, span->low + span->bytes);
	gmon_put_u32(w, nbins);
	gmon_put_u32(w, s->rate);
	gmon_put_bytes(w, "seconds\0\0\0\0\0\0\0\0s", GMON_DIMENSION_BYTES + 1);
	gmon_put_bytes(w, (const char *)s->bins + span->first * sizeof(uint16_t),
		       nbins * sizeof(uint16_t));
}

/* Thumb code has odd addresses where it is called. */
static GMON_PLAIN uintptr_t gmon_code_address(uintptr_t address)
{
#if defined(__thumb__)
	return address & ~(uintptr_t)1;
#else
	return address;
#endif
}

static GMON_PLAIN void gmon_put_arc(struct gmon_writer *w, uintptr_t from, uintptr_t self,
				    uint32_t count)
{
	gmon_put_tag(w, GMON_ARC);
	gmon_put_address(w, gmon_code_address(from));
	gmon_put_address(w, gmon_code_address(self));
	gmon_put_u32(w, count);
}

/* How many records of arcs there are, and what was lost, when counting paused. Calls that were
 * under way then may still be counted. */
struct gmon_totals {
	unsigned narcs;
	uint32_t dropped, saturated, outside;
};

static GMON_PLAIN struct gmon_totals gmon_pause(void)
{
	const struct gmon_state *s = &gmon_state;
	struct gmon_totals totals = { .narcs = 0 };

	gmon_control(0);
	for (const struct gmon_cell *cell = s->cells; cell < s->end; cell++)
		totals.narcs += cell->count > 0;
	totals.dropped = s->dropped;
	totals.saturated = s->saturated;
	totals.outside = s->outside;
	return totals;
}

/* The caller is a function of the program: gprof leaves out calls from elsewhere. */
static GMON_PLAIN void gmon_put_lost(struct gmon_writer *w, uintptr_t who, void (*what)(void),
				     uint32_t n)
{
	if (n > 0)
		gmon_put_arc(w, who, (uintptr_t)what, n);
}

static GMON_PLAIN void gmon_put_all(struct gmon_writer *w, const struct gmon_totals *totals)
{
	const struct gmon_state *s = &gmon_state;
	unsigned left = totals->narcs;

	gmon_put_bytes(w, GMON_MAGIC, 4);
	gmon_put_u32(w, GMON_VERSION);
	gmon_put_bytes(w, "\0\0\0\0\0\0\0\0\0\0\0", GMON_HEADER_BYTES - 8);
	for (const struct gmon_span *span = s->spans; span < s->spans_end; span++)
		gmon_put_span(w, span);
	for (const struct gmon_cell *cell = s->cells; cell < s->end && left > 0; cell++) {
		if (cell->count == 0)
			continue;
		gmon_put_arc(w, -cell->key, cell->self, cell->count);
		left--;
	}
	gmon_put_lost(w, (uintptr_t)gmon_count, gmon_dropped, totals->dropped);
	gmon_put_lost(w, (uintptr_t)gmon_tick, gmon_saturated, totals->saturated);
	gmon_put_lost(w, (uintptr_t)gmon_tick, gmon_outside, totals->outside);
	gmon_flush(w);
}

static GMON_PLAIN size_t gmon_length(const struct gmon_totals *totals)
{
	const struct gmon_state *s = &gmon_state;
	const size_t arc = 1 + 2 * sizeof(uintptr_t) + 4;
	const size_t span = 1 + 2 * sizeof(uintptr_t) + 8 + GMON_DIMENSION_BYTES + 1;
	unsigned narcs = totals->narcs;

	narcs += totals->dropped > 0;
	narcs += totals->saturated > 0;
	narcs += totals->outside > 0;
	return GMON_HEADER_BYTES + (size_t)(s->spans_end - s->spans) * span +
	       s->nbins * sizeof(uint16_t) + narcs * arc;
}

GMON_PLAIN int gmon_dump(gmon_write *write, void *context)
{
	struct gmon_writer w = { .write = write,
				 .context = context,
				 .stamp = GMON_EXT_STAMP_START };
	uint32_t on = gmon_state.on;
	struct gmon_totals totals;

	if (gmon_state.nbins == 0)
		return -1;
	totals = gmon_pause();
	gmon_put_all(&w, &totals);
	gmon_state.stamp = w.stamp;
	gmon_control(on == GMON_ON);
	return w.failed;
}

#ifdef GMON_STACKS
GMON_PLAIN int gmon_dump_stacks(gmon_write *write, void *context)
{
	struct gmon_writer w = { .write = write, .context = context };
	uint32_t on = gmon_state.on;

	if (gmon_state.stamp == 0)
		return -1;
	gmon_control(0);
	gmon_put_stacks(&w, gmon_state.stamp);
	gmon_flush(&w);
	gmon_control(on == GMON_ON);
	return w.failed;
}
#endif

/* The first line and the last one of `bytes` bytes as text. */
static GMON_PLAIN void gmon_begin_text(struct gmon_writer *w, const char *begin, size_t bytes)
{
	char line[GMON_LINE_MOST + 1];

	w->nlines = 0;
	w->crc = UINT32_MAX;
	*gmon_put_decimal(gmon_put_word(line, begin), (uint32_t)bytes) = 0;
	gmon_put_line(w, line);
}

static GMON_PLAIN void gmon_end_text(struct gmon_writer *w)
{
	char line[GMON_LINE_MOST + 1];

	gmon_flush(w);
	*gmon_put_hex(gmon_put_word(line, GMON_TEXT_END), ~w->crc, 8) = 0;
	gmon_put_line(w, line);
}

GMON_PLAIN int gmon_dump_text(gmon_put *put, void *context)
{
	struct gmon_writer w = { .put = put, .context = context, .stamp = GMON_EXT_STAMP_START };
	uint32_t on = gmon_state.on;
	struct gmon_totals totals;

	if (gmon_state.nbins == 0)
		return -1;
	totals = gmon_pause();
	gmon_begin_text(&w, GMON_TEXT_BEGIN, gmon_length(&totals));
	gmon_put_all(&w, &totals);
	gmon_end_text(&w);
	if (GMON_HAS_STACKS) {
		gmon_begin_text(&w, GMON_TEXT_BEGIN_STACKS, gmon_stacks_length());
		gmon_put_stacks(&w, w.stamp);
		gmon_end_text(&w);
	}
	gmon_control(on == GMON_ON);
	return w.failed;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gmonfile.h"

#include <string.h>

enum { TAG_HIST = 0, TAG_ARC = 1, TAG_BLOCKS = 2, BSD44_VERSION = 0x51879 };

void gmon_put_header(struct bytes *out, uint32_t version)
{
	bytes_add(out, "gmon", 4);
	bytes_put(out, version, 4);
	bytes_fill(out, 0, 12);
}

void gmon_put_hist(struct bytes *out, unsigned width, const struct gmon_hist *hist)
{
	char dimension[GMON_DIMENSION] = { 0 };

	memcpy(dimension, hist->dimension, strnlen(hist->dimension, GMON_DIMENSION));
	bytes_put(out, TAG_HIST, 1);
	bytes_put(out, hist->lo, width);
	bytes_put(out, hist->hi, width);
	bytes_put(out, hist->nbins, 4);
	bytes_put(out, hist->rate, 4);
	bytes_add(out, dimension, sizeof(dimension));
	bytes_put(out, (unsigned char)hist->abbreviation, 1);
	for (uint32_t i = 0; i < hist->nbins; i++)
		bytes_put(out, hist->bins[i], 2);
}

void gmon_put_arc(struct bytes *out, unsigned width, uint64_t from, uint64_t self, uint32_t count)
{
	bytes_put(out, TAG_ARC, 1);
	bytes_put(out, from, width);
	bytes_put(out, self, width);
	bytes_put(out, count, 4);
}

void gmon_put_blocks(struct bytes *out, unsigned width, const uint64_t *pairs, uint32_t n)
{
	bytes_put(out, TAG_BLOCKS, 1);
	bytes_put(out, n, 4);
	for (uint32_t i = 0; i < 2 * n; i++)
		bytes_put(out, pairs[i], width);
}

void gmon_put_bsd(struct bytes *out, unsigned width, enum gmon_layout layout,
		  const struct gmon_hist *hist)
{
	bool is_44 = layout == GMON_BSD44;
	unsigned header = 2 * width + 4 + (is_44 ? 20 : 0);

	bytes_put(out, hist->lo, width);
	bytes_put(out, hist->hi, width);
	bytes_put(out, header + 2 * hist->nbins, 4);
	if (is_44) {
		bytes_put(out, BSD44_VERSION, 4);
		bytes_put(out, hist->rate, 4);
		bytes_fill(out, 0, 12);
	}
	for (uint32_t i = 0; i < hist->nbins; i++)
		bytes_put(out, hist->bins[i], 2);
}

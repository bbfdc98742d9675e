/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the records of a gmon.out file, version 1, and those of BSD. The block of bytes carries
 * the byte order; `width` is the size of an address, 4 or 8.
 */
#ifndef TESTS_TOOLS_GMONFILE_H
#define TESTS_TOOLS_GMONFILE_H

#include "bytes.h"

enum { GMON_MAX_BIN = 65535, GMON_DIMENSION = 15 };

/* dimension has at most GMON_DIMENSION bytes; no bin is above GMON_MAX_BIN. */
struct gmon_hist {
	uint64_t lo, hi;
	uint32_t nbins, rate;
	const char *dimension;
	char abbreviation;
	uint32_t *bins;
};

void gmon_put_header(struct bytes *out, uint32_t version);
void gmon_put_hist(struct bytes *out, unsigned width, const struct gmon_hist *hist);
void gmon_put_arc(struct bytes *out, unsigned width, uint64_t from, uint64_t self, uint32_t count);

/* `pairs` is n times address and count. */
void gmon_put_blocks(struct bytes *out, unsigned width, const uint64_t *pairs, uint32_t n);

/* The layouts of data files: records with tags, and the two of BSD: header, bins, then arcs. */
enum gmon_layout { GMON_TAGGED, GMON_OLD_BSD, GMON_BSD44 };

/* Header and bins; arcs, three fields of `width` bytes each, may follow. Old BSD has no rate. */
void gmon_put_bsd(struct bytes *out, unsigned width, enum gmon_layout layout,
		  const struct gmon_hist *hist);

#endif

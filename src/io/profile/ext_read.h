/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of gmon.out.ext: see gmon_ext.h. */
#ifndef IO_EXT_READ_H
#define IO_EXT_READ_H

#include "base/diag.h"
#include "model/recorded.h"
#include "model/target.h"

#include <stdbool.h>
#include <stddef.h>

/* What the file has to fit. */
struct ext_expected {
	const struct target *target;
	uint64_t stamp; /* of the profile */
	uint64_t size;  /* of the file */
	const char *name;
	struct diag *diag;
};

/* The stamp of a profile of these bytes, or of what follows those of a stamp. Linear. */
uint64_t ext_stamp(uint64_t before, const unsigned char *bytes, size_t size);

/* Whether a file that begins with these bytes is of this format. */
bool ext_has_magic(const unsigned char *bytes, size_t size);

/*
 * Whether the file that begins with these n bytes, at least its head, can be what is expected. 0,
 * or -1 with a warning.
 */
int ext_check(const unsigned char *bytes, size_t n, const struct ext_expected *expected);

/*
 * Makes rec of the whole file at `bytes`, of either byte order; what it has lives in mem and does
 * not point into bytes. Sections that are not known, and the rest of longer records, are passed
 * over. 0, or -1 with a warning, and rec is good for nothing. Linear, but n log n in sections.
 */
int ext_read(struct recorded *rec, const unsigned char *bytes, const struct ext_expected *expected,
	     struct arena *mem);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads gmon.out.ext: see gmon_ext.h. */
#ifndef IO_PROFILE_EXT_READ_H
#define IO_PROFILE_EXT_READ_H

#include "io/profile/ext_sections.h"
#include "model/recorded.h"

/*
 * Makes *rec of the whole file at `bytes`, of either byte order. The result lives in mem and does
 * not point into `bytes`. Unknown sections, and the rest of longer records, are skipped. Returns 0;
 * or -1 with a warning, and *rec must not be used. Linear; n log n in sections and modules.
 */
int ext_read(struct recorded *rec, const unsigned char *bytes, const struct ext_expected *expected,
	     struct arena *mem);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects what --explain needs to know about a program and its data. Slow, since it decodes all
 * code. */
#ifndef IO_IMAGE_EVIDENCE_H
#define IO_IMAGE_EVIDENCE_H

#include "io/image/image.h"
#include "model/evidence.h"

/*
 * Collects evidence about an image and the data files that prof was read from, in mem. Facts that
 * cannot be found out are left out; nothing fails. If there is a single data file, files that
 * nearby_find() finds beside it are read, too. n log n in the image.
 */
struct evidence evidence_gather(struct image *image, const char *path, const struct profile *prof,
				struct progress *progress, struct arena *mem);

/* The first of n data files that does not exist, or NULL. */
const char *evidence_missing(const char *const *files, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking for what may be wrong: slow, for it decodes all code. */
#ifndef IO_IMAGE_EVIDENCE_H
#define IO_IMAGE_EVIDENCE_H

#include "io/image/image.h"
#include "model/evidence.h"

/*
 * What can be found out about an image and the data files that prof was read from, in mem. What is
 * not known is left out; nothing fails. n log n in the image; of a single data file, those that
 * nearby_find() finds are read, too.
 */
struct evidence evidence_gather(struct image *image, const char *path, const struct profile *prof,
				struct progress *progress, struct arena *mem);

/* The first of n data files that does not exist, or NULL. */
const char *evidence_missing(const char *const *files, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of an image's debug information could not be read, so that source lines are missing. */
#ifndef IO_IMAGE_LINE_DAMAGE_H
#define IO_IMAGE_LINE_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/* All zeros: nothing is damaged. */
struct line_damage {
	const char *path;    /* of the file */
	const char *section; /* that of the first damage that was met; the others are counted */
	uint64_t at;         /* a byte in it, as it is when decompressed */
	const char *cause;   /* in words; a string that lasts */
	size_t nplaces;
};

/* Adds one. */
static inline void line_damage_add(struct line_damage *damage, const char *section, uint64_t at,
				   const char *cause)
{
	if (damage->nplaces++ > 0)
		return;
	damage->section = section;
	damage->at = at;
	damage->cause = cause;
}

#endif

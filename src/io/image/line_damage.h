/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of an image's debug information could not be read; its source lines are missing. */
#ifndef IO_IMAGE_LINE_DAMAGE_H
#define IO_IMAGE_LINE_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/* All zeros: no damage. */
struct line_damage {
	const char *path;    /* the file */
	const char *section; /* section of the first damage; other damage is only counted */
	uint64_t at;         /* offset in the section, decompressed */
	const char *cause;   /* a constant string, in words */
	size_t nplaces;
};

/* Adds one damage. */
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

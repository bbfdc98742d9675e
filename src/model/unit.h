/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tick is. */
#ifndef MODEL_UNIT_H
#define MODEL_UNIT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* rate 0 means that none was recorded; then ticks are shown as such. */
struct unit {
	uint32_t rate;      /* ticks a unit of the dimension */
	char dimension[16]; /* such as "seconds" */
	char abbrev;        /* such as 's' */
};

/*
 * Whether ticks are events that were all counted, as GMON=event has them: each is one of a
 * dimension that is no time. Thousands and more, such as "Mcycles", are where every so many of them
 * was seen: samples.
 */
static inline bool unit_is_of_events(const struct unit *unit)
{
	const char *name = unit->dimension;
	bool scaled = name[0] && strchr("kMG", name[0]) && name[1] >= 'a' && name[1] <= 'z';

	return unit->rate == 1 && name[0] && !scaled && strcmp(name, "seconds") != 0;
}

#endif

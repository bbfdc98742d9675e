/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tick measures. */
#ifndef MODEL_UNIT_H
#define MODEL_UNIT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The unit of ticks. */
struct unit {
	uint32_t rate; /* ticks per unit of the dimension; 0: not recorded, so ticks are shown as
			  such */
	char dimension[16]; /* such as "seconds" */
	char abbrev;        /* such as 's' */
};

/* Whether ticks are events (GMON=event), whose unit has a dimension other than time. */
static inline bool unit_is_of_events(const struct unit *unit)
{
	return unit->rate == 1 && unit->dimension[0] && strcmp(unit->dimension, "seconds") != 0;
}

/*
 * Whether all events were counted. Events were sampled instead if the unit is thousands or more,
 * such as "Mcycles", or the abbreviation is a capital letter.
 */
static inline bool unit_is_counted(const struct unit *unit)
{
	const char *name = unit->dimension;
	bool scaled = name[0] && strchr("kMG", name[0]) && name[1] >= 'a' && name[1] <= 'z';
	bool capital = unit->abbrev >= 'A' && unit->abbrev <= 'Z';

	return unit_is_of_events(unit) && !scaled && !capital;
}

#endif

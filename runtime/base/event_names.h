/* SPDX-License-Identifier: MIT */
/*
 * What GMON=event can count.
 *
 * What the kernel counts when it takes a thread off its CPU (context-switches, cpu-migrations) is
 * not here: the signal would come to a thread that has just begun to wait, and end that (EINTR).
 *
 * Nor is its own sum of page faults (PERF_COUNT_SW_PAGE_FAULTS), which it counts before it looks
 * for the page. If it then has to look again, it sends the signal first, and so for ever: the
 * program hangs. Minor and major ones are counted when the page is there.
 */
#ifndef BASE_EVENT_NAMES_H
#define BASE_EVENT_NAMES_H

#include <stddef.h>
#include <stdint.h>

enum { EVENT_NAME_BYTES = 14, EVENT_COUNTERS = 2 /* at most */ };

struct event_name {
	const char *name;      /* of the event, and behind that of the profile */
	const char *unit;      /* the same in EVENT_NAME_BYTES at most, with a letter in front */
	uint32_t type, config; /* the kernel's numbers */
	uint32_t also;         /* a second config, whose counts are added; 0: none */
	uint32_t period;       /* so many are one sample, if nobody says otherwise */
};

/* By the first n letters of a name; NULL: none is called so. */
const struct event_name *event_names_find(const char *name, size_t n);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The events that GMON=event can count.
 *
 * Events of the kernel that take a thread off its CPU (context-switches, cpu-migrations) are left
 * out: their signal would reach a thread that has just begun to wait, and end its wait with EINTR.
 *
 * So is the kernel's sum of page faults (PERF_COUNT_SW_PAGE_FAULTS), which counts a fault before
 * the page is there. If the kernel then has to try again, it delivers the signal first, counts the
 * same fault again, and so on: the program hangs. Minor and major faults are counted when the page
 * is there.
 */
#ifndef BASE_EVENT_NAMES_H
#define BASE_EVENT_NAMES_H

#include <stddef.h>
#include <stdint.h>

enum { EVENT_COUNTERS = 2 /* at most */ };

struct event_name {
	const char *name;      /* the key's value, and what is added to the profile's name */
	const char *unit;      /* a name for reports, of at most 14 bytes with a prefix */
	uint32_t type, config; /* the kernel's numbers */
	uint32_t also;         /* a second config, whose counts are added; 0: none */
	uint32_t period;       /* events to a sample, unless the user gives a number */
};

/* The event whose name is the n characters at `name`, or NULL. */
const struct event_name *event_names_find(const char *name, size_t n);

#endif

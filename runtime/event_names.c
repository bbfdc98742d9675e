/* SPDX-License-Identifier: MIT */
/* Events. See event_names.h. */
#include "event_names.h"

#include <linux/perf_event.h>

enum { KILO = 1000, MEGA = 1000000 };

static const struct event_name events[] = {
	{ "page-faults", "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1 },
	{ "minor-faults", "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 1 },
	{ "major-faults", "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1 },
	{ "alignment-faults", "align-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS,
	  1 },
	{ "emulation-faults", "emul-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS,
	  1 },
	{ "cycles", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, MEGA },
	{ "instructions", "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, MEGA },
	{ "branches", "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, MEGA },
	{ "branch-misses", "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, KILO },
	{ "cache-references", "cache-refs", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES,
	  KILO },
	{ "cache-misses", "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, KILO },
	{ "stalled-cycles", "stalls", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	  MEGA },
};

static int event_names_is(const char *whole, const char *name, size_t n)
{
	size_t i = 0;

	while (i < n && whole[i] == name[i] && whole[i])
		i++;
	return i == n && !whole[i];
}

const struct event_name *event_names_find(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (event_names_is(events[i].name, name, n))
			return &events[i];
	return NULL;
}

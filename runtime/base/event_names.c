/* SPDX-License-Identifier: MIT */
/* The table of events. See event_names.h. */
#include "base/event_names.h"

#include <linux/perf_event.h>

#include "base/text.h"

enum { KILO = 1000, MEGA = 1000000 };

enum { SW = PERF_TYPE_SOFTWARE, HW = PERF_TYPE_HARDWARE };
enum { MINOR = PERF_COUNT_SW_PAGE_FAULTS_MIN, MAJOR = PERF_COUNT_SW_PAGE_FAULTS_MAJ };

static const struct event_name events[] = {
	{ "page-faults", "page-faults", SW, MINOR, MAJOR, 1 },
	{ "minor-faults", "minor-faults", SW, MINOR, 0, 1 },
	{ "major-faults", "major-faults", SW, MAJOR, 0, 1 },
	{ "alignment-faults", "align-faults", SW, PERF_COUNT_SW_ALIGNMENT_FAULTS, 0, 1 },
	{ "emulation-faults", "emul-faults", SW, PERF_COUNT_SW_EMULATION_FAULTS, 0, 1 },
	{ "cycles", "cycles", HW, PERF_COUNT_HW_CPU_CYCLES, 0, MEGA },
	{ "instructions", "instructions", HW, PERF_COUNT_HW_INSTRUCTIONS, 0, MEGA },
	{ "branches", "branches", HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0, MEGA },
	{ "branch-misses", "branch-misses", HW, PERF_COUNT_HW_BRANCH_MISSES, 0, KILO },
	{ "cache-references", "cache-refs", HW, PERF_COUNT_HW_CACHE_REFERENCES, 0, KILO },
	{ "cache-misses", "cache-misses", HW, PERF_COUNT_HW_CACHE_MISSES, 0, KILO },
	{ "stalled-cycles", "stalls", HW, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0, MEGA },
};

const struct event_name *event_names_find(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (text_equal_n(name, n, events[i].name))
			return &events[i];
	return NULL;
}

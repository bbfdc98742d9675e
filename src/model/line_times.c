/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the part of a file by halving. */
#include "config.h"

#include "model/line_times.h"

#include <string.h>

/* The first of n names, `stride` bytes apart, that does not stand before `file`, or behind it. */
static size_t line_times_find(const char *const *names, size_t stride, size_t n, const char *file,
			      bool behind)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		const char *const *name =
			(const char *const *)((const char *)names + middle * stride);

		if (strcmp(*name, file) < behind)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

struct line_times line_times_of_file(const struct line_times *times, const char *file)
{
	struct line_times part = *times;
	size_t first;

	if (times->n > 0) {
		first = line_times_find(&times->at->file, sizeof(*times->at), times->n, file,
					false);
		part.at += first;
		part.n = line_times_find(&times->at->file, sizeof(*times->at), times->n, file,
					 true) -
			 first;
	}
	if (times->nguests > 0) {
		first = line_times_find(&times->guest->home, sizeof(*times->guest), times->nguests,
					file, false);
		part.guest += first;
		part.nguests = line_times_find(&times->guest->home, sizeof(*times->guest),
					       times->nguests, file, true) -
			       first;
	}
	return part;
}

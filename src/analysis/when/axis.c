/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/when/axis.h"

#include "base/radix.h"

static const double ns_per_s = 1e9;
enum { GAP_NS = 1000000000 };

/* A recording that begins a run, or goes on with it. */
struct axis_part {
	uint64_t start, end; /* in nanoseconds since 1970 */
	const struct recorded_timeline *timeline;
};

/* Returns the slices of all recordings, with the beginning of their process if that is known. */
static struct axis_part *axis_parts(const struct recorded *r, struct arena *mem)
{
	struct axis_part *part = arena_array(mem, struct axis_part, r->timelines.n);
	const struct recorded_process **of =
		arena_array(mem, const struct recorded_process *, r->nfiles);

	for (size_t i = 0; i < r->processes.n; i++)
		of[r->processes.at[i].recording] = &r->processes.at[i];
	for (size_t i = 0; i < r->timelines.n; i++) {
		const struct recorded_timeline *t = &r->timelines.at[i];
		const struct recorded_process *process = of[t->recording];

		part[i] = (struct axis_part){ t->start, t->start + t->nslices * t->slice_ns, t };
		if (process && process->start > 0 && process->start < t->start &&
		    t->start - process->start < GAP_NS)
			part[i].start = process->start;
	}
	return part;
}

struct axis axis_make(const struct recorded *r, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct axis axis = { .of = arena_array(mem, struct axis_line, r->nfiles) };
	struct axis_part *part = axis_parts(r, &scratch);
	struct keyed *order = arena_array(&scratch, struct keyed, r->timelines.n);
	uint64_t zero = 0, last = 0;

	for (uint32_t i = 0; i < r->timelines.n; i++)
		order[i] = (struct keyed){ part[i].start, i };
	radix_sort_keyed(order, r->timelines.n, &scratch);
	for (size_t i = 0; i < r->timelines.n; i++) {
		const struct axis_part *p = &part[order[i].id];
		const struct recorded_timeline *t = p->timeline;
		struct axis_line *line = &axis.of[t->recording];
		double end;

		if (i == 0 || (p->start > last && p->start - last > GAP_NS))
			zero = p->start;
		last = p->end > last ? p->end : last;
		*line = (struct axis_line){ t, (double)(t->start - zero) / ns_per_s,
					    (double)t->slice_ns / ns_per_s };
		end = axis_at(line, t->nslices);
		axis.end = end > axis.end ? end : axis.end;
	}
	arena_free(&scratch);
	return axis;
}

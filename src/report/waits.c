/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "report/waits.h"

#include "base/join.h"
#include "base/radix.h"

#include <string.h>

enum { MOST = 4 };

/* A number of seconds after some text, in mem. */
static const char *waits_add(const struct text *t, const char *before, double ticks,
			     struct arena *mem)
{
	return join_format(mem, "%s %.2f s", before, ticks / t->waits->rate);
}

/* "read" for "[waiting: read]"; other names are unchanged. */
static const char *waits_name(const struct text *t, sym_id s, struct arena *mem)
{
	static const char head[] = "[waiting: ";
	const char *name = t->a->program->symtab.sym[s].name;
	size_t n = sizeof(head) - 1;

	return strncmp(name, head, n) == 0 ? arena_strndup(mem, name + n, strlen(name + n) - 1)
					   : name;
}

const char *waits_line(const struct text *t, struct arena *mem)
{
	const double *self = t->waits->self;
	uint32_t n = 0, nsyms = t->a->program->symtab.nsyms;
	struct keyed *order = arena_array(mem, struct keyed, nsyms);
	const char *line = "waiting";
	double queued = text_queued(t);
	double others = 0.0;

	if (queued > 0.0)
		line = join_format(mem, "%.2f s ready to run, while others ran; waiting", queued);
	line = waits_add(t, line, t->waits->total, mem);

	for (sym_id s = 0; s < nsyms; s++) {
		if (self[s] > 0.0)
			order[n++] = (struct keyed){ radix_key_descending(self[s]), s };
	}
	radix_sort_keyed(order, n, mem);
	for (uint32_t i = 0; i < n; i++) {
		sym_id s = order[i].id;

		if (i >= MOST)
			others += self[s];
		else
			line = waits_add(
				t, JOIN(mem, line, i == 0 ? ": " : ", ", waits_name(t, s, mem)),
				self[s], mem);
	}
	return others > 0.0 ? waits_add(t, JOIN(mem, line, ", others"), others, mem) : line;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolves samples once more, to lines in place of functions, and adds up what is of one line. */
#include "config.h"

#include "analysis/line_times.h"

#include "analysis/resolve.h"
#include "base/array.h"
#include "base/sort.h"

#include <string.h>

/* The line symbols whose code is in one of the functions. */
static struct bitset line_times_choose(const struct symtab *lines, const struct symtab *functions,
				       struct bitset credited, struct arena *mem)
{
	struct bitset chosen = bitset_empty(mem, lines->nsyms);

	for (sym_id s = 0, f = 0; s < lines->nsyms; s++) {
		while (f + 1 < functions->nsyms && functions->sym[f].hi <= lines->sym[s].lo)
			f++;
		if (f < functions->nsyms && functions->sym[f].lo <= lines->sym[s].lo &&
		    bitset_has(credited, f))
			bitset_add(chosen, s);
	}
	return chosen;
}

static int line_times_compare(uint32_t x, uint32_t y, const void *locations)
{
	const struct location *a = (const struct location *)locations + x;
	const struct location *b = (const struct location *)locations + y;
	int order = strcmp(a->file, b->file);

	if (order != 0)
		return order;
	return (a->line > b->line) - (a->line < b->line);
}

struct line_times line_times_make(const struct profile *prof, const struct program *lined,
				  const struct symtab *functions, struct bitset credited,
				  struct arena *mem)
{
	const struct symtab *symtab = &lined->symtab;
	struct selection sel = { .flat = line_times_choose(symtab, functions, credited, mem) };
	struct ticks ticks = resolve_ticks(prof, symtab, &sel, mem);
	sym_id *order = arena_array(mem, sym_id, symtab->nsyms);
	ARRAY(struct line_time) times = { 0 };
	size_t n = 0;

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if (ticks.self[s] > 0.0 && lined->locations[s].file && lined->locations[s].line)
			order[n++] = s;
	}
	sort_ids(order, n, line_times_compare, lined->locations, mem);
	for (size_t i = 0; i < n; i++) {
		const struct location *at = &lined->locations[order[i]];

		if (i == 0 || line_times_compare(order[i - 1], order[i], lined->locations) != 0)
			array_push(mem, &times) = (struct line_time){ at->file, at->line, 0.0 };
		times.at[times.n - 1].ticks += ticks.self[order[i]];
	}
	return (struct line_times){ times.at, times.n };
}

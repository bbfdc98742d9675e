/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolves samples once more, to lines in place of functions, and adds up what is of one line. */
#include "config.h"

#include "analysis/lines/line_times.h"

#include "analysis/functions/resolve.h"
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

static int line_times_compare_places(uint32_t x, uint32_t y, const void *guests)
{
	const struct line_guest *a = (const struct line_guest *)guests + x;
	const struct line_guest *b = (const struct line_guest *)guests + y;
	int order = strcmp(a->home, b->home);

	if (order == 0)
		order = strcmp(a->function, b->function);
	if (order == 0)
		order = strcmp(a->line.file, b->line.file);
	return order ? order : (a->line.line > b->line.line) - (a->line.line < b->line.line);
}

static int line_times_compare_guests(uint32_t x, uint32_t y, const void *guests)
{
	const struct line_guest *a = (const struct line_guest *)guests + x;
	const struct line_guest *b = (const struct line_guest *)guests + y;
	int order = strcmp(a->home, b->home);

	if (order != 0)
		return order;
	if (a->line.ticks != b->line.ticks)
		return a->line.ticks > b->line.ticks ? -1 : 1;
	return line_times_compare_places(x, y, guests);
}

/* Copies `from` to `to` in an order. */
static void line_times_sort_guests(struct line_guest *to, const struct line_guest *from, size_t n,
				   int (*compare)(uint32_t, uint32_t, const void *),
				   const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t *order = arena_array(&scratch, uint32_t, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, compare, from, &scratch);
	for (size_t i = 0; i < n; i++)
		to[i] = from[order[i]];
	arena_free(&scratch);
}

/* The guests of all files, of the lines with ticks. */
static void line_times_add_guests(struct line_times *times, const struct program *lined,
				  const double *ticks, struct arena *mem)
{
	const struct symtab *symtab = &lined->symtab;
	struct arena scratch = arena_scratch(mem);
	struct line_guest *found = arena_array(&scratch, struct line_guest, symtab->nsyms);
	struct line_guest *sorted, *all;
	size_t n = 0, merged = 0;
	sym_id function = 0;

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		const struct location *home = &lined->locations[function];
		const struct location *at = &lined->locations[s];

		if (!(symtab->sym[s].flags & SYM_LINE))
			function = s;
		else if (ticks[s] > 0.0 && at->file && at->line && home->file &&
			 strcmp(at->file, home->file) != 0)
			found[n++] = (struct line_guest){ home->file,
							  symtab->sym[function].name,
							  { at->file, at->line, ticks[s] } };
	}
	sorted = arena_array(&scratch, struct line_guest, n);
	line_times_sort_guests(sorted, found, n, line_times_compare_places, &scratch);
	for (size_t i = 0; i < n; i++) {
		found[merged] = sorted[i];
		if (merged > 0 && line_times_compare_places(0, 1, &found[merged - 1]) == 0)
			found[merged - 1].line.ticks += sorted[i].line.ticks;
		else
			merged++;
	}
	all = arena_array(mem, struct line_guest, merged);
	line_times_sort_guests(all, found, merged, line_times_compare_guests, &scratch);
	times->guest = all;
	times->nguests = merged;
	arena_free(&scratch);
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
	struct line_times result;
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
	result = (struct line_times){ .at = times.at, .n = times.n };
	line_times_add_guests(&result, lined, ticks.self, mem);
	return result;
}

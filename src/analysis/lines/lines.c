/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups symbols by source file. Files are sorted by their first symbols, the symbols of a file by
 * line.
 */
#include "config.h"

#include "analysis/lines/lines.h"

#include "base/sort.h"
#include "base/strtable.h"

struct lines_symbols {
	const struct symtab *symtab;
	const struct location *locations;
};

/*
 * Compares by position in the object file; symbols that are lines have none and are compared by
 * address.
 */
static int lines_compare_appearance(const struct lines_symbols *p, sym_id x, sym_id y)
{
	uint32_t x_place = p->symtab->sym[x].place, y_place = p->symtab->sym[y].place;

	if (x_place != y_place)
		return x_place < y_place ? -1 : 1;
	return (x > y) - (x < y);
}

static int lines_compare_lines(uint32_t x, uint32_t y, const void *symbols)
{
	const struct lines_symbols *p = symbols;

	if (p->locations[x].line != p->locations[y].line)
		return p->locations[x].line < p->locations[y].line ? -1 : 1;
	return (x > y) - (x < y);
}

/* Symbols of one file. */
struct lines_group {
	sym_id *sym;
	size_t n;
	sym_id first; /* the first by lines_compare_appearance() */
};

struct lines_groups {
	struct lines_symbols symbols;
	struct lines_group *at;
};

static int lines_compare_groups_backwards(uint32_t x, uint32_t y, const void *groups)
{
	const struct lines_groups *g = groups;

	return lines_compare_appearance(&g->symbols, g->at[y].first, g->at[x].first);
}

/*
 * Sets file[s] to the number of symbol s's file, from 0, and counts the symbols of each file.
 * Returns the number of files.
 */
static size_t lines_number_files(struct lines_groups *g, uint32_t *file, struct arena *scratch)
{
	const struct location *locations = g->symbols.locations;
	struct strtable names = { .mem = scratch };
	const char *last = NULL;
	uint32_t place = 0;

	for (sym_id s = 0; s < g->symbols.symtab->nsyms; s++) {
		if (!locations[s].file)
			continue;
		/* Most symbols have the name of the one before, at the same address. */
		if (locations[s].file != last)
			place = strtable_place(&names, locations[s].file);
		last = locations[s].file;
		file[s] = place;
		g->at[place].n++;
	}
	return names.texts.n;
}

/* Makes a group of each file's symbols, in the order of ids. Returns the number of groups. */
static size_t lines_make_groups(struct lines_groups *g, struct arena *scratch)
{
	sym_id nsyms = g->symbols.symtab->nsyms;
	uint32_t *file = arena_array(scratch, uint32_t, nsyms);
	sym_id *room = arena_array(scratch, sym_id, nsyms);
	size_t n = lines_number_files(g, file, scratch);

	for (size_t i = 0; i < n; i++) {
		g->at[i].sym = room;
		room += g->at[i].n;
		g->at[i].n = 0;
	}
	for (sym_id s = 0; s < nsyms; s++) {
		struct lines_group *group = &g->at[file[s]];

		if (!g->symbols.locations[s].file)
			continue;
		if (group->n == 0 || lines_compare_appearance(&g->symbols, s, group->first) < 0)
			group->first = s;
		group->sym[group->n++] = s;
	}
	return n;
}

/* Sorts a group by line; most groups are sorted already. */
static void lines_sort_group(struct lines_group *group, const struct lines_symbols *symbols,
			     struct arena *mem)
{
	size_t i = 1;

	while (i < group->n && lines_compare_lines(group->sym[i - 1], group->sym[i], symbols) <= 0)
		i++;
	if (i < group->n)
		sort_ids(group->sym, group->n, lines_compare_lines, symbols, mem);
}

static struct source_file lines_make_file(const struct lines_symbols *symbols,
					  struct lines_group *group, const struct calls *calls,
					  struct bitset chosen, struct arena *mem)
{
	struct source_file file = { .name = symbols->locations[group->first].file };
	struct source_line *lines = arena_array(mem, struct source_line, group->n);

	lines_sort_group(group, symbols, mem);
	for (size_t i = 0; i < group->n; i++) {
		sym_id s = group->sym[i];
		struct source_line *last = file.nlines > 0 ? &lines[file.nlines - 1] : NULL;

		if (!bitset_has(chosen, s))
			continue;
		file.ncalls += calls->outer[s];
		if (last && last->line == symbols->locations[s].line) {
			last->is_shared = true;
			last->ncalls += calls->outer[s];
		} else {
			lines[file.nlines++] = (struct source_line){
				.line = symbols->locations[s].line,
				.first = s,
				.ncalls = calls->outer[s],
			};
		}
	}
	file.line = lines;
	return file;
}

struct source_files lines_count(const struct symtab *symtab, const struct location *locations,
				const struct calls *calls, struct bitset chosen, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct lines_groups groups = { { symtab, locations },
				       arena_array(&scratch, struct lines_group, symtab->nsyms) };
	struct source_file *files;
	uint32_t *order;
	size_t ngroups = lines_make_groups(&groups, &scratch), nfiles = 0;

	order = arena_array(&scratch, uint32_t, ngroups);
	for (uint32_t i = 0; i < ngroups; i++)
		order[i] = i;
	sort_ids(order, ngroups, lines_compare_groups_backwards, &groups, &scratch);
	files = arena_array(mem, struct source_file, ngroups);
	for (size_t i = 0; i < ngroups; i++) {
		struct source_file file =
			lines_make_file(&groups.symbols, &groups.at[order[i]], calls, chosen, mem);

		if (file.nlines > 0)
			files[nfiles++] = file;
	}
	arena_free(&scratch);
	return (struct source_files){ files, nfiles };
}

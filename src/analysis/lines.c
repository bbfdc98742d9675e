/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouping by sorting: symbols by file, the groups by first appearance, each group by line. */
#include "config.h"

#include "analysis/lines.h"

#include "base/sort.h"

#include <string.h>

struct lines_places {
	const struct symtab *symtab;
	const struct location *locations;
};

/* Which of two symbols was first in the object file; lines have no place there. */
static int lines_compare_appearance(const struct lines_places *p, sym_id x, sym_id y)
{
	uint32_t x_place = p->symtab->sym[x].place, y_place = p->symtab->sym[y].place;

	if (x_place != y_place)
		return x_place < y_place ? -1 : 1;
	return (x > y) - (x < y);
}

/* Most symbols have the name of the one before, at the same address. */
static int lines_compare_names(const struct lines_places *p, sym_id x, sym_id y)
{
	const char *a = p->locations[x].file, *b = p->locations[y].file;

	return a == b ? 0 : strcmp(a, b);
}

static int lines_compare_files(uint32_t x, uint32_t y, const void *places)
{
	const struct lines_places *p = places;
	int order = lines_compare_names(p, x, y);

	return order ? order : lines_compare_appearance(p, x, y);
}

static int lines_compare_lines(uint32_t x, uint32_t y, const void *places)
{
	const struct lines_places *p = places;

	if (p->locations[x].line != p->locations[y].line)
		return p->locations[x].line < p->locations[y].line ? -1 : 1;
	return (x > y) - (x < y);
}

/* Symbols of one file. */
struct lines_group {
	sym_id *sym; /* the one that appeared first is sym[0] */
	size_t n;
};

struct lines_groups {
	struct lines_places places;
	struct lines_group *at;
};

static int lines_compare_groups_backwards(uint32_t x, uint32_t y, const void *groups)
{
	const struct lines_groups *g = groups;

	return lines_compare_appearance(&g->places, g->at[y].sym[0], g->at[x].sym[0]);
}

static size_t lines_make_groups(struct lines_groups *g, sym_id *sym, size_t n)
{
	size_t ngroups = 0;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || lines_compare_names(&g->places, sym[i - 1], sym[i]) != 0)
			g->at[ngroups++] = (struct lines_group){ &sym[i], 0 };
		g->at[ngroups - 1].n++;
	}
	return ngroups;
}

static struct source_file lines_make_file(const struct lines_places *places,
					  struct lines_group *group, const struct calls *calls,
					  struct bitset chosen, struct arena *mem)
{
	struct source_file file = { .name = places->locations[group->sym[0]].file };
	struct source_line *lines = arena_array(mem, struct source_line, group->n);

	sort_ids(group->sym, group->n, lines_compare_lines, places, mem);
	for (size_t i = 0; i < group->n; i++) {
		sym_id s = group->sym[i];
		struct source_line *last = file.nlines > 0 ? &lines[file.nlines - 1] : NULL;

		if (!bitset_has(chosen, s))
			continue;
		file.ncalls += calls->outer[s];
		if (last && last->line == places->locations[s].line) {
			last->is_shared = true;
			last->ncalls += calls->outer[s];
		} else {
			lines[file.nlines++] = (struct source_line){
				.line = places->locations[s].line,
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
	sym_id *sym = arena_array(&scratch, sym_id, symtab->nsyms);
	struct lines_groups groups = { { symtab, locations },
				       arena_array(&scratch, struct lines_group, symtab->nsyms) };
	struct source_file *files;
	uint32_t *order;
	size_t n = 0, ngroups, nfiles = 0;

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if (locations[s].file)
			sym[n++] = s;
	}
	sort_ids(sym, n, lines_compare_files, &groups.places, &scratch);
	ngroups = lines_make_groups(&groups, sym, n);
	order = arena_array(&scratch, uint32_t, ngroups);
	for (uint32_t i = 0; i < ngroups; i++)
		order[i] = i;
	sort_ids(order, ngroups, lines_compare_groups_backwards, &groups, &scratch);
	files = arena_array(mem, struct source_file, ngroups);
	for (size_t i = 0; i < ngroups; i++) {
		struct source_file file =
			lines_make_file(&groups.places, &groups.at[order[i]], calls, chosen, mem);

		if (file.nlines > 0)
			files[nfiles++] = file;
	}
	arena_free(&scratch);
	return (struct source_files){ files, nfiles };
}

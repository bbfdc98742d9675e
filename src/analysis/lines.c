/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouping by sorting: symbols by file, the groups by first appearance, each group by line. */
#include "config.h"

#include "analysis/lines.h"

#include "base/sort.h"

#include <string.h>

struct places {
	const struct symtab *symtab;
	const struct location *locations;
};

/* Which of two symbols was first in the object file; lines have no place there. */
static int compare_appearance(const struct places *p, sym_id x, sym_id y)
{
	uint32_t x_place = p->symtab->sym[x].place, y_place = p->symtab->sym[y].place;

	if (x_place != y_place)
		return x_place < y_place ? -1 : 1;
	return (x > y) - (x < y);
}

static int compare_files(uint32_t x, uint32_t y, const void *places)
{
	const struct places *p = places;
	int order = strcmp(p->locations[x].file, p->locations[y].file);

	return order ? order : compare_appearance(p, x, y);
}

static int compare_lines(uint32_t x, uint32_t y, const void *places)
{
	const struct places *p = places;

	if (p->locations[x].line != p->locations[y].line)
		return p->locations[x].line < p->locations[y].line ? -1 : 1;
	return (x > y) - (x < y);
}

/* Symbols of one file. */
struct group {
	sym_id *sym; /* the one that appeared first is sym[0] */
	size_t n;
};

struct groups {
	struct places places;
	struct group *at;
};

static int compare_groups_backwards(uint32_t x, uint32_t y, const void *groups)
{
	const struct groups *g = groups;

	return compare_appearance(&g->places, g->at[y].sym[0], g->at[x].sym[0]);
}

static size_t make_groups(struct groups *g, sym_id *sym, size_t n)
{
	const struct location *locations = g->places.locations;
	size_t ngroups = 0;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(locations[sym[i - 1]].file, locations[sym[i]].file) != 0)
			g->at[ngroups++] = (struct group){ &sym[i], 0 };
		g->at[ngroups - 1].n++;
	}
	return ngroups;
}

static struct source_file make_file(const struct places *places, struct group *group,
				    const struct calls *calls, struct bitset chosen,
				    struct arena *mem)
{
	struct source_file file = { .name = places->locations[group->sym[0]].file };
	struct source_line *lines = arena_array(mem, struct source_line, group->n);

	sort_ids(group->sym, group->n, compare_lines, places, mem);
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

struct source_files count_lines(const struct symtab *symtab, const struct location *locations,
				const struct calls *calls, struct bitset chosen, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	sym_id *sym = arena_array(&scratch, sym_id, symtab->nsyms);
	struct groups groups = { { symtab, locations },
				 arena_array(&scratch, struct group, symtab->nsyms) };
	struct source_file *files;
	uint32_t *order;
	size_t n = 0, ngroups, nfiles = 0;

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if (locations[s].file)
			sym[n++] = s;
	}
	sort_ids(sym, n, compare_files, &groups.places, &scratch);
	ngroups = make_groups(&groups, sym, n);
	order = arena_array(&scratch, uint32_t, ngroups);
	for (uint32_t i = 0; i < ngroups; i++)
		order[i] = i;
	sort_ids(order, ngroups, compare_groups_backwards, &groups, &scratch);
	files = arena_array(mem, struct source_file, ngroups);
	for (size_t i = 0; i < ngroups; i++) {
		struct source_file file =
			make_file(&groups.places, &groups.at[order[i]], calls, chosen, mem);

		if (file.nlines > 0)
			files[nfiles++] = file;
	}
	arena_free(&scratch);
	return (struct source_files){ files, nfiles };
}

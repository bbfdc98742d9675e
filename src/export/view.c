/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names for the listed symbols, and numbers for texts about them. */
#include "config.h"

#include "export/view.h"

#include "base/path.h"
#include "base/radix.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char rest_name[] = "[not followed]";

/* The name, and what tells it apart: "name (file:line @ address)". */
static const char *export_place_name(const struct export_view *e, sym_id s, struct arena *mem)
{
	const char *plain = e->name[s] ? e->name[s] : "";
	const struct location *loc = &e->locations[s];
	const char *file = loc->file ? path_base(loc->file) : "";
	char line[32] = "", *name;
	size_t size;

	if (loc->file)
		snprintf(line, sizeof(line), ":%u ", loc->line);
	size = strlen(plain) + strlen(file) + 64;
	name = arena_array(mem, char, size);
	snprintf(name, size, "%s%s(%s%s@ %" PRIx64 ")", plain, *plain ? " " : "", file, line,
		 e->a->program->symtab.sym[s].lo);
	return name;
}

/* `name` and `unique` of the listed symbols. */
static void export_make_names(struct export_view *e, enum demangle_style style, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t nsyms = e->a->graph.nnodes,
		 *ids = arena_array(&scratch, uint32_t, e->amounts->nlisted);
	const char **name = arena_array(mem, const char *, nsyms);
	const char **unique = arena_array(mem, const char *, nsyms);
	const struct sym *sym = e->a->program->symtab.sym;

	e->name = name;
	e->unique = unique;
	for (uint32_t i = 0; i < e->amounts->nlisted; i++) {
		sym_id s = e->amounts->listed[i];

		name[s] = *sym[s].name ? demangle(sym[s].name, style, mem)
				       : export_place_name(e, s, mem);
		unique[s] = e->a->program->by_line ? export_place_name(e, s, mem) : name[s];
		ids[i] = s;
	}
	sort_by_name(ids, e->amounts->nlisted, (struct name_column){ name, sizeof(*name) },
		     &scratch);
	for (uint32_t i = 1; i < e->amounts->nlisted; i++) {
		sym_id x = ids[i - 1], y = ids[i];

		if (strcmp(name[x], name[y]) != 0)
			continue;
		if (unique[x] == name[x])
			unique[x] = export_place_name(e, x, mem);
		if (unique[y] == name[y])
			unique[y] = export_place_name(e, y, mem);
	}
	arena_free(&scratch);
}

struct export_view export_view_make(const struct view *view, const struct amounts *amounts,
				    enum demangle_style style, struct arena *mem)
{
	struct export_view e = {
		.a = view->analysis, .amounts = amounts, .locations = view->locations, .mem = mem
	};

	export_make_names(&e, style, mem);
	return e;
}

const char *export_title(const struct export_view *e)
{
	const char *name = path_base(e->a->program->path);
	size_t size = strlen(name) + sizeof(EXPORT_MARK) + 4;
	char *title = arena_array(e->mem, char, size);
	bool marked = e->stacks && e->stacks->estimated;

	snprintf(title, size, marked ? "%s (%s)" : "%s", name, EXPORT_MARK);
	return title;
}

const char *export_frame(const struct export_view *e, const struct stack_node *node)
{
	return node->function == STACKS_REST ? rest_name : e->unique[node->function];
}

uint32_t export_number(const struct export_view *e, const char *const *text, uint32_t *number)
{
	struct arena scratch = arena_scratch(e->mem);
	uint32_t *ids = arena_array(&scratch, uint32_t, e->amounts->nlisted), n = 0;

	for (uint32_t i = 0; i < e->amounts->nlisted; i++)
		ids[i] = e->amounts->listed[i];
	sort_by_name(ids, e->amounts->nlisted, (struct name_column){ text, sizeof(*text) },
		     &scratch);
	for (uint32_t i = 0; i < e->amounts->nlisted; i++) {
		if (i == 0 || strcmp(text[ids[i - 1]], text[ids[i]]) != 0)
			n++;
		number[ids[i]] = n;
	}
	arena_free(&scratch);
	return n;
}

uint32_t export_number_files(const struct export_view *e, const char *unknown, uint32_t *number)
{
	struct arena scratch = arena_scratch(e->mem);
	const char **file = arena_array(&scratch, const char *, e->a->graph.nnodes);
	uint32_t n;

	for (uint32_t i = 0; i < e->amounts->nlisted; i++) {
		const struct location *loc = &e->locations[e->amounts->listed[i]];

		file[e->amounts->listed[i]] = loc->file ? loc->file : unknown;
	}
	n = export_number(e, file, number);
	arena_free(&scratch);
	return n;
}

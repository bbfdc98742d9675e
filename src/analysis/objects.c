/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each symbol has a row; that of the program is 0. */
#include "config.h"

#include "analysis/objects.h"

#include "analysis/space.h"

#include "base/path.h"

/* The modules that have symbols get rows in their order, and then what else does. */
static uint32_t *objects_number(const struct analysis *a, struct object_row *rows, uint32_t *nrows,
				struct arena *mem)
{
	const struct symtab *symtab = &a->program->symtab;
	const struct space *space = a->program->space;
	uint32_t *row_of = arena_array(mem, uint32_t, symtab->nsyms);
	uint32_t last = RECORDED_NONE;

	rows[0] = (struct object_row){ .name = path_base(a->program->path),
				       .is_file = true,
				       .names = space->own_names };
	*nrows = 1;
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		const struct sym *sym = &symtab->sym[s];
		uint32_t module = space_module(space, sym->lo);

		if (!sym_is_elsewhere(sym) || s == space->rest)
			continue;
		row_of[s] = *nrows - 1;
		if (module != RECORDED_NONE && module == last)
			continue;
		last = module;
		row_of[s] = (*nrows)++;
		/* What is no file is called as its symbol, in brackets. */
		rows[row_of[s]].name =
			module == RECORDED_NONE || space->recorded->modules.at[module].flags &
							   (MODULE_VDSO | MODULE_SEVERAL)
				? sym->name
				: space->name[module];
		rows[row_of[s]].is_file = module != RECORDED_NONE;
		if (module != RECORDED_NONE && space->code)
			rows[row_of[s]].names = space->code[module].names;
	}
	return row_of;
}

struct object_rows objects_add_up(const struct analysis *a, struct arena *mem)
{
	const struct space *space = a->program->space;
	struct arena scratch = arena_scratch(mem);
	struct object_row *rows;
	uint32_t *row_of, nrows;

	if (!space)
		return (struct object_rows){ NULL, 0 };
	rows = arena_array(mem, struct object_row,
			   space->recorded->modules.n + NSPACE_SPECIALS + 1);
	row_of = objects_number(a, rows, &nrows, &scratch);
	for (sym_id s = 0; s < a->graph.nnodes; s++)
		rows[row_of[s]].ticks += a->ticks.self[s];
	for (uint32_t i = 0; i < a->graph.narcs; i++) {
		const struct arc *arc = &a->graph.arc[i];
		struct object_row *from = &rows[row_of[arc->from]], *to = &rows[row_of[arc->to]];

		to->is_called |= arc->ncalls > 0;
		if (from == to)
			continue;
		from->calls_out += arc->ncalls;
		to->calls_in += arc->ncalls;
	}
	arena_free(&scratch);
	return (struct object_rows){ rows, nrows };
}

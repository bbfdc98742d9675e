/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each symbol belongs to a row; row 0 is the program. */
#include "config.h"

#include "analysis/functions/objects.h"

#include "analysis/functions/address_space.h"

#include "base/path.h"
#include "model/inlined.h"

/* Returns the module that contains the code of a symbol. */
static uint32_t objects_module(const struct program *program, sym_id s)
{
	const struct sym *sym = &program->symtab.sym[s];

	return sym->flags & SYM_INLINED ? inlined_symbol_module(program->inlined, s)
					: address_space_module(program->address_space, sym->lo);
}

static struct object_row objects_row(const struct address_space *space, const struct sym *sym,
				     uint32_t module)
{
	unsigned flags = module == RECORDED_NONE ? 0 : space->recorded->modules.at[module].flags;
	bool is_file = module != RECORDED_NONE;

	/* Rows that are not files have the name of their symbol, in brackets. */
	return (struct object_row){
		.name = is_file && !(flags & (MODULE_VDSO | MODULE_SEVERAL)) ? space->name[module]
									     : sym->name,
		.is_file = is_file,
		.names = is_file && space->code ? space->code[module].names : NAMES_NONE,
	};
}

/*
 * Numbers the rows: modules in the order of their symbols, then special symbols. Returns how many
 * there are.
 */
static uint32_t objects_number(const struct analysis *a, struct object_row *rows, uint32_t *row_of,
			       struct arena *scratch)
{
	const struct program *program = a->program;
	const struct address_space *space = program->address_space;
	uint32_t *of_module = arena_array(scratch, uint32_t, space->recorded->modules.n), n = 0;

	rows[n++] = (struct object_row){ .name = path_base(program->path),
					 .is_file = true,
					 .names = space->own_names };
	for (sym_id s = 0; s < program->symtab.nsyms; s++) {
		const struct sym *sym = &program->symtab.sym[s];
		uint32_t module = objects_module(program, s);

		if (!symtab_is_elsewhere(sym) || s == space->rest)
			continue;
		row_of[s] = module == RECORDED_NONE ? 0 : of_module[module];
		if (row_of[s] > 0)
			continue;
		row_of[s] = n;
		if (module != RECORDED_NONE)
			of_module[module] = n;
		rows[n++] = objects_row(space, sym, module);
	}
	return n;
}

struct object_rows objects_add_up(const struct analysis *a, struct arena *mem)
{
	const struct address_space *space = a->program->address_space;
	struct arena scratch = arena_scratch(mem);
	struct object_row *rows;
	uint32_t *row_of, nrows;

	if (!space)
		return (struct object_rows){ NULL, NULL, 0 };
	rows = arena_array(mem, struct object_row,
			   space->recorded->modules.n + NADDRESS_SPACE_SPECIALS + space->nwaits +
				   1);
	row_of = arena_array(mem, uint32_t, a->program->symtab.nsyms);
	nrows = objects_number(a, rows, row_of, &scratch);
	for (sym_id s = 0; s < a->graph.nnodes; s++)
		rows[row_of[s]].ticks += a->costs.self[s];
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
	return (struct object_rows){ rows, row_of, nrows };
}

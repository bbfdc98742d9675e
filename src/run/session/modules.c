/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a module's file as if it were a program, then moves its addresses into the address space.
 */
#include "config.h"

#include "run/session/modules.h"

#include "base/path.h"
#include "base/strtable.h"
#include "io/profile/ext_beside.h"
#include "model/needs.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns the first data file without recorded libraries, or else the last data file. */
static const char *modules_lacking(const struct profile *prof)
{
	const char *name = prof->files.at[prof->files.n - 1].name;

	for (size_t i = prof->files.n; i-- > 0;) {
		if (prof->files.at[i].stacks.nobjects == 0)
			name = prof->files.at[i].name;
	}
	return name;
}

void modules_note_calls(const struct profile *prof, struct arena *mem, struct diag *diag)
{
	/* A program without -pg, too, has one call in each file: that of main(). */
	if (prof->arcs.n > prof->files.n)
		diag_note(diag, "no calls of libraries in %s: GMON=libs counts them",
			  ext_beside_name(modules_lacking(prof), mem));
}

void modules_say_missing(const struct profile *prof, struct arena *mem, struct diag *diag)
{
	const char *beside = ext_beside_name(modules_lacking(prof), mem);

	if (access(beside, F_OK) < 0)
		diag_error(diag, "%s is missing: GMON=libs records libraries", beside);
	else
		diag_error(diag, "no libraries in %s: GMON=libs records them", beside);
}

void modules_note_stacks(const struct profile *prof, const struct arena *mem, struct diag *diag)
{
	enum { NAMES = 4 };
	struct arena scratch = arena_scratch(mem);
	char *names = arena_array(&scratch, char, NAMES *PATH_MAX);
	size_t n = 0, named = 0;

	for (size_t i = 0; i < prof->files.n; i++) {
		const struct profile_file *file = &prof->files.at[i];

		if (file->stacks.nrecordings > 0 && file->stacks.nlack == 0)
			continue;
		if (named++ < NAMES)
			n += (size_t)snprintf(names + n, PATH_MAX, "%s%s%.*s",
					      named > 1 ? ", " : "",
					      file->stacks.nlack > 0 ? "a part of " : "",
					      PATH_MAX - 16, file->name);
	}
	diag_note(diag, "times of callees are estimated: no call stacks in %s%s", names,
		  named > NAMES ? ", ..." : "");
	arena_free(&scratch);
}

static bool modules_matches(const struct module *module, const char *pattern)
{
	return fnmatch(pattern, strchr(pattern, '/') ? module->path : path_base(module->path), 0) ==
	       0;
}

static void modules_warn_unmatched(const struct recorded *recorded, struct bitset used,
				   const char *pattern, struct diag *diag)
{
	enum { NAMES = 6 };
	char names[NAMES * 80] = "";
	unsigned n = 0;
	size_t at = 0;

	for (uint32_t i = 0; i < recorded->modules.n && n <= NAMES; i++) {
		if (!bitset_has(used, i) || recorded->modules.at[i].path[0] != '/')
			continue;
		at += (size_t)snprintf(
			names + at, sizeof(names) - at, n == NAMES ? "%s..." : "%s%.60s",
			n > 0 ? ", " : "; there are ", path_base(recorded->modules.at[i].path));
		n++;
	}
	diag_warn(diag, "--objects=%s matches no library%s", pattern, names);
}

struct bitset modules_choose(const struct recorded *recorded, struct bitset used,
			     const string_array *patterns, struct arena *mem, struct diag *diag)
{
	struct bitset chosen = bitset_empty(mem, recorded->modules.n);

	if (patterns->n == 0)
		return used;
	for (size_t p = 0; p < patterns->n; p++) {
		bool any = false;

		for (uint32_t i = 0; i < recorded->modules.n; i++) {
			const struct module *module = &recorded->modules.at[i];

			if (!modules_matches(module, patterns->at[p]))
				continue;
			any = any || bitset_has(used, i) || module->flags & MODULE_PROGRAM;
			if (bitset_has(used, i))
				bitset_add(chosen, i);
		}
		if (!any)
			modules_warn_unmatched(recorded, used, patterns->at[p], diag);
	}
	return chosen;
}

/* Returns the module as if it were a program. */
static struct program modules_program(const struct module_code *code)
{
	return (struct program){ .path = code->path, .symtab = code->symtab };
}

static struct image *modules_open(const struct module_code *code, const struct debug_places *places)
{
	struct diag silent = diag_silent(NULL);

	return code->path ? image_open(code->path, places, &silent) : NULL;
}

const struct module_code *modules_add_lines(const struct recorded *recorded,
					    const struct module_code *code,
					    const struct debug_places *places, struct arena *mem,
					    struct diag *diag)
{
	struct module_code *lined = arena_array(mem, struct module_code, recorded->modules.n);

	for (uint32_t i = 0; i < recorded->modules.n; i++) {
		struct diag silent = diag_silent(diag->progress);
		const struct program plain = modules_program(&code[i]);
		struct image *image = modules_open(&code[i], places);
		struct program program;

		lined[i] = code[i];
		if (image && program_read_lines(&program, image, &plain, mem, &silent) == 0) {
			lined[i].symtab = program.symtab;
			lined[i].locations = program.locations;
		}
		image_close(image);
	}
	return lined;
}

/* Returns the first symbol of a module in the program's table. */
static sym_id modules_first(const struct modules_input *input, uint32_t module)
{
	const struct address_space *space = input->program->address_space;

	return symtab_from(&input->program->symtab, space->base + module * ADDRESS_SPACE_STRIDE);
}

static bool modules_is_read(const struct address_space *space, uint32_t module)
{
	return bitset_has(space->used, module) && space->code &&
	       (space->code[module].path || space->code[module].made);
}

/* Locates the functions of code that was made at run time. */
static void modules_locate_made(const struct modules_input *input, uint32_t module,
				const struct bitset *wanted, struct location *locations)
{
	const struct address_space *space = input->program->address_space;
	const struct symtab *symtab = &space->code[module].symtab;
	sym_id first = modules_first(input, module);

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		const struct recorded_made *made = &space->recorded->made.at[symtab->sym[s].lo];

		if (made->line > 0 && (!wanted || bitset_has(*wanted, first + s)))
			locations[first + s] = (struct location){ made->file, made->line };
	}
}

static void modules_locate_one(const struct modules_input *input, uint32_t module,
			       const struct bitset *wanted, struct location *locations)
{
	const struct module_code *code = &input->program->address_space->code[module];
	struct arena scratch = arena_scratch(input->mem);
	struct program program = modules_program(code);
	sym_id first = modules_first(input, module);
	struct bitset own = bitset_empty(&scratch, code->symtab.nsyms);
	const struct location *found;
	struct image *image;
	bool any = false;

	for (sym_id s = 0; s < code->symtab.nsyms; s++) {
		if (wanted && !bitset_has(*wanted, first + s))
			continue;
		bitset_add(own, s);
		any = true;
	}
	image = any ? modules_open(code, input->places) : NULL;
	if (image) {
		program.target = image_target(image);
		found = program_locations(&program, image, &own, input->progress, input->mem);
		for (sym_id s = 0; s < code->symtab.nsyms; s++)
			locations[first + s] = found[s];
	}
	image_close(image);
	arena_free(&scratch);
}

const struct location *modules_locate(const struct modules_input *input,
				      const struct bitset *wanted, const struct location *own)
{
	const struct address_space *space = input->program->address_space;
	const struct symtab *symtab = &input->program->symtab;
	struct location *locations = arena_sparse(input->mem, symtab->nsyms, sizeof(*locations));

	for (sym_id s = 0; s < symtab->nsyms && !(symtab->sym[s].flags & SYM_FOREIGN); s++)
		locations[s] = own[s];
	for (uint32_t i = 0; i < space->recorded->modules.n; i++) {
		if (!modules_is_read(space, i))
			continue;
		if (space->code[i].made)
			modules_locate_made(input, i, wanted, locations);
		else
			modules_locate_one(input, i, wanted, locations);
	}
	return locations;
}

const struct location *modules_line_locations(const struct modules_input *input, uint32_t nown)
{
	const struct address_space *space = input->program->address_space;
	struct location *all = arena_sparse(input->mem, input->program->symtab.nsyms, sizeof(*all));

	memcpy(all, input->program->locations, nown * sizeof(*all));
	for (uint32_t i = 0; i < space->recorded->modules.n; i++) {
		const struct module_code *code = &space->code[i];

		if (bitset_has(space->used, i) && code->locations)
			memcpy(all + modules_first(input, i), code->locations,
			       code->symtab.nsyms * sizeof(*all));
	}
	return all;
}

/* A table to which rows are added. Equal strings of two modules become one. */
struct modules_rows {
	ARRAY(struct line_row) rows;
	ARRAY(struct line_caller) callers;
	struct strtable names;
	struct arena *mem;
};

/*
 * Returns the index of a caller, for a table whose callers were added from index `first` on; 0 (no
 * caller) stays 0.
 */
static uint32_t modules_caller(uint32_t caller, size_t first)
{
	return caller > 0 ? caller + (uint32_t)first : 0;
}

/* Adds the rows of a table, with `by` added to their addresses. */
static void modules_add_rows(struct modules_rows *to, const struct line_table *table, uint64_t by)
{
	size_t first = to->callers.n > 0 ? to->callers.n - 1 : 0;
	uint32_t ncallers = 0;

	for (size_t i = 0; i < table->nrows; i++) {
		struct line_row row = table->row[i];

		row.pc += by;
		row.file = strtable_add(&to->names, row.file);
		row.function = strtable_add(&to->names, row.function);
		if (row.caller > ncallers)
			ncallers = row.caller;
		row.caller = modules_caller(row.caller, first);
		array_push(to->mem, &to->rows) = row;
	}
	if (to->callers.n == 0)
		array_push(to->mem, &to->callers) = (struct line_caller){ .line = 0 };
	for (uint32_t i = 1; i <= ncallers; i++) {
		struct line_caller caller = table->caller[i];

		if (caller.caller > ncallers)
			ncallers = caller.caller;
		caller.file = strtable_add(&to->names, caller.file);
		caller.function = strtable_add(&to->names, caller.function);
		caller.declared = strtable_add(&to->names, caller.declared);
		caller.caller = modules_caller(caller.caller, first);
		array_push(to->mem, &to->callers) = caller;
	}
}

/* Adds the rows of the module that contains the n addresses. */
static void modules_add_lines_at(struct modules_rows *to, const struct modules_input *input,
				 uint32_t module, const uint64_t *pc, size_t n)
{
	const struct module_code *code = &input->program->address_space->code[module];
	struct arena scratch = arena_scratch(input->mem);
	uint64_t base = input->program->address_space->base + module * ADDRESS_SPACE_STRIDE;
	address_list own = { 0 };
	struct program program = modules_program(code);
	struct image *image = modules_open(code, input->places);
	struct line_table table;

	for (size_t i = 0; i < n; i++)
		array_push(&scratch, &own) = pc[i] - base;
	if (image) {
		program.target = image_target(image);
		table = program_lines_at(&program, image, &own, true, input->progress, &scratch);
		modules_add_rows(to, &table, base);
	}
	image_close(image);
	arena_free(&scratch);
}

/* Adds the rows of code that was made at run time: one for each element. */
static void modules_add_made(struct modules_rows *to, const struct modules_input *input,
			     uint32_t module)
{
	const struct address_space *space = input->program->address_space;
	uint64_t base = space->base + module * ADDRESS_SPACE_STRIDE;
	size_t n = space->recorded->made.n;

	for (size_t i = 0; i < n; i++) {
		const struct recorded_made *made = &space->recorded->made.at[i];

		array_push(to->mem, &to->rows) = (struct line_row){
			.pc = base + i,
			.file = made->line > 0 ? strtable_add(&to->names, made->file) : NULL,
			.line = made->line,
		};
	}
	array_push(to->mem, &to->rows) = (struct line_row){ .pc = base + n };
}

struct line_table modules_lines_at(const struct modules_input *input, const struct line_table *own,
				   const uint64_t *pc, size_t n)
{
	const struct address_space *space = input->program->address_space;
	struct modules_rows to = { .names.mem = input->mem, .mem = input->mem };
	size_t first = 0, end;

	modules_add_rows(&to, own, 0);
	while (first < n && pc[first] < space->base)
		first++;
	for (; first < n; first = end) {
		uint32_t module = address_space_module(space, pc[first]);

		for (end = first + 1; end < n && address_space_module(space, pc[end]) == module;
		     end++)
			;
		if (module == RECORDED_NONE || !modules_is_read(space, module))
			continue;
		if (space->code[module].made)
			modules_add_made(&to, input, module);
		else
			modules_add_lines_at(&to, input, module, pc + first, end - first);
	}
	return (struct line_table){ to.rows.at, to.rows.n, to.callers.at };
}

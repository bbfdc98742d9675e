/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a program: symbols with libbfd and lines with libdw, in limited time; calls from the
 * machine code. */
#include "config.h"

#include "io/image/program.h"

#include "io/image/callscan.h"
#include "io/image/limits.h"
#include "io/image/line_table.h"
#include "io/lists.h"

#include <stdlib.h>
#include <string.h>

/* Reads lines from the image or its debug file; false if libdw can read neither. */
static bool program_fetch_lines(struct line_table *table, struct image *image,
				struct line_request *request, struct strtable *names,
				struct arena *mem)
{
	struct image_file file;

	if (!image_is_linked(image))
		return false;
	file = image_own_lines(image);
	progress_step(request->progress, "reading line tables", 0);
	request->damage = image_line_damage(image);
	request->code = image_code_ranges(image, &request->ncode, mem);
	if (line_table_read(table, &file, request, names, mem))
		return true;
	file = image_debug_lines(image);
	return file.fd >= 0 && line_table_read(table, &file, request, names, mem);
}

/* Makes a line table by asking libbfd about every byte of code. */
static struct line_table program_walk_lines(struct image *image, struct strtable *names,
					    struct progress *progress, struct arena *mem)
{
	ARRAY(struct line_row) rows = { 0 };
	struct line_row last = { 0 };
	size_t ncode;
	const struct code_range *code = image_code_ranges(image, &ncode, mem);
	uint64_t pc = 0, total = 0, done = 0;

	for (size_t i = 0; i < ncode; i++)
		total += code[i].hi - code[i].lo;
	progress_step(progress, "looking up source lines", total);
	for (size_t i = 0; i < ncode; i++) {
		if (pc < code[i].lo)
			pc = code[i].lo;
		for (; pc < code[i].hi; pc++) {
			struct line_row row = image_line(image, pc, names);

			progress_at(progress, done++);
			if (row.file != last.file || row.function != last.function ||
			    row.line != last.line)
				array_push(mem, &rows) = row;
			last = row;
		}
		last = (struct line_row){ .pc = pc };
		array_push(mem, &rows) = last;
	}
	return (struct line_table){ rows.at, rows.n, NULL };
}

static bool program_is_code(const struct image *image, uint64_t pc, struct arena *mem)
{
	size_t ncode;
	const struct code_range *code = image_code_ranges(image, &ncode, mem);

	return code_range_find(code, ncode, pc) != NULL;
}

/* Sets the locations of symbols. Symbols and rows are both sorted, so nothing is searched. After
 * the last row there is no source. */
static void program_locate(struct location *locations, const struct symtab *symtab,
			   const struct line_table *lines, const struct bitset *wanted)
{
	size_t after = 0; /* index of the first row after the symbol */

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if (wanted && !bitset_has(*wanted, s))
			continue;
		while (after < lines->nrows && lines->row[after].pc <= symtab->sym[s].lo)
			after++;
		if (after > 0)
			locations[s] = (struct location){ lines->row[after - 1].file,
							  lines->row[after - 1].line };
	}
}

/*
 * Adds symbols of lines to the table of functions. The last symbol is left out if it has no code
 * (mostly data_start). Only if `patient`, formats that libdw cannot read are read with libbfd.
 */
static int program_add_lines(struct program *prog, struct image *image, bool patient,
			     struct arena *mem, struct diag *diag)
{
	const struct image_choice all = { .all = true };
	struct symtab labels, functions = prog->symtab;
	struct line_request request = { .labels = &labels, .progress = diag->progress };
	struct strtable names = { .mem = mem };
	struct arena scratch = arena_scratch(mem);
	struct line_table lines = { NULL, 0, NULL };
	struct location *locations;

	if (image_symtab(image, &all, &labels, NULL, mem, diag) < 0)
		return -1;
	if (functions.nsyms > 1 &&
	    !program_is_code(image, functions.sym[functions.nsyms - 1].lo, mem))
		functions.nsyms--;

	if (!program_fetch_lines(&lines, image, &request, &names, &scratch) && patient &&
	    image_has_lines(image))
		lines = program_walk_lines(image, &names, diag->progress, &scratch);
	prog->symtab = symtab_add_lines(&functions, &labels, &lines, mem);
	locations = arena_array(mem, struct location, prog->symtab.nsyms);
	program_locate(locations, &prog->symtab, &lines, NULL);
	prog->locations = locations;
	arena_free(&scratch);
	return 0;
}

struct program program_begin(const struct image *image, const struct program_input *input)
{
	return (struct program){ .path = input->path, .target = image_target(image) };
}

static int program_read_symbols(struct program *prog, struct image *image,
				const struct program_input *input, struct arena *mem,
				struct diag *diag)
{
	struct image_choice choice = input->symbols;

	progress_step(diag->progress, "reading symbols", 0);
	if (input->mapfile && lists_read_objects(&prog->objects, input->mapfile, mem, diag) < 0)
		return -1;
	prog->listed = input->symfile;
	if (prog->listed)
		return lists_read_symbols(&prog->symtab, input->symfile, image_text_end(image), mem,
					  diag);
	choice.objects = &prog->objects;
	return image_symtab(image, &choice, &prog->symtab, &prog->dropped, mem, diag);
}

int program_read_functions(struct program *prog, struct image *image,
			   const struct program_input *input, struct arena *mem, struct diag *diag)
{
	struct deadline deadline = limits_deadline_begin(input->path);
	int rc = program_read_symbols(prog, image, input, mem, diag);

	limits_deadline_end(&deadline);
	return rc;
}

int program_read(struct program *prog, struct image *image, const struct program_input *input,
		 struct arena *mem, struct diag *diag)
{
	struct deadline deadline = limits_deadline_begin(input->path);
	int rc = program_read_symbols(prog, image, input, mem, diag);

	prog->by_line = input->by_line;
	if (rc == 0 && prog->by_line && !prog->listed)
		rc = program_add_lines(prog, image, true, mem, diag);
	limits_deadline_end(&deadline);
	return rc;
}

int program_read_lines(struct program *lined, struct image *image, const struct program *prog,
		       struct arena *mem, struct diag *diag)
{
	struct deadline deadline;
	int rc;

	*lined = *prog;
	if (prog->by_line || prog->listed)
		return prog->listed ? -1 : 0;
	lined->by_line = true;
	deadline = limits_deadline_begin(prog->path);
	rc = program_add_lines(lined, image, false, mem, diag);
	limits_deadline_end(&deadline);
	return rc;
}

struct line_table program_lines_at(const struct program *prog, struct image *image,
				   const address_list *pcs, bool callers, struct progress *progress,
				   struct arena *mem)
{
	struct line_request request = { .pc = pcs->at,
					.npcs = pcs->n,
					.labels = &prog->symtab,
					.callers = callers,
					.progress = progress };
	struct strtable names = { .mem = mem };
	struct line_table lines = { NULL, 0, NULL };
	struct deadline deadline;

	if (prog->listed || pcs->n == 0)
		return lines;
	deadline = limits_deadline_begin(prog->path);
	if (!program_fetch_lines(&lines, image, &request, &names, mem))
		lines = (struct line_table){ NULL, 0, NULL };
	limits_deadline_end(&deadline);
	return lines;
}

const struct location *program_locations_by(const struct program *prog,
					    const struct line_table *lines,
					    const struct bitset *wanted, struct arena *mem)
{
	struct location *locations = arena_sparse(mem, prog->symtab.nsyms, sizeof(*locations));

	program_locate(locations, &prog->symtab, lines, wanted);
	return locations;
}

int program_read_calls(struct program *prog, struct image *image, const struct program_input *input,
		       struct arena *mem, struct diag *diag)
{
	struct image_choice choice = input->symbols;
	struct arena scratch = arena_scratch(mem);
	struct code code;
	struct deadline deadline;
	int rc;

	progress_step(diag->progress, "reading the code", 0);
	/* If the functions are from a list, others were not left out because of their names. */
	choice.all = choice.all || prog->listed;
	deadline = limits_deadline_begin(prog->path);
	rc = image_code(image, &choice, &code, &scratch, diag);
	limits_deadline_end(&deadline);
	if (rc == 0 && code.nsections > 0)
		prog->calls = callscan(&code, &prog->symtab, prog->path, mem, diag);
	arena_free(&scratch);
	return rc;
}

/* Asks libbfd about each wanted symbol. */
static void program_ask_locations(struct location *locations, struct image *image,
				  const struct symtab *symtab, const struct bitset *wanted,
				  struct progress *progress, struct strtable *names)
{
	progress_step(progress, "looking up source lines", symtab->nsyms);
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		progress_at(progress, s);
		if ((!wanted || bitset_has(*wanted, s)) && !(symtab->sym[s].flags & SYM_FOREIGN)) {
			struct line_row row = image_line(image, symtab->sym[s].lo, names);

			locations[s] = (struct location){ row.file, row.line };
		}
	}
}

const struct location *program_locations(const struct program *prog, struct image *image,
					 const struct bitset *wanted, struct progress *progress,
					 struct arena *mem)
{
	const struct symtab *symtab = &prog->symtab;
	struct arena scratch = arena_scratch(mem);
	struct location *locations;
	struct line_request request = { .pc = NULL, .progress = progress };
	struct strtable names = { .mem = mem };
	struct line_table lines = { NULL, 0, NULL };
	struct deadline deadline;
	uint64_t *pc;

	if (prog->locations)
		return prog->locations;
	locations = arena_sparse(mem, symtab->nsyms, sizeof(*locations));
	if (prog->listed)
		return locations;
	request.pc = pc = arena_sparse(&scratch, symtab->nsyms, sizeof(*pc));
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if ((!wanted || bitset_has(*wanted, s)) && !(symtab->sym[s].flags & SYM_FOREIGN))
			pc[request.npcs++] = symtab->sym[s].lo;
	}
	deadline = limits_deadline_begin(prog->path);
	if (request.npcs == 0 || program_fetch_lines(&lines, image, &request, &names, &scratch))
		program_locate(locations, symtab, &lines, wanted);
	else
		program_ask_locations(locations, image, symtab, wanted, progress, &names);
	limits_deadline_end(&deadline);
	arena_free(&scratch);
	return locations;
}

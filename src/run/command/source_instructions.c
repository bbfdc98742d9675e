/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/source_instructions.h"

#include "analysis/lines/instruction_costs.h"
#include "analysis/lines/line_costs.h"
#include "base/textlines.h"
#include "run/session/fetches_sources.h"
#include "run/session/session_disassembly.h"

#include <string.h>

/* Adds the parts that compilers split off functions of the set: "NAME.cold". Linear in names. */
static void source_instructions_add_parts(const struct symtab *symtab, struct bitset wanted,
					  struct arena *mem)
{
	static const char part[] = ".cold";
	struct arena scratch = arena_scratch(mem);
	struct strtable names = { .mem = &scratch };
	uint32_t n = 0;

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if (bitset_has(wanted, s) && strtable_place(&names, symtab->sym[s].name) == n)
			n++;
	}
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		const char *name = symtab->sym[s].name, *end = strstr(name, part);

		if (end &&
		    strtable_place(&names, arena_strndup(&scratch, name, (size_t)(end - name))) < n)
			bitset_add(wanted, s);
	}
	arena_free(&scratch);
}

/* Finds the functions that are asked for. Returns 0, or -1 after saying that there is no such one.
 */
static int source_instructions_find(const struct session *s, const struct analysis_options *opt,
				    struct bitset wanted)
{
	const struct named_program program = { .path = s->program->path,
					       .symtab = &s->program->symtab,
					       .address_space = s->program->address_space,
					       .locations = s->locations,
					       .style = opt->source.style };
	int status = 0;

	for (size_t i = 0; i < opt->instructions.n; i++) {
		if (named_match(&program, &opt->instructions.at[i], wanted, s->mem))
			continue;
		named_say_unmatched(&program, "--source", &opt->instructions.at[i], s->mem,
				    s->diag);
		status = -1;
	}
	source_instructions_add_parts(&s->program->symtab, wanted, s->mem);
	return status;
}

/* The lines of source files that were read. */
struct source_instructions_files {
	struct strtable names;
	struct textlines *lines; /* by the place of the file's name */
	uint32_t n;
	const struct source_search *search;
	struct arena *mem;
	struct diag *diag;
};

/* Returns the lines of a file, which is read the first time. */
static const struct textlines *source_instructions_read(struct source_instructions_files *files,
							const char *name)
{
	uint32_t place = strtable_place(&files->names, name);
	struct source_text text;

	if (place < files->n)
		return &files->lines[place];
	text = source_read(name, files->search, files->mem, files->diag);
	files->n++;
	if (text.bytes)
		files->lines[place] = textlines_find(text.bytes, text.size, files->mem);
	return &files->lines[place];
}

/* Returns a line without its end and the blanks at its beginning. */
static struct instruction_source source_instructions_line(const struct textlines *lines,
							  unsigned line)
{
	const char *at, *end;

	if (line == 0 || line > lines->n)
		return (struct instruction_source){ NULL, 0 };
	at = lines->start[line];
	end = lines->start[line + 1];
	while (end > at && strchr("\r\n", end[-1]))
		end--;
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return (struct instruction_source){ at, (size_t)(end - at) };
}

/* Copies of the files that instructions are from. */
static source_copies source_instructions_copies(const struct session *s,
						const struct instruction_listings *listings)
{
	source_wishes wishes = { 0 };

	for (uint32_t i = 0; i < listings->n; i++) {
		const struct instruction_listing *l = &listings->at[i];
		const char *last = NULL;

		for (uint32_t k = 0; k < l->code.n; k++) {
			const struct instruction_cost *cost = &l->cost[k];

			if (!cost->file || (cost->file == last && cost->self == 0.0))
				continue;
			last = cost->file;
			array_push(s->mem, &wishes) =
				(struct source_wish){ last, s->program->symtab.sym[l->symbol].lo,
						      cost->self };
		}
	}
	return fetches_sources_make(s, &wishes);
}

/* Returns the source text of each listing's instructions. */
static const struct instruction_source *const *source_instructions_texts(
	const struct session *s, const struct instruction_listings *listings, file_ids *ids)
{
	const source_copies copies = source_instructions_copies(s, listings);
	const struct source_search search = { &s->input->source_path, false, ids, s->mem, &copies };
	struct source_instructions_files files = {
		.names.mem = s->mem, .search = &search, .mem = s->mem, .diag = s->diag
	};
	const struct instruction_source **texts =
		arena_array(s->mem, const struct instruction_source *, listings->n);
	size_t n = 0;

	for (uint32_t i = 0; i < listings->n; i++)
		n += listings->at[i].code.n;
	files.lines = arena_array(s->mem, struct textlines, n);
	for (uint32_t i = 0; i < listings->n; i++) {
		const struct instruction_listing *l = &listings->at[i];
		struct instruction_source *text =
			arena_array(s->mem, struct instruction_source, l->code.n);

		for (uint32_t k = 0; k < l->code.n; k++) {
			if (l->cost[k].file)
				text[k] = source_instructions_line(
					source_instructions_read(&files, l->cost[k].file),
					l->cost[k].line);
		}
		texts[i] = text;
	}
	return texts;
}

int source_instructions_gather(struct steps *steps, struct view *view)
{
	const struct analysis_options *analysis = &steps->c->opt->analysis;
	struct session *s = &steps->session;
	const struct symtab *symtab = &s->program->symtab;
	struct instruction_listings *made = arena_array(s->mem, struct instruction_listings, 1);
	struct bitset wanted = bitset_empty(s->mem, symtab->nsyms);
	sym_id *symbol = arena_array(s->mem, sym_id, symtab->nsyms);
	struct line_costs_input costs_input = { .analysis = &s->analysis };
	struct instruction_costs_input input = { .analysis = &s->analysis, .symbol = symbol };
	address_list pcs = { 0 };
	struct line_table lines;
	struct line_costs costs;

	if (source_instructions_find(s, analysis, wanted) < 0)
		return -1;
	for (sym_id i = 0; i < symtab->nsyms; i++) {
		if (!bitset_has(wanted, i))
			continue;
		symbol[input.n++] = i;
		array_push(s->mem, &pcs) = symtab->sym[i].lo;
	}
	input.code = session_disassemble(s, symbol, input.n);
	if (!input.code)
		return -1;
	costs_input.trees = session_trees(s, analysis, TREES_ADDRESSES, false);
	input.stacks = costs_input.trees != NULL;
	line_costs_want(&costs_input, &pcs, s->mem);
	lines = session_lines(s, &pcs);
	costs = line_costs_make(&costs_input, &lines, s->mem);
	input.costs = &costs;
	input.lines = &lines;
	*made = instruction_costs_make(&input, s->mem);
	view->instructions = made;
	view->instruction_lines = source_instructions_texts(s, made, &steps->files.inputs);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each function that a request names becomes a target: either a symbol, or an inlined function,
 * which is known by its name and a source file of its code. One pass over the line table finds the
 * lines of each target. Then targets whose lines overlap become one range.
 */
#include "config.h"

#include "analysis/lines/function_lines.h"

#include "analysis/lines/line_slices.h"
#include "base/path.h"
#include "base/sort.h"

#include <string.h>

struct function_lines_maker {
	const struct named_program *program;
	const struct line_table *lines;
	ARRAY(struct function_range) targets;
	uint32_t *of_symbol; /* for each symbol, the index of its target plus 1; 0: none */
	/* all inlined functions; `range` is the index of a target plus 1, or 0 */
	ARRAY(struct function_lines_inlined) inlined;
	struct index index;
	struct arena *mem;
};

void function_lines_want(const struct named_program *program,
			 const struct function_lines_options *opt, address_list *pcs,
			 struct arena *mem)
{
	const struct symtab *symtab = program->symtab;
	struct bitset wanted = bitset_empty(mem, symtab->nsyms);
	bool all = false;

	for (size_t i = 0; i < opt->requests.n; i++) {
		struct spec spec =
			spec_parse(opt->requests.at[i].name, program->address_space, mem);

		all |= spec.from.line != 0;
		named_match(program, &opt->requests.at[i], wanted, mem);
	}
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if ((all || bitset_has(wanted, s)) && symtab_has_code(&symtab->sym[s]))
			array_push(mem, pcs) = symtab->sym[s].lo;
	}
}

INDEX_KEY(function_lines_key, struct function_lines_inlined, (uintptr_t)x->function,
	  (uintptr_t)x->file)

/* Returns the index of an inlined function, plus 1; 0: not found. */
static uint32_t function_lines_search(const struct index *index,
				      const struct function_lines_inlined *inlined,
				      const char *function, const char *file)
{
	const struct function_lines_inlined wanted = { function, file, 0 };

	return function ? index_lookup(index, inlined, function_lines_key, &wanted) + 1 : 0;
}

uint32_t function_lines_find_inlined(const struct function_lines *functions, const char *function,
				     const char *file)
{
	uint32_t at =
		function_lines_search(&functions->index, functions->inlined.at, function, file);

	return at > 0 ? functions->inlined.at[at - 1].range : 0;
}

static void function_lines_add_inlined(struct function_lines_maker *m, const char *function,
				       const char *file)
{
	const struct function_lines_inlined wanted = { function, file, 0 };

	if (function && file)
		index_intern(&m->index, &m->inlined, &wanted, function_lines_key, m->mem);
}

/* Lists all functions that were inlined anywhere. */
static void function_lines_find_all_inlined(struct function_lines_maker *m)
{
	const struct line_table *lines = m->lines;
	uint32_t ncallers = 0;

	for (size_t i = 0; i < lines->nrows; i++) {
		const struct line_row *row = &lines->row[i];

		ncallers = row->caller > ncallers ? row->caller : ncallers;
		if (row->caller != 0)
			function_lines_add_inlined(m, row->function, row->file);
	}
	/* A caller's index refers to an earlier caller, so one pass is enough. */
	for (uint32_t i = 1; i <= ncallers; i++) {
		if (lines->caller[i].caller != 0)
			function_lines_add_inlined(m, lines->caller[i].function,
						   lines->caller[i].file);
	}
}

/* Makes a target without lines if *place is 0, and puts its index plus 1 into *place. */
static void function_lines_add_target(struct function_lines_maker *m, uint32_t *place,
				      const char *file, unsigned context)
{
	struct function_range *target;

	if (*place == 0) {
		array_push(m->mem, &m->targets) = (struct function_range){ file, 0, 0, 0 };
		*place = (uint32_t)m->targets.n;
	}
	target = &m->targets.at[*place - 1];
	target->context = context > target->context ? context : target->context;
}

/* Makes a symbol a target in the file of its first address. */
static void function_lines_add_symbol(struct function_lines_maker *m, sym_id s, unsigned context)
{
	const struct sym *sym = &m->program->symtab->sym[s];
	struct line_caller chain[LINE_SLICES_MOST_CALLERS];
	const struct line_caller *own;
	struct function_range *target;

	function_lines_add_target(m, &m->of_symbol[s], NULL, context);
	target = &m->targets.at[m->of_symbol[s] - 1];
	if (!symtab_has_code(sym))
		return;
	own = &chain[line_slices_chain(m->lines, line_table_find(m->lines, sym->lo), chain) - 1];
	if (own->file)
		*target =
			(struct function_range){ own->file, own->line, own->line, target->context };
}

/* Whether an inlined function is what the user wrote, which is `half` and `name`. */
static bool function_lines_names_inlined(const struct function_lines_maker *m,
					 enum named_level level, const struct spec_half *half,
					 const char *name,
					 const struct function_lines_inlined *inlined)
{
	struct arena scratch = arena_scratch(m->mem);
	bool is_named = !half->function || strcmp(half->function, inlined->function) == 0;

	if (level != NAMED_WHOLE || half->line ||
	    (half->file && strcmp(half->file, path_base(inlined->file)) != 0))
		is_named = false;
	is_named = is_named ||
		   named_is_at(level, demangle(inlined->function, m->program->style, &scratch),
			       name, &scratch);
	arena_free(&scratch);
	return is_named;
}

/*
 * Makes targets of the functions that have code of the line: of inlined functions, if there are
 * any, else of symbols.
 */
static bool function_lines_match_line(struct function_lines_maker *m, const struct spec_half *half,
				      unsigned context)
{
	struct line_caller chain[LINE_SLICES_MOST_CALLERS];
	bool matched = false;

	for (size_t i = 0; i < m->lines->nrows; i++) {
		uint32_t n = line_slices_chain(m->lines, &m->lines->row[i], chain), at;
		sym_id s;

		for (uint32_t k = 0; k < n; k++) {
			if (!chain[k].file || chain[k].line != half->line ||
			    strcmp(path_base(chain[k].file), half->file) != 0)
				continue;
			matched = true;
			at = k + 1 < n ? function_lines_search(&m->index, m->inlined.at,
							       chain[k].function, chain[k].file)
				       : 0;
			s = symtab_find(m->program->symtab, m->lines->row[i].pc);
			if (at > 0)
				function_lines_add_target(m, &m->inlined.at[at - 1].range,
							  chain[k].file, context);
			else if (s != SYM_NONE)
				function_lines_add_symbol(m, s, context);
		}
	}
	return matched;
}

/* Makes targets of what a request names at one level; returns false if there is nothing. */
static bool function_lines_match_at(struct function_lines_maker *m, enum named_level level,
				    const struct named_request *request,
				    const struct spec_half *half)
{
	const struct symtab *symtab = m->program->symtab;
	struct arena scratch = arena_scratch(m->mem);
	struct bitset symbols = bitset_empty(&scratch, symtab->nsyms);
	bool matched = named_match_at(level, m->program, request, symbols, &scratch);

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if (bitset_has(symbols, s))
			function_lines_add_symbol(m, s, request->number);
	}
	for (size_t i = 0; i < m->inlined.n; i++) {
		if (!function_lines_names_inlined(m, level, half, request->name, &m->inlined.at[i]))
			continue;
		matched = true;
		function_lines_add_target(m, &m->inlined.at[i].range, m->inlined.at[i].file,
					  request->number);
	}
	arena_free(&scratch);
	return matched;
}

/* Makes targets of what a request names; returns false if there is nothing. */
static bool function_lines_match(struct function_lines_maker *m,
				 const struct named_request *request)
{
	struct arena scratch = arena_scratch(m->mem);
	struct spec spec = spec_parse(request->name, m->program->address_space, &scratch);
	bool matched = function_lines_match_at(m, NAMED_WHOLE, request, &spec.from);

	if (!matched && spec.from.file && spec.from.line)
		matched = function_lines_match_line(m, &spec.from, request->number);
	for (int level = NAMED_WHOLE + 1; level < NAMED_LEVELS && !matched; level++)
		matched = function_lines_match_at(m, (enum named_level)level, request, &spec.from);
	arena_free(&scratch);
	return matched;
}

static void function_lines_say_unmatched(const struct function_lines_maker *m,
					 const struct named_request *request, struct diag *diag)
{
	struct named_program program = *m->program;
	const char **more = arena_array(m->mem, const char *, m->inlined.n);

	for (size_t i = 0; i < m->inlined.n; i++)
		more[i] = m->inlined.at[i].function;
	program.more = more;
	program.nmore = m->inlined.n;
	named_say_unmatched(&program, "--source", request, m->mem, diag);
}

/* Lines before the first line of a symbol are not its own: they may be default arguments. */
static void function_lines_grow(struct function_range *target, const struct line_caller *at,
				bool is_symbol)
{
	if (target->file != at->file || at->line == 0 || (is_symbol && at->line < target->first))
		return;
	if (target->first == 0 || at->line < target->first)
		target->first = at->line;
	if (at->line > target->last)
		target->last = at->line;
}

static void function_lines_grow_all(struct function_lines_maker *m)
{
	const struct symtab *symtab = m->program->symtab;
	struct line_caller chain[LINE_SLICES_MOST_CALLERS];
	sym_id s = 0;

	for (size_t i = 0; i < m->lines->nrows; i++) {
		const struct line_row *row = &m->lines->row[i];
		uint32_t n = line_slices_chain(m->lines, row, chain), at;

		while (s < symtab->nsyms && symtab->sym[s].hi <= row->pc)
			s++;
		for (uint32_t k = 0; k + 1 < n; k++) {
			at = function_lines_search(&m->index, m->inlined.at, chain[k].function,
						   chain[k].file);
			at = at > 0 ? m->inlined.at[at - 1].range : 0;
			if (at > 0)
				function_lines_grow(&m->targets.at[at - 1], &chain[k], false);
		}
		at = s < symtab->nsyms && symtab->sym[s].lo <= row->pc ? m->of_symbol[s] : 0;
		if (at > 0)
			function_lines_grow(&m->targets.at[at - 1], &chain[n - 1], true);
	}
}

static int function_lines_compare(uint32_t x, uint32_t y, const void *targets)
{
	const struct function_range *a = (const struct function_range *)targets + x;
	const struct function_range *b = (const struct function_range *)targets + y;
	int order;

	if (!a->file || !b->file)
		return !a->file - !b->file;
	order = strcmp(a->file, b->file);
	return order ? order : (a->first > b->first) - (a->first < b->first);
}

/* Joins targets that share lines; sets place[] to the index, plus 1, of the range of each. */
static struct function_lines function_lines_join(const struct function_lines_maker *m,
						 uint32_t *place)
{
	uint32_t n = (uint32_t)m->targets.n;
	uint32_t *order = arena_array(m->mem, uint32_t, n);
	struct function_range *joined = arena_array(m->mem, struct function_range, n);
	struct function_lines functions = { .at = joined };

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, function_lines_compare, m->targets.at, m->mem);
	for (uint32_t i = 0; i < n; i++) {
		const struct function_range *next = &m->targets.at[order[i]];
		struct function_range *last = functions.n > 0 ? &joined[functions.n - 1] : NULL;

		if (last && next->file && last->file == next->file && next->first <= last->last) {
			last->last = next->last > last->last ? next->last : last->last;
			if (next->context > last->context)
				last->context = next->context;
		} else {
			joined[functions.n++] = *next;
		}
		place[order[i]] = functions.n;
	}
	return functions;
}

struct function_lines function_lines_make(const struct named_program *program,
					  const struct line_table *lines,
					  const struct function_lines_options *opt,
					  struct arena *mem, struct diag *diag)
{
	uint32_t nsyms = program->symtab->nsyms, *place;
	struct function_lines_maker m = { .program = program,
					  .lines = lines,
					  .of_symbol = arena_array(mem, uint32_t, nsyms),
					  .mem = mem };
	struct function_lines functions;

	function_lines_find_all_inlined(&m);
	for (size_t i = 0; i < opt->requests.n; i++) {
		if (!function_lines_match(&m, &opt->requests.at[i]))
			function_lines_say_unmatched(&m, &opt->requests.at[i], diag);
	}
	function_lines_grow_all(&m);
	place = arena_array(mem, uint32_t, m.targets.n);
	functions = function_lines_join(&m, place);
	for (sym_id s = 0; s < nsyms; s++)
		m.of_symbol[s] = m.of_symbol[s] ? place[m.of_symbol[s] - 1] : 0;
	for (size_t i = 0; i < m.inlined.n; i++) {
		uint32_t *at = &m.inlined.at[i].range;

		*at = *at ? place[*at - 1] : 0;
	}
	functions.of_symbol = m.of_symbol;
	functions.inlined.at = m.inlined.at;
	functions.inlined.n = m.inlined.n;
	functions.index = m.index;
	return functions;
}

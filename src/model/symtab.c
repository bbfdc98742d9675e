/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting and searching symbols. */
#include "config.h"

#include "model/symtab.h"

#include "base/array.h"
#include "base/radix.h"
#include "base/search.h"

#include <stdbool.h>
#include <string.h>

/* True if `other` is the better name for the address that it shares with `kept`. */
static bool replaces(const struct sym *other, const struct sym *kept)
{
	unsigned differ = other->flags ^ kept->flags;

	if (differ & SYM_STATIC)
		return !(other->flags & SYM_STATIC);
	if (differ & SYM_FUNC)
		return other->flags & SYM_FUNC;
	if (kept->name[0] != '_')
		return false;
	return other->name[0] != '_' || (kept->name[1] == '_' && other->name[1] != '_');
}

static struct sym better(const struct sym *kept, const struct sym *other)
{
	struct sym sym = replaces(other, kept) ? *other : *kept;

	sym.place = kept->place < other->place ? kept->place : other->place;
	return sym;
}

struct symtab symtab_build(const struct sym *candidates, size_t n, uint64_t end, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct keyed *sorted = arena_array(&scratch, struct keyed, n);
	struct sym *table = arena_array(mem, struct sym, n);
	uint32_t kept = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct keyed){ candidates[i].lo, (uint32_t)i };
	sort_keyed(sorted, n, &scratch);
	for (size_t i = 0; i < n; i++) {
		const struct sym *sym = &candidates[sorted[i].id];

		if (kept == 0 || table[kept - 1].lo != sym->lo)
			table[kept++] = *sym;
		else
			table[kept - 1] = better(&table[kept - 1], sym);
	}
	for (uint32_t i = 0; i < kept; i++)
		table[i].hi = i + 1 < kept        ? table[i + 1].lo
			      : end > table[i].lo ? end
						  : table[i].lo;
	arena_free(&scratch);
	return (struct symtab){ table, kept };
}

sym_id symtab_from(const struct symtab *symtab, uint64_t pc)
{
	return (sym_id)search_above(symtab->sym, symtab->nsyms, sizeof(*symtab->sym),
				    offsetof(struct sym, hi), pc);
}

sym_id symtab_find(const struct symtab *symtab, uint64_t pc)
{
	sym_id s = symtab_from(symtab, pc);

	return s < symtab->nsyms && symtab->sym[s].lo <= pc ? s : SYM_NONE;
}

struct symtab_finder symtab_finder_make(const struct symtab *symtab, struct arena *mem)
{
	uint32_t n = symtab->nsyms;
	uint64_t *lo = arena_array(mem, uint64_t, n);
	struct symtab_finder f = { .lo = lo };
	sym_id *at, s = 0;

	if (n == 0)
		return f;
	for (sym_id i = 0; i < n; i++)
		lo[i] = symtab->sym[i].lo;
	f.size = symtab->sym[n - 1].hi - lo[0];
	while (f.size >> f.shift > 2 * (uint64_t)n)
		f.shift++;
	f.npieces = f.size > 0 ? ((f.size - 1) >> f.shift) + 1 : 0;
	at = arena_array(mem, sym_id, f.npieces + 1);
	for (uint64_t i = 0; i < f.npieces; i++) {
		while (s + 1 < n && lo[s + 1] - lo[0] <= i << f.shift)
			s++;
		at[i] = s;
	}
	at[f.npieces] = n - 1;
	f.at = at;
	return f;
}

sym_id symtab_finder_find(const struct symtab_finder *f, uint64_t pc)
{
	uint64_t piece;
	sym_id s, last;

	if (f->size == 0 || pc < f->lo[0] || pc - f->lo[0] >= f->size)
		return SYM_NONE;
	piece = (pc - f->lo[0]) >> f->shift;
	s = f->at[piece];
	last = f->at[piece + 1];
	while (s < last) {
		sym_id middle = s + (last - s + 1) / 2;

		if (f->lo[middle] <= pc)
			s = middle;
		else
			last = middle - 1;
	}
	return s;
}

/* Symbols of source lines in the making. */
struct line_syms {
	const struct symtab *functions, *labels;
	ARRAY(struct sym) made;
	const char *file; /* of the last one */
	unsigned line;
	struct arena *mem;
};

static const char *label_at(const struct symtab *symtab, uint64_t pc)
{
	sym_id s = symtab_find(symtab, pc);

	return s == SYM_NONE ? NULL : symtab->sym[s].name;
}

static void add_line(struct line_syms *to, const struct line_row *row, uint64_t pc)
{
	sym_id s = symtab_find(to->functions, pc);
	const struct sym *function = s == SYM_NONE ? NULL : &to->functions->sym[s];
	const struct sym *last = to->made.n > 0 ? &to->made.at[to->made.n - 1] : NULL;
	const char *name = row->function ? row->function : label_at(to->labels, pc);
	bool same = last && name && row->file == to->file && strcmp(name, last->name) == 0;
	unsigned is_static = same       ? last->flags & SYM_STATIC
			     : function ? function->flags & SYM_STATIC
					: 0;

	if (!name || (same && row->line == to->line))
		return;
	array_push(to->mem, &to->made) = (struct sym){
		.lo = pc, .name = name, .flags = SYM_LINE | is_static, .place = UINT32_MAX
	};
	to->file = row->file;
	to->line = row->line;
}

struct symtab symtab_add_lines(const struct symtab *functions, const struct symtab *labels,
			       const struct line_table *lines, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct line_syms to = { .functions = functions, .labels = labels, .mem = &scratch };
	struct symtab table;

	for (size_t i = 0; i < lines->nrows; i++) {
		const struct line_row *row = &lines->row[i];
		if (!row->file)
			continue;
		add_line(&to, row, row->pc);
		if (row->function)
			continue;
		/* Without a name of its own the row has those of the labels in it. */
		for (sym_id s = symtab_from(labels, row->pc);
		     s < labels->nsyms && labels->sym[s].lo < row[1].pc; s++) {
			if (labels->sym[s].lo > row->pc)
				add_line(&to, row, labels->sym[s].lo);
		}
	}
	for (sym_id s = 0; s < functions->nsyms; s++)
		array_push(&scratch, &to.made) = functions->sym[s];
	table = symtab_build(to.made.at, to.made.n, functions->sym[functions->nsyms - 1].hi, mem);
	arena_free(&scratch);
	return table;
}

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
static bool symtab_replaces(const struct sym *other, const struct sym *kept)
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

static struct sym symtab_better(const struct sym *kept, const struct sym *other)
{
	struct sym sym = symtab_replaces(other, kept) ? *other : *kept;

	sym.place = kept->place < other->place ? kept->place : other->place;
	if (!(kept->flags & other->flags & SYM_DROPPED))
		sym.flags &= ~(unsigned)SYM_DROPPED;
	return sym;
}

/* Each symbol extends to the next one, the last to end. */
static void symtab_set_ends(struct sym *table, uint32_t n, uint64_t end)
{
	for (uint32_t i = 0; i < n; i++)
		table[i].hi = i + 1 < n ? table[i + 1].lo : end > table[i].lo ? end : table[i].lo;
}

struct symtab symtab_build(const struct sym *candidates, size_t n, uint64_t end, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const struct key_column by_address = { candidates, sizeof(*candidates),
					       offsetof(struct sym, lo) };
	const struct keyed *sorted = radix_order_by_key(by_address, n, &scratch);
	struct sym *table = arena_array(mem, struct sym, n);
	uint32_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct sym *sym = &candidates[sorted ? sorted[i].id : i];

		if (kept == 0 || table[kept - 1].lo != sym->lo)
			table[kept++] = *sym;
		else
			table[kept - 1] = symtab_better(&table[kept - 1], sym);
	}
	symtab_set_ends(table, kept, end);
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

/* A table of functions and lines in the making. Addresses ascend, so nothing is searched. */
struct line_syms {
	const struct symtab *functions, *labels;
	sym_id function, label; /* the first function and the first label that end after the current
				   address */
	sym_id next;            /* the first function not yet in the table */
	struct sym *table;
	uint32_t n;
	struct sym last; /* the last line; name is NULL before the first */
	const char *file;
	unsigned line; /* number of the last line */
};

/* Finds a symbol like symtab_from(), for an address not lower than that of the previous call. */
static sym_id symtab_advance(const struct symtab *symtab, sym_id *s, uint64_t pc)
{
	while (*s < symtab->nsyms && symtab->sym[*s].hi <= pc)
		++*s;
	return *s;
}

static const struct sym *symtab_holder(const struct symtab *symtab, sym_id *at, uint64_t pc)
{
	sym_id s = symtab_advance(symtab, at, pc);

	return s < symtab->nsyms && symtab->sym[s].lo <= pc ? &symtab->sym[s] : NULL;
}

/* Adds the functions that begin below pc. */
static void symtab_add_functions(struct line_syms *to, uint64_t pc)
{
	while (to->next < to->functions->nsyms && to->functions->sym[to->next].lo < pc)
		to->table[to->n++] = to->functions->sym[to->next++];
}

static bool symtab_same_name(const char *x, const char *y)
{
	return x == y || (x && y && strcmp(x, y) == 0);
}

static void symtab_add_line(struct line_syms *to, const struct line_row *row, uint64_t pc)
{
	const struct sym *function = symtab_holder(to->functions, &to->function, pc);
	const struct sym *label = row->function ? NULL : symtab_holder(to->labels, &to->label, pc);
	const char *name = label ? label->name : row->function;
	bool same = name && row->file == to->file && symtab_same_name(name, to->last.name);
	unsigned is_static = same       ? to->last.flags & SYM_STATIC
			     : function ? function->flags & SYM_STATIC
					: 0;

	if (!name || (same && row->line == to->line))
		return;
	to->last = (struct sym){
		.lo = pc, .name = name, .flags = SYM_LINE | is_static, .place = UINT32_MAX
	};
	to->file = row->file;
	to->line = row->line;
	symtab_add_functions(to, pc);
	to->table[to->n] = to->last;
	if (to->next < to->functions->nsyms && to->functions->sym[to->next].lo == pc)
		to->table[to->n] = symtab_better(&to->last, &to->functions->sym[to->next++]);
	to->n++;
}

struct symtab symtab_add_lines(const struct symtab *functions, const struct symtab *labels,
			       const struct line_table *lines, struct arena *mem)
{
	size_t most = lines->nrows + labels->nsyms + functions->nsyms;
	struct line_syms to = {
		.functions = functions,
		.labels = labels,
		.table = arena_array(mem, struct sym, most),
	};

	for (size_t i = 0; i < lines->nrows; i++) {
		const struct line_row *row = &lines->row[i];
		if (!row->file)
			continue;
		symtab_add_line(&to, row, row->pc);
		if (row->function)
			continue;
		/* A row without a function gets the names of the labels in it. */
		for (sym_id s = symtab_advance(labels, &to.label, row->pc);
		     s < labels->nsyms && labels->sym[s].lo < row[1].pc; s++) {
			if (labels->sym[s].lo > row->pc)
				symtab_add_line(&to, row, labels->sym[s].lo);
		}
	}
	symtab_add_functions(&to, UINT64_MAX);
	symtab_set_ends(to.table, to.n, functions->sym[functions->nsyms - 1].hi);
	return (struct symtab){ to.table, to.n };
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting and searching symbols. */
#include "config.h"

#include "model/symtab.h"

#include <stdbool.h>
#include <stdlib.h>

/* A candidate and its place in the object file, which is the last resort of every choice. */
struct candidate {
	const struct sym *sym;
	size_t place;
};

static int compare(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	unsigned x_func = x->sym->flags & SYM_FUNC, y_func = y->sym->flags & SYM_FUNC;
	unsigned x_static = x->sym->flags & SYM_STATIC, y_static = y->sym->flags & SYM_STATIC;

	if (x->sym->lo != y->sym->lo)
		return x->sym->lo < y->sym->lo ? -1 : 1;
	if (x_func != y_func)
		return x_func ? -1 : 1;
	if (x_static != y_static)
		return x_static ? 1 : -1;
	return (x->place > y->place) - (x->place < y->place);
}

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

struct symtab symtab_build(const struct sym *candidates, size_t n, uint64_t end, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct candidate *sorted = arena_array(&scratch, struct candidate, n);
	struct sym *table = arena_array(mem, struct sym, n);
	uint32_t kept = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct candidate){ &candidates[i], i };
	qsort(sorted, n, sizeof(*sorted), compare);
	for (size_t i = 0; i < n; i++) {
		const struct sym *sym = sorted[i].sym;

		if (kept == 0 || table[kept - 1].lo != sym->lo)
			table[kept++] = *sym;
		else if (replaces(sym, &table[kept - 1]))
			table[kept - 1] = *sym;
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
	uint32_t lo = 0, hi = symtab->nsyms;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (symtab->sym[mid].hi <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

sym_id symtab_find(const struct symtab *symtab, uint64_t pc)
{
	sym_id s = symtab_from(symtab, pc);

	return s < symtab->nsyms && symtab->sym[s].lo <= pc ? s : SYM_NONE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ticks and arcs to symbols. Ticks: for each histogram one sweep over its bins and the symbols
 * under them, linear. Arcs: a binary search for each end.
 *
 * Ticks are credited in units of two bytes, and from bin bounds cut to whole units while the bin's
 * real width divides: the historic rule of gprof, on which the last printed digit depends.
 */
#include "config.h"

#include "analysis/resolve.h"

enum { UNIT_BYTES = 2 };

struct sweep {
	const struct symtab *symtab;
	struct bitset credited;
	double *self;
	double total;
};

/* Shares n ticks of the units [lo, hi) among the symbols from `first` on that have units in it. */
static void credit_bin(struct sweep *to, sym_id first, uint64_t lo, uint64_t hi, double n,
		       double scale)
{
	to->total += n;
	for (sym_id s = first; s < to->symtab->nsyms; s++) {
		uint64_t sym_lo = to->symtab->sym[s].lo / UNIT_BYTES;
		uint64_t sym_hi = to->symtab->sym[s].hi / UNIT_BYTES;
		uint64_t from = sym_lo > lo ? sym_lo : lo;
		uint64_t upto = sym_hi < hi ? sym_hi : hi;
		double share;

		if (sym_lo >= hi)
			break;
		if (from >= upto)
			continue;
		share = (double)(upto - from) * n / scale;
		if (bitset_has(to->credited, s))
			to->self[s] += share;
		else
			to->total -= share;
	}
}

static void sweep_hist(struct sweep *to, const struct hist *hist, double scale)
{
	uint64_t base = hist->lo / UNIT_BYTES;
	sym_id first = symtab_from(to->symtab, hist->lo);

	for (uint32_t i = 0; i < hist->nbins; i++) {
		uint64_t lo, hi;

		if (hist->ticks[i] == 0)
			continue;
		lo = base + (uint64_t)(scale * i);
		hi = base + (uint64_t)(scale * (i + 1));
		while (first < to->symtab->nsyms && to->symtab->sym[first].hi / UNIT_BYTES <= lo)
			first++;
		credit_bin(to, first, lo, hi, (double)hist->ticks[i], scale);
	}
}

struct ticks resolve_ticks(const struct profile *prof, const struct symtab *symtab,
			   const struct selection *sel, struct arena *mem)
{
	struct sweep to = {
		.symtab = symtab,
		.credited = sel->flat,
		.self = arena_array(mem, double, symtab->nsyms),
	};

	/* One scale for all, the first one's: they agree to 1e-6, but digits depend on it. */
	for (size_t i = 0; i < prof->hists.n; i++)
		sweep_hist(&to, &prof->hists.at[i], hist_scale(&prof->hists.at[0]));
	return (struct ticks){ to.self, to.total };
}

/*
 * The function called at self_pc. An address inside a symbol that is not marked as a function
 * belongs to the function before it, unless it is the very address of that symbol.
 */
static sym_id find_callee(const struct symtab *symtab, uint64_t self_pc)
{
	sym_id s = symtab_find(symtab, self_pc);

	if (s == SYM_NONE || symtab->sym[s].lo == self_pc)
		return s;
	while (!(symtab->sym[s].flags & SYM_FUNC)) {
		if (s-- == 0)
			return SYM_NONE;
	}
	return s;
}

struct arc *resolve_arcs(const struct profile *prof, const struct symtab *symtab, size_t *n,
			 struct arena *mem)
{
	struct arc *arcs = arena_array(mem, struct arc, prof->arcs.n);

	*n = 0;
	for (size_t i = 0; i < prof->arcs.n; i++) {
		const struct raw_arc *raw = &prof->arcs.at[i];
		sym_id from = symtab_find(symtab, raw->from_pc);
		sym_id to = find_callee(symtab, raw->self_pc);

		if (from != SYM_NONE && to != SYM_NONE)
			arcs[(*n)++] = (struct arc){ from, to, raw->ncalls };
	}
	return arcs;
}

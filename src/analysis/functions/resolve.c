/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the symbols of ticks and arcs. Ticks: one sweep over the bins of each histogram and their
 * symbols. Arcs: each end is found with a symtab_finder, since binary searches for 10^6 arcs over
 * 10^4 functions took 0.13 s.
 *
 * Bins are credited in units of two bytes: their bounds are cut to whole units, but what a unit
 * gets is divided by the bin's uncut width. That is gprof's historic rule, and the last printed
 * digit depends on it.
 */
#include "config.h"

#include "analysis/functions/resolve.h"

#include "base/sort.h"

struct resolve_sweep {
	const struct symtab *symtab;
	resolve_take *take;
	void *arg;
};

/*
 * Divides n ticks of the units [lo, hi) among the symbols from `first` on that have units in that
 * range.
 */
static void resolve_share_bin(const struct resolve_sweep *to, sym_id first, uint64_t lo,
			      uint64_t hi, double n, double scale)
{
	to->take(&(struct resolve_part){ SYM_NONE, lo, hi, n }, to->arg);
	for (sym_id s = first; s < to->symtab->nsyms; s++) {
		uint64_t sym_lo = to->symtab->sym[s].lo / RESOLVE_UNIT;
		uint64_t sym_hi = to->symtab->sym[s].hi / RESOLVE_UNIT;
		uint64_t from = sym_lo > lo ? sym_lo : lo;
		uint64_t upto = sym_hi < hi ? sym_hi : hi;

		if (sym_lo >= hi)
			break;
		if (from < upto)
			to->take(&(struct resolve_part){ s, from, upto,
							 (double)(upto - from) * n / scale },
				 to->arg);
	}
}

static void resolve_sweep_hist(const struct resolve_sweep *to, const struct hist *hist,
			       double scale)
{
	uint64_t base = hist->lo / RESOLVE_UNIT;
	sym_id first = symtab_from(to->symtab, hist->lo);

	for (uint32_t i = 0; (i = profile_next_bin(hist, i)) < hist->nbins; i++) {
		uint64_t lo = base + (uint64_t)(scale * i);
		uint64_t hi = base + (uint64_t)(scale * (i + 1));

		while (first < to->symtab->nsyms && to->symtab->sym[first].hi / RESOLVE_UNIT <= lo)
			first++;
		resolve_share_bin(to, first, lo, hi, (double)hist->ticks[i], scale);
	}
}

/*
 * Ticks at a single address all go to the symbol at that address, even if it has only a part of the
 * unit.
 */
static void resolve_points(const struct resolve_sweep *to, const struct profile *prof)
{
	for (size_t i = 0; i < prof->points.n; i++) {
		const struct raw_point *point = &prof->points.at[i];
		uint64_t unit = point->pc / RESOLVE_UNIT;
		struct resolve_part part = { SYM_NONE, unit, unit + 1, (double)point->ticks };

		to->take(&part, to->arg);
		part.symbol = symtab_find(to->symtab, point->pc);
		if (part.symbol != SYM_NONE)
			to->take(&part, to->arg);
	}
}

void resolve_walk(const struct profile *prof, const struct symtab *symtab, resolve_take *take,
		  void *arg)
{
	const struct resolve_sweep to = { symtab, take, arg };

	/*
	 * The scale of the first histogram is used for all: scales agree to 1e-6, but printed
	 * digits depend on them.
	 */
	for (size_t i = 0; i < prof->hists.n; i++)
		resolve_sweep_hist(&to, &prof->hists.at[i], profile_hist_scale(&prof->hists.at[0]));
	resolve_points(&to, prof);
}

void resolve_bin(const struct profile *prof, const struct symtab *symtab, uint32_t hist,
		 uint32_t bin, resolve_take *take, void *arg)
{
	const struct resolve_sweep to = { symtab, take, arg };
	uint64_t base = prof->hists.at[hist].lo / RESOLVE_UNIT;
	double scale = profile_hist_scale(&prof->hists.at[0]);
	uint64_t lo = base + (uint64_t)(scale * bin);
	uint64_t hi = base + (uint64_t)(scale * (bin + 1.0));

	resolve_share_bin(&to, symtab_from(symtab, lo * RESOLVE_UNIT), lo, hi,
			  (double)prof->hists.at[hist].ticks[bin], scale);
}

struct resolve_credits {
	struct bitset credited;
	double *self;
	double total;
};

static void resolve_credit(const struct resolve_part *part, void *arg)
{
	struct resolve_credits *credits = arg;

	if (part->symbol == SYM_NONE)
		credits->total += part->ticks;
	else if (bitset_has(credits->credited, part->symbol))
		credits->self[part->symbol] += part->ticks;
	else
		credits->total -= part->ticks;
}

/* flatten: the 10^7 indirect calls would take a third of the time. */
__attribute__((flatten)) struct ticks resolve_ticks(const struct profile *prof,
						    const struct symtab *symtab,
						    const struct selection *sel, struct arena *mem)
{
	struct resolve_credits credits = {
		.credited = sel->flat,
		.self = arena_array(mem, double, symtab->nsyms),
	};

	resolve_walk(prof, symtab, resolve_credit, &credits);
	return (struct ticks){ credits.self, credits.total };
}

double resolve_fit(const struct costs *costs, uint32_t n)
{
	double sum = 0.0;

	for (uint32_t s = 0; s < n; s++)
		sum += costs->self[s];
	return costs->total > 0.0 && sum > costs->total ? costs->total / sum : 1.0;
}

/*
 * The function called at self_pc. An address inside a symbol that is not marked as a function, or
 * in a source line, belongs to the function before it, unless it is exactly that symbol's address.
 * Such symbols are in `odd`.
 */
static sym_id resolve_find_callee(const struct symtab_finder *finder, const struct symtab *symtab,
				  struct bitset odd, uint64_t self_pc)
{
	sym_id s = symtab_finder_find(finder, self_pc);

	if (s == SYM_NONE || !bitset_has(odd, s) ||
	    (symtab->sym[s].lo == self_pc && !(symtab->sym[s].flags & SYM_LINE)))
		return s;
	while (!(symtab->sym[s].flags & SYM_FUNC)) {
		if (s-- == 0)
			return SYM_NONE;
	}
	return s;
}

static struct bitset resolve_odd_symbols(const struct symtab *symtab, struct arena *mem)
{
	struct bitset odd = bitset_empty(mem, symtab->nsyms);

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if ((symtab->sym[s].flags & (SYM_FUNC | SYM_LINE)) != SYM_FUNC)
			bitset_add(odd, s);
	}
	return odd;
}

struct arc *resolve_arcs(const struct profile *prof, const struct symtab *symtab,
			 const struct selection *sel, size_t *n, uint32_t *raw_of,
			 struct arena *mem)
{
	struct arc *arcs = arena_unset_array(mem, struct arc, prof->arcs.n);
	struct arena scratch = arena_scratch(mem);
	struct symtab_finder finder = symtab_finder_make(symtab, &scratch);
	struct bitset odd = resolve_odd_symbols(symtab, &scratch);

	*n = 0;
	for (size_t i = 0; i < prof->arcs.n; i++) {
		const struct raw_arc *raw = &prof->arcs.at[i];
		sym_id from = symtab_finder_find(&finder, raw->from_pc);
		sym_id to = resolve_find_callee(&finder, symtab, odd, raw->self_pc);

		if (from == SYM_NONE || to == SYM_NONE || !selection_has_arc(sel, from, to))
			continue;
		if (raw_of)
			raw_of[*n] = (uint32_t)i;
		arcs[(*n)++] = (struct arc){ from, to, raw->ncalls };
	}
	arena_free(&scratch);
	return arcs;
}

static int resolve_compare_blocks(uint32_t x, uint32_t y, const void *blocks)
{
	const struct raw_block *b = blocks;

	return (b[x].pc > b[y].pc) - (b[x].pc < b[y].pc);
}

/* Returns the sum of the blocks of each address, at the index of the first of them, which it marks
 * in `first`. */
static uint64_t *resolve_add_up_blocks(const struct raw_block *blocks, uint32_t n,
				       struct bitset first, struct arena *mem)
{
	uint32_t *order = arena_array(mem, uint32_t, n);
	uint64_t *sum = arena_array(mem, uint64_t, n);
	uint32_t at = 0;

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, resolve_compare_blocks, blocks, mem);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 || blocks[order[i]].pc != blocks[at].pc) {
			at = order[i];
			bitset_add(first, at);
		}
		sum[at] += blocks[order[i]].count;
	}
	return sum;
}

struct blocks resolve_blocks(const struct profile *prof, const struct symtab *symtab,
			     struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t n = (uint32_t)prof->blocks.n;
	struct bitset first = bitset_empty(&scratch, n);
	const uint64_t *sum = resolve_add_up_blocks(prof->blocks.at, n, first, &scratch);
	sym_id *owner = arena_array(&scratch, sym_id, n);
	uint32_t *next = arena_array(&scratch, uint32_t, symtab->nsyms + (size_t)1);
	uint32_t *start = arena_array(mem, uint32_t, symtab->nsyms + (size_t)1);
	uint64_t *pc = arena_array(mem, uint64_t, n), *count = arena_array(mem, uint64_t, n);

	for (uint32_t i = 0; i < n; i++) {
		owner[i] = bitset_has(first, i) ? symtab_find(symtab, prof->blocks.at[i].pc)
						: SYM_NONE;
		if (owner[i] != SYM_NONE)
			start[owner[i] + 1]++;
	}
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		start[s + 1] += start[s];
		next[s] = start[s];
	}
	for (uint32_t i = 0; i < n; i++) {
		if (owner[i] == SYM_NONE)
			continue;
		pc[next[owner[i]]] = prof->blocks.at[i].pc;
		count[next[owner[i]]++] = sum[i];
	}
	arena_free(&scratch);
	return (struct blocks){ start[symtab->nsyms], start, pc, count };
}

struct arc *resolve_call_sites(const struct call_sites *sites, const struct symtab *symtab,
			       const struct selection *sel, const struct arc *arcs, size_t *n,
			       struct arena *mem)
{
	struct arc *all = arena_array(mem, struct arc, *n + sites->n);

	for (size_t i = 0; i < *n; i++)
		all[i] = arcs[i];
	for (size_t i = 0; i < sites->n; i++) {
		sym_id from = symtab_find(symtab, sites->at[i].from_pc);
		sym_id to = symtab_find(symtab, sites->at[i].to_pc);

		if (from != SYM_NONE && to != SYM_NONE && selection_has_arc(sel, from, to))
			all[(*n)++] = (struct arc){ from, to, 0 };
	}
	return all;
}

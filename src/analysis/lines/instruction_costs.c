/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/lines/instruction_costs.h"

#include "analysis/confidence.h"
#include "base/search.h"
#include "base/sort.h"
#include "model/address_space.h"
#include "model/inlined.h"

#include <stdlib.h>

/* A listing while its costs are added up. */
struct instruction_sums {
	const struct instruction_costs_input *in;
	struct instruction_listing *listing;
	struct instruction_cost *cost;
	const struct sym *sym;
};

/*
 * Returns the index of the instruction with the code at pc, an address in the function's own file;
 * n of them: none has it. O(log n).
 */
static uint32_t instruction_costs_find(const struct disassembly *code, uint64_t pc)
{
	size_t after = search_above(code->at, code->n, sizeof(*code->at),
				    offsetof(struct instruction, pc), pc);
	const struct instruction *found = after > 0 ? &code->at[after - 1] : NULL;

	return found && pc - found->pc < found->bytes ? (uint32_t)(after - 1) : code->n;
}

/* The same for an address of costs, which may be one in the table of symbols. */
static uint32_t instruction_costs_find_cost(const struct instruction_sums *s, uint64_t pc)
{
	return instruction_costs_find(&s->listing->code, address_space_code_address(s->sym, pc));
}

sym_id instruction_costs_function(const struct program *program, sym_id symbol, uint64_t pc)
{
	const struct sym *sym = &program->symtab.sym[symbol];
	uint64_t base;

	if (!(sym->flags & SYM_INLINED))
		return symbol;
	if (!symtab_is_elsewhere(sym))
		return symtab_find(&program->symtab, pc);
	base = inlined_base(program->inlined, symbol);
	return symtab_find(&program->symtab,
			   base - address_space_own_address(base) + address_space_own_address(pc));
}

/* Returns the index in `sums` of the function with that code, plus 1; 0: it is in none. */
static uint32_t instruction_costs_which(const struct instruction_costs_input *in,
					const uint32_t *listing_of, sym_id symbol, uint64_t pc)
{
	sym_id function = instruction_costs_function(in->analysis->program, symbol, pc);

	return function != SYM_NONE ? listing_of[function] : 0;
}

/* Adds the samples of all functions. The listing of symbol s is listing_of[s] - 1. */
static void instruction_costs_add_samples(struct instruction_sums *sums, const uint32_t *listing_of,
					  const struct instruction_costs_input *in)
{
	for (uint32_t i = 0; i < in->costs->n; i++) {
		const struct address_cost *cost = &in->costs->at[i];
		uint32_t which = instruction_costs_which(in, listing_of, cost->symbol, cost->pc);
		struct instruction_sums *s = &sums[which - (which > 0)];
		uint32_t at = which > 0 ? instruction_costs_find_cost(s, cost->pc) : 0;

		if (which == 0)
			continue;
		s->listing->self += cost->ticks;
		if (at < s->listing->code.n)
			s->cost[at].self += cost->ticks;
		else
			s->listing->outside += cost->ticks;
	}
}

/* Sets what does not depend on samples: lines, and which instructions are named by others. */
static void instruction_costs_describe(struct instruction_sums *s)
{
	const struct disassembly *code = &s->listing->code;
	uint64_t by = s->sym->lo - address_space_code_address(s->sym, s->sym->lo);

	for (uint32_t i = 0; i < code->n; i++) {
		const struct line_row *row = line_table_find(s->in->lines, code->at[i].pc + by);
		uint32_t target = code->at[i].target
					  ? instruction_costs_find(code, code->at[i].target)
					  : code->n;

		if (row) {
			s->cost[i].file = row->file;
			s->cost[i].line = row->line;
		}
		if (target < code->n && code->at[target].pc == code->at[i].target)
			s->cost[target].is_target = true;
	}
}

static void instruction_costs_set_errors(struct instruction_sums *s, const struct confidence *c)
{
	double all = s->in->analysis->costs.total;

	for (uint32_t i = 0; i < s->listing->code.n; i++) {
		struct interval share =
			confidence_share(c, s->cost[i].self, all, CONFIDENCE_UNKNOWN);

		if (s->cost[i].self > 0.0)
			s->cost[i].error = (share.high - share.low) / 2.0 * all;
	}
}

/* Adds the calls of all call sites. The listing of symbol s is listing_of[s] - 1. */
static void instruction_costs_add_calls(struct instruction_sums *sums, const uint32_t *listing_of,
					const struct instruction_costs_input *in)
{
	for (uint32_t i = 0; i < in->costs->ncalls; i++) {
		const struct call_site_cost *call = &in->costs->call[i];
		uint32_t which = call->ncalls > 0 ? instruction_costs_which(in, listing_of,
									    call->from, call->pc)
						  : 0;
		struct instruction_sums *s = &sums[which - (which > 0)];
		uint32_t at = which > 0 ? instruction_costs_find_cost(s, call->pc) : 0;

		if (which > 0 && at < s->listing->code.n)
			s->cost[at].ncalls += call->ncalls;
	}
}

/* Returns how many bytes a bin of samples has. */
static uint64_t instruction_costs_spread(const struct profile *prof)
{
	uint64_t spread = 1;

	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *h = &prof->hists.at[i];
		uint64_t bytes = h->nbins > 0 ? (h->hi - h->lo + h->nbins / 2) / h->nbins : 1;

		spread = bytes > spread ? bytes : spread;
	}
	return spread;
}

static int instruction_costs_compare(const void *x, const void *y)
{
	const struct instruction_listing *a = x, *b = y;

	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	return a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

struct instruction_listings instruction_costs_make(const struct instruction_costs_input *in,
						   struct arena *mem)
{
	const struct symtab *symtab = &in->analysis->program->symtab;
	struct arena scratch = arena_scratch(mem);
	struct instruction_listing *listings = arena_array(mem, struct instruction_listing, in->n);
	struct instruction_sums *sums = arena_array(&scratch, struct instruction_sums, in->n);
	uint32_t *listing_of = arena_array(&scratch, uint32_t, symtab->nsyms);
	struct confidence c = confidence_to_show(in->analysis, mem);
	bool exact = analysis_is_exact(in->analysis);

	for (uint32_t i = 0; i < in->n; i++) {
		const struct disassembly *code = &in->code[i];
		struct instruction_cost *cost = arena_array(mem, struct instruction_cost, code->n);

		listings[i] = (struct instruction_listing){ .symbol = in->symbol[i],
							    .code = *code,
							    .cost = cost };
		sums[i] = (struct instruction_sums){ in, &listings[i], cost,
						     &symtab->sym[in->symbol[i]] };
		listing_of[in->symbol[i]] = i + 1;
		instruction_costs_describe(&sums[i]);
	}
	instruction_costs_add_samples(sums, listing_of, in);
	for (uint32_t i = 0; !exact && i < in->n; i++)
		instruction_costs_set_errors(&sums[i], &c);
	instruction_costs_add_calls(sums, listing_of, in);
	qsort(listings, in->n, sizeof(*listings), instruction_costs_compare);
	arena_free(&scratch);
	return (struct instruction_listings){
		listings, in->n, exact ? 0.0 : c.level,
		in->stacks ? 1 : instruction_costs_spread(in->analysis->profile)
	};
}

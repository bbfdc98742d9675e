/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/hottest_code.h"

#include "analysis/lines/instruction_costs.h"
#include "base/radix.h"
#include "run/session/session_disassembly.h"

/*
 * The most functions, the most bytes of a function and of all together, and the least part of all
 * time that a function has.
 */
enum { MOST_FUNCTIONS = 24, MOST_BYTES = 32 * 1024, MOST_BYTES_OF_ALL = 96 * 1024 };

static const double hottest_code_least = 0.002;

/* Returns the time of all functions with their inlined ones, in ticks, by symbol, in mem. */
static const double *hottest_code_times(const struct session *s, const struct line_costs *costs,
					struct arena *mem)
{
	double *time = arena_array(mem, double, s->program->symtab.nsyms);

	for (uint32_t i = 0; i < costs->n; i++) {
		const struct address_cost *cost = &costs->at[i];
		sym_id function = instruction_costs_function(s->program, cost->symbol, cost->pc);

		if (function != SYM_NONE)
			time[function] += cost->ticks;
	}
	return time;
}

/* Returns the functions with enough time, the most first, in mem; sets *n to their number. */
static const struct keyed *hottest_code_sort(const struct session *s, const double *time,
					     uint32_t *n, struct arena *mem)
{
	double least = hottest_code_least * s->analysis.costs.total;
	ARRAY(struct keyed) found = { 0 };

	for (sym_id i = 0; i < s->program->symtab.nsyms; i++) {
		if (time[i] > 0.0 && time[i] >= least)
			array_push(mem, &found) =
				(struct keyed){ radix_key_descending(time[i]), i };
	}
	radix_sort_keyed(found.at, found.n, mem);
	*n = (uint32_t)found.n;
	return found.at;
}

const struct instruction_listings *hottest_code_gather(const struct session *s,
						       const struct line_costs *costs, bool stacks)
{
	struct instruction_listings *made = arena_array(s->mem, struct instruction_listings, 1);
	struct arena scratch = arena_scratch(s->mem);
	const double *time = hottest_code_times(s, costs, &scratch);
	struct diag silent = diag_silent(NULL);
	struct session quiet = *s;
	sym_id symbol[MOST_FUNCTIONS];
	struct disassembly code[MOST_FUNCTIONS];
	struct instruction_costs_input input = { .analysis = &s->analysis,
						 .costs = costs,
						 .lines = &s->lines,
						 .symbol = symbol,
						 .code = code,
						 .stacks = stacks };
	const struct keyed *order;
	uint64_t bytes = 0;
	uint32_t n;

	quiet.diag = &silent;
	order = hottest_code_sort(s, time, &n, &scratch);
	for (uint32_t i = 0; i < n && input.n < MOST_FUNCTIONS; i++) {
		const struct sym *sym = &s->program->symtab.sym[order[i].id];
		const struct disassembly *read;

		if (sym->flags & (SYM_WHOLE | SYM_OBJECT) || sym->hi - sym->lo > MOST_BYTES ||
		    bytes + (sym->hi - sym->lo) > MOST_BYTES_OF_ALL)
			continue;
		read = session_disassemble(&quiet, &order[i].id, 1);
		if (!read)
			continue;
		bytes += sym->hi - sym->lo;
		symbol[input.n] = order[i].id;
		code[input.n++] = *read;
	}
	arena_free(&scratch);
	*made = instruction_costs_make(&input, s->mem);
	return made;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes sets from specifications. Linear in symbols and requests, plus the cost of matching. */
#include "config.h"

#include "analysis/functions/select.h"

#include "analysis/functions/spec.h"

#include <string.h>

/* The names under which C libraries keep the code that -pg makes a program call. */
static const char *const profiler_names[] = {
	"_gprof_mcount", "mcount", "_mcount", "__mcount", "__mcount_internal", "__mcleanup",
};

enum { NPROFILER_NAMES = sizeof(profiler_names) / sizeof(profiler_names[0]), MAX_HINTS = 8 };

/* The symbols that the requests for one table include and exclude. */
struct select_sets {
	struct bitset in, out;
	bool any_in; /* a request to include symbols matched something */
};

struct select_matcher {
	const struct symtab *symtab;
	const struct address_space *address_space;
	struct select_sets tables[NTABLES];
	ARRAY(struct arc_set) arcs_in, arcs_out;
	ARRAY(struct spec_search) searches;
	struct arena *mem;
	struct diag *diag;
};

bool select_needs_locations(const struct select_options *opt, bool modules, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	bool needed = false;

	for (size_t i = 0; i < opt->requests.n && !needed; i++) {
		struct spec spec = spec_parse(opt->requests.at[i].text, modules, &scratch);

		needed = spec_needs_locations(&spec);
	}
	arena_free(&scratch);
	return needed;
}

static void select_add_search(struct select_matcher *m, struct spec_half half, struct bitset into)
{
	array_push(m->mem, &m->searches) = (struct spec_search){ half, into, false };
}

/* Adds one search for a request about symbols, two for one about arcs. */
static void select_add_request(struct select_matcher *m, const struct select_request *request)
{
	struct spec spec = spec_parse(request->text, m->address_space, m->mem);
	const struct select_sets *table = &m->tables[request->table];

	if (request->table != SELECT_ARCS) {
		select_add_search(m, spec.from, request->exclude ? table->out : table->in);
		return;
	}
	select_add_search(m, spec.from, bitset_empty(m->mem, m->symtab->nsyms));
	if (spec.is_arc)
		select_add_search(m, spec.to, bitset_empty(m->mem, m->symtab->nsyms));
	else /* "-k d": without a callee nothing is searched */
		select_add_search(m, (struct spec_half){ .function = "" },
				  bitset_empty(m->mem, m->symtab->nsyms));
}

/* Warns if the request has no effect; with `hint`, suggests similar names. */
static void select_warn_unmatched(const struct select_matcher *m,
				  const struct select_request *request,
				  const struct spec_search *search, bool hint)
{
	bool is_arc = request->table == SELECT_ARCS;
	const struct spec_search *missed = search[0].matched ? search + 1 : search;
	struct nearest near = { .n = 0 };

	if (is_arc && !strchr(request->text, '/')) {
		diag_warn(m->diag,
			  "selection '%s' is not a pair of functions: calls are given as FROM/TO",
			  request->text);
		return;
	}
	if (search[0].matched && (!is_arc || search[1].matched))
		return;
	if (hint && missed->half.function && !request->meant)
		near = spec_nearest(missed->half.function, m->symtab, m->mem);
	diag_warn(m->diag, "selection '%s' matches nothing%s", request->text,
		  request->meant ? request->meant : nearest_question(&near, "", m->mem));
}

/*
 * After the search: notes that a request includes something, or keeps the pairs that it matched.
 * Symbols have been added to the table's sets by the search itself.
 */
static void select_note_match(struct select_matcher *m, const struct select_request *request,
			      const struct spec_search *search)
{
	if (!search[0].matched)
		return;
	if (request->table != SELECT_ARCS)
		m->tables[request->table].any_in |= !request->exclude;
	else if (request->exclude)
		array_push(m->mem, &m->arcs_out) =
			(struct arc_set){ search[0].into, search[1].into };
	else
		array_push(m->mem, &m->arcs_in) =
			(struct arc_set){ search[0].into, search[1].into };
}

/*
 * Returns the included symbols or, if nothing was asked to be included, all that are not excluded.
 */
static struct bitset select_included(const struct select_matcher *m, enum select_table table)
{
	const struct select_sets *t = &m->tables[table];
	struct bitset set = bitset_empty(m->mem, m->symtab->nsyms);

	if (t->any_in)
		return t->in;
	for (sym_id s = 0; s < m->symtab->nsyms; s++) {
		if (!bitset_has(t->out, s))
			bitset_add(set, s);
	}
	return set;
}

/* Returns the symbols that are excluded and not also included. */
static struct bitset select_excluded(const struct select_matcher *m, enum select_table table)
{
	const struct select_sets *t = &m->tables[table];

	for (sym_id s = 0; s < m->symtab->nsyms; s++) {
		if (bitset_has(t->in, s))
			bitset_remove(t->out, s);
	}
	return t->out;
}

struct selection select_symbols(const struct symtab *symtab, const struct address_space *space,
				const struct location *locations, const struct select_options *opt,
				struct arena *mem, struct diag *diag)
{
	static const enum select_table by_default[] = { SELECT_FLAT, SELECT_GRAPH, SELECT_TIME };
	struct select_matcher m = {
		.symtab = symtab, .address_space = space, .mem = mem, .diag = diag
	};
	int hints = MAX_HINTS;
	size_t at = 0;

	for (int t = 0; t < NTABLES; t++)
		m.tables[t] = (struct select_sets){ bitset_empty(mem, symtab->nsyms),
						    bitset_empty(mem, symtab->nsyms), false };
	for (size_t i = 0; i < opt->requests.n; i++)
		select_add_request(&m, &opt->requests.at[i]);
	for (int t = 0; t < 3; t++) {
		for (int i = 0; i < NPROFILER_NAMES; i++)
			select_add_search(
				&m,
				(struct spec_half){ .function = profiler_names[i], .own = true },
				m.tables[by_default[t]].out);
	}
	spec_match(m.searches.at, m.searches.n, symtab, space, locations, mem);
	for (size_t i = 0; i < opt->requests.n; i++) {
		const struct select_request *request = &opt->requests.at[i];
		bool again = i > 0 && request[-1].text == request->text;

		if (!again) /* an option may make two requests, but only one warning */
			select_warn_unmatched(&m, request, &m.searches.at[at], hints-- > 0);
		select_note_match(&m, request, &m.searches.at[at]);
		at += opt->requests.at[i].table == SELECT_ARCS ? 2 : 1;
	}
	return (struct selection){
		.flat = select_included(&m, SELECT_FLAT),
		.exec = select_included(&m, SELECT_EXEC),
		.lines = select_included(&m, SELECT_LINES),
		.inclusive = select_included(&m, SELECT_INCLUSIVE),
		.tree = select_included(&m, SELECT_TREE),
		.graph_on = select_included(&m, SELECT_GRAPH),
		.graph_off = select_excluded(&m, SELECT_GRAPH),
		.time_on = select_included(&m, SELECT_TIME),
		.time_off = select_excluded(&m, SELECT_TIME),
		.arcs_in = m.arcs_in.at,
		.narcs_in = m.arcs_in.n,
		.arcs_out = m.arcs_out.at,
		.narcs_out = m.arcs_out.n,
	};
}

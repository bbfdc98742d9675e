/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes rows from the list of a rule: decides which functions may be named, how, and how many. */
#include "config.h"

#include "analysis/order/function_order.h"

#include "analysis/order/cluster.h"
#include "base/sort.h"

#include <assert.h>
#include <string.h>

/* All functions that a linker can order, and their names. */
struct function_order_names {
	const struct symtab *symtab;
	struct bitset placeable;
	const char **name; /* for each symbol, its name for the linker */
	uint32_t *nalike;  /* for each symbol, how many symbols have its name */
	sym_id *by_name;
	uint32_t n;
	struct bitset has_cold; /* functions NAME for which a function NAME.cold exists */
};

/*
 * Whether the name is one of start-up or exit code, which linkers cannot move, as it shares
 * sections with other code.
 */
static bool function_order_is_of_start(const char *name)
{
	static const char *const names[] = {
		"frame_dummy",
		"register_tm_clones",
		"deregister_tm_clones",
		"_init",
		"_fini",
		"__do_global_dtors_aux",
		"etext",
		"_dl_relocate_static_pie",
		"__libc_csu_init",
		"data_start",
		"__libc_csu_fini",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

/* Whether a linker's list can contain the name. */
static bool function_order_is_word(const char *name)
{
	for (const char *c = name; *c; c++) {
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return false;
	}
	return *name && *name != '#';
}

static bool function_order_is_placeable(const struct analysis *a, sym_id s)
{
	const struct sym *sym = &a->program->symtab.sym[s];
	const unsigned others = SYM_OBJECT | SYM_LINE | SYM_FOREIGN | SYM_INLINED | SYM_WHOLE;

	return sym->flags & SYM_FUNC && !(sym->flags & others) && sym->hi > sym->lo &&
	       bitset_has(a->selection.flat, s) && function_order_is_word(sym->name) &&
	       !function_order_is_of_start(sym->name);
}

/* Returns the length of a name without the suffix that link-time optimization adds. */
static size_t function_order_plain_length(const char *name)
{
	static const char *const suffixes[] = { ".lto_priv.", ".llvm." };
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		const char *suffix = strstr(name, suffixes[i]);

		if (suffix && suffix > name && (size_t)(suffix - name) < n)
			n = (size_t)(suffix - name);
	}
	return n;
}

static int function_order_by_name(uint32_t x, uint32_t y, const void *names)
{
	const char *const *name = names;

	return strcmp(name[x], name[y]);
}

/* Compares a name with the first n bytes of another. */
static int function_order_compare_start(const char *name, const char *start, size_t n)
{
	int order = strncmp(name, start, n);

	return order ? order : name[n] != '\0';
}

/* Marks all functions NAME that a function NAME.cold exists for. n log n in these. */
static void function_order_mark_cold(struct function_order_names *names, const char *cold,
				     size_t nname)
{
	uint32_t low = 0, high = names->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (function_order_compare_start(names->name[names->by_name[middle]], cold, nname) <
		    0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < names->n &&
	       function_order_compare_start(names->name[names->by_name[low]], cold, nname) == 0;
	     low++)
		bitset_add(names->has_cold, names->by_name[low]);
}

static void function_order_mark_colds(struct function_order_names *names)
{
	static const char suffix[] = ".cold";
	const size_t nsuffix = sizeof(suffix) - 1;

	for (uint32_t i = 0; i < names->n; i++) {
		const char *name = names->name[names->by_name[i]];
		size_t n = strlen(name);

		if (n > nsuffix && strcmp(name + n - nsuffix, suffix) == 0)
			function_order_mark_cold(names, name, n - nsuffix);
	}
}

static struct function_order_names function_order_name_all(const struct analysis *a, bool strips,
							   struct arena *mem, struct arena *scratch)
{
	const struct symtab *symtab = &a->program->symtab;
	uint32_t nsyms = symtab->nsyms;
	struct function_order_names names = {
		.symtab = symtab,
		.placeable = bitset_empty(scratch, nsyms),
		.name = arena_array(scratch, const char *, nsyms),
		.nalike = arena_array(scratch, uint32_t, nsyms),
		.by_name = arena_array(scratch, sym_id, nsyms),
		.has_cold = bitset_empty(scratch, nsyms),
	};

	for (sym_id s = 0; s < nsyms; s++) {
		const char *name = symtab->sym[s].name;

		if (!function_order_is_placeable(a, s))
			continue;
		bitset_add(names.placeable, s);
		names.name[s] =
			strips ? arena_strndup(mem, name, function_order_plain_length(name)) : name;
		names.by_name[names.n++] = s;
	}
	sort_ids(names.by_name, names.n, function_order_by_name, names.name, scratch);
	for (uint32_t i = 0, end; i < names.n; i = end) {
		for (end = i + 1; end < names.n && strcmp(names.name[names.by_name[i]],
							  names.name[names.by_name[end]]) == 0;)
			end++;
		for (uint32_t k = i; k < end; k++)
			names.nalike[names.by_name[k]] = end - i;
	}
	function_order_mark_colds(&names);
	return names;
}

static enum function_order_rule function_order_rule_of(enum function_order_rule rule, bool in_order)
{
	if (rule != FUNCTION_ORDER_ANY)
		return rule;
	return in_order ? FUNCTION_ORDER_STARTUP : FUNCTION_ORDER_CALLS;
}

struct function_order_listing {
	sym_id *list;
	uint32_t n;
	struct bitset placed;
};

static void function_order_append(struct function_order_listing *l, sym_id s)
{
	if (bitset_has(l->placed, s))
		return;
	bitset_add(l->placed, s);
	l->list[l->n++] = s;
}

static bool function_order_is_called(const struct analysis *a, sym_id s, uint64_t least)
{
	return a->costs.calls.outer[s] + a->costs.calls.self[s] >= least;
}

/*
 * Lists functions in the order of their first calls, which is that of the arcs in the data. The
 * code for a program's start is then in few pages, which are read in ascending order. A caller that
 * was not called itself comes before its first callee; functions with samples only come last, by
 * address. Puts each once into `list`, which has room for all, and returns how many there are.
 * Linear.
 */
static uint32_t function_order_startup(const struct analysis *a, sym_id *list,
				       const struct arena *mem)
{
	const struct graph *graph = &a->graph;
	struct arena scratch = arena_scratch(mem);
	struct function_order_listing l = { list, 0, bitset_empty(&scratch, graph->nnodes) };

	for (uint32_t k = 0; k < graph->narcs; k++) {
		const struct arc *arc = &graph->arc[graph->by_age[k]];

		if (arc->ncalls == 0)
			continue;
		if (!function_order_is_called(a, arc->from, 1))
			function_order_append(&l, arc->from);
		function_order_append(&l, arc->to);
	}
	for (sym_id s = 0; s < graph->nnodes; s++) {
		if (a->costs.self[s] > 0.0)
			function_order_append(&l, s);
	}
	arena_free(&scratch);
	return l.n;
}

static uint32_t function_order_list(const struct analysis *a, enum function_order_rule rule,
				    sym_id *list, const struct arena *mem)
{
	switch (rule) {
	case FUNCTION_ORDER_STARTUP:
		return function_order_startup(a, list, mem);
	case FUNCTION_ORDER_TIME:
		return cluster_list_by_time(a, list, mem);
	default:
		return cluster_list(a, list, mem);
	}
}

/* The list while it is made. */
struct function_order_making {
	struct function_order placement;
	const struct function_order_options *opt;
	const struct function_order_names *names;
	struct bitset placed;
	bool full;
	struct arena *mem;
};

/* Adds a function. Drops all functions after the first that exceeds most_bytes. */
static void function_order_add(struct function_order_making *m, sym_id s)
{
	const struct function_order_names *names = m->names;
	const struct sym *sym = &names->symtab->sym[s];
	uint64_t bytes = sym->hi - sym->lo;

	if (!bitset_has(names->placeable, s) || bitset_has(m->placed, s) || m->full)
		return;
	if (m->opt->most_bytes > 0 && m->placement.bytes + bytes > m->opt->most_bytes) {
		m->full = true;
		return;
	}
	bitset_add(m->placed, s);
	m->placement.bytes += bytes;
	array_push(m->mem, &m->placement.rows) =
		(struct function_order_row){ .sym = s,
					     .name = names->name[s],
					     .nalike = names->nalike[s],
					     .has_cold_part = bitset_has(names->has_cold, s) };
}

static void function_order_mark_repeats(struct function_order *placement,
					const struct symtab *symtab,
					const struct function_order_names *names,
					const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t *row_of = arena_array(&scratch, uint32_t, symtab->nsyms);
	const struct function_order_row *first = NULL;

	for (uint32_t i = 0; i < placement->rows.n; i++)
		row_of[placement->rows.at[i].sym] = i + 1;
	/*
	 * Equal names are adjacent in by_name. The first of them in the order is not a repetition.
	 */
	for (uint32_t i = 0; i < names->n; i++) {
		sym_id s = names->by_name[i];
		struct function_order_row *row;

		if (i > 0 && strcmp(names->name[names->by_name[i - 1]], names->name[s]) != 0)
			first = NULL;
		if (!row_of[s])
			continue;
		row = &placement->rows.at[row_of[s] - 1];
		if (first && first < row) {
			row->is_repeated = true;
		} else {
			if (first)
				placement->rows.at[first - placement->rows.at].is_repeated = true;
			first = row;
		}
	}
	arena_free(&scratch);
}

static sym_id function_order_main(const struct function_order_names *names)
{
	for (uint32_t i = 0; i < names->n; i++) {
		if (strcmp(names->name[names->by_name[i]], "main") == 0)
			return names->by_name[i];
	}
	return SYM_NONE;
}

static void function_order_make_rows(struct function_order_making *m, const struct analysis *a,
				     const struct arena *scratch)
{
	uint32_t nsyms = a->program->symtab.nsyms, n;
	struct arena own = arena_scratch(scratch);
	sym_id *list = arena_array(&own, sym_id, nsyms), start = function_order_main(m->names);

	n = function_order_list(a, m->placement.rule, list, &own);
	for (uint32_t i = 0; i < n; i++) {
		if (list[i] == start || function_order_is_called(a, list[i], m->opt->least_calls))
			function_order_add(m, list[i]);
	}
	if (start != SYM_NONE)
		function_order_add(m, start);
	m->placement.nused = m->placement.rows.n;
	for (sym_id s = 0; s < nsyms && m->opt->all; s++)
		function_order_add(m, s);
	arena_free(&own);
}

/* Whether a caller is start-up code, to which calls from outside of the program are attributed. */
static bool function_order_is_outside(const char *name)
{
	return strcmp(name, "_start") == 0 || strcmp(name, "__start") == 0;
}

static void function_order_make_arcs(struct function_order_making *m, const struct graph *graph)
{
	const struct function_order_names *names = m->names;

	for (uint32_t k = 0; k < graph->narcs; k++) {
		const struct arc *arc = &graph->arc[graph->by_age[k]];

		if (arc->from == arc->to || arc->ncalls == 0 || arc->ncalls < m->opt->least_calls)
			continue;
		if (!bitset_has(names->placeable, arc->from) ||
		    !bitset_has(names->placeable, arc->to) ||
		    function_order_is_outside(names->name[arc->from])) {
			continue;
		}
		if (names->nalike[arc->from] > 1 || names->nalike[arc->to] > 1) {
			m->placement.nleft_out++;
			continue;
		}
		array_push(m->mem, &m->placement.arcs) =
			(struct function_order_arc){ names->name[arc->from], names->name[arc->to],
						     arc->ncalls };
	}
}

struct function_order function_order_make(const struct analysis *a, bool in_order,
					  const struct function_order_options *opt,
					  struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct function_order_names names =
		function_order_name_all(a, opt->strip_suffixes, mem, &scratch);
	struct function_order_making m = { .opt = opt,
					   .names = &names,
					   .placed = bitset_empty(&scratch, names.symtab->nsyms),
					   .mem = mem };

	assert(in_order || opt->rule != FUNCTION_ORDER_STARTUP);
	m.placement.rule = function_order_rule_of(opt->rule, in_order);
	if (opt->arcs) {
		function_order_make_arcs(&m, &a->graph);
	} else {
		function_order_make_rows(&m, a, &scratch);
		function_order_mark_repeats(&m.placement, names.symtab, &names, &scratch);
	}
	arena_free(&scratch);
	return m.placement;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which entries of the call graph to show: breadth first from some functions, up and down. */
#include "config.h"

#include "analysis/entry.h"

#include "analysis/spec.h"

#include <string.h>

enum { ENTRY_MOST_LEVELS = 9999 };

static const char entry_depth_key[] = "depth=";

/* Whether a text is "KEY=...", as no end of a parameter list is. */
static bool entry_is_key(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz-");

	return n > 0 && text[n] == '=';
}

/* A whole number from 1 to ENTRY_MOST_LEVELS, or 0 if it is none. */
static unsigned entry_parse_levels(const char *text)
{
	unsigned n = 0;

	if (!*text || strspn(text, "0123456789") != strlen(text))
		return 0;
	for (; *text && n <= ENTRY_MOST_LEVELS; text++)
		n = 10 * n + (unsigned)(*text - '0');
	return n <= ENTRY_MOST_LEVELS ? n : 0;
}

int entry_parse(struct entry_request *request, const char *text, struct arena *mem,
		struct diag *diag)
{
	const char *comma = strrchr(text, ','), *key = comma ? comma + 1 : "";
	size_t n = strlen(text);

	request->depth = 1;
	if (entry_is_key(key)) {
		n = (size_t)(comma - text);
		if (strncmp(key, entry_depth_key, strlen(entry_depth_key)) != 0) {
			diag_error(diag, "--entry has no key '%.*s': expected depth",
				   (int)strcspn(key, "="), key);
			return -1;
		}
		key += strlen(entry_depth_key);
		request->depth = entry_parse_levels(key);
		if (request->depth == 0) {
			diag_error(diag,
				   "--entry: depth must be a whole number from 1 to %d, not '%s'",
				   ENTRY_MOST_LEVELS, key);
			return -1;
		}
	}
	request->name = arena_strndup(mem, text, n);
	if (n > 0)
		return 0;
	diag_error(diag, "--entry needs a function: NAME[,depth=N]");
	return -1;
}

bool entry_needs_locations(const struct entry_options *opt, bool modules, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	bool needed = false;

	for (size_t i = 0; i < opt->requests.n && !needed; i++) {
		struct spec spec = spec_parse(opt->requests.at[i].name, modules, &scratch);

		needed = spec_needs_locations(&spec);
	}
	arena_free(&scratch);
	return needed;
}

/*
 * Where, in a readable name, that of the function begins again: at the start, and behind each blank
 * that is not in brackets, such as the one after the type of what it returns. `at` is where it last
 * did, or NULL; NULL behind the last.
 */
static const char *entry_next_start(const char *readable, const char *at)
{
	int depth = 0;

	if (!at)
		return readable;
	for (; *at; at++) {
		depth += *at == '<' || *at == '(';
		depth -= *at == '>' || *at == ')';
		if (*at == ' ' && depth == 0)
			return at + 1;
	}
	return NULL;
}

/* Whether a readable name is the wanted one, perhaps without parameters and what it returns. */
static bool entry_is_named(const char *readable, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = NULL; (at = entry_next_start(readable, at));) {
		if (strncmp(at, name, n) == 0 && strchr("(<[", at[n]))
			return true;
	}
	return false;
}

/* Adds to the set what has the name as reports show it; false if nothing has. */
static bool entry_match_readable(const struct symtab *symtab, const char *name,
				 enum demangle_style style, struct bitset into,
				 const struct arena *mem)
{
	bool matched = false;

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		struct arena scratch = arena_scratch(mem);

		if (entry_is_named(demangle(symtab->sym[s].name, style, &scratch), name)) {
			bitset_add(into, s);
			matched = true;
		}
		arena_free(&scratch);
	}
	return matched;
}

/* With the readable names that are like it, and the same without their parameters and types. */
static void entry_say_unmatched(const struct analysis *a, const struct entry_request *request,
				enum demangle_style style, struct arena *mem, struct diag *diag)
{
	const struct symtab *symtab = &a->program->symtab;
	struct nearest_search search = nearest_begin(request->name, mem);

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		const char *name = demangle(symtab->sym[s].name, style, mem);

		nearest_offer(&search, name);
		for (const char *at = NULL; (at = entry_next_start(name, at));) {
			size_t bare = strcspn(at, "(<");

			if (bare > 0 && at[bare])
				nearest_offer(&search, arena_strndup(mem, at, bare));
		}
	}
	diag_error(diag, "--entry: no function '%s' in %s%s", request->name, a->program->path,
		   nearest_question(&search.found, "", mem));
}

/* Whether the call graph has nothing to say of any of them. */
static bool entry_is_idle(const struct analysis *a, struct bitset functions)
{
	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (bitset_has(functions, s) &&
		    (a->calls.outer[s] != 0 || a->calls.self[s] != 0 || a->ticks.self[s] > 0.0 ||
		     a->weights.inherited[s] > 0.0))
			return false;
	}
	return true;
}

/* Adds the functions of a request; false if there are none. */
static bool entry_match(const struct analysis *a, const struct location *locations,
			const struct entry_request *request, enum demangle_style style,
			struct bitset into, struct arena *mem)
{
	const struct symtab *symtab = &a->program->symtab;
	struct spec spec = spec_parse(request->name, a->program->space, mem);
	struct spec_search search = { spec.from, into, false };

	if (!spec.is_arc)
		spec_match(&search, 1, symtab, a->program->space, locations, mem);
	return search.matched || entry_match_readable(symtab, request->name, style, into, mem);
}

/* Nodes in the order in which they were reached. */
struct entry_walk {
	const struct analysis *a;
	struct bitset seen;
	uint32_t *node, n;
};

static void entry_reach_one(struct entry_walk *walk, uint32_t node)
{
	if (bitset_has(walk->seen, node))
		return;
	bitset_add(walk->seen, node);
	walk->node[walk->n++] = node;
}

/* A symbol, with the lines of the same function, which stand around it. */
static void entry_reach(struct entry_walk *walk, sym_id s)
{
	const struct symtab *symtab = &walk->a->program->symtab;
	const char *name = symtab->sym[s].name;

	if (bitset_has(walk->seen, s))
		return;
	entry_reach_one(walk, s);
	for (sym_id t = s; t > 0 && walk->a->program->by_line && symtab->sym[t - 1].name == name;
	     t--)
		entry_reach_one(walk, t - 1);
	for (sym_id t = s + 1;
	     walk->a->program->by_line && t < symtab->nsyms && symtab->sym[t].name == name; t++)
		entry_reach_one(walk, t);
}

static void entry_reach_callers(struct entry_walk *walk, sym_id s)
{
	const struct graph *g = &walk->a->graph;

	for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++)
		entry_reach(walk, g->arc[g->in_arc[i]].from);
}

static void entry_reach_callees(struct entry_walk *walk, sym_id s)
{
	const struct graph *g = &walk->a->graph;

	for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++)
		entry_reach(walk, g->arc[i].to);
}

/* Adds to `into` what `reach` leads to from the functions in fewer steps than `depth`. */
static void entry_spread(const struct analysis *a, struct bitset functions, unsigned depth,
			 void (*reach)(struct entry_walk *, sym_id), struct bitset into,
			 const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t nnodes = analysis_nnodes(a), done = 0;
	struct entry_walk walk = { a, bitset_empty(&scratch, nnodes),
				   arena_array(&scratch, uint32_t, nnodes), 0 };

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (bitset_has(functions, s))
			entry_reach_one(&walk, s);
	}
	for (unsigned level = 1; level < depth && done < walk.n; level++) {
		for (uint32_t end = walk.n; done < end; done++) {
			uint32_t node = walk.node[done];

			if (node >= a->graph.nnodes)
				continue;
			reach(&walk, node);
			if (a->cycles.of_node[node])
				entry_reach_one(&walk, analysis_whole(a, node));
		}
	}
	for (uint32_t i = 0; i < walk.n; i++)
		bitset_add(into, walk.node[i]);
	arena_free(&scratch);
}

struct bitset entry_choose(const struct analysis *a, const struct location *locations,
			   const struct entry_options *opt, struct arena *mem, struct diag *diag)
{
	struct bitset chosen = { NULL };

	if (opt->requests.n > 0)
		chosen = bitset_empty(mem, analysis_nnodes(a));
	for (size_t i = 0; i < opt->requests.n; i++) {
		const struct entry_request *request = &opt->requests.at[i];
		struct bitset functions = bitset_empty(mem, a->graph.nnodes);

		if (!entry_match(a, locations, request, opt->style, functions, mem)) {
			entry_say_unmatched(a, request, opt->style, mem, diag);
			continue;
		}
		if (entry_is_idle(a, functions))
			diag_note(diag, "--entry: '%s' was neither called nor sampled",
				  request->name);
		entry_spread(a, functions, request->depth, entry_reach_callers, chosen, mem);
		entry_spread(a, functions, request->depth, entry_reach_callees, chosen, mem);
	}
	return chosen;
}

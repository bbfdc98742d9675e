/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A name is tried as a specification first, and then compared with the demangled names that reports
 * show.
 */
#include "config.h"

#include "analysis/functions/named.h"

#include "base/short_name.h"

#include <string.h>

bool named_need_locations(const named_requests *requests, bool modules, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	bool needed = false;

	for (size_t i = 0; i < requests->n && !needed; i++) {
		struct spec spec = spec_parse(requests->at[i].name, modules, &scratch);

		needed = spec_needs_locations(&spec);
	}
	arena_free(&scratch);
	return needed;
}

/*
 * Returns the next position in a demangled name where the function's own name may begin: the start,
 * and after each blank outside of brackets, such as the blank after a return type. `at` is the
 * position before, NULL at first. Returns NULL after the last position.
 */
static const char *named_next_start(const char *readable, const char *at)
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

/* Whether a demangled name is `name`, which may lack parameters and return type. */
static bool named_is(const char *readable, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = NULL; (at = named_next_start(readable, at));) {
		if (strncmp(at, name, n) == 0 &&
		    (strchr("(<[", at[n]) ||
		     strncmp(at + n, INLINED_SUFFIX, strlen(INLINED_SUFFIX)) == 0))
			return true;
	}
	return false;
}

bool named_is_at(enum named_level level, const char *readable, const char *name,
		 const struct arena *mem)
{
	return level == NAMED_WHOLE ? named_is(readable, name)
				    : short_name_matches(readable, name, level == NAMED_CLASS, mem);
}

/* Adds the symbols whose demangled name matches; false if there are none. */
static bool named_match_readable(const struct named_program *program, const char *name,
				 enum named_level level, struct bitset into,
				 const struct arena *mem)
{
	const struct symtab *symtab = program->symtab;
	bool matched = false;

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		struct arena scratch = arena_scratch(mem);

		if (named_is_at(level, demangle(symtab->sym[s].name, program->style, &scratch),
				name, &scratch)) {
			bitset_add(into, s);
			matched = true;
		}
		arena_free(&scratch);
	}
	return matched;
}

bool named_match_at(enum named_level level, const struct named_program *program,
		    const struct named_request *request, struct bitset into, struct arena *mem)
{
	struct spec spec = spec_parse(request->name, program->address_space, mem);
	struct spec_search search = { spec.from, into, false };

	if (!spec.is_arc && level == NAMED_WHOLE)
		spec_match(&search, 1, program->symtab, program->address_space, program->locations,
			   mem);
	return search.matched || named_match_readable(program, request->name, level, into, mem);
}

bool named_match(const struct named_program *program, const struct named_request *request,
		 struct bitset into, struct arena *mem)
{
	for (int level = 0; level < NAMED_LEVELS; level++) {
		if (named_match_at((enum named_level)level, program, request, into, mem))
			return true;
	}
	return false;
}

static void named_offer(struct nearest_search *search, const char *name, struct arena *mem)
{
	nearest_offer(search, name);
	for (const char *at = NULL; (at = named_next_start(name, at));) {
		size_t bare = strcspn(at, "(<");

		if (bare > 0 && at[bare])
			nearest_offer(search, arena_strndup(mem, at, bare));
	}
}

void named_say_unmatched(const struct named_program *program, const char *option,
			 const struct named_request *request, struct arena *mem, struct diag *diag)
{
	const struct symtab *symtab = program->symtab;
	struct nearest_search search = nearest_begin(request->name, mem);

	for (sym_id s = 0; s < symtab->nsyms; s++)
		named_offer(&search, demangle(symtab->sym[s].name, program->style, mem), mem);
	for (size_t i = 0; i < program->nmore; i++)
		named_offer(&search, demangle(program->more[i], program->style, mem), mem);
	diag_error(diag, "%s: no function '%s' in %s%s", option, request->name, program->path,
		   nearest_question(&search.found, "", mem));
}

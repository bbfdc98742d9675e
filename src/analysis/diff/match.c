/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions are matched in several levels, by keys that get less exact from one to the next. A key
 * that both sides have makes a row of all functions that have it; later levels leave them alone:
 *
 *      level                        base                          new                        row
 *      name and source file         log (a.c), log (b.c)          log (a.c), log (b.c)       0, 1
 *      name                         log (c.c)                     log (d.c)                  2
 *      name without suffixes        pack.constprop.0              pack, pack.isra.0          3
 *      demangled, without numbers   f()::{lambda()#1}             f()::{lambda()#2}          4
 *
 * In the end f.cold joins the row of f if that is matched, and what is left has rows of one side.
 */
#include "config.h"

#include "analysis/diff/match.h"

#include "analysis/diff/plain.h"
#include "base/demangle.h"
#include "base/join.h"
#include "base/path.h"
#include "base/strtable.h"

#include <string.h>

enum match_level { BY_PLACE, BY_NAME, PLAIN_PLACE, PLAIN, READABLE, NUMBERS, LEVELS };

static const enum difference_rule rule_of[LEVELS] = {
	[BY_PLACE] = RULE_NAME, [BY_NAME] = RULE_NAME,    [PLAIN_PLACE] = RULE_SUFFIX,
	[PLAIN] = RULE_SUFFIX,  [READABLE] = RULE_SUFFIX, [NUMBERS] = RULE_NUMBER,
};

/* The function has no row yet. */
#define MATCH_LEFT UINT32_MAX

struct match_maker {
	const struct match_side *side; /* an array of SIDES */
	uint32_t *row[SIDES];
	unsigned char *rule;
	uint32_t nrows;
	struct arena *mem;
};

static uint32_t match_size(const struct match_maker *m, int k)
{
	return m->side[k].symtab->nsyms;
}

/*
 * For each key and side: how many functions have the key; in match_parts(): the row of the key's
 * functions, counted from 1.
 */
struct match_keys {
	struct strtable names;
	ARRAY(uint32_t) count[SIDES];
};

/*
 * Returns the name of a static function together with its source file, if the file was looked up.
 */
static const char *match_with_place(const struct match_side *side, sym_id s, const char *name,
				    struct arena *mem)
{
	const struct location *loc = side->locations ? &side->locations[s] : NULL;
	const char *file = loc && loc->file ? path_base(loc->file) : "";

	if (!(side->symtab->sym[s].flags & SYM_STATIC) || !*file)
		return name;
	return JOIN(mem, name, "\n", file);
}

/*
 * Returns the name of the program's functions that are called "[FILE+0xADDRESS]", as they have
 * none, without the file, which may have another name on the other side; else the name.
 */
static const char *match_without_file(const struct sym *sym, struct arena *mem)
{
	const char *address = sym->name[0] == '[' && !(sym->flags & SYM_FOREIGN)
				      ? strstr(sym->name, "+0x")
				      : NULL;

	return address ? JOIN(mem, "[", address) : sym->name;
}

/*
 * Returns the key of a function at a level; NULL: it has none. The key of code without a name is
 * its address.
 */
static const char *match_key(const struct match_side *side, sym_id s, enum match_level level,
			     struct arena *mem)
{
	const struct sym *sym = &side->symtab->sym[s];

	if (!*sym->name)
		return level == BY_NAME ? plain_address(sym->lo, mem) : NULL;
	switch (level) {
	case BY_PLACE:
		return match_with_place(side, s, sym->name, mem);
	case BY_NAME:
		return match_without_file(sym, mem);
	case PLAIN_PLACE:
		return match_with_place(side, s, plain_name(sym->name, mem), mem);
	case PLAIN:
		return plain_name(sym->name, mem);
	case READABLE:
		return demangle(plain_name(sym->name, mem), DEMANGLE_AUTO, mem);
	default:
		return plain_numbers(demangle(plain_name(sym->name, mem), DEMANGLE_AUTO, mem), mem);
	}
}

static uint32_t match_place(struct match_keys *keys, const char *key)
{
	uint32_t place = strtable_place(&keys->names, key);

	for (int k = 0; k < SIDES; k++) {
		if (place >= keys->count[k].n)
			array_push(keys->names.mem, &keys->count[k]) = 0;
	}
	return place;
}

void match_wants(const struct symtab *symtab, struct bitset wanted, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct match_keys keys = { .names.mem = &scratch };
	uint32_t *place = arena_array(&scratch, uint32_t, symtab->nsyms);

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		place[s] = match_place(&keys, plain_name(symtab->sym[s].name, &scratch));
		keys.count[0].at[place[s]]++;
	}
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if (keys.count[0].at[place[s]] > 1 && symtab->sym[s].flags & SYM_STATIC &&
		    !(symtab->sym[s].flags & SYM_FOREIGN))
			bitset_add(wanted, s);
	}
	arena_free(&scratch);
}

/* Whether both sides have functions without a row, and at least one of these functions is shown. */
static bool match_continues(const struct match_maker *m)
{
	bool shown = false, left[SIDES] = { false, false };

	for (int k = 0; k < SIDES; k++) {
		for (sym_id s = 0; s < match_size(m, k); s++) {
			if (m->row[k][s] != MATCH_LEFT)
				continue;
			left[k] = true;
			shown = shown || bitset_has(m->side[k].shown, s);
		}
	}
	return shown && left[SIDE_BASE] && left[SIDE_NEW];
}

static void match_one_level(struct match_maker *m, enum match_level level)
{
	struct arena scratch = arena_scratch(m->mem);
	struct match_keys keys = { .names.mem = &scratch };
	uint32_t *place[SIDES], *row;

	for (int k = 0; k < SIDES; k++) {
		place[k] = arena_array(&scratch, uint32_t, match_size(m, k));
		for (sym_id s = 0; s < match_size(m, k); s++) {
			const char *key = m->row[k][s] == MATCH_LEFT
						  ? match_key(&m->side[k], s, level, &scratch)
						  : NULL;

			place[k][s] = key ? match_place(&keys, key) : MATCH_LEFT;
			if (key)
				keys.count[k].at[place[k][s]]++;
		}
	}
	row = arena_array(&scratch, uint32_t, keys.names.texts.n);
	for (size_t i = 0; i < keys.names.texts.n; i++) {
		bool both = keys.count[SIDE_BASE].at[i] > 0 && keys.count[SIDE_NEW].at[i] > 0;

		if (both)
			m->rule[m->nrows] = (unsigned char)rule_of[level];
		row[i] = both ? m->nrows++ : MATCH_LEFT;
	}
	for (int k = 0; k < SIDES; k++) {
		for (sym_id s = 0; s < match_size(m, k); s++) {
			if (place[k][s] != MATCH_LEFT)
				m->row[k][s] = row[place[k][s]];
		}
	}
	arena_free(&scratch);
}

/*
 * Returns the entry, for side `of`, of the row whose key is the plain name of a function of `side`;
 * NULL: the function has no plain name.
 */
static uint32_t *match_row_of(const struct match_maker *m, struct match_keys *keys, int side,
			      enum difference_side of, sym_id s, struct arena *mem)
{
	const char *key = match_key(&m->side[side], s, PLAIN, mem);
	uint32_t place = key ? match_place(keys, key) : 0;

	return key ? &keys->count[of].at[place] : NULL;
}

/*
 * Adds functions without a row to the row of the other side's function with the same plain name:
 * one compiler may split a function into two parts which another keeps in one.
 */
static void match_parts(struct match_maker *m)
{
	struct arena scratch = arena_scratch(m->mem);
	struct match_keys keys = { .names.mem = &scratch };

	for (int k = 0; k < SIDES; k++) {
		for (sym_id s = 0; s < match_size(m, k); s++) {
			uint32_t *row = m->row[k][s] != MATCH_LEFT
						? match_row_of(m, &keys, k, (enum difference_side)k,
							       s, &scratch)
						: NULL;

			if (row && *row == 0)
				*row = m->row[k][s] + 1;
		}
	}
	for (int k = 0; k < SIDES; k++) {
		for (sym_id s = 0; s < match_size(m, k); s++) {
			const uint32_t *row =
				m->row[k][s] == MATCH_LEFT
					? match_row_of(m, &keys, k, (enum difference_side)(1 - k),
						       s, &scratch)
					: NULL;

			if (row && *row > 0)
				m->row[k][s] = *row - 1;
		}
	}
	arena_free(&scratch);
}

/*
 * Whether a name from the command line names the function: it may be the linker name, or the
 * demangled name with or without parameters.
 */
static bool match_is_called(const char *name, const char *word, struct arena *mem)
{
	size_t n = strlen(word);
	const char *readable;

	if (strcmp(name, word) == 0)
		return true;
	readable = demangle(name, DEMANGLE_AUTO, mem);
	return strncmp(readable, word, n) == 0 && (readable[n] == '\0' || readable[n] == '(');
}

static int match_renamed(struct match_maker *m, const struct match_rename *rename,
			 struct diag *diag)
{
	const char *const word[SIDES] = { rename->from, rename->to };

	for (int k = 0; k < SIDES; k++) {
		bool found = false;

		for (sym_id s = 0; s < match_size(m, k); s++) {
			struct arena scratch = arena_scratch(m->mem);

			if (match_is_called(m->side[k].symtab->sym[s].name, word[k], &scratch)) {
				m->row[k][s] = m->nrows;
				found = true;
			}
			arena_free(&scratch);
		}
		if (!found) {
			diag_error(
				diag, "--diff: rename=%s:%s: the %s program has no function '%s'",
				rename->from, rename->to, k == SIDE_BASE ? "base" : "new", word[k]);
			return -1;
		}
	}
	m->rule[m->nrows++] = RULE_RENAMED;
	return 0;
}

/*
 * Gives rows to functions that have no partner, and chooses the symbol whose name each row shows.
 */
static void match_end(struct match_maker *m, struct difference_match *match)
{
	for (int k = 0; k < SIDES; k++) {
		for (sym_id s = 0; s < match_size(m, k); s++) {
			if (m->row[k][s] == MATCH_LEFT)
				m->row[k][s] = m->nrows++;
		}
	}
	for (int k = 0; k < SIDES; k++) {
		sym_id *head = arena_array(m->mem, sym_id, m->nrows);
		const struct sym *sym = m->side[k].symtab->sym;

		memset(head, 0xff, m->nrows * sizeof(*head));
		for (sym_id s = 0; s < match_size(m, k); s++) {
			sym_id *of_row = &head[m->row[k][s]];

			if (*of_row == SYM_NONE || strlen(sym[s].name) < strlen(sym[*of_row].name))
				*of_row = s;
		}
		match->head[k] = head;
		match->row[k] = m->row[k];
	}
	match->nrows = m->nrows;
	match->rule = m->rule;
}

int match_functions(struct difference_match *match, const struct match_side sides[SIDES],
		    const match_renames *renames, struct arena *mem, struct diag *diag)
{
	struct match_maker m = { .side = sides, .mem = mem };
	size_t most = renames->n;

	for (int k = 0; k < SIDES; k++) {
		size_t n = sides[k].symtab->nsyms;

		m.row[k] = arena_array(mem, uint32_t, n);
		memset(m.row[k], 0xff, n * sizeof(*m.row[k]));
		most += n;
	}
	m.rule = arena_array(mem, unsigned char, most);
	for (size_t i = 0; i < renames->n; i++) {
		if (match_renamed(&m, &renames->at[i], diag) < 0)
			return -1;
	}
	for (int level = 0; level < LEVELS && match_continues(&m); level++)
		match_one_level(&m, (enum match_level)level);
	match_parts(&m);
	match_end(&m, match);
	return 0;
}

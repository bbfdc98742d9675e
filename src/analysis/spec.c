/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsing and matching of symbol specifications. Names are matched by binary search among the
 * specified ones, so that many specifications of functions cost little more than one.
 */
#include "config.h"

#include "analysis/spec.h"

#include "base/sort.h"

#include <limits.h>
#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Saturates: no source has so many lines. */
static unsigned parse_line(const char *s)
{
	unsigned line = 0;

	for (; is_digit(*s); s++)
		line = line > (UINT_MAX - 9) / 10 ? UINT_MAX : 10 * line + (unsigned)(*s - '0');
	return line;
}

static struct spec_half parse_half(const char *text, size_t len, struct arena *mem)
{
	char *copy = arena_strndup(mem, text, len);
	char *colon = strrchr(copy, ':');
	const char *rest = colon ? colon + 1 : copy;
	struct spec_half half = { NULL, NULL, 0 };

	if (colon) {
		*colon = '\0';
		half.file = *copy ? copy : NULL;
	} else if (strchr(copy, '.')) {
		half.file = copy;
		return half;
	}
	if (is_digit(*rest))
		half.line = parse_line(rest);
	else if (*rest)
		half.function = rest;
	return half;
}

struct spec spec_parse(const char *text, struct arena *mem)
{
	const char *slash = strchr(text, '/');
	struct spec spec = { .is_arc = slash != NULL };

	if (!slash)
		slash = text + strlen(text);
	spec.from = parse_half(text, (size_t)(slash - text), mem);
	if (spec.is_arc)
		spec.to = parse_half(slash + 1, strlen(slash + 1), mem);
	return spec;
}

bool spec_needs_locations(const struct spec *spec)
{
	return spec->from.file || spec->from.line || spec->to.file || spec->to.line;
}

static bool match_place(const struct spec_half *half, const struct location *locations, sym_id s)
{
	const char *file, *slash;

	if (!half->file && !half->line)
		return true;
	if (!locations || !locations[s].file)
		return false;
	if (half->line && half->line != locations[s].line)
		return false;
	file = locations[s].file;
	slash = strrchr(file, '/');
	return !half->file || strcmp(half->file, slash ? slash + 1 : file) == 0;
}

static int compare_functions(uint32_t x, uint32_t y, const void *searches)
{
	const struct spec_search *search = searches;

	return strcmp(search[x].half.function, search[y].half.function);
}

/* The first of the n searches in by_name whose function is not before name. */
static size_t find_name(const struct spec_search *searches, const uint32_t *by_name, size_t n,
			const char *name)
{
	size_t lo = 0;

	while (lo < n) {
		size_t mid = lo + (n - lo) / 2;

		if (strcmp(searches[by_name[mid]].half.function, name) < 0)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

static void try_match(struct spec_search *search, const struct location *locations, sym_id s)
{
	if (match_place(&search->half, locations, s)) {
		bitset_add(search->into, s);
		search->matched = true;
	}
}

void spec_match(struct spec_search *searches, size_t n, const struct symtab *symtab,
		const struct location *locations, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t *by_name = arena_array(&scratch, uint32_t, n);
	uint32_t *nameless = arena_array(&scratch, uint32_t, n);
	size_t nnamed = 0, nnameless = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (searches[i].half.function)
			by_name[nnamed++] = i;
		else
			nameless[nnameless++] = i;
	}
	sort_ids(by_name, nnamed, compare_functions, searches, &scratch);
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		const char *name = symtab->sym[s].name;
		size_t i = find_name(searches, by_name, nnamed, name);

		for (; i < nnamed && strcmp(searches[by_name[i]].half.function, name) == 0; i++)
			try_match(&searches[by_name[i]], locations, s);
		for (i = 0; i < nnameless; i++)
			try_match(&searches[nameless[i]], locations, s);
	}
	arena_free(&scratch);
}

enum { NEAREST_EDITS = 2 };

/* Insertions, deletions and replacements from a to b (Levenshtein), as far as below `limit`. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb, size_t limit,
		       size_t *row)
{
	for (size_t j = 0; j <= nb; j++)
		row[j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t diagonal = row[0], least = row[0] = i;

		for (size_t j = 1; j <= nb; j++) {
			size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
			size_t shifted = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;

			diagonal = row[j];
			row[j] = replaced < shifted ? replaced : shifted;
			least = row[j] < least ? row[j] : least;
		}
		if (least >= limit)
			return limit;
	}
	return row[nb];
}

const char *spec_nearest(const char *name, const struct symtab *symtab, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t len = strlen(name), limit = NEAREST_EDITS + 1;
	size_t *row = arena_array(&scratch, size_t, len + 1);
	const char *nearest = NULL;

	if (limit > (len + 1) / 2)
		limit = (len + 1) / 2;
	for (sym_id s = 0; s < symtab->nsyms && limit > 0; s++) {
		const char *other = symtab->sym[s].name;
		size_t other_len = strnlen(other, len + limit), d;

		if (other_len + limit <= len || other_len >= len + limit)
			continue;
		d = distance(other, other_len, name, len, limit, row);
		if (d < limit) {
			limit = d;
			nearest = d > 0 ? other : NULL;
		}
	}
	arena_free(&scratch);
	return nearest;
}

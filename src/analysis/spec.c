/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsing and matching of symbol specifications. Names are matched by binary search among the
 * specified ones, so that many specifications of functions cost little more than one; but most are
 * told apart by two characters, which is 5 % of a flat profile of 10^6 functions.
 */
#include "config.h"

#include "analysis/spec.h"

#include "base/path.h"
#include "base/sort.h"

#include <limits.h>
#include <string.h>

static bool spec_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Saturates: no source has so many lines. */
static unsigned spec_parse_line(const char *s)
{
	unsigned line = 0;

	for (; spec_is_digit(*s); s++)
		line = line > (UINT_MAX - 9) / 10 ? UINT_MAX : 10 * line + (unsigned)(*s - '0');
	return line;
}

static struct spec_half spec_parse_half(const char *text, size_t len, struct arena *mem)
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
	if (spec_is_digit(*rest))
		half.line = spec_parse_line(rest);
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
	spec.from = spec_parse_half(text, (size_t)(slash - text), mem);
	if (spec.is_arc)
		spec.to = spec_parse_half(slash + 1, strlen(slash + 1), mem);
	return spec;
}

bool spec_needs_locations(const struct spec *spec)
{
	return spec->from.file || spec->from.line || spec->to.file || spec->to.line;
}

static bool spec_match_place(const struct spec_half *half, const struct location *locations,
			     sym_id s)
{
	if (!half->file && !half->line)
		return true;
	if (!locations || !locations[s].file)
		return false;
	if (half->line && half->line != locations[s].line)
		return false;
	return !half->file || strcmp(half->file, path_base(locations[s].file)) == 0;
}

static int spec_compare_functions(uint32_t x, uint32_t y, const void *searches)
{
	const struct spec_search *search = searches;

	return strcmp(search[x].half.function, search[y].half.function);
}

/* Places in a list of searches by name: from first up to end. */
struct spec_places {
	size_t first, end;
};

/* Those of the n searches in by_name whose function is name. */
static struct spec_places spec_find_name(const struct spec_search *searches,
					 const uint32_t *by_name, size_t n, const char *name)
{
	size_t lo = 0, hi = n, end;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(searches[by_name[mid]].half.function, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (end = lo; end < n && strcmp(searches[by_name[end]].half.function, name) == 0; end++)
		;
	return (struct spec_places){ lo, end };
}

enum { NSTARTS = 1 << 16 };

/* The first two characters of a name. */
static uint32_t spec_start_of(const char *name)
{
	return *name ? (uint32_t)(unsigned char)name[0] << 8 | (unsigned char)name[1] : 0;
}

static void spec_try_match(struct spec_search *search, const struct location *locations, sym_id s)
{
	if (spec_match_place(&search->half, locations, s)) {
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
	struct bitset starts = bitset_empty(&scratch, NSTARTS);
	size_t nnamed = 0, nnameless = 0;
	struct spec_places named = { 0, 0 };

	for (uint32_t i = 0; i < n; i++) {
		if (searches[i].half.function) {
			by_name[nnamed++] = i;
			bitset_add(starts, spec_start_of(searches[i].half.function));
		} else {
			nameless[nnameless++] = i;
		}
	}
	sort_ids(by_name, nnamed, spec_compare_functions, searches, &scratch);
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		const char *name = symtab->sym[s].name;

		/* The lines of a function share its name. */
		if (s == 0 || name != symtab->sym[s - 1].name)
			named = bitset_has(starts, spec_start_of(name))
					? spec_find_name(searches, by_name, nnamed, name)
					: (struct spec_places){ 0, 0 };
		for (size_t i = named.first; i < named.end; i++)
			spec_try_match(&searches[by_name[i]], locations, s);
		for (size_t i = 0; i < nnameless; i++)
			spec_try_match(&searches[nameless[i]], locations, s);
	}
	arena_free(&scratch);
}

enum { NEAREST_EDITS = 2 };

/* The name that others are measured against, with three rows of its length and one. */
struct spec_measure {
	const char *name;
	size_t len;
	size_t *before, *above, *row;
};

/* Makes the i-th row, for `other`, and returns the least number in it. */
static size_t spec_measure_row(const struct spec_measure *m, const char *other, size_t i)
{
	size_t least = m->row[0] = i;

	for (size_t j = 1; j <= m->len; j++) {
		size_t d = m->above[j - 1] + (other[i - 1] != m->name[j - 1]);

		if (m->above[j] + 1 < d)
			d = m->above[j] + 1;
		if (m->row[j - 1] + 1 < d)
			d = m->row[j - 1] + 1;
		if (i > 1 && j > 1 && other[i - 1] == m->name[j - 2] &&
		    other[i - 2] == m->name[j - 1] && m->before[j - 2] + 1 < d)
			d = m->before[j - 2] + 1;
		m->row[j] = d;
		least = d < least ? d : least;
	}
	return least;
}

/*
 * How many characters have to be added, dropped, replaced, or swapped with the next one, as far as
 * below `limit`. Rows are made as long as one of the last two leads there.
 */
static size_t spec_distance(struct spec_measure m, const char *other, size_t n, size_t limit)
{
	size_t least = 0;

	for (; m.len && n && *m.name == *other; m.name++, other++, m.len--, n--)
		;
	for (size_t j = 0; j <= m.len; j++)
		m.row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *oldest = m.before, last = least;

		m.before = m.above;
		m.above = m.row;
		m.row = oldest;
		least = spec_measure_row(&m, other, i);
		if (least >= limit && last + 1 >= limit)
			return limit;
	}
	return m.row[m.len];
}

/* Puts a name behind those that are as near, and out of its array the one behind the last. */
static void spec_keep_nearest(struct spec_nearest *kept, const char *name, size_t d)
{
	size_t at = kept->n;

	for (size_t i = 0; i < kept->n; i++) {
		if (strcmp(kept->name[i], name) == 0)
			return;
	}
	if (at == SPEC_NEAREST)
		at--;
	else
		kept->n++;
	for (; at > 0 && kept->edits[at - 1] > d; at--) {
		kept->name[at] = kept->name[at - 1];
		kept->edits[at] = kept->edits[at - 1];
	}
	kept->name[at] = name;
	kept->edits[at] = d;
}

struct spec_nearest spec_nearest(const char *name, const struct symtab *symtab,
				 const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct spec_measure m = { .name = name, .len = strlen(name) };
	size_t limit = m.len == 2 ? 2 : (m.len + 1) / 2;
	struct spec_nearest kept = { .n = 0 };

	if (limit > NEAREST_EDITS + 1)
		limit = NEAREST_EDITS + 1;
	m.before = arena_array(&scratch, size_t, m.len + 1);
	m.above = arena_array(&scratch, size_t, m.len + 1);
	m.row = arena_array(&scratch, size_t, m.len + 1);
	for (sym_id s = 0; s < symtab->nsyms && limit > 0; s++) {
		const char *other = symtab->sym[s].name;
		size_t n = strnlen(other, m.len + limit), d;

		if (n + limit <= m.len || n >= m.len + limit)
			continue;
		d = spec_distance(m, other, n, limit);
		/* Of two characters, one edit leaves none in its place but if they are swapped. */
		if (m.len == 2 && d == 1 && (other[0] != name[1] || other[1] != name[0]))
			continue;
		if (d < limit)
			spec_keep_nearest(&kept, other, d);
		if (kept.n == SPEC_NEAREST)
			limit = kept.edits[SPEC_NEAREST - 1];
		if (d == 0)
			break;
	}
	arena_free(&scratch);
	if (kept.n > 0 && kept.edits[0] == 0)
		kept.n = 0;
	return kept;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/rank_pattern.h"

#include "base/bitset.h"
#include "base/path.h"

#include <string.h>

int rank_pattern_check(const char *pattern, const struct keys_words *words)
{
	bool tells = false;

	for (const char *c = pattern; *c; c++) {
		if (*c != '%')
			continue;
		c++;
		if (!*c || !strchr("rhpe%", *c)) {
			diag_error(
				words->diag,
				"--ranks: '%s' has %%%.1s: a pattern of names has %%r, %%h, %%p, "
				"%%e and %%%%",
				pattern, c);
			return -1;
		}
		tells = tells || *c != '%';
	}
	return tells ? 0 : keys_refuse(words, "ranks", pattern, RANK_PATTERN_EXPECTED);
}

/* Matches a pattern with a name, and keeps the text that each %-letter matched. */
struct rank_pattern_search {
	const char *pattern, *name;
	size_t nname;
	/* pairs of positions in pattern and name from which no match is possible */
	struct bitset failed;
	const char *at[128]; /* the text that each letter matched, by the letter's code; a later
				match replaces an earlier */
	size_t n[128];
};

static bool rank_pattern_may_be(char letter, char c)
{
	bool digit = c >= '0' && c <= '9';

	return letter == 'r' || letter == 'p' ? digit : c != '/';
}

/*
 * Whether the pattern from index i on matches the name from index j on. Letters match as much text
 * as possible.
 */
static bool rank_pattern_find(struct rank_pattern_search *s, size_t i, size_t j)
{
	size_t state = i * (s->nname + 1) + j, n = 0;
	char letter;

	while (s->pattern[i] && (s->pattern[i] != '%' || s->pattern[i + 1] == '%')) {
		if (s->pattern[i] != s->name[j])
			return false;
		i += s->pattern[i] == '%' ? 2 : 1;
		j++;
	}
	if (!s->pattern[i])
		return !s->name[j];
	if (bitset_has(s->failed, state))
		return false;
	letter = s->pattern[i + 1];
	while (s->name[j + n] && rank_pattern_may_be(letter, s->name[j + n]))
		n++;
	for (; n > 0; n--) {
		if (rank_pattern_find(s, i + 2, j + n)) {
			s->at[(unsigned char)letter] = s->name + j;
			s->n[(unsigned char)letter] = n;
			return true;
		}
	}
	bitset_add(s->failed, state);
	return false;
}

/* Returns the end of the path that has as many components as the pattern. */
static const char *rank_pattern_end(const char *pattern, const char *path)
{
	const char *end = path + strlen(path);
	size_t slashes = 0;

	for (const char *c = pattern; *c; c++)
		slashes += *c == '/';
	if (pattern[0] == '/')
		return path;
	while (end > path && (end[-1] != '/' || slashes > 0)) {
		slashes -= end[-1] == '/';
		end--;
	}
	return end;
}

bool rank_pattern_match(struct rank *rank, const char *pattern, const char *path, struct arena *mem)
{
	static const char letters[] = "rphe";
	struct arena scratch = arena_scratch(mem);
	struct rank_pattern_search s = { .pattern = pattern,
					 .name = rank_pattern_end(pattern, path) };
	bool found;

	s.nname = strlen(s.name);
	s.failed = bitset_empty(&scratch, (strlen(pattern) + 1) * (s.nname + 1));
	found = rank_pattern_find(&s, 0, 0);
	for (const char *c = letters; found && *c; c++) {
		unsigned char letter = (unsigned char)*c;

		if (s.at[letter] && !rank->label)
			rank->label = arena_strndup(mem, s.at[letter], s.n[letter]);
	}
	if (found && s.at['h'])
		rank->host = arena_strndup(mem, s.at['h'], s.n['h']);
	arena_free(&scratch);
	return found;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/rankkeys.h"

#include "base/bitset.h"
#include "base/path.h"

#include <string.h>

static const char *const orders[] = {
	[RANKS_BY_IMBALANCE] = "imbalance",
	[RANKS_BY_TOTAL] = "total",
	[RANKS_BY_MAX] = "max",
	[RANKS_BY_NAME] = "name",
};

static const char key_list[] =
	"sort=ORDER, ranks=PATTERN, calls, threads, inclusive, outliers, all or csv";

static int rankkeys_order(struct ranks_request *request, const char *value, struct diag *diag)
{
	for (size_t i = 0; value && i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (strcmp(orders[i], value) == 0) {
			request->order = (enum ranks_order)i;
			return 0;
		}
	}
	diag_error(diag, "--ranks: sort must be imbalance, total, max or name, not '%s'",
		   value ? value : "");
	return -1;
}

/* What a pattern has of names: no letter but these behind a percent sign, and one that tells. */
static int rankkeys_pattern(struct ranks_request *request, const char *value, struct diag *diag)
{
	bool tells = false;

	for (const char *c = value; c && *c; c++) {
		if (*c != '%')
			continue;
		c++;
		if (!*c || !strchr("rhpe%", *c)) {
			diag_error(
				diag,
				"--ranks: '%s' has %%%.1s: a pattern of names has %%r, %%h, %%p, "
				"%%e and %%%%",
				value, c);
			return -1;
		}
		tells = tells || *c != '%';
	}
	if (!tells) {
		diag_error(diag,
			   "--ranks: ranks must be a pattern of file names with %%r for the rank, "
			   "not '%s'",
			   value ? value : "");
		return -1;
	}
	request->pattern = value;
	return 0;
}

static int rankkeys_word(struct ranks_request *request, bool *csv, char *word, struct diag *diag)
{
	struct {
		const char *name;
		bool *on;
	} const switches[] = { { "calls", &request->calls },
			       { "threads", &request->threads },
			       { "inclusive", &request->inclusive },
			       { "outliers", &request->outliers },
			       { "all", &request->all },
			       { "csv", csv } };
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	if (strcmp(word, "sort") == 0)
		return rankkeys_order(request, value, diag);
	if (strcmp(word, "ranks") == 0)
		return rankkeys_pattern(request, value, diag);
	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
		if (strcmp(word, switches[i].name) == 0 && !value) {
			*switches[i].on = true;
			return 0;
		}
	}
	diag_error(diag, "--ranks has no key '%s%s%s': expected %s", word, value ? "=" : "",
		   value ? value : "", key_list);
	return -1;
}

int rankkeys_parse(struct ranks_request *request, bool *csv, const char *text, struct arena *mem,
		   struct diag *diag)
{
	char *word = text ? arena_strndup(mem, text, strlen(text)) : NULL;

	*csv = false;
	while (word) {
		char *end = strchr(word, ',');

		if (end)
			*end++ = '\0';
		if (rankkeys_word(request, csv, word, diag) < 0)
			return -1;
		word = end;
	}
	if (request->threads && request->calls) {
		diag_error(diag, "--ranks: calls are not known of each thread");
		return -1;
	}
	return 0;
}

/* A pattern and a name, and what the letters of the one stand for in the other. */
struct rankkeys_search {
	const char *pattern, *name;
	size_t nname;
	struct bitset failed; /* places in both, that lead nowhere */
	const char *at[128];  /* of each letter, the last of its kind */
	size_t n[128];
};

static bool rankkeys_may_be(char letter, char c)
{
	bool digit = c >= '0' && c <= '9';

	return letter == 'r' || letter == 'p' ? digit : c != '/';
}

/* Whether the pattern from i on is the name from j on. The longest text is tried first. */
static bool rankkeys_find(struct rankkeys_search *s, size_t i, size_t j)
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
	while (s->name[j + n] && rankkeys_may_be(letter, s->name[j + n]))
		n++;
	for (; n > 0; n--) {
		if (rankkeys_find(s, i + 2, j + n)) {
			s->at[(unsigned char)letter] = s->name + j;
			s->n[(unsigned char)letter] = n;
			return true;
		}
	}
	bitset_add(s->failed, state);
	return false;
}

/* The part of a path that a pattern is of: as many names as it has. */
static const char *rankkeys_end(const char *pattern, const char *path)
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

bool rankkeys_match(struct rank *rank, const char *pattern, const char *path, struct arena *mem)
{
	static const char letters[] = "rphe";
	struct arena scratch = arena_scratch(mem);
	struct rankkeys_search s = { .pattern = pattern, .name = rankkeys_end(pattern, path) };
	bool found;

	s.nname = strlen(s.name);
	s.failed = bitset_empty(&scratch, (strlen(pattern) + 1) * (s.nname + 1));
	found = rankkeys_find(&s, 0, 0);
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

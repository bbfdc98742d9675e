/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/diffkeys.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LEVEL = 95, DEFAULT_LEAST = 5 };

static const double least_level = 80.0, most_level = 99.9;

static const char *const orders[] = {
	[COMPARE_DELTA] = "delta",
	[COMPARE_NEW] = "new",
	[COMPARE_BASE] = "base",
	[COMPARE_NAME] = "name",
};

static const char key_list[] =
	"program=FILE, normalize, sort=ORDER, level=PERCENT, all, min=N, fail=PERCENT or "
	"rename=OLD:NEW";

static int diffkeys_wrong(const char *key, const char *value, const char *expected,
			  struct diag *diag)
{
	diag_error(diag, "--diff: %s must be %s, not '%s'", key, expected, value ? value : "");
	return -1;
}

/* No exponents, signs or names of numbers. */
static bool diffkeys_number(const char *text, double *x)
{
	size_t whole = text ? strspn(text, "0123456789") : 0;
	size_t point = whole > 0 && text[whole] == '.';
	size_t decimals = whole > 0 ? strspn(text + whole + point, "0123456789") : 0;

	if (whole == 0 || whole > 9 || text[whole + point + decimals])
		return false;
	*x = strtod(text, NULL);
	return true;
}

static int diffkeys_order(struct diff_request *request, const char *value, struct diag *diag)
{
	for (size_t i = 0; value && i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (strcmp(orders[i], value) == 0) {
			request->compare.order = (enum compare_order)i;
			return 0;
		}
	}
	return diffkeys_wrong("sort", value, "delta, new, base or name", diag);
}

/* OLD and NEW, with one colon between them: two are part of a name. */
static int diffkeys_rename(struct diff_request *request, char *value, struct arena *mem,
			   struct diag *diag)
{
	char *colon = value ? strchr(value, ':') : NULL;

	while (colon && colon[1] == ':')
		colon = strchr(colon + 2, ':');
	if (!colon || colon == value || !colon[1])
		return diffkeys_wrong("rename", value, "OLD:NEW, two functions", diag);
	*colon = '\0';
	array_push(mem, &request->renames) = (struct match_rename){ value, colon + 1 };
	return 0;
}

static int diffkeys_level(struct diff_request *request, const char *value, struct diag *diag)
{
	if (!diffkeys_number(value, &request->compare.level) ||
	    request->compare.level < least_level || request->compare.level > most_level)
		return diffkeys_wrong("level", value, "a percentage from 80 to 99.9", diag);
	return 0;
}

static int diffkeys_least(struct diff_request *request, const char *value, struct diag *diag)
{
	double least;

	if (!diffkeys_number(value, &least) || strchr(value, '.'))
		return diffkeys_wrong("min", value, "a whole number of samples", diag);
	request->compare.least = least < 1.0 ? 1 : (uint64_t)least;
	return 0;
}

static int diffkeys_fail(struct diff_request *request, const char *value, struct diag *diag)
{
	request->fails = true;
	if (!diffkeys_number(value, &request->fail))
		return diffkeys_wrong("fail", value, "a percentage of the base's total", diag);
	return 0;
}

static int diffkeys_word(struct diff_request *request, char *word, struct arena *mem,
			 struct diag *diag)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	if (strcmp(word, "normalize") == 0 && !value)
		request->compare.normalize = true;
	else if (strcmp(word, "all") == 0 && !value)
		request->all = true;
	else if (strcmp(word, "program") == 0 && value && *value)
		request->program = value;
	else if (strcmp(word, "sort") == 0)
		return diffkeys_order(request, value, diag);
	else if (strcmp(word, "level") == 0)
		return diffkeys_level(request, value, diag);
	else if (strcmp(word, "min") == 0)
		return diffkeys_least(request, value, diag);
	else if (strcmp(word, "fail") == 0)
		return diffkeys_fail(request, value, diag);
	else if (strcmp(word, "rename") == 0)
		return diffkeys_rename(request, value, mem, diag);
	else {
		diag_error(diag, "--diff has no key '%s%s%s': expected %s", word, value ? "=" : "",
			   value ? value : "", key_list);
		return -1;
	}
	return 0;
}

/* The comma that ends a word; those between brackets are part of a function's name. */
static char *diffkeys_end(char *word)
{
	int depth = 0;

	for (; *word && (*word != ',' || depth > 0); word++) {
		if (strchr("(<[{", *word))
			depth++;
		else if (strchr(")>]}", *word) && depth > 0)
			depth--;
	}
	return word;
}

int diffkeys_parse(struct diff_request *request, const char *text, struct arena *mem,
		   struct diag *diag)
{
	char *word = arena_strndup(mem, text, strlen(text)), *end = strchr(word, ',');

	*request = (struct diff_request){
		.base = word, .compare = { .level = DEFAULT_LEVEL, .least = DEFAULT_LEAST }
	};
	if (end)
		*end++ = '\0';
	if (!*word) {
		diag_error(diag, "--diff needs a data file, or a directory of them, to compare "
				 "with: --diff=BASE");
		return -1;
	}
	while (end) {
		bool last;

		word = end;
		end = diffkeys_end(word);
		last = !*end;
		*end = '\0';
		if (diffkeys_word(request, word, mem, diag) < 0)
			return -1;
		end = last ? NULL : end + 1;
	}
	return 0;
}

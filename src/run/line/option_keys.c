/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/option_keys.h"

#include "base/keys.h"
#include "run/line/rank_pattern.h"

#include <string.h>

enum { DEFAULT_LEVEL = 95, DEFAULT_LEAST = 5 };

#define KEYS(option, rows)                                     \
	{                                                      \
		option, rows, sizeof(rows) / sizeof((rows)[0]) \
	}

static const char *const diff_orders[] = { [COMPARE_DELTA] = "delta",
					   [COMPARE_NEW] = "new",
					   [COMPARE_BASE] = "base",
					   [COMPARE_NAME] = "name",
					   NULL };

enum { PROGRAM, NORMALIZE, SORT, LEVEL, ALL, MIN, FAIL, RENAME };
static const struct keys_row diff_rows[] = {
	[PROGRAM] = { "program", KEYS_TEXT, .metavar = "FILE", .expected = "a file" },
	[NORMALIZE] = { "normalize", .kind = KEYS_FLAG },
	[SORT] = { "sort", KEYS_CHOICE, .choices = diff_orders, .metavar = "ORDER" },
	[LEVEL] = { "level", KEYS_SHARE, .low = 80.0, .high = 99.9, .metavar = "PERCENT" },
	[ALL] = { "all", .kind = KEYS_FLAG },
	[MIN] = { "min", KEYS_COUNT, .most = UINT64_MAX, .metavar = "N",
		  .expected = "a whole number of samples" },
	[FAIL] = { "fail", KEYS_SHARE, .high = 1e9, .metavar = "PERCENT",
		   .expected = "a percentage of the base's total" },
	[RENAME] = { "rename", KEYS_TEXT, .metavar = "OLD:NEW",
		     .expected = "OLD:NEW, two functions" },
};
static const struct keys diff_keys = KEYS("--diff", diff_rows);

static const char *const order_rules[] = { "startup", "calls", "time", NULL };

enum { ORDER_BY, ORDER_ALL, ORDER_MIN, ORDER_LIMIT, ORDER_STRIP };
static const struct keys_row order_rows[] = {
	[ORDER_BY] = { "by", KEYS_CHOICE, .choices = order_rules, .metavar = "RULE" },
	[ORDER_ALL] = { "all", .kind = KEYS_FLAG },
	[ORDER_MIN] = { "min", KEYS_COUNT, .most = UINT64_MAX, .metavar = "CALLS",
			.expected = "a whole number" },
	[ORDER_LIMIT] = { "limit", KEYS_COUNT, .most = UINT64_MAX, .metavar = "BYTES",
			  .expected = "a whole number" },
	[ORDER_STRIP] = { "strip-suffixes", .kind = KEYS_FLAG },
};
static const struct keys order_keys = KEYS("--order", order_rows);

static const char *const rank_orders[] = { [RANKS_BY_IMBALANCE] = "imbalance",
					   [RANKS_BY_TOTAL] = "total",
					   [RANKS_BY_MAX] = "max",
					   [RANKS_BY_NAME] = "name",
					   NULL };

enum {
	RANK_SORT,
	RANK_PATTERN,
	RANK_CALLS,
	RANK_THREADS,
	RANK_INCLUSIVE,
	RANK_OUTLIERS,
	RANK_ALL,
	RANK_CSV
};
static const struct keys_row rank_rows[] = {
	[RANK_SORT] = { "sort", KEYS_CHOICE, .choices = rank_orders, .metavar = "ORDER" },
	[RANK_PATTERN] = { "ranks", KEYS_TEXT, .metavar = "PATTERN",
			   .expected = RANK_PATTERN_EXPECTED },
	[RANK_CALLS] = { "calls", .kind = KEYS_FLAG },
	[RANK_THREADS] = { "threads", .kind = KEYS_FLAG },
	[RANK_INCLUSIVE] = { "inclusive", .kind = KEYS_FLAG },
	[RANK_OUTLIERS] = { "outliers", .kind = KEYS_FLAG },
	[RANK_ALL] = { "all", .kind = KEYS_FLAG },
	[RANK_CSV] = { "csv", .kind = KEYS_FLAG },
};
static const struct keys rank_keys = KEYS("--ranks", rank_rows);

/*
 * Starts reading KEY=VALUE words from a copy of text. The part before the first comma, if it is no
 * key, is cut off and put into *first.
 */
static struct keys_words option_keys_begin(const struct keys *keys, const char *text,
					   const char **first, struct arena *mem, struct diag *diag)
{
	char *words = text ? arena_strndup(mem, text, strlen(text)) : NULL;

	if (first) {
		*first = words;
		words = strchr(words, ',');
		if (words)
			*words++ = '\0';
	}
	return (struct keys_words){ keys, words, mem, diag };
}

/* Reads OLD:NEW. A single colon separates the two names; double colons belong to C++ names. */
static int option_keys_rename(struct diff_request *request, const struct keys_words *words,
			      const char *value)
{
	char *old = arena_strndup(words->mem, value, strlen(value)), *colon = strchr(old, ':');

	while (colon && colon[1] == ':')
		colon = strchr(colon + 2, ':');
	if (!colon || colon == old || !colon[1])
		return keys_refuse(words, "rename", value, diff_rows[RENAME].expected);
	*colon = '\0';
	array_push(words->mem, &request->renames) = (struct match_rename){ old, colon + 1 };
	return 0;
}

static void option_keys_diff_set(struct diff_request *request, int key,
				 const struct keys_value *value)
{
	if (key == PROGRAM)
		request->program = value->text;
	else if (key == NORMALIZE)
		request->compare.normalize = true;
	else if (key == SORT)
		request->compare.order = (enum compare_order)value->count;
	else if (key == LEVEL)
		request->compare.level = value->share;
	else if (key == ALL)
		request->all = true;
	else if (key == MIN)
		request->compare.least = value->count < 1 ? 1 : value->count;
	else if (key == FAIL)
		request->fail = value->share;
	request->fails |= key == FAIL;
}

int option_keys_diff(struct diff_request *request, const char *text, struct arena *mem,
		     struct diag *diag)
{
	const char *base;
	struct keys_words words = option_keys_begin(&diff_keys, text, &base, mem, diag);
	struct keys_value value;
	int key;

	*request = (struct diff_request){
		.base = base, .compare = { .level = DEFAULT_LEVEL, .least = DEFAULT_LEAST }
	};
	if (!*base) {
		diag_error(diag, "--diff needs a data file, or a directory of them, to compare "
				 "with: --diff=BASE");
		return -1;
	}
	while ((key = keys_next(&words, &value)) >= 0) {
		option_keys_diff_set(request, key, &value);
		if (key == RENAME && option_keys_rename(request, &words, value.text) < 0)
			return -1;
	}
	return key == KEYS_END ? 0 : -1;
}

static int option_keys_style(struct order_request *request, const char *word, struct diag *diag)
{
	for (int i = LINKER_NONE + 1; i < LINKER_STYLES; i++) {
		if (strcmp(linker_style_name((enum linker_style)i), word) == 0) {
			request->style = (enum linker_style)i;
			request->placement.arcs = i == LINKER_LLD_CALLGRAPH;
			return 0;
		}
	}
	diag_error(diag,
		   "--order must be lld-callgraph, symbols, apple, gold, ld or ld-script, not '%s'",
		   word);
	return -1;
}

/* The file for lld lists calls, from which lld computes an order itself. */
static int option_keys_check_calls(const struct order_request *request, struct diag *diag)
{
	const struct function_order_options *placement = &request->placement;
	const char *key = placement->rule != FUNCTION_ORDER_ANY ? "by"
			  : placement->all                      ? "all"
			  : placement->most_bytes > 0           ? "limit"
								: NULL;

	if (!placement->arcs || !key)
		return 0;
	diag_error(diag,
		   "--order=lld-callgraph has no key '%s': it is a list of calls, not an order",
		   key);
	return -1;
}

int option_keys_order(struct order_request *request, const char *text, struct arena *mem,
		      struct diag *diag)
{
	struct function_order_options *placement = &request->placement;
	const char *style;
	struct keys_words words = option_keys_begin(&order_keys, text, &style, mem, diag);
	struct keys_value value;
	int key;

	if (request->style != LINKER_NONE) {
		diag_error(diag, "--order can be given once");
		return -1;
	}
	if (option_keys_style(request, style, diag) < 0)
		return -1;
	while ((key = keys_next(&words, &value)) >= 0) {
		if (key == ORDER_BY)
			placement->rule =
				(enum function_order_rule)(FUNCTION_ORDER_ANY + 1 + value.count);
		else if (key == ORDER_MIN)
			placement->least_calls = value.count;
		else if (key == ORDER_LIMIT)
			placement->most_bytes = value.count;
		placement->all |= key == ORDER_ALL;
		placement->strip_suffixes |= key == ORDER_STRIP;
	}
	return key == KEYS_END ? option_keys_check_calls(request, diag) : -1;
}

int option_keys_ranks(struct ranks_request *request, bool *csv, const char *text, struct arena *mem,
		      struct diag *diag)
{
	struct keys_words words = option_keys_begin(&rank_keys, text, NULL, mem, diag);
	struct keys_value value;
	int key;

	*csv = false;
	while ((key = keys_next(&words, &value)) >= 0) {
		if (key == RANK_SORT)
			request->order = (enum ranks_order)value.count;
		if (key == RANK_PATTERN) {
			if (rank_pattern_check(value.text, &words) < 0)
				return -1;
			request->pattern = value.text;
		}
		request->calls |= key == RANK_CALLS;
		request->threads |= key == RANK_THREADS;
		request->inclusive |= key == RANK_INCLUSIVE;
		request->outliers |= key == RANK_OUTLIERS;
		request->all |= key == RANK_ALL;
		*csv |= key == RANK_CSV;
	}
	if (key == KEYS_WRONG)
		return -1;
	if (request->threads && request->calls) {
		diag_error(diag, "--ranks: calls are not known of each thread");
		return -1;
	}
	return 0;
}

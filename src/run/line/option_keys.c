/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/option_keys.h"

#include "base/join.h"
#include "run/launch/experiment.h"
#include "run/line/rank_pattern.h"

#include <string.h>

const struct keys_row option_keys[OPTION_KEYS] = {
#define KEY(id, ...) KEYS_ROW(KEY_##id, __VA_ARGS__),
#include "run/line/options.def"
};

#define KEYS_OF(option)                                \
	{                                              \
		"--", option, option_keys, OPTION_KEYS \
	}

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
		return keys_refuse(words, "rename", value, option_keys[KEY_DIFF_RENAME].expected);
	*colon = '\0';
	array_push(words->mem, &request->renames) = (struct match_rename){ old, colon + 1 };
	return 0;
}

static void option_keys_diff_set(struct diff_request *request, int key,
				 const struct keys_value *value)
{
	if (key == KEY_DIFF_PROGRAM)
		request->program = value->text;
	else if (key == KEY_DIFF_NORMALIZE)
		request->compare.normalize = true;
	else if (key == KEY_DIFF_SORT)
		request->compare.order = (enum compare_order)value->count;
	else if (key == KEY_DIFF_LEVEL)
		request->compare.level = value->share;
	else if (key == KEY_DIFF_ALL)
		request->all = true;
	else if (key == KEY_DIFF_MIN)
		request->compare.least = value->count < 1 ? 1 : value->count;
	else if (key == KEY_DIFF_FAIL)
		request->fail = value->share;
	request->fails |= key == KEY_DIFF_FAIL;
}

int option_keys_diff(struct diff_request *request, const char *text, struct arena *mem,
		     struct diag *diag)
{
	static const struct keys keys = KEYS_OF("diff");
	const char *base;
	struct keys_words words = option_keys_begin(&keys, text, &base, mem, diag);
	struct keys_value value;
	int key;

	*request = (struct diff_request){ .base = base };
	for (key = KEY_DIFF_PROGRAM; key <= KEY_DIFF_RENAME; key++) {
		if (keys_read_initial(&option_keys[key], &value))
			option_keys_diff_set(request, key, &value);
	}
	if (!*base) {
		diag_error(diag, "--diff needs a data file, or a directory of them, to compare "
				 "with: --diff=BASE");
		return -1;
	}
	while ((key = keys_next(&words, &value)) >= 0) {
		option_keys_diff_set(request, key, &value);
		if (key == KEY_DIFF_RENAME && option_keys_rename(request, &words, value.text) < 0)
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
	static const struct keys keys = KEYS_OF("order");
	struct function_order_options *placement = &request->placement;
	const char *style;
	struct keys_words words = option_keys_begin(&keys, text, &style, mem, diag);
	struct keys_value value;
	int key;

	if (request->style != LINKER_NONE) {
		diag_error(diag, "--order can be given once");
		return -1;
	}
	if (option_keys_style(request, style, diag) < 0)
		return -1;
	while ((key = keys_next(&words, &value)) >= 0) {
		if (key == KEY_ORDER_BY)
			placement->rule =
				(enum function_order_rule)(FUNCTION_ORDER_ANY + 1 + value.count);
		else if (key == KEY_ORDER_MIN)
			placement->least_calls = value.count;
		else if (key == KEY_ORDER_LIMIT)
			placement->most_bytes = value.count;
		placement->all |= key == KEY_ORDER_ALL;
		placement->strip_suffixes |= key == KEY_ORDER_STRIP;
	}
	return key == KEYS_END ? option_keys_check_calls(request, diag) : -1;
}

int option_keys_ranks(struct ranks_request *request, bool *csv, const char *text, struct arena *mem,
		      struct diag *diag)
{
	static const struct keys keys = KEYS_OF("ranks");
	struct keys_words words = option_keys_begin(&keys, text, NULL, mem, diag);
	struct keys_value value;
	int key;

	*csv = false;
	while ((key = keys_next(&words, &value)) >= 0) {
		if (key == KEY_RANKS_SORT)
			request->order = (enum ranks_order)value.count;
		if (key == KEY_RANKS_PATTERN) {
			if (rank_pattern_check(value.text, &words) < 0)
				return -1;
			request->pattern = value.text;
		}
		request->calls |= key == KEY_RANKS_CALLS;
		request->threads |= key == KEY_RANKS_THREADS;
		request->inclusive |= key == KEY_RANKS_INCLUSIVE;
		request->outliers |= key == KEY_RANKS_OUTLIERS;
		request->all |= key == KEY_RANKS_ALL;
		*csv |= key == KEY_RANKS_CSV;
	}
	if (key == KEYS_WRONG)
		return -1;
	if (request->threads && request->calls) {
		diag_error(diag, "--ranks: calls are not counted per thread");
		return -1;
	}
	return 0;
}

/* Whether a word of --run= is no key but the file that keep= should name; if so, says it. */
static bool option_keys_is_kept_file(const char *word, struct diag *diag)
{
	int n = (int)strcspn(word, ",");

	if (memchr(word, '=', (size_t)n) ||
	    (!memchr(word, '.', (size_t)n) && !memchr(word, '/', (size_t)n)))
		return false;
	diag_error(diag, "--run has no key '%.*s'; did you mean 'keep=%.*s'?", n, word, n, word);
	return true;
}

/* Returns the text after the word "children", which alone means the default; else the text. */
static char *option_keys_skip_children(char *text)
{
	static const char word[] = "children";
	size_t n = sizeof(word) - 1;

	return strncmp(text, word, n) == 0 && (text[n] == ',' || !text[n]) ? text + n : text;
}

static enum launch_children option_keys_children(const char *word)
{
	return strcmp(word, "no") == 0     ? LAUNCH_ALONE
	       : strcmp(word, "wait") == 0 ? LAUNCH_CHILDREN_TO_END
					   : LAUNCH_CHILDREN;
}

/* Whether these are the words of --run=calls; NULL: there are none. */
static bool option_keys_are_calls(const char *text)
{
	static const char *const words[] = { "libs", "entries", "libs+entries", "entries+libs" };

	for (size_t i = 0; text && i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return !text;
}

/* Empty words are no mistake. */
int option_keys_run(struct launch_request *request, const char *text, struct arena *mem,
		    struct diag *diag)
{
	static const struct keys keys = KEYS_OF("run");
	struct keys_words words = option_keys_begin(&keys, text, NULL, mem, diag);
	struct keys_value value;
	int key = 0;

	if (words.rest)
		words.rest = option_keys_skip_children(words.rest);
	request->children = LAUNCH_USUAL;
	request->keep = NULL;
	request->passed = "";
	while (key >= 0) {
		while (words.rest && *words.rest == ',')
			words.rest = option_keys_skip_children(words.rest + 1);
		if (!words.rest || !*words.rest)
			return 0;
		if (option_keys_is_kept_file(words.rest, diag))
			return -1;
		key = keys_next(&words, &value);
		if (key == KEY_RUN_CALLS && !option_keys_are_calls(value.text)) {
			diag_error(
				diag,
				"--run=calls=%s: after calls= are libs, entries, libs+entries, or nothing",
				value.text);
			return -1;
		}
		if (key == KEY_RUN_KEEP)
			request->keep = value.text;
		else if (key == KEY_RUN_CHILDREN)
			request->children = option_keys_children(value.text);
		else if (key >= 0)
			request->passed = JOIN(mem, request->passed, ",", option_keys[key].name,
					       value.text ? "=" : "", value.text ? value.text : "");
	}
	return -1;
}

/* Whether a text is "KEY=...", as no part of a parameter list is, or a key without a value. */
static bool option_keys_is_key(const struct keys *keys, const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz-");

	for (size_t i = 0; i < keys->n; i++) {
		const struct keys_row *row = &keys->row[i];

		if (row->kind == KEYS_FLAG && strcmp(row->name, text) == 0 &&
		    keys_is_of(row, keys->owner))
			return true;
	}
	return n > 0 && text[n] == '=';
}

int option_keys_named(struct named_request *request, const struct option_keys_named *option,
		      const char *text, struct arena *mem, struct diag *diag)
{
	const struct keys keys = KEYS_OF(option->name);
	char *name = arena_strndup(mem, text, strlen(text)), *comma = strrchr(name, ',');
	struct keys_words words = { &keys, NULL, mem, diag };
	struct keys_value value;
	int key;

	*request = (struct named_request){ .name = name, .number = option->initial };
	if (comma && option_keys_is_key(&keys, comma + 1)) {
		*comma = '\0';
		words.rest = comma + 1;
		key = keys_next(&words, &value);
		if (key < 0)
			return -1;
		request->flagged = option_keys[key].kind == KEYS_FLAG;
		if (!request->flagged)
			request->number = (unsigned)value.count;
	}
	if (*name)
		return 0;
	diag_error(diag, "--%s needs a function: %s", option->name, option->usage);
	return -1;
}

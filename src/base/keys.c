/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/keys.h"

#include "base/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void keys_list(char list[KEYS_LIST_BYTES], const char *word, size_t i, size_t n, const char *last)
{
	size_t len = strlen(list);

	snprintf(list + len, KEYS_LIST_BYTES - len, "%s%s",
		 i == 0       ? ""
		 : i + 1 == n ? last
			      : ", ",
		 word);
}

int keys_refuse(const struct keys_words *words, const char *key, const char *value,
		const char *expected)
{
	diag_error(words->diag, "%s%s: %s must be %s, not '%s'", words->keys->prefix,
		   words->keys->owner, key, expected, value ? value : "");
	return KEYS_WRONG;
}

bool keys_is_of(const struct keys_row *row, const char *owner)
{
	size_t n = strlen(owner), len;

	for (const char *at = row->owners; *at; at += len + (at[len] == ' ')) {
		len = strcspn(at, " ");
		if (len == n && strncmp(at, owner, n) == 0)
			return true;
	}
	return false;
}

static int keys_refuse_key(const struct keys_words *words, const char *name)
{
	const struct keys *keys = words->keys;
	struct nearest_search search = nearest_begin(name, words->mem);
	char list[KEYS_LIST_BYTES] = "", word[64];
	size_t n = 0, listed = 0;

	for (size_t i = 0; i < keys->n; i++)
		n += keys_is_of(&keys->row[i], keys->owner);
	for (size_t i = 0; i < keys->n; i++) {
		const struct keys_row *row = &keys->row[i];

		if (!keys_is_of(row, keys->owner))
			continue;
		nearest_offer(&search, row->name);
		snprintf(word, sizeof(word), "%s%s%s", row->name, *row->metavar ? "=" : "",
			 row->metavar);
		keys_list(list, word, listed++, n, " and ");
	}
	if (n == 0)
		diag_error(words->diag, "%s%s takes no key: '%s'", keys->prefix, keys->owner, name);
	else if (search.found.n > 0)
		diag_error(words->diag, "%s%s has no key '%s'%s", keys->prefix, keys->owner, name,
			   nearest_question(&search.found, "", words->mem));
	else
		diag_error(words->diag, "%s%s has no key '%s'; it knows these keys: %s",
			   keys->prefix, keys->owner, name, list);
	return KEYS_WRONG;
}

static int keys_refuse_value(const struct keys_words *words, const struct keys_row *row,
			     const char *value)
{
	char list[KEYS_LIST_BYTES] = "a name";
	size_t n = 0;

	if (row->kind == KEYS_FLAG) {
		diag_error(words->diag, "%s%s: %s takes no value", words->keys->prefix,
			   words->keys->owner, row->name);
		return KEYS_WRONG;
	}
	if (!value && *row->metavar) {
		diag_error(words->diag, "%s%s: %s needs a value: %s=%s", words->keys->prefix,
			   words->keys->owner, row->name, row->name, row->metavar);
		return KEYS_WRONG;
	}
	if (row->kind == KEYS_COUNT) {
		snprintf(list, sizeof(list), "a whole number from %llu to %llu",
			 (unsigned long long)row->least, (unsigned long long)row->most);
	} else if (row->kind == KEYS_SHARE) {
		snprintf(list, sizeof(list), "a percentage from %g to %g", row->low, row->high);
	} else if (row->kind == KEYS_CHOICE) {
		list[0] = '\0';
		while (row->choices[n])
			n++;
		for (size_t i = 0; i < n; i++)
			keys_list(list, row->choices[i], i, n, " or ");
	}
	return keys_refuse(words, row->name, value, row->expected ? row->expected : list);
}

static bool keys_read_count(const char *text, uint64_t *count)
{
	uint64_t n = 0;

	if (!*text || strspn(text, "0123456789") != strlen(text))
		return false;
	for (; *text; text++) {
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*text - '0'), &n))
			return false;
	}
	*count = n;
	return true;
}

/* Reads a share. strtod() alone would accept exponents, infinity and hexadecimal digits. */
static bool keys_read_share(const char *text, double *share)
{
	size_t whole = strspn(text, "0123456789");
	size_t point = text[whole] == '.';
	size_t decimals = strspn(text + whole + point, "0123456789");

	if (whole + decimals == 0 || text[whole + point + decimals])
		return false;
	*share = strtod(text, NULL);
	return true;
}

bool keys_read(const struct keys_row *row, const char *text, struct keys_value *value)
{
	*value = (struct keys_value){ .given = true, .text = text };
	if (!text || row->kind == KEYS_FLAG || row->kind == KEYS_OTHER)
		return row->kind == KEYS_OTHER || (!text && row->kind == KEYS_FLAG);
	if (row->kind == KEYS_COUNT)
		return keys_read_count(text, &value->count) && row->least <= value->count &&
		       value->count <= row->most;
	if (row->kind == KEYS_SHARE)
		return keys_read_share(text, &value->share) && row->low <= value->share &&
		       value->share <= row->high;
	if (row->kind == KEYS_TEXT)
		return *text;
	for (; row->choices[value->count]; value->count++) {
		if (strcmp(row->choices[value->count], text) == 0)
			return true;
	}
	return false;
}

bool keys_read_initial(const struct keys_row *row, struct keys_value *value)
{
	return row->initial && keys_read(row, row->initial, value);
}

/* Returns the comma that ends a word, or the end of the text. */
static char *keys_end(char *word)
{
	int depth = 0;
	char *end = word;

	for (; *end && (*end != ',' || depth > 0); end++) {
		if (strchr("(<[{", *end))
			depth++;
		else if (strchr(")>]}", *end) && depth > 0)
			depth--;
	}
	return end;
}

int keys_next(struct keys_words *words, struct keys_value *value)
{
	char *word = words->rest, *end, *text;

	if (!word)
		return KEYS_END;
	end = keys_end(word);
	words->rest = *end ? end + 1 : NULL;
	*end = '\0';
	text = strchr(word, '=');
	if (text)
		*text++ = '\0';
	for (size_t i = 0; i < words->keys->n; i++) {
		const struct keys_row *row = &words->keys->row[i];

		if (strcmp(row->name, word) == 0 && keys_is_of(row, words->keys->owner))
			return keys_read(row, text, value) ? (int)i
							   : keys_refuse_value(words, row, text);
	}
	return keys_refuse_key(words, word);
}

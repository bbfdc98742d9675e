/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of export formats, and the words of --export. */
#include "config.h"

#include "export/export.h"

#include "export/formats.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const export_yes_no[] = { [EXPORT_YES] = "yes", [EXPORT_NO] = "no", NULL };

static const struct exporter *const formats[] = {
	&export_callgrind, &export_csv,   &export_dot,        &export_flamegraph, &export_folded,
	&export_json,      &export_pprof, &export_speedscope, &export_webpage,
};

enum { NFORMATS = sizeof(formats) / sizeof(formats[0]), LIST_BYTES = 500 };

/* Adds a word to a list in words: "a", "a or b", "a, b or c". */
static void list_word(char list[LIST_BYTES], const char *word, size_t i, size_t n)
{
	const char *before = i == 0 ? "" : i + 1 == n ? " or " : ", ";
	size_t len = strlen(list);

	snprintf(list + len, LIST_BYTES - len, "%s%s", before, word);
}

static int no_format(const char *name, struct diag *diag)
{
	char list[LIST_BYTES] = "";

	for (size_t i = 0; i < NFORMATS; i++)
		list_word(list, formats[i]->name, i, NFORMATS);
	diag_error(diag, "unknown export format '%s': expected %s", name, list);
	return -1;
}

static int no_key(const struct exporter *format, const char *word, struct diag *diag)
{
	char list[LIST_BYTES] = "";

	for (size_t i = 0; i < format->nkeys; i++)
		list_word(list, format->keys[i].name, i, format->nkeys);
	if (format->nkeys == 0)
		diag_error(diag, "--export=%s takes no key: '%s'", format->name, word);
	else
		diag_error(diag, "--export=%s has no key '%s': expected %s", format->name, word,
			   list);
	return -1;
}

static int bad_value(const struct exporter *format, const struct export_key *key, const char *text,
		     struct diag *diag)
{
	char list[LIST_BYTES] = "";
	size_t n = 0;

	switch (key->kind) {
	case EXPORT_COUNT:
		snprintf(list, sizeof(list), "a whole number from %llu to %llu",
			 (unsigned long long)key->least, (unsigned long long)key->most);
		break;
	case EXPORT_SHARE:
		snprintf(list, sizeof(list), "a percentage from 0 to 100");
		break;
	case EXPORT_NAME:
		snprintf(list, sizeof(list), "a name");
		break;
	case EXPORT_CHOICE:
		while (key->choices[n])
			n++;
		for (size_t i = 0; i < n; i++)
			list_word(list, key->choices[i], i, n);
		break;
	}
	diag_error(diag, "--export=%s: %s must be %s, not '%s'", format->name, key->name, list,
		   text);
	return -1;
}

static bool parse_count(const struct export_key *key, const char *text, uint64_t *count)
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
	return key->least <= n && n <= key->most;
}

/* Without strtod(): no exponents, and no names of numbers. */
static bool parse_share(const char *text, double *share)
{
	size_t whole = strspn(text, "0123456789");
	size_t point = text[whole] == '.';
	size_t decimals = strspn(text + whole + point, "0123456789");

	if (whole + decimals == 0 || text[whole + point + decimals])
		return false;
	*share = strtod(text, NULL);
	return *share <= 100.0;
}

static bool parse_value(const struct export_key *key, const char *text, struct export_value *value)
{
	value->text = text;
	value->given = true;
	switch (key->kind) {
	case EXPORT_COUNT:
		return parse_count(key, text, &value->count);
	case EXPORT_SHARE:
		return parse_share(text, &value->share);
	case EXPORT_NAME:
		return *text;
	case EXPORT_CHOICE:
		for (value->count = 0; key->choices[value->count]; value->count++) {
			if (strcmp(key->choices[value->count], text) == 0)
				return true;
		}
		return false;
	}
	return false;
}

/* One word key=value, which is cut in two. */
static int parse_word(struct export_request *request, char *word, struct diag *diag)
{
	const struct exporter *format = request->format;
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < format->nkeys; i++) {
		const struct export_key *key = &format->keys[i];

		if (strcmp(key->name, word) != 0)
			continue;
		if (value && parse_value(key, value, &request->value[i]))
			return 0;
		return bad_value(format, key, value ? value : "", diag);
	}
	return no_key(format, word, diag);
}

int export_parse(struct export_request *request, const char *text, struct arena *mem,
		 struct diag *diag)
{
	char *word = arena_strndup(mem, text, strlen(text));
	char *next = strchr(word, ',');

	*request = (struct export_request){ .format = NULL };
	if (next)
		*next++ = '\0';
	for (size_t i = 0; i < NFORMATS; i++) {
		if (strcmp(formats[i]->name, word) == 0)
			request->format = formats[i];
	}
	if (!request->format)
		return no_format(word, diag);
	assert(request->format->nkeys <= EXPORT_KEYS);
	for (size_t i = 0; i < request->format->nkeys; i++) {
		const struct export_key *key = &request->format->keys[i];

		if (key->initial)
			parse_value(key, key->initial, &request->value[i]);
	}
	while (next) {
		word = next;
		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		if (parse_word(request, word, diag) < 0)
			return -1;
	}
	return 0;
}

const struct export_value *export_find(const struct export_request *request, const char *key)
{
	for (size_t i = 0; i < request->format->nkeys; i++) {
		if (strcmp(request->format->keys[i].name, key) == 0)
			return &request->value[i];
	}
	return NULL;
}

int exports_check(const export_requests *requests, const struct profile *prof, struct diag *diag)
{
	for (size_t i = 0; i < requests->n; i++) {
		const struct exporter *format = requests->at[i].format;

		if (format->needs & EXPORT_SAMPLES && !prof->has_hists) {
			diag_error(diag, "%s: missing histogram: no samples for --export=%s",
				   prof->files.at[prof->files.n - 1].name, format->name);
			return -1;
		}
	}
	return 0;
}

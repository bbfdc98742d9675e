/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of export formats, from the rows of formats.def, and the words of --export. */
#include "config.h"

#include "export/export.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const export_yes_no[] = { [EXPORT_YES] = "yes", [EXPORT_NO] = "no", NULL };

static const struct export_format formats[] = {
#define FORMAT(name, file, needs, help) { #name, file, needs, &export_##name },
#include "export/formats.def"
#undef FORMAT
};

enum { NFORMATS = sizeof(formats) / sizeof(formats[0]), LIST_BYTES = 500 };

/* Adds a word to a list in words: "a", "a or b", "a, b or c". */
static void export_list_word(char list[LIST_BYTES], const char *word, size_t i, size_t n)
{
	const char *before = i == 0 ? "" : i + 1 == n ? " or " : ", ";
	size_t len = strlen(list);

	snprintf(list + len, LIST_BYTES - len, "%s%s", before, word);
}

static int export_no_format(const char *name, struct diag *diag)
{
	char list[LIST_BYTES] = "";
	const char *begun = NULL;

	for (size_t i = 0; i < NFORMATS; i++) {
		export_list_word(list, formats[i].name, i, NFORMATS);
		if (*name && strncmp(formats[i].name, name, strlen(name)) == 0)
			begun = begun ? "" : formats[i].name;
	}
	if (begun && *begun)
		diag_error(diag, "unknown export format '%s'; did you mean '%s'?", name, begun);
	else
		diag_error(diag, "unknown export format '%s': expected %s", name, list);
	return -1;
}

static int export_no_key(const struct export_format *format, const char *word, struct diag *diag)
{
	char list[LIST_BYTES] = "";

	for (size_t i = 0; i < format->exporter->nkeys; i++)
		export_list_word(list, format->exporter->keys[i].name, i, format->exporter->nkeys);
	if (format->exporter->nkeys == 0)
		diag_error(diag, "--export=%s takes no key: '%s'", format->name, word);
	else
		diag_error(diag, "--export=%s has no key '%s': expected %s", format->name, word,
			   list);
	return -1;
}

static int export_bad_value(const struct export_format *format, const struct export_key *key,
			    const char *text, struct diag *diag)
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
			export_list_word(list, key->choices[i], i, n);
		break;
	}
	diag_error(diag, "--export=%s: %s must be %s, not '%s'", format->name, key->name, list,
		   text);
	return -1;
}

static bool export_parse_count(const struct export_key *key, const char *text, uint64_t *count)
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
static bool export_parse_share(const char *text, double *share)
{
	size_t whole = strspn(text, "0123456789");
	size_t point = text[whole] == '.';
	size_t decimals = strspn(text + whole + point, "0123456789");

	if (whole + decimals == 0 || text[whole + point + decimals])
		return false;
	*share = strtod(text, NULL);
	return *share <= 100.0;
}

static bool export_parse_value(const struct export_key *key, const char *text,
			       struct export_value *value)
{
	value->text = text;
	value->given = true;
	switch (key->kind) {
	case EXPORT_COUNT:
		return export_parse_count(key, text, &value->count);
	case EXPORT_SHARE:
		return export_parse_share(text, &value->share);
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
static int export_parse_word(struct export_request *request, char *word, struct diag *diag)
{
	const struct export_format *format = request->format;
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < format->exporter->nkeys; i++) {
		const struct export_key *key = &format->exporter->keys[i];

		if (strcmp(key->name, word) != 0)
			continue;
		if (value && export_parse_value(key, value, &request->value[i]))
			return 0;
		return export_bad_value(format, key, value ? value : "", diag);
	}
	return export_no_key(format, word, diag);
}

const char *export_names(void)
{
	static const char names[] =
#define FORMAT(name, file, needs, help) ", " #name
#include "export/formats.def"
#undef FORMAT
		;

	return names + strlen(", ");
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
		if (strcmp(formats[i].name, word) == 0)
			request->format = &formats[i];
	}
	if (!request->format)
		return export_no_format(word, diag);
	assert(request->format->exporter->nkeys <= EXPORT_KEYS);
	for (size_t i = 0; i < request->format->exporter->nkeys; i++) {
		const struct export_key *key = &request->format->exporter->keys[i];

		if (key->initial)
			export_parse_value(key, key->initial, &request->value[i]);
	}
	while (next) {
		word = next;
		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		if (export_parse_word(request, word, diag) < 0)
			return -1;
	}
	return 0;
}

const struct export_value *export_find(const struct export_request *request, const char *key)
{
	for (size_t i = 0; i < request->format->exporter->nkeys; i++) {
		if (strcmp(request->format->exporter->keys[i].name, key) == 0)
			return &request->value[i];
	}
	return NULL;
}

unsigned exports_need(const export_requests *requests)
{
	unsigned needs = 0;

	for (size_t i = 0; i < requests->n; i++)
		needs |= requests->at[i].format->needs;
	return needs;
}

enum export_ranks exports_ranks(const export_requests *requests)
{
	enum export_ranks most = EXPORT_RANKS_NONE;

	for (size_t i = 0; i < requests->n; i++) {
		const struct export_request *request = &requests->at[i];
		const struct exporter *exporter = request->format->exporter;
		enum export_ranks ranks =
			exporter->ranks ? exporter->ranks(request) : EXPORT_RANKS_NONE;

		most = ranks > most ? ranks : most;
	}
	return most;
}

int exports_check(const export_requests *requests, const struct profile *prof, struct diag *diag)
{
	for (size_t i = 0; i < requests->n; i++) {
		const struct export_format *format = requests->at[i].format;
		char what[64];

		snprintf(what, sizeof(what), "--export=%s", format->name);
		if (needs_check(format->needs, what, prof, diag) < 0)
			return -1;
	}
	return 0;
}

int exports_check_compare(const export_requests *requests, struct diag *diag)
{
	char list[LIST_BYTES] = "";
	size_t n = 0, listed = 0;

	for (size_t i = 0; i < NFORMATS; i++)
		n += formats[i].exporter->compares;
	for (size_t i = 0; i < NFORMATS; i++) {
		if (formats[i].exporter->compares)
			export_list_word(list, formats[i].name, listed++, n);
	}
	for (size_t i = 0; i < requests->n; i++) {
		if (requests->at[i].format->exporter->compares)
			continue;
		diag_error(diag, "--export=%s cannot show a difference (--diff): use %s",
			   requests->at[i].format->name, list);
		return -1;
	}
	return 0;
}

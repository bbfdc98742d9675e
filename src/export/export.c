/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of export formats, made from formats.def, and the parser of --export. */
#include "config.h"

#include "export/export.h"

#include <stdio.h>
#include <string.h>

const struct keys_row export_keys[EXPORT_KEYS] = {
#define KEY(id, ...) KEYS_ROW(EXPORT_##id, __VA_ARGS__),
#include "export/formats.def"
};

static const struct export_format formats[] = {
#define FORMAT(name, file, needs, help) { #name, file, needs, &export_##name },
#include "export/formats.def"
};

enum { NFORMATS = sizeof(formats) / sizeof(formats[0]) };

static int export_no_format(const char *name, struct diag *diag)
{
	char list[KEYS_LIST_BYTES] = "";
	const char *begun = NULL;

	for (size_t i = 0; i < NFORMATS; i++) {
		keys_list(list, formats[i].name, i, NFORMATS, " or ");
		if (*name && strncmp(formats[i].name, name, strlen(name)) == 0)
			begun = begun ? "" : formats[i].name;
	}
	if (begun && *begun)
		diag_error(diag, "unknown export format '%s'; did you mean '%s'?", name, begun);
	else
		diag_error(diag, "unknown export format '%s': expected %s", name, list);
	return -1;
}

const char *export_names(void)
{
	static const char names[] =
#define FORMAT(name, file, needs, help) ", " #name
#include "export/formats.def"
		;

	return names + strlen(", ");
}

int export_parse(struct export_request *request, const char *text, struct arena *mem,
		 struct diag *diag)
{
	char *word = arena_strndup(mem, text, strlen(text));
	const struct keys keys = { "--export=", word, export_keys, EXPORT_KEYS };
	struct keys_words words = { &keys, strchr(word, ','), mem, diag };
	struct keys_value value;
	int key;

	*request = (struct export_request){ .format = NULL };
	if (words.rest)
		*words.rest++ = '\0';
	for (size_t i = 0; i < NFORMATS; i++) {
		if (strcmp(formats[i].name, word) == 0)
			request->format = &formats[i];
	}
	if (!request->format)
		return export_no_format(word, diag);
	for (size_t i = 0; i < EXPORT_KEYS; i++) {
		if (keys_is_of(&export_keys[i], word))
			keys_read_initial(&export_keys[i], &request->value[i]);
	}
	while ((key = keys_next(&words, &value)) >= 0)
		request->value[key] = value;
	return key == KEYS_END ? 0 : -1;
}

unsigned export_needs(const export_requests *requests)
{
	unsigned needs = 0;

	for (size_t i = 0; i < requests->n; i++)
		needs |= requests->at[i].format->needs;
	return needs;
}

enum export_ranks export_needs_ranks(const export_requests *requests)
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

int export_check(const export_requests *requests, const struct profile *prof, struct diag *diag)
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

int export_check_compare(const export_requests *requests, struct diag *diag)
{
	char list[KEYS_LIST_BYTES] = "";
	size_t n = 0, listed = 0;

	for (size_t i = 0; i < NFORMATS; i++)
		n += formats[i].exporter->compares;
	for (size_t i = 0; i < NFORMATS; i++) {
		if (formats[i].exporter->compares)
			keys_list(list, formats[i].name, listed++, n, " or ");
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

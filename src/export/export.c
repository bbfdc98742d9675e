/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of export formats, made from formats.def, and the parser of --export. */
#include "config.h"

#include "export/export.h"

#include "base/nearest.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct keys_row export_keys[EXPORT_KEYS] = {
#define KEY(id, ...) KEYS_ROW(EXPORT_##id, __VA_ARGS__),
#include "export/formats.def"
};

static const struct export_format formats[] = {
#define FORMAT(name, file, needs, help) { #name, file, needs, &export_##name },
#include "export/formats.def"
};

enum { NFORMATS = sizeof(formats) / sizeof(formats[0]) };

static const struct export_format *export_find(const char *name, size_t len)
{
	for (size_t i = 0; i < NFORMATS; i++) {
		if (strlen(formats[i].name) == len && memcmp(formats[i].name, name, len) == 0)
			return &formats[i];
	}
	return NULL;
}

/* Formats by what other programs, or their files, are called. NULL: it is none of these. */
static const char *export_habit(const char *name)
{
	static const char *const habits[][2] = {
		{ "html", "webpage" },          { "page", "webpage" },
		{ "svg", "flamegraph" },        { "flame", "flamegraph" },
		{ "graphviz", "dot" },          { "gv", "dot" },
		{ "collapsed", "folded" },      { "stacks", "folded" },
		{ "perf", "folded" },           { "kcachegrind", "callgrind" },
		{ "qcachegrind", "callgrind" }, { "md", "markdown" },
		{ "proto", "pprof" },           { "gecko", "firefox" },
	};

	for (size_t i = 0; i < sizeof(habits) / sizeof(habits[0]); i++) {
		if (strcmp(habits[i][0], name) == 0)
			return habits[i][1];
	}
	return NULL;
}

/* Says that there is no format of this name, and which was meant: by habit, by its beginning, or by
 * its spelling. */
static int export_no_format(const char *name, struct arena *mem, struct diag *diag)
{
	char list[KEYS_LIST_BYTES] = "";
	const char *meant = export_habit(name);
	struct nearest_search search = nearest_begin(name, mem);
	size_t len = strcspn(name, ":="), nbegun = 0;

	if (name[len] && name[len + 1] && export_find(name, len)) {
		diag_error(diag,
			   "unknown export format '%s'; -o names the file: --export=%.*s -o %s",
			   name, (int)len, name, name + len + 1);
		return -1;
	}
	if (!meant && *name && access(name, F_OK) == 0) {
		diag_error(diag, "--export needs a format: '%s' is a file, and no format", name);
		return -1;
	}
	for (size_t i = 0; i < NFORMATS; i++) {
		keys_list(list, formats[i].name, i, NFORMATS, " or ");
		nearest_offer(&search, formats[i].name);
		if (*name && strncmp(formats[i].name, name, strlen(name)) == 0 && nbegun++ == 0)
			meant = formats[i].name;
	}
	if (meant && nbegun < 2)
		diag_error(diag, "unknown export format '%s'; did you mean '%s'?", name, meant);
	else if (search.found.n > 0)
		diag_error(diag, "unknown export format '%s'%s", name,
			   nearest_question(&search.found, "", mem));
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
	request->format = export_find(word, strlen(word));
	if (!request->format)
		return export_no_format(word, mem, diag);
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

int export_check_single(const export_requests *requests, struct diag *diag)
{
	for (size_t i = 0; i < requests->n; i++) {
		if (!requests->at[i].format->exporter->compares_only)
			continue;
		diag_error(diag,
			   "--export=%s shows what became slower: it needs --versus or --diff",
			   requests->at[i].format->name);
		return -1;
	}
	return 0;
}

bool export_places_difference(const export_requests *requests)
{
	for (size_t i = 0; i < requests->n; i++) {
		if (requests->at[i].format->exporter->compares_only)
			return true;
	}
	return false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/help.h"

#include "export/export.h"
#include "run/line/option_keys.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 79, TEXT_COLUMN = 29 };

enum { LIST_BYTES = 300 };

enum help_argument { NONE, OPTIONAL, REQUIRED };

/* A row of --help: an option or, if `text` is NULL, the heading of a group of options. */
struct help_row {
	char letter;
	const char *name;
	enum help_argument argument;
	const char *argument_name;
	const char *text;
};

#define GROUP(heading) { 0, heading, NONE, "", NULL },
#define OPT(letter, name, argument, argument_name, action, target, text) \
	{ letter, name, argument, argument_name, text },
#define OWN OPT

static const struct help_row rows[] = {
#include "run/line/options.def"
};

/* Writes "  -w, --width=COLUMNS" and returns its length. */
static size_t help_write_forms(const struct help_row *row, struct output *out)
{
	size_t n =
		row->letter ? output_format(out, "  -%c", row->letter) : output_format(out, "    ");

	if (row->name[0])
		n += output_format(out, "%s--%s", row->letter ? ", " : "  ", row->name);
	if (row->argument == REQUIRED)
		n += output_format(out, row->name[0] ? "=%s" : " %s", row->argument_name);
	else if (row->argument == OPTIONAL)
		n += output_format(out, "[=%s]", row->argument_name);
	return n;
}

/*
 * Writes the words from column TEXT_COLUMN on, in as many lines as they need; `used` columns of the
 * first line are taken already.
 */
static void help_write_words(const char *text, size_t used, struct output *out)
{
	if (used + 2 > TEXT_COLUMN) {
		output_text(out, "\n");
		used = 0;
	}
	output_blanks(out, TEXT_COLUMN - used);
	for (size_t column = TEXT_COLUMN; *text; text += *text == ' ') {
		size_t n;

		if (strcmp(text, "@FORMATS@") == 0)
			text = export_names();
		n = strcspn(text, " ");
		if (column > TEXT_COLUMN && column + 1 + n > WIDTH) {
			output_text(out, "\n");
			output_blanks(out, TEXT_COLUMN);
			column = TEXT_COLUMN;
		} else if (column > TEXT_COLUMN) {
			output_text(out, " ");
			column++;
		}
		output_bytes(out, text, n);
		column += n;
		text += n;
	}
	output_text(out, "\n");
}

/* The text of a key: the formats that have it, what it does, its values, and that by default. */
static const char *help_describe(const struct keys_row *key, bool exports, char text[LIST_BYTES])
{
	char list[KEYS_LIST_BYTES] = "";
	size_t n = 0;

	while (key->choices && key->choices[n])
		n++;
	for (size_t i = 0; i < n; i++)
		keys_list(list, key->choices[i], i, n, " or ");
	snprintf(text, LIST_BYTES, "%s%s%s%s%s%s%s%s", exports ? key->owners : "",
		 exports ? ": " : "", key->help, n > 1 ? ": " : "", n > 1 ? list : "",
		 key->initial ? " (default " : "", key->initial ? key->initial : "",
		 key->initial ? ")" : "");
	return text;
}

/* The keys of an option; of no option, NULL, all. */
static void help_write_keys(const struct keys_row *keys, size_t n, const char *option,
			    struct output *out)
{
	for (size_t i = 0; i < n; i++) {
		const struct keys_row *key = &keys[i];
		char text[LIST_BYTES];
		size_t used;

		if (option && !keys_is_of(key, option))
			continue;
		used = output_format(out, "        %s%s%s", key->name, *key->metavar ? "=" : "",
				     key->metavar);
		help_write_words(help_describe(key, !option, text), used, out);
	}
}

void help_write(struct output *out)
{
	output_text(
		out,
		"Usage: gprof [OPTION...] --run[=KEYS] PROGRAM [ARGUMENT...]\n"
		"       gprof [OPTION...] [PROGRAM [DATAFILE...]]\n"
		"\n"
		"  gprof --run ./program 1 2               where does its time go?\n"
		"  gprof --run=clock=wall ./program        what does it wait for?\n"
		"  gprof --source=parse --run ./program    which lines of parse() are slow?\n"
		"  gprof --export=webpage --run ./program  a page to explore: gprof.html\n"
		"  gprof program gmon.out                  the report of one built with -pg\n"
		"\n"
		"Shows where a program spent its time and who called whom: runs any program and\n"
		"profiles it, or reads the data files of a program compiled with -pg.\n"
		"PROGRAM is a.out and DATAFILE gmon.out by default; several files are added up.\n"
		"A SPEC names functions: NAME, FILE, LINE, FILE:NAME, FILE:LINE; arcs: FROM/TO.\n"
		"After a letter, an optional argument follows at once: -pSPEC.\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!rows[i].text) {
			output_format(out, "\n%s:\n", rows[i].name);
			continue;
		}
		help_write_words(rows[i].text, help_write_forms(&rows[i], out), out);
		help_write_keys(option_keys, OPTION_KEYS, rows[i].name, out);
		if (strcmp(rows[i].name, "export") == 0)
			help_write_keys(export_keys, EXPORT_KEYS, NULL, out);
	}
}

void help_write_version(struct output *out)
{
	output_text(out, PACKAGE_STRING "\n"
					"Copyright (C) 2026 the gprof project contributors.\n"
					"Licence GPL-3.0-or-later; there is no warranty."
#if HAVE_LZMA
					" With liblzma."
#endif
#if HAVE_OPCODES
					" With libopcodes."
#endif
#if HAVE_DEBUGINFOD
					" With debuginfod."
#endif
					"\n");
}

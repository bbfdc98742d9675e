/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsing of the command line and the help text, both from the rows of options.def. */
#include "config.h"

#include "options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum action {
	TURN_ON,
	REPORT_ON,
	REPORT_OFF,
	WIDTH,
	DEMANGLE,
	FORMAT,
	SHOW_HELP,
	SHOW_VERSION,
	LATER,
};

enum argument { NONE = no_argument, REQUIRED = required_argument, OPTIONAL = optional_argument };

struct row {
	char letter;
	const char *name;
	enum argument argument;
	const char *argument_name;
	enum action action;
	size_t target;
	const char *help;
};

#define FIELD(field) offsetof(struct options, field)
#define OPT(letter, name, argument, argument_name, action, target, help) \
	{ letter, name, argument, argument_name, action, target, help },

static const struct row rows[] = {
#include "options.def"
};

enum { NROWS = sizeof(rows) / sizeof(rows[0]), FIRST_LONG = CHAR_MAX + 1, HELP_COLUMN = 34 };

enum { NAME_BYTES = 64, NAMES_BYTES = 512 };

/* getopt_long's description of the rows. Long options give FIRST_LONG plus their row's index. */
struct tables {
	char letters[3 * NROWS + 2];
	struct option names[NROWS + 1];
};

static void make_tables(struct tables *t)
{
	char *letter = t->letters;
	struct option *name = t->names;

	*letter++ = ':'; /* tells a missing argument from an unknown option */
	for (int i = 0; i < NROWS; i++) {
		const struct row *row = &rows[i];

		if (row->letter) {
			*letter++ = row->letter;
			for (int colons = row->argument; colons > 0; colons--)
				*letter++ = ':';
		}
		/* GNU gprof has nameless entries too: --=X is -e X. */
		if (row->name[0] || row->argument == REQUIRED)
			*name++ = (struct option){ row->name, (int)row->argument, NULL,
						   FIRST_LONG + i };
	}
	*letter = '\0';
	*name = (struct option){ NULL, 0, NULL, 0 };
}

/* The row of a value that getopt_long gave, which is one of the tables'. */
static const struct row *find_row(int value)
{
	int i = value >= FIRST_LONG ? value - FIRST_LONG : 0;

	while (value < FIRST_LONG && rows[i].letter != value)
		i++;
	return &rows[i];
}

/* "  -w, --width=COLUMNS", its length returned. */
static size_t write_option(const struct row *row, struct output *out)
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

static void write_help(struct output *out)
{
	output_text(
		out,
		"Usage: gprof [OPTION...] [PROGRAM [DATAFILE...]]\n"
		"Shows where a program compiled with -pg spent its time, and who called whom.\n"
		"PROGRAM is a.out and DATAFILE gmon.out if not named; several are added up.\n"
		"A SPEC names functions: NAME, FILE, LINE, FILE:NAME, FILE:LINE; arcs: FROM/TO.\n"
		"With a letter, an optional argument follows at once: -pSPEC.\n\n");
	for (int i = 0; i < NROWS; i++) {
		size_t used = write_option(&rows[i], out);

		if (used + 2 > HELP_COLUMN) {
			output_text(out, "\n");
			used = 0;
		}
		output_blanks(out, HELP_COLUMN - used);
		output_text(out, rows[i].help);
		output_text(out, rows[i].action == LATER ? " (not yet)\n" : "\n");
	}
}

static void write_version(struct output *out)
{
	output_text(out, PACKAGE_STRING "\n"
					"Copyright (C) 2026 the gprof project contributors.\n"
					"Licence GPL-3.0-or-later; there is no warranty.\n");
}

/* The option as users know it. */
static void describe(const struct row *row, char text[NAME_BYTES])
{
	if (!row->name[0])
		snprintf(text, NAME_BYTES, "-%c", row->letter);
	else if (!row->letter)
		snprintf(text, NAME_BYTES, "--%s", row->name);
	else
		snprintf(text, NAME_BYTES, "-%c (--%s)", row->letter, row->name);
}

static enum options_result refuse(const struct row *row, const char *value, struct diag *diag)
{
	char name[NAME_BYTES];

	describe(row, name);
	if (row->action == LATER)
		diag_error(diag, "option %s is not supported yet", name);
	else
		diag_error(diag, "option %s with a selection ('%s') is not supported yet", name,
			   value);
	return OPTIONS_WRONG;
}

static int parse_width(const char *value)
{
	long width = strtol(value, NULL, 10);

	return width < 1 ? 1 : width > INT_MAX ? INT_MAX : (int)width;
}

static enum options_result parse_format(const char *value, struct diag *diag)
{
	switch (value[0]) {
	case 'a':
	case 'm':
		return OPTIONS_RUN;
	case 'b':
	case '4':
		diag_error(diag, "data file format '%s' is not supported yet", value);
		return OPTIONS_WRONG;
	case 'p':
		diag_error(diag, "data files of prof ('%s') are not supported", value);
		return OPTIONS_WRONG;
	default:
		diag_error(diag, "unknown data file format '%s': not auto, magic, bsd or 4.4bsd",
			   value);
		return OPTIONS_WRONG;
	}
}

/* Without a style it turns demangling on again, in the style of last time. */
static enum options_result parse_demangle(struct options *opt, const char *value, struct diag *diag)
{
	opt->report.raw_names = false;
	if (!value || demangle_style_find(value, &opt->report.demangle))
		return OPTIONS_RUN;
	diag_error(diag,
		   "unknown demangling style '%s': "
		   "not auto, gnu-v3, java, gnat, dlang, rust or none",
		   value);
	return OPTIONS_WRONG;
}

/* A report that is declined counts as mentioned: defaults will not bring it back. */
static void want_report(struct report_options *report, const struct row *row)
{
	unsigned bit = (unsigned)row->target;

	report->mentioned |= bit;
	if (row->action == REPORT_ON)
		report->wanted |= bit;
	else
		report->wanted &= ~bit;
}

static enum options_result apply(struct options *opt, const struct row *row, const char *value,
				 struct output *out, struct diag *diag)
{
	switch (row->action) {
	case TURN_ON:
		*(bool *)((char *)opt + row->target) = true;
		return OPTIONS_RUN;
	case REPORT_ON:
	case REPORT_OFF:
		if (value)
			return refuse(row, value, diag);
		want_report(&opt->report, row);
		return OPTIONS_RUN;
	case WIDTH:
		opt->report.width = parse_width(value);
		return OPTIONS_RUN;
	case DEMANGLE:
		return parse_demangle(opt, value, diag);
	case FORMAT:
		return parse_format(value, diag);
	case SHOW_HELP:
		write_help(out);
		return OPTIONS_DONE;
	case SHOW_VERSION:
		write_version(out);
		return OPTIONS_DONE;
	case LATER:
		break;
	}
	return refuse(row, value, diag);
}

/* Why a long option is wrong: unknown, short for several, or with an argument too many. */
static void explain_long(const char *word, struct diag *diag)
{
	size_t len = strcspn(word + 2, "=");
	char matches[NAMES_BYTES] = "";
	size_t n = 0, nmatches = 0;

	for (int i = 0; i < NROWS; i++) {
		const char *name = rows[i].name;

		if (!name[0] || strncmp(name, word + 2, len) != 0)
			continue;
		nmatches++;
		if (n < sizeof(matches))
			n += (size_t)snprintf(matches + n, sizeof(matches) - n, " --%s", name);
		if (name[len] == '\0') {
			nmatches = 1;
			break;
		}
	}
	if (nmatches == 0)
		diag_error(diag, "unknown option '%s' (try --help)", word);
	else if (nmatches == 1)
		diag_error(diag, "option '%.*s' takes no argument", (int)len + 2, word);
	else
		diag_error(diag, "option '%.*s' is short for several:%s", (int)len + 2, word,
			   matches);
}

static enum options_result explain(int result, const char *word, struct diag *diag)
{
	if (result == ':') {
		const struct row *row = find_row(optopt);
		char name[NAME_BYTES];

		describe(row, name);
		diag_error(diag, "option %s needs an argument: %s", name, row->argument_name);
	} else if (optopt > 0 && optopt < FIRST_LONG) {
		diag_error(diag, "unknown option '-%c' (try --help)", optopt);
	} else {
		explain_long(word, diag);
	}
	return OPTIONS_WRONG;
}

static void set_operands(struct input_options *input, int argc, char **argv)
{
	static const char *const default_profile[] = { "gmon.out" };

	input->image = optind < argc ? argv[optind++] : "a.out";
	input->profiles = optind < argc ? (const char *const *)argv + optind : default_profile;
	input->nprofiles = optind < argc ? argc - optind : 1;
}

enum options_result options_parse(struct options *opt, int argc, char **argv, struct output *out,
				  struct diag *diag)
{
	struct tables tables;
	int value;

	*opt = (struct options){ .report = { .width = 80, .demangle = DEMANGLE_AUTO } };
	make_tables(&tables);
	opterr = 0;
	optind = 0; /* forgets an earlier command line: GNU's getopt starts anew */
	while ((value = getopt_long(argc, argv, tables.letters, tables.names, NULL)) != -1) {
		enum options_result result;

		if (value == '?' || value == ':')
			return explain(value, argv[optind - 1], diag);
		result = apply(opt, find_row(value), optarg, out, diag);
		if (result != OPTIONS_RUN)
			return result;
	}
	set_operands(&opt->input, argc, argv);
	return OPTIONS_RUN;
}

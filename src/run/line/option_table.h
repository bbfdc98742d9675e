/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of options.def, as a table, and finding the one that a word of the command line means.
 * The table is constant; so are all rows that are handed out.
 */
#ifndef RUN_LINE_OPTION_TABLE_H
#define RUN_LINE_OPTION_TABLE_H

#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* A set of one table that specifications select in. */
#define TABLE(name) (1u << SELECT_##name)

/* What an option does. */
enum row_action {
	TURN_ON,
	TEXT,
	REPORT_ON,
	REPORT_OFF,
	TOP,
	ORDERING,
	ENTRY,
	SOURCE,
	INCLUDE,
	EXCLUDE,
	WIDTH,
	MIN_COUNT,
	TABLE_LENGTH,
	SOURCE_PATH,
	DEMANGLE,
	COLOR,
	CONFIDENCE,
	THREAD_VIEW,
	LIBRARIES,
	NAMES,
	OBJECTS,
	OBJECT_PATH,
	FORMAT,
	IMAGE_BASE,
	EXPORT,
	OUTPUT,
	DIFF,
	ORDER,
	RANKS,
	RUN,
	SHOW_HELP,
	SHOW_VERSION,
};

enum row_argument {
	NONE = no_argument,
	REQUIRED = required_argument,
	OPTIONAL = optional_argument
};

/* An option. `target` is what its action works on: the offset of a field of struct options, a
 * report, tables, or an order. */
struct row {
	bool is_own; /* unknown to GNU gprof */
	char letter;
	const char *name;
	enum row_argument argument;
	const char *argument_name;
	enum row_action action;
	size_t target;
};

enum {
	OPTION_TABLE_MOST = 128,
	OPTION_TABLE_FIRST_LONG = CHAR_MAX + 1,
	OPTION_TABLE_NAME_BYTES = 64,
};

/* getopt_long's description of GNU's rows. Long options give OPTION_TABLE_FIRST_LONG plus their
 * row's index. */
struct option_table_tables {
	char letters[3 * OPTION_TABLE_MOST + 3];
	struct option names[OPTION_TABLE_MOST + 1];
};

/* Fills in the description; for one that stops at the first operand if it is to. */
void option_table_describe(struct option_table_tables *t, bool stops);

/* The row of a value that getopt_long gave, which is one of the tables'. */
const struct row *option_table_find(int value);

/*
 * The row of ours that a long option, `word`, means which getopt_long did not take; NULL if it is
 * none, or short for one of GNU's too. *value is its argument: what follows a '=', or the next
 * word, argv[optind], which then is gone past; NULL if there is none.
 */
const struct row *option_table_find_own(const char *word, int argc, char **argv,
					const char **value);

/* The option as users know it. */
void option_table_name(const struct row *row, char text[OPTION_TABLE_NAME_BYTES]);

#endif

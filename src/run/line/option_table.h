/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options.def as a constant table, and the search for the row of an option on the command line. All
 * rows that are returned are constant.
 */
#ifndef RUN_LINE_OPTION_TABLE_H
#define RUN_LINE_OPTION_TABLE_H

#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The bit of one of the tables that specifications (-p SPEC) select functions in. */
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
	SECONDS,
	LIBRARIES,
	NAMES,
	OBJECTS,
	OBJECT_PATH,
	DEBUG_PATH,
	DEBUGINFOD,
	FORMAT,
	IMAGE_BASE,
	LOAD_ALIAS,
	EXPORT,
	OUTPUT,
	DIFF,
	VERSUS,
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

/*
 * An option. What `target` means depends on the action: the offset of a field of struct options, a
 * report, a set of tables, or an order.
 */
struct row {
	bool is_own; /* GNU gprof does not have this option */
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

/*
 * The arguments for getopt_long() that describe GNU's options. For a long option getopt_long()
 * returns OPTION_TABLE_FIRST_LONG plus the index of its row.
 */
struct option_table_tables {
	char letters[3 * OPTION_TABLE_MOST + 3];
	struct option names[OPTION_TABLE_MOST + 1];
};

/* Fills in the tables. If `stops`, getopt_long() will stop at the first operand. */
void option_table_describe(struct option_table_tables *t, bool stops);

/* Returns the row for a value that getopt_long() returned with these tables. */
const struct row *option_table_find(int value);

/*
 * Finds the row of a long option that GNU gprof does not have; getopt_long() does not know it.
 * Returns NULL if `word` is no such option, or could be short for one of GNU's, too. Sets *value to
 * the argument: the text after '=', or else the next word, argv[optind], after which optind is
 * increased; NULL if there is none.
 */
const struct row *option_table_find_own(const char *word, int argc, char **argv,
					const char **value);

/* Writes the option's name as users type it. */
void option_table_name(const struct row *row, char text[OPTION_TABLE_NAME_BYTES]);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/option_table.h"

#include "run/line/choices.h"

#include <stdio.h>
#include <string.h>

/*
 * For rows whose action writes to a field of struct options: the offset of the field. Does not
 * compile if the field has another type than the action writes.
 */
#define FIELD(field, type) \
	(_Generic(((struct options *)NULL)->field, type : 0) + offsetof(struct options, field))
#define FLAG(field) FIELD(field, bool)
#define WORD(field) FIELD(field, const char *)
#define GROUP(heading)
#define OPT(letter, name, argument, argument_name, action, target, help) \
	{ false, letter, name, argument, argument_name, action, target },
#define OWN(letter, name, argument, argument_name, action, target, help) \
	{ true, letter, name, argument, argument_name, action, target },

static const struct row rows[] = {
#include "run/line/options.def"
};

enum { OPTION_TABLE_ROWS = sizeof(rows) / sizeof(rows[0]) };
_Static_assert((int)OPTION_TABLE_ROWS <= (int)OPTION_TABLE_MOST,
	       "struct option_table_tables has room for all");

void option_table_describe(struct option_table_tables *t, bool stops)
{
	char *letter = t->letters;
	struct option *name = t->names;

	if (stops)
		*letter++ = '+';
	*letter++ = ':'; /* makes getopt_long() return ':' for a missing argument, '?' for an
			    unknown option */
	for (int i = 0; i < OPTION_TABLE_ROWS; i++) {
		const struct row *row = &rows[i];

		if (row->letter) {
			*letter++ = row->letter;
			for (int colons = row->argument; colons > 0; colons--)
				*letter++ = ':';
		}
		/* GNU gprof also has long options with empty names: --=X means -e X. */
		if (!row->is_own && (row->name[0] || row->argument == REQUIRED))
			*name++ = (struct option){ row->name, (int)row->argument, NULL,
						   OPTION_TABLE_FIRST_LONG + i };
	}
	*letter = '\0';
	*name = (struct option){ NULL, 0, NULL, 0 };
}

const struct row *option_table_find(int value)
{
	int i = value >= OPTION_TABLE_FIRST_LONG ? value - OPTION_TABLE_FIRST_LONG : 0;

	while (value < OPTION_TABLE_FIRST_LONG && rows[i].letter != value)
		i++;
	return &rows[i];
}

/* Finds the only row whose name begins with these letters, or is them, if it is ours; or NULL. */
static const struct row *option_table_find_begun(const char *name, size_t len)
{
	const struct row *found = NULL;

	for (int i = 0; i < OPTION_TABLE_ROWS; i++) {
		if (rows[i].is_own && strlen(rows[i].name) == len && len > 0 &&
		    strncmp(rows[i].name, name, len) == 0)
			return &rows[i];
	}
	for (int i = 0; i < OPTION_TABLE_ROWS; i++) {
		if (!rows[i].name[0] || strncmp(rows[i].name, name, len) != 0)
			continue;
		if (found || !rows[i].is_own)
			return NULL;
		found = &rows[i];
	}
	return found;
}

const struct row *option_table_find_own(const char *word, int argc, char **argv, const char **value)
{
	size_t len = strcspn(word + 2, "=");
	const struct row *found = option_table_find_begun(word + 2, len);

	*value = word[2 + len] ? word + 2 + len + 1 : NULL;
	if (found && found->argument == REQUIRED && !*value) {
		if (optind == argc)
			return NULL;
		*value = argv[optind++];
	}
	return found && (found->argument != NONE || !*value) ? found : NULL;
}

void option_table_name(const struct row *row, char text[OPTION_TABLE_NAME_BYTES])
{
	if (!row->name[0])
		snprintf(text, OPTION_TABLE_NAME_BYTES, "-%c", row->letter);
	else if (!row->letter)
		snprintf(text, OPTION_TABLE_NAME_BYTES, "--%s", row->name);
	else
		snprintf(text, OPTION_TABLE_NAME_BYTES, "-%c (--%s)", row->letter, row->name);
}

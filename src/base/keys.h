/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses options' arguments that are comma-separated lists of KEY=VALUE words. */
#ifndef BASE_KEYS_H
#define BASE_KEYS_H

#include "base/arena.h"
#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum keys_kind {
	KEYS_FLAG,   /* no value */
	KEYS_COUNT,  /* a whole number, `least` to `most` */
	KEYS_SHARE,  /* a percentage, perhaps with decimals, `low` to `high` */
	KEYS_TEXT,   /* any text but the empty one */
	KEYS_CHOICE, /* one of `choices` */
	KEYS_OTHER,  /* with or without a value, which the caller parses */
};

/*
 * A key of an option, a row of a table. The rows are in .def files, from which --help and the
 * completions of the shells are made, too:
 *
 *   KEY(DIFF_LEVEL, "diff", "level", "PERCENT", "set the confidence level", KEYS_SHARE, ...)
 *
 * KEYS_ROW() makes an initializer of one. Of the members after `kind`, only those that the kind
 * mentions, and `initial` and `expected`, may be set.
 */
struct keys_row {
	const char
		*owners;  /* the options or export formats that have the key, separated by blanks */
	const char *name; /* the name of the key */
	const char *metavar; /* the name of the value in lists of keys; "": none */
	const char *help;    /* what the key does, in the form of an option's help */
	enum keys_kind kind;
	const char *initial;  /* the value if the user does not give the key; NULL: none */
	const char *expected; /* what messages say a value must be; NULL: derived from the kind */
	uint64_t least, most;
	double low, high;
	const char *const *choices; /* ends with a NULL */
};

#define KEYS_ROW(id, which, key, value, does, ...) \
	[id] = { .owners = which, .name = key, .metavar = value, .help = does, .kind = __VA_ARGS__ }
#define KEYS_WORDS(...)           \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

/* The keys of an option or an export format: the rows of a table that have it as an owner. */
struct keys {
	const char *prefix; /* what messages put before the owner: "--" */
	const char *owner;  /* "diff" */
	const struct keys_row *row;
	size_t n; /* rows of the table */
};

struct keys_value {
	/* there is a value, the user's or the default; if false, no other member is set */
	bool given;
	uint64_t count;   /* KEYS_COUNT: the number; KEYS_CHOICE: the index of the choice */
	double share;     /* KEYS_SHARE: percent */
	const char *text; /* the value as the user wrote it; NULL: none was written */
};

/* The part of an argument that was not parsed yet. */
struct keys_words {
	const struct keys *keys;
	char *rest; /* keys_next() cuts words off its beginning; NULL: none is left */
	struct arena *mem;
	struct diag *diag;
};

enum { KEYS_END = -1, KEYS_WRONG = -2 };

/*
 * Takes the next word and stores its value. Returns the index of the key's row; KEYS_END after the
 * last word; KEYS_WRONG after saying what is wrong, with a list of the possible keys or, if the
 * word looks like a typing mistake, a similar key. Texts point into the words. A comma between
 * brackets belongs to the value, as in functions' names.
 */
int keys_next(struct keys_words *words, struct keys_value *value);

/*
 * Reports that a value (NULL: a missing one) is not what is expected for the key. Returns
 * KEYS_WRONG.
 */
int keys_refuse(const struct keys_words *words, const char *key, const char *value,
		const char *expected);

/* Whether a name is among the owners of a key. */
bool keys_is_of(const struct keys_row *row, const char *owner);

/* Reads a value of the row's kind from text. Returns false if the text is no such value. */
bool keys_read(const struct keys_row *row, const char *text, struct keys_value *value);

/* Reads the value that a key has if the user does not give it. Returns false, with nothing set, if
 * there is none. */
bool keys_read_initial(const struct keys_row *row, struct keys_value *value);

/* Appends word i of n to a list: "a", "a or b", "a, b or c", where `last` is " or ". */
enum { KEYS_LIST_BYTES = 500 };
void keys_list(char list[KEYS_LIST_BYTES], const char *word, size_t i, size_t n, const char *last);

#endif

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

/* A key of an option, a row of a table. Only the members that its kind mentions are set. */
struct keys_row {
	const char *name;
	enum keys_kind kind;
	uint64_t least, most;
	double low, high;
	const char *const *choices; /* ends with a NULL */
	const char *initial;  /* the value if the user gives the key without one; NULL: a value is
				 required */
	const char *metavar;  /* the name of the value in lists of keys; NULL: none */
	const char *expected; /* what messages say a value must be; NULL: derived from the kind */
};

/* The keys of one option. */
struct keys {
	const char *option; /* as messages name it: "--diff" */
	const struct keys_row *row;
	size_t n;
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

/* Reads a value of the row's kind from text. Returns false if the text is no such value. */
bool keys_read(const struct keys_row *row, const char *text, struct keys_value *value);

/* Appends word i of n to a list: "a", "a or b", "a, b or c", where `last` is " or ". */
enum { KEYS_LIST_BYTES = 500 };
void keys_list(char list[KEYS_LIST_BYTES], const char *word, size_t i, size_t n, const char *last);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of KEY=VALUE words with commas between them, which options have as arguments. */
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
	KEYS_OTHER,  /* with or without a value, which somebody else understands */
};

/* A key, as one row of a table. Only what its kind mentions is set. */
struct keys_row {
	const char *name;
	enum keys_kind kind;
	uint64_t least, most;
	double low, high;
	const char *const *choices; /* up to a NULL */
	const char *initial;        /* the value if the user gives none; NULL: none */
	const char *metavar;        /* what a list of keys calls the value; NULL: nothing */
	const char *expected;       /* what a value must be; NULL: as the kind says */
};

/* The keys of one option. */
struct keys {
	const char *option; /* as messages name it: "--diff" */
	const struct keys_row *row;
	size_t n;
};

struct keys_value {
	bool given; /* the user gave a value, or there is a default; if not, no other field is set
		     */
	uint64_t count;   /* of KEYS_COUNT; of KEYS_CHOICE, the index */
	double share;     /* of KEYS_SHARE, in percent */
	const char *text; /* as it was written; NULL without a value */
};

/* The words that are left of an argument. */
struct keys_words {
	const struct keys *keys;
	char *rest; /* is cut into words; NULL: none is left */
	struct arena *mem;
	struct diag *diag;
};

enum { KEYS_END = -1, KEYS_WRONG = -2 };

/*
 * Takes the next word. Returns the number of its row, with the value stored; KEYS_END; or
 * KEYS_WRONG, with the reason said in one line, which lists what would have been right or, after a
 * typing mistake, asks whether a similar key was meant. Texts point into the words. Commas between
 * brackets are part of a value, as they are of functions' names.
 */
int keys_next(struct keys_words *words, struct keys_value *value);

/* Says that a value, or NULL for none, is not what is expected of the key. Returns KEYS_WRONG. */
int keys_refuse(const struct keys_words *words, const char *key, const char *value,
		const char *expected);

/* Reads the value of a row from text. False if it is none. */
bool keys_read(const struct keys_row *row, const char *text, struct keys_value *value);

/* Adds word i of n to a list of them: "a", "a or b", "a, b or c", with `last` for " or ". */
enum { KEYS_LIST_BYTES = 500 };
void keys_list(char list[KEYS_LIST_BYTES], const char *word, size_t i, size_t n, const char *last);

#endif

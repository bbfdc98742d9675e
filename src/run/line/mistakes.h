/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines that GNU gprof understands in another way than they look. */
#ifndef RUN_LINE_MISTAKES_H
#define RUN_LINE_MISTAKES_H

#include "base/array.h"
#include "base/diag.h"

/*
 * What `word` probably meant instead, in which an option with one letter has the rest, `argument`,
 * as its own: a long option with two dashes, or several letters. A text that begins with "; ", in
 * mem; NULL if argument is not of the word, or looks like nothing else.
 */
const char *mistakes_glued(const char *word, const char *argument, struct arena *mem);

/*
 * An error: the letter, which getopt_long does not know, is no option. It is in words[0], or if
 * getopt_long has not yet gone past all letters of its word, in words[1]; NULL ends the words.
 */
void mistakes_say_unknown(char **words, int letter, struct diag *diag);

/* An error: why a long option is wrong: unknown, short for several, or with an argument too many or
 * too few. */
void mistakes_say_long(const char *word, struct arena *mem, struct diag *diag);

/* A word that is read as a file, behind an option whose argument has to be glued to it. */
struct separate_word {
	const char *word;
	const char *option; /* with its dashes */
};

typedef ARRAY(struct separate_word) separate_words;

/* Those of a command line, in mem. To be asked for before getopt_long reorders argv. */
separate_words mistakes_separate(int argc, char **argv, struct arena *mem);

/* 0, or -1 if there is no file of one of the names, with that and the option said. */
int mistakes_check_separate(const separate_words *words, struct diag *diag);

#endif

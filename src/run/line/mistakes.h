/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines that GNU gprof understands in another way than they look. */
#ifndef RUN_LINE_MISTAKES_H
#define RUN_LINE_MISTAKES_H

#include "base/array.h"
#include "base/diag.h"

/*
 * In `word`, an option of one letter takes the rest of the word, `argument`, as its argument.
 * Returns what the user more probably meant, a long option with two dashes or several letters, as a
 * text that begins with "; ", in mem. Returns NULL if `argument` is not the rest of this word or
 * looks like nothing else.
 */
const char *mistakes_glued(const char *word, const char *argument, struct arena *mem);

/*
 * Reports a letter that getopt_long does not know. The letter is in words[0], the last word that
 * getopt_long has finished, or in words[1], which it has not finished yet. A NULL ends the words.
 */
void mistakes_say_unknown(char **words, int letter, struct diag *diag);

/*
 * Reports why a long option is wrong: it is unknown, it is short for several options, it lacks its
 * argument, or it takes none.
 */
void mistakes_say_long(const char *word, struct arena *mem, struct diag *diag);

/*
 * A word after an option: read as a file name, since the option's argument must not be a separate
 * word; or taken as the option's argument, since it needs one.
 */
struct separate_word {
	const char *word;
	const char *option;   /* the option, with its dashes */
	const char *taken_as; /* the argument's name, if it was taken; else NULL */
};

typedef ARRAY(struct separate_word) separate_words;

/*
 * Finds such words in a command line; the list lives in mem. Must be called before getopt_long
 * reorders argv.
 */
separate_words mistakes_separate(int argc, char **argv, struct arena *mem);

/*
 * Returns 0, or -1 if one of the words that were not taken names no file, after saying so together
 * with the option before it.
 */
int mistakes_check_separate(const separate_words *words, struct diag *diag);

/*
 * Whether the program was taken as an option's argument, so that the data file is in its place, or
 * nothing: a word that was taken is a file. If so, says it; `profile` is what is in the program's
 * place. NULL: no program is named, and there is no a.out; then the file can be executed.
 */
bool mistakes_program_was_argument(const separate_words *words, const char *profile,
				   struct diag *diag);

#endif

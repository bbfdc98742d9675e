/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks again at the words of a wrong command line, with the table of options.def, to find what the
 * user meant.
 */
#include "config.h"

#include "run/line/mistakes.h"

#include "base/nearest.h"
#include "run/line/synonyms.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NONE = no_argument, REQUIRED = required_argument, OPTIONAL = optional_argument };

enum { NAMES_BYTES = 512 };

struct spelling {
	char letter;
	const char *name;
	int argument;
	const char *argument_name;
};

#define GROUP(heading)
#define OPT(letter, name, argument, argument_name, action, target, help) \
	{ letter, name, argument, argument_name },
#define OWN OPT

static const struct spelling spellings[] = {
#include "run/line/options.def"
};

enum { NSPELLINGS = sizeof(spellings) / sizeof(spellings[0]) };

static const struct spelling *mistakes_by_letter(char letter)
{
	for (int i = 0; i < NSPELLINGS; i++) {
		if (letter && spellings[i].letter == letter)
			return &spellings[i];
	}
	return NULL;
}

/*
 * Finds the option with exactly this name, which ends at '=' or with the word; NULL: there is none.
 */
static const struct spelling *mistakes_by_name(const char *word)
{
	size_t n = strcspn(word, "=");

	for (int i = 0; i < NSPELLINGS; i++) {
		if (n > 0 && strlen(spellings[i].name) == n &&
		    memcmp(word, spellings[i].name, n) == 0)
			return &spellings[i];
	}
	return NULL;
}

/* The long option that a word with one dash, such as -graph or -color=never, spells out; or NULL.
 */
static const char *mistakes_long_option(const char *word)
{
	const struct spelling *found =
		word[0] == '-' && word[1] != '-' ? mistakes_by_name(word + 1) : NULL;

	return found ? found->name : NULL;
}

/* Whether each letter is an option that needs no argument, and no letter occurs twice. */
static bool mistakes_are_letters(const char *text)
{
	for (const char *at = text; *at; at++) {
		const struct spelling *option = mistakes_by_letter(*at);

		if (!option || option->argument == REQUIRED || strchr(at + 1, *at))
			return false;
	}
	return text[0] != '\0';
}

/* Appends " -l -q?" for the given letters to the first n bytes of text. */
static void mistakes_add_letters(char *text, int n, const char *letters)
{
	char *end = text + n;

	for (; *letters; letters++) {
		end = stpcpy(end, " -");
		*end++ = *letters;
	}
	*end++ = '?';
	*end = '\0';
}

const char *mistakes_glued(const char *word, const char *argument, struct arena *mem)
{
	enum { LONGEST_NAME = 40, FEW_LETTERS = 8 };
	char text[160];
	const char *name = mistakes_long_option(word);
	char letter;

	if (!argument || word[0] != '-' || word[1] == '-' || argument <= word ||
	    argument >= word + strlen(word))
		return NULL;
	letter = argument[-1];
	if (name && strlen(name) < LONGEST_NAME)
		snprintf(text, sizeof(text),
			 "; -%c has the rest of -%s as its argument: did you mean --%s?", letter,
			 name, name);
	else if (mistakes_are_letters(argument) && strlen(argument) <= FEW_LETTERS)
		mistakes_add_letters(
			text,
			snprintf(text, sizeof(text),
				 "; -%c has the rest of the word as its argument: did you mean -%c",
				 letter, letter),
			argument);
	else
		return NULL;
	return arena_strndup(mem, text, strlen(text));
}

void mistakes_say_unknown(char **words, int letter, struct diag *diag)
{
	const char *name = NULL;

	for (int i = 0; i < 2 && words[i] && !name; i++)
		name = strchr(words[i], letter) ? mistakes_long_option(words[i]) : NULL;
	if (name)
		diag_error(diag, "unknown option '-%c'; did you mean '--%s'?", letter, name);
	else
		diag_error(diag, "unknown option '-%c' (try --help)", letter);
}

/*
 * Reports an unknown long option, and suggests the names with similar spelling or, if there are
 * none, those with the same beginning.
 */
static void mistakes_say_unknown_long(const char *word, struct arena *mem, struct diag *diag)
{
	const char *name = arena_strndup(mem, word + 2, strcspn(word + 2, "="));
	struct nearest_search whole = nearest_begin(name, mem), start = nearest_begin(name, mem);
	const char *question, *habit = synonyms_option(name);

	if (strcmp(name, "pid") == 0 || strcmp(name, "attach") == 0) {
		diag_error(diag,
			   "unknown option '%s': gprof cannot attach to a process; start it with "
			   "gprof --run PROGRAM",
			   word);
		return;
	}
	if (habit) {
		diag_error(diag, "unknown option '%s'; did you mean '--%s'?", word, habit);
		return;
	}
	for (int i = 0; i < NSPELLINGS; i++) {
		nearest_offer(&whole, spellings[i].name);
		nearest_offer_start(&start, spellings[i].name);
	}
	question = nearest_question(whole.found.n > 0 ? &whole.found : &start.found, "--", mem);
	diag_error(diag, "unknown option '%s'%s", word, *question ? question : " (try --help)");
}

void mistakes_say_long(const char *word, struct arena *mem, struct diag *diag)
{
	const struct spelling *option = NULL;
	size_t len = strcspn(word + 2, "=");
	char matches[NAMES_BYTES] = "";
	size_t n = 0, nmatches = 0;

	for (int i = 0; i < NSPELLINGS; i++) {
		const char *name = spellings[i].name;

		if (!name[0] || strncmp(name, word + 2, len) != 0)
			continue;
		nmatches++;
		option = &spellings[i];
		if (n < sizeof(matches))
			n += (size_t)snprintf(matches + n, sizeof(matches) - n, " --%s", name);
		if (name[len] == '\0') {
			nmatches = 1;
			break;
		}
	}
	if (nmatches == 0)
		mistakes_say_unknown_long(word, mem, diag);
	else if (nmatches == 1 && option->argument == REQUIRED)
		diag_error(diag, "option --%s needs an argument: %s", option->name,
			   option->argument_name);
	else if (nmatches == 1)
		diag_error(diag, "option '%.*s' takes no argument", (int)len + 2, word);
	else
		diag_error(diag, "option '%.*s' is short for several:%s", (int)len + 2, word,
			   matches);
}

/*
 * If a word of one-letter options ends in an option that could take an argument but has none in
 * this word, returns that option, else NULL. Sets *takes_next if that option takes the next word as
 * its argument.
 */
static const struct spelling *mistakes_last_option(const char *word, bool *takes_next)
{
	const struct spelling *option = NULL;

	*takes_next = false;
	if (word[1] == '-') {
		option = mistakes_by_name(word + 2);
		if (!option || strchr(word, '='))
			return NULL;
		*takes_next = option->argument == REQUIRED;
		return option->argument == OPTIONAL ? option : NULL;
	}
	for (const char *at = word + 1; *at; at++) {
		option = mistakes_by_letter(*at);
		if (!option || (option->argument != NONE && at[1]))
			return NULL;
	}
	*takes_next = option && option->argument == REQUIRED;
	return option && option->argument == OPTIONAL ? option : NULL;
}

separate_words mistakes_separate(int argc, char **argv, struct arena *mem)
{
	separate_words found = { 0 };

	for (int i = 1; i + 1 < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *word = argv[i];
		char letter[] = "-?";
		const struct spelling *option;
		bool takes_next;

		if (word[0] != '-' || word[1] == '\0')
			continue;
		option = mistakes_last_option(word, &takes_next);
		if (takes_next)
			i++;
		if (takes_next && word[1] == '-')
			array_push(mem, &found) =
				(struct separate_word){ argv[i], word,
							mistakes_by_name(word + 2)->argument_name };
		if (!option || argv[i + 1][0] == '-')
			continue;
		letter[1] = option->letter;
		array_push(mem, &found) = (struct separate_word){
			argv[i + 1], word[1] == '-' ? word : arena_strndup(mem, letter, 2), NULL
		};
	}
	return found;
}

int mistakes_check_separate(const separate_words *words, struct diag *diag)
{
	for (size_t i = 0; i < words->n; i++) {
		const char *word = words->at[i].word, *option = words->at[i].option;
		struct stat st;

		if (words->at[i].taken_as || stat(word, &st) == 0 || errno != ENOENT)
			continue;
		diag_error(
			diag, "%s: %s; the argument of %s must follow it without a blank: %s%s%s",
			word, strerror(ENOENT), option, option, option[1] == '-' ? "=" : "", word);
		return -1;
	}
	return 0;
}

bool mistakes_program_was_argument(const separate_words *words, const char *profile,
				   struct diag *diag)
{
	for (size_t i = 0; i < words->n; i++) {
		const struct separate_word *at = &words->at[i];
		struct stat st;

		if (!at->taken_as || stat(at->word, &st) < 0 || !S_ISREG(st.st_mode) ||
		    (!profile && access(at->word, X_OK) < 0))
			continue;
		diag_error(diag, "%s: %s; %s took the program as its argument: gprof %s=%s %s%s%s",
			   profile ? profile : "a.out",
			   profile ? "is profile data" : strerror(ENOENT), at->option, at->option,
			   at->taken_as, at->word, profile ? " " : "", profile ? profile : "");
		return true;
	}
	return false;
}

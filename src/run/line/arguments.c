/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/arguments.h"

#include "io/file.h"

#include <ctype.h>
#include <libiberty/libiberty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether a word of the command line is @FILE and FILE can be read only once, such as a pipe. */
static bool arguments_is_pipe(const char *word)
{
	struct stat st;

	return word[0] == '@' && stat(word + 1, &st) == 0 &&
	       (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/* buildargv() would return one empty word for blank text. */
static bool arguments_is_blank(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && isspace((unsigned char)text[i]))
		i++;
	return i == n;
}

/* Reads FILE and returns its words, for freeargv(); NULL after saying why there are none. */
static char **arguments_read(const char *word, struct diag *diag)
{
	struct file file = { 0 };
	char **words = NULL, *text = NULL;

	if (file_read(&file, strcmp(word, "@/dev/stdin") == 0 ? "-" : word + 1, NULL, NULL, diag) <
	    0)
		return NULL;
	if (arguments_is_blank((const char *)file.bytes, file.size)) {
		diag_error(diag, "%s: the list of arguments is empty", word + 1);
	} else if (memchr(file.bytes, '\0', file.size)) {
		diag_error(diag, "%s: not a list of arguments: it has a NUL byte", word + 1);
	} else {
		text = xmalloc(file.size + 1);
		memcpy(text, file.bytes, file.size);
		text[file.size] = '\0';
		words = buildargv(text);
		free(text);
	}
	file_free(&file);
	return words;
}

/*
 * Returns a vector in which `words` replace argv[at]. Takes over the strings of both vectors and
 * frees argv[at] and the two vectors themselves.
 */
static char **arguments_splice(char **argv, int argc, int at, char **words)
{
	int n = countargv(words), to = 0;
	char **all = xmalloc((size_t)(argc + n) * sizeof(*all));

	for (int i = 0; i < at; i++)
		all[to++] = argv[i];
	for (int i = 0; i < n; i++)
		all[to++] = words[i];
	for (int i = at + 1; i <= argc; i++)
		all[to++] = argv[i];
	free(argv[at]);
	free(argv);
	free(words);
	return all;
}

int arguments_expand(int *argc, char ***argv, struct diag *diag)
{
	char **given = *argv;

	for (int i = 1; i < *argc; i++) {
		char **words;

		if (!arguments_is_pipe((*argv)[i]))
			continue;
		words = arguments_read((*argv)[i], diag);
		if (!words)
			return -1;
		if (*argv == given)
			*argv = dupargv(given);
		*argv = arguments_splice(*argv, *argc, i, words);
		*argc = countargv(*argv);
		i--;
	}
	expandargv(argc, argv);
	return 0;
}

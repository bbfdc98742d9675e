/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: command lines, and the specifications of symbols in them.
 *
 * Input: words, each ended by a newline. If one of them is "@@", the text behind it is that of an
 * option file, which the words can name as @words. Paths out of the directory are not followed: a
 * slash that would begin one becomes a colon.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORDS = 60 };

/* A slash in a specification stands behind a name; names of one letter can be glued options. */
static void stay_here(char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool behind_name =
			i > 1 &&
			strchr("abcdefghijklmnopqrstuvwxyz_0123456789", text[i - 1]) != NULL &&
			text[i - 2] != '-';

		if (text[i] == '/' && !behind_name)
			text[i] = ':';
	}
}

static void write_words(const char *text, size_t n)
{
	int fd = open("words", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0 || write(fd, text, n) != (ssize_t)n)
		_exit(EXIT_FAILURE);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *words[MAX_WORDS + 2] = { (char *)"gprof" };
	char *text = malloc(size + 1), *at = text, *end;
	size_t n = 1;

	if (!text)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	stay_here(text, size);
	for (; at < text + size && n <= MAX_WORDS; at = end + 1) {
		end = memchr(at, '\n', (size_t)(text + size - at));
		if (!end)
			end = text + size;
		*end = '\0';
		if (strcmp(at, "@@") == 0)
			break;
		words[n++] = at;
	}
	if (at < text + size && n <= MAX_WORDS)
		write_words(end + 1 < text + size ? end + 1 : "",
			    end + 1 < text + size ? (size_t)(text + size - end - 1) : 0);
	whole(words);
	free(text);
	return 0;
}

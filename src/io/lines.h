/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits text in memory into lines and words. Bytes can have any value; NUL counts as a blank. */
#ifndef IO_LINES_H
#define IO_LINES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A piece of text, without NUL at its end. */
struct span {
	const char *at;
	size_t n;
};

/* The text that is still to be read, and the number, from 1, of the last line read. */
struct lines {
	struct span rest;
	size_t number;
};

static inline bool lines_span_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

static inline struct span lines_span_skip(struct span text, size_t n)
{
	return (struct span){ text.at + n, text.n - n };
}

/* The text without the blanks at its start. */
static inline struct span lines_span_trim_left(struct span text)
{
	while (text.n > 0 && lines_span_is_blank(text.at[0]))
		text = lines_span_skip(text, 1);
	return text;
}

static inline bool lines_span_begins(struct span text, const char *word)
{
	return text.n >= strlen(word) && memcmp(text.at, word, strlen(word)) == 0;
}

/* Removes the next word from the start of the text and returns it; empty at the end. */
static inline struct span lines_span_word(struct span *text)
{
	struct span word;

	*text = lines_span_trim_left(*text);
	word = (struct span){ text->at, 0 };
	while (word.n < text->n && !lines_span_is_blank(text->at[word.n]))
		word.n++;
	*text = lines_span_skip(*text, word.n);
	return word;
}

static inline char *lines_span_copy(struct span text, struct arena *mem)
{
	return arena_strndup(mem, text.at, text.n);
}

/* Gets the next line, without its newline; false after the last one, which may lack a newline. */
static inline bool lines_next(struct lines *lines, struct span *line)
{
	struct span rest = lines->rest;
	const char *end;

	if (rest.n == 0)
		return false;
	end = memchr(rest.at, '\n', rest.n);
	*line = (struct span){ rest.at, end ? (size_t)(end - rest.at) : rest.n };
	lines->rest = lines_span_skip(rest, line->n + (end ? 1 : 0));
	lines->number++;
	return true;
}

#endif

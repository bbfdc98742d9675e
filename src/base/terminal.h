/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides which foreign bytes, such as names, may be written to a terminal, which takes some of
 * them for commands.
 */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include <stddef.h>

/*
 * The length of the character that the n bytes (at least one) at s begin with. 0 for control
 * characters: of ASCII or Latin-1, in UTF-8 or as a bare byte, and those of Unicode that end a line
 * or turn the direction of text. Other bytes that are not UTF-8 have length 1: no terminal takes
 * them for a command.
 */
size_t terminal_shows(const char *s, size_t n);

/* The most bytes that terminal_put() makes of a byte, and of a character. */
enum { TERMINAL_BYTE = 4, TERMINAL_CHARACTER = 12 };

/*
 * Writes the character at *s, which is before `end`, to `to`, and moves *s after it. A control
 * character that is not in `layout` becomes a backslash and three octal digits for each byte.
 * Returns how many bytes were written.
 */
size_t terminal_put(char to[TERMINAL_CHARACTER], const char **s, const char *end,
		    const char *layout);

/* Replaces each byte of control characters by '?'. */
void terminal_tame(char *text);

#endif

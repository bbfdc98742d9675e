/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of foreign bytes, such as names, may go to a terminal, which takes some for commands. */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include <stddef.h>

/*
 * The length of the character that the n bytes (at least one) at s begin with; 0 for a control
 * character, of ASCII or Latin-1, in UTF-8 or as a bare byte, and for those of Unicode that end a
 * line or turn the direction of text. Other bytes that are no UTF-8 have length 1: no terminal
 * obeys them.
 */
size_t terminal_shows(const char *s, size_t n);

/* What a byte may become, and a character. */
enum { TERMINAL_BYTE = 4, TERMINAL_CHARACTER = 12 };

/*
 * Puts the character at *s, which lies before end, to `to`, and *s behind it; a control character
 * that is not one of `layout` as a backslash and three octal digits for each byte. Returns how many
 * bytes it became.
 */
size_t terminal_put(char to[TERMINAL_CHARACTER], const char **s, const char *end,
		    const char *layout);

/* Puts '?' in the place of each byte of control characters. */
void terminal_tame(char *text);

#endif

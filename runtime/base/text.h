/* SPDX-License-Identifier: MIT */
/* Building short texts and writing them to stderr, without the C library. Async-signal-safe. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the name of a file. */
enum { PATH_BYTES = 4096 };

/* A string in the caller's buffer of `room` bytes, always terminated. What does not fit is left
 * out, and sets `full`. */
struct text {
	char *at;
	size_t length, room;
	bool full;
};

/* An empty text in a buffer. */
struct text text_in(char *buffer, size_t room);

/* A text that begins with the string that the buffer holds. */
struct text text_after(char *string, size_t room);

void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t n);
void text_add_number(struct text *text, uint64_t number);

bool text_equal(const char *a, const char *b);

/* Whether n characters, without a terminating one, are equal to a string. */
bool text_equal_n(const char *bytes, size_t n, const char *string);

/* What follows a prefix of a string; NULL: the string does not begin with it. */
const char *text_skip(const char *string, const char *prefix);

size_t text_length(const char *string);

/* The part of a path after its last slash. */
const char *text_last_part(const char *path);

/*
 * Once, before the program runs: notes what descriptor 2 is. Without this, lines are always
 * written.
 */
void text_start(void);

/*
 * Writes one line to stderr: "libgmon: WHAT NAME: REASON". `name` may be NULL, and `error`, an
 * -errno, 0. Writes nothing if descriptor 2 has changed since text_start(): a program that closed
 * it may have opened a file of its own there.
 */
void text_complain(const char *what, const char *name, long error);

#endif

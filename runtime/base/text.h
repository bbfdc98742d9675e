/* SPDX-License-Identifier: MIT */
/* Building short texts and writing them to stderr, without the C library. Async-signal-safe. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the name of a file. */
enum { PATH_BYTES = 4096 };

/*
 * A string in the caller's buffer of `room` bytes, always terminated. What does not fit is dropped
 * and sets `full`.
 */
struct text {
	char *at;
	size_t length, room;
	bool full;
};

/* Starts an empty text in a buffer. */
struct text text_in(char *buffer, size_t room);

/* Starts a text that begins with the string in the buffer. */
struct text text_after(char *string, size_t room);

void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t n);
void text_add_number(struct text *text, uint64_t number);

bool text_equal(const char *a, const char *b);

/* Whether n characters, which are not terminated, equal a string. */
bool text_equal_n(const char *bytes, size_t n, const char *string);

/* Returns the part of a string after a prefix; NULL: the string does not begin with it. */
const char *text_skip(const char *string, const char *prefix);

size_t text_length(const char *string);

/* The part of a path after its last slash. */
const char *text_last_part(const char *path);

/*
 * Notes what descriptor 2 refers to. To be called once, before the program runs; else lines are
 * always written.
 */
void text_start(void);

/*
 * Writes one line to stderr: "libgmon: WHAT NAME: REASON". `name` may be NULL, and `error`, an
 * -errno, 0. Writes nothing if descriptor 2 has changed since text_start(): a program that closed
 * it may since have opened another file with this number.
 */
void text_complain(const char *what, const char *name, long error);

#endif

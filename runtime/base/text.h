/* SPDX-License-Identifier: MIT */
/* Building short texts and saying them on stderr, without the C library. Async-signal-safe. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the name of a file. */
enum { PATH_BYTES = 4096 };

/* A string in somebody's buffer of `room` bytes, always terminated; what does not fit sets `full`.
 */
struct text {
	char *at;
	size_t length, room;
	bool full;
};

struct text text_in(char *buffer, size_t room);

/* To add to the string that a buffer holds. */
struct text text_behind(char *string, size_t room);

void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t n);
void text_add_number(struct text *text, uint64_t number);

bool text_equal(const char *a, const char *b);
size_t text_length(const char *string);

/* Of a path, what is behind its last slash. */
const char *text_last_part(const char *path);

/*
 * Once, before the program runs: lines go to what descriptor 2 is now. Without this, to whatever it
 * is.
 */
void text_start(void);

/*
 * Nothing when descriptor 2 has become something else: a program that closed it may have opened a
 * file of its own there. Else one line on stderr: "libgmon: WHAT NAME: REASON", where name and
 * reason (an -errno) may be 0.
 */
void text_complain(const char *what, const char *name, long error);

#endif

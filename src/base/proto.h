/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes messages in the encoding of Protocol Buffers, as far as exports need it. */
#ifndef BASE_PROTO_H
#define BASE_PROTO_H

#include "base/arena.h"

#include <stdint.h>

/*
 * A message that is being written, in mem. With all other members zero it is empty; setting n to 0
 * empties it again. Fields come in the order of the calls.
 */
struct proto {
	struct arena *mem;
	unsigned char *at;
	size_t n, max;
};

/* The most bytes of a number. */
enum { PROTO_NUMBER = 10 };

/* Adds an integer, boolean or id, unless it is 0: readers take a missing field for 0. */
void proto_uint(struct proto *p, unsigned field, uint64_t n);

/* Adds a field of n numbers, zeros included; nothing if n is 0. */
void proto_packed(struct proto *p, unsigned field, const uint64_t *numbers, size_t n);

/* Adds another message as a field, and empties that message. */
void proto_part(struct proto *p, unsigned field, struct proto *part);

/*
 * Writes what precedes the n bytes of a text or message at `at`, which has room for twice
 * PROTO_NUMBER, and returns the end.
 */
unsigned char *proto_head(unsigned char *at, unsigned field, size_t n);

#endif

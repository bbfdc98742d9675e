/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages in the encoding of Protocol Buffers, as far as exports need it. */
#ifndef BASE_PROTO_H
#define BASE_PROTO_H

#include "base/arena.h"

#include <stdint.h>

/*
 * A message in the making, in mem; all zero but for mem it is empty, and by n = 0 it becomes so
 * again. Fields stand in the order of the calls.
 */
struct proto {
	struct arena *mem;
	unsigned char *at;
	size_t n, max;
};

/* The bytes of a number at most. */
enum { PROTO_NUMBER = 10 };

/* Puts n to `at` and returns the end. */
unsigned char *proto_put(unsigned char *at, uint64_t n);

/* A whole number, boolean or identity, unless it is 0: that is what readers take for a field that
 * is not there. */
void proto_uint(struct proto *p, unsigned field, uint64_t n);

/* A field of many numbers, zeros among them. Nothing if there are none. */
void proto_packed(struct proto *p, unsigned field, const uint64_t *numbers, size_t n);

/* Another message, which is then empty. */
void proto_part(struct proto *p, unsigned field, struct proto *part);

/* What precedes n bytes of a text or message: puts it to `at`, with room for twice PROTO_NUMBER,
 * and returns the end. */
unsigned char *proto_head(unsigned char *at, unsigned field, size_t n);

#endif

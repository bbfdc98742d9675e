/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encodes fields and numbers of Protocol Buffers: seven bits a byte, the low bits first. */
#include "config.h"

#include "base/proto.h"

#include <string.h>

enum {
	NUMBER = 0,
	BYTES = 2,
	TYPE_BITS = 3
}; /* types of fields, and the number of bits of the type in a field's tag */

static void proto_make_room(struct proto *p, size_t n)
{
	unsigned char *old = p->at;

	if (p->max - p->n >= n)
		return;
	p->max = 2 * p->max + n;
	p->at = arena_array(p->mem, unsigned char, p->max);
	if (p->n > 0)
		memcpy(p->at, old, p->n);
}

/* Writes n at `at` and returns the end. */
static unsigned char *proto_put(unsigned char *at, uint64_t n)
{
	for (; n > 0x7f; n >>= 7)
		*at++ = (unsigned char)(n | 0x80);
	*at++ = (unsigned char)n;
	return at;
}

unsigned char *proto_head(unsigned char *at, unsigned field, size_t n)
{
	return proto_put(proto_put(at, field << TYPE_BITS | BYTES), n);
}

void proto_uint(struct proto *p, unsigned field, uint64_t n)
{
	unsigned char *end;

	if (n == 0)
		return;
	proto_make_room(p, 2 * (size_t)PROTO_NUMBER);
	end = proto_put(proto_put(p->at + p->n, field << TYPE_BITS | NUMBER), n);
	p->n = (size_t)(end - p->at);
}

static size_t proto_count_number_bytes(uint64_t n)
{
	size_t bytes = 1;

	for (; n > 0x7f; n >>= 7)
		bytes++;
	return bytes;
}

void proto_packed(struct proto *p, unsigned field, const uint64_t *numbers, size_t n)
{
	size_t bytes = 0;
	unsigned char *end;

	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		bytes += proto_count_number_bytes(numbers[i]);
	proto_make_room(p, bytes + 2 * (size_t)PROTO_NUMBER);
	end = proto_head(p->at + p->n, field, bytes);
	for (size_t i = 0; i < n; i++)
		end = proto_put(end, numbers[i]);
	p->n = (size_t)(end - p->at);
}

void proto_part(struct proto *p, unsigned field, struct proto *part)
{
	unsigned char *end;

	proto_make_room(p, part->n + 2 * (size_t)PROTO_NUMBER);
	end = proto_head(p->at + p->n, field, part->n);
	if (part->n > 0)
		memcpy(end, part->at, part->n);
	p->n = (size_t)(end - p->at) + part->n;
	part->n = 0;
}

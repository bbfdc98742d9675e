/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/jitdump.h"

#include "base/cursor.h"
#include "base/index.h"

#include <string.h>

/* The parts of the format, in bytes: a record's head has a type, its size with the head, a time. */
enum {
	JITDUMP_MAGIC = 0x4a695444, /* "JiTD" */
	JITDUMP_HEADER = 40,
	JITDUMP_HEAD = 16,
	JITDUMP_LOAD = 40, /* before the name */
	JITDUMP_MOVE = 48
};

enum jitdump_type { JIT_CODE_LOAD = 0, JIT_CODE_MOVE = 1, JIT_CODE_CLOSE = 3 };

struct jitdump_code {
	uint64_t number; /* given by the compiler; JIT_CODE_MOVE refers to it */
	const char *name;
	size_t bytes;
};

struct jitdump_range {
	uint64_t start, size;
	const char *name;
	size_t bytes;
};

struct jitdump {
	bool big_endian;
	ARRAY(struct jitdump_range) ranges; /* in the order of the file */
	ARRAY(struct jitdump_code) codes;   /* each number once, as it was loaded last */
	struct index by_number;
	struct arena mem;
};

INDEX_KEY(jitdump_key, struct jitdump_code, x->number)

static uint64_t jitdump_uint(const struct jitdump *dump, const unsigned char *at, unsigned nbytes)
{
	return cursor_bytes_uint(at, nbytes, dump->big_endian);
}

static void jitdump_push(struct jitdump *dump, uint64_t start, uint64_t size,
			 const struct jitdump_code *code)
{
	array_push(&dump->mem, &dump->ranges) =
		(struct jitdump_range){ start, size, code->name, code->bytes };
}

/* A load: process, thread, address, address of the code, size, number; the name; the code. */
static bool jitdump_load(struct jitdump *dump, const unsigned char *body, size_t n)
{
	const char *name = (const char *)body + JITDUMP_LOAD, *end;
	struct jitdump_code code;
	uint32_t place;

	if (n < JITDUMP_LOAD)
		return false;
	end = memchr(name, '\0', n - JITDUMP_LOAD);
	if (!end)
		return false;
	if (end == name)
		return true;
	code = (struct jitdump_code){ jitdump_uint(dump, body + 32, 8), name,
				      (size_t)(end - name) };
	place = index_intern(&dump->by_number, &dump->codes, &code, jitdump_key, &dump->mem);
	dump->codes.at[place] = code;
	jitdump_push(dump, jitdump_uint(dump, body + 16, 8), jitdump_uint(dump, body + 24, 8),
		     &code);
	return true;
}

/* A move: process, thread, address, old and new address of the code, size, number. */
static bool jitdump_move(struct jitdump *dump, const unsigned char *body, size_t n)
{
	struct jitdump_code code = { 0 };
	uint32_t place;

	if (n < JITDUMP_MOVE)
		return false;
	code.number = jitdump_uint(dump, body + 40, 8);
	place = index_lookup(&dump->by_number, dump->codes.at, jitdump_key, &code);
	if (place != INDEX_NONE)
		jitdump_push(dump, jitdump_uint(dump, body + 24, 8),
			     jitdump_uint(dump, body + 32, 8), &dump->codes.at[place]);
	return true;
}

/* Types that are not known, of which the format may get more, are skipped. */
static bool jitdump_take(struct jitdump *dump, uint64_t type, const unsigned char *body, size_t n)
{
	switch (type) {
	case JIT_CODE_LOAD:
		return jitdump_load(dump, body, n);
	case JIT_CODE_MOVE:
		return jitdump_move(dump, body, n);
	default:
		return true;
	}
}

/* Takes the records from offset `at` on. Returns where the first is that is not whole, or n. */
static size_t jitdump_take_all(struct jitdump *dump, const unsigned char *bytes, size_t n,
			       size_t at)
{
	while (at < n) {
		const unsigned char *record = bytes + at;
		uint64_t type, size;

		if (n - at < JITDUMP_HEAD)
			return at;
		type = jitdump_uint(dump, record, 4);
		size = jitdump_uint(dump, record + 4, 4);
		if (size < JITDUMP_HEAD || size > n - at ||
		    !jitdump_take(dump, type, record + JITDUMP_HEAD, (size_t)size - JITDUMP_HEAD))
			return at;
		if (type == JIT_CODE_CLOSE)
			return n;
		at += (size_t)size;
	}
	return n;
}

/* Returns the size of the header, from which the byte order is known; 0: it is none. */
static size_t jitdump_header(struct jitdump *dump, const unsigned char *bytes, size_t n)
{
	uint64_t size;

	if (n < JITDUMP_HEADER)
		return 0;
	dump->big_endian = jitdump_uint(dump, bytes, 4) != JITDUMP_MAGIC;
	size = jitdump_uint(dump, bytes + 8, 4);
	if (jitdump_uint(dump, bytes, 4) != JITDUMP_MAGIC || size < JITDUMP_HEADER || size > n)
		return 0;
	return (size_t)size;
}

size_t jitdump_apply(struct made_names *names, const unsigned char *bytes, size_t n,
		     const struct arena *mem)
{
	struct jitdump dump = { .mem = arena_scratch(mem) };
	size_t whole = jitdump_header(&dump, bytes, n);

	if (whole > 0)
		whole = jitdump_take_all(&dump, bytes, n, whole);
	for (size_t i = dump.ranges.n; i-- > 0;)
		made_names_add(names, dump.ranges.at[i].start, dump.ranges.at[i].size,
			       dump.ranges.at[i].name, dump.ranges.at[i].bytes);
	arena_free(&dump.mem);
	return whole;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/jitdump.h"

#include "base/cursor.h"
#include "base/index.h"
#include "io/profile/jitdump_lines.h"

#include <string.h>

/* The parts of the format, in bytes: a record's head has a type, its size with the head, a time. */
enum {
	JITDUMP_MAGIC = 0x4a695444, /* "JiTD" */
	JITDUMP_HEADER = 40,
	JITDUMP_HEAD = 16,
	JITDUMP_LOAD = 40, /* before the name */
	JITDUMP_MOVE = 48
};

enum jitdump_type {
	JIT_CODE_LOAD = 0,
	JIT_CODE_MOVE = 1,
	JIT_CODE_DEBUG_INFO = 2,
	JIT_CODE_CLOSE = 3
};

struct jitdump_code {
	uint64_t number; /* given by the compiler; JIT_CODE_MOVE refers to it */
	const char *name;
	size_t bytes;
	uint32_t lines; /* index of its lines, or INDEX_NONE */
};

struct jitdump_range {
	uint64_t start, size;
	struct jitdump_code code;
};

/* The last lines that were told for an address, until code is loaded there. */
struct jitdump_told {
	uint64_t code;
	uint32_t lines; /* as in jitdump_code */
};

struct jitdump {
	bool big_endian;
	ARRAY(struct jitdump_range) ranges; /* in the order of the file */
	ARRAY(struct jitdump_code) codes;   /* each number once, as it was loaded last */
	struct index by_number;
	ARRAY(struct jitdump_lines) lines;
	ARRAY(struct jitdump_told) told; /* each address once */
	struct index by_address;
	uint64_t least; /* the least offset of an entry of all lines of code */
	struct arena mem;
};

INDEX_KEY(jitdump_key, struct jitdump_code, x->number)
INDEX_KEY(jitdump_told_key, struct jitdump_told, x->code)

static uint64_t jitdump_uint(const struct jitdump *dump, const unsigned char *at, unsigned nbytes)
{
	return cursor_bytes_uint(at, nbytes, dump->big_endian);
}

static void jitdump_push(struct jitdump *dump, uint64_t start, uint64_t size,
			 const struct jitdump_code *code)
{
	array_push(&dump->mem, &dump->ranges) = (struct jitdump_range){ start, size, *code };
}

/* Lines of code: its address, how many they are, and these. Of no use is what is too short. */
static void jitdump_tell(struct jitdump *dump, const unsigned char *body, size_t n)
{
	struct jitdump_lines lines;
	struct jitdump_told told;
	uint32_t place;

	if (!jitdump_lines_begin(&lines, body, n, dump->big_endian))
		return;
	told = (struct jitdump_told){ lines.code, (uint32_t)dump->lines.n };
	array_push(&dump->mem, &dump->lines) = lines;
	place = index_intern(&dump->by_address, &dump->told, &told, jitdump_told_key, &dump->mem);
	dump->told.at[place] = told;
}

/* Returns the lines that were told of code that is loaded now, or INDEX_NONE. */
static uint32_t jitdump_take_told(struct jitdump *dump, uint64_t address, uint64_t size)
{
	const struct jitdump_told wanted = { address, INDEX_NONE };
	uint32_t place = index_lookup(&dump->by_address, dump->told.at, jitdump_told_key, &wanted),
		 lines;
	uint64_t least;

	if (place == INDEX_NONE || dump->told.at[place].lines == INDEX_NONE)
		return INDEX_NONE;
	lines = dump->told.at[place].lines;
	dump->told.at[place].lines = INDEX_NONE;
	least = jitdump_lines_least(&dump->lines.at[lines], size);
	if (least < dump->least)
		dump->least = least;
	return least == UINT64_MAX ? INDEX_NONE : lines;
}

/* A load: process, thread, address, address of the code, size, number; the name; the code. */
static bool jitdump_load(struct jitdump *dump, const unsigned char *body, size_t n)
{
	const char *name = (const char *)body + JITDUMP_LOAD, *end;
	struct jitdump_code code;
	uint64_t address, size;
	uint32_t place;

	if (n < JITDUMP_LOAD)
		return false;
	end = memchr(name, '\0', n - JITDUMP_LOAD);
	if (!end)
		return false;
	address = jitdump_uint(dump, body + 16, 8);
	size = jitdump_uint(dump, body + 24, 8);
	code = (struct jitdump_code){ jitdump_uint(dump, body + 32, 8), name, (size_t)(end - name),
				      jitdump_take_told(dump, address, size) };
	if (end == name)
		return true;
	place = index_intern(&dump->by_number, &dump->codes, &code, jitdump_key, &dump->mem);
	dump->codes.at[place] = code;
	jitdump_push(dump, address, size, &code);
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
	case JIT_CODE_DEBUG_INFO:
		jitdump_tell(dump, body, n);
		return true;
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

/* Names what is in a range and has no name yet. */
static void jitdump_name(struct jitdump *dump, struct made_names *names,
			 const struct jitdump_range *range)
{
	struct made_range *named = made_names_add(names, range->start, range->size,
						  range->code.name, range->code.bytes);
	uint64_t shift = dump->least >= JITDUMP_LINES_SHIFT ? JITDUMP_LINES_SHIFT : 0;

	if (named && range->code.lines != INDEX_NONE)
		named->lines =
			jitdump_lines_make(&dump->lines.at[range->code.lines], shift, names->mem);
}

size_t jitdump_apply(struct made_names *names, const unsigned char *bytes, size_t n,
		     const struct arena *mem)
{
	struct jitdump dump = { .least = UINT64_MAX, .mem = arena_scratch(mem) };
	size_t whole = jitdump_header(&dump, bytes, n);

	if (whole > 0)
		whole = jitdump_take_all(&dump, bytes, n, whole);
	for (size_t i = dump.ranges.n; i-- > 0;)
		jitdump_name(&dump, names, &dump.ranges.at[i]);
	arena_free(&dump.mem);
	return whole;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the table of sections before anything else is read:
 *
 *   bytes   0        40          40 + 24 n
 *           | head   | n entries | section A |pad| section B | ...
 *             n, size  tag, record size, offset, number of records
 *
 * Each section must begin after the table at a multiple of 8, must not overlap another, and must
 * have room in the file for all its records. Then every record of it can be read without further
 * checks of the size. Entries with unknown tags are checked as well, and skipped.
 */
#include "config.h"

#include "io/profile/ext_sections.h"

#include "base/sort.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct ext_part_format ext_parts[EXT_PARTS] = {
#define EXT_SECTION(PART, tag, bytes, least, scope) \
	[EXT_##PART] = { tag, bytes, (least) > 0 ? (least) : (bytes), scope },
#include "io/profile/gmon_ext.def"
};

uint64_t ext_stamp(uint64_t before, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		before = (before ^ bytes[i]) * GMON_EXT_STAMP_FACTOR;
	return before;
}

bool ext_has_magic(const unsigned char *bytes, size_t size)
{
	size_t n = strlen(GMON_EXT_MAGIC);

	return size >= n && memcmp(bytes, GMON_EXT_MAGIC, n) == 0;
}

int ext_ignore(const struct ext_expected *e, const char *format, ...)
{
	char text[200];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag_warn(e->diag, "%s: %s: ignored", e->name, text);
	return -1;
}

/* Reads a field of the head, or of an entry of the table of sections. */
#define HEAD_FIELD(x, field) \
	EXT_NUMBER_AT((x)->in.start, sizeof(struct gmon_ext_head), head, field, (x)->in.big_endian)
#define ENTRY_FIELD(x, entry, field) \
	EXT_NUMBER_AT(entry, sizeof(struct gmon_ext_section), section, field, (x)->in.big_endian)

/* Finds out the byte order. */
static int ext_check_version(struct ext *x)
{
	uint64_t order, version;

	if (!ext_has_magic(x->in.start, x->in.size))
		return ext_ignore(x->expected, "no \"gmonext\" at byte 0");
	if (x->in.size < sizeof(struct gmon_ext_head))
		return ext_ignore(x->expected, "cut short in the head, at byte %zu", x->in.size);
	x->in.big_endian = false;
	if (HEAD_FIELD(x, byte_order) != GMON_EXT_ORDER)
		x->in.big_endian = true;
	order = HEAD_FIELD(x, byte_order);
	version = HEAD_FIELD(x, version);
	if (order != GMON_EXT_ORDER)
		return ext_ignore(x->expected, "byte order 0x%" PRIx64 " at byte %zu", order,
				  offsetof(struct gmon_ext_head, byte_order));
	if (version != GMON_EXT_VERSION)
		return ext_ignore(x->expected, "version %" PRIu64 " at byte %zu, expected %d",
				  version, offsetof(struct gmon_ext_head, version),
				  GMON_EXT_VERSION);
	return 0;
}

static int ext_check_head(struct ext *x)
{
	uint64_t pointer_bytes;

	if (ext_check_version(x) < 0)
		return -1;
	if (HEAD_FIELD(x, stamp) != x->expected->stamp)
		return ext_ignore(x->expected, "belongs to another profile");
	pointer_bytes = HEAD_FIELD(x, pointer_bytes);
	if (pointer_bytes != x->expected->target->ptr_size)
		return ext_ignore(x->expected,
				  "pointers of %" PRIu64
				  " bytes at byte %zu, but the program's have %u",
				  pointer_bytes, offsetof(struct gmon_ext_head, pointer_bytes),
				  x->expected->target->ptr_size);
	if (HEAD_FIELD(x, bytes) != x->expected->size)
		return ext_ignore(x->expected,
				  "says at byte %zu that it has %" PRIu64
				  " bytes, but has %" PRIu64,
				  offsetof(struct gmon_ext_head, bytes), HEAD_FIELD(x, bytes),
				  x->expected->size);
	return 0;
}

static struct ext ext_begin(const unsigned char *bytes, size_t size,
			    const struct ext_expected *expected)
{
	return (struct ext){
		.in = { .start = bytes,
			.size = size,
			.name = expected->name,
			.diag = expected->diag },
		.expected = expected,
		.source = { .strings = "" },
	};
}

int ext_check(const unsigned char *bytes, size_t n, const struct ext_expected *expected)
{
	struct ext x = ext_begin(bytes, n, expected);

	return ext_check_head(&x);
}

bool ext_belongs(const unsigned char *bytes, size_t n, uint64_t stamp)
{
	struct diag silent = diag_silent(NULL);
	const struct ext_expected expected = { .name = "", .diag = &silent };
	struct ext x = ext_begin(bytes, n, &expected);

	return ext_check_version(&x) == 0 && HEAD_FIELD(&x, stamp) == stamp;
}

uint64_t ext_at(const struct ext_section *s, uint64_t i)
{
	return s->offset + i * s->record;
}

/* Returns entry i of the table of sections. */
static struct ext_section ext_entry(const struct ext *x, size_t i)
{
	const unsigned char *entry =
		x->in.start + sizeof(struct gmon_ext_head) + i * sizeof(struct gmon_ext_section);

	return (struct ext_section){
		.is_there = true,
		.offset = ENTRY_FIELD(x, entry, offset),
		.n = ENTRY_FIELD(x, entry, records),
		.record = (uint32_t)ENTRY_FIELD(x, entry, record_bytes),
	};
}

/* Returns which section entry i is of; EXT_PARTS: an unknown one. */
static unsigned ext_entry_part(const struct ext *x, size_t i)
{
	const unsigned char *entry =
		x->in.start + sizeof(struct gmon_ext_head) + i * sizeof(struct gmon_ext_section);
	unsigned part = 0;

	while (part < EXT_PARTS && memcmp(entry, ext_parts[part].tag, 4) != 0)
		part++;
	return part;
}

uint64_t ext_listed_records(const unsigned char *bytes, size_t n, enum ext_part part)
{
	struct diag silent = diag_silent(NULL);
	const struct ext_expected expected = { .name = "", .diag = &silent };
	struct ext x = ext_begin(bytes, n, &expected);
	size_t head = sizeof(struct gmon_ext_head), entry = sizeof(struct gmon_ext_section);

	if (ext_check_version(&x) < 0 || HEAD_FIELD(&x, sections) > (n - head) / entry)
		return 0;
	for (size_t i = 0; i < HEAD_FIELD(&x, sections); i++) {
		if (ext_entry_part(&x, i) == part)
			return ext_entry(&x, i).n;
	}
	return 0;
}

/* Stores entry i, whose section was checked, as a known section. */
static int ext_take_section(struct ext *x, size_t i, struct ext_section s)
{
	size_t at = sizeof(struct gmon_ext_head) + i * sizeof(struct gmon_ext_section);
	unsigned part = ext_entry_part(x, i);

	if (part == EXT_PARTS)
		return 0;
	if (x->parts[part].is_there)
		return ext_ignore(x->expected, "a second section %s, at byte %zu",
				  ext_parts[part].tag, at);
	if (s.record < ext_parts[part].least || (part == EXT_STRINGS && s.record > 1))
		return ext_ignore(x->expected,
				  "section %s, at byte %zu, has records of %" PRIu32
				  " bytes instead of %u",
				  ext_parts[part].tag, at, s.record, ext_parts[part].least);
	x->in.at = (size_t)s.offset;
	s.bytes = cursor_take(&x->in, s.n * s.record, "section");
	x->parts[part] = s;
	return 0;
}

/* Checks that the section of entry i is inside of the file, after the table. */
static int ext_check_section(const struct ext *x, size_t i, uint64_t table_end)
{
	const struct ext_section s = ext_entry(x, i);
	size_t at = sizeof(struct gmon_ext_head) + i * sizeof(struct gmon_ext_section);
	uint64_t bytes;

	if (s.offset % 8 != 0 || s.offset < table_end || s.offset > x->in.size)
		return ext_ignore(x->expected,
				  "the section listed at byte %zu begins at byte %" PRIu64 ", %s",
				  at, s.offset,
				  s.offset % 8 != 0      ? "no multiple of 8"
				  : s.offset < table_end ? "in the table"
							 : "after the end");
	if (__builtin_mul_overflow(s.n, s.record, &bytes) || bytes > x->in.size - s.offset)
		return ext_ignore(x->expected,
				  "the section listed at byte %zu says it has %" PRIu64
				  " records of %" PRIu32 " bytes, more than the file",
				  at, s.n, s.record);
	return 0;
}

static int ext_order_sections(uint32_t i, uint32_t k, const void *x)
{
	uint64_t a = ext_entry(x, i).offset, b = ext_entry(x, k).offset;

	return (a > b) - (a < b);
}

/* Checks that no two sections overlap; all are known to be inside of the file. */
static int ext_check_overlap(const struct ext *x, size_t n)
{
	struct arena scratch = arena_scratch(x->mem);
	uint32_t *by_offset = arena_array(&scratch, uint32_t, n);
	uint64_t end = 0, overlap = 0;

	for (uint32_t i = 0; i < n; i++)
		by_offset[i] = i;
	sort_ids(by_offset, n, ext_order_sections, x, &scratch);
	for (size_t i = 0; i < n && overlap == 0; i++) {
		const struct ext_section s = ext_entry(x, by_offset[i]);

		if (s.n * s.record == 0)
			continue;
		overlap = s.offset < end ? s.offset : 0;
		end = s.offset + s.n * s.record;
	}
	arena_free(&scratch);
	if (overlap == 0)
		return 0;
	return ext_ignore(x->expected, "two sections overlap at byte %" PRIu64, overlap);
}

static int ext_read_table(struct ext *x)
{
	uint64_t n = HEAD_FIELD(x, sections);
	uint64_t end = sizeof(struct gmon_ext_head) + n * sizeof(struct gmon_ext_section);

	if (end > x->in.size)
		return ext_ignore(x->expected,
				  "says at byte %zu that it has %" PRIu64
				  " sections, for which it is too short",
				  offsetof(struct gmon_ext_head, sections), n);
	for (size_t i = 0; i < n; i++) {
		if (ext_check_section(x, i, end) < 0)
			return -1;
	}
	if (ext_check_overlap(x, n) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (ext_take_section(x, i, ext_entry(x, i)) < 0)
			return -1;
	}
	return 0;
}

/* Checks that the first string is "" and the last one ends; copies the strings to mem. */
static int ext_read_strings(struct ext *x)
{
	const struct ext_section *s = &x->parts[EXT_STRINGS];
	char *texts;

	if (s->n == 0)
		return 0;
	if (s->bytes[0] != 0 || s->bytes[s->n - 1] != 0)
		return ext_ignore(x->expected, "the strings do not %s with a 0, at byte %" PRIu64,
				  s->bytes[0] != 0 ? "begin" : "end",
				  ext_at(s, s->bytes[0] != 0 ? 0 : s->n - 1));
	texts = arena_array(x->mem, char, s->n);
	memcpy(texts, s->bytes, s->n);
	x->source.strings = texts;
	x->source.nstrings = s->n;
	return 0;
}

int ext_bad_index(const struct ext *x, enum ext_part part, uint64_t i, const char *what,
		  uint64_t index)
{
	return ext_ignore(x->expected,
			  "the record at byte %" PRIu64 " of %s refers to %s %" PRIu64
			  ", which does not exist",
			  ext_at(&x->parts[part], i), ext_parts[part].tag, what, index);
}

int ext_bad_text(const struct ext *x, enum ext_part part, uint64_t i, size_t field)
{
	const struct ext_section *s = &x->parts[part];

	return ext_ignore(x->expected,
			  "the record at byte %" PRIu64 " refers to byte %" PRIu64
			  " of the strings, which have %" PRIu64 " bytes",
			  ext_at(s, i),
			  cursor_bytes_uint(s->bytes + i * s->record + field, 4, x->in.big_endian),
			  x->parts[EXT_STRINGS].n);
}

int ext_open(struct ext *x, const unsigned char *bytes, const struct ext_expected *expected,
	     struct arena *mem)
{
	*x = ext_begin(bytes, (size_t)expected->size, expected);
	x->mem = mem;
	if (ext_check_head(x) < 0 || ext_read_table(x) < 0)
		return -1;
	x->source.big_endian = x->in.big_endian;
	for (int part = 0; part < EXT_PARTS; part++) {
		if (x->parts[part].n >= GMON_EXT_NONE)
			return ext_ignore(expected,
					  "section %s has more records than an index can count",
					  ext_parts[part].tag);
	}
	return ext_read_strings(x);
}

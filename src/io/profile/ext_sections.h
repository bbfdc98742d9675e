/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens a file of the format gmon_ext.h: its head, its table of sections, its strings. Anything
 * wrong is a warning that names the byte, and the whole file is ignored.
 */
#ifndef IO_PROFILE_EXT_SECTIONS_H
#define IO_PROFILE_EXT_SECTIONS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "gmon_ext.h"
#include "io/profile/ext_fields.h"
#include "model/target.h"

#include <stdbool.h>
#include <stddef.h>

/* What the file must agree with. */
struct ext_expected {
	const struct target *target;
	uint64_t stamp; /* stamp of the profile */
	uint64_t size;  /* size of the file in bytes */
	const char *name;
	struct diag *diag;
};

/*
 * Returns the stamp of a profile with these bytes; or, if `before` is the stamp of earlier bytes,
 * of all bytes together. Linear.
 */
uint64_t ext_stamp(uint64_t before, const unsigned char *bytes, size_t size);

/* Whether a file that begins with these bytes has this format. */
bool ext_has_magic(const unsigned char *bytes, size_t size);

/*
 * Checks whether the file that begins with these n bytes, at least a head, is the expected one.
 * Returns 0, or -1 after a warning.
 */
int ext_check(const unsigned char *bytes, size_t n, const struct ext_expected *expected);

/* Whether the file that begins with these bytes has this format, and this stamp. */
bool ext_belongs(const unsigned char *bytes, size_t n, uint64_t stamp);

/* The known sections, in the order in which they are written. */
enum ext_part {
#define EXT_SECTION(PART, tag, bytes, least, scope) EXT_##PART,
#include "io/profile/gmon_ext.def"
	EXT_PARTS
};

/*
 * Which files have a section: all; those with call stacks; those with calls and ticks of modules;
 * those that have a record for it.
 */
enum ext_scope { EXT_ALWAYS, EXT_OF_STACKS, EXT_OF_OBJECTS, EXT_IF_ANY };

/*
 * The format of a section: the size of a record as in gmon_ext.h, and the smallest size that is
 * accepted, in bytes.
 */
struct ext_part_format {
	char tag[5];
	unsigned bytes, least;
	enum ext_scope scope;
};

extern const struct ext_part_format ext_parts[EXT_PARTS];

/*
 * Returns how many records the table in these n bytes, the first ones of a file, says that a
 * section has; 0: none, or no such table is in them. Nothing else is checked. Linear in sections.
 */
uint64_t ext_listed_records(const unsigned char *bytes, size_t n, enum ext_part part);

/*
 * A section of the file; all its records are inside of the file. All zero: the file has no such
 * section.
 */
struct ext_section {
	bool is_there;
	uint64_t offset, n;
	uint32_t record;            /* bytes of a record, at least the smallest accepted size */
	const unsigned char *bytes; /* the records */
};

struct recorded;

/* A file that is being read. */
struct ext {
	struct cursor in;
	const struct ext_expected *expected;
	struct recorded *rec; /* the result, which ext_read.c sets */
	struct arena *mem;
	struct ext_source source; /* the byte order, and the strings, which are in mem */
	struct ext_section parts[EXT_PARTS];
};

/*
 * Opens the file of expected->size bytes: checks the head, the table of sections and the strings,
 * and that no section has more records than an index of 32 bits can count. Returns 0, or -1 with a
 * warning. n log n in sections, linear in strings.
 */
int ext_open(struct ext *x, const unsigned char *bytes, const struct ext_expected *expected,
	     struct arena *mem);

/* Warns that the file is ignored, and why, in less than 200 bytes. Returns -1. */
int ext_ignore(const struct ext_expected *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Warns that record i of a section refers to `what` number `index`, which does not exist. Returns
 * -1.
 */
int ext_bad_index(const struct ext *x, enum ext_part part, uint64_t i, const char *what,
		  uint64_t index);

/* Returns the offset in the file of record i. */
uint64_t ext_at(const struct ext_section *s, uint64_t i);

/*
 * Warns that record i refers to a string beyond the end of the strings; `field` is the offset of
 * that field in the record. Returns -1.
 */
int ext_bad_text(const struct ext *x, enum ext_part part, uint64_t i, size_t field);

#endif

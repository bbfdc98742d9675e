/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a file of the format gmon_ext.h is made of: its head, its table of sections, its strings.
 * Whatever is wrong is a warning that names the byte, and the whole file is ignored.
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

/* What the file has to fit. */
struct ext_expected {
	const struct target *target;
	uint64_t stamp; /* of the profile */
	uint64_t size;  /* of the file */
	const char *name;
	struct diag *diag;
};

/* The stamp of a profile of these bytes, or of what follows those of a stamp. Linear. */
uint64_t ext_stamp(uint64_t before, const unsigned char *bytes, size_t size);

/* Whether a file that begins with these bytes is of this format. */
bool ext_has_magic(const unsigned char *bytes, size_t size);

/*
 * Whether the file that begins with these n bytes, at least its head, can be what is expected. 0,
 * or -1 with a warning.
 */
int ext_check(const unsigned char *bytes, size_t n, const struct ext_expected *expected);

/* The sections that are known, in the order in which they are written. */
enum ext_part {
#define EXT_SECTION(PART, tag, bytes, least, scope) EXT_##PART,
#include "io/profile/gmon_ext.def"
	EXT_PARTS
};

/* Which files have a section. */
enum ext_scope { EXT_ALWAYS, EXT_OF_STACKS, EXT_OF_OBJECTS, EXT_IF_ANY };

/* What a section is. Bytes are those of a record: as gmon_ext.h has it, and the fewest accepted. */
struct ext_part_format {
	char tag[5];
	unsigned bytes, least;
	enum ext_scope scope;
};

extern const struct ext_part_format ext_parts[EXT_PARTS];

/* The records of a section, all of which are in the file; none if there is no such section. */
struct ext_section {
	bool is_there;
	uint64_t offset, n;
	uint32_t record;            /* bytes, at least as many as are known */
	const unsigned char *bytes; /* of all */
};

struct recorded;

/* A file that is being read. */
struct ext {
	struct cursor in;
	const struct ext_expected *expected;
	struct recorded *rec; /* what it is read into: for ext_read.c */
	struct arena *mem;
	struct ext_source source; /* its strings are in mem */
	struct ext_section parts[EXT_PARTS];
};

/*
 * Opens the file of that many bytes: head, table and strings are checked, and no section has more
 * records than an index of 32 bits can tell. 0, or -1 with a warning. n log n in sections, linear
 * in strings.
 */
int ext_open(struct ext *x, const unsigned char *bytes, const struct ext_expected *expected,
	     struct arena *mem);

/* Says why the file is ignored, in less than 200 bytes. Always -1. */
int ext_ignore(const struct ext_expected *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same of record i of a section, which refers to an index that is of no record. */
int ext_bad_index(const struct ext *x, enum ext_part part, uint64_t i, const char *what,
		  uint64_t index);

/* Where record i of the section begins. */
uint64_t ext_at(const struct ext_section *s, uint64_t i);

/* The same of a record whose string is outside of the strings: the one at that byte of it. */
int ext_bad_text(const struct ext *x, enum ext_part part, uint64_t i, size_t field);

#endif

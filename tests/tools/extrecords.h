/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of gmon_ext.h to and from bytes of either order, by the fields that gmon_ext.def lists.
 */
#ifndef TESTS_TOOLS_EXTRECORDS_H
#define TESTS_TOOLS_EXTRECORDS_H

#include "bytes.h"
#include "gmon_ext.h"

/* Sections in the order of the file: IN_STRINGS, IN_MODULES, ... */
enum ext_section_id {
#define EXT_SECTION(PART, tag, bytes, least, scope) IN_##PART,
#include "io/profile/gmon_ext.def"
	IN_PARTS
};

struct ext_record_field {
	unsigned at, width; /* width: 1, 2, 4, 8, or any of an array of bytes */
};

struct ext_record {
	unsigned bytes, nfields;
	const struct ext_record_field *fields; /* in their order; together all of the record */
};

/* Each section's record, and its tag. */
extern const struct ext_record ext_records[IN_PARTS];
extern const char *const ext_tags[IN_PARTS];

/* Appends the struct of gmon_ext.h that is the record of that section, in the order of b->big. */
void extrecords_put(struct bytes *b, enum ext_section_id id, const void *record);

/* Reads the `bytes` at `at` into the struct, whose fields beyond that are zeros. */
void extrecords_get(const struct bytes *b, size_t at, size_t bytes, enum ext_section_id id,
		    void *record);

#endif

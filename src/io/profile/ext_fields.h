/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of gmon_ext.h, decoded field by field as gmon_ext.def lists them; nothing is checked. */
#ifndef IO_PROFILE_EXT_FIELDS_H
#define IO_PROFILE_EXT_FIELDS_H

#include "base/cursor.h"
#include "gmon_ext.h"
#include "model/recorded.h"

#include <stddef.h>

/* The strings that records refer to, and the byte order. */
struct ext_source {
	bool big_endian;
	const char *strings; /* ends with NUL; at least "" */
	uint64_t nstrings;   /* length in bytes */
};

/*
 * Returns the string at an offset, which lives as long as `strings`; NULL: the offset is beyond
 * their end.
 */
static inline const char *ext_source_string(const struct ext_source *from, uint64_t offset)
{
	return offset == 0 || offset < from->nstrings ? from->strings + offset : NULL;
}

#define EXT_FIELD_END(record, field)                 \
	(offsetof(struct gmon_ext_##record, field) + \
	 sizeof(((struct gmon_ext_##record *)NULL)->field))

/* The number in a field of the record at p; 0 if the `bytes` of the record end before the field. */
#define EXT_NUMBER_AT(p, bytes, record, field, big_endian)                              \
	(EXT_FIELD_END(record, field) <= (bytes)                                        \
		 ? cursor_bytes_uint((p) + offsetof(struct gmon_ext_##record, field),   \
				     sizeof(((struct gmon_ext_##record *)NULL)->field), \
				     (big_endian))                                      \
		 : 0)

/*
 * void ext_get_RECORD(TYPE *to, const unsigned char *p, size_t bytes, const struct ext_source
 * *from)
 *
 * Defined for each record: decodes the `bytes` at p into *to, which is all zero. Fields after the
 * end of the record stay 0, or are "". A string whose offset is wrong is NULL.
 */
#define EXT_BEGIN(record, type)                                                             \
	static inline void ext_get_##record(type *to, const unsigned char *p, size_t bytes, \
					    const struct ext_source *from)                  \
	{
#define EXT_FIELD(how, record, field, member, argument) EXT_GET_##how(record, field, member)
#define EXT_GET_NUMBER(record, field, member) \
	to->member =                          \
		(__typeof__(to->member))EXT_NUMBER_AT(p, bytes, record, field, from->big_endian);
#define EXT_GET_TEXT(record, field, member) \
	to->member =                        \
		ext_source_string(from, EXT_NUMBER_AT(p, bytes, record, field, from->big_endian));
#define EXT_GET_BYTES(record, field, member)                                      \
	if (EXT_FIELD_END(record, field) <= bytes)                                \
		memcpy(to->member, p + offsetof(struct gmon_ext_##record, field), \
		       sizeof(((struct gmon_ext_##record *)NULL)->field));
#define EXT_GET_ZEROS(record, field, member)
#define EXT_GET_INDEX         EXT_GET_NUMBER
#define EXT_GET_INDEX_OR_NONE EXT_GET_NUMBER
#define EXT_GET_QUALITY       EXT_GET_NUMBER
#define EXT_GET_ADDRESS       EXT_GET_NUMBER
#define EXT_GET_TOTAL         EXT_GET_NUMBER
#define EXT_GROUP(record, last)                  \
	if (bytes < EXT_FIELD_END(record, last)) \
		bytes = 0;
#define EXT_END(record) }
#include "io/profile/gmon_ext.def"

/*
 * Checks that each field of a struct has a row in gmon_ext.def: else nobody would write its bytes.
 */
#define EXT_BEGIN(record, type) _Static_assert(0
#define EXT_FIELD(how, record, field, member, argument) \
	+sizeof(((struct gmon_ext_##record *)NULL)->field)
#define EXT_END(record)                      \
	== sizeof(struct gmon_ext_##record), \
		"gmon_ext.def lists all fields of gmon_ext_" #record);
#include "io/profile/gmon_ext.def"

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extrecords.h"

#include <stddef.h>
#include <string.h>

#define EXT_BEGIN(record, type) static const struct ext_record_field fields_of_##record[] = {
#define EXT_FIELD(how, record, field, member, argument) \
	{ offsetof(struct gmon_ext_##record, field),    \
	  sizeof(((struct gmon_ext_##record *)NULL)->field) },
#define EXT_END(record) \
	}               \
	;
#include "io/profile/gmon_ext.def"

#define RECORD(record)                                                              \
	{                                                                           \
		sizeof(struct gmon_ext_##record),                                   \
			sizeof(fields_of_##record) / sizeof(fields_of_##record[0]), \
			fields_of_##record                                          \
	}
static const struct ext_record_field one_byte = { 0, 1 };
const struct ext_record ext_records[IN_PARTS] = {
	[IN_STRINGS] = { 1, 1, &one_byte },
	[IN_SUM] = RECORD(sum),
#define EXT_ARRAY(PART, record, array) [IN_##PART] = RECORD(record),
#include "io/profile/gmon_ext.def"
};

const char *const ext_tags[IN_PARTS] = {
#define EXT_SECTION(PART, tag, bytes, least, scope) [IN_##PART] = tag,
#include "io/profile/gmon_ext.def"
};

/* The struct itself, as bytes of this machine's order. */
static struct bytes own_bytes(const void *record, enum ext_section_id id)
{
	return (struct bytes){ .data = (unsigned char *)record,
			       .n = ext_records[id].bytes,
			       .big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };
}

static bool is_number(unsigned width)
{
	return width == 1 || width == 2 || width == 4 || width == 8;
}

void extrecords_put(struct bytes *b, enum ext_section_id id, const void *record)
{
	const struct bytes from = own_bytes(record, id);

	for (unsigned i = 0; i < ext_records[id].nfields; i++) {
		const struct ext_record_field *field = &ext_records[id].fields[i];

		if (is_number(field->width))
			bytes_put(b, bytes_get(&from, field->at, field->width), field->width);
		else
			bytes_add(b, from.data + field->at, field->width);
	}
}

void extrecords_get(const struct bytes *b, size_t at, size_t bytes, enum ext_section_id id,
		    void *record)
{
	struct bytes to = own_bytes(record, id);

	memset(record, 0, to.n);
	for (unsigned i = 0; i < ext_records[id].nfields; i++) {
		const struct ext_record_field *field = &ext_records[id].fields[i];

		if (field->at + field->width > bytes)
			break;
		if (is_number(field->width))
			bytes_set(&to, field->at, bytes_get(b, at + field->at, field->width),
				  field->width);
		else if (at + field->at + field->width <= b->n)
			memcpy(to.data + field->at, b->data + at + field->at, field->width);
	}
}

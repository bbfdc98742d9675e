/* SPDX-License-Identifier: MIT */
/* The object at an address. See identity.h. */
#include "record/identity.h"

#include <sys/uio.h>

#include "base/stamp.h"
#include "base/text.h"
#include "unwind/find_object.h"

enum { IDENTITY_NAME_BYTES = 256 /* of a name, to recognize it by */ };

bool identity_can_ask(void)
{
	return find_object;
}

bool identity_ask(struct identity_found *found, uintptr_t address)
{
	struct find_object object;

	if (!find_object || find_object((void *)address, &object) != 0)
		return false;
	found->start = (uintptr_t)object.low;
	return loaded_copy(&found->record, (uintptr_t)object.map, sizeof(found->record));
}

/* Bytes that recognize a name: its first ones, with the end if it is among them. */
static uint32_t identity_name_bytes(uintptr_t name)
{
	char room[IDENTITY_NAME_BYTES];
	struct text text = text_in(room, sizeof(room));

	loaded_string(&text, name);
	return (uint32_t)text.length + !text.full;
}

/* The print of what was found at a place, with so many bytes of its name. False: it is gone. */
static bool identity_fingerprint(const struct identity_found *found, const struct loaded *place,
				 uint32_t name_bytes, uint64_t *print)
{
	unsigned char bytes[IDENTITY_NAME_BYTES + GMON_EXT_BUILD_ID_BYTES];
	const struct iovec pieces[] = {
		{ (void *)found->record.name, name_bytes },
		{ (void *)place->build_id, place->build_id_bytes },
	};

	if (!loaded_gather(bytes, pieces, sizeof(pieces) / sizeof(pieces[0])))
		return false;
	*print = stamp_add(GMON_EXT_STAMP_START, &found->record.bias, sizeof(found->record.bias));
	*print = stamp_add(*print, &found->record.dynamic, sizeof(found->record.dynamic));
	*print = stamp_add(*print, bytes, pieces[0].iov_len + pieces[1].iov_len);
	return true;
}

bool identity_take(struct identity *identity, const struct loaded *place,
		   const struct identity_found *found)
{
	identity->name = found->record.name;
	identity->name_bytes = identity_name_bytes(identity->name);
	if (!identity_fingerprint(found, place, identity->name_bytes, &identity->fingerprint))
		return false;
	identity->start = found->start;
	return true;
}

bool identity_is(const struct identity *identity, const struct loaded *place,
		 const struct identity_found *found)
{
	uint64_t print;

	return found->start == identity->start &&
	       identity_fingerprint(found, place, identity->name_bytes, &print) &&
	       print == identity->fingerprint;
}

bool identity_is_there(const struct identity *identity, const struct loaded *place)
{
	struct identity_found found;

	return !identity->start ||
	       (identity_ask(&found, place->low) && identity_is(identity, place, &found));
}

bool identity_equal(const struct identity *a, const struct identity *b)
{
	return a->start && a->start == b->start && a->fingerprint == b->fingerprint;
}

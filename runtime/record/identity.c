/* SPDX-License-Identifier: MIT */
/* The object at an address. See identity.h. */
#include "record/identity.h"

#include <dlfcn.h>
#include <sys/uio.h>

#include "base/stamp.h"
#include "base/text.h"

enum { IDENTITY_NAME_BYTES = 256 /* of a name, to recognize it by */ };

#if defined(DLFO_STRUCT_HAS_EH_DBASE)
#pragma weak _dl_find_object

/* Where the loader has an object at an address, and its record of it. */
static bool identity_find(uintptr_t address, uintptr_t *start, uintptr_t *record)
{
	struct dl_find_object found;

	if (!_dl_find_object || _dl_find_object((void *)address, &found) != 0)
		return false;
	*start = (uintptr_t)found.dlfo_map_start;
	*record = (uintptr_t)found.dlfo_link_map;
	return true;
}

bool identity_can_ask(void)
{
	return _dl_find_object;
}
#else
static bool identity_find(uintptr_t address, uintptr_t *start, uintptr_t *record)
{
	(void)address, (void)start, (void)record;
	return false;
}

bool identity_can_ask(void)
{
	return false;
}
#endif

bool identity_ask(struct identity_found *found, uintptr_t address)
{
	uintptr_t record;

	return identity_find(address, &found->start, &record) &&
	       loaded_copy(&found->record, record, sizeof(found->record));
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
static bool identity_print(const struct identity_found *found, const struct loaded *place,
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
	if (!identity_print(found, place, identity->name_bytes, &identity->print))
		return false;
	identity->start = found->start;
	return true;
}

bool identity_is(const struct identity *identity, const struct loaded *place,
		 const struct identity_found *found)
{
	uint64_t print;

	return found->start == identity->start &&
	       identity_print(found, place, identity->name_bytes, &print) &&
	       print == identity->print;
}

bool identity_is_there(const struct identity *identity, const struct loaded *place)
{
	struct identity_found found;

	return !identity->start ||
	       (identity_ask(&found, place->low) && identity_is(identity, place, &found));
}

bool identity_equal(const struct identity *a, const struct identity *b)
{
	return a->start && a->start == b->start && a->print == b->print;
}

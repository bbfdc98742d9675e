/* SPDX-License-Identifier: MIT */
/* Recognizing objects. See identity.h. */
#include "record/identity.h"

#include "base/readable.h"
#include "base/stamp.h"
#include "base/text.h"
#include "state.h"
#include "unwind/find_object.h"

enum { IDENTITY_NAME_BYTES = 256 /* the most bytes of a name that are compared */ };

#ifdef __x86_64__
/* Registers that may hold arguments of a call that is being counted, and that a C library, unlike
 * libgmon, may change: as XSAVE has them, or FXSAVE where that is not known. */
enum { IDENTITY_VECTORS = 2752, IDENTITY_HEAD = 512, IDENTITY_HEAD_BYTES = 64 };
struct identity_vectors {
	_Alignas(64) unsigned char bytes[IDENTITY_VECTORS];
};

/* x87, SSE, AVX and AVX-512, as far as the kernel has switched them on. */
enum { IDENTITY_PARTS = 0xe7 };

enum identity_saving { IDENTITY_UNKNOWN, IDENTITY_XSAVE, IDENTITY_FXSAVE };

/* The processor is asked once: a virtual one may take ten microseconds to answer. */
static bool identity_has_xsave(void)
{
	enum { LEAF = 1, OSXSAVE = 1 << 27 };
	uint8_t saving = __atomic_load_n(&gmon.saving, __ATOMIC_RELAXED);
	uint32_t a = LEAF, b, c = 0, d;

	if (saving == IDENTITY_UNKNOWN) {
		__asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
		saving = c & OSXSAVE ? IDENTITY_XSAVE : IDENTITY_FXSAVE;
		__atomic_store_n(&gmon.saving, saving, __ATOMIC_RELAXED);
	}
	return saving == IDENTITY_XSAVE;
}

static int identity_find(uintptr_t address, struct find_object *object)
{
	struct identity_vectors vectors; /* no initializer: that would be a call of memset() */
	const bool xsave = identity_has_xsave();
	int result;

	for (int i = 0; i < IDENTITY_HEAD_BYTES; i++)
		*(volatile unsigned char *)&vectors.bytes[IDENTITY_HEAD + i] = 0;
	if (xsave)
		__asm__ volatile("xsave64 %0" : "+m"(vectors) : "a"(IDENTITY_PARTS), "d"(0));
	else
		__asm__ volatile("fxsave64 %0" : "+m"(vectors));
	result = find_object(address, object);
	if (xsave)
		__asm__ volatile("xrstor64 %0" : : "m"(vectors), "a"(IDENTITY_PARTS), "d"(0));
	else
		__asm__ volatile("fxrstor64 %0" : : "m"(vectors));
	return result;
}
#else
static int identity_find(uintptr_t address, struct find_object *object)
{
	return find_object(address, object);
}
#endif

bool identity_ask(struct identity_found *found, uintptr_t address)
{
	struct find_object object;

	if (!find_object || identity_find(address, &object) != 0)
		return false;
	found->start = object.low;
	return readable_copy(&found->record, object.map, sizeof(found->record));
}

/* Computes the fingerprint of the object that was found. False: it has just been unloaded. */
static bool identity_fingerprint(const struct identity_found *found, const struct loaded *loaded,
				 uint32_t name_bytes, uint64_t *fingerprint)
{
	unsigned char bytes[IDENTITY_NAME_BYTES + GMON_EXT_BUILD_ID_BYTES];
	const struct readable_part parts[] = {
		{ found->record.name, name_bytes },
		{ loaded->build_id, loaded->build_id_bytes },
	};

	if (!readable_gather(bytes, parts, sizeof(parts) / sizeof(parts[0])))
		return false;
	*fingerprint =
		stamp_add(GMON_EXT_STAMP_START, &found->record.bias, sizeof(found->record.bias));
	*fingerprint =
		stamp_add(*fingerprint, &found->record.dynamic, sizeof(found->record.dynamic));
	*fingerprint = stamp_add(*fingerprint, bytes, parts[0].n + parts[1].n);
	return true;
}

bool identity_take(struct identity *identity, const struct loaded *loaded,
		   const struct identity_found *found)
{
	char room[IDENTITY_NAME_BYTES];
	struct text name = text_in(room, sizeof(room));

	identity->name = found->record.name;
	/* The NUL at the end is compared, too, if the name is short enough. */
	readable_string(&name, identity->name);
	identity->name_bytes = (uint32_t)name.length + !name.full;
	if (!identity_fingerprint(found, loaded, identity->name_bytes, &identity->fingerprint))
		return false;
	identity->start = found->start;
	return true;
}

bool identity_is(const struct identity *identity, const struct loaded *loaded,
		 const struct identity_found *found)
{
	uint64_t fingerprint;

	return found->start == identity->start &&
	       identity_fingerprint(found, loaded, identity->name_bytes, &fingerprint) &&
	       fingerprint == identity->fingerprint;
}

bool identity_is_there(const struct identity *identity, const struct loaded *loaded)
{
	struct identity_found found;

	return !identity->start ||
	       (identity_ask(&found, loaded->low) && identity_is(identity, loaded, &found));
}

bool identity_equal(const struct identity *a, const struct identity *b)
{
	return a->start && a->start == b->start && a->fingerprint == b->fingerprint;
}

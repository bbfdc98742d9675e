/* SPDX-License-Identifier: MIT */
/* Finding objects. See eh_objects.h. */
#include "unwind/eh_objects.h"

#include <registers.h>

#if ARCH_UNWINDS
#include <link.h>
#include <sys/auxv.h>

#include "base/sys.h"
#include "unwind/eh_index.h"

static int eh_objects_add(struct dl_phdr_info *info, size_t size, void *context)
{
	struct eh_starts *starts = context;
	struct eh_object *object = &starts->at[starts->n];
	bool program = info->dlpi_phdr == (const void *)getauxval(AT_PHDR);
	uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
	bool found;

	(void)size;
	if (starts->n == EH_STARTS)
		return 1;
	found = ehframe_open(object, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum);
	if (!found && program)
		found = eh_index_make(object, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum);
	if (found || program) {
		starts->stays[starts->n] =
			program || vdso - object->low < object->high - object->low;
		starts->n++;
	}
	return 0;
}

struct eh_starts *eh_objects_start(void)
{
	struct eh_starts *starts = sys_memory(sizeof(*starts));
	const ElfW(Ehdr) *loader = (const void *)getauxval(AT_BASE);

	if (!starts)
		return NULL;
	starts->stack_top = getauxval(AT_RANDOM);
	starts->entry[0] = getauxval(AT_ENTRY);
	if (loader)
		starts->entry[1] = (uintptr_t)loader + loader->e_entry;
	dl_iterate_phdr(eh_objects_add, starts);
	return starts;
}

void eh_objects_begin(struct eh_objects *objects)
{
	objects->walk++;
	if (!objects->walk) { /* after 2^32 walks */
		for (uint32_t i = 0; i < EH_KNOWN; i++)
			objects->in[i] = 0;
		objects->walk = 1;
	}
}

static bool eh_objects_has(const struct eh_object *object, uintptr_t at)
{
	return at - object->low < object->high - object->low;
}

static const struct eh_object *eh_objects_take(struct eh_objects *objects, uint32_t i)
{
	objects->in[i] = objects->walk;
	objects->last = i;
	return &objects->at[i];
}

/* Not an assignment: that may become a call of the C library's memcpy(). */
static void eh_objects_copy(struct eh_object *to, const struct eh_object *from)
{
	uintptr_t *word = (void *)to;

	for (size_t i = 0; i < sizeof(*to) / sizeof(*word); i++)
		word[i] = ((const uintptr_t *)from)[i];
}

/* Empties the entry of the cache that is to be replaced; its index. */
static uint32_t eh_objects_evict(struct eh_objects *objects)
{
	uint32_t i = objects->next;

	objects->next = (i + 1) % EH_KNOWN;
	objects->in[i] = 0;
	return i;
}

/* Opens the object whose ELF header is at `low`. */
static bool eh_objects_open(struct eh_object *object, struct readable *readable, uintptr_t low)
{
	const ElfW(Ehdr) *head = (const void *)low;
	const ElfW(Phdr) * segment;
	size_t n;

	if (!readable_prove(readable, low, sizeof(*head)) || head->e_ident[EI_MAG0] != ELFMAG0 ||
	    head->e_ident[EI_MAG1] != ELFMAG1 || head->e_ident[EI_MAG2] != ELFMAG2 ||
	    head->e_ident[EI_MAG3] != ELFMAG3 || head->e_phentsize != sizeof(*segment) ||
	    head->e_phoff > 4096)
		return false;
	segment = (const void *)(low + head->e_phoff);
	n = head->e_phnum;
	if (n > 4096 / sizeof(*segment) ||
	    !readable_prove(readable, (uintptr_t)segment, n * sizeof(*segment)))
		return false;
	for (size_t i = 0; i < n; i++)
		if (segment[i].p_type == PT_LOAD && segment[i].p_offset == 0) {
			ehframe_open(object, low - segment[i].p_vaddr, segment, n);
			return true;
		}
	return false;
}

/* An object that find_object() has found. NULL: its headers are not valid. */
static const struct eh_object *eh_objects_found(struct eh_objects *objects,
						struct readable *readable,
						const struct find_object *found)
{
	uint32_t i;

	for (i = 0; i < EH_KNOWN; i++) {
		const struct eh_object *object = &objects->at[i];

		if (object->low == (uintptr_t)found->low && object->header == found->header &&
		    object->header && object->fingerprint == ehframe_fingerprint(object))
			return eh_objects_take(objects, i);
	}
	i = eh_objects_evict(objects);
	if (!eh_objects_open(&objects->at[i], readable, (uintptr_t)found->low))
		return NULL;
	return eh_objects_take(objects, i);
}

/* Whether an object of the start is still loaded. */
static bool eh_objects_stays(const struct eh_starts *starts, uint32_t i, struct readable *readable)
{
	const struct eh_object *object = &starts->at[i];

	return starts->stays[i] ||
	       (object->header && readable_prove(readable, (uintptr_t)object->header, 32) &&
		object->fingerprint == ehframe_fingerprint(object));
}

const struct eh_object *eh_objects_find(struct eh_objects *objects, const struct eh_starts *starts,
					struct readable *readable, uintptr_t at)
{
	struct find_object found;

	if (objects->in[objects->last] == objects->walk &&
	    eh_objects_has(&objects->at[objects->last], at))
		return &objects->at[objects->last];
	for (uint32_t i = 0; i < EH_KNOWN; i++)
		if (objects->in[i] == objects->walk && eh_objects_has(&objects->at[i], at))
			return eh_objects_take(objects, i);
	for (uint32_t i = 0; i < starts->n; i++)
		if (eh_objects_has(&starts->at[i], at) && eh_objects_stays(starts, i, readable)) {
			uint32_t entry = eh_objects_evict(objects);

			eh_objects_copy(&objects->at[entry], &starts->at[i]);
			return eh_objects_take(objects, entry);
		}
	if (find_object && find_object((void *)at, &found) == 0 && found.header)
		return eh_objects_found(objects, readable, &found);
	return NULL;
}
#endif

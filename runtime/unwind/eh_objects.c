/* SPDX-License-Identifier: MIT */
/* Finding objects. See eh_objects.h. */
#include "unwind/eh_objects.h"

#include <registers.h>

#if ARCH_UNWINDS
#include <link.h>
#include <sys/auxv.h>

#include "base/sys.h"
#include "unwind/eh_index.h"

typedef ElfW(Phdr) phdr;

/* What listing the objects needs. */
struct eh_objects_list {
	struct eh_starts *starts;
	struct readable readable;
	struct eh_headers headers;
};

/* Copies n program headers. NULL: they are too many, or cannot be read. */
static const phdr *eh_objects_segments(struct eh_headers *headers, uintptr_t at, size_t n)
{
	const size_t bytes = n * sizeof(phdr);

	return n <= sizeof(headers->bytes) / sizeof(phdr) &&
			       readable_copy(headers->bytes, at, bytes)
		       ? (const void *)headers->bytes
		       : NULL;
}

static int eh_objects_add(struct dl_phdr_info *info, size_t size, void *context)
{
	struct eh_objects_list *list = context;
	struct eh_starts *starts = list->starts;
	struct eh_object *object = &starts->at[starts->n];
	bool program = (uintptr_t)info->dlpi_phdr == getauxval(AT_PHDR);
	uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
	const phdr *segment;
	bool found;

	(void)size;
	if (starts->n == EH_STARTS)
		return 1;
	segment = eh_objects_segments(&list->headers, (uintptr_t)info->dlpi_phdr, info->dlpi_phnum);
	if (!segment)
		return 0;
	found = ehframe_open(object, info->dlpi_addr, segment, info->dlpi_phnum);
	if (!found && program)
		found = eh_index_make(object, &list->readable, info->dlpi_addr, segment,
				      info->dlpi_phnum);
	if (found || program) {
		starts->stays[starts->n] =
			program || vdso - object->low < object->high - object->low;
		starts->n++;
	}
	return 0;
}

struct eh_starts *eh_objects_start(void)
{
	struct eh_objects_list *list = sys_memory(sizeof(*list));
	struct eh_starts *starts = list ? sys_memory(sizeof(*starts)) : NULL;
	uintptr_t loader = getauxval(AT_BASE);
	ElfW(Ehdr) head;

	if (starts) {
		starts->stack_top = getauxval(AT_RANDOM);
		starts->thread = arch_thread();
		starts->entry[0] = getauxval(AT_ENTRY);
		if (loader && readable_copy(&head, loader, sizeof(head)))
			starts->entry[1] = loader + head.e_entry;
		list->starts = starts;
		dl_iterate_phdr(eh_objects_add, list);
	}
	if (list)
		sys_munmap(list, sizeof(*list));
	return starts;
}

void eh_objects_begin(struct eh_objects *objects)
{
	objects->last = NULL;
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
	objects->last = &objects->at[i];
	return objects->last;
}

/* Opens the object whose ELF header is at `low`. */
static bool eh_objects_open(struct eh_object *object, struct eh_headers *headers, uintptr_t low)
{
	const ElfW(Ehdr) *head = (const void *)headers->bytes;
	const phdr *segment;

	if (!readable_copy(headers->bytes, low, sizeof(headers->bytes)) ||
	    head->e_ident[EI_MAG0] != ELFMAG0 || head->e_ident[EI_MAG1] != ELFMAG1 ||
	    head->e_ident[EI_MAG2] != ELFMAG2 || head->e_ident[EI_MAG3] != ELFMAG3 ||
	    head->e_phentsize != sizeof(*segment) || head->e_phoff % sizeof(uintptr_t) ||
	    head->e_phoff > sizeof(headers->bytes) ||
	    head->e_phnum > (sizeof(headers->bytes) - head->e_phoff) / sizeof(*segment))
		return false;
	segment = (const void *)(headers->bytes + head->e_phoff);
	for (size_t i = 0; i < head->e_phnum; i++)
		if (segment[i].p_type == PT_LOAD && segment[i].p_offset == 0) {
			ehframe_open(object, low - segment[i].p_vaddr, segment, head->e_phnum);
			return true;
		}
	return false;
}

/* An object that find_object() has found. NULL: its headers are not valid. */
static const struct eh_object *eh_objects_found(struct eh_objects *objects,
						const struct find_object *found)
{
	uint32_t i;

	for (i = 0; i < EH_KNOWN; i++) {
		const struct eh_object *object = &objects->at[i];

		if (object->low == found->low && object->header == found->header &&
		    object->fingerprint == ehframe_fingerprint(object))
			return eh_objects_take(objects, i);
	}
	i = objects->next;
	objects->next = (i + 1) % EH_KNOWN;
	objects->in[i] = 0;
	if (!eh_objects_open(&objects->at[i], &objects->headers, found->low))
		return NULL;
	return eh_objects_take(objects, i);
}

/* Whether an object of the start is still what lies at an address. */
static bool eh_objects_stays(const struct eh_starts *starts, uint32_t i, uintptr_t at)
{
	struct find_object found;

	return starts->stays[i] || !find_object ||
	       (find_object(at, &found) == 0 && found.header == starts->at[i].header);
}

const struct eh_object *eh_objects_find(struct eh_objects *objects, const struct eh_starts *starts,
					uintptr_t at)
{
	struct find_object found;

	if (objects->last && eh_objects_has(objects->last, at))
		return objects->last;
	for (uint32_t i = 0; i < EH_KNOWN; i++)
		if (objects->in[i] == objects->walk && eh_objects_has(&objects->at[i], at))
			return eh_objects_take(objects, i);
	for (uint32_t i = 0; i < starts->n; i++)
		if (eh_objects_has(&starts->at[i], at) && eh_objects_stays(starts, i, at)) {
			objects->last = &starts->at[i];
			return objects->last;
		}
	if (find_object && find_object(at, &found) == 0 && found.header)
		return eh_objects_found(objects, &found);
	return NULL;
}
#endif

/* SPDX-License-Identifier: MIT */
/* The dynamic section of a loaded object. */
#ifndef BASE_DYNAMIC_H
#define BASE_DYNAMIC_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* The dynamic section of an object; NULL: it has none. */
static inline const ElfW(Dyn) * dynamic_section(const struct dl_phdr_info *info)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	return NULL;
}

/* The first entry with a tag in a dynamic section, or NULL; NULL: there is none. */
static inline const ElfW(Dyn) * dynamic_find(const ElfW(Dyn) * dynamic, int tag)
{
	for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == tag)
			return dynamic;
	return NULL;
}

/* The number in that entry; 0: there is none. */
static inline uintptr_t dynamic_number(const ElfW(Dyn) * dynamic, int tag)
{
	const ElfW(Dyn) *entry = dynamic_find(dynamic, tag);

	return entry ? entry->d_un.d_val : 0;
}

/* The address in that entry of an object that lies `bias` bytes from where it was linked: some
 * loaders relocate these, some do not. 0: there is none. */
static inline uintptr_t dynamic_address(const ElfW(Dyn) * dynamic, int tag, uintptr_t bias)
{
	const uintptr_t address = dynamic_number(dynamic, tag);

	return address && address < bias ? address + bias : address;
}

#endif

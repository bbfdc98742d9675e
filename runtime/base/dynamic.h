/* SPDX-License-Identifier: MIT */
/* The dynamic section of a loaded object. */
#ifndef BASE_DYNAMIC_H
#define BASE_DYNAMIC_H

#include <link.h>
#include <stddef.h>

/* The first entry with a tag in a loaded object's dynamic section; NULL: there is none. */
static inline const ElfW(Dyn) * dynamic_find(const struct dl_phdr_info *info, int tag)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Dyn) * dynamic;

		if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
			continue;
		dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
		for (; dynamic->d_tag != DT_NULL; dynamic++)
			if (dynamic->d_tag == tag)
				return dynamic;
	}
	return NULL;
}

#endif

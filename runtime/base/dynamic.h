/* SPDX-License-Identifier: MIT */
/* What an object tells the loader: its dynamic section. */
#ifndef BASE_DYNAMIC_H
#define BASE_DYNAMIC_H

#include <link.h>
#include <stddef.h>

/* The first entry with a tag, of an object that is loaded; NULL: it has none. */
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

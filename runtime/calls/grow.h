/* SPDX-License-Identifier: MIT */
/* Arrays that grow while an object is looked through. Async-signal-safe. */
#ifndef CALLS_GROW_H
#define CALLS_GROW_H

#include "base/sys.h"

/* Returns the array, of `*room` parts of `bytes` each, with room for more; NULL: no memory, and the
 * array stays. The caller unmaps it. */
static inline void *grow_array(void *array, size_t *room, size_t bytes)
{
	enum { FIRST = 4096 };
	const size_t more = *room ? 2 * *room : FIRST;
	void *grown = NULL;

	if (*room) {
		const long moved =
			SYS4(SYS_mremap, array, *room * bytes, more * bytes, MREMAP_MAYMOVE);

		if (!sys_failed(moved))
			grown = (void *)moved;
	} else {
		grown = sys_memory(more * bytes);
	}
	if (grown)
		*room = more;
	return grown;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code that ran at other addresses than its symbols have, as it had been copied. */
#ifndef MODEL_LOAD_ALIAS_H
#define MODEL_LOAD_ALIAS_H

#include "base/array.h"

#include <stdint.h>

/* The code at [run, run + bytes) is that of the symbols from `load` on; bytes is not 0. */
struct load_alias {
	uint64_t run, load, bytes;
};

/* No two have an address of `run` in common. */
typedef ARRAY(struct load_alias) load_aliases;

/* Returns the range that pc ran in; NULL: none. Linear. */
static inline const struct load_alias *load_alias_find(const load_aliases *aliases, uint64_t pc)
{
	for (size_t i = 0; i < aliases->n; i++) {
		if (pc - aliases->at[i].run < aliases->at[i].bytes)
			return &aliases->at[i];
	}
	return NULL;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection of symbols by name. Linear in symbols. */
#include "config.h"

#include "analysis/select.h"

#include <string.h>

/* The names under which C libraries keep the code that -pg makes a program call. */
static const char *const profiler_names[] = {
	"_gprof_mcount", "mcount", "_mcount", "__mcount", "__mcount_internal", "__mcleanup",
};

static bool is_profiler(const char *name)
{
	for (size_t i = 0; i < sizeof(profiler_names) / sizeof(profiler_names[0]); i++) {
		if (strcmp(name, profiler_names[i]) == 0)
			return true;
	}
	return false;
}

struct selection select_symbols(const struct symtab *symtab, struct arena *mem)
{
	struct bitset in = bitset_empty(mem, symtab->nsyms);
	struct bitset out = bitset_empty(mem, symtab->nsyms);

	for (sym_id s = 0; s < symtab->nsyms; s++)
		bitset_add(is_profiler(symtab->sym[s].name) ? out : in, s);
	return (struct selection){
		.flat = in,
		.graph_on = in,
		.graph_off = out,
		.time_on = in,
		.time_off = out,
	};
}

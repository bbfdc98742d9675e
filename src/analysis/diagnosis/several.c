/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/diagnosis/several.h"

static bool several_has(const struct recorded *rec, uint32_t module)
{
	return module != RECORDED_NONE && recorded_module_is_several(&rec->modules.at[module]);
}

struct object_facts several_facts(const struct recorded *rec)
{
	struct object_facts facts = { .nfiles = rec->nobjects,
				      .nlack = rec->nfiles + rec->nlack - rec->nobjects,
				      .ncalls = rec->ncalls,
				      .nticks = rec->bin_ticks };

	for (size_t i = 0; i < rec->arcs.n; i++) {
		const struct recorded_arc *arc = &rec->arcs.at[i];

		if (several_has(rec, arc->from_module) || several_has(rec, arc->self_module))
			facts.unknown_calls += arc->calls;
	}
	for (size_t i = 0; i < rec->bins.n; i++) {
		if (several_has(rec, rec->bins.at[i].module))
			facts.unknown_ticks += rec->bins.at[i].ticks;
	}
	return facts;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "export/compared.h"

#include <stdio.h>

const char *compared_verdict(enum difference_verdict verdict)
{
	return verdict == VERDICT_MORE ? "more" : verdict == VERDICT_LESS ? "less" : "noise";
}

const char *compared_more(const struct difference *d)
{
	return d->counted ? "with more" : "slower";
}

const char *compared_less(const struct difference *d)
{
	return d->counted ? "with fewer" : "faster";
}

const char *compared_unit(const struct difference *d)
{
	return d->normalized ? "%" : d->timed ? "s" : d->counted ? d->unit : "samples";
}

const char *compared_doubt(const struct difference *d, struct arena *mem)
{
	enum { BYTES = 200 };
	char *doubt;

	if (!difference_is_of_strangers(d))
		return NULL;
	doubt = arena_array(mem, char, BYTES);
	snprintf(
		doubt, BYTES,
		"Are these versions of one program? Functions that both have took %.0f %% of the time "
		"before, and %.0f %% now.",
		100.0 * d->common[SIDE_BASE], 100.0 * d->common[SIDE_NEW]);
	return doubt;
}

const char *compared_rule(enum difference_rule rule)
{
	static const char *const words[RULES] = { [RULE_NONE] = "none",
						  [RULE_NAME] = "name",
						  [RULE_SUFFIX] = "suffix",
						  [RULE_NUMBER] = "number",
						  [RULE_RENAMED] = "renamed" };

	return words[rule];
}

const char *compared_frame(const struct export_view *e, const struct stack_node *node)
{
	return node->function < e->difference->n ? e->difference->row[node->function].name
						 : "[not followed]";
}

double compared_per_run(const struct export_view *e, int side, uint64_t time)
{
	return (double)time / e->difference->total[side].nruns;
}

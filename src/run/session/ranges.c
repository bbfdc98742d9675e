/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/ranges.h"

#include "base/join.h"
#include "model/needs.h"

#include <inttypes.h>

/* Checks that the range is one, and that the samples have slices. */
static int ranges_check(const struct session *s, bool stacks)
{
	const struct range *range = &s->input->range;
	const struct profile *prof = &s->linked;
	const char *name = prof->files.n > 0 ? prof->files.at[prof->files.n - 1].name : "";

	if (range->has_to && range->to <= range->from) {
		diag_error(s->diag, "--from=%g --to=%g: no time is between them", range->from,
			   range->to);
		return -1;
	}
	if (needs_check(NEEDS_MEASURED, "", prof, s->diag) < 0)
		return -1;
	if (!stacks) {
		diag_error(s->diag, "--from and --to select call stacks, and %s uses none",
			   s->input->estimated ? "--estimated" : "-l");
		return -1;
	}
	if (range_is_possible(&prof->recorded, s->mem))
		return 0;
	diag_error(s->diag,
		   "%s: it was not recorded when samples were taken: GMON=stacks,slices=400 does, "
		   "as --run does by default",
		   name);
	return -1;
}

/* "from 1.20 to 2.40 s", with as many decimals as slices are exact. */
static const char *ranges_words(const struct range_chosen *chosen, struct arena *mem)
{
	int decimals = chosen->slice_s < 1.0 ? 2 : chosen->slice_s < 10.0 ? 1 : 0;

	return join_format(mem, "from %.*f to %.*f s", decimals, chosen->from, decimals,
			   chosen->to);
}

int ranges_choose(struct session *s, bool stacks)
{
	const struct range *range = &s->input->range;
	struct range_chosen chosen;
	uint64_t all;

	if (!range->has_from && !range->has_to)
		return 0;
	if (ranges_check(s, stacks) < 0)
		return -1;
	chosen = range_select(&s->linked.recorded, range, s->mem);
	all = chosen.ticks + chosen.timeless;
	if (chosen.from >= chosen.to) {
		diag_error(s->diag, "nothing was recorded from second %g on: the run ended at %.2f",
			   range->from, chosen.end);
		return -1;
	}
	s->range = ranges_words(&chosen, s->mem);
	s->range_s = chosen.to - chosen.from;
	s->clock.queued_ns = 0; /* it is known of the whole run only */
	if (chosen.timeless > 0 && all > 0)
		diag_note(s->diag, "left out: %" PRIu64 " sample%s whose time is not known",
			  chosen.timeless, chosen.timeless == 1 ? "" : "s");
	return 0;
}

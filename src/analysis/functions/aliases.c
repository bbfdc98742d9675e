/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile_map() moves histograms as a whole, so they are first divided where a range begins or
 * ends:
 *
 *     bins    | 0x20000000 .................. | 0x20001000 |    run 0x20000400, 0x200 bytes
 *     parts   | ...400 | 400..600 | 600...                  each moved on its own
 */
#include "config.h"

#include "analysis/functions/aliases.h"

#include <string.h>

struct aliases_move {
	const load_aliases *aliases;
	uint64_t shift;
};

static uint64_t aliases_move(uint64_t pc, const void *arg)
{
	const struct aliases_move *m = arg;
	const struct load_alias *alias = load_alias_find(m->aliases, pc);

	return alias ? alias->load + (pc - alias->run) : pc - m->shift;
}

/* Returns the address at which bin number `bin` begins. */
static uint64_t aliases_bin(const struct hist *hist, uint32_t bin)
{
	double width = (double)(hist->hi - hist->lo) / hist->nbins;

	return bin == hist->nbins ? hist->hi : hist->lo + (uint64_t)(width * bin);
}

/* Adds the parts of a histogram whose bins begin in the same range, or in none. */
static void aliases_divide(struct profile *to, const struct hist *hist, const load_aliases *aliases,
			   struct arena *mem)
{
	uint32_t from = 0;

	for (uint32_t bin = 1; bin <= hist->nbins; bin++) {
		const struct load_alias *in = load_alias_find(aliases, aliases_bin(hist, from));

		if (bin < hist->nbins && load_alias_find(aliases, aliases_bin(hist, bin)) == in)
			continue;
		array_push(mem, &to->hists) = (struct hist){ .lo = aliases_bin(hist, from),
							     .hi = aliases_bin(hist, bin),
							     .nbins = bin - from,
							     .ticks = hist->ticks + from };
		from = bin;
	}
}

/* Adds up histograms of the same range; ticks are shared with the profile, so a sum is a copy. */
static void aliases_join(struct profile *prof, struct arena *mem)
{
	size_t n = 0;

	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist hist = prof->hists.at[i];
		size_t same = 0;
		uint64_t *sum;

		while (same < n &&
		       (prof->hists.at[same].lo != hist.lo || prof->hists.at[same].hi != hist.hi ||
			prof->hists.at[same].nbins != hist.nbins))
			same++;
		if (same == n) {
			prof->hists.at[n++] = hist;
			continue;
		}
		sum = arena_array(mem, uint64_t, hist.nbins);
		for (uint32_t bin = 0; bin < hist.nbins; bin++)
			sum[bin] = prof->hists.at[same].ticks[bin] + hist.ticks[bin];
		prof->hists.at[same].ticks = sum;
	}
	prof->hists.n = n;
}

struct profile aliases_profile(const struct profile *prof, const load_aliases *aliases,
			       uint64_t shift, struct arena *mem)
{
	const struct aliases_move move = { aliases, shift };
	struct profile divided = *prof, moved;

	divided.hists.at = NULL;
	divided.hists.n = divided.hists.max = 0;
	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];

		if (hist->nbins == 0 || profile_is_unknown(prof, hist))
			array_push(mem, &divided.hists) = *hist;
		else
			aliases_divide(&divided, hist, aliases, mem);
	}
	moved = profile_map(&divided, aliases_move, &move, mem);
	aliases_join(&moved, mem);
	return moved;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/functions/shared_bins.h"

#include "analysis/functions/resolve.h"

/* Counts the symbols of a bin. */
static void shared_bins_take(const struct resolve_part *part, void *arg)
{
	*(uint32_t *)arg += part->symbol != SYM_NONE;
}

struct shared_bins shared_bins_of(const struct profile *prof, const struct symtab *symtab)
{
	struct shared_bins sum = { 0 };

	for (uint32_t h = 0; h < prof->hists.n; h++) {
		const struct hist *hist = &prof->hists.at[h];
		double bytes = RESOLVE_UNIT * profile_hist_scale(hist);
		bool wide = bytes > SHARED_BINS_NARROW;

		for (uint32_t i = 0; (i = profile_next_bin(hist, i)) < hist->nbins; i++) {
			uint32_t nsymbols = 0;

			if (wide)
				resolve_bin(prof, symtab, h, i, shared_bins_take, &nsymbols);
			if (!wide || nsymbols > 0)
				sum.all += hist->ticks[i];
			if (nsymbols < 2)
				continue;
			sum.ticks += hist->ticks[i];
			if (bytes > (double)sum.bytes)
				sum.bytes = (uint64_t)bytes;
		}
	}
	return sum;
}

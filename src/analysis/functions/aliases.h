/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves the addresses of a profile to those that the program's symbols have. */
#ifndef ANALYSIS_FUNCTIONS_ALIASES_H
#define ANALYSIS_FUNCTIONS_ALIASES_H

#include "model/load_alias.h"
#include "model/profile.h"

/*
 * Returns the profile, in mem, with addresses in one of the ranges moved from `run` to `load`, and
 * all others down by `shift`. A histogram of which only a part is in a range is divided at bins; a
 * bin that begins in a range is in it. Histograms that become ones of the same range are added up.
 * Linear in the profile times the number of ranges.
 */
struct profile aliases_profile(const struct profile *prof, const load_aliases *aliases,
			       uint64_t shift, struct arena *mem);

#endif

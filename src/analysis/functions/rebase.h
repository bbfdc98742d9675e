/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile with the calls and ticks of all modules, by the addresses of one space. */
#ifndef ANALYSIS_FUNCTIONS_REBASE_H
#define ANALYSIS_FUNCTIONS_REBASE_H

#include "analysis/functions/address_space.h"
#include "model/profile.h"

/* Calls address_space_see() for the addresses of calls and ticks, as far as `parts` has them.
 * Linear. */
void rebase_see(struct address_space_maker *m, const struct profile *prof, unsigned parts);

/*
 * Returns the profile, in mem, with the calls of all modules in place of those into the program,
 * and with the ticks outside of the program; ticks in the program's stubs move to [stubs]. What
 * `parts` lacks stays unchanged. Calls within a module that is one symbol are left out. n log n.
 */
struct profile rebase_profile(const struct address_space_maker *m, const struct profile *prof,
			      unsigned parts, struct arena *mem);

#endif

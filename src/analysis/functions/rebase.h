/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts the calls and ticks of all modules into a profile with the addresses of one address space.
 */
#ifndef ANALYSIS_FUNCTIONS_REBASE_H
#define ANALYSIS_FUNCTIONS_REBASE_H

#include "analysis/functions/address_space.h"
#include "model/profile.h"

/*
 * Calls address_space_note() for the addresses of calls and ticks, where `parts` asks for them.
 * Linear.
 */
void rebase_note(struct address_space_maker *m, const struct profile *prof, unsigned parts);

/*
 * Returns the profile, in mem: the calls of all modules replace those of the program, ticks outside
 * of the program are added, and ticks in the program's stubs move to [stubs]. Calls and ticks that
 * `parts` does not ask for stay unchanged. Calls within a module that is one symbol are left out. n
 * log n.
 */
struct profile rebase_profile(const struct address_space_maker *m, const struct profile *prof,
			      unsigned parts, struct arena *mem);

#endif

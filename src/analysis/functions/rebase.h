/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile with the calls and ticks of all modules, by the addresses of one space. */
#ifndef ANALYSIS_FUNCTIONS_REBASE_H
#define ANALYSIS_FUNCTIONS_REBASE_H

#include "analysis/functions/address_space.h"
#include "model/profile.h"

/* Has the table have what calls and ticks need of it, as far as they are among the parts. Linear.
 */
void rebase_see(struct address_space_maker *m, const struct profile *prof, unsigned parts);

/*
 * The profile with the calls of all modules in place of those into the program, and with the ticks
 * outside of the program, in mem, and those in its stubs as such; as far as they are among the
 * parts. Calls inside of a module that is one symbol are left out. n log n.
 */
struct profile rebase_profile(const struct address_space_maker *m, const struct profile *prof,
			      unsigned parts, struct arena *mem);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that data files have what reports and exports need. */
#include "config.h"

#include "model/needs.h"

/*
 * Returns the first data file without call stacks; if there is none, the first sum in which a
 * recording lacks stacks. One of the two must exist.
 */
static const char *needs_lacking(const struct profile *prof)
{
	for (size_t i = 0; i < prof->files.n; i++) {
		if (prof->files.at[i].stacks.nrecordings == 0)
			return prof->files.at[i].name;
	}
	for (size_t i = 0; i < prof->files.n; i++) {
		if (prof->files.at[i].stacks.nlack > 0)
			return prof->files.at[i].name;
	}
	return prof->files.at[prof->files.n - 1].name;
}

/*
 * Whether the data file that needs_lacking() names is a sum in which some recordings have stacks.
 */
static bool needs_has_some(const struct profile *prof)
{
	for (size_t i = 0; i < prof->files.n; i++) {
		if (prof->files.at[i].stacks.nrecordings == 0)
			return false;
	}
	return prof->recorded.nfiles > 0;
}

int needs_check(unsigned needs, const char *what, const struct profile *prof, struct diag *diag)
{
	const char *name = prof->files.at[prof->files.n - 1].name;

	if (needs & NEEDS_MEASURED && prof->recorded.nlack + (prof->recorded.nfiles == 0) > 0) {
		diag_error(diag, "no call stacks in %s%s: GMON=stacks records them",
			   needs_has_some(prof) ? "a part of " : "", needs_lacking(prof));
		return -1;
	}
	if (needs & NEEDS_SAMPLES && !prof->has_hists) {
		diag_error(diag, "%s: missing histogram: no samples for %s", name, what);
		return -1;
	}
	if (needs & NEEDS_CALLS && !prof->has_arcs) {
		diag_error(diag, "%s: missing call-graph data: no calls for %s", name, what);
		return -1;
	}
	return 0;
}

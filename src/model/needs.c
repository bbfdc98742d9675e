/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What data files have to hold for what is asked for. */
#include "config.h"

#include "model/needs.h"

#include <limits.h>
#include <stdio.h>

const char *needs_lacking(const struct profile *prof)
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

/* Whether what needs_lacking() names is a sum that has stacks of some recordings. */
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

void needs_note_lacking(const struct profile *prof, const struct arena *mem, struct diag *diag)
{
	enum { NAMES = 4 };
	struct arena scratch = arena_scratch(mem);
	char *names = arena_array(&scratch, char, NAMES *PATH_MAX);
	size_t n = 0, named = 0;

	for (size_t i = 0; i < prof->files.n; i++) {
		const struct profile_file *file = &prof->files.at[i];

		if (file->stacks.nrecordings > 0 && file->stacks.nlack == 0)
			continue;
		if (named++ < NAMES)
			n += (size_t)snprintf(names + n, PATH_MAX, "%s%s%.*s",
					      named > 1 ? ", " : "",
					      file->stacks.nlack > 0 ? "a part of " : "",
					      PATH_MAX - 16, file->name);
	}
	diag_note(diag, "times of callees are estimated: no call stacks in %s%s", names,
		  named > NAMES ? ", ..." : "");
	arena_free(&scratch);
}

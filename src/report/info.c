/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each data file holds. */
#include "config.h"

#include "report/views.h"

#include <inttypes.h>
#include <string.h>

static void info_write_count(struct output *out, uint64_t n, const char *what)
{
	output_format(out, "\t%" PRIu64 " %s record%s\n", n, what, n == 1 ? "" : "s");
}

void info_write(const struct text *t, struct output *out)
{
	const struct profile *prof = t->a->profile;

	for (size_t i = 0; i < prof->files.n; i++) {
		const struct profile_file *file = &prof->files.at[i];

		output_style(out, STYLE_TITLE);
		output_text(out, "File `");
		output_name(out, file->name, strlen(file->name));
		output_format(out, "' (version %u) contains:", file->version);
		output_style(out, STYLE_PLAIN);
		output_char(out, '\n');
		info_write_count(out, file->nhists, "histogram");
		info_write_count(out, file->narcs, "call-graph");
		info_write_count(out, file->nblocks, "basic-block count");
	}
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what each data file contains. */
#include "config.h"

#include "report/views.h"

#include <inttypes.h>
#include <string.h>

static void info_write_count(struct output *out, uint64_t n, const char *what)
{
	output_format(out, "\t%" PRIu64 " %s record%s\n", n, what, n == 1 ? "" : "s");
}

static void info_write_title(struct output *out, const char *name, const char *suffix,
			     unsigned version)
{
	output_style(out, STYLE_TITLE);
	output_text(out, "File `");
	output_name(out, name, strlen(name));
	output_format(out, "%s' (version %u) contains:", suffix, version);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

/* Writes what was recorded about code in other modules. */
static void info_write_objects(struct output *out, const struct profile_stacks *s)
{
	info_write_count(out, s->narcs, "call between modules");
	info_write_count(out, s->nbins, "address outside the program");
	output_format(out, "\t%" PRIu64 " calls, %" PRIu64 " ticks outside the program\n",
		      s->ncalls, s->bin_ticks);
}

/* Writes what the call stacks in the data file `name`, or in the file beside it, contain. */
static void info_write_stacks(struct output *out, const char *name, const struct profile_stacks *s)
{
	const uint64_t *ticks = s->ticks;
	uint64_t all = 0;

	if (s->version > 0)
		info_write_title(out, name, ".ext", s->version);
	if (s->nrecordings > 0 && (uint64_t)s->nrecordings + s->nlack > 1)
		output_format(out,
			      "\tthe sum of %" PRIu32 " recording%s with call stacks, and %" PRIu32
			      " without\n",
			      s->nrecordings, s->nrecordings == 1 ? "" : "s", s->nlack);
	if (s->nobjects > 0 && (uint64_t)s->nrecordings + s->nlack > 1)
		output_format(out,
			      "\tthe sum of %" PRIu32 " recording%s with libraries, and %" PRIu64
			      " without\n",
			      s->nobjects, s->nobjects == 1 ? "" : "s",
			      (uint64_t)s->nrecordings + s->nlack - s->nobjects);
	info_write_count(out, s->nmodules, "module");
	if (s->nobjects > 0)
		info_write_objects(out, s);
	if (s->nrecordings == 0)
		return;
	info_write_count(out, s->nthreads, "thread");
	info_write_count(out, s->nkinds, "kind");
	info_write_count(out, s->nnodes, "call-stack node");
	info_write_count(out, s->nsamples, "sample");
	for (int q = 0; q < STACK_QUALITIES; q++)
		all += ticks[q];
	output_format(out,
		      "\t%" PRIu64 " ticks: %" PRIu64 " on complete stacks, %" PRIu64
		      " on guessed, %" PRIu64 " on broken, %" PRIu64 " on cut ones",
		      all, ticks[STACK_COMPLETE], ticks[STACK_GUESSED], ticks[STACK_BROKEN],
		      ticks[STACK_CUT]);
	if (ticks[STACK_UNSEEN] > 0)
		output_format(out, ", %" PRIu64 " of unknown time", ticks[STACK_UNSEEN]);
	output_char(out, '\n');
	if (s->other_ticks > 0)
		output_format(out, "\t%" PRIu64 " ticks of other kinds\n", s->other_ticks);
}

void info_write(const struct text *t, struct output *out)
{
	const struct profile *prof = t->a->profile;

	for (size_t i = 0; i < prof->files.n; i++) {
		const struct profile_file *file = &prof->files.at[i];

		info_write_title(out, file->name, "", file->version);
		info_write_count(out, file->nhists, "histogram");
		info_write_count(out, file->narcs, "call-graph");
		info_write_count(out, file->nblocks, "basic-block count");
		if (profile_stacks_any(&file->stacks))
			info_write_stacks(out, file->name, &file->stacks);
	}
}

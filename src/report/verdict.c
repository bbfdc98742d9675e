/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "report/verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char verdict_explanation[] =
	"Both programs ran in pairs, in a random order within each, after one run to warm up. The\n"
	"pair is the unit: a machine that becomes slower does so for both. Of two equal programs, at\n"
	"most 5 % of comparisons at level 95 have any mark here or below, however early they end.\n"
	"Elapsed time is by the clock, CPU time is that of the program and its children; neither is\n"
	"sampled, and seconds are geometric means.\n\n";

static const char *verdict_word(enum difference_verdict verdict)
{
	return verdict == VERDICT_MORE   ? "slower"
	       : verdict == VERDICT_LESS ? "faster"
					 : "cannot be told from noise";
}

/* The first line if both programs do not do the same. */
static void verdict_write_answer(const struct paired *paired, struct output *out)
{
	const int *status = paired->status;

	if (paired->answer != PAIRED_ANSWER_OTHER)
		return;
	output_style(out, STYLE_HOT);
	if (status[SIDE_BASE] != status[SIDE_NEW])
		output_format(out, "The answers differ: old exits with status %d, new with %d.",
			      status[SIDE_BASE], status[SIDE_NEW]);
	else
		output_format(out,
			      "The outputs differ: new writes something else from byte %" PRIu64
			      ", line %" PRIu64 ", on.",
			      paired->answer_at, paired->answer_line);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

/* Writes "0.92 of old (0.89 .. 0.95)". */
static void verdict_write_ratio(const struct paired_total *total, struct output *out)
{
	int decimals = !total->tested ? 2 : total->low < 0.1 ? 4 : total->deviation < 0.01 ? 3 : 2;

	output_format(out, "%.*f of old", decimals, total->ratio);
	if (total->tested)
		output_format(out, " (%.*f .. %.*f)", decimals, total->low, decimals, total->high);
}

/* If the elapsed time tells nothing, CPU time may, as on a busy machine. */
static void verdict_write_sentence(const struct paired *paired, struct output *out)
{
	const struct paired_total *elapsed = &paired->total[PAIRED_ELAPSED];
	const struct paired_total *cpu = &paired->total[PAIRED_CPU];

	output_style(out, STYLE_TITLE);
	output_text(out, "new takes ");
	verdict_write_ratio(elapsed, out);
	output_format(out, ", %" PRIu32 " pair%s: %s", paired->npairs,
		      paired->npairs == 1 ? "" : "s",
		      elapsed->tested ? verdict_word(elapsed->verdict)
				      : "too few to tell change from noise");
	if (elapsed->tested && cpu->tested && cpu->verdict != elapsed->verdict) {
		output_text(out, "; of CPU time ");
		verdict_write_ratio(cpu, out);
		output_format(out, ": %s", verdict_word(cpu->verdict));
	}
	output_style(out, STYLE_PLAIN);
	output_text(out, "\n\n");
}

static void verdict_write_p(double p, struct output *out)
{
	if (p < 0.0001)
		output_format(out, " %8s", "<0.0001");
	else
		output_format(out, " %8.*f", p < 0.1 ? 4 : 2, p);
}

static void verdict_write_total(const struct paired_total *total, const char *name,
				struct output *out)
{
	if (!total->known)
		return;
	output_format(out, "%c %11.4f %11.4f %8.4f", total->verdict, total->seconds[SIDE_BASE],
		      total->seconds[SIDE_NEW], total->ratio);
	if (total->tested) {
		output_format(out, "  %7.4f .. %-7.4f", total->low, total->high);
		verdict_write_p(total->p, out);
	} else {
		output_blanks(out, 29);
	}
	output_format(out, "  %s\n", name);
}

static void verdict_write_totals(const struct paired *paired, struct output *out)
{
	char level[20];

	snprintf(level, sizeof(level), "%g %%", paired->level);
	output_style(out, STYLE_COLUMNS);
	output_format(out, "  %11s %11s %8s  %18s %8s  total", "old seconds", "new seconds",
		      "new/old", level, "p");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
	verdict_write_total(&paired->total[PAIRED_ELAPSED], "elapsed time", out);
	verdict_write_total(&paired->total[PAIRED_CPU], "CPU time", out);
}

static void verdict_write_names(const struct paired *paired, struct output *out)
{
	output_text(out, "\n old is ");
	output_name(out, paired->name[SIDE_BASE], strlen(paired->name[SIDE_BASE]));
	output_text(out, ", new is ");
	output_name(out, paired->name[SIDE_NEW], strlen(paired->name[SIDE_NEW]));
	output_text(out, ".\n");
}

static void verdict_write_ending(const struct paired *paired, struct output *out)
{
	switch (paired->ending) {
	case PAIRED_ALL:
		return;
	case PAIRED_TIME:
		output_text(out, " The time is spent.\n");
		return;
	case PAIRED_SETTLED:
		output_text(out, " More pairs would not change the answer.\n");
		return;
	case PAIRED_FULL:
		output_text(out, " There is no memory for recordings of more pairs.\n");
		return;
	case PAIRED_INTERRUPTED:
		output_text(out, " Stopped before the end: this is what there is.\n");
		return;
	case PAIRED_FAILED:
		output_text(out, " Not complete: ");
		output_name(out, paired->failure, strlen(paired->failure));
		output_format(out, " in pair %" PRIu32 ".\n", paired->npairs + 1);
	}
}

static void verdict_write_outputs(const struct paired *paired, struct output *out)
{
	switch (paired->answer) {
	case PAIRED_ANSWER_SAME:
		output_format(out, " The outputs are the same, %" PRIu64 " bytes.",
			      paired->answer_bytes);
		break;
	case PAIRED_ANSWER_OTHER:
		output_text(out,
			    " The outputs or statuses differ, so times may not be comparable.");
		break;
	case PAIRED_ANSWER_VARIES:
		output_text(out, " The output of old differs from run to run, so it was not "
				 "compared with that of new.");
		break;
	case PAIRED_ANSWER_LARGE:
		output_text(out, " The outputs are the same as far as they were compared, in "
				 "their first 256 MB.");
		break;
	case PAIRED_ANSWER_IGNORED:
		output_text(out, " The outputs were not compared.");
		break;
	}
	if (paired->status[SIDE_BASE] == paired->status[SIDE_NEW] && paired->status[SIDE_NEW] != 0)
		output_format(out, " Both exit with status %d.", paired->status[SIDE_NEW]);
	output_char(out, '\n');
}

/* Writes a percentage with two significant digits, or all digits before the point. */
static void verdict_write_percent(double percent, struct output *out)
{
	output_format(out, "%.*f %%", percent < 0.95 ? 2 : percent < 9.5 ? 1 : 0, percent);
}

static void verdict_write_detectable(const struct paired *paired, const struct difference *d,
				     struct output *out)
{
	if (!(paired->detectable > 0.0))
		return;
	output_text(out, " A change of ");
	verdict_write_percent(paired->detectable, out);
	output_text(out, " in elapsed time");
	if (paired->detectable_cpu > 0.0) {
		output_text(out, ", of ");
		verdict_write_percent(paired->detectable_cpu, out);
		output_text(out, " in CPU time");
	}
	if (d && d->detectable > 0.0) {
		output_text(out, ", of ");
		verdict_write_percent(d->detectable, out);
		output_text(out, " in ");
		output_name(out, d->largest, strlen(d->largest));
	}
	output_format(out, ", would be found in 4 of 5 cases; runs=%" PRIu32 " finds ",
		      paired->more_pairs);
	verdict_write_percent(paired->more_detectable, out);
	output_text(out, " in elapsed time.\n");
}

void verdict_write(const struct paired *paired, const struct difference *d, bool brief,
		   struct output *out)
{
	verdict_write_answer(paired, out);
	verdict_write_sentence(paired, out);
	verdict_write_totals(paired, out);
	verdict_write_names(paired, out);
	verdict_write_ending(paired, out);
	verdict_write_outputs(paired, out);
	verdict_write_detectable(paired, d, out);
	output_char(out, '\n');
	if (!brief)
		output_text(out, verdict_explanation);
}

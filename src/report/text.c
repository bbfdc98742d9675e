/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages, headings and units of the text reports. */
#include "config.h"

#include "report/text.h"

#include "base/terminal.h"

#include <inttypes.h>
#include <string.h>

#define HOT_SHARE 0.1

enum {
	LEAST_ROOM = 11,
	EXPLAINED_MARGIN = 14, /* column at which explanations of columns begin */
	FOLDED_BYTES = 4096    /* limit for a sentence */
};

void text_new_page(struct output *out)
{
	output_text(out, out->terminal ? "\n" : "\f\n");
}

void text_page(struct output *out)
{
	if (out->total > 0)
		text_new_page(out);
}

void text_heading(struct output *out, enum output_style style, const char *lines)
{
	while (out->styled && *lines) {
		size_t n = strcspn(lines, "\n");

		if (n > 0) {
			output_style(out, style);
			output_bytes(out, lines, n);
			output_style(out, STYLE_PLAIN);
		}
		if (lines[n])
			output_char(out, lines[n++]);
		lines += n;
	}
	output_text(out, lines);
}

/* Whether a line continues the line before: in prose, or in the explanation of a column. */
static bool text_continues(bool prose, const char *line)
{
	return prose ? *line != '\0' && *line != '\n' && *line != ' '
		     : strspn(line, " ") >= EXPLAINED_MARGIN;
}

/* Writes one paragraph, or the explanation of one column, in lines that fit; returns its end. */
static const char *text_fill(uint32_t columns, const char *text, struct output *out)
{
	bool prose = *text != ' ';
	size_t margin = prose ? 0 : EXPLAINED_MARGIN;
	size_t used = prose ? 0 : strcspn(text, "\n");

	used = used < margin ? used : margin;
	output_bytes(out, text, used);
	text += used;
	for (bool first = true;; first = false) {
		size_t n = strcspn(text, " \n");

		if (!first && used + 1 + n > columns) {
			output_char(out, '\n');
			output_blanks(out, margin);
			used = margin;
		} else if (!first) {
			output_char(out, ' ');
			used++;
		}
		output_bytes(out, text, n);
		used += n;
		text += n;
		if (*text == '\0' || (*text == '\n' && !text_continues(prose, text + 1)))
			break;
		text += 1 + strspn(text + 1, " ");
	}
	output_char(out, '\n');
	return text + (*text == '\n');
}

/* Whether all reports are gprof's own, or have its intervals without -b. The bytes of those that
 * GNU gprof has do not depend on the terminal. */
static bool text_is_own(const struct text *t)
{
	return t->a->entries.bits || !(t->reports & ~(unsigned)OWN_REPORTS) ||
	       (t->a->confidence.level > 0.0 && !t->opt->brief);
}

void text_refill(uint32_t columns, const char *text, struct output *out)
{
	size_t widest = 0;

	for (const char *line = text; *line; line += line[0] == '\n') {
		size_t n = strcspn(line, "\n");

		widest = n > widest ? n : widest;
		line += n;
	}
	if (columns <= 2 * EXPLAINED_MARGIN || widest <= columns) {
		output_text(out, text);
		return;
	}
	while (*text) {
		if (*text != '\n')
			text = text_fill(columns, text, out);
		else
			output_char(out, *text++);
	}
}

static void text_put_lines(const struct text *t, const char *text, struct output *out)
{
	text_refill(text_is_own(t) ? t->view->columns : 0, text, out);
}

size_t text_begin_sentence(struct output *out)
{
	output_room(out, FOLDED_BYTES);
	return out->n;
}

void text_fold(uint32_t columns, size_t start, struct output *out)
{
	size_t used = 0, blank = 0;

	if (columns == 0 || start > out->n)
		return;
	for (size_t i = start; i < out->n; i++) {
		unsigned char c = (unsigned char)out->buffer[i];

		if (c == ' ')
			blank = i;
		used = c == '\n' ? 0 : used + ((c & 0xc0) != 0x80);
		if (c == '\n')
			blank = 0;
		if (used <= columns || blank == 0)
			continue;
		out->buffer[blank] = '\n';
		used = i - blank;
		blank = 0;
	}
}

void text_explain(const struct text *t, const struct explanation *explanation, struct output *out)
{
	output_char(out, '\n');
	text_heading(out, STYLE_TITLE, explanation->title);
	text_put_lines(t, explanation->text, out);
	if (explanation->intervals && t->a->confidence.level > 0.0)
		text_put_lines(t, explanation->intervals, out);
	text_page(out);
	text_put_lines(t, explanation->note, out);
}

uint32_t text_room(const struct text *t, uint64_t start, const struct output *out)
{
	uint64_t used = out->total - start;

	if (t->view->columns == 0)
		return TEXT_ALL;
	return t->view->columns > used + LEAST_ROOM ? (uint32_t)(t->view->columns - used)
						    : LEAST_ROOM;
}

bool text_is_hot(double part, double total)
{
	return total > 0.0 && part >= HOT_SHARE * total;
}

/* Replaces control characters by '?' in the unit, which comes from a data file. */
static void text_clean_unit(struct text *t)
{
	char *tame = arena_strndup(t->mem, t->dimension, strlen(t->dimension));

	terminal_tame(tame);
	t->dimension = tame;
	if ((unsigned char)t->abbrev >= 0x80 || terminal_shows(&t->abbrev, 1) == 0)
		t->abbrev = '?';
}

struct text text_prepare(unsigned reports, const struct view *view,
			 const struct report_options *opt, struct arena *mem)
{
	const struct analysis *a = view->analysis;
	const struct unit *unit = &a->profile->unit;
	bool timed = a->profile->has_hists && unit->rate > 0;
	struct text t = {
		.a = a,
		.view = view,
		.opt = opt,
		.reports = reports,
		.mem = mem,
		.numbered = opt->traditional || reports & REPORT_GRAPH,
		.rate = timed ? unit->rate : 1.0,
		.dimension = timed                   ? unit->dimension
			     : a->profile->has_hists ? "ticks"
						     : "seconds",
		.abbrev = timed                   ? unit->abbrev
			  : a->profile->has_hists ? 't'
						  : 's',
	};

	if (a->costs.origin.clock.waiting)
		t.waits = &a->costs.waits;
	if (view->terminal)
		text_clean_unit(&t);
	return t;
}

unsigned text_tenths(uint64_t part, uint64_t total)
{
	double share = 1000.0 * (double)part / (double)total;
	unsigned tenths = (unsigned)(share + 0.5);

	if (part > 0 && tenths == 0)
		tenths = 1;
	if (part < total && tenths == 1000)
		tenths = 999;
	return tenths;
}

static void text_share(struct output *out, uint64_t part, uint64_t total, const char *what)
{
	unsigned tenths = text_tenths(part, total);

	output_format(out, ", %u.%u %% %s", tenths / 10, tenths % 10, what);
}

bool text_is_clocked(const struct text *t)
{
	return clock_is_measured(&t->a->costs.origin.clock);
}

static uint64_t text_sum(const uint64_t quality[STACK_QUALITIES])
{
	uint64_t n = 0;

	for (int q = 0; q < STACK_QUALITIES; q++)
		n += quality[q];
	return n;
}

/* Writes how many stacks have each quality. */
static void text_qualities(struct output *out, const uint64_t quality[STACK_QUALITIES])
{
	static const char *const what[STACK_QUALITIES] = { "of complete stacks", "guessed",
							   "broken", "cut", "of unknown time" };
	uint64_t n = text_sum(quality);

	for (int q = 0; n > 0 && q < STACK_QUALITIES; q++) {
		if (q == STACK_COMPLETE || quality[q] > 0)
			text_share(out, quality[q], n, what[q]);
	}
}

static void text_idle(const struct costs_origin *origin, struct output *out)
{
	if (origin->clock.nidle > 0)
		output_format(out, ", without %" PRIu32 " idle thread%s", origin->clock.nidle,
			      origin->clock.nidle == 1 ? "" : "s");
}

/* Whether times are those of some threads, or of a part of the run. */
static bool text_is_part(const struct costs_origin *origin)
{
	return origin->threads || origin->range;
}

uint64_t text_without_samples(const struct text *t)
{
	const struct costs_origin *origin = &t->a->costs.origin;

	return text_is_part(origin) || origin->clock.kind != 0 ? 0 : t->a->processes.unsampled;
}

double text_queued(const struct text *t)
{
	double used = t->a->costs.total / t->rate;
	double waited = t->waits->total / t->waits->rate;
	double queued = (double)t->a->costs.origin.clock.queued_ns / 1e9;

	return !text_is_part(&t->a->costs.origin) && 10.0 * queued > used + waited ? queued : 0.0;
}

/* Writes what the data have besides samples. */
static void text_other_data(const struct text *t, struct output *out)
{
	const struct costs_origin *origin = &t->a->costs.origin;
	uint64_t without = text_without_samples(t);
	double queued;

	if (origin->left_out > 0 && !text_is_clocked(t))
		output_format(out, "; %" PRIu64 " more in the profiler itself", origin->left_out);
	if (without > 0)
		output_format(out, "; %.2f of %.2f seconds of CPU time had no samples",
			      (double)without / 1e9, (double)t->a->processes.covered / 1e9);
	if (!t->waits)
		return;
	output_format(out, ".\nOn the CPU %.2f seconds, waiting %.2f seconds by the clock",
		      t->a->costs.total / t->rate, t->waits->total / t->waits->rate);
	text_qualities(out, t->waits->quality);
	text_idle(origin, out);
	queued = text_queued(t);
	if (queued > 0.0)
		output_format(out, "; %.2f seconds ready to run, while others ran", queued);
}

void text_samples(const struct text *t, struct output *out)
{
	const struct costs_origin *origin = &t->a->costs.origin;
	uint64_t n = text_sum(origin->quality);

	if (text_is_clocked(t))
		output_format(out, "%.2f %s%s", (double)n / t->rate, t->dimension,
			      clock_words(&origin->clock));
	else
		output_format(out, "%" PRIu64 " sample%s", n, n == 1 ? "" : "s");
	if (origin->threads) {
		output_text(out, " of thread ");
		output_name(out, origin->threads, strlen(origin->threads));
	}
	if (origin->range)
		output_format(out, " %s", origin->range);
	text_qualities(out, origin->quality);
	if (clock_is_waiting(&origin->clock))
		text_idle(origin, out);
	text_other_data(t, out);
	output_char(out, '.');
}

/* Writes that signals which count several ticks carry less information than as many samples. */
static void text_signals(const struct confidence *c, struct output *out)
{
	output_format(out, " from %" PRIu64 " signal%s", c->signals, c->signals == 1 ? "" : "s");
	if (c->per_sample > 1.0)
		output_format(out, ", as good as %.0f sample%s", c->effective,
			      c->effective < 1.5 ? "" : "s");
}

/* Writes what the intervals belong to, without a final newline. */
static void text_confidence(const struct text *t, enum text_intervals intervals, struct output *out)
{
	const struct confidence *c = &t->a->confidence;
	const uint64_t *quality = t->a->costs.origin.quality;
	bool inclusive = intervals == TEXT_OF_INCLUSIVE;

	output_format(out, "%g %% intervals of sampling", c->level);
	if (c->signals > 0)
		text_signals(c, out);
	else if (c->per_sample > 1.0)
		output_format(out, ", of which one counts %.0f times", c->per_sample);
	if (c->nfiles > 0)
		output_format(out,
			      " or, if wider, of %" PRIu32
			      " runs.\nThese differ %.1f times as much as sampling explains",
			      c->nfiles,
			      inclusive && c->inclusive ? c->inclusive_excess : c->excess);
	if (inclusive && quality[STACK_BROKEN] + quality[STACK_CUT] > 0)
		output_text(out, ".\nCallers that broken stacks lack are not in them");
	output_char(out, '.');
}

/* Writes which figures have no interval although intervals were requested. */
static void text_unsampled(const struct text *t, struct output *out)
{
	bool off = t->waits || text_is_clocked(t);

	if (t->a->confidence.level <= 0.0 && !t->a->confidence.counted)
		return;
	if (clock_is_attributed(&t->a->costs.origin.clock))
		output_text(out, "\nThe sum is exact; looks divide it among functions.");
	else if (off && t->a->costs.wait_errors.self)
		output_format(out,
			      "\nThe sum of waiting is exact; looks divide it among functions%s.",
			      t->waits ? ", by chance as its +- says"
				       : ": --top shows how far it may be off by chance");
	else if (off)
		output_text(out,
			    "\nWaiting is measured, not sampled: each wait is off by less than "
			    "a period of the clock that looks, and has no interval.");
	else if (t->a->confidence.counted)
		output_text(out,
			    "\nThese are counts, not samples of time: they have no intervals.");
}

void text_unit_line(const struct text *t, enum text_intervals intervals, struct output *out)
{
	bool has_intervals = intervals != TEXT_NO_INTERVALS && t->a->confidence.level > 0.0;
	size_t start = text_begin_sentence(out);

	if (text_is_clocked(t))
		output_text(out, "Measured by the clock");
	else
		output_format(out, "Each sample counts as %g %s", 1.0 / t->rate, t->dimension);
	if (t->a->costs.origin.measured) {
		output_text(out, text_is_clocked(t) ? ": " : "; ");
		text_samples(t, out);
		output_text(out, has_intervals ? " " : "");
	} else if (has_intervals) {
		output_format(out, "; %.0f samples; ", t->a->costs.total);
	} else {
		output_char(out, '.');
	}
	if (has_intervals)
		text_confidence(t, intervals, out);
	text_unsampled(t, out);
	text_fold(text_is_own(t) ? t->view->columns : 0, start, out);
	output_char(out, '\n');
}

double text_with_waits(const struct text *t, double ticks, double waits)
{
	return t->waits ? ticks + waits * t->rate / t->waits->rate : ticks;
}

bool text_has_call_times(const struct text *t)
{
	return !text_is_part(&t->a->costs.origin);
}

/* Counted in whole units of two bytes: glibc's bins of 3.99 bytes have always been shown as 2. */
long text_granularity(const struct text *t)
{
	const struct profile *prof = t->a->profile;

	if (t->a->costs.origin.measured)
		return 1;
	return prof->hists.n > 0 ? (long)((uint64_t)profile_hist_scale(&prof->hists.at[0]) * 2) : 0;
}

void text_granularity_line(const struct text *t, double total, const char *nothing,
			   enum text_intervals intervals, struct output *out)
{
	size_t start;

	output_char(out, '\n');
	start = text_begin_sentence(out);
	if (text_is_clocked(t))
		output_text(out, "granularity: measured by the clock");
	else
		output_format(out, "granularity: each sample hit covers %ld byte(s)",
			      text_granularity(t));
	if (text_is_clocked(t) && total > 0.0)
		output_format(out, ": %.2f %s", total / t->rate, t->dimension);
	else if (total > 0.0)
		output_format(out, " for %.2f%% of %.2f %s", 100.0 / total, total / t->rate,
			      t->dimension);
	else
		output_format(out, " %s", nothing);
	if (t->a->costs.origin.measured) {
		output_text(out, ", children measured\n");
		text_samples(t, out);
	}
	if (t->a->confidence.level > 0.0) {
		output_char(out, '\n');
		text_confidence(t, intervals, out);
	}
	text_unsampled(t, out);
	text_fold(text_is_own(t) ? t->view->columns : 0, start, out);
	output_text(out, "\n\n");
}

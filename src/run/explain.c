/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading, evidence, diagnosis and its words, one behind the other. */
#include "config.h"

#include "run/explain.h"

#include "analysis/diagnosis/diagnose.h"
#include "io/image/evidence.h"
#include "report/explain.h"

/* What the diagnosis works on; it stays until the arena is freed. */
struct subject {
	struct program prog;
	struct profile prof;
	struct analysis analysis;
	struct evidence evidence;
};

static enum demangle_style style_of(const struct options *opt)
{
	return opt->report.raw_names ? DEMANGLE_NONE : opt->report.demangle;
}

static struct findings find(struct subject *on, const struct options *opt, struct image *image,
			    struct progress *progress, struct arena *mem)
{
	const struct select_options *select = &opt->analysis.select;
	const struct diagnosis_options how = {
		.selected = select->requests.n > 0,
		.all_symbols = opt->input.symbols.all,
		.base = opt->input.has_image_base ? opt->input.image_base : on->evidence.base,
	};
	struct diag silent = diag_silent(NULL);
	struct analysis_options analysis = { .select = opt->analysis.select };
	const struct location *locations = NULL;

	if (select_needs_locations(select, mem))
		locations = load_locations(image, &on->prog, NULL, progress, mem);
	on->analysis = analyze(&on->prog, &on->prof, locations, &analysis, mem, &silent);
	return diagnose(&on->analysis, &on->evidence, &how, mem);
}

/* 0, or -1 with the reason said. */
static int examine(struct subject *on, struct findings *findings, const char *missing,
		   const struct options *opt, struct image *image, struct arena *mem,
		   struct diag *diag)
{
	const struct input_options *input = &opt->input;

	if (load_some(&on->prog, &on->prof, !missing, image, input, mem, diag) < 0)
		return -1;
	on->evidence = evidence_gather(image, input->image, &on->prof, diag->progress, mem);
	on->evidence.missing = missing;
	on->prof = load_moved(&on->prof, image, input, mem);
	*findings = find(on, opt, image, diag->progress, mem);
	return 0;
}

int explain(const struct options *opt, struct image *image, struct output *out, struct arena *mem,
	    struct diag *diag)
{
	struct subject *on = arena_array(mem, struct subject, 1);
	struct findings findings;

	if (examine(on, &findings, load_missing(&opt->input), opt, image, mem, diag) < 0)
		return -1;
	explain_write(&on->analysis, &on->evidence, &findings, style_of(opt), out, mem);
	return findings.ncauses > 0 ? EXPLAIN_CAUSE : 0;
}

bool explain_missing(const struct options *opt, struct image *image, struct arena *mem,
		     struct diag *diag)
{
	const char *missing = load_missing(&opt->input);
	struct subject *on;
	struct findings findings;

	if (!missing)
		return false;
	on = arena_array(mem, struct subject, 1);
	if (examine(on, &findings, missing, opt, image, mem, diag) == 0)
		diag_error(diag, "%s; see gprof --explain",
			   explain_sentence(&findings.at[0], style_of(opt), mem));
	return true;
}

static double credited(const struct analysis *a)
{
	double ticks = 0.0;

	for (sym_id n = 0; n < a->graph.nnodes; n++)
		ticks += a->ticks.self[n];
	return ticks;
}

static bool has_calls(const struct analysis *a)
{
	for (uint32_t i = 0; i < a->graph.narcs; i++) {
		if (a->graph.arc[i].ncalls > 0)
			return true;
	}
	return false;
}

/* Whether the wanted reports, or those that nobody declined, lack what they are for. */
static bool is_poor(const struct analysis *a, const struct report_options *report)
{
	double ticks = credited(a);

	if (report->wanted & (REPORT_FLAT | REPORT_GRAPH) && 2.0 * ticks < a->ticks.total)
		return true;
	if (report->wanted & (REPORT_FLAT | REPORT_GRAPH) && ticks <= 0.0)
		return true;
	if ((report->wanted & REPORT_GRAPH || report->mentioned == 0) && a->blocks.n == 0 &&
	    !has_calls(a))
		return true;
	return report->wanted != 0 && !a->profile->has_hists && !a->profile->has_arcs &&
	       a->blocks.n == 0;
}

/*
 * Whether the samples are of a range that ends elsewhere than any section of code: runtimes take
 * whole ones. Then it may be another program's, though addresses mean functions of this one.
 */
static bool is_strange(const struct analysis *a, const struct image *image, struct arena *mem)
{
	enum { SLACK = 8 };
	size_t ncode;
	const struct code_range *code = image_code_ranges(image, &ncode, mem);
	uint64_t end = 0;

	for (size_t i = 0; i < a->profile->hists.n; i++) {
		const struct hist *hist = &a->profile->hists.at[i];

		end = hist->nbins > 0 && hist->hi > end ? hist->hi : end;
	}
	for (size_t i = 0; i < ncode; i++) {
		if (code[i].hi + SLACK >= end && code[i].hi <= end + SLACK)
			return false;
	}
	return end > 0;
}

void explain_note(const struct options *opt, struct image *image, const struct analysis *a,
		  struct arena *mem, struct diag *diag)
{
	struct diag silent = diag_silent(NULL);
	struct input_options input = opt->input;
	struct subject *on;
	struct findings findings;
	bool poor = is_poor(a, &opt->report);

	if (!poor && !is_strange(a, image, mem))
		return;
	on = arena_array(mem, struct subject, 1);
	on->prog = *a->program;
	on->prof = *a->profile;
	input.by_line = false;
	if (a->program->by_line && load_functions(&on->prog, image, &input, mem, &silent) < 0)
		return;
	on->evidence = evidence_gather(image, opt->input.image, &on->prof, diag->progress, mem);
	findings = find(on, opt, image, diag->progress, mem);
	if (findings.ncauses > 0 && (poor || finding_is_misplacement(findings.at[0].kind)))
		diag_note(diag, "%s; see gprof --explain",
			  explain_sentence(&findings.at[0], style_of(opt), mem));
}

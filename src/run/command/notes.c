/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/notes.h"

#include "analysis/functions/dropped.h"
#include "analysis/functions/shared_bins.h"
#include "base/join.h"
#include "base/path.h"
#include "report/explain.h"
#include "run/command/examine.h"
#include "run/command/remedy.h"

#include <inttypes.h>
#include <stdio.h>

void notes_not_inlined(const struct session *s, const struct command *c, unsigned reports)
{
	const char *what = c->exports->n > 0        ? "exports have"
			   : reports & REPORT_GRAPH ? "the call graph has"
						    : NULL;

	if (s->input->inlined && !s->stacks && what)
		diag_note(s->diag, "--inlined: without call stacks %s no inlined functions", what);
}

static void notes_trace_profile(const struct profile *prof, struct diag *diag)
{
	uint64_t nbins = 0, narcs = 0, ncalls = 0;

	for (size_t i = 0; i < prof->hists.n; i++)
		nbins += prof->hists.at[i].nbins;
	for (size_t i = 0; i < prof->files.n; i++)
		narcs += prof->files.at[i].narcs;
	for (size_t i = 0; i < prof->arcs.n; i++)
		ncalls += prof->arcs.at[i].ncalls;
	diag_note(diag, "profile: %zu files, %zu ranges of %" PRIu64 " bins with %" PRIu64 " ticks",
		  prof->files.n, prof->hists.n, nbins, profile_ticks(prof));
	diag_note(diag, "profile: %" PRIu64 " arcs with %" PRIu64 " calls", narcs, ncalls);
}

void notes_trace(const struct analysis *a, struct diag *diag)
{
	const struct symtab *symtab = &a->program->symtab;
	double credited = 0.0;
	uint64_t ncalls = 0;

	for (sym_id s = 0; s < symtab->nsyms; s++)
		credited += a->costs.self[s];
	for (uint32_t i = 0; i < a->graph.narcs; i++)
		ncalls += a->graph.arc[i].ncalls;
	diag_note(diag,
		  "program: %s, %u-bit, %s-endian, %" PRIu32 " symbols from 0x%" PRIx64
		  " to 0x%" PRIx64,
		  a->program->path, 8 * a->program->target.ptr_size,
		  a->program->target.big_endian ? "big" : "little", symtab->nsyms,
		  symtab->sym[0].lo, symtab->sym[symtab->nsyms - 1].hi);
	notes_trace_profile(a->profile, diag);
	diag_note(diag, "resolve: %g of %g ticks credited to symbols", credited, a->costs.total);
	diag_note(diag, "graph: %" PRIu32 " arcs with %" PRIu64 " calls between symbols",
		  a->graph.narcs, ncalls);
	diag_note(diag, "cycles: %" PRIu32 " with %" PRIu32 " members", a->cycles.ncycles,
		  a->cycles.start[a->cycles.ncycles]);
	diag_note(diag, "propagate: %g ticks in the call graph", a->costs.graph.total);
}

static double notes_credited(const struct analysis *a)
{
	double ticks = 0.0;

	for (sym_id n = 0; n < a->graph.nnodes; n++)
		ticks += a->costs.self[n];
	return ticks;
}

/*
 * Whether the reports show little or no time, or no calls. The reports are those that were asked
 * for or, unless the user declined some, the usual ones.
 */
static bool notes_is_poor(const struct analysis *a, unsigned reports, unsigned mentioned)
{
	double ticks = notes_credited(a);

	if (reports & (REPORT_FLAT | REPORT_GRAPH) && 2.0 * ticks < a->costs.total)
		return true;
	if (reports & (REPORT_FLAT | REPORT_GRAPH) && ticks <= 0.0)
		return true;
	if ((reports & REPORT_GRAPH || mentioned == 0) && a->blocks.n == 0 &&
	    !analysis_has_calls(a))
		return true;
	return reports != 0 && !a->profile->has_hists && !a->profile->has_arcs && a->blocks.n == 0;
}

/*
 * Whether the profile may belong to another program, even though its addresses are in functions of
 * this one: runtimes sample whole sections of code, but the range of these samples does not end
 * where a section ends.
 */
static bool notes_is_strange(const struct analysis *a, const struct image *image, struct arena *mem)
{
	enum { SLACK = 8 };
	size_t ncode;
	const struct code_range *code = image_code_ranges(image, &ncode, mem);
	uint64_t end = 0;

	for (size_t i = 0; i < a->profile->hists.n; i++) {
		const struct hist *hist = &a->profile->hists.at[i];

		if (hist->nbins > 0 && hist->hi > end && !profile_is_unknown(a->profile, hist))
			end = hist->hi;
	}
	for (size_t i = 0; i < ncode; i++) {
		if (code[i].hi + SLACK >= end && code[i].hi <= end + SLACK)
			return false;
	}
	return end > 0;
}

/* Notes that a process executed another program: the profile of this one does not include it. */
static void notes_replaced(const struct session *s, const struct launch_request *launch)
{
	const struct recorded *r = &s->profile.recorded;

	if (r->processes.n > 0 && r->processes.at[r->processes.n - 1].ending == PROCESS_REPLACED)
		diag_note(s->diag, "%s became another program by exec, which %s",
			  s->input->program.path,
			  launch->children == LAUNCH_ALONE
				  ? "is not profiled: --run without children=no profiles it"
				  : "cannot be profiled");
}

/* Notes which processes still run, such as daemons. */
static void notes_left_behind(const struct session *s, const struct launch_request *launch)
{
	enum { NAMED = 3 };
	const struct processes *p = &s->analysis.processes;
	const char *names = "";
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->nrows; i++) {
		const struct recorded_process *last = p->row[i].last;

		if (last->ending == PROCESS_GOES_ON && last->end == 0 && n++ < NAMED)
			names = join_format(s->mem, "%s%s%.100s (process %" PRIu32 ")", names,
					    n > 1 ? ", " : "", path_base(last->program), last->pid);
	}
	if (n > 0)
		diag_note(s->diag,
			  "%s has ended, but it started %s%s, which still run%s: the report has "
			  "their time up to now; --run=children=wait waits for them",
			  launch->command[0], names, n > NAMED ? " and others" : "",
			  n == 1 ? "s" : "");
}

/* Notes time in functions without names. --top shows that itself. */
static void notes_nameless(const struct session *s)
{
	const char *stripped, *nameless;

	if (!examine_has_stack_times(s) || !s->code)
		return;
	stripped = remedy_stripped(s);
	nameless = remedy_nameless(s);
	if (stripped)
		diag_note(s->diag, "%s", stripped);
	if (nameless)
		diag_note(s->diag, "%s", nameless);
}

static void notes_dropped(const struct session *s, const struct command *c, unsigned reports)
{
	struct dropped_sums sums;
	char ncalls[40] = "", samples[60] = "", others[60] = "";

	if (s->input->program.symbols.all || !(reports & ~(unsigned)(REPORT_INFO | REPORT_SUM)))
		return;
	sums = dropped_add_up(&s->analysis, s->mem);
	if (sums.nfunctions == 0)
		return;
	if (sums.ncalls > 0)
		snprintf(ncalls, sizeof(ncalls), "%" PRIu64 " call%s%s", sums.ncalls,
			 sums.ncalls == 1 ? "" : "s", sums.ticks > 0.0 ? " and " : "");
	if (sums.ticks > 0.0)
		snprintf(samples, sizeof(samples), "%.4g of %.0f samples", sums.ticks,
			 s->analysis.costs.total);
	if (sums.nfunctions > 1)
		snprintf(others, sizeof(others), " and %" PRIu32 " other%s", sums.nfunctions - 1,
			 sums.nfunctions == 2 ? "" : "s");
	diag_note(s->diag,
		  "as in GNU gprof, %s%s of %s%s %s counted with the functions before them in "
		  "memory; --all-symbols shows them",
		  ncalls, samples, demangle(sums.first, examine_style(c), s->mem), others,
		  sums.ncalls == 1 && sums.ticks <= 0.0 ? "is" : "are");
}

/* Notes that functions got time of others, as firmware has wide bins for want of memory. */
static void notes_shared_bins(const struct session *s, unsigned reports)
{
	struct shared_bins bins;

	if (!(reports & (REPORT_FLAT | REPORT_GRAPH)) || s->program->by_line ||
	    examine_has_stack_times(s))
		return;
	bins = shared_bins_of(s->analysis.profile, &s->program->symtab);
	if (shared_bins_matter(&bins))
		diag_note(s->diag,
			  "%.0f %% of samples are in bins that several functions share, whose time "
			  "is divided by bytes; see gprof --explain",
			  100.0 * (double)bins.ticks / (double)bins.all);
}

/* Notes that waiting was recorded, which GNU gprof's reports do not show. */
static void notes_not_waited(const struct session *s, const struct command *c, unsigned reports)
{
	unsigned gnu = reports & (REPORT_FLAT | REPORT_GRAPH);

	if (!c->data->clock || !s->clock.waiting || !gnu || c->exports->n > 0 ||
	    report_having(reports, REPORT_WAITS))
		return;
	diag_note(s->diag,
		  "--clock=%s: %s CPU time: --inclusive shows waiting beside it, --clock=off "
		  "waiting alone",
		  c->data->clock,
		  gnu == REPORT_FLAT    ? "the flat profile shows"
		  : gnu == REPORT_GRAPH ? "the call graph shows"
					: "flat profile and call graph show");
}

/*
 * Notes the most likely cause if the reports are empty, lack more than half of the samples, or if
 * the data belong to another program.
 */
static void notes_cause(const struct session *s, const struct command *c, unsigned reports)
{
	bool poor = !examine_has_stack_times(s) &&
		    notes_is_poor(&s->analysis, reports, c->opt->report.mentioned);
	struct examination found;

	/* A recording by --run names its program, so the data cannot be another program's. */
	if (!poor && s->profile.recorded.processes.n > 0)
		return;
	if (!poor && !notes_is_strange(&s->analysis, s->image, s->mem))
		return;
	if (examine_session(&found, s, c) < 0 || found.findings.ncauses == 0)
		return;
	if (poor || finding_is_misplacement(found.findings.at[0].kind))
		diag_note(s->diag, "%s; see gprof --explain",
			  explain_sentence(&found.findings.at[0], examine_style(c), s->mem));
}

/* What counts the calls of a program that is not built for it, where that can be done. */
#ifdef __x86_64__
#define NOTES_REMEDY "; --run=calls counts them"
#else
#define NOTES_REMEDY ""
#endif

/* Notes in short what --explain would say. --top shows that itself. */
static void notes_causes(const struct session *s, const struct command *c, unsigned reports)
{
	bool timed = examine_has_stack_times(s),
	     runs = c->opt->launch.wanted && reports && !c->data->together;
	const char *key, *of_run = examine_run(s, c, &key);

	if (of_run)
		diag_note(s->diag, "%s", of_run);
	if (of_run && !timed)
		return;
	if (timed && runs && !analysis_has_calls(&s->analysis))
		diag_note(s->diag, "no call counts: %s is not built with -pg%s",
			  s->input->program.path, NOTES_REMEDY);
	notes_cause(s, c, reports);
}

/* Which part of the calls was counted, where they were counted in the code. */
static void notes_counted(const struct session *s)
{
	const double part = recorded_counted_part(&s->profile.recorded);
	const uint64_t entries = recorded_entries(&s->profile.recorded);

	if (part > 0.0 && entries > 0)
		diag_note(
			s->diag,
			"calls: counted at %.1f %% of the call sites, and where they begin for %" PRIu64
			" functions; >= marks functions that may have had more",
			100.0 * part, entries);
	else if (part > 0.0)
		diag_note(
			s->diag,
			"calls: counted at %.1f %% of the call sites; those through pointers are not, "
			"and >= marks functions that may have had more",
			100.0 * part);
}

static void notes_inlined(const struct session *s, unsigned reports)
{
	double percent = reports & (REPORT_INCLUSIVE | REPORT_TREE) ? examine_inlined(s) : 0.0;

	if (percent > 0.0)
		diag_note(s->diag,
			  "inlined functions have %.0f %% of the time; --inlined shows them",
			  percent);
}

void notes_after(const struct session *s, const struct command *c, unsigned reports)
{
	bool runs = c->opt->launch.wanted && reports;

	notes_not_waited(s, c, reports);
	if (runs && !c->data->together)
		notes_replaced(s, &c->opt->launch);
	if (runs)
		notes_left_behind(s, &c->opt->launch);
	if (runs && !(reports & REPORT_TOP))
		notes_nameless(s);
	if (!(reports & REPORT_TOP))
		notes_causes(s, c, reports);
	if (!(reports & REPORT_TOP))
		notes_shared_bins(s, reports);
	if (runs && !(reports & REPORT_TOP))
		notes_counted(s);
	notes_dropped(s, c, reports);
	notes_inlined(s, reports);
}

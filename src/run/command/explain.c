/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading, evidence, diagnosis and its words, one behind the other. */
#include "config.h"

#include "run/command/explain.h"

#include "analysis/diagnosis/diagnose.h"
#include "analysis/functions/dropped.h"
#include "analysis/lines/function_lines.h"
#include "base/join.h"
#include "io/image/evidence.h"
#include "io/profile/nearby.h"
#include "report/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What was found out; the findings refer to the evidence, so it is not to be copied. */
struct examination {
	struct evidence evidence;
	struct findings findings;
};

static enum demangle_style style_of(const struct options *opt)
{
	return opt->report.raw_names ? DEMANGLE_NONE : opt->report.demangle;
}

/* Analyses the session, without warnings, and looks for causes. */
static void examine(struct examination *found, struct session *s, const struct options *opt,
		    const char *missing, double inlined)
{
	const struct analysis_options chosen = { .select = opt->analysis.select };
	struct progress *progress = s->diag->progress;
	struct diag silent = diag_silent(progress);
	struct diagnosis_options how = { .selected = chosen.select.requests.n > 0,
					 .all_symbols = opt->input.program.symbols.all,
					 .estimated = opt->input.estimated };

	found->evidence =
		evidence_gather(s->image, s->input->program.path, &s->profile, progress, s->mem);
	found->evidence.missing = missing;
	found->evidence.inlined_ticks = (uint64_t)inlined;
	if (missing)
		found->evidence.instead = nearby_instead(missing, s->input->program.path, s->mem);
	how.base = s->input->has_image_base ? s->input->image_base : found->evidence.base;
	session_analyze(s, &chosen, 0, &silent);
	found->findings = diagnose(&s->analysis, &found->evidence, &how, s->mem);
}

/* Inlined functions have to hold so much of all time to be worth a word; and where nobody asked,
 * files with more bytes are not searched for them. */
static const double least_inlined = 0.2;
enum { MOST_SEARCHED = 64 * 1024 * 1024 };

/* In percent; 0 if it is not worth a word. */
static double inlined_percent(const struct session *s, const struct options *opt)
{
	struct inlined_share share;
	struct stat st;

	if (opt->input.inlined || s->program->by_line || stat(s->input->program.path, &st) < 0 ||
	    st.st_size > MOST_SEARCHED)
		return 0.0;
	share = session_inlined_share(s);
	return share.inlined > least_inlined * share.all ? 100.0 * share.inlined / share.all : 0.0;
}

void explain_inlined(const struct session *s, const struct options *opt, unsigned reports)
{
	double percent = 0.0;

	if (reports & (REPORT_INCLUSIVE | REPORT_TREE))
		percent = inlined_percent(s, opt);
	if (percent > 0.0)
		diag_note(
			s->diag,
			"functions that were inlined hold %.0f %% of the time; --inlined shows them",
			percent);
}

/* Whether the request is of functions that were inlined somewhere. */
static bool is_of_inlined(const struct session *s, const struct named_program *program,
			  const struct named_request *request)
{
	struct function_lines_options opt = { .style = program->style };
	struct diag silent = diag_silent(s->diag->progress);
	const struct symtab *symtab = program->symtab;
	address_list pcs = { 0 };
	struct line_table lines;

	array_push(s->mem, &opt.requests) = *request;
	for (sym_id i = 0; i < symtab->nsyms; i++) {
		if (!(symtab->sym[i].flags & SYM_FOREIGN))
			array_push(s->mem, &pcs) = symtab->sym[i].lo;
	}
	lines = session_lines(s, &pcs);
	function_lines_make(program, &lines, &opt, s->mem, &silent);
	return silent.nerrors == 0;
}

/* Whether the call graph can have an entry for it. */
static bool has_entry(const struct session *s, const struct named_program *program,
		      const struct named_request *request)
{
	const struct symtab *symtab = program->symtab;
	struct bitset functions = bitset_empty(s->mem, symtab->nsyms);

	named_match(program, request, functions, s->mem);
	for (sym_id i = 0; i < symtab->nsyms; i++) {
		if (bitset_has(functions, i) &&
		    (s->has_stacks || !(symtab->sym[i].flags & SYM_INLINED)))
			return true;
	}
	return false;
}

bool explain_unlisted(const struct session *s, const struct options *opt)
{
	const struct named_program program = { .path = s->program->path,
					       .symtab = &s->program->symtab,
					       .address_space = s->program->address_space,
					       .style = opt->analysis.entry.style };
	const named_requests *requests = &opt->analysis.entry.requests;
	struct stat st;

	if (named_need_locations(requests, s->program->address_space, s->mem) ||
	    s->program->by_line)
		return false;
	for (size_t i = 0; i < requests->n; i++) {
		const char *name = requests->at[i].name;

		if (has_entry(s, &program, &requests->at[i]) ||
		    stat(s->input->program.path, &st) < 0 || st.st_size > MOST_SEARCHED ||
		    !is_of_inlined(s, &program, &requests->at[i]))
			continue;
		if (s->has_stacks)
			diag_error(s->diag,
				   "--entry: '%s' was inlined wherever it is called: --inlined "
				   "--entry=%s shows it",
				   name, name);
		else
			diag_error(s->diag,
				   "--entry: '%s' was inlined wherever it is called: --source=%s "
				   "shows its lines, --top --inlined its time",
				   name, name);
		return true;
	}
	return false;
}

int explain_run(struct session *s, const struct options *opt, struct output *out)
{
	const char *missing = session_missing(s->input);
	struct examination found;
	double inlined = 0.0;

	if (session_read_some(s, !missing) < 0)
		return -1;
	if (!missing)
		inlined = session_inlined_share(s).inlined;
	examine(&found, s, opt, missing, inlined);
	explain_write(&s->analysis, &found.evidence, &found.findings, style_of(opt), out, s->mem);
	return found.findings.ncauses > 0 ? EXPLAIN_CAUSE : 0;
}

bool explain_missing(struct session *s, const struct options *opt)
{
	const char *missing = session_missing(s->input);
	struct examination found;

	if (!missing)
		return false;
	if (session_read_some(s, false) == 0) {
		examine(&found, s, opt, missing, 0.0);
		diag_error(s->diag, "%s; see gprof --explain",
			   explain_sentence(&found.findings.at[0], style_of(opt), s->mem));
	}
	return true;
}

static double credited(const struct analysis *a)
{
	double ticks = 0.0;

	for (sym_id n = 0; n < a->graph.nnodes; n++)
		ticks += a->ticks.self[n];
	return ticks;
}

/* Whether the reports, or those that nobody declined, lack what they are for. */
static bool is_poor(const struct analysis *a, unsigned reports, unsigned mentioned)
{
	double ticks = credited(a);

	if (reports & (REPORT_FLAT | REPORT_GRAPH) && 2.0 * ticks < a->ticks.total)
		return true;
	if (reports & (REPORT_FLAT | REPORT_GRAPH) && ticks <= 0.0)
		return true;
	if ((reports & REPORT_GRAPH || mentioned == 0) && a->blocks.n == 0 &&
	    !analysis_has_calls(a))
		return true;
	return reports != 0 && !a->profile->has_hists && !a->profile->has_arcs && a->blocks.n == 0;
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

		if (hist->nbins > 0 && hist->hi > end && !profile_is_unknown(a->profile, hist))
			end = hist->hi;
	}
	for (size_t i = 0; i < ncode; i++) {
		if (code[i].hi + SLACK >= end && code[i].hi <= end + SLACK)
			return false;
	}
	return end > 0;
}

/* What the program became by exec is not in its profile, unless it was itself once more. */
static void note_replaced(const struct session *s)
{
	const struct recorded *r = &s->profile.recorded;

	if (r->processes.n > 0 && r->processes.at[r->processes.n - 1].ending == PROCESS_REPLACED)
		diag_note(s->diag,
			  "%s became another program by exec, which is not profiled: "
			  "--run=children does that",
			  s->input->program.path);
}

/* Code that was made at run time is in no module, and nothing tells how to find callers there. */
static void note_made_code(const struct session *s)
{
	const struct recorded *r = &s->profile.recorded;
	uint64_t made = 0;

	for (size_t i = 0; i < r->samples.n; i++) {
		uint32_t node = r->samples.at[i].node;

		if (node != RECORDED_NONE && r->samples.at[i].quality == STACK_BROKEN &&
		    r->nodes.at[node].module == RECORDED_NONE)
			made += r->samples.at[i].ticks;
	}
	if (made > r->ticks / 10)
		diag_note(
			s->diag,
			"%s makes code while it runs (%.0f %% of the samples are in it): that has no "
			"names, and who called it is not known",
			s->input->program.path, 100.0 * (double)made / (double)r->ticks);
}

/* CPU time of what a program started, which --run did not record, in ns; 0 if it is not worth a
 * word.
 */
static uint64_t unrecorded_ns(const struct session *s)
{
	enum { LEAST_NS = 50000000, LEAST_PART = 10 };
	const struct recorded *r = &s->profile.recorded;
	uint64_t own = 0, other;

	for (size_t i = 0; i < r->processes.n; i++) {
		if (own < r->processes.at[i].cpu_ns)
			own = r->processes.at[i].cpu_ns;
	}
	other = own > 0 && own < r->used_ns ? r->used_ns - own : 0;
	return other > LEAST_NS && other > r->used_ns / LEAST_PART ? other : 0;
}

static bool has_stack_times(const struct session *s)
{
	return s->has_stacks && s->analysis.stacks->times.total > 0;
}

/* Why the profile that --run made has little of the time, or none: a line in mem, and in *key what
 * findings call their kind. NULL if there is nothing to be said. */
static const char *sentence_of_run(const struct session *s, const struct options *opt,
				   const char **key)
{
	const struct recorded *r = &s->profile.recorded;
	double used = (double)r->used_ns / 1e9, other = (double)unrecorded_ns(s) / 1e9;
	char text[200];

	if (!opt->launch.wanted || opt->input.together)
		return NULL;
	if (other > 0.0) {
		*key = "children";
		snprintf(text, sizeof(text),
			 "%.2f of %.2f s of CPU are of what it started: try --run=children", other,
			 used);
	} else if (s->has_stacks && !has_stack_times(s)) {
		*key = "short";
		snprintf(text, sizeof(text),
			 "no samples: %" PRIu32
			 " are taken in a second of CPU time; it used %.3f s",
			 s->profile.unit.rate, used);
	} else {
		return NULL;
	}
	return arena_strndup(s->mem, text, strlen(text));
}

/* A cause as --top shows it, in mem. */
static const char *cause_line(const char *key, const char *sentence, struct arena *mem)
{
	const char *const parts[] = { "! ", key, ": ", sentence };

	return join_strings(mem, parts, sizeof(parts) / sizeof(*parts));
}

const char *const *explain_causes(const struct session *s, const struct options *opt, size_t *n)
{
	struct diag silent = diag_silent(s->diag->progress);
	struct session_input *input = arena_array(s->mem, struct session_input, 1);
	struct examination found;
	const char *key, *of_run = sentence_of_run(s, opt, &key);
	struct session functions;
	const char **causes;
	double inlined;
	char text[120];

	*n = 0;
	if (of_run && !has_stack_times(s)) {
		causes = arena_array(s->mem, const char *, 1);
		causes[(*n)++] = cause_line(key, of_run, s->mem);
		return causes;
	}
	*input = options_own_input(opt);
	input->program.static_calls = false;
	if (session_read_beside(&functions, s, input, &silent) < 0)
		return NULL;
	examine(&found, &functions, opt, NULL, 0.0);
	causes = arena_array(s->mem, const char *, found.findings.ncauses + 2);
	if (of_run)
		causes[(*n)++] = cause_line(key, of_run, s->mem);
	for (size_t i = 0; i < found.findings.ncauses; i++) {
		const struct finding *f = &found.findings.at[i];

		/* With all symbols, they are in rows of their own. */
		if (f->kind != FOUND_NEIGHBOUR || !input->program.symbols.all)
			causes[(*n)++] = explain_line(f, style_of(opt), s->mem);
	}
	inlined = inlined_percent(s, opt);
	if (inlined > 0.0) {
		snprintf(
			text, sizeof(text),
			"%.0f %% of the time is in functions that were inlined; --inlined shows them",
			inlined);
		causes[(*n)++] = cause_line("inlined", text, s->mem);
	}
	return causes;
}

void explain_note(const struct session *s, const struct options *opt, unsigned reports)
{
	struct diag silent = diag_silent(s->diag->progress);
	bool has_stacks = has_stack_times(s);
	bool poor = !has_stacks && is_poor(&s->analysis, reports, opt->report.mentioned);
	struct session_input input = options_own_input(opt);
	const char *key, *of_run;
	struct session functions;
	struct examination found;

	if (opt->launch.wanted && reports && !opt->input.together)
		note_replaced(s);
	if (opt->launch.wanted && reports)
		note_made_code(s);
	/* Causes are in that report. */
	if (reports & REPORT_TOP)
		return;
	of_run = sentence_of_run(s, opt, &key);
	if (of_run)
		diag_note(s->diag, "%s", of_run);
	if (of_run && !has_stacks)
		return;
	if (has_stacks && opt->launch.wanted && reports && !opt->input.together &&
	    !analysis_has_calls(&s->analysis))
		diag_note(s->diag, "no call counts: %s is not built with -pg",
			  s->input->program.path);
	/* Of recordings by --run it is known whose they are. */
	if (!poor && s->profile.recorded.processes.n > 0)
		return;
	if (!poor && !is_strange(&s->analysis, s->image, s->mem))
		return;
	input.program.static_calls = false;
	if (session_read_beside(&functions, s, &input, &silent) < 0)
		return;
	examine(&found, &functions, opt, NULL, 0.0);
	if (found.findings.ncauses > 0 &&
	    (poor || finding_is_misplacement(found.findings.at[0].kind)))
		diag_note(s->diag, "%s; see gprof --explain",
			  explain_sentence(&found.findings.at[0], style_of(opt), s->mem));
}

void explain_dropped(const struct session *s, const struct options *opt, unsigned reports)
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
			 s->analysis.ticks.total);
	if (sums.nfunctions > 1)
		snprintf(others, sizeof(others), " and %" PRIu32 " other%s", sums.nfunctions - 1,
			 sums.nfunctions == 2 ? "" : "s");
	diag_note(s->diag,
		  "as in GNU gprof, %s%s of %s%s %s in rows of the functions before; "
		  "--all-symbols shows them",
		  ncalls, samples, demangle(sums.first, style_of(opt), s->mem), others,
		  sums.ncalls == 1 && sums.ticks <= 0.0 ? "is" : "are");
}

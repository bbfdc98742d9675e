/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/examine.h"

#include "analysis/diagnosis/diagnose.h"
#include "base/join.h"
#include "io/image/evidence.h"
#include "io/profile/nearby.h"
#include "report/explain.h"
#include "run/command/remedy.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* Inlined functions with a smaller share of all time are not mentioned. */
static const double least_inlined = 0.2;

enum { MOST_SEARCHED_BYTES = 64 * 1024 * 1024 };

enum demangle_style examine_style(const struct command *c)
{
	return c->opt->report.raw_names ? DEMANGLE_NONE : c->opt->report.demangle;
}

void examine_analyze(struct session *s, const struct command *c)
{
	const struct analysis_options chosen = { .select = c->opt->analysis.select };
	struct diag silent = diag_silent(s->diag->progress);

	session_analyze(s, &chosen, 0, &silent);
}

void examine_analysis(struct examination *found, const struct session *s, const struct command *c,
		      const char *missing, double inlined)
{
	const char *path = s->input->program.path;
	struct diagnosis_options how = { .selected = c->opt->analysis.select.requests.n > 0,
					 .all_symbols = c->data->program.symbols.all,
					 .estimated = c->data->estimated };

	found->evidence =
		evidence_gather(s->image, path, s->input->aliases.n > 0 ? &s->linked : &s->profile,
				s->diag->progress, s->mem);
	found->evidence.missing = missing;
	found->evidence.inlined_ticks = (uint64_t)inlined;
	if (missing)
		found->evidence.instead = nearby_instead(missing, path, s->mem);
	how.base = s->input->has_image_base ? s->input->image_base : found->evidence.base;
	found->findings = diagnose(&s->analysis, &found->evidence, &how, s->mem);
}

/* Returns an input with which all functions are examined, and the counted calls. */
static struct session_input examine_input(const struct command *c)
{
	struct session_input input = input_with_all_functions(c->data, c->opt->gnu_symbols);

	input.program.static_calls = false;
	return input;
}

int examine_session(struct examination *found, const struct session *s, const struct command *c)
{
	struct session_input *input = arena_array(s->mem, struct session_input, 1);
	struct session *beside = arena_array(s->mem, struct session, 1);
	struct diag silent = diag_silent(s->diag->progress);

	*input = examine_input(c);
	if (s->program != &s->own_program || !session_has_read(s, input)) {
		if (session_read_beside(beside, s, input, &silent) < 0)
			return -1;
		examine_analyze(beside, c);
		s = beside;
	}
	examine_analysis(found, s, c, NULL, 0.0);
	return 0;
}

bool examine_is_small(const struct session *s)
{
	struct stat st;

	return stat(s->input->program.path, &st) == 0 && st.st_size <= MOST_SEARCHED_BYTES;
}

double examine_inlined(const struct session *s)
{
	struct inlined_share share;

	if (s->input->inlined || s->program->inlined || s->program->by_line || !examine_is_small(s))
		return 0.0;
	share = session_inlined_share(s);
	return share.inlined > least_inlined * share.all ? 100.0 * share.inlined / share.all : 0.0;
}

/*
 * Nanoseconds of CPU time of processes that the program started and --run did not record; 0 if it
 * is little.
 */
static uint64_t examine_unrecorded_ns(const struct session *s)
{
	enum { LEAST_NS = 50000000, LEAST_PART = 10 };
	const struct recorded *r = &s->profile.recorded;
	uint64_t own = 0, other;

	for (size_t i = 0; i < r->processes.n; i++) {
		if (own < r->processes.at[i].cpu_ns)
			own = r->processes.at[i].cpu_ns;
	}
	other = own > 0 && own < r->used_ns ? r->used_ns - own : 0;
	if (s->input->together)
		other = s->analysis.processes.other_ns;
	return other > LEAST_NS && other > r->used_ns / LEAST_PART ? other : 0;
}

/* Why --run did not record that time. What was killed may have used some after its last sample. */
static const char *examine_why_unrecorded(const struct session *s, const struct command *c)
{
	const struct recorded *r = &s->profile.recorded;

	if (c->opt->launch.children == LAUNCH_ALONE)
		return "try --run without children=no";
	for (size_t i = 0; i < r->processes.n; i++) {
		if (r->processes.at[i].ending == PROCESS_KILLED)
			return "it was killed, or cannot be profiled, as if linked statically";
	}
	return "it cannot be profiled, as if linked statically";
}

bool examine_has_stack_times(const struct session *s)
{
	return s->stacks && s->analysis.costs.all > 0.0;
}

const char *examine_run(const struct session *s, const struct command *c, const char **key)
{
	const struct recorded *r = &s->profile.recorded;
	uint64_t other = examine_unrecorded_ns(s);

	if (!c->opt->launch.wanted)
		return NULL;
	if (other > 0) {
		*key = "children";
		return join_format(s->mem, "%.2f of %.2f s of CPU are of what it started: %s",
				   (double)other / 1e9, (double)r->used_ns / 1e9,
				   examine_why_unrecorded(s, c));
	}
	if (!s->stacks || examine_has_stack_times(s))
		return NULL;
	*key = "short";
	return join_format(
		s->mem, "no samples: %" PRIu32 " are taken in a second of CPU time; it used %.3f s",
		s->profile.unit.rate, (double)r->used_ns / 1e9);
}

/* Returns a line on a program that mostly waited, if that was not recorded, or NULL. */
static const char *examine_off_cpu(const struct session *s, const struct command *c,
				   const struct top *top)
{
	if (top->off_cpu <= 0.0)
		return NULL;
	return join_format(
		s->mem, "! waiting: it waited for %.0f %% of %.2f s; %s=clock=wall shows for what",
		100.0 * top->off_cpu, top->elapsed_s,
		c->opt->launch.wanted ? "--run" : "gprof --run");
}

const char *const *examine_causes(const struct session *s, const struct command *c,
				  const struct top *top, size_t *n)
{
	const char *off_cpu = examine_off_cpu(s, c, top);
	const char *key, *of_run = examine_run(s, c, &key), **causes;
	bool all = examine_input(c).program.symbols.all;
	struct examination found = { .findings = { .ncauses = 0 } };
	/* Whether functions without names have rows of their own, and it is said whose they are. */
	bool shown = examine_has_stack_times(s) && s->code;
	bool waited = off_cpu || top->waits_lead;
	const char *stripped = shown ? remedy_stripped(s) : NULL;
	const char *nameless = shown ? remedy_nameless(s) : NULL;
	double inlined = 0.0;

	*n = 0;
	if (!of_run || examine_has_stack_times(s)) {
		if (examine_session(&found, s, c) < 0)
			return NULL;
		/*
		 * A session for exports without call stacks has none, even if the input asked for
		 * them.
		 */
		inlined = c->data->inlined ? 0.0 : examine_inlined(s);
	}
	causes = arena_array(s->mem, const char *, found.findings.ncauses + 5);
	if (off_cpu)
		causes[(*n)++] = off_cpu;
	/* Of a program that only waits, more samples would not tell more. */
	if (of_run && !(waited && strcmp(key, "short") == 0))
		causes[(*n)++] = JOIN(s->mem, "! ", key, ": ", of_run);
	if (shown && stripped)
		causes[(*n)++] = JOIN(s->mem, "! stripped: ", stripped);
	if (shown && nameless)
		causes[(*n)++] = JOIN(s->mem, "! nameless: ", nameless);
	for (size_t i = 0; i < found.findings.ncauses; i++) {
		const struct finding *f = &found.findings.at[i];

		/*
		 * If all functions are shown, a function's neighbours have rows of their own, so a
		 * finding about them would be wrong.
		 */
		if ((f->kind != FOUND_NEIGHBOUR || !all) && (f->kind != FOUND_STRIPPED || !shown) &&
		    (f->kind != FOUND_FEW_SAMPLES || !waited))
			causes[(*n)++] = explain_line(f, examine_style(c), s->mem);
	}
	if (inlined > 0.0)
		causes[(*n)++] = join_format(s->mem,
					     "! inlined: %.0f %% of the time is in functions that "
					     "were inlined%s; --inlined shows them",
					     inlined, s->stacks ? ", or below" : "");
	return causes;
}

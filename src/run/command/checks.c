/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/checks.h"

#include "analysis/lines/function_lines.h"
#include "base/join.h"
#include "base/nearest_files.h"
#include "report/explain.h"
#include "run/command/examine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How --run would profile the program: with the words after its name, if the first is no file. */
static const char *checks_run_instead(const struct session_input *input, struct arena *mem)
{
	const char *path = input->program.path;
	const char *line = JOIN(mem, "gprof --run ", strchr(path, '/') ? "" : "./", path);

	for (int i = 0; input->profile_named && i < input->nprofiles; i++)
		line = JOIN(mem, line, " ", input->profiles[i]);
	return line;
}

/* What to write instead, if a data file is missing for this reason. */
static const char *checks_instead(const struct session *s, enum finding_kind kind,
				  const char *missing)
{
	const char *near =
		s->input->profile_named ? nearest_files_question(missing, "", NULL, s->mem) : "";

	if (*near)
		return near;
	if (kind == FOUND_NOT_BUILT)
		return JOIN(s->mem,
			    "; to profile it as it is: ", checks_run_instead(s->input, s->mem));
	return "; see gprof --explain";
}

bool checks_missing(struct session *s, const struct command *c)
{
	const char *missing = input_missing(s->input);
	struct examination found;

	if (!missing)
		return false;
	if (session_read_some(s, false) == 0) {
		examine_analyze(s, c);
		examine_analysis(&found, s, c, missing, 0.0);
		diag_error(s->diag, "%s%s",
			   explain_sentence(&found.findings.at[0], examine_style(c), s->mem),
			   checks_instead(s, found.findings.at[0].kind, missing));
	}
	return true;
}

/* Whether a function with that name was inlined somewhere. */
static bool checks_is_inlined(const struct session *s, const struct named_program *program,
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

/* Whether the call graph can have an entry with that name. */
static bool checks_has_entry(const struct session *s, const struct named_program *program,
			     const struct named_request *request)
{
	const struct symtab *symtab = program->symtab;
	struct bitset functions = bitset_empty(s->mem, symtab->nsyms);

	named_match(program, request, functions, s->mem);
	for (sym_id i = 0; i < symtab->nsyms; i++) {
		if (bitset_has(functions, i) &&
		    (s->stacks || !(symtab->sym[i].flags & SYM_INLINED)))
			return true;
	}
	return false;
}

int checks_entries(const struct session *s, const struct command *c)
{
	const struct named_program program = { .path = s->program->path,
					       .symtab = &s->program->symtab,
					       .address_space = s->program->address_space,
					       .style = c->opt->analysis.entry.style };
	const named_requests *requests = &c->opt->analysis.entry.requests;

	if (named_need_locations(requests, s->program->address_space, s->mem) ||
	    s->program->by_line)
		return 0;
	for (size_t i = 0; i < requests->n; i++) {
		const char *name = requests->at[i].name;

		if (checks_has_entry(s, &program, &requests->at[i]) || !examine_is_small(s) ||
		    !checks_is_inlined(s, &program, &requests->at[i]))
			continue;
		if (s->stacks)
			diag_error(s->diag,
				   "--entry: '%s' was inlined wherever it is called: --inlined "
				   "--entry=%s shows it",
				   name, name);
		else
			diag_error(s->diag,
				   "--entry: '%s' was inlined wherever it is called: --source=%s "
				   "shows its lines, --top --inlined its time",
				   name, name);
		return -1;
	}
	return 0;
}

static bool checks_has_locations(const struct session *s)
{
	for (sym_id i = 0; i < s->program->symtab.nsyms; i++) {
		if (s->locations[i].file)
			return true;
	}
	return false;
}

int checks_lines(const struct session *s, const struct command *c, unsigned reports)
{
	const struct line_damage *damage = image_line_damage(s->image);
	bool lines_alone =
		c->exports->n == 0 &&
		(s->program->by_line || (reports & ~(unsigned)REPORT_SUM) == REPORT_SOURCE);
	char others[60] = "";

	if (damage->nplaces == 0)
		return 0;
	if (damage->nplaces > 1)
		snprintf(others, sizeof(others), " and in %zu other place%s", damage->nplaces - 1,
			 damage->nplaces == 2 ? "" : "s");
	if (!lines_alone || checks_has_locations(s)) {
		diag_warn(s->diag,
			  "%s: %s is damaged at byte %" PRIu64
			  " (%s)%s: source lines are missing or wrong",
			  damage->path, damage->section, damage->at, damage->cause, others);
		return 0;
	}
	diag_error(s->diag,
		   "%s: %s is damaged at byte %" PRIu64 " (%s)%s: there are no source lines",
		   damage->path, damage->section, damage->at, damage->cause, others);
	return -1;
}

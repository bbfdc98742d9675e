/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings as text: the sentences of model/findings.def with names and numbers filled in. */
#include "config.h"

#include "report/explain.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *key, *sentence, *advice;
} texts[] = {
#define FINDING(name, severity, key, sentence, advice) { key, sentence, advice },
#include "model/findings.def"
#undef FINDING
};

typedef ARRAY(char) char_array;

static void explain_add(char_array *to, const char *text, struct arena *mem)
{
	while (*text)
		array_push(mem, to) = *text++;
}

static double explain_percent(uint64_t part, uint64_t of)
{
	return of > 0 ? 100.0 * (double)part / (double)of : 0.0;
}

/* The name that a field refers to, selected by the field's last letter. */
static const char *explain_name_in(const char *field, const struct finding *f)
{
	return f->name[field[strlen(field) - 1] - 'a'];
}

/* Adds a name; demangled C++ names may be very long and are cut. */
static void explain_add_name(char_array *to, const char *field, const struct finding *f,
			     enum demangle_style style, struct arena *mem)
{
	enum { LONGEST = 60 };
	const char *raw = explain_name_in(field, f);
	const char *name = demangle(raw, field[0] == 'r' ? DEMANGLE_NONE : style, mem);

	if (field[0] == '?')
		return;
	if (name == raw || strlen(name) <= LONGEST) {
		explain_add(to, name, mem);
		return;
	}
	explain_add(to, arena_strndup(mem, name, LONGEST - 3), mem);
	explain_add(to, "...", mem);
}

/* Adds the value of a field between braces, as findings.def defines it. */
static void explain_add_field(char_array *to, const char *field, const struct finding *f,
			      enum demangle_style style, struct arena *mem)
{
	const char *digit = strpbrk(field, "01234567");
	uint64_t n = digit ? f->number[*digit - '0'] : 0;
	char text[64];

	if (!digit) {
		explain_add_name(to, field, f, style, mem);
		return;
	}
	switch (field[0]) {
	case 'x':
		snprintf(text, sizeof(text), "0x%" PRIx64, n);
		break;
	case 's':
		snprintf(text, sizeof(text), "%s", n == 1 ? "" : "s");
		break;
	case 'i':
		snprintf(text, sizeof(text), "%s", n == 1 ? "is" : "are");
		break;
	case 'p':
		snprintf(text, sizeof(text), "%.1f", explain_percent(n, f->number[digit[1] - '0']));
		break;
	default:
		snprintf(text, sizeof(text), "%" PRIu64, n);
	}
	explain_add(to, text, mem);
}

static bool explain_is_name_missing(const char *field, const struct finding *f)
{
	return !strpbrk(field, "01234567") && !explain_name_in(field, f);
}

/* The first n bytes of a text with its fields filled in; NULL if a name is missing. */
static const char *explain_fill_in(const char *text, size_t n, const struct finding *f,
				   enum demangle_style style, struct arena *mem)
{
	char_array to = { 0 };

	for (size_t i = 0; i < n; i++) {
		char field[8] = "";
		size_t length = 0;

		if (text[i] != '{') {
			array_push(mem, &to) = text[i];
			continue;
		}
		while (text[++i] != '}')
			field[length++] = text[i];
		if (explain_is_name_missing(field, f))
			return NULL;
		explain_add_field(&to, field, f, style, mem);
	}
	array_push(mem, &to) = '\0';
	return to.at;
}

const char *explain_sentence(const struct finding *finding, enum demangle_style style,
			     struct arena *mem)
{
	const char *text = texts[finding->kind].sentence;
	const char *sentence = explain_fill_in(text, strlen(text), finding, style, mem);

	return sentence ? sentence : text;
}

const char *explain_line(const struct finding *finding, enum demangle_style style,
			 struct arena *mem)
{
	char_array to = { 0 };

	explain_add(&to, "! ", mem);
	explain_add(&to, texts[finding->kind].key, mem);
	explain_add(&to, ": ", mem);
	explain_add(&to, explain_sentence(finding, style, mem), mem);
	array_push(mem, &to) = '\0';
	return to.at;
}

static void explain_write_line(struct output *out, const char *text)
{
	output_name(out, text, strlen(text));
	output_char(out, '\n');
}

static void explain_write_finding(const struct finding *f, enum demangle_style style,
				  struct output *out, struct arena *mem)
{
	const char *advice = texts[f->kind].advice;

	if (!finding_is_cause(f->kind))
		output_text(out, "remark ");
	output_text(out, texts[f->kind].key);
	output_text(out, ": ");
	explain_write_line(out, explain_sentence(f, style, mem));
	while (*advice) {
		size_t n = strcspn(advice, "\n");
		const char *line = explain_fill_in(advice, n, f, style, mem);

		if (line) {
			output_text(out, "  ");
			explain_write_line(out, line);
		}
		advice += n + (advice[n] == '\n');
	}
}

static const char *explain_ending(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void explain_write_profile(const struct analysis *a, const struct findings *findings,
				  struct output *out)
{
	const struct profile *prof = a->profile;

	if (prof->files.n == 0)
		return;
	output_text(out, "profile: ");
	output_name(out, prof->files.at[0].name, strlen(prof->files.at[0].name));
	if (prof->files.n > 1)
		output_format(out, " and %zu more", prof->files.n - 1);
	output_format(out, ": %" PRIu64 " ", findings->nticks);
	if (analysis_is_exact(a))
		output_name(out, prof->unit.dimension, strlen(prof->unit.dimension));
	else
		output_format(out, "sample%s", explain_ending(findings->nticks));
	if (prof->hists.n > 0 && prof->unit.rate > 0 &&
	    strcmp(prof->unit.dimension, "seconds") == 0)
		output_format(out, " of 1/%" PRIu32 " s", prof->unit.rate);
	output_format(out, ", %" PRIu64 " arc%s with %" PRIu64 " call%s\n", findings->narcs,
		      explain_ending(findings->narcs), findings->ncalls,
		      explain_ending(findings->ncalls));
}

static void explain_write_program(const struct analysis *a, const struct evidence *e,
				  struct output *out)
{
	output_text(out, "program: ");
	output_name(out, a->program->path, strlen(a->program->path));
	output_format(out, ": linked for 0x%" PRIx64 "%s, %s", e->base,
		      e->position_independent ? ", movable" : "",
		      e->dynamic ? "with shared libraries" : "static");
	if (e->has_symbols)
		output_format(out, "; %" PRIu32 " functions", e->functions.nsyms);
	if (evidence_none_counts(e) || (e->has_symbols && e->ncounting > 0))
		output_format(out, ", %" PRIu32 " of them count calls (-pg)", e->ncounting);
	else if (e->entry)
		output_format(out, "; it calls %.100s (-pg)", e->entry);
	output_char(out, '\n');
	if (e->build_id)
		output_format(out, "  build-id %s\n", e->build_id);
}

static void explain_write_runtime(const struct analysis *a, const struct evidence *e,
				  const struct findings *findings, struct output *out)
{
	static const char *const linked[] = { "none known is linked",
					      "the C library's (gcrt1.o) is linked",
					      "libgmon is linked" };
	static const char *const wrote[] = { "", "; the file looks like the C library's",
					     "; the file looks like libgmon's" };

	output_format(out, "runtime: %s%s\n", linked[e->linked],
		      a->profile->files.n > 0 ? wrote[findings->writer] : "");
}

static void explain_write_unknown(const struct findings *findings, struct output *out)
{
	uint64_t all = findings->all_ticks;

	if (findings->unknown_ticks > 0)
		output_format(out, "without a sample: %" PRIu64 " of %" PRIu64 " ticks (%.1f %%)\n",
			      findings->unknown_ticks, all,
			      explain_percent(findings->unknown_ticks, all));
}

static void explain_write_samples(const struct evidence *e, const struct findings *findings,
				  struct output *out)
{
	const char *before = "samples: ";

	if (findings->nticks == 0)
		return;
	for (size_t i = 0; i < e->nparts; i++) {
		if (findings->part_ticks[i] == 0)
			continue;
		output_text(out, before);
		output_name(out, e->parts[i].name, strlen(e->parts[i].name));
		output_format(out, " %" PRIu64 " (%.1f %%)", findings->part_ticks[i],
			      explain_percent(findings->part_ticks[i], findings->nticks));
		before = ", ";
	}
	if (findings->outside_ticks > 0)
		output_format(out, "%soutside of the code %" PRIu64 " (%.1f %%)", before,
			      findings->outside_ticks,
			      explain_percent(findings->outside_ticks, findings->nticks));
	output_char(out, '\n');
}

static void explain_write_stacks(const struct stack_facts *stacks, struct output *out)
{
	static const char *const what[STACK_QUALITIES] = { "complete", "guessed", "broken", "cut",
							   "of unknown time" };

	if (stacks->nfiles == 0)
		return;
	output_text(out, "stacks: ");
	if (stacks->nlack > 0)
		output_format(out, "in %" PRIu32 " of %" PRIu32 " data files, ", stacks->nfiles,
			      stacks->nfiles + stacks->nlack);
	output_format(out, "%" PRIu64 " sample%s", stacks->nticks, explain_ending(stacks->nticks));
	for (int q = 0; q < STACK_QUALITIES; q++) {
		if (stacks->ticks[q] > 0)
			output_format(out, ", %.1f %% %s",
				      explain_percent(stacks->ticks[q], stacks->nticks), what[q]);
	}
	output_format(out, "; %" PRIu32 " thread%s, %" PRIu32 " node%s, %" PRIu32 " deep at most\n",
		      stacks->nthreads, explain_ending(stacks->nthreads), stacks->nnodes,
		      explain_ending(stacks->nnodes), stacks->depth);
}

static void explain_write_objects(const struct object_facts *objects, struct output *out)
{
	if (objects->nfiles == 0)
		return;
	output_text(out, "libraries: ");
	if (objects->nlack > 0)
		output_format(out, "in %" PRIu32 " of %" PRIu32 " data files, ", objects->nfiles,
			      objects->nfiles + objects->nlack);
	output_format(out, "%" PRIu64 " sample%s outside the program; %" PRIu64 " call%s in all",
		      objects->nticks, explain_ending(objects->nticks), objects->ncalls,
		      explain_ending(objects->ncalls));
	if (objects->unknown_ticks + objects->unknown_calls > 0)
		output_format(out,
			      "; %" PRIu64 " sample%s and %" PRIu64
			      " call%s in [unloaded]: one of several libraries that had that "
			      "place, one after the other",
			      objects->unknown_ticks, explain_ending(objects->unknown_ticks),
			      objects->unknown_calls, explain_ending(objects->unknown_calls));
	output_char(out, '\n');
}

/* How many functions may have had more calls for a reason. */
static size_t explain_count_parts(const struct recorded *recorded, enum part_reason reason)
{
	size_t n = 0;

	for (size_t i = 0; i < recorded->parts.n; i++)
		n += (recorded->parts.at[i].reasons & reason) != 0;
	return n;
}

/* Why some functions are not counted where they begin, if others are. */
static void explain_write_entries(const struct recorded *recorded, struct output *out)
{
	static const struct {
		enum part_reason reason;
		const char *text;
	} why[] = {
		{ PART_FIXED, "since their first instructions cannot be moved" },
		{ PART_ENTERED, "since something may lead there that is no call" },
		{ PART_SHORT, "since they are too short" },
		{ PART_UNKNOWN, "since their instructions are not known" },
		{ PART_EARLY, "since they may have been called before" },
	};
	const char *before = "calls: counted where they begin";

	if (recorded_entries(recorded) == 0)
		return;
	output_format(out, "%s: %" PRIu64 " functions", before, recorded_entries(recorded));
	before = "; not so: ";
	for (size_t i = 0; i < sizeof(why) / sizeof(why[0]); i++) {
		const size_t n = explain_count_parts(recorded, why[i].reason);

		if (n > 0)
			output_format(out, "%s%zu %s", before, n, why[i].text);
		before = n > 0 ? ", " : before;
	}
	output_char(out, '\n');
}

/* Of which functions calls may be missing. */
static void explain_write_parts(const struct recorded *recorded, struct output *out)
{
	if (recorded->parts.n == 0)
		return;
	output_format(out,
		      "calls: at least (>=) in %zu functions: %zu have their address taken, "
		      "%zu may be called by other objects, %zu by calls that are not counted, "
		      "%zu before counting begins\n",
		      recorded->parts.n, explain_count_parts(recorded, PART_TAKEN),
		      explain_count_parts(recorded, PART_EXPORTED),
		      explain_count_parts(recorded, PART_UNCOUNTED),
		      explain_count_parts(recorded, PART_EARLY));
}

/* Where calls were counted in the code, and of which functions some may be missing. */
static void explain_write_sites(const struct recorded *recorded, struct output *out)
{
	for (size_t i = 0; i < recorded->sites.n; i++) {
		const struct recorded_site *site = &recorded->sites.at[i];
		const char *path = recorded->modules.at[site->module].path;
		const uint64_t all = site->nsites + site->ndirect + site->nindirect;

		output_format(out,
			      "calls: counted at %" PRIu64 " of %" PRIu64
			      " call sites (%.1f %%) of ",
			      site->nsites, all, explain_percent(site->nsites, all));
		output_name(out, path, strlen(path));
		output_format(out, "; %" PRIu64 " go through pointers", site->nindirect);
		if (site->ndropped > 0)
			output_format(out, "; %" PRIu32 " of %" PRIu32 " functions were left alone",
				      site->ndropped, site->nfunctions);
		output_char(out, '\n');
	}
	explain_write_entries(recorded, out);
	explain_write_parts(recorded, out);
}

void explain_write(const struct analysis *a, const struct evidence *e,
		   const struct findings *findings, enum demangle_style style, struct output *out,
		   struct arena *mem)
{
	if (findings->ncauses == 0) {
		output_format(out,
			      "nothing wrong: %" PRIu64 " sample%s and %" PRIu64
			      " call%s in the functions of ",
			      findings->nticks, explain_ending(findings->nticks), findings->ncalls,
			      explain_ending(findings->ncalls));
		explain_write_line(out, a->program->path);
	}
	for (size_t i = 0; i < findings->n; i++)
		explain_write_finding(&findings->at[i], style, out, mem);
	output_char(out, '\n');
	explain_write_profile(a, findings, out);
	explain_write_program(a, e, out);
	explain_write_runtime(a, e, findings, out);
	explain_write_samples(e, findings, out);
	explain_write_unknown(findings, out);
	explain_write_stacks(&findings->stacks, out);
	explain_write_objects(&findings->objects, out);
	explain_write_sites(&a->profile->recorded, out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/session.h"

#include "analysis/functions/aliases.h"
#include "analysis/integer_costs.h"
#include "io/profile/ext_beside.h"
#include "io/profile/profiles.h"
#include "model/needs.h"
#include "model/recorded_made.h"
#include "run/session/fetches.h"
#include "run/session/gather.h"

#include <string.h>
#include <sys/stat.h>

int session_open(struct session *s, const struct session_input *input, struct arena *mem,
		 struct diag *diag)
{
	progress_step(diag->progress, "opening the program", 0);
	*s = (struct session){ .input = input, .mem = mem, .diag = diag };
	if (input_is_mistaken(input, mem, diag))
		return -1;
	s->limits = limits_begin(input->program.path);
	s->image = image_open(input->program.path, &input->search.debug, diag);
	if (!s->image)
		limits_end(&s->limits);
	return s->image ? 0 : -1;
}

/* Reads the data files and adds them up in s->profile, which is empty so far. */
static int session_read_profile(struct session *s)
{
	const struct session_input *input = s->input;
	const char *const *files = input->profiles;
	struct profile prof = s->profile;
	const char *found;
	int rc;

	if (!input->profile_named) {
		found = input_find_profile(input, s->diag);
		files = &found;
	}
	/* Data files may be large, or come from a pipe, and no library reads them. */
	limits_pause(&s->limits);
	if (input->together || input->run)
		rc = gather_read(&prof, input, s->image, s->mem, s->diag);
	else
		rc = profiles_read(&prof, files, (size_t)input->nprofiles, input->format, s->mem,
				   s->diag);
	limits_resume(&s->limits);
	prof.recorded.used_ns = input->used_ns;
	prof.recorded.displaced = input->displaced;
	s->profile = prof;
	return rc;
}

static uint64_t session_move_down(uint64_t pc, const void *by)
{
	return pc - *(const uint64_t *)by;
}

static uint64_t session_shift(const struct session *s)
{
	return s->input->image_base - (s->input->has_image_base ? image_base(s->image) : 0);
}

struct profile session_link_profile(const struct session *s, const struct profile *prof,
				    struct arena *mem)
{
	uint64_t by = session_shift(s);
	struct profile linked = *prof;

	if (s->input->aliases.n > 0)
		linked = aliases_profile(prof, &s->input->aliases, by, mem);
	else if (by != 0)
		linked = profile_map(prof, session_move_down, &by, mem);
	recorded_made_group(&linked.recorded, mem);
	return linked;
}

/* Warns about data that the reports do not show. */
static void session_warn(const struct session *s)
{
	const struct profile *prof = &s->profile;
	const char *last = prof->files.at[prof->files.n - 1].name;
	uint64_t nblocks = 0;

	for (size_t i = 0; i < prof->files.n; i++)
		nblocks += prof->files.at[i].nblocks;
	if (nblocks > 0 && !s->program->by_line && !s->input->lines_elsewhere)
		diag_warn(s->diag, "%s: basic-block counts are ignored without -l", last);
	if (prof->has_hists && prof->unit.rate == 0)
		diag_warn(s->diag, "%s: no sampling rate recorded: times are in ticks, not seconds",
			  last);
}

static int session_read_calls(struct session *s)
{
	const struct program_input *input = &s->input->program;

	if (!input->static_calls)
		return 0;
	return program_read_calls(&s->own_program, s->image, input, s->mem, s->diag);
}

/*
 * Sets what must be known before reading, and the values that are analysed if session_symbolize()
 * makes no others.
 */
static void session_begin_reading(struct session *s)
{
	s->own_program = program_begin(s->image, &s->input->program);
	s->profile = (struct profile){ .target = s->own_program.target,
				       .keeps_pipes = s->input->keeps_pipes,
				       .salvages = s->input->salvages };
	s->program = &s->own_program;
	s->rebased = &s->linked;
}

/* The network's time is no time of reading the program. */
static void session_fetch(struct session *s)
{
	limits_pause(&s->limits);
	fetches_make(s->input, s->image, &s->profile.recorded, s->mem, s->diag);
	limits_resume(&s->limits);
}

int session_read(struct session *s)
{
	const struct program_input *input = &s->input->program;

	bool fetches = s->input->fetch && s->input->fetch->seconds > 0;

	session_begin_reading(s);
	/* What is fetched depends on the samples. */
	if (fetches && session_read_profile(s) < 0)
		return -1;
	if (fetches)
		session_fetch(s);
	if (program_read(&s->own_program, s->image, input, s->mem, s->diag) < 0 ||
	    (!fetches && session_read_profile(s) < 0) || session_read_calls(s) < 0)
		return -1;
	session_warn(s);
	s->linked = session_link_profile(s, &s->profile, s->mem);
	return 0;
}

bool session_has_split_functions(const struct session *s)
{
	const struct recorded *recorded = &s->linked.recorded;

	return recorded->nfiles > 0 && recorded->nlack == 0 && s->own_program.dropped.nsyms > 0;
}

int session_read_functions(struct session *s)
{
	s->own_program = program_begin(s->image, &s->input->program);
	if (program_read(&s->own_program, s->image, &s->input->program, s->mem, s->diag) < 0)
		return -1;
	return session_read_calls(s);
}

int session_read_some(struct session *s, bool has_files)
{
	const struct program_input *input = &s->input->program;

	session_begin_reading(s);
	if ((input->symfile || !image_is_stripped(s->image)) &&
	    program_read_functions(&s->own_program, s->image, input, s->mem, s->diag) < 0)
		return -1;
	if (has_files && session_read_profile(s) < 0)
		return -1;
	s->linked = session_link_profile(s, &s->profile, s->mem);
	return 0;
}

bool session_has_read(const struct session *s, const struct session_input *input)
{
	const struct program_input *has = &s->input->program, *wanted = &input->program;

	return has->symbols.all == wanted->symbols.all &&
	       has->symbols.unnamed == wanted->symbols.unnamed && has->by_line == wanted->by_line &&
	       has->static_calls == wanted->static_calls;
}

int session_read_beside(struct session *s, const struct session *first,
			const struct session_input *input, struct diag *diag)
{
	*s = (struct session){ .input = input,
			       .image = first->image,
			       .mem = first->mem,
			       .diag = diag,
			       .own_program = program_begin(first->image, &input->program),
			       .program = &s->own_program,
			       .profile = first->profile,
			       .linked = first->linked,
			       .rebased = &s->linked,
			       .code = first->code };
	if (session_has_read(first, input)) {
		s->own_program = first->own_program;
		return 0;
	}
	if (program_read(&s->own_program, s->image, &input->program, s->mem, diag) < 0)
		return -1;
	return session_read_calls(s);
}

const struct call_trees *session_trees(const struct session *s, const struct analysis_options *opt,
				       enum trees_parts parts, bool inlined)
{
	struct stacks_choice choice;
	struct call_trees *trees;

	if (!s->stacks)
		return NULL;
	choice = analyze_choose(s->stacks, &opt->select);
	if (!inlined)
		choice.symbolized = s->uninlined;
	trees = arena_array(s->mem, struct call_trees, 1);
	*trees = trees_make(&choice, &s->analysis.selection, integer_costs_per_tick(&s->analysis),
			    parts, s->mem);
	return trees;
}

static int session_add_stacks(struct run_sums *sums, const struct selection *sel, bool inclusive,
			      void *arg)
{
	const struct session *s = arg;

	confidence_add_stacks(sums, s->stacks, sel, inclusive);
	return 0;
}

/* Fails for pipes, which cannot be read again. */
static int session_add_files(struct run_sums *sums, const struct selection *sel, bool inclusive,
			     void *arg)
{
	struct session *s = arg;
	const struct session_sums choice = { .ticks = true };
	struct diag silent = diag_silent(s->diag->progress);
	int rc = session_sum_files(s, sums, sel, &choice, &silent);

	(void)inclusive;
	if (rc < 0)
		diag_note(s->diag,
			  "%s: cannot be read again, one run at a time, so the intervals do "
			  "not include differences between runs",
			  s->profile.files.at[0].name);
	return rc;
}

/* The processes on call stacks or, if times are not from these, the data files. */
static struct confidence_runs session_runs(struct session *s)
{
	if (!s->stacks)
		return (struct confidence_runs){ .n = (uint32_t)s->profile.files.n,
						 .add = session_add_files,
						 .arg = s };
	return (struct confidence_runs){ .n = s->linked.recorded.nfiles,
					 .add = session_add_stacks,
					 .arg = s,
					 .has_inclusive = true,
					 .threads = s->stacks->threads };
}

uint32_t session_count_runs(struct session *s)
{
	return session_runs(s).n;
}

void session_analyze(struct session *s, const struct analysis_options *opt, unsigned needs,
		     struct diag *diag)
{
	bool modules = s->program->address_space;

	if (s->program->by_line || needs & NEEDS_LINES ||
	    select_needs_locations(&opt->select, modules, s->mem) ||
	    named_need_locations(&opt->entry.requests, modules, s->mem) ||
	    named_need_locations(&opt->source.requests, modules, s->mem) ||
	    named_need_locations(&opt->instructions, modules, s->mem))
		session_locate(s, NULL);
	s->analysis = analyze(&(struct analysis_input){ s->program, s->rebased, s->locations, needs,
							s->stacks, session_runs(s) },
			      opt, s->mem, diag);
}

void session_inputs(const struct session *s, file_ids *ids)
{
	const struct program_input *program = &s->input->program;

	fileids_add_path(ids, program->path, s->mem);
	fileids_add_path(ids, program->symfile, s->mem);
	fileids_add_path(ids, program->mapfile, s->mem);
}

void session_profiles(const struct session *s, file_ids *ids)
{
	for (size_t i = 0; i < s->profile.files.n; i++) {
		const struct profile_file *file = &s->profile.files.at[i];

		fileids_add_path(ids, file->name, s->mem);
		if (profile_stacks_any(&file->stacks))
			fileids_add_path(ids, ext_beside_name(file->name, s->mem), s->mem);
	}
}

void session_close(struct session *s)
{
	image_close(s->image);
	limits_end(&s->limits);
	s->image = NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the program whose table has the symbols of all code on call stacks. See session.h. */
#include "config.h"

#include "run/session/session.h"

#include "analysis/functions/inlined.h"
#include "base/search.h"
#include "model/needs.h"
#include "run/session/clocks.h"
#include "run/session/libraries.h"
#include "run/session/modules.h"
#include "run/session/ranges.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether times come from call stacks: all data files have stacks, and no option declines them. */
static bool session_wants_stacks(const struct session *s, bool estimated)
{
	const struct recorded *recorded = &s->linked.recorded;

	return recorded->nfiles > 0 && recorded->nlack == 0 && !estimated && !s->program->by_line;
}

/*
 * Chooses what the table needs symbols for, as bits of enum address_space_part; 0 if the program's
 * own symbols are enough. Returns 0, or -1 after saying why not.
 */
static int session_choose_parts(const struct session *s, bool estimated, unsigned *parts)
{
	bool recorded = recorded_has_objects(&s->linked.recorded);

	*parts = session_wants_stacks(s, estimated) ? ADDRESS_SPACE_STACKS : 0;
	/* Calls that were counted in the code are those of the functions on the stacks. */
	if (recorded && *parts && s->linked.recorded.sites.n > 0)
		*parts |= ADDRESS_SPACE_ARCS;
	if (!s->input->objects)
		return 0;
	if (!recorded && !*parts) {
		modules_say_missing(&s->profile, s->mem, s->diag);
		return -1;
	}
	if (!recorded)
		modules_note_calls(&s->profile, s->mem, s->diag);
	/*
	 * Ticks of libraries are in the stacks already, as stacks and ticks are the same samples.
	 */
	if (recorded)
		*parts |= *parts ? ADDRESS_SPACE_ARCS : ADDRESS_SPACE_ARCS | ADDRESS_SPACE_TICKS;
	return 0;
}

/*
 * Whether gprof --run made the recording. The recording of a killed program does not say so, but
 * then libgmon is among its libraries, and there are no calls.
 */
static bool session_is_of_run(const struct session *s)
{
	const struct recorded *recorded = &s->linked.recorded;

	if (recorded->processes.n > 0)
		return true;
	for (size_t i = 0; i < recorded->modules.n && s->linked.arcs.n == 0; i++) {
		if (recorded->modules.at[i].flags & MODULE_RECORDER)
			return true;
	}
	return false;
}

/*
 * Chooses how libraries are shown: the same way in reports of --run and of profiles that it has
 * kept.
 */
static enum symbolize_libraries session_choose_libraries(const struct session *s)
{
	if (s->input->libraries != SYMBOLIZE_USUAL)
		return s->input->libraries;
	return session_is_of_run(s) ? SYMBOLIZE_SHOW : SYMBOLIZE_OBJECT;
}

/* Reads the symbols of libraries whose functions are shown. */
static void session_read_libraries(struct session *s, enum symbolize_libraries libraries,
				   struct bitset used)
{
	const struct session_input *input = s->input;
	const struct recorded *recorded = &s->linked.recorded;

	if (s->code || !(input->objects || libraries == SYMBOLIZE_SHOW))
		return;
	if (input->objects)
		used = modules_choose(recorded, used, &input->patterns, s->mem, s->diag);
	s->code = libraries_read(recorded, used, &input->search, s->mem, s->diag);
}

/* Times come from these call stacks from now on: those of the session's threads and clock. */
static void session_choose_stacks(struct session *s, const struct symbolized_stacks *symbolized)
{
	struct stacks_choice *stacks = arena_array(s->mem, struct stacks_choice, 1);

	*stacks = (struct stacks_choice){ .symbolized = symbolized,
					  .threads = s->input->thread ? &s->threads : NULL,
					  .thread_names = s->input->thread,
					  .range = s->range,
					  .clock = s->clock };
	s->stacks = stacks;
}

/*
 * Makes a table of the program and its libraries, with the requested parts of these: a new program
 * beside the one that was read.
 */
static void session_add_libraries(struct session *s, unsigned parts)
{
	const struct session_input *input = s->input;
	struct program *program = arena_array(s->mem, struct program, 1);
	struct profile *rebased = arena_array(s->mem, struct profile, 1);
	struct symbolized_stacks *symbolized = arena_array(s->mem, struct symbolized_stacks, 1);
	const struct modules_input modules = { program, &input->search.debug, s->diag->progress,
					       s->mem };
	struct symbolize_input in = { .address_space = { .program = program,
							 .recorded = &s->linked.recorded,
							 .plain = input->plain_names },
				      .libraries = session_choose_libraries(s),
				      .parts = parts,
				      .profile = &s->linked };
	struct address_space_input *space = &in.address_space;
	uint32_t nown = s->own_program.symtab.nsyms;

	progress_step(s->diag->progress, "finding the functions of libraries", 0);
	*program = s->own_program;
	program->stubs = libraries_stubs(s->image, &program->nstubs, s->mem);
	space->same = address_space_same(space->recorded, s->mem);
	space->used = address_space_used(space->recorded, space->same, parts, s->mem);
	session_read_libraries(s, in.libraries, space->used);
	if (program->by_line)
		s->code = modules_add_lines(space->recorded, s->code, &input->search.debug, s->mem,
					    s->diag);
	space->code = s->code;
	*rebased = s->linked;
	*symbolized = symbolize_stacks(&in, rebased, s->mem);
	symbolized->address_space.located = input->objects || in.libraries == SYMBOLIZE_SHOW;
	symbolized->address_space.own_names = program->listed ? NAMES_FULL : image_names(s->image);
	program->symtab = symbolized->symtab;
	program->address_space = &symbolized->address_space;
	if (program->locations)
		program->locations = modules_line_locations(&modules, nown);
	clocks_set_unit(rebased, &s->clock);
	s->program = program;
	s->rebased = rebased;
	if (parts & ADDRESS_SPACE_STACKS)
		session_choose_stacks(s, symbolized);
	s->uninlined = symbolized;
}

/* Reads the debug information of the code at these addresses, with that of libraries. */
static struct line_table session_read_inlined(struct session *s, address_list *pcs)
{
	return session_read_lines(s, pcs, true, s->program->address_space && s->code);
}

/* Makes a program with these functions and, if any were found, the inlined ones among them. */
static struct program *session_add_inlined(struct session *s, const struct inlined *inlined,
					   const struct symtab *symtab)
{
	struct program *program = arena_array(s->mem, struct program, 1);

	*program = *s->program;
	program->symtab = *symtab;
	if (inlined->n > 0)
		program->inlined = inlined;
	s->program = program;
	return program;
}

/* Notes that no inlined function was found by these addresses, which the user had asked for. */
static void session_note_inlined(const struct session *s, const address_list *pcs,
				 const struct line_table *lines)
{
	if (s->program->inlined || !s->input->inlined)
		return;
	diag_note(s->diag, "--inlined: %s in %s",
		  lines->nrows > 0 || pcs->n == 0
			  ? "no inlined code has samples"
			  : "there is no debug information (-g) about inlined functions",
		  s->program->path);
}

/* Adds symbols of inlined functions on stacks, for which debug information is read. */
static void session_inline_stacks(struct session *s)
{
	struct inlined *inlined = arena_array(s->mem, struct inlined, 1);
	struct symbolized_stacks *symbolized = arena_array(s->mem, struct symbolized_stacks, 1);
	address_list pcs = { 0 };
	struct line_table lines;
	struct program *program;

	inlined_want(s->uninlined, &pcs, s->mem);
	lines = session_read_inlined(s, &pcs);
	*symbolized = inlined_find_on_stacks(inlined, s->uninlined, s->program->address_space,
					     &lines, s->mem);
	program = session_add_inlined(s, inlined, &symbolized->symtab);
	program->address_space = &symbolized->address_space;
	session_choose_stacks(s, symbolized);
	session_note_inlined(s, &pcs, &lines);
}

/* The same where samples have no stacks. */
static void session_inline_samples(struct session *s)
{
	struct inlined *inlined = arena_array(s->mem, struct inlined, 1);
	struct symtab symtab = s->program->symtab;
	address_list pcs = { 0 };
	struct line_table lines;

	line_costs_want_bins(s->rebased, &pcs, s->mem);
	lines = session_read_inlined(s, &pcs);
	if (lines.nrows > 0)
		symtab = inlined_find_sampled(inlined, s->rebased, s->program, &lines, s->mem);
	session_add_inlined(s, inlined, &symtab);
	session_note_inlined(s, &pcs, &lines);
}

/* Threads that a message lists, and bytes for each. */
enum { LISTED = 8, LISTED_BYTES = 64 };

static bool session_is_number(const char *word, unsigned long *tid)
{
	char *end;

	*tid = strtoul(word, &end, 10);
	return end > word && *end == '\0';
}

/* Returns the first few threads, "main (4711), ...", in mem. */
static const char *session_list_threads(const struct recorded *recorded, struct arena *mem)
{
	char *text = arena_array(mem, char, (LISTED + 1) * LISTED_BYTES), *at = text;

	for (size_t i = 0; i < recorded->threads.n && i <= LISTED; i++) {
		const struct recorded_thread *thread = &recorded->threads.at[i];

		if (i == LISTED)
			snprintf(at, LISTED_BYTES, ", ...");
		else
			snprintf(at, LISTED_BYTES, "%s%.32s (%" PRIu32 ")", i > 0 ? ", " : "",
				 recorded_thread_called(thread), thread->tid);
		at += strlen(at);
	}
	return text;
}

/*
 * Makes *threads, in mem: the threads with that name or, if there are none and `word` is a number,
 * with that number. Returns 0, or -1 after an error that lists the threads in the profile
 * `profile`. Linear.
 */
static int session_find_threads(struct bitset *threads, const struct recorded *recorded,
				const char *word, const char *profile, struct arena *mem,
				struct diag *diag)
{
	unsigned long tid;
	bool by_number = session_is_number(word, &tid), found = false;

	*threads = bitset_empty(mem, recorded->threads.n);
	for (int numbers = 0; numbers <= by_number && !found; numbers++) {
		for (size_t i = 0; i < recorded->threads.n; i++) {
			const struct recorded_thread *thread = &recorded->threads.at[i];

			if (numbers ? thread->tid == tid
				    : strcmp(recorded_thread_called(thread), word) == 0) {
				bitset_add(*threads, i);
				found = true;
			}
		}
	}
	if (!found)
		diag_error(diag, "%s: no thread '%s': there is %s", profile, word,
			   session_list_threads(recorded, mem));
	return found ? 0 : -1;
}

/* Makes a program with symbols of libraries, if any are asked for. */
static int session_symbolize_modules(struct session *s, bool estimated)
{
	const struct session_input *input = s->input;
	const struct clocks_input clock = { input->clock, input->all_threads || input->thread,
					    !input->together && s->profile.files.n > 1 };
	const struct recorded *recorded = &s->linked.recorded;
	unsigned parts;

	if ((input->measured || input->thread || clocks_need_stacks(&clock)) &&
	    needs_check(NEEDS_MEASURED, "", &s->profile, s->diag) < 0)
		return -1;
	if (recorded->nfiles > 0 && recorded->nlack > 0 && !estimated)
		modules_note_stacks(&s->profile, s->mem, s->diag);
	/* Which threads are idle is known of the whole run only, so the clock comes first. */
	if (session_choose_parts(s, estimated, &parts) < 0 ||
	    clocks_choose(&s->clock, &s->linked, parts & ADDRESS_SPACE_STACKS, &clock, s->mem,
			  s->diag) < 0 ||
	    ranges_choose(s, parts & ADDRESS_SPACE_STACKS) < 0)
		return -1;
	if (!parts)
		return 0;
	if (!s->code) /* code means that another session has checked the program */
		libraries_check_program(recorded, s->image, s->program->path, s->mem, s->diag);
	if (input->thread && parts & ADDRESS_SPACE_STACKS &&
	    session_find_threads(&s->threads, recorded, input->thread,
				 s->profile.files.at[s->profile.files.n - 1].name, s->mem,
				 s->diag) < 0)
		return -1;
	if (!address_space_has_room(&s->program->symtab, recorded)) {
		diag_error(s->diag, "%s: no address space above the program for %s",
			   s->program->path,
			   input->objects ? "--objects" : "call stacks; --estimated needs none");
		return -1;
	}
	session_add_libraries(s, parts);
	return 0;
}

int session_symbolize(struct session *s, bool estimated)
{
	if (session_symbolize_modules(s, estimated || s->input->estimated) < 0)
		return -1;
	if (s->stacks && (s->input->inlined || s->input->inlined_if_known))
		session_inline_stacks(s);
	else if (s->input->inlined)
		session_inline_samples(s);
	return 0;
}

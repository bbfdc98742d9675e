/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose code it is and where it came from: stacks and libraries symbolized, locations looked up.
 * See session.h. */
#include "config.h"

#include "run/session/session.h"

#include "analysis/functions/inlined.h"
#include "base/search.h"
#include "model/needs.h"
#include "run/session/clocks.h"
#include "run/session/libraries.h"
#include "run/session/modules.h"
#include "run/session/threads.h"

#include <stdlib.h>
#include <string.h>

/* Times are from call stacks where all data files have some, unless the input declines them. */
static bool has_stacks(const struct session *s)
{
	const struct recorded *recorded = &s->located.recorded;

	return recorded->nfiles > 0 && recorded->nlack == 0 && !s->input->estimated &&
	       !s->program.by_line;
}

/* What is wanted of libraries, as enum address_space_part has it, and recorded. -1 with the reason
 * said. */
static int choose_parts(const struct session *s, unsigned *parts)
{
	bool recorded = recorded_has_objects(&s->located.recorded);

	*parts = has_stacks(s) ? ADDRESS_SPACE_STACKS : 0;
	if (!s->input->objects)
		return 0;
	if (!recorded && !*parts) {
		modules_say_missing(&s->profile, s->mem, s->diag);
		return -1;
	}
	if (!recorded)
		modules_note_calls(&s->profile, s->mem, s->diag);
	/* Never both: the leaves of stacks are the same ticks. */
	if (recorded)
		*parts |= *parts ? ADDRESS_SPACE_ARCS : ADDRESS_SPACE_ARCS | ADDRESS_SPACE_TICKS;
	return 0;
}

/* Whether gprof --run has made the recording. What a killed program left does not say so, but has
 * a library that recorded, and no calls. */
static bool is_of_run(const struct session *s)
{
	const struct recorded *recorded = &s->located.recorded;

	if (recorded->processes.n > 0)
		return true;
	for (size_t i = 0; i < recorded->modules.n && s->located.arcs.n == 0; i++) {
		if (recorded->modules.at[i].flags & MODULE_RECORDER)
			return true;
	}
	return false;
}

/* The same for the reports of --run itself and for those of a profile that it has kept. */
static enum symbolize_libraries choose_libraries(const struct session *s)
{
	if (s->input->libraries != SYMBOLIZE_USUAL)
		return s->input->libraries;
	return is_of_run(s) ? SYMBOLIZE_SHOW : SYMBOLIZE_OBJECT;
}

/* The functions of those libraries that are to be shown with their own. */
static void read_libraries(struct session *s, enum symbolize_libraries libraries,
			   struct bitset used)
{
	const struct session_input *input = s->input;
	const struct recorded *recorded = &s->located.recorded;

	if (s->code || !(input->objects || libraries == SYMBOLIZE_SHOW))
		return;
	if (input->objects)
		used = modules_choose(recorded, used, &input->patterns, s->mem, s->diag);
	s->code = libraries_read(recorded, used, &input->search, s->mem, s->diag);
}

/* Makes one table of the program and its libraries, for as much as is wanted of them. */
static void place(struct session *s, unsigned parts)
{
	const struct session_input *input = s->input;
	struct symbolize_input in = { .address_space = { .program = &s->program,
							 .recorded = &s->located.recorded,
							 .plain = input->plain_names },
				      .libraries = choose_libraries(s),
				      .parts = parts,
				      .profile = &s->located };
	const struct modules_input modules = { &s->program, s->diag->progress, s->mem };
	uint32_t nown = s->program.symtab.nsyms;

	progress_step(s->diag->progress, "finding the functions of libraries", 0);
	s->program.stubs = libraries_stubs(s->image, &s->program.nstubs, s->mem);
	in.address_space.same = address_space_same(in.address_space.recorded, s->mem);
	in.address_space.used =
		address_space_used(in.address_space.recorded, in.address_space.same, parts, s->mem);
	read_libraries(s, in.libraries, in.address_space.used);
	in.address_space.code = s->code;
	if (s->program.by_line)
		in.address_space.code = s->code =
			modules_add_lines(in.address_space.recorded, s->code, s->mem, s->diag);
	s->symbolized = symbolize_stacks(&in, &s->rebased, s->mem);
	s->symbolized.address_space.located = input->objects;
	s->symbolized.address_space.own_names =
		s->program.listed ? NAMES_FULL : image_names(s->image);
	s->program.symtab = s->symbolized.symtab;
	s->program.address_space = &s->symbolized.address_space;
	if (s->program.by_line && s->program.locations)
		s->program.locations = modules_line_locations(&modules, nown);
	s->has_stacks = parts & ADDRESS_SPACE_STACKS;
}

/* The lines of the code at the addresses, which it sorts: of the program, and of modules if wanted.
 */
static struct line_table session_read_lines(const struct session *s, code_addresses *pcs,
					    bool modules)
{
	const struct modules_input input = { &s->program, s->diag->progress, s->mem };
	struct line_table lines;

	if (pcs->n > 0)
		qsort(pcs->at, pcs->n, sizeof(*pcs->at), search_order);
	lines = program_read_places(&s->program, s->image, pcs->at, pcs->n, s->diag->progress,
				    s->mem);
	return modules ? modules_read_places(&input, &lines, pcs->at, pcs->n) : lines;
}

struct inlined_share session_inlined_share(const struct session *s)
{
	const struct recorded *recorded = s->has_stacks ? &s->located.recorded : NULL;
	code_addresses pcs = { 0 };
	struct line_table lines;

	if (recorded)
		inlined_want_ends(recorded, &pcs, s->mem);
	else
		line_costs_want_bins(&s->rebased, &pcs, s->mem);
	lines = session_read_lines(s, &pcs, false);
	return inlined_share(recorded, &s->rebased, &s->program.symtab, &lines);
}

/* Makes functions of what was inlined; not without debug information. */
static void session_inline(struct session *s)
{
	code_addresses pcs = { 0 };
	struct line_table lines;

	if (s->has_stacks)
		inlined_want(&s->symbolized, &pcs, s->mem);
	else
		line_costs_want_bins(&s->rebased, &pcs, s->mem);
	lines = session_read_lines(s, &pcs, s->program.address_space && s->code);
	s->uninlined = s->symbolized;
	if (s->has_stacks) {
		s->symbolized = inlined_place(&s->inlined, &s->uninlined, s->program.address_space,
					      &lines, s->mem);
		s->program.symtab = s->symbolized.symtab;
	} else if (lines.nrows > 0) {
		s->program.symtab =
			inlined_find_sampled(&s->inlined, &s->rebased, &s->program, &lines, s->mem);
	}
	if (s->inlined.n > 0)
		s->program.inlined = &s->inlined;
	else
		diag_note(s->diag, "--inlined: %s in %s",
			  lines.nrows > 0 || pcs.n == 0
				  ? "nothing that was inlined has samples"
				  : "no debug information (-g) tells what was inlined",
			  s->program.path);
}

/* Makes one table of all code that is wanted, if it is not the program's alone. */
static int session_symbolize_modules(struct session *s)
{
	const struct session_input *input = s->input;
	const struct clocks_input clock = { input->clock, input->all_threads || input->thread,
					    !input->together && s->profile.files.n > 1 };
	const struct recorded *recorded = &s->located.recorded;
	unsigned parts;

	if ((input->measured || input->thread || clocks_need_stacks(&clock)) &&
	    needs_check(NEEDS_MEASURED, "", &s->profile, s->diag) < 0)
		return -1;
	if (recorded->nfiles > 0 && recorded->nlack > 0 && !input->estimated)
		modules_note_stacks(&s->profile, s->mem, s->diag);
	if (choose_parts(s, &parts) < 0 ||
	    clocks_choose(&s->clock, &s->located, parts & ADDRESS_SPACE_STACKS, &clock, s->mem,
			  s->diag) < 0)
		return -1;
	if (!parts)
		return 0;
	if (!s->code) /* else another session has told */
		libraries_check_program(recorded, s->image, s->program.path, s->mem, s->diag);
	if (input->thread && parts & ADDRESS_SPACE_STACKS &&
	    threads_find(&s->threads, recorded, input->thread,
			 s->profile.files.at[s->profile.files.n - 1].name, s->mem, s->diag) < 0)
		return -1;
	if (!address_space_has_room(&s->program.symtab, recorded)) {
		diag_error(s->diag, "%s: its code is too high for %s", s->program.path,
			   input->objects ? "--objects" : "call stacks; --estimated goes without");
		return -1;
	}
	place(s, parts);
	clocks_set_unit(&s->rebased, &s->clock);
	return 0;
}

int session_symbolize(struct session *s)
{
	if (session_symbolize_modules(s) < 0)
		return -1;
	if (s->input->inlined)
		session_inline(s);
	return 0;
}

static struct modules_input modules_of(const struct session *s)
{
	return (struct modules_input){ &s->program, s->diag->progress, s->mem };
}

/* Whether libraries have locations of their own to be looked up. */
static bool locates_modules(const struct session *s)
{
	return s->program.address_space && s->program.address_space->located &&
	       !s->program.locations;
}

/* Sets the locations; what was inlined has none of its own in the image. */
static void session_set_locations(struct session *s, const struct location *locations)
{
	uint32_t n = s->program.symtab.nsyms;
	struct location *all;

	s->locations = locations;
	if (!s->program.inlined)
		return;
	all = arena_array(s->mem, struct location, n);
	memcpy(all, locations, n * sizeof(*all));
	inlined_locate(s->program.inlined, all);
	s->locations = all;
}

void session_locate(struct session *s, const struct bitset *wanted)
{
	const struct modules_input modules = modules_of(s);
	const struct location *locations =
		program_locations(&s->program, s->image, wanted, s->diag->progress, s->mem);

	if (locates_modules(s))
		locations = modules_locate(&modules, wanted, locations);
	session_set_locations(s, locations);
}

struct line_table session_lines(const struct session *s, code_addresses *pcs)
{
	return session_read_lines(s, pcs, locates_modules(s));
}

void session_locate_places(struct session *s, const struct bitset *wanted, code_addresses *pcs)
{
	const struct symtab *symtab = &s->program.symtab;

	for (sym_id sym = 0; sym < symtab->nsyms; sym++) {
		if (bitset_has(*wanted, sym))
			array_push(s->mem, pcs) = symtab->sym[sym].lo;
	}
	s->lines = session_lines(s, pcs);
	if (s->locations)
		return;
	if (s->lines.nrows > 0)
		session_set_locations(s,
				      program_locations_by(&s->program, &s->lines, wanted, s->mem));
	else
		session_locate(s, wanted);
}

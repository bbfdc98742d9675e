/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source locations of symbols, source lines of code, and source files. See session.h. */
#include "config.h"

#include "analysis/functions/inlined.h"
#include "analysis/lines/line_sums.h"
#include "base/radix.h"
#include "run/session/fetches_sources.h"
#include "run/session/modules.h"
#include "run/session/session.h"

#include <string.h>

static struct modules_input session_modules(const struct session *s)
{
	return (struct modules_input){ s->program, &s->input->search.debug, s->diag->progress,
				       s->mem };
}

struct line_table session_read_lines(const struct session *s, address_list *pcs, bool callers,
				     bool modules)
{
	const struct modules_input input = session_modules(s);
	struct line_table lines;

	radix_sort_numbers(pcs->at, pcs->n, s->mem);
	lines = program_lines_at(s->program, s->image, pcs, callers, s->diag->progress, s->mem);
	return modules ? modules_lines_at(&input, &lines, pcs->at, pcs->n) : lines;
}

struct inlined_share session_inlined_share(const struct session *s)
{
	/* Also where the times are not those of stacks, as for --explain. */
	const struct recorded *recorded = &s->linked.recorded;
	bool stacks = recorded->nodes.n > 0;
	address_list pcs = { 0 };
	struct line_table lines;

	if (stacks)
		inlined_want_own(recorded, &pcs, s->mem);
	else
		line_costs_want_bins(s->rebased, &pcs, s->mem);
	lines = session_read_lines(s, &pcs, true, false);
	return stacks ? inlined_share_of_stacks(recorded, &lines, s->mem)
		      : inlined_share_of_bins(s->rebased, &s->program->symtab, &lines);
}

/* Whether locations in libraries are looked up in the files of these. */
static bool session_locates_modules(const struct session *s)
{
	return s->program->address_space && s->program->address_space->located &&
	       !s->program->locations;
}

/* Sets the locations; those of inlined functions do not come from the image. */
static void session_set_locations(struct session *s, const struct location *locations)
{
	uint32_t n = s->program->symtab.nsyms;
	struct location *all;

	s->locations = locations;
	if (!s->program->inlined)
		return;
	all = arena_array(s->mem, struct location, n);
	memcpy(all, locations, n * sizeof(*all));
	inlined_locate(s->program->inlined, all);
	s->locations = all;
}

void session_locate(struct session *s, const struct bitset *wanted)
{
	const struct modules_input modules = session_modules(s);
	const struct location *locations =
		program_locations(s->program, s->image, wanted, s->diag->progress, s->mem);

	if (session_locates_modules(s))
		locations = modules_locate(&modules, wanted, locations);
	session_set_locations(s, locations);
}

struct line_table session_lines(const struct session *s, address_list *pcs)
{
	return session_read_lines(s, pcs, true, session_locates_modules(s));
}

void session_locate_with_lines(struct session *s, const struct bitset *wanted, address_list *pcs)
{
	const struct symtab *symtab = &s->program->symtab;

	for (sym_id sym = 0; sym < symtab->nsyms; sym++) {
		if (bitset_has(*wanted, sym))
			array_push(s->mem, pcs) = symtab->sym[sym].lo;
	}
	s->lines = session_lines(s, pcs);
	if (s->locations)
		return;
	if (s->lines.nrows > 0)
		session_set_locations(s,
				      program_locations_by(s->program, &s->lines, wanted, s->mem));
	else
		session_locate(s, wanted);
}

/* Whether a report includes the file: it has calls or time, or all files are asked for. */
static bool session_lists_source(const struct source_file *file, bool zeros,
				 const struct line_sums *sums)
{
	const struct file_sum *sum = sums ? line_sums_find(sums, file->name) : NULL;

	return source_is_listed(file, zeros) || (sum && sum->nlines > 0);
}

/* Copies of the source files that a report includes. */
static source_copies session_copies(const struct session *s, bool zeros,
				    const struct line_sums *sums)
{
	const struct source_files *files = &s->analysis.sources;
	source_wishes wishes = { 0 };

	for (size_t i = 0; i < files->n; i++) {
		const struct source_file *file = &files->file[i];
		const struct file_sum *sum = sums ? line_sums_find(sums, file->name) : NULL;

		if (session_lists_source(file, zeros, sums))
			array_push(s->mem, &wishes) = (struct source_wish){
				.file = file->name,
				.pc = s->program->symtab.sym[file->line[0].first].lo,
				.ticks = sum ? sum->ticks : 0.0,
			};
	}
	return fetches_sources_make(s, &wishes);
}

const struct source_text *session_sources(const struct session *s, bool zeros,
					  const struct line_sums *sums, file_ids *ids)
{
	const struct source_files *files = &s->analysis.sources;
	const source_copies copies = session_copies(s, zeros, sums);
	const struct source_search search = { &s->input->source_path, false, ids, s->mem, &copies };
	struct source_text *texts = arena_array(s->mem, struct source_text, files->n);

	progress_count(s->diag->progress, "read", "source files", files->n);
	for (size_t i = 0; i < files->n; i++) {
		progress_at(s->diag->progress, i);
		if (session_lists_source(&files->file[i], zeros, sums))
			texts[i] = source_read(files->file[i].name, &search, s->mem, s->diag);
	}
	return texts;
}

struct line_sums session_line_sums(const struct session *s, struct bitset credited)
{
	struct analysis own = s->analysis;
	const struct line_costs_input input = { .analysis = &own };
	address_list pcs = { 0 };
	struct line_table lines;
	struct line_costs costs;

	/* Only the program's own samples are added up, whatever else the analysis counts. */
	own.profile = &s->linked;
	own.selection.flat = credited;
	line_costs_want_bins(own.profile, &pcs, s->mem);
	lines = session_read_lines(s, &pcs, false, false);
	costs = line_costs_make(&input, &lines, s->mem);
	return line_sums_make(&costs, s->program, s->locations, s->mem);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/source_lines.h"

#include "analysis/lines/listing.h"
#include "run/session/fetches_sources.h"

#include <string.h>

/* Returns an address of code that is from the file of a listing. */
static uint64_t source_lines_code(const struct session *s, const struct listing *listing,
				  const struct line_table *lines)
{
	if (listing->nsymbols > 0)
		return s->program->symtab.sym[listing->symbol[0]].lo;
	/* All of it was inlined. */
	for (size_t i = 0; i < lines->nrows; i++) {
		if (lines->row[i].file == listing->file)
			return lines->row[i].pc;
	}
	return 0;
}

/* Copies of the files of listings. */
static source_copies source_lines_copies(const struct session *s, const struct listings *listings,
					 const struct line_table *lines)
{
	source_wishes wishes = { 0 };

	for (uint32_t i = 0; i < listings->n; i++) {
		const struct listing *listing = &listings->at[i];

		if (listing->file)
			array_push(s->mem, &wishes) = (struct source_wish){
				.file = listing->file,
				.pc = source_lines_code(s, listing, lines),
				.ticks = listing->time.self + listing->time.inclusive,
			};
	}
	return fetches_sources_make(s, &wishes);
}

/* Reads each file once; the listings of one file need not be neighbours. */
static const struct source_text *source_lines_read(const struct session *s,
						   const struct listings *listings,
						   const struct line_table *lines, file_ids *ids)
{
	const source_copies copies = source_lines_copies(s, listings, lines);
	const struct source_search search = { &s->input->source_path, false, ids, s->mem, &copies };
	struct source_text *texts = arena_array(s->mem, struct source_text, listings->n);
	struct strtable names = { .mem = s->mem };
	uint32_t *first = arena_array(s->mem, uint32_t, listings->n);

	for (uint32_t i = 0, nfiles = 0; i < listings->n; i++) {
		uint32_t place;

		if (!listings->at[i].file)
			continue;
		place = strtable_place(&names, listings->at[i].file);
		if (place == nfiles) {
			texts[i] = source_read(listings->at[i].file, &search, s->mem, s->diag);
			first[nfiles++] = i;
		}
		texts[i] = texts[first[place]];
	}
	return texts;
}

/* Notes that no listing has any time. */
static void source_lines_note_idle(const struct listings *listings, struct diag *diag)
{
	for (uint32_t i = 0; i < listings->n; i++) {
		if (listings->at[i].time.self > 0.0 || listings->at[i].time.inclusive > 0.0)
			return;
	}
	if (listings->n > 0)
		diag_note(diag, "--source: no sample fell on %s",
			  listings->n == 1 ? "this function" : "any of these functions");
}

/* Returns the functions that have time in the flat profile and are chosen for annotated source. */
static struct bitset source_lines_credited(const struct session *s)
{
	const struct selection *sel = &s->analysis.selection;
	uint32_t n = s->program->symtab.nsyms;
	struct bitset both = bitset_empty(s->mem, n);

	for (sym_id i = 0; i < n; i++) {
		if (bitset_has(sel->flat, i) && bitset_has(sel->lines, i))
			bitset_add(both, i);
	}
	return both;
}

void source_lines_gather_files(struct steps *steps, struct view *view)
{
	struct session *s = &steps->session;
	struct line_sums *sums;

	if (steps->c->opt->report.time_columns) {
		sums = arena_array(s->mem, struct line_sums, 1);
		*sums = session_line_sums(s, source_lines_credited(s));
		view->line_sums = sums;
	}
	view->sources = session_sources(s, steps->c->opt->report.zeros, view->line_sums,
					&steps->files.inputs);
}

int source_lines_gather_listings(struct steps *steps, struct view *view)
{
	const struct analysis_options *analysis = &steps->c->opt->analysis;
	const struct function_lines_options *opt = &analysis->source;
	struct session *s = &steps->session;
	struct listings *made = arena_array(s->mem, struct listings, 1);
	const struct named_program program = { .path = s->program->path,
					       .symtab = &s->program->symtab,
					       .address_space = s->program->address_space,
					       .locations = s->locations,
					       .style = opt->style };
	struct listing_input input = { .analysis = &s->analysis };
	struct line_costs_input costs_input = { .analysis = &s->analysis };
	address_list pcs = { 0 };
	struct line_table lines;
	struct line_costs costs;
	struct function_lines functions;
	size_t nerrors = s->diag->nerrors;

	input.trees = costs_input.trees = session_trees(s, analysis, TREES_ADDRESSES, false);
	line_costs_want(&costs_input, &pcs, s->mem);
	function_lines_want(&program, opt, &pcs, s->mem);
	lines = session_lines(s, &pcs);
	functions = function_lines_make(&program, &lines, opt, s->mem, s->diag);
	if (s->diag->nerrors > nerrors)
		return -1;
	costs = line_costs_make(&costs_input, &lines, s->mem);
	input.lines = &lines;
	input.costs = &costs;
	input.functions = &functions;
	progress_step(s->diag->progress, "adding up samples of lines", 0);
	*made = listing_make(&input, s->mem);
	view->listings = made;
	view->listing_texts = source_lines_read(s, made, &lines, &steps->files.inputs);
	source_lines_note_idle(made, s->diag);
	return 0;
}

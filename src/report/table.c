/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of reports. */
#include "config.h"

#include "report/report.h"

#include "model/needs.h"
#include "report/entries.h"
#include "report/labels.h"
#include "report/views.h"

/* The order of output, except that the traditional layout begins with the call graph. */
enum {
	INFO,
	PROGRAMS,
	TOP,
	RANKS,
	BLAME,
	THREADS,
	OBJECTS,
	FLAT,
	INCLUSIVE,
	GRAPH,
	INDEX,
	TREE,
	LISTING,
	INSTRUCTIONS,
	COUNTS,
	SOURCE,
	ORDER,
	PROCESSES,
	NREPORTS
};

static const struct {
	unsigned bit;
	const char *what; /* name in messages */
	unsigned needs;
	void (*write)(const struct text *t, struct output *out);
	unsigned traits;
	const char *option; /* of reports that need call stacks */
} table[NREPORTS] = {
	[INFO] = { REPORT_INFO, "a list of the data files", 0, info_write },
	[PROGRAMS] = { REPORT_PROGRAMS, "a list of programs", NEEDS_MEASURED,
		       processes_write_programs },
	[TOP] = { REPORT_TOP, "a first screen", 0, screen_write, .traits = REPORT_WAITS },
	[RANKS] = { REPORT_RANKS, "a comparison of ranks", 0, ranks_write },
	[BLAME] = { REPORT_BLAME, "what threads waited for locks", NEEDS_MEASURED, blame_write,
		    .traits = REPORT_WAITS, .option = "--blame" },
	[THREADS] = { REPORT_THREADS, "a list of threads", NEEDS_MEASURED, threads_write,
		      .traits = REPORT_WAITS, .option = "--thread-view" },
	[OBJECTS] = { REPORT_OBJECTS, "a list of objects", 0, objects_write },
	[FLAT] = { REPORT_FLAT, "a flat profile", NEEDS_SAMPLES, flat_write,
		   .traits = REPORT_LISTS },
	[INCLUSIVE] = { REPORT_INCLUSIVE, "an inclusive profile", NEEDS_MEASURED, inclusive_write,
			.traits = REPORT_LISTS | REPORT_WAITS, .option = "--inclusive" },
	[GRAPH] = { REPORT_GRAPH, "a call graph", NEEDS_CALLS, callgraph_write,
		    .traits = REPORT_REPEATS },
	[INDEX] = { REPORT_GRAPH, "a call graph", NEEDS_CALLS, index_write },
	[TREE] = { REPORT_TREE, "a call tree", NEEDS_MEASURED | NEEDS_STACKS, calltree_write,
		   .traits = REPORT_REPEATS | REPORT_WAITS, .option = "--call-tree" },
	[LISTING] = { REPORT_LISTING, "source by line", 0, sourcelines_write },
	[INSTRUCTIONS] = { REPORT_INSTRUCTIONS, "instructions", 0, instructions_write },
	[COUNTS] = { REPORT_COUNTS, "execution counts", 0, counts_write },
	[SOURCE] = { REPORT_SOURCE, "annotated source", NEEDS_LINES, annotate_write },
	[ORDER] = { REPORT_ORDER, "an order", 0, ordering_write },
	[PROCESSES] = { REPORT_PROCESSES, "a list of processes", NEEDS_MEASURED, processes_write,
			.option = "--processes" },
};

unsigned report_choose(const struct report_options *opt, const struct profile *prof)
{
	unsigned reports = opt->wanted;

	if (reports)
		return reports;
	if (prof->has_hists)
		reports |= REPORT_FLAT;
	if (prof->has_arcs)
		reports |= REPORT_GRAPH;
	if (!reports)
		reports = REPORT_COUNTS;
	if (opt->objects)
		reports |= REPORT_OBJECTS;
	return reports & ~opt->mentioned;
}

unsigned report_needs(unsigned reports)
{
	unsigned needs = 0;

	for (int i = 0; i < NREPORTS; i++)
		needs |= reports & table[i].bit ? table[i].needs : 0;
	return needs;
}

unsigned report_having(unsigned reports, unsigned traits)
{
	unsigned having = 0;

	for (int i = 0; i < NREPORTS; i++)
		having |= table[i].traits & traits ? reports & table[i].bit : 0;
	return having;
}

const char *report_measured_option(unsigned reports)
{
	for (int i = 0; i < NREPORTS; i++) {
		if (reports & table[i].bit && table[i].option)
			return table[i].option;
	}
	return NULL;
}

int report_check(unsigned reports, const struct profile *prof, struct diag *diag)
{
	for (int i = 0; i < NREPORTS; i++) {
		if (reports & table[i].bit &&
		    needs_check(table[i].needs, table[i].what, prof, diag) < 0)
			return -1;
	}
	return 0;
}

struct bitset report_locations(unsigned reports, const struct analysis *a,
			       const struct report_options *opt, struct arena *mem)
{
	struct bitset wanted = bitset_empty(mem, a->graph.nnodes);
	bool all = reports & REPORT_COUNTS ||
		   (opt->inline_files && reports & (REPORT_FLAT | REPORT_GRAPH));

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		bool decorated = a->program->symtab.sym[s].flags & SYM_STATIC &&
				 reports & REPORT_GRAPH && entries_indexes(a, opt, s);

		if (all || decorated)
			bitset_add(wanted, s);
	}
	return wanted;
}

/* Returns 0, or -1 after reporting the error. */
static int report_write_one(const struct text *t, struct output *out, struct diag *diag)
{
	for (int place = 0; place < NREPORTS; place++) {
		int i = place;

		if (t->opt->traditional && (place == FLAT || place == GRAPH))
			i = FLAT + GRAPH - place;
		if (!(t->reports & table[i].bit) || (i == INDEX && t->a->entries.bits))
			continue;
		if (table[i].needs && report_check(t->reports, t->a->profile, diag) < 0)
			return -1;
		table[i].write(t, out);
	}
	return 0;
}

int report_write(unsigned reports, const struct view *view, const struct report_options *opt,
		 struct output *out, struct arena *mem, struct diag *diag)
{
	struct arena line = arena_scratch(mem);
	struct text text;
	int rc;

	progress_step(diag->progress, "sorting the functions", 0);
	text = text_prepare(reports, view, opt, mem);
	text.progress = diag->progress;
	entries_order(&text);
	labels_make(&text, &line);
	rc = report_write_one(&text, out, diag);
	arena_free(&line);
	return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that an export format may read, and what formats share: names, numbers for texts, a title. */
#ifndef EXPORT_VIEW_H
#define EXPORT_VIEW_H

#include "base/demangle.h"
#include "export/export.h"
#include "model/difference.h"
#include "model/integer_costs.h"
#include "model/joint.h"
#include "model/line_costs.h"
#include "model/stacks.h"
#include "model/trees.h"
#include "model/view.h"

/* Arrays have an entry for each symbol, by its id. */
struct export_view {
	const struct analysis *a;
	const struct integer_costs *integer_costs; /* of a: which functions, and their times */
	const struct top *top;                     /* with NEEDS_TOP */
	const struct ranks *ranks; /* as the exporter's ranks() has it; NULL: not known */
	const struct export_request *request;
	struct mapping mapping;
	const char *title; /* the program's name; with estimated stacks, EXPORT_MARK behind it */

	/* With NEEDS_LOCATIONS; of those listed. */
	const struct location *locations;

	/*
	 * The names of listed symbols; NULL for all others. Any bytes, but not empty. `name` is
	 * readable unless the user wants linker names, and several symbols may share one. `unique`
	 * is for formats that tell functions apart by name only: a shared name has its source file,
	 * line and address behind it.
	 */
	const char *const *name;
	const char *const *unique;

	/* With NEEDS_SOURCES, unless the user declines: of those listed, the text of its file as
	 * far as found. Else NULL. */
	const struct source_text *sources;
	/* If the request wants lines; else NULL, and no lines. */
	const struct line_costs *line_costs;
	struct line_sums lines;
	const char *const *inlined; /* the names of line_costs->inlined, as `name` has names */
	/* With a large cycle, a sentence for the top of what is shown: not to trust it. Else NULL.
	 */
	const char *doubt;
	const struct stacks
		*stacks; /* with NEEDS_STACKS, in the units of `integer_costs`; else NULL */
	const struct call_trees *trees; /* recorded, of each thread; without any if the stacks are
					   estimated */
	/* Unless both are NULL, what is to be shown, of a format that `compares`; the stacks with
	 * NEEDS_STACKS. All else is of the new side. */
	const struct difference *difference;
	const struct joint *joint;
	enum difference_side side; /* that widths are of */
	struct arena *mem;
};

/* What a viewer should show with stacks that were never seen. */
#define EXPORT_MARK "estimated from call counts"

/*
 * What all formats of a run share, in mem: names, and what `view` and `integer_costs` have.
 * Linear in nodes but for sorting names. `style` is that of names: DEMANGLE_NONE shows them as the
 * linker knows them.
 */
struct export_view export_view_make(const struct view *view,
				    const struct integer_costs *integer_costs,
				    enum demangle_style style, struct arena *mem);

/* The names of costs->inlined, in mem; costs may be NULL. Linear. */
const char *const *export_inlined_names(const struct line_costs *costs, enum demangle_style style,
					struct arena *mem);

/* The name of a frame's function, in code of s: of an inlined one, or that of s in `own`. */
static inline const char *export_function(const struct export_view *e,
					  const struct source_frame *frame, sym_id s,
					  const char *const *own)
{
	return frame->function == FRAME_OWN ? own[s] : e->inlined[frame->function];
}

/* Code of a function that is of one line, by the same way of being inlined. */
struct export_line {
	sym_id symbol;
	uint32_t frame; /* of e->line_costs */
	uint64_t self, samples;
};

/* Those of a function by the address of their first code, functions by their own. */
struct export_lines {
	const struct export_line *at;
	uint32_t n;
};

/*
 * The trees of each thread, or if there are none, the one of all; and the thread's name, which has
 * its number behind it where others have the name, too, or NULL for all.
 */
struct export_thread {
	const char *name;
	const struct stacks *stacks;
};
struct export_threads {
	const struct export_thread *at;
	uint32_t n; /* at least 1 */
};

/* In e->mem. n log n in threads. */
struct export_threads export_threads(const struct export_view *e);

/* The module of a symbol, of those of e->a->program->address_space; RECORDED_NONE: the program, or
 * none. */
uint32_t export_module(const struct export_view *e, sym_id s);

/* The link-time address in its object of a place or call in a symbol. */
uint64_t export_pc(const struct export_view *e, sym_id s, uint64_t pc);

/* All modules of listed symbols and of stacks, the program aside, in e->mem. */
struct bitset export_modules(const struct export_view *e);

/* The link-time address of a symbol in its object; 0 for all of one, and for what is in none. */
uint64_t export_address(const struct export_view *e, sym_id s);

/* With intervals (e->a->confidence): that of a listed symbol's self time, or of its inclusive one,
 * in units of `integer_costs`. It holds the time itself. */
struct export_range {
	uint64_t low, high;
};
struct export_range export_self_range(const struct export_view *e, sym_id s);
struct export_range export_inclusive_range(const struct export_view *e, sym_id s);

/* All lines of the listed functions that samples fell on, in mem. Linear in addresses. */
struct export_lines export_lines(const struct export_view *e, struct arena *mem);

/* The name of what ticks are of: "cpu", or that of another kind on call stacks. */
const char *export_clock(const struct export_view *e);

/* The title for e->stacks, in e->mem. */
const char *export_title(const struct export_view *e);

/* The cycle, from 1, that a node of the stacks is; 0 if it is none. */
static inline uint32_t export_cycle(const struct export_view *e, const struct stack_node *node)
{
	uint32_t nsyms = e->a->graph.nnodes;
	bool is_cycle = e->stacks->of == STACKS_OF_NODES && node->function >= nsyms &&
			node->function != STACKS_REST;

	return is_cycle ? node->function - nsyms + 1 : 0;
}

/* The name of a node of the stacks, as `unique` has it; that of a cycle lives in e->mem. */
const char *export_frame(const struct export_view *e, const struct stack_node *node);

/*
 * Numbers texts, one for each listed symbol by its id: from 1 in the order of their bytes, equal
 * ones alike. Returns how many numbers there are. Linear in the bytes that tell them apart.
 */
uint32_t export_number(const struct export_view *e, const char *const *text, uint32_t *number);

/* The same for the names of their source files; one that is unknown has the name `unknown`. */
uint32_t export_number_files(const struct export_view *e, const char *unknown, uint32_t *number);

/* Self time of a node as costs.h numbers them: of a cycle, that of its members. */
uint64_t export_self(const struct export_view *e, uint32_t node);

/* Whether an arc is to be exported: it was called, or seen on stacks, and both its ends are listed.
 */
static inline bool export_has_arc(const struct export_view *e, uint32_t i)
{
	const struct arc *arc = &e->a->graph.arc[i];

	return (arc->ncalls != 0 || e->integer_costs->arc[i] != 0 ||
		e->integer_costs->up[i] != 0) &&
	       e->name[arc->from] && e->name[arc->to];
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input of an export format, and what formats share: names, numbers for texts, a title. */
#ifndef EXPORT_EXPORT_VIEW_H
#define EXPORT_EXPORT_VIEW_H

#include "base/demangle.h"
#include "export/export.h"
#include "model/difference.h"
#include "model/history.h"
#include "model/instructions.h"
#include "model/integer_costs.h"
#include "model/joint.h"
#include "model/line_costs.h"
#include "model/paired.h"
#include "model/stacks.h"
#include "model/trees.h"
#include "model/view.h"

/* Arrays are indexed by symbol id. */
struct export_view {
	const struct analysis *a;
	const struct integer_costs *integer_costs; /* the listed functions of `a` and their times */
	const struct top *top;                     /* NULL without NEEDS_TOP */
	const struct blame *blame; /* NULL without NEEDS_BLAME, or if it was not recorded */
	/* NULL if unknown, or if the exporter's ranks() does not ask for them. */
	const struct ranks *ranks;
	const struct export_request *request;
	struct mapping mapping;
	/* The program's name, followed by EXPORT_MARK if the stacks are estimated. */
	const char *title;

	/* Locations of listed symbols, with NEEDS_LOCATIONS. */
	const struct location *locations;

	/*
	 * The names of listed symbols; NULL for all others. They may contain any bytes but are not
	 * empty. `name` is demangled unless the user wants linker names, and several symbols may
	 * share one. `unique` is for formats that distinguish functions by name only: a shared name
	 * is followed by its source file, line and address.
	 */
	const char *const *name;
	const char *const *unique;

	/*
	 * For each listed symbol, the text of its source file as far as it was found. NULL without
	 * NEEDS_SOURCES, or if the user does not want source text.
	 */
	const struct source_text *sources;
	/* NULL unless the request wants lines. */
	const struct line_costs *line_costs;
	struct line_wholes wholes; /* with NEEDS_SOURCES */
	/* of the functions with most time, with NEEDS_SOURCES and line_costs; else NULL */
	const struct instruction_listings *code;
	const char *const *inlined; /* the names of line_costs->inlined, in the style of `name` */
	/* A sentence that warns of unreliable times, if there is a large cycle; else NULL. */
	const char *doubt;
	const struct stacks *stacks; /* in the unit of `integer_costs`; NULL without NEEDS_STACKS */
	/* The recorded paths of each thread; empty if the stacks are estimated. */
	const struct call_trees *trees;
	/* The difference to show, for a format that `compares`; `joint` only with NEEDS_STACKS.
	 * Both are NULL if nothing is compared. All other fields are those of the new side. */
	const struct difference *difference;
	const struct joint *joint;
	/* The match of the difference, and the totals of programs that ran in pairs; or NULL. */
	const struct difference_match *match;
	const struct paired *paired;
	const struct history *history; /* the comparisons so far; NULL: no --history */
	const char *directory;         /* the current one; NULL: not known */
	enum difference_side side;     /* the side whose times are the widths of frames */
	struct arena *mem;
};

/* The text with which viewers mark stacks that were not recorded. */
#define EXPORT_MARK "estimated from call counts"

/*
 * Makes the part of the view that all formats of a run share, in mem: names, and the members from
 * `view` and `integer_costs`. `style` is the style of names; DEMANGLE_NONE: linker names. Linear in
 * nodes, except that it sorts names.
 */
struct export_view export_view_make(const struct view *view,
				    const struct integer_costs *integer_costs,
				    enum demangle_style style, struct arena *mem);

/* Returns the names of costs->inlined, in mem; NULL if `costs` is NULL. Linear. */
const char *const *export_inlined_names(const struct line_costs *costs, enum demangle_style style,
					struct arena *mem);

/*
 * Returns the name of the function of a frame in the code of s: the name of an inlined function, or
 * own[s].
 */
static inline const char *export_function(const struct export_view *e,
					  const struct source_frame *frame, sym_id s,
					  const char *const *own)
{
	return frame->function == FRAME_OWN ? own[s] : e->inlined[frame->function];
}

/* Returns the name of a symbol, whether it is listed or not. */
static inline const char *export_any_name(const struct export_view *e, sym_id s)
{
	return e->name[s] ? e->name[s] : e->a->program->symtab.sym[s].name;
}

/* The code of one line in a function that was inlined through the same chain of calls. */
struct export_line {
	sym_id symbol;
	uint32_t frame; /* index in e->line_costs */
	uint64_t self, samples;
};

/* Sorted by the function's address, then by the address of the line's first code. */
struct export_lines {
	const struct export_line *at;
	uint32_t n;
};

/* The call tree of one thread, or of all if they are not known by thread. The name is NULL for all;
 * a name that several threads share is followed by the thread's number. */
struct export_thread {
	const char *name;
	const struct recorded_process *process; /* NULL: not known, or the only one with time */
	const struct stacks *stacks;
	const struct thread_trees *trees; /* its trees, and those of its slices; NULL: estimated */
};
struct export_threads {
	const struct export_thread *at;
	uint32_t n; /* at least 1 */
};

/*
 * Returns the process of each recording of e->trees, in e->mem: its last program; NULL: not known.
 * *several: more than one of them has time. Linear.
 */
const struct recorded_process *const *export_processes(const struct export_view *e, bool *several);

/* Returns the threads of the view, in e->mem. n log n in threads. */
struct export_threads export_threads(const struct export_view *e);

/*
 * Returns the module of a symbol, as an index in the modules of e->a->program->address_space;
 * RECORDED_NONE if it is in the program or in no module.
 */
uint32_t export_module(const struct export_view *e, sym_id s);

/* Returns the link-time address, in the symbol's object, of an address or call in the symbol. */
uint64_t export_pc(const struct export_view *e, sym_id s, uint64_t pc);

/* Returns the modules, other than the program, of listed symbols and of stacks, in e->mem. */
struct bitset export_modules(const struct export_view *e);

/*
 * Returns the link-time address of a symbol in its object; 0 if it represents a whole object or is
 * in none.
 */
uint64_t export_address(const struct export_view *e, sym_id s);

/*
 * The confidence interval of a listed symbol's self or inclusive time, in the unit of
 * `integer_costs`, if e->a->confidence has intervals. It contains the time itself.
 */
struct export_range {
	uint64_t low, high;
};
struct export_range export_self_range(const struct export_view *e, sym_id s);
struct export_range export_inclusive_range(const struct export_view *e, sym_id s);

/* Returns all lines of listed functions that have samples, in mem. Linear in addresses. */
struct export_lines export_lines(const struct export_view *e, struct arena *mem);

/* Returns the name of what ticks measure: "cpu", or another event recorded with call stacks. */
const char *export_clock(const struct export_view *e);

/* Returns the title for e->stacks, in e->mem. */
const char *export_title(const struct export_view *e);

/*
 * Returns the number, from 1, of the cycle that a node of the stacks represents; 0: it represents
 * none.
 */
static inline uint32_t export_cycle(const struct export_view *e, const struct stack_node *node)
{
	uint32_t nsyms = e->a->graph.nnodes;
	bool is_cycle = e->stacks->of == STACKS_OF_NODES && node->function >= nsyms &&
			node->function != STACKS_REST;

	return is_cycle ? node->function - nsyms + 1 : 0;
}

/*
 * Returns the name of a node of the stacks, as in `unique`; the name of a cycle is allocated in
 * e->mem.
 */
const char *export_frame(const struct export_view *e, const struct stack_node *node);

/*
 * Numbers the texts of listed symbols, text[id] to number[id]: from 1 in the byte order of the
 * texts, with the same number for equal ones. Returns how many numbers there are. Linear in the
 * bytes compared.
 */
uint32_t export_number(const struct export_view *e, const char *const *text, uint32_t *number);

/*
 * Numbers the names of the source files of listed symbols in the same way; an unknown file has the
 * name `unknown`.
 */
uint32_t export_number_files(const struct export_view *e, const char *unknown, uint32_t *number);

/* Returns the self time of a node, numbered as in costs.h; for a cycle, the sum of its members. */
uint64_t export_self(const struct export_view *e, uint32_t node);

/* Whether an arc is exported: it was called or seen on stacks, and both its ends are listed. */
static inline bool export_has_arc(const struct export_view *e, uint32_t i)
{
	const struct arc *arc = &e->a->graph.arc[i];

	return (arc->ncalls != 0 || e->integer_costs->arc[i] != 0 ||
		e->integer_costs->up[i] != 0) &&
	       e->name[arc->from] && e->name[arc->to];
}

#endif

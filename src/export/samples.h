/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths with addresses and source lines on them, for formats of viewers that know both. */
#ifndef EXPORT_SAMPLES_H
#define EXPORT_SAMPLES_H

#include "export/view.h"

/* What numbers of a sample_frame begin at: addresses, calls, symbols by their index in
 * `listed`. */
struct sample_numbers {
	uint32_t calls, symbols;
	uint32_t rest; /* STACKS_REST */
	uint32_t n;    /* of all */
};

/* A function on a path, and where in its code the time was spent, or the next one called. */
struct sample_frame {
	sym_id symbol;   /* or STACKS_REST */
	uint64_t pc;     /* of the symbol, where nothing else is known; 0 for STACKS_REST */
	uint32_t module; /* as export_module() has it */
	uint32_t frame;  /* of e->line_costs, or FRAME_LAST where nothing is known */
	uint32_t number; /* equal ones have one number */
};

/* A path, the innermost function first. */
struct sample_path {
	const struct sample_frame *frame;
	uint32_t n;
	uint64_t self, samples;
	uint64_t waiting; /* part of self */
	uint32_t thread;  /* of the recording; RECORDED_NONE if they are estimated */
};

/* What takes the paths. */
typedef void samples_take(const struct sample_path *path, void *arg);

/* e->line_costs may be NULL. */
struct sample_numbers samples_numbers(const struct export_view *e);

/* The frame of a call site, or of a symbol without more. `symbol` is the one it is in. */
struct sample_frame samples_call(const struct export_view *e, uint32_t call, sym_id symbol);
struct sample_frame samples_symbol(const struct export_view *e, uint32_t listed);

/* The greatest number of frames on a path. */
uint32_t samples_depth(const struct export_view *e);

/*
 * Hands on the paths that have time or samples: those of e->trees as they were recorded, by thread,
 * or those of e->stacks. Of these, it is not known which of a function's lines go with which of its
 * paths: paths and lines are laid side by side, in order, and cut where either ends. So there are
 * few, and the sums of each path, each place and, by the numbers of calls, each call site are
 * right. Linear in paths, addresses and call sites, times the lengths of paths.
 */
void samples_walk(const struct export_view *e, samples_take *take, void *arg);

#endif

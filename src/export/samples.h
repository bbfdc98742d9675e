/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths with addresses and source lines, for formats that have both. */
#ifndef EXPORT_SAMPLES_H
#define EXPORT_SAMPLES_H

#include "export/export_view.h"

/*
 * The first sample_frame number of addresses, of calls, and of symbols by their index in `listed`.
 */
struct sample_numbers {
	uint32_t calls, symbols;
	uint32_t rest; /* number of STACKS_REST */
	uint32_t n;    /* how many numbers there are */
};

/* A function on a path, and the address in it that was sampled or that called the next function. */
struct sample_frame {
	sym_id symbol;   /* a symbol, or STACKS_REST */
	uint64_t pc;     /* link-time address; that of the symbol if no better is known, 0 for
			    STACKS_REST */
	uint32_t module; /* as returned by export_module() */
	uint32_t frame;  /* index in e->line_costs, or FRAME_LAST if unknown */
	uint32_t number; /* equal frames have the same number */
};

/* A path, the innermost function first. */
struct sample_path {
	const struct sample_frame *frame;
	uint32_t n;
	uint64_t self, samples;
	uint64_t waiting; /* part of `self` */
	uint32_t thread;  /* index in the recording; RECORDED_NONE for estimated paths */
	uint64_t start;   /* of its slice (samples_walk_slices()), as in struct slice_trees; else
			     UINT64_MAX */
};

/* Receives each path, which is valid during the call only. */
typedef void samples_take(const struct sample_path *path, void *arg);

/* Returns the ranges of frame numbers; e->line_costs may be NULL. */
struct sample_numbers samples_numbers(const struct export_view *e);

/*
 * Both return a frame: samples_call() that of a call site in `symbol`, samples_symbol() that of a
 * symbol, by its index in `listed`, for which no address is known.
 */
struct sample_frame samples_call(const struct export_view *e, uint32_t call, sym_id symbol);
struct sample_frame samples_symbol(const struct export_view *e, uint32_t listed);

/* Returns the greatest number of frames on a path. */
uint32_t samples_depth(const struct export_view *e);

/*
 * Passes on the paths that have time or samples: those of e->trees as recorded, by thread, or those
 * of e->stacks. For the latter it is not known which of a function's lines belong to which of its
 * paths: paths and lines are laid side by side, in order, and cut where either ends. So there are
 * few pieces, and the sums of each path, each address and, by call counts, each call site are
 * right. Linear in paths, addresses and call sites, times the lengths of paths.
 */
void samples_walk(const struct export_view *e, samples_take *take, void *arg);

/* The same, with the paths of each thread in the order of its slices, if they are known. */
void samples_walk_slices(const struct export_view *e, samples_take *take, void *arg);

#endif

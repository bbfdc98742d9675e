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
	uint32_t thread;  /* Returns the ranges of frame numbers; e->line_costs may be NULL. */
};

/*
 * Both return a frame: samples_call() that of a call site in `symbol`, samples_symbol() that of a
 * symbol, by its index in `listed`, for which no address is known.
 */
typedef void samples_take(const struct sample_path *path, void *arg);

/* Returns the greatest number of frames on a path. */
struct sample_numbers samples_numbers(const struct export_view *e);

/*
 * The frame of a call site in `symbol`, and that of a symbol, by its index in `listed`, of which no
 * address is known.
 */
struct sample_frame samples_call(const struct export_view *e, uint32_t call, sym_id symbol);
struct sample_frame samples_symbol(const struct export_view *e, uint32_t listed);

/* The greatest number of frames on a path. */
uint32_t samples_depth(const struct export_view *e);

/* Returns the function of a node: a symbol, or the number after the last symbol for STACKS_REST. */
void samples_walk(const struct export_view *e, samples_take *take, void *arg);

#endif

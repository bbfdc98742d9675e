/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths with addresses and source lines on them, for formats of viewers that know both. */
#ifndef EXPORT_SAMPLES_H
#define EXPORT_SAMPLES_H

#include "export/view.h"

/* What numbers of a sample_frame begin at: places, calls, symbols by their index in `listed`. */
struct sample_numbers {
	uint32_t calls, symbols;
	uint32_t rest; /* STACKS_REST */
	uint32_t n;    /* of all */
};

/* A function on a path, and where in its code the time was spent, or the next one called. */
struct sample_frame {
	sym_id symbol;   /* or STACKS_REST */
	uint64_t pc;     /* of the symbol, where nothing else is known; 0 for STACKS_REST */
	uint32_t frame;  /* of e->places, or FRAME_LAST where nothing is known */
	uint32_t number; /* equal ones have one number */
};

/* What takes a path, the innermost function first: its time and samples. */
typedef void samples_take(const struct sample_frame *frame, uint32_t n, uint64_t self,
			  uint64_t samples, void *arg);

/* e->places may be NULL. */
struct sample_numbers samples_numbers(const struct export_view *e);

/* The frame of a place, of a call site, or of a symbol without more. `symbol` is the one it is in.
 */
struct sample_frame samples_place(const struct export_view *e, uint32_t place, sym_id symbol);
struct sample_frame samples_call(const struct export_view *e, uint32_t call, sym_id symbol);
struct sample_frame samples_symbol(const struct export_view *e, uint32_t listed);

/*
 * Hands on the paths of e->stacks that have time or samples. Which of a function's lines go with
 * which of its paths is not known: paths and lines are laid side by side, in order, and cut where
 * either ends. So there are few, and the sums of each path, each place and, by the numbers of
 * calls, each call site are right. Linear in paths, places and call sites, times the lengths of
 * paths.
 */
void samples_walk(const struct export_view *e, samples_take *take, void *arg);

#endif

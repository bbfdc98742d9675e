/* SPDX-License-Identifier: MIT */
/*
 * Counts ticks of call stacks: puts each stack into the tree (tree.h) and adds its ticks to a table
 * (table.h) of the recorder's own, in blocks of kind GMON_LIVE_SAMPLES. A thread that is sampled
 * has a recorder for its handlers (stacks.h); the helper that watches waiting threads has another
 * (offcpu_stack.h). One thread at a time may use a recorder. Async-signal-safe.
 */
#ifndef RECORD_STACK_RECORDER_H
#define RECORD_STACK_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

#include "count/table.h"
#include "record/slices.h"
#include "unwind/unwind.h"

/* The key of a cell of the table: a stack, with thread, kind and quality. See gmon_live.h. */
struct stack_cell {
	uintptr_t from, self;
};

/* A function on the newest stack. */
struct stack_level {
	uintptr_t address;
	uint32_t node;
};

/* The thread to which a recorder belongs; set and used only by stacks.c. */
struct stack_owner {
	uint64_t id;       /* thread->owner at its first sample; 0: no thread */
	uint32_t record;   /* number of its record in thread_records.h */
	uint64_t since_ns; /* its CPU time when it was first recorded, in nanoseconds */
	uint64_t nsamples; /* how many stacks were taken of it */
	uintptr_t pc;      /* address of its newest sample of CPU time; 0: none */
	/* When that was, by CLOCK_MONOTONIC in nanoseconds; 0: not known. Any thread reads it. */
	_Alignas(8) uint64_t at_ns;
	/* The cell of that sample, and how many there were: the helper reads them at any time. */
	struct stack_cell newest;
	uint32_t nnewest;
	/* The lock that the helper asks for, at its address, or 0; the cell of the newest sample in
	 * which the thread had it, and how many there were. */
	uintptr_t lock;
	struct stack_cell holding;
	uint32_t nholding;
};

struct stack_recorder {
	struct unwinder *unwinder;
	struct table *table;  /* the newest table */
	struct table *slices; /* the newest table of slices (slices.h); NULL: none */
	uint32_t generation;  /* as in struct thread */
	struct stack_owner owner;
	/* The newest stack, outermost function first: its first `nstaying` levels, all in modules
	 * that are never unloaded, are valid for the next stack. */
	uint32_t nstaying;
	struct stack_level level[]; /* the depth plus one, for a gap */
};

/*
 * Makes a recorder, which is never freed. `blocked`: its unwinder is for unwind_blocked(). Returns
 * NULL if there is no memory.
 */
struct stack_recorder *stack_recorder_new(bool blocked);

/* In the child of a fork: forgets what was counted, and the owner. */
void stack_recorder_renew(struct stack_recorder *recorder);

/* Moves the tables into the shared file, if that was made after them. */
void stack_recorder_move_into_file(struct stack_recorder *recorder);

/*
 * Puts a stack into the tree and, unless `leaf` is 0, a node with address `leaf` below its
 * innermost function. Returns the cell in which the stack is counted, for a thread record and a
 * kind (kinds.h).
 */
struct stack_cell stack_recorder_cell(struct stack_recorder *recorder, const struct unwound *seen,
				      uintptr_t leaf, uint32_t record, uint32_t kind);

/* Returns the cell of the stack that ends in a node. */
static inline struct stack_cell stack_recorder_node(uint32_t node, uint32_t record, uint32_t kind,
						    enum gmon_ext_quality quality)
{
	return (struct stack_cell){
		node + GMON_LIVE_NODE,
		(uintptr_t)record << GMON_LIVE_THREAD | kind << GMON_LIVE_KIND | quality,
	};
}

/* Returns the cell of the same stack and thread for another kind. */
static inline struct stack_cell stack_recorder_as(const struct stack_cell *cell, uint32_t kind)
{
	uintptr_t kinds = ((uintptr_t)1 << GMON_LIVE_THREAD) - ((uintptr_t)1 << GMON_LIVE_KIND);

	return (struct stack_cell){ cell->from,
				    (cell->self & ~kinds) | (uintptr_t)kind << GMON_LIVE_KIND };
}

/* Returns the cell of the same stack, guessed instead of complete. */
static inline struct stack_cell stack_recorder_guess(const struct stack_cell *cell)
{
	uintptr_t qualities = ((uintptr_t)1 << GMON_LIVE_KIND) - 1;
	bool complete = (cell->self & qualities) == GMON_EXT_COMPLETE;

	return (struct stack_cell){ cell->from,
				    complete ? cell->self | GMON_EXT_GUESSED : cell->self };
}

/*
 * Returns the cell of the same stack below one more node, at an address outside of all modules; the
 * same cell if there is no room for that. Linear in the depth of the stack.
 */
struct stack_cell stack_recorder_below(struct stack_recorder *recorder,
				       const struct stack_cell *cell, uintptr_t outermost);

/*
 * Adds ticks to a cell, in no slice of the time: when they were is not known. Returns false if
 * there is no memory.
 */
bool stack_recorder_add(struct stack_recorder *recorder, const struct stack_cell *cell,
			uint64_t ticks);

/* The same for ticks of a time. */
bool stack_recorder_add_at(struct stack_recorder *recorder, const struct stack_cell *cell,
			   uint64_t ticks, struct slices_time time);

#endif

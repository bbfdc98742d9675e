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

/* The thread that a recorder belongs to: set and used by stacks.c alone. */
struct stack_owner {
	uint64_t id;              /* thread->owner at its first sample here; 0: no thread */
	uint32_t record;          /* its number in thread_records.h */
	uint64_t since_ns;        /* its CPU time when it was first recorded */
	uint64_t nsamples;        /* stacks that were taken of it */
	uintptr_t pc;             /* of its newest sample of CPU time; 0: none */
	struct stack_cell newest; /* the cell of that sample */
};

struct stack_recorder {
	struct unwinder *unwinder;
	struct table *table; /* the newest of its tables */
	uint32_t generation; /* as thread->generation */
	struct stack_owner owner;
	/* The newest stack, outermost function first: its first `nstaying` levels, all in modules
	 * that are never unloaded, are valid for the next stack. */
	uint32_t nstaying;
	struct stack_level level[]; /* one more than the depth, for a gap */
};

/* A recorder, never freed; `blocked`: its unwinder is for unwind_blocked(). NULL: no memory. */
struct stack_recorder *stack_recorder_new(bool blocked);

/* After a fork: forgets what was counted, and the owner. */
void stack_recorder_renew(struct stack_recorder *recorder);

/* Moves the tables into the shared file, if that was made after them. */
void stack_recorder_settle(struct stack_recorder *recorder);

/*
 * Puts a stack into the tree, and below its innermost function a node of address `leaf`, unless
 * that is 0. The result is the cell to count it in, of a thread record and a kind (kinds.h).
 */
struct stack_cell stack_recorder_cell(struct stack_recorder *recorder, const struct unwound *seen,
				      uintptr_t leaf, uint32_t record, uint32_t kind);

/* The cell of the stack that ends in a node. */
static inline struct stack_cell stack_recorder_node(uint32_t node, uint32_t record, uint32_t kind,
						    enum gmon_ext_quality quality)
{
	return (struct stack_cell){
		node + GMON_LIVE_NODE,
		(uintptr_t)record << GMON_LIVE_THREAD | kind << GMON_LIVE_KIND | quality,
	};
}

/* Adds ticks to a cell. False: no memory. */
bool stack_recorder_add(struct stack_recorder *recorder, const struct stack_cell *cell,
			uint64_t ticks);

#endif

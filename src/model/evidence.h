/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was found out about a program and its data files beyond what reports need. */
#ifndef MODEL_EVIDENCE_H
#define MODEL_EVIDENCE_H

#include "base/bitset.h"
#include "model/code_range.h"
#include "model/symtab.h"

/* Who counts and samples in a program of -pg. */
enum runtime { RUNTIME_UNKNOWN, RUNTIME_LIBC, RUNTIME_LIBGMON };

/* A data file beside that of the program. */
struct nearby_profile {
	const char *path;
	uint64_t ticks;
};

/* NULL is unknown or none. */
struct evidence {
	/* The program's file: */
	bool has_symbols;
	bool position_independent, dynamic;
	uint64_t base; /* where it is linked to be loaded */
	const char *build_id;
	const struct code_range *parts; /* sections of code, by address */
	size_t nparts;
	/* What it is linked with: */
	enum runtime linked;
	const char *entry;   /* the profiling entry that it has or imports */
	const char *threads; /* what it starts threads with */
	/* What it calls itself, with commas: what may end or mask the samples of the C library's
	 * runtime; the same of libgmon's; and exec, with what starts a process for it. */
	const char *timer_calls, *mask_calls, *exec_calls;
	bool execs_itself; /* it can start no other process for it */
	/* Its code: */
	bool decoded;    /* what follows is known */
	bool sees_jumps; /* and calls, all of them: `loops`, `leaves`, `returned` are known */
	bool has_calls;  /* at least one was seen */
	struct symtab functions; /* also those that have no place in the reports */
	struct bitset counts;    /* those that call a profiling entry */
	struct bitset loops;     /* those that may go back to where they were */
	struct bitset leaves; /* those that may end in a jump, to another function or themselves */
	uint32_t ncounting;
	const uint64_t *entered; /* where these calls return to, by address: callees in the data */
	size_t nentered;
	const uint64_t *returned; /* where all calls return to; none if some were not seen */
	size_t nreturned;
	/* Ticks in code of functions that were inlined; unless that was looked for, 0. */
	uint64_t inlined_ticks;
	/* The data files: */
	const char *missing;                    /* the first that does not exist */
	bool image_newer;                       /* the program's file, than one of them */
	const char *instead;                    /* one that may be meant, of another name */
	const struct nearby_profile *libraries; /* beside them, most ticks first */
	const struct nearby_profile *children;  /* likewise, of forked children */
	size_t nlibraries, nchildren;
};

/*
 * Whether no function counts calls. That is not known if there is an entry that no call was seen
 * of, or if its name may be among the symbols that were stripped.
 */
static inline bool evidence_none_counts(const struct evidence *e)
{
	return e->decoded && e->has_symbols && !e->entry && e->ncounting == 0;
}

#endif

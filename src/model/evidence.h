/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about a program and its data files that only --explain needs. */
#ifndef MODEL_EVIDENCE_H
#define MODEL_EVIDENCE_H

#include "base/bitset.h"
#include "model/code_range.h"
#include "model/symtab.h"

/* The runtime that counts and samples in a program compiled with -pg. */
enum runtime { RUNTIME_UNKNOWN, RUNTIME_LIBC, RUNTIME_LIBGMON };

/* A data file in the directory of the one that was read. */
struct nearby_profile {
	const char *path;
	uint64_t ticks;
};

/* Facts; a pointer is NULL if the fact is unknown or there is none. */
struct evidence {
	/* The program's file: */
	bool has_symbols;
	bool position_independent, dynamic;
	uint64_t base; /* the address for which it is linked */
	const char *build_id;
	const struct code_range *parts; /* sections of code, by address */
	size_t nparts;
	/* Its libraries: */
	enum runtime linked;
	const char *entry;   /* name of the profiling entry that it has or imports: mcount, ... */
	const char *threads; /* name of the function that starts its threads */
	/* Names of functions that its own code calls, separated by commas: functions that may stop
	 * or block the C library's timer signal; the same for libgmon's; and exec with the
	 * functions that start processes. */
	const char *timer_calls, *mask_calls, *exec_calls;
	bool execs_itself; /* it calls exec, and no function that starts a process */
	/* Its code: */
	bool decoded;    /* it was decoded: the members below are known */
	bool sees_jumps; /* all jumps and calls were seen: loops, leaves, returned are known */
	bool has_calls;  /* a call was seen */
	struct symtab functions; /* all, whatever the reports select */
	struct bitset counts;    /* functions that call a profiling entry */
	struct bitset loops;     /* functions that may run a part of their code twice in a call */
	struct bitset leaves;    /* functions that may end in a jump to a function */
	uint32_t ncounting;
	const uint64_t *entered; /* return addresses of calls of a profiling entry, sorted: callees
				    in the data */
	size_t nentered;
	const uint64_t *returned; /* return addresses of all calls; none if some were not seen */
	size_t nreturned;
	/* Ticks in code of functions that were inlined; 0 unless --explain looked for it. */
	uint64_t inlined_ticks;
	/* The data files: */
	const char *missing; /* the first that does not exist */
	bool image_newer;    /* the program's file is newer than one of them */
	const char *instead; /* an existing file that may be meant instead */
	const struct nearby_profile
		*libraries; /* profiles of libraries in their directory, most ticks first */
	const struct nearby_profile *children; /* the same for forked children */
	size_t nlibraries, nchildren;
};

/*
 * Whether certainly no function counts calls. It is uncertain if the program has a profiling entry
 * of which no call was seen, or if its name may have been stripped.
 */
static inline bool evidence_none_counts(const struct evidence *e)
{
	return e->decoded && e->has_symbols && !e->entry && e->ncounting == 0;
}

#endif

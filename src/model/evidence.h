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
	/* About the program's file: */
	bool has_symbols;
	bool position_independent, dynamic;
	uint64_t base;     /* the address at which it is linked to be loaded */
	uint64_t code_end; /* the end of its last segment that can be executed, which may have more
			      than code; 0: not known */
	const char *build_id;
	const struct code_range *parts; /* sections of code, sorted by address */
	size_t nparts;
	/* About its libraries: */
	enum runtime linked;
	const char *entry;   /* name of the profiling entry that it has or imports: mcount, ... */
	const char *threads; /* name of the function that starts its threads */
	/*
	 * Names of functions that the program's own code calls, separated by commas: functions that
	 * may stop or block the timer signal of the C library's runtime; the same for libgmon's
	 * signals; and exec with the functions that start processes.
	 */
	const char *timer_calls, *mask_calls, *exec_calls;
	bool execs_itself; /* it calls exec, but no function that starts a process */
	/* About its code: */
	bool decoded;    /* the code was decoded, so the members below are known */
	bool sees_jumps; /* all jumps and calls were seen, so `loops`, `leaves` and `returned` are
			    known */
	bool has_calls;  /* a call instruction was seen */
	struct symtab functions; /* all functions, whatever the reports select */
	struct bitset counts;    /* functions that call a profiling entry */
	struct bitset loops; /* functions that may execute a part of their code twice in one call */
	struct bitset leaves; /* functions that may end in a jump to another function */
	uint32_t ncounting;
	const uint64_t *entered; /* return addresses of calls of a profiling entry, sorted: callees
				    in the data */
	size_t nentered;
	const uint64_t *returned; /* return addresses of all calls, sorted; empty if some calls were
				     not seen */
	size_t nreturned;
	/* Ticks in code of functions that were inlined and, by call stacks, in what these call; 0
	 * unless --explain looked for it. */
	uint64_t inlined_ticks;
	/* About the data files: */
	const char *missing; /* the first data file that does not exist */
	bool image_newer;    /* the program's file is newer than one of them */
	const char *instead; /* an existing file that the user may have meant instead */
	const struct nearby_profile *libraries; /* profiles of libraries in the data file's
						   directory, those with the most ticks first */
	/* profiles of forked children in that directory, those with the most ticks first */
	const struct nearby_profile *children;
	size_t nlibraries, nchildren;
};

/*
 * Whether certainly no function counts calls. That is uncertain if the program has a profiling
 * entry but no call of it was seen, or if the entry's name may have been stripped.
 */
static inline bool evidence_none_counts(const struct evidence *e)
{
	return e->decoded && e->has_symbols && !e->entry && e->ncounting == 0;
}

#endif

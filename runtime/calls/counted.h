/* SPDX-License-Identifier: MIT */
/*
 * Objects whose calls are counted: which these are, what the window says of them, and the change of
 * their code. calls.c has those of the start, later.c those that come by dlopen().
 *
 * Counters are numbered through all objects; each thread has one for each number, and there is room
 * for some more, since the counts of threads that run cannot grow.
 */
#ifndef CALLS_COUNTED_H
#define CALLS_COUNTED_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gmon_ext.h>
#include <gmon_live.h>

#include "calls/code.h"
#include "calls/sites.h"
#include "calls/stubs.h"
#include "count/count_block.h"

enum {
	COUNTED_OBJECTS = 512,
	COUNTED_LATER_SITES = 131072 /* of all objects that are loaded after the start */
};

/* The blocks of the window: see gmon_live.h. */
struct counted_records {
	struct count_block head;
	_Alignas(64) struct gmon_ext_site object[COUNTED_OBJECTS];
};

/* What sites lead to that the loader finds later. */
struct counted_late {
	uintptr_t slot, before; /* before: what the slot held when the object came */
	uint64_t *callee;
};

struct counted {
	/* Until counted_close(): */
	struct code code;
	struct sites sites;
	size_t nparts;
	/* From then on, too: */
	uintptr_t low, high;  /* its code */
	struct stubs stubs;   /* both 0: it is not counted */
	size_t first, nsites; /* the numbers of its sites are [first, first + nsites) */
	size_t ncallees;
	struct entries entries;
	const uint32_t *site;      /* what the window says of them, */
	uint64_t *callee;          /* of the functions that they lead to, */
	const uint32_t *far;       /* and of distances */
	struct counted_late *late; /* or NULL */
	size_t nlate;
	uint32_t module;
	bool stays; /* it was there at the start, so it is never unloaded */
};

struct calls {
	struct counted object[COUNTED_OBJECTS];
	size_t nobjects; /* set last */
	size_t nsites;   /* of all objects */
	size_t room;     /* how many sites there may be */
	bool full;       /* a line on stderr said that there are more */
	struct counted_records *records;
	uintptr_t image;    /* what new threads begin with (calls.c); 0: not found */
	uint64_t *fallback; /* the counts that it leads to */
};

/* Where a thread's counts are, from its control block. */
intptr_t calls_distance(void);

/* Whether an object's calls are to be counted: not those of the C library and its loader, which
 * call us, nor our own. `number`: 0 for the program. */
bool counted_wants(const struct dl_phdr_info *info, size_t number);

/*
 * Looks through an object, whose code nobody runs meanwhile, for its sites, with signals blocked.
 * NULL, or a literal that says why its calls are not counted: then there is nothing to close.
 * may_change: it is known that the kernel lets changed code run, so there is no need to try that
 * with memory of ours first. *has_code: whether that is to be said; libraries of data alone have
 * none.
 */
const char *counted_look(struct counted *object, const struct dl_phdr_info *info, bool may_change,
			 bool *has_code);

/* Marks functions of n objects, which were looked through and of which nothing is counted, that may
 * have run already: they are not counted where they begin. False: no memory. */
bool counted_mark_early(struct counted *object, size_t n);

/*
 * Describes n objects, whose `first` are set, in the window, the first of them as number `number`.
 * False: no memory.
 */
bool counted_describe(struct counted *object, size_t n, struct counted_records *records,
		      size_t number);

/* Leads the object's sites to their counters, `distance` from the thread's control block, in the
 * stubs that it has, or new ones. NULL, or why not. */
const char *counted_change(struct counted *object, intptr_t distance);

/* What a stub of the object, at an address in it, leads to. *pushed: %rax is on the stack there.
 * Constant time. Async-signal-safe. */
uintptr_t counted_target(const struct counted *object, uintptr_t address, bool *pushed);

/* Whether the window says this of the sites that were found, and of none of another object. */
bool counted_is_described(const struct counted *object, const struct sites *sites);

/* Frees what only the functions above need. */
void counted_close(struct counted *object);

/* Whether an object's code still leads to its stubs: else it was unloaded, and another one, or the
 * same, has its addresses. Its code can be read. */
bool counted_is_changed(const struct counted *object);

/* Notes in the window to which functions the object's PLT entries have led. Async-signal-safe. */
void counted_note_plt(const struct counted *object);

/* Notes in the window which slots lead to entries of the n objects that there are: sites by these
 * are counted there. Linear in the object's callees, times n and log n of entries.
 * Async-signal-safe. */
void counted_note_entries(const struct counted *object, const struct counted *objects, size_t n);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Entries: functions that may be called by pointer, or from other objects, are counted where they
 * begin. Their first bytes, whole instructions, move into a stub, and a jump takes their place:
 *
 *     f:  jmp  that of f  ───>   0  push %rax
 *         ...                    1  lea  f(%rip), %rax
 *     f + n:  <───────────┐      8  call *enter           adds 1 to the pair of the return
 *                         │     14  pop  %rax             address, which is on the stack, and f
 *     sites' stubs  ──────┼──>  15  what was at f, n bytes
 *                         └───      jmp  f + n
 *
 * Why a count is exact: whatever comes to f by a call site that is counted goes on behind the hook,
 * so it is counted there, at its site; all else comes by the first byte, and is counted here; and
 * nobody comes to f in another way. Only slots can lead from a counted site, also of another
 * object, to the first byte: then both count, with the same return address, and what the site has
 * counted is left out (GMON_LIVE_AT_ENTRY). endbr64 stays before the jump.
 *
 * Left alone, and marked as before, are: functions whose loops lead to their start, or that other
 * parts of the program may come to between the start and f + n; starts that cannot be moved
 * (moves.h), or are too short; and what has been called before we come: where the program and its
 * objects begin, and what the loader has called.
 *
 * Unwinding: what has moved has the length that it had, so each place in it stands for one behind
 * f; calls_skip_stub() says for which. Other unwinders meet it only where a signal has interrupted
 * it, since there are no calls, and nothing that faults: for them the stack ends there, as in the
 * stubs of sites.
 *
 * For the start of a program, while it has one thread. Linear in the object's bytes.
 */
#ifndef CALLS_ENTRIES_H
#define CALLS_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"
#include "calls/sites.h"

enum {
	ENTRIES_BYTES = 48, /* of a stub */
	ENTRIES_PUSHED = 1, /* %rax is on the stack from here on, */
	ENTRIES_MOVED = 15  /* and but from here; here begins what has moved */
};

struct entry {
	uint32_t at;   /* the function, from code->low */
	uint8_t kept;  /* bytes that stay before the jump */
	uint8_t moved; /* bytes that have moved */
	bool ends;     /* what has moved ends with a jump or a return */
};

/* The entries of an object that are counted, by address. */
struct entries {
	struct entry *entry;
	size_t n, room;
};

/*
 * Finds the functions among those that are partly counted which can be counted where they begin,
 * and clears `partial` of these; others get the reason (enum gmon_ext_partial). `sites` has its
 * landings. False: no memory. entries_free() frees them in either case.
 */
bool entries_find(struct entries *entries, struct code *code, struct sites *sites);

/* Leaves out functions that have been marked as partly counted since. */
void entries_leave_marked(struct entries *entries, const struct code *code);
void entries_free(struct entries *entries);

/* Whether both are the same. */
bool entries_are_same(const struct entries *one, const struct entries *other);

/* The number of the entry at an address, from 1; 0: it is none. log n. */
size_t entries_number(const struct entries *entries, uintptr_t low, uintptr_t function);

/* The address for which one in the stubs stands, which begin at `stubs`; 0: for none. Sets *pushed
 * if %rax is on the stack there. Constant time. */
uintptr_t entries_place(const struct entries *entries, uintptr_t low, uintptr_t stubs,
			uintptr_t address, bool *pushed);

/* Where stubs lie, for entries_write(). */
struct entries_stubs {
	uintptr_t entries; /* those of entries */
	uintptr_t enter;   /* the address of calls_enter() */
	uintptr_t sites;   /* those of sites, of `bytes` each */
	size_t bytes;
};

/* Writes the stubs. Jumps that are sites lead to theirs. False: a stub is too far from what it
 * refers to. Nothing of the code is changed. */
bool entries_write(const struct entries *entries, const struct code *code,
		   const struct sites *sites, const struct entries_stubs *stubs);

/* Puts the jumps in place, when sites have been changed. The code can be written. */
void entries_redirect(const struct entries *entries, const struct code *code, uintptr_t stubs);

/* The hook (enter.S); its frame is that of the function which begins. */
void calls_enter(void);

/* What calls_enter() does with pairs that it does not find. */
void entries_enter(uintptr_t from, uintptr_t self);

#endif

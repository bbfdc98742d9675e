/* SPDX-License-Identifier: MIT */
/*
 * What the runtime's modules share: the state of recording, and who may change which part of it
 * when.
 *
 * The rules of a guest: no lock is waited for in a signal handler, errno is never touched, nothing
 * is allocated but by region.h, nothing ends or aborts the program. Whatever an entry point or a
 * handler can reach is async-signal-safe; what is not says so.
 */
#ifndef INTERNAL_H
#define INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table.h"

#define PUBLIC __attribute__((visibility("default")))

/*
 * UNREADY -> READY       gmon_prepare(), once, before other threads exist
 * READY -> RUNNING       gmon_start(): gcrt1.o's or the program's monstartup, or the first call
 * RUNNING -> STOPPED     _mcleanup()
 * STOPPED -> RUNNING     monstartup()
 * UNREADY -> REFUSED     secure-exec: for ever
 * STARTING, STOPPING     while one thread is at it; others neither start nor stop
 */
enum gmon_phase { UNREADY, READY, STARTING, RUNNING, STOPPING, STOPPED, REFUSED };

/* The program's code, in run-time addresses. Set by program_find(), before READY. */
struct program {
	uintptr_t bias;  /* run-time less link-time address */
	uintptr_t low;   /* first byte of the first executable segment */
	uintptr_t high;  /* after the last */
	uintptr_t entry; /* stands for callers that lie outside */
};

/* Ticks, one bin to two bytes of code. */
struct bins {
	struct region region; /* word: number of bins; low: address of the first */
	_Alignas(64) uint32_t tick[];
};

struct gmon {
	uint32_t phase; /* enum gmon_phase; compare-and-swap */
	int32_t pid;
	struct program program;
	bool paused;                   /* by moncontrol(0) or GMON=off */
	bool forked;                   /* this process is a fork's child that has not called exec */
	struct bins *bins;             /* by gmon_start(); NULL: none; blocks are never unmapped */
	_Alignas(8) uint64_t declined; /* calls that found no memory */
	_Alignas(8) uint64_t elsewhere; /* ticks of threads that never called */
};

extern struct gmon gmon;

_Static_assert(offsetof(struct gmon, program.low) == GMON_PROGRAM_LOW, "see layout.h");
_Static_assert(offsetof(struct gmon, program.high) == GMON_PROGRAM_HIGH, "see layout.h");

/* What the entry code tests first: not zero when calls are to be counted. */
extern unsigned char gmon_on;

/* The calling thread's table; NULL before its first call. */
extern __thread struct table *gmon_table;

/*
 * Counts n of a pair in the calling thread's table, which it makes or grows if need be. The first
 * call of all starts the recording when it is READY.
 */
void gmon_count(uintptr_t from, uintptr_t self, uint64_t n);

/* READY -> RUNNING or STOPPED -> RUNNING with a histogram of [low, high). */
void gmon_start(uintptr_t low, uintptr_t high);

/*
 * Sets low and high, of the n program headers of an object whose bias is set. False: it has no
 * code.
 */
bool program_segments(struct program *program, const void *headers, size_t n);

/* Fills in the program's place in memory. False: it cannot be found. */
bool program_find(struct program *program);

/* Whether an address lies between the first and the last code of an object. */
static inline bool program_has(const struct program *program, uintptr_t pc)
{
	return pc - program->low < program->high - program->low;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The state of a recording, and who may change which part when. Blocks of counts (count_block.h)
 * and what belongs to one thread (thread.h) are elsewhere.
 *
 * The runtime is a guest in the program: it waits for no lock in a signal handler, does not change
 * errno, allocates by mmap only, and never ends or aborts the program. What an entry point or a
 * handler can reach is async-signal-safe; functions that are not say so.
 */
#ifndef STATE_H
#define STATE_H

#include <gmon_ext.h>
#include <gmon_live.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

#include "base/program.h"
#include "base/settings.h"
#include "base/sys.h"
#include "base/text.h"
#include "count/layout.h"
#include "preload/other_copies.h"
#include "sample/sample_schedule.h"
#include "write/file.h"

#define PUBLIC __attribute__((visibility("default")))

/*
 * UNREADY -> READY       life_prepare(), once, before other threads exist
 * READY -> RUNNING       life_start(): gcrt1.o's or the program's monstartup, or the first call
 * RUNNING -> STOPPED     _mcleanup()
 * RUNNING -> HELD        life_hold(): it has ended, but its profile is not written yet
 * HELD -> STOPPED        _mcleanup(), life_drop(); the child of a fork
 * STOPPED -> RUNNING     monstartup()
 * UNREADY -> REFUSED     for ever: set-user-ID, or another copy of libgmon records
 * STARTING, STOPPING     while one thread does that; no other can start or stop meanwhile
 */
enum gmon_phase { UNREADY, READY, STARTING, RUNNING, HELD, STOPPING, STOPPED, REFUSED };

/* Blocks of the tree of stacks. Each doubles the tree's room, so this is enough for 2^24 nodes. */
enum { TREE_BLOCKS = 14 };

/* The kinds of ticks: kinds.c. */
enum { KINDS_CPU, KINDS_OFF_CPU, KINDS_ROOM = 1 << (GMON_LIVE_THREAD - GMON_LIVE_KIND) };

struct kind {
	const char *name, *dimension; /* literals */
	uint32_t string;              /* the name, for the file */
	uint32_t rate;
	char abbreviation;
};

/* The arguments of profil(): 16-bit bins in the caller's memory. */
struct profil_bins {
	unsigned short *buffer; /* NULL: not running. Set last and cleared first, for the handler */
	size_t nbins;
	uintptr_t offset;
	unsigned scale;
};

/*
 * All zero when the program begins. A comment says what a field holds and, after the semicolon, who
 * may write it and when:
 *
 *     preparing            life_prepare(), before other threads exist
 *     starting, stopping   the one thread that has moved `phase` there
 *     holding              the one thread that moves `phase` to HELD
 *     the child            the only thread of a fork's child, in life_forked()
 *     any thread           any, at any time, by atomic operations; the others need none
 */
struct gmon {
	/* Life: life.c. */
	uint32_t phase;         /* enum gmon_phase; preparing; state_change_phase(), any thread */
	int32_t pid;            /* preparing, the child */
	struct program program; /* preparing; constant from READY on */
	/* Preparing; sample_signal: the child; start_directory: writing; rank: holding. */
	struct settings settings;
	bool sum_begun;           /* libgmon_mpi has asked for the profile; holding */
	struct objects *objects;  /* the objects at the start, or NULL (objects.h); preparing */
	struct eh_starts *starts; /* their unwind tables, or NULL (eh_objects.h); preparing */
	uint64_t before_ms;       /* clock_used_ms() when it was prepared; preparing, the child */
	bool forked;              /* this is a fork's child that has not called exec(); the child */
	uint32_t generation;      /* how many forks it is from the program's start; the child */
	bool paused;              /* by GMON=off; preparing; by moncontrol(), any thread */
	bool early;               /* a start was asked for before preparing; that call */
	uint32_t ending; /* a handler of GMON=term is writing, or has written; any thread */
	/* The function that takes counts if another copy of libgmon records, or NULL; preparing. */
	other_copies_count *pass_on;

	/* Counts. */
	struct bins *bins; /* NULL: none. Handlers may still be in an older one; starting */
	/* With GMON=run, 1 for each part of bins (bins.h) that has ticks; or NULL; any thread. */
	unsigned char *parts;
	/* Calls that were not counted for lack of memory; thread_add(), any thread; life_zero(). */
	_Alignas(8) uint64_t declined;
	/* How many pairs were inserted into tables of calls; any thread; the child. */
	uintptr_t inserted;
	/* Threads that began in a sandbox; thread_begin(), any thread; life_zero(). */
	_Alignas(8) uint64_t unsampled;
	/* Ticks outside of threads without a table; the handler, any thread; life_zero(). */
	_Alignas(8) uint64_t elsewhere;

	struct pool_chunk *pool; /* the chunk that memory is taken from; pool.c, any thread */

	/* Blocks of counts: count_block.c. */
	struct {
		/* Any thread puts blocks in front; the child takes out those of other threads. */
		struct count_block *newest;
		bool apart;       /* data of new blocks get pages of their own; starting */
		uint32_t spoiled; /* it was said that counts were overwritten; any thread */
		uint64_t page;    /* bytes of a page of the kernel's; preparing */
	} blocks;

	/* The live file, which has their data: live_file.c; starting, the child, or as noted. */
	struct {
		/* NULL: private memory; also stopping, and in the child live_tick(), any thread. */
		const char *path;
		const char *name;     /* for messages */
		struct sys_file file; /* its identity */
		void *pin; /* a mapped page, which keeps its inode number and lock; also stopping */
		uint32_t lost;            /* it was said that counts are missing; any thread */
		_Alignas(8) uint64_t end; /* where the next block goes; any thread adds */
	} live_file;

	/* Call stacks: stacks.c and the modules below. Zero without GMON=stacks. */
	struct {
		bool on; /* starting, the child */
		/* Ticks of each kind without a stack for lack of memory; as gmon.declined. */
		_Alignas(8) uint64_t lost[KINDS_ROOM];
	} stacks;
	struct {
		uint32_t *head; /* for each hash, the first node; starting; entries: any thread */
		uint32_t *next; /* for each node, the next one with its hash; the same */
		uint32_t mask;  /* the number of heads, a power of two, less 1; starting */
		uint32_t limit; /* how many nodes there may be; starting */
		uint32_t end; /* the number after the last node; any thread; starting, the child */
		uint32_t making; /* a bit for each block that exists or is being made; any thread */
		struct tree_block *block[TREE_BLOCKS]; /* who has set the bit in `making` */
	} tree;
	struct {
		struct modules_block *block; /* starting; a record: who has taken it */
		struct module_known *known;  /* preparing; an object: who has taken it */
		uint16_t *order;             /* those of the start, by address; preparing */
		uint32_t nstaying;           /* how many these are; preparing */
		uint32_t used;               /* the number of records; any thread takes the next */
		uintptr_t vdso;              /* where its ELF file begins, or 0; preparing */
		unsigned long long unloaded; /* objects, until the start; preparing */
		uint64_t unseen;             /* unloaded objects without a record; stopping */
		bool of_calls;         /* there are records for all calls and ticks; starting */
		uint32_t several_name; /* the string "[unloaded]"; starting */
	} modules;
	struct {
		struct thread_records_block *block; /* starting; a record: its thread */
		struct thread_records_times *times; /* or NULL; starting; a record: the helper */
		uint32_t used; /* the number of records; any thread takes the next; the child */
	} thread_records;
	struct {
		struct strings_block *block; /* starting */
		uint32_t used;               /* bytes; any thread takes the next ones */
	} strings;
	struct {
		struct kind at[KINDS_ROOM]; /* starting */
		uint32_t n;                 /* starting */
	} kinds;

	/* Programs that were not built for profiling: preload/, GMON=run. */
	struct {
		/* The program's action for the signal of samples is of_program[current], if `set`;
		 * sigaction(), any thread. */
		struct sigaction of_program[2];
		uint32_t current;
		bool set;
		void *next, *next_signal; /* the C library's sigaction() and signal() */
	} actions;
	void *execvpe, *fexecve;   /* the C library's; before main(), in the shared library only */
	struct run_hidden *hidden; /* what run_hide() has removed, or NULL; preparing */
	/* Preparing, the child; how it ends: the thread that ends it. */
	struct gmon_ext_process process;

	/* Time off the CPU: offcpu_helper.c. Zero without GMON=clock=wall. */
	struct {
		bool on;            /* the kernel has what is needed; preparing */
		char *helper_stack; /* the helper's own stack; preparing */
		int32_t helper;     /* its thread's number, or 0; starting, the child, the kernel */
		struct offcpu *threads; /* those watched; the helper, how one ended: that thread */
		struct stack_recorder *recorder; /* of their stacks; the helper */
		/* Orders to the helper to bring its counts up to date: */
		uint32_t asked;             /* how many there were; any thread */
		uint32_t answered;          /* how many are done; the helper */
		int32_t asker;              /* the thread that waits for the answer; any thread */
		_Alignas(8) uint64_t since; /* since when, by CLOCK_MONOTONIC; any thread */
		uint32_t restart;           /* the order is to begin from zero; any thread */
	} offcpu;

	/* The live file's names, and when it is made: live.c; starting, the child. */
	uint32_t live_late; /* enum live_late; also live_tick(), any thread */
	char live_path[PATH_BYTES];
	char live_name[PATH_BYTES]; /* as profile_name_make() makes it, with ".live" */
	struct sigaction live_old;  /* the action for SIGBUS before ours; starting */

	/* GMON=event: event.c. */
	struct {
		uint32_t period;    /* events to a signal; preparing */
		uint32_t unit;      /* events to a tick; preparing */
		char dimension[16]; /* the name of a tick; preparing */
		char abbreviation;  /* of that name; preparing */
		uint32_t kind;      /* of its stacks, or KINDS_ROOM; starting */
		struct bins *bins;  /* NULL: none. No block; starting */
		int32_t refused;    /* -errno of the last refusal of counters; any thread */
		bool off;           /* no thread can have counters; starting, the child */
		_Alignas(8) uint64_t nrefused; /* threads without counters; any thread */
		_Alignas(8) uint64_t inside;   /* ticks in the program; any thread */
		_Alignas(8) uint64_t outside;  /* ticks outside; any thread */
	} event;

	/* Threads: thread.c. */
	struct thread *threads;        /* any thread puts entries in front; none is taken out */
	struct thread *next_candidate; /* where to look next for a dead thread's; any thread */

	/* Ticks: clock.c, sample.c and tick.c. */
	struct sample_schedule_rule sample_rule; /* preparing */
	uint32_t armed;                          /* clocks that were ever armed; any thread */
	/* All threads that have ended; any thread adds; stopping. */
	struct {
		_Alignas(8) uint64_t used; /* ns of CPU time while their clocks were armed */
		_Alignas(8) uint64_t ticks;
		_Alignas(8) uint64_t threads;
	} ended;
	bool sees_ends;   /* end_key is a key for thread_end(); preparing */
	uint32_t end_key; /* preparing */
	bool handled; /* the handler stands, so clocks may be armed; starting, stopping, the child
		       */
	bool classic; /* threads without a clock are sampled by ITIMER_PROF; any thread */
	uint32_t shared; /* it was said that threads lack timers; any thread */
	int32_t refused; /* -errno of a refused timer, until that is said; any thread */
	int32_t holder;  /* the thread in sample_hold_others(), or 0; any thread */
	uint32_t held;   /* how many threads are held in their handlers; any thread */

	/* profil(), which only one thread may call at a time. */
	struct {
		struct profil_bins bins;
		bool running;
		struct sigaction old_action; /* before profil() was called */
		struct itimerval old_timer;
	} profil;

	/* Writing: write.c. The thread whose number is in `owner` owns the rest. */
	struct {
		int32_t owner; /* any thread; the child */
		char path[PATH_BYTES];
		bool stacks;             /* the extension is written, the profile not yet */
		char beside[PATH_BYTES]; /* the extension's name */
		struct file_writer file;
	} write;
};

extern struct gmon gmon;

_Static_assert(offsetof(struct gmon, program.low) == GMON_PROGRAM_LOW, "see layout.h");
_Static_assert(offsetof(struct gmon, program.high) == GMON_PROGRAM_HIGH, "see layout.h");

/* Tested first by the entry code: not 0 if calls are to be counted. Set by state_set_on(). */
extern unsigned char gmon_on;

/* Moves from one phase to another. False, and nothing is done: the phase is not `from`. */
bool state_change_phase(enum gmon_phase from, enum gmon_phase to);

/* Sets gmon_on by phase, pass_on and paused; to 0 in a process that is not ours. */
void state_set_on(void);

/*
 * Whether this process is the one that records, not one that _Fork() or clone() has made without
 * calling fork's handlers, and whose memory is a copy or even the same.
 */
bool state_is_ours(void);

/*
 * From here on gmon_on is 0 in each new process until it calls state_set_on(): else a child for
 * which fork's handlers are not called would count into its parent's live file.
 */
void state_keep_from_children(void);

#endif

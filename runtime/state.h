/* SPDX-License-Identifier: MIT */
/*
 * The state of a recording: all of it that is neither in blocks of counts (count_block.h) nor a
 * thread's own (thread.h), and who may change which part when.
 *
 * The rules of a guest: no lock is waited for in a signal handler, errno is never touched, nothing
 * is allocated but by count_block.h, nothing ends or aborts the program. Whatever an entry point or
 * a handler can reach is async-signal-safe; what is not says so.
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
 * RUNNING -> HELD        life_hold(): it has ended, and its profile is not written yet
 * HELD -> STOPPED        _mcleanup(), life_drop(); the child of a fork
 * STOPPED -> RUNNING     monstartup()
 * UNREADY -> REFUSED     secure-exec, or another copy of libgmon records: for ever
 * STARTING, STOPPING     while one thread is at it; others neither start nor stop
 */
enum gmon_phase { UNREADY, READY, STARTING, RUNNING, HELD, STOPPING, STOPPED, REFUSED };

/* Blocks of the tree of stacks: each doubles its room, which 2^24 nodes need. */
enum { TREE_BLOCKS = 14 };

/* What ticks can be of: kinds.c. */
enum { KINDS_CPU, KINDS_OFF_CPU, KINDS_ROOM = 1 << (GMON_LIVE_THREAD - GMON_LIVE_KIND) };

struct kind {
	const char *name, *dimension; /* literals */
	uint32_t string;              /* the name, for the file */
	uint32_t rate;
	char abbreviation;
};

/* What profil() was asked for: 16-bit bins in the caller's memory. */
struct profil_bins {
	unsigned short *buffer; /* NULL: nothing; set last and cleared first, for the handler */
	size_t nbins;
	uintptr_t offset;
	unsigned scale;
};

/*
 * Zero when the program begins. "Holding" is the one thread that moves `phase` to HELD. "Preparing"
 * is life_prepare(), before other threads exist; "starting" and "stopping" the one thread that has
 * moved `phase` there; "the child" a fork's, whose only thread it is. What they write needs no
 * atomic operation. What says "any thread" does.
 */
struct gmon {
	/* Life: life.c. */
	uint32_t phase;         /* enum gmon_phase. Preparing; state_change_phase(), any thread */
	int32_t pid;            /* preparing, the child */
	struct program program; /* preparing; constant from READY on */
	/* Preparing; sample_signal: the child; start_directory: writing; rank: holding. */
	struct settings settings;
	bool sum_begun;           /* holding: somebody adds up the profiles of ranks */
	struct objects *objects;  /* preparing: those of the start, or NULL (see objects.h) */
	struct eh_starts *starts; /* preparing: those for unwind.h, or NULL (see eh_objects.h) */
	uint64_t before_ms;       /* preparing, the child: clock_used_ms() when it was prepared */
	bool forked;              /* the child: this is one, and has not called exec */
	uint32_t generation;      /* the child: how many forks lie behind it */
	bool paused;              /* preparing, for GMON=off; moncontrol(), any thread */
	bool early;               /* before preparing: a start was asked for already */
	/* A handler of GMON=term, any thread: it writes, and then ends the process. */
	uint32_t ending;
	other_copies_count
		*pass_on; /* preparing: where counts go if another copy records; or NULL */

	/* Counts. */
	struct bins *bins; /* starting; NULL: none. Handlers may still be in an older one */
	/* With GMON=run, a mark for each of their parts (bins.h) with ticks: any thread; or NULL.
	 */
	unsigned char *parts;
	/* Calls without memory: thread_add(), any thread. life.c makes it zero. */
	_Alignas(8) uint64_t declined;
	/* Pairs in tables of calls, ever: who inserts one. The child begins anew. */
	uintptr_t inserted;
	/* Threads that began in a sandbox: thread_begin(), any thread. life.c makes it zero. */
	_Alignas(8) uint64_t unsampled;
	/* Ticks of threads that never called: the handler, any thread. life.c makes it zero. */
	_Alignas(8) uint64_t elsewhere;

	struct pool_chunk *pool; /* pool.c, any thread: where memory is taken now */

	/* Blocks of counts: count_block.c. */
	struct {
		/* Any thread puts blocks in front; the child takes out those of other threads. */
		struct count_block *newest;
		bool apart;       /* data of new blocks get pages of their own; starting */
		uint32_t spoiled; /* any thread: it was said that counts were overwritten */
		uint64_t page;    /* bytes of a page of the kernel's; preparing */
	} blocks;

	/* The file that has their data: live_file.c. Starting, the child, or as noted. */
	struct {
		/* NULL: private memory. Also stopping, and in the child live_tick(), any thread. */
		const char *path;
		const char *name;     /* for messages */
		struct sys_file file; /* its identity */
		void *pin; /* a mapped page, which keeps its inode number and lock. Also stopping */
		uint32_t lost;            /* any thread: it was said that counts are missing */
		_Alignas(8) uint64_t end; /* of the blocks in it. Any thread adds */
	} live_file;
	/* Call stacks: stacks.c, and below what it is made of. Zero without GMON=stacks. */
	struct {
		bool on; /* starting, the child */
		/* Ticks of each kind that nothing is known of: as gmon.declined. */
		_Alignas(8) uint64_t lost[KINDS_ROOM];
	} stacks;
	struct {
		uint32_t *head;  /* starting; what is there, and *next: any thread */
		uint32_t *next;  /* the same */
		uint32_t mask;   /* of the heads' number; starting */
		uint32_t limit;  /* starting */
		uint32_t end;    /* any thread; starting, the child */
		uint32_t making; /* bits of blocks that are there or being made: any thread */
		struct tree_block *block[TREE_BLOCKS]; /* who has set the bit in `making` */
	} tree;
	struct {
		struct modules_block *block; /* starting; a record: who has taken it */
		struct module_known *known;  /* preparing; an object: who has taken it */
		uint16_t *order;             /* preparing; those of the start, by address */
		uint32_t nstaying;           /* preparing: those of the start */
		uint32_t used;               /* any thread takes the next */
		uintptr_t vdso;              /* the beginning of its file, or 0; preparing */
		unsigned long long unloaded; /* objects, until the start: preparing */
		uint64_t unseen; /* objects that were unloaded, and have no record: stopping */
		bool of_calls;   /* those of all calls and ticks are recorded: starting */
		uint32_t several_name; /* the string "[unloaded]": starting */
	} modules;
	struct {
		struct thread_records_block *block; /* starting; a record: its thread */
		struct thread_records_times *times; /* the same; a record: the helper. NULL: none */
		uint32_t used;                      /* any thread takes the next; the child */
	} thread_records;
	/* What the program has set for the signal of samples: sigaction(), any thread. */
	struct {
		struct sigaction of_program[2];
		uint32_t current; /* of these */
		bool set;
		void *next, *next_signal; /* the C library's sigaction() and signal() */
	} actions;
	void *execvpe, *fexecve;   /* before main(): the C library's, in the shared library alone */
	struct run_hidden *hidden; /* preparing: what run_hide() has; NULL: nothing */
	struct gmon_ext_process
		process; /* preparing, the child; its end: the thread that ends it */
	struct {
		struct strings_block *block; /* starting */
		uint32_t used;               /* any thread takes the next bytes */
	} strings;
	struct {
		struct kind at[KINDS_ROOM]; /* starting */
		uint32_t n;                 /* starting */
	} kinds;

	/* Threads that wait: offcpu_helper.c. Zero without GMON=clock=wall. */
	struct {
		bool on;            /* preparing: the kernel tells what it has to */
		char *helper_stack; /* the helper's stack; preparing */
		int32_t helper;     /* starting, the child, then the kernel; 0: there is none */
		/* The helper's: */
		struct offcpu *threads; /* the threads that it watches */
		struct stack_recorder *recorder;
		/* Orders: */
		uint32_t asked;             /* any thread: how many */
		uint32_t answered;          /* the helper: those */
		int32_t asker;              /* any thread: the one that waits for us */
		_Alignas(8) uint64_t since; /* by CLOCK_MONOTONIC: since when; any thread */
		uint32_t anew; /* any thread: what came before an order is to be forgotten */
	} offcpu;

	/* The shared file's life: live.c; starting, the child. */
	uint32_t live_late; /* enum live_late; live_tick(), any thread */
	char live_path[PATH_BYTES];
	char live_name[PATH_BYTES]; /* as profile_name_make() has it */
	struct sigaction live_old;  /* the action for SIGBUS before ours; starting */

	/* What GMON=event counts: event.c. */
	struct {
		uint32_t period;    /* of it, to a signal; preparing */
		uint32_t unit;      /* of it, in a tick; preparing */
		char dimension[16]; /* what a tick is called; preparing */
		char abbreviation;  /* of it; preparing */
		uint32_t kind;      /* of its stacks; starting */
		struct bins *bins;  /* starting; NULL: none. In no file */
		int32_t refused;    /* -errno for a thread that lacks a counter, any thread */
		bool off;           /* starting, the child: nobody can have one */
		_Alignas(8) uint64_t nrefused; /* any thread: threads without a counter */
		_Alignas(8) uint64_t inside;   /* ticks in the program, any thread */
		_Alignas(8) uint64_t outside;  /* and elsewhere, any thread */
	} event;

	/* Threads: thread.c. */
	struct thread *threads;        /* any thread: entries are put in front, never taken out */
	struct thread *next_candidate; /* any thread: where to look for a dead one, a mere hint */

	/* Ticks: sample.c. */
	struct sample_schedule_rule sample_rule; /* preparing */
	uint32_t armed; /* any thread: how many clocks were, for their seeds */
	/* Threads that ended: any thread adds; stopping. */
	struct {
		_Alignas(8) uint64_t used; /* ns of CPU time while their clocks were armed */
		_Alignas(8) uint64_t ticks;
		_Alignas(8) uint64_t threads;
	} ended;
	bool sees_ends;   /* preparing: end_key is one, for thread_end() */
	uint32_t end_key; /* preparing */
	bool unhandled;   /* starting, the child: there is no handler, so no clock may tick */
	bool classic;     /* any thread: threads without a clock are sampled by the process's */
	uint32_t shared;  /* any thread: that threads lack timers was told */
	int32_t refused; /* any thread: -errno of a timer that could not be had; 0: none, or told */
	int32_t holder;  /* sample_hold_others(), any thread: the one that dies; 0: none */
	uint32_t held;   /* the handler, any thread: how many it keeps */

	/* profil(), whose callers see to it that only one thread is at it. */
	struct {
		struct profil_bins bins;
		bool running;
		struct sigaction old_action; /* before it was running */
		struct itimerval old_timer;
	} profil;

	/* Writing: write.c. Who has put its number into `owner` owns the rest. */
	struct {
		int32_t owner; /* any thread; the child makes it 0 */
		char path[PATH_BYTES];
		bool stacks;             /* they are written, and the profile is not yet */
		char beside[PATH_BYTES]; /* the name of its extension */
		struct file_writer file;
	} write;
};

extern struct gmon gmon;

_Static_assert(offsetof(struct gmon, program.low) == GMON_PROGRAM_LOW, "see layout.h");
_Static_assert(offsetof(struct gmon, program.high) == GMON_PROGRAM_HIGH, "see layout.h");

/* What the entry code tests first: not zero when calls are to be counted. By state_set_on(). */
extern unsigned char gmon_on;

/* One phase to another, unless the phase is a third. Whether it was done. */
bool state_change_phase(enum gmon_phase from, enum gmon_phase to);

/* Sets gmon_on by phase, pass_on and paused; in a process that is not ours, to 0. */
void state_set_on(void);

/*
 * Whether the process is the one that records: not one that was made past fork()'s handlers, by
 * _Fork() or clone(), whose memory is a copy of it or the same.
 */
bool state_is_ours(void);

/*
 * From here on gmon_on is 0 in the child of any fork, until state_set_on(): else one that was made
 * past fork()'s handlers would count into its parent's shared file.
 */
void state_keep_from_children(void);

#endif

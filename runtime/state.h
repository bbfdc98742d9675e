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
 * RUNNING -> REFUSED     life_shut(), before a filter of system calls
 * STARTING, STOPPING     while one thread does that; no other can start or stop meanwhile
 */
enum gmon_phase { UNREADY, READY, STARTING, RUNNING, HELD, STOPPING, STOPPED, REFUSED };

/* Blocks of the tree of stacks. Each doubles the tree's room, so this is enough for 2^24 nodes. */
enum { TREE_BLOCKS = 14 };

/* The kinds of ticks: kinds.c. */
enum {
	KINDS_CPU,
	/* With GMON=clock=wall: */
	KINDS_OFF_CPU,
	KINDS_ELAPSED,
	KINDS_CRITICAL,
	KINDS_BLAME,
	KINDS_ROOM = GMON_LIVE_SQUARES
};

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
 * All zero when the program begins. The comments say what a member holds and, after the last
 * semicolon, by whom it may be set:
 *
 *     life_prepare()       before other threads exist
 *     the starting thread  the one that has moved `phase` to STARTING
 *     the stopping thread  the one that has moved `phase` to STOPPING
 *     the holding thread   the one that moves `phase` to HELD
 *     a fork's child       its only thread, in life_forked()
 *     any thread           at any time, by atomic operations; the others need none
 */
struct gmon {
	/* Life: life.c. */
	uint32_t phase;         /* enum gmon_phase; set by life_prepare(), and by any thread in
				   state_change_phase() */
	int32_t pid;            /* set by life_prepare() or a fork's child */
	struct program program; /* set by life_prepare(); constant from READY on */
	bool sum_begun; /* libgmon_mpi has asked for the profile; set by the holding thread */
	/* the objects at the start, or NULL (objects.h); set by life_prepare() */
	struct objects *objects;
	/* their unwind tables, or NULL (eh_objects.h); set by life_prepare() */
	struct eh_starts *starts;
	/* enum identity_saving: how vector registers are saved; set by any thread, always to the
	 * same */
	uint8_t saving;
	uint64_t before_ms; /* clock_used_ms() when it was prepared; set by life_prepare() or a
			       fork's child */
	/* this is a fork's child that has not called exec(); set by a fork's child */
	bool forked;
	/* how many forks it is from the program's start; set by a fork's child */
	uint32_t generation;
	bool paused; /* set by life_prepare() for GMON=off, and by any thread in moncontrol() */
	bool linked; /* gcrt1.o or the program has called monstartup(); set by that call */
	bool early;  /* monstartup() was called before life_prepare(); set by that call */
	/* a handler of GMON=term is writing, or has written; set by any thread */
	uint32_t ending;
	/* The function that takes counts if another copy of libgmon records, or NULL; set by
	 * life_prepare(). */
	other_copies_count *pass_on;

	/* Counts. */
	struct bins *bins; /* NULL: none. Handlers may still be in an older one; set by the starting
			      thread */
	/* With GMON=run, 1 for each span of bins (bins.h) that has ticks; or NULL; set by any
	 * thread. */
	unsigned char *ticked;
	/* Calls that were not counted for lack of memory; set by any thread, in thread_add(), and
	 * life_zero(). */
	_Alignas(8) uint64_t declined;
	/* How many pairs were inserted into tables of calls; set by any thread or a fork's child.
	 */
	uintptr_t inserted;
	/* Threads that began in a sandbox; set by any thread, in thread_begin(), and life_zero().
	 */
	_Alignas(8) uint64_t unsampled;
	/* Ticks outside of the program in threads without a table; set by any thread's handler and
	 * life_zero(). */
	_Alignas(8) uint64_t elsewhere;

	/* the chunk from which memory is taken; set by any thread, in pool.c */
	struct pool_chunk *pool;

	/* Blocks of counts: count_block.c. */
	struct {
		/* The first block of two lists: of threads' own blocks, and of the others. Any
		 * thread puts blocks in front of them; a fork's child empties them. */
		struct count_block *of_threads, *newest;
		/* blocks that a fork's child has not made its own so far (count_block.h) */
		struct count_block *inherited;
		/* data of new blocks get pages of their own; set by the starting thread */
		bool apart;
		/* a message said that counts were overwritten; set by any thread */
		uint32_t spoiled;
		uint64_t page; /* size of the kernel's pages in bytes; set by life_prepare() */
	} blocks;

	/* The live file, which contains the blocks' data: live_file.c. Unless a member says
	 * otherwise, set by the starting thread or a fork's child. */
	struct {
		/* NULL: blocks are in private memory; also set by the stopping thread and, in a
		 * fork's child, by any thread in live_tick(). */
		const char *path;
		const char *name;     /* for messages */
		struct sys_file file; /* identity of the file */
		void *pin; /* a mapped page of the file, which keeps its inode number and lock; also
			      set by the stopping thread */
		uint32_t lost; /* a message said that counts are missing; set by any thread */
		_Alignas(8) uint64_t end; /* offset of the next block; any thread adds to it */
		/* the file has at least so many bytes, or somebody has truncated it; any thread
		 * raises it */
		_Alignas(8) uint64_t reserved;
	} live_file;

	/* The window of gprof's file that takes the place of a live file, with GMON=windows
	 * (live_window.c); else zero. Set by
	 * life_prepare() but for the last two members: by the starting thread, any thread in
	 * live_tick(), or a fork's child. */
	struct {
		struct gmon_live_windows *head; /* of the file, shared by all processes */
		uint64_t bytes;                 /* of each window */
		uint64_t windows;               /* how many windows there can be */
		bool first;                     /* this process is the first of all */
		bool sealed;                    /* nobody can shorten the file */
		char *pin;                      /* a mapping of the window's first bytes */
		uint64_t offset;                /* of the window in the file; 0: none */
	} live_window;

	/* Call stacks: stacks.c, tree.c, modules.c and others of record/. Zero without GMON=stacks.
	 */
	struct {
		bool on; /* set by the starting thread or a fork's child */
		/* Ticks of each kind that have no stack for lack of memory; set by any thread and
		 * life_zero(). */
		_Alignas(8) uint64_t lost[KINDS_ROOM];
	} stacks;
	/* Ticks in slices of the time: slices.c. Zero without GMON=slices. */
	struct {
		bool on; /* set by the starting thread */
		/* the block with the timeline, or NULL; set by the starting thread */
		struct slices_block *block;
		/* when the first slice began, by CLOCK_MONOTONIC and since 1970, in nanoseconds;
		 * set by the starting thread or a fork's child */
		_Alignas(8) uint64_t since, start_ns;
		uint32_t cells; /* cells of all tables; set by any thread */
	} slices;
	struct {
		uint32_t *head; /* for each hash, its first node; set by the starting thread, its
				   entries by any thread */
		uint32_t *
			next; /* for each node, the next one with the same hash; set as `head` is */
		uint32_t mask; /* number of heads, a power of two, minus 1; set by the starting
				  thread */
		/* the most nodes that there may be; set by the starting thread */
		uint32_t limit;
		uint32_t end;    /* the number after that of the last node; set by any thread, the
				    starting thread or a fork's child */
		uint32_t making; /* a bit for each block that exists or is being made; set by any
				    thread */
		struct tree_block *block[TREE_BLOCKS]; /* each written by the thread that has set
							  its bit in `making` */
	} tree;
	struct {
		struct modules_block *block; /* set by the starting thread; a record by the thread
						that has taken it */
		struct module_known *known;  /* set by life_prepare(); an object by the thread that
						has taken it */
		uint16_t *order;             /* the modules loaded at the start, by address; set by
						life_prepare() */
		uint32_t nstaying;           /* how many modules these are; set by life_prepare() */
		uint32_t used; /* the number of records; any thread takes the next one */
		/* the address of the vdso's ELF header, or 0; set by life_prepare() */
		uintptr_t vdso;
		/* objects unloaded before the start; set by life_prepare() */
		unsigned long long unloaded;
		uint64_t unseen; /* unloaded objects without a record; set by the stopping thread */
		bool of_calls;   /* there are records for all calls and ticks; set by the starting
				    thread */
		uint32_t several_name; /* the string "[unloaded]"; set by the starting thread */
	} modules;
	struct {
		/* set by the starting thread; a record by its thread */
		struct thread_records_block *block;
		bool watched;  /* there are times of waiting; set by the starting thread */
		uint32_t used; /* the number of records; any thread takes the next one; set by a
				  fork's child */
	} thread_records;
	struct {
		struct strings_block *block; /* set by the starting thread */
		uint32_t used;               /* bytes in use; any thread takes the next ones */
	} strings;
	struct {
		struct kind at[KINDS_ROOM]; /* set by the starting thread */
		uint32_t n;                 /* set by the starting thread */
		struct kinds_block *block;  /* or NULL; set by the starting thread */
	} kinds;
	struct {
		/* or NULL; set by the starting thread, its records by the helper */
		struct holds_block *block;
		struct holds_lock *lock; /* or NULL; set by the starting thread, its entries by the
					    helper */
		uint32_t *added; /* in which round each record was last added to; as `lock` */
		uint32_t round;  /* of looks; set by the helper */
	} holds;

	/* Call sites that are counted, or NULL (calls/calls.h); set by the starting thread. */
	struct calls *calls;
	/* the function to which the stub of a call site leads, or any other address as it is; NULL:
	 * no calls are counted so; set by the starting thread */
	uintptr_t (*call_target)(uintptr_t address);

	/* Programs that were not built for profiling: preload/, GMON=run. */
	struct run_hidden *hidden; /* what run_hide() has removed, or NULL; set by life_prepare() */
	/* The record of this process; set by life_prepare() or a fork's child, its end by the
	 * thread that ends the process. */
	struct gmon_ext_process process;
	/* the path by which it was executed, and its words, or what there is room for; set by
	 * life_prepare() */
	char executable[104];
	char command[104];
	/* the block with the record, or NULL; set by the starting thread */
	struct process_block *process_block;

	/* Time off the CPU: offcpu_helper.c. Zero without GMON=clock=wall. */
	struct {
		bool on;            /* the kernel has what is needed; set by life_prepare() */
		char *helper_stack; /* the helper's own stack; set by life_prepare() */
		int32_t helper; /* number of the helper's thread, or 0; set by the starting thread,
				   a fork's child or the kernel */
		struct offcpu *threads; /* the watched threads; set by the helper, how a thread
					   ended by that thread */
		struct stack_recorder *recorder; /* recorder of their stacks; set by the helper */
		/* who wakes whom (wakers.h), or NULL; set by life_prepare(), its members by any
		 * thread */
		struct waker *wakers;
		/* Orders to the helper to bring its counts up to date: */
		uint32_t asked;    /* how many orders were given; set by any thread */
		uint32_t answered; /* how many orders were carried out; set by the helper */
		int32_t asker;     /* the thread that waits for the answer; set by any thread */
		_Alignas(8) uint64_t
			since;    /* since when it waits, by CLOCK_MONOTONIC; set by any thread */
		uint32_t ends;    /* the helper is to end; set by life_shut() */
		uint32_t restart; /* the order is to begin again from zero; set by any thread */
	} offcpu;

	/* When the live file is made: live.c; set by the starting thread or a fork's child. */
	uint32_t live_late; /* enum live_late; also set by any thread in live_tick() */
	/* what live_make() has to do first, or NULL; set by the starting thread */
	void (*live_put_off)(void);

	/* GMON=event: event.c. */
	struct {
		uint32_t period;    /* events per signal; set by life_prepare() */
		uint32_t unit;      /* events per tick; set by life_prepare() */
		char dimension[16]; /* the name of a tick; set by life_prepare() */
		char abbreviation;  /* abbreviation of that name; set by life_prepare() */
		uint32_t kind;     /* kind of the events' stacks, or KINDS_ROOM; set by the starting
				      thread */
		struct bins *bins; /* the events' histogram, which is in no block; NULL: none; set
				      by the starting thread */
		int32_t refused;   /* -errno of the last refusal of counters; set by any thread */
		bool off; /* no thread can have counters; set by the starting thread or a fork's
			     child */
		_Alignas(8) uint64_t
			nrefused; /* number of threads without counters; set by any thread */
		_Alignas(8) uint64_t inside; /* ticks in the program's code; set by any thread */
		_Alignas(8) uint64_t
			outside; /* ticks outside of the program's code; set by any thread */
	} event;

	/* Threads: thread.c. */
	struct thread *threads; /* the first of the list; any thread puts entries in front, none is
				   removed */
	struct thread *next_candidate; /* the entry where the next search for a dead thread's entry
					  begins; set by any thread */
	uint32_t expected; /* entries by thread_expect() whose threads have not come so far; set by
			      any thread */
	uint32_t vain_adoptions; /* how many searches in a row found none, at most 3; set by any
				    thread */

	/* Ticks: clock.c, sample.c and tick.c. */
	struct sample_schedule_rule sample_rule; /* set by life_prepare() */
	uint32_t armed; /* number of clocks that were ever armed; set by any thread */
	uint64_t seed;  /* the seed of all clocks, without GMON=seed; set by life_prepare() */
	/* What was there when the recording began, or began from zero; set by the starting thread,
	 * a fork's child, or gmon_reset(): sample_account(). */
	struct {
		_Alignas(8) uint64_t used;  /* nanoseconds of CPU time of the process */
		_Alignas(8) uint64_t ticks; /* of the looks at all threads */
		bool paused; /* the recording was paused since; also set by moncontrol() */
	} account;
	bool sees_ends;   /* end_key is a key for thread_end(); set by life_prepare() */
	uint32_t end_key; /* set by life_prepare() */
	bool handled;     /* the handler is installed, so clocks may be armed; set by the starting
			     thread, the stopping thread or a fork's child */
	/* threads without a clock are sampled by ITIMER_PROF; set by any thread */
	bool by_itimer;
	uint32_t shared; /* a message said that threads lack timers; set by any thread */
	int32_t refused; /* -errno of a refused timer, until a message says it; set by any thread */
	int32_t holder;  /* the thread in sample_hold_others(), or 0; set by any thread */
	bool close_counters; /* threads are to close theirs; set by sample_close_counters() */
	uint32_t held;       /* how many threads are held in their handlers; set by any thread */

	/* profil(), which only one thread may call at a time. */
	struct {
		struct profil_bins bins;
		bool running;
		bool used; /* it was called once */
		struct itimerval old_timer;
	} profil;

	/*
	 * What is large comes last: each page that the child of a fork writes to is copied, and it
	 * writes to much of the above, and to `owner`.
	 */

	/* Writing: write.c. The thread whose number is in `owner` owns the rest. */
	struct {
		int32_t owner; /* set by any thread or a fork's child */
		char path[PATH_BYTES];
		char beside[PATH_BYTES]; /* name of the extension (.ext) */
		/* The last extension: it was written, or not; it has its name, or waits for that.
		 */
		enum ext_state { EXT_MISSING, EXT_WRITTEN, EXT_WAITS } ext;
		uint64_t ext_stamp; /* of its profile */
		struct file_writer file;
	} write;

	/* Set by life_prepare(); sample_signal also by a fork's child, start_directory by the
	 * thread that writes, rank by the holding thread. */
	struct settings settings;
	/* The names of the live file; set by the starting thread or a fork's child. */
	char live_path[PATH_BYTES];
	char live_name[PATH_BYTES]; /* as profile_name_make() makes it, with ".live" */
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

/* With GMON=calls=entries: whether functions are counted where they begin, from here on, in this
 * process and in what shares its memory, until it ends. The byte behind gmon_on says so. */
void state_count_entries(bool count);

/* Whether this process is the one that records, not one that _Fork() or clone() has made without
 * calling fork's handlers, and whose memory is a copy or even the same. */
bool state_is_ours(void);

/* From here on gmon_on is 0 in each new process until it calls state_set_on(): else a child for
 * which fork's handlers are not called would count into its parent's live file. */
void state_keep_from_children(void);

#endif

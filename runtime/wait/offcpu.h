/* SPDX-License-Identifier: MIT */
/*
 * One watched thread: how long it waits, and in which stacks. It is never interrupted.
 *
 * The kernel counts for each thread how long it ran, how long it was runnable while others ran, and
 * how often it was started. The rest of its wall-clock time is waiting. So the sum is exact however
 * rarely the helper looks; only where the thread waited is sampled:
 *
 *   look 1   blocked in read(): what it waited so far is attributed to read()
 *   look 2   nothing was counted since: it never left read(), so the time since is read()'s
 *   look 3   blocked in poll(), after it has run: what it waited since look 2 is divided in half
 *            between read() and poll()
 *   look 4   running: what it waited since look 3 is attributed when it is next found blocked
 *
 * The halves are right on average for waits that begin and end between looks, and no time is lost.
 * They are attributed by chance, and the waiting until look 2 is not: the squares of what was
 * attributed by chance say how far the times of stacks may be off (gmon_ext.h). Of a wait that one
 * look found, chance decides whether it has its two halves, h and k, or nothing: (h + k)^2. A wait
 * that several looks found was there; chance is only where in the time 2h between two looks it
 * began, and in 2k ended: h^2 + k^2 at most.
 * Looks come at random times, so very short waits are right on average, too. The kernel adds time
 * in the queue of runnable threads when it is over; until then only /proc/.../syscall distinguishes
 * a thread that was woken from one that waits.
 *
 * Only the helper (offcpu_helper.h) may call these functions, except offcpu_leave() and
 * offcpu_try(). Times are nanoseconds; points in time are by CLOCK_MONOTONIC.
 */
#ifndef WAIT_OFFCPU_H
#define WAIT_OFFCPU_H

#include <stdbool.h>
#include <stdint.h>

#include "wait/awaited.h"
#include "wait/offcpu_stack.h"

enum { OFFCPU_THREADS = 256 }; /* the most threads that are watched at once */

struct thread;
struct holder_words;

/* What elapsed.h keeps of a watched thread. */
struct elapsed_thread {
	const struct thread *entry; /* the entry (thread.h) whose stacks `newest` counts, or NULL */
	uint32_t newest; /* number of its newest stack when time was last charged to one; 0: none */
	struct stack_cell stack; /* and that stack, */
	bool sampled;            /* if there was one */
	bool ran;                /* it has run, or was ready, at the last look */
	bool again;              /* and it waited at the one before */
	uint32_t checked;        /* number of the round in which it was last found woken */
	uint32_t waits; /* how often it was found waiting; older rounds count less, 64 at most */
	/* ns of elapsed time, of critical time, and of critical time that is its own only by a
	 * guess, which wait for its next stack */
	uint64_t owed[3];
};

/* For which lock a thread waits, as the last look that found it blocked. Set by blame.c. */
struct offcpu_holder {
	bool is_lock;         /* it waits for a lock, or for a thread that wakes it, */
	bool is_wake;         /* which is this; */
	uintptr_t at;         /* then, the address of what it waits for; else 0 */
	bool borrows;         /* which nobody had; who had it last is looked for after the round */
	bool deadlock;        /* its owner waits for it, directly or by way of others */
	uint32_t stack;       /* node of the stack in which it waits */
	struct offcpu *owner; /* the owner of the lock; NULL: it is not known */
	int32_t owner_tid;    /* that thread's number */
	uint32_t asked;       /* number of the round that found this owner */
	uint32_t checked; /* number of the round in which it was seen whether this thread stays, */
	bool stays;       /* and whether it did: it is where the last look found it */
	uintptr_t word;   /* address of the futex on which it waits; 0: it is on none */
	struct offcpu *thread; /* who holds it up: the owner or, if that waits for another lock,
				  the owner of that, and so on; NULL: it is not known */
	int32_t tid;           /* that thread's number */
	uintptr_t lock;        /* the lock that this one had, as the address of its futex */
	bool wakes;            /* this one has no lock, but wakes those who wait for that word */
	bool waits;            /* this one was blocked, in the stack of `cell` */
	bool ended;            /* this one has ended, and had the lock in the stack of `cell` */
	struct stack_cell cell;
};

/* A part of what follows: what others waited in one stack for one lock. */
struct offcpu_share {
	uint64_t us;    /* microseconds; 0: none */
	uintptr_t lock; /* as the address of its futex; 0: several */
	uint32_t stack; /* node of that stack; TREE_ROOT: several */
};

/* What others have waited for locks of a thread, until it is known where that was. Set by blame.c.
 */
enum { OFFCPU_SHARES = 8 };

struct offcpu_debt {
	uint64_t us;                              /* microseconds */
	struct offcpu_share share[OFFCPU_SHARES]; /* which add up to that */
	uintptr_t lock;    /* the lock for which they waited last, as the address of its futex */
	uintptr_t watched; /* the lock that samples of the thread are asked for; 0: none */
	uint32_t paid;     /* how many samples with that lock have been seen; or, of wakes, the
			      number of its newest stack when there was no debt */
};

/* What the kernel counts for a thread. */
struct offcpu_times {
	uint64_t run;    /* how long it ran, in nanoseconds */
	uint64_t queued; /* how long it was ready to run but did not run, in nanoseconds */
	uint64_t slices; /* how often the kernel let it run */
};

struct offcpu {
	int32_t tid;     /* the kernel's number; 0: no thread is watched here */
	uint32_t record; /* number in thread_records.h; THREAD_RECORDS_UNKNOWN: it has none yet */
	const struct thread *entry; /* what offcpu_entry() found last, or NULL */
	int times, call;            /* descriptors of its `schedstat` and `syscall` */
	bool blocked;               /* it was blocked at the last look, in the stack of `cell` */
	bool ended;                 /* it has ended, although its number is still in use */
	uint32_t looked;            /* number of the round that looked at it last */
	uint32_t found;             /* number of the round that found it in its present wait */
	bool woken;                 /* it waits for a lock, and has been woken: waiters.h */
	bool has_cell;              /* it was found blocked at least once: `cell` is set */
	struct stack_cell cell;     /* the stack in which it was last found blocked */
	uint64_t place;             /* hash of its system call then: see offcpu_has_left() */
	struct awaited_call in;     /* that system call, */
	uintptr_t sp, pc;           /* and the registers there */
	uintptr_t word;     /* address of the futex on which it is blocked; 0: it is on none */
	uint32_t word_held; /* what that word contained when it began to wait */
	enum offcpu_wait word_wait; /* what its system call says of that */
	uint64_t since;             /* time of the first look */
	struct offcpu_times first;  /* what the kernel had counted at the first look */
	uint64_t seen;              /* time of the last look */
	struct offcpu_times last;   /* what the kernel had counted at the last look */
	uint64_t charged;           /* how much of its waiting was attributed to stacks */
	uint64_t weight; /* microseconds that were attributed to `cell` by chance when it was found
			  */
	bool stayed;     /* a later look has found it there still */
	uint64_t reported_life;   /* what its record has already: time in which it was watched, */
	uint64_t reported_queued; /* and time in which it was ready to run */
	struct elapsed_thread elapsed; /* set by elapsed.c */
	struct offcpu_holder holder;
	struct offcpu_debt owes;
	struct offcpu_debt wakes; /* the same of those whom it wakes */
	uint64_t unwoken;  /* microseconds that it has waited for a thread that wakes it, and which
			      is  not known so far; as `holder` describes that. Set by blame.c */
	uint64_t woken_us; /* microseconds of its present wait that were charged to threads that
			      wake it, and of these, */
	uint64_t marked;   /* those that the last round has marked as not ended. Set by blame.c */
	struct stack_cell before; /* the stack in which it was blocked at the last look but one.
				     Set by blame.c */
	struct stack_cell usual;  /* the stack in which it was blocked for more than half of its
				     time, if there is one; all zero: it ran, or was ready */
	uintptr_t usual_word;     /* and the futex on which it waited there, or 0; */
	uint64_t usual_us;        /* how much more than for the rest, or less. Set by blame.c */
	uint64_t ran;      /* nanoseconds that it ran, or was ready, of which `usual` knows */
	uint32_t contends; /* it has waited for a lock lately: for so many looks more it is one of
			      those that thin.h prefers. Set by blame.c */
	/* Microseconds of waiting that blame.c has not seen yet: in the stack of `cell`,
	 * and in the one before. */
	uint64_t lock_us, left_lock_us;
	/* Set by the thread itself when it ends; see offcpu_leave(). */
	int32_t left;                  /* the thread's number, set last */
	_Alignas(8) uint64_t left_run; /* its CPU time */
	uint64_t left_at;              /* time of the end */
};

/* Data that all looks of one round share. */
struct offcpu_round {
	int directory;       /* descriptor of /proc/self/task */
	uint64_t before;     /* new threads have begun after this time; 0: not known */
	uint32_t among;      /* how many threads there are */
	uint32_t watched;    /* how many of these are watched; their times are scaled to all */
	bool last;           /* all waiting until now is to be attributed, as far as it is known */
	uint64_t began;      /* when this round began */
	uint64_t quiet;      /* until this time no thread had run since the round before */
	int32_t asker;       /* the thread that asked for this round, and waits for it; 0: none */
	uint64_t asked;      /* when it asked */
	uint32_t number;     /* of this round */
	uint32_t every;      /* each thread is looked at in one of so many rounds: thin.h */
	uint32_t running;    /* how many threads ran, or were ready, in the round before, */
	uint32_t contending; /* and how many have waited for locks lately */
	struct holder_words *words; /* what is known of locks in this round (holder.h) */
};

/*
 * Starts to watch a living thread. A new thread has begun since round->before: when, thread_age.h
 * tells. Returns 0, or -errno if it has ended, or if the kernel does not allow it.
 */
long offcpu_open(struct offcpu *thread, const struct offcpu_round *round, int32_t tid);

/* Looks at a thread. Returns false if it has ended; then all of its waiting is attributed. */
bool offcpu_look(struct offcpu *thread, const struct offcpu_round *round);

/* Starts anew: earlier waiting of the thread is dropped. */
void offcpu_restart(struct offcpu *thread);

/*
 * Whether a thread that the last look found blocked has been woken since, or was so already: until
 * it gets a processor, only one more look at it tells.
 */
bool offcpu_is_woken(const struct offcpu *thread);

/* Whether a thread is no more where the last look found it blocked. One system call. */
bool offcpu_has_left(const struct offcpu *thread);

/* Returns thread->record, which is looked for as long as it is not known. */
uint32_t offcpu_record(struct offcpu *thread);

/* Stops watching: closes the descriptors. */
void offcpu_close(struct offcpu *thread);

/*
 * Called by a thread that ends: stores the time of its end, if it is watched. The helper notices
 * the end only at its next look, and the kernel does not say when it was. Linear in OFFCPU_THREADS.
 * Async-signal-safe.
 */
void offcpu_leave(int32_t tid);

/* Tries on the calling thread whether the kernel shows what is needed. Returns 0 or -errno. */
long offcpu_try(void);

#endif

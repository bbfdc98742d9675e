/* SPDX-License-Identifier: MIT */
/*
 * The format of gmon.out.ext: what gmon.out cannot hold of a recording, such as call stacks. The
 * file lies beside the profile and has its name with ".ext" added; its stamp says to which profile
 * it belongs. If its writer was killed after the profile got its name, it has another "." and the
 * stamp as 16 hexadecimal digits at the end, and the file without these belongs to the profile
 * before.
 *
 * Numbers are in the byte order of the profiled machine. The file begins with struct gmon_ext_head
 * and a table of `sections` entries, struct gmon_ext_section. Sections follow at multiples of 8
 * bytes and do not overlap. A reader skips sections whose tag it does not know, and the end of
 * records that are longer than those it knows.
 *
 * Strings are offsets into section STRS; offset 0 is "". In nodes, samples, squares, holds, slices,
 * arcs and bins the fields parent, node, waiter, holder, first, module, from_module, self_module,
 * thread, kind and sample are indices of records, from 0; GMON_EXT_NONE is none. Fields called
 * zero, or zeros, are 0.
 */
#ifndef GMON_EXT_H
#define GMON_EXT_H

#include <stdint.h>

#define GMON_EXT_MAGIC   "gmonext\n"
#define GMON_EXT_VERSION 1
#define GMON_EXT_ORDER   0x01020304u /* shows the byte order */
#define GMON_EXT_NONE    0xffffffffu
#define GMON_EXT_SUFFIX  ".ext"

/* FNV-1a with 64 bits over all bytes of the profile: the value of head.stamp. */
#define GMON_EXT_STAMP_START  UINT64_C(0xcbf29ce484222325)
#define GMON_EXT_STAMP_FACTOR UINT64_C(0x100000001b3)

struct gmon_ext_head {
	char magic[8];
	uint32_t version;
	uint32_t byte_order;    /* GMON_EXT_ORDER */
	uint32_t pointer_bytes; /* of the profiled machine: 4 or 8 */
	uint32_t sections;
	uint64_t stamp;
	uint64_t bytes; /* size of the whole file */
};

struct gmon_ext_section {
	char tag[4];
	uint32_t record_bytes;
	uint64_t offset; /* offset of the section from the start of the file */
	uint64_t records;
};

/* Tags. STRS has records of one byte: strings, each with a NUL at its end. */
#define GMON_EXT_STRINGS   "STRS"
#define GMON_EXT_MADES     "MADE" /* struct gmon_ext_made */
#define GMON_EXT_MODULES   "MODS" /* struct gmon_ext_module */
#define GMON_EXT_THREADS   "THRD" /* struct gmon_ext_thread */
#define GMON_EXT_KINDS     "KIND" /* struct gmon_ext_kind */
#define GMON_EXT_NODES     "NODE" /* struct gmon_ext_node */
#define GMON_EXT_SAMPLES   "SAMP" /* struct gmon_ext_sample */
#define GMON_EXT_ARCS      "ARCS" /* struct gmon_ext_arc */
#define GMON_EXT_BINS      "HIST" /* struct gmon_ext_bin */
#define GMON_EXT_SQUARES   "SQRS" /* struct gmon_ext_square */
#define GMON_EXT_HOLDS     "HOLD" /* struct gmon_ext_hold */
#define GMON_EXT_TIMELINES "TIME" /* struct gmon_ext_timeline */
#define GMON_EXT_SLICES    "WHEN" /* struct gmon_ext_slice */
#define GMON_EXT_PROCESS   "PROC" /* struct gmon_ext_process */
#define GMON_EXT_SITES     "SITE" /* struct gmon_ext_site */
#define GMON_EXT_PARTS     "PART" /* struct gmon_ext_part */
#define GMON_EXT_SUM       "SUM " /* struct gmon_ext_sum, one record */

enum gmon_ext_flags {
	GMON_EXT_PROGRAM = 1,
	GMON_EXT_VDSO = 2,
	GMON_EXT_UNLOADED = 4,  /* it was unloaded, so others may have been at its addresses */
	GMON_EXT_SEVERAL = 8,   /* stands for several objects: see below */
	GMON_EXT_RECORDER = 16, /* the library that made the recording, no part of the program */
	GMON_EXT_MADE = 32,     /* stands for code that was made at run time: see below */
};
enum { GMON_EXT_BUILD_ID_BYTES = 20 };

/*
 * A module: an object that was loaded, such as the program or a shared library. If it is loaded
 * again, or at another address, it has another record. Ranges may overlap only in a sum, or if all
 * of these objects but one were unloaded. The bias is a multiple of 4096. There are at most
 * GMON_EXT_MODULES_MOST records for each recording.
 *
 * A record with GMON_EXT_SEVERAL is for addresses at which several objects were loaded one after
 * the other, so that it is not known in which one they were. It has no range, bias or build id, its
 * path is "[unloaded]", and addresses in it are run-time ones.
 *
 * A record with GMON_EXT_MADE is for functions that were made at run time, by a just-in-time
 * compiler that told their names. Its range is [0, n), where n is at most the number of records of
 * section MADE; it has no bias or build id, its path is "[jit]", and an address in it is the index
 * of a record of that section.
 */
enum { GMON_EXT_MODULES_MOST = 4096 };

struct gmon_ext_module {
	uint64_t low, high; /* [low, high): addresses of its code at run time */
	uint64_t bias;      /* run-time minus link-time address */
	uint64_t bytes;     /* size of its file in bytes; 0: not known */
	uint32_t path;
	uint8_t build_id_bytes; /* 0: it has none */
	uint8_t flags;          /* enum gmon_ext_flags */
	uint16_t zero;
	uint8_t build_id[GMON_EXT_BUILD_ID_BYTES];
	uint8_t more_zeros[12];
};

/*
 * Code of a function that was made at run time, of one source line if the lines are known. Code
 * with the same name is the same function, whose first record here is where it begins.
 */
struct gmon_ext_made {
	uint32_t name;
	uint32_t line; /* 0: not known */
	/* Records of 8 bytes end before this. */
	uint32_t file;
	uint32_t zero;
};
enum { GMON_EXT_MADE_LEAST = 8 };

/* A thread that has samples. */
struct gmon_ext_thread {
	uint32_t tid;       /* 0: no thread, but the time of those that are not known */
	uint32_t name;      /* as the kernel names the thread */
	uint64_t cpu_ns;    /* CPU time of the thread while it was recorded, in nanoseconds */
	uint32_t recording; /* in a sum: number of the recording that the thread is from; else 0 */
	uint32_t zero;
	/*
	 * Records of 24 bytes end before this. If both are 0, they are not known. A signal of the
	 * clock counts as many ticks as were due since the signal before.
	 */
	uint64_t looks;   /* signals that counted ticks, and at which a stack was taken */
	uint64_t squares; /* the sum of the squares of these signals' ticks: looks <= ticks <=
			     squares */
	/* Records of 40 bytes end before this. If both are 0, the thread was not watched. */
	/* nanoseconds in which the thread was ready to run while others ran */
	uint64_t runnable_ns;
	uint64_t life_ns; /* nanoseconds in which it was watched */
};

enum { GMON_EXT_THREAD_LEAST = 24, GMON_EXT_THREAD_LOOKS = 40 /* bytes */ };

/*
 * A kind of ticks. Kind 0, "cpu", is CPU time, with the rate of the profile. Kind 1, "off-cpu",
 * exists if threads were watched (GMON=clock=wall): the wall-clock time that they waited, in
 * microseconds, so the rate is 1000000 and the dimension "seconds". It occurs in samples, never in
 * the profile's histogram. With it come "elapsed" and "critical", in the same unit: the time that
 * was recorded, in which each moment counts once. Of "elapsed", it is divided equally among the
 * threads that ran or were ready to. Of "critical", it is that of the thread for which the first
 * thread of the process waited, directly or not, or of the wait at the end of that chain. Where it
 * was guessed for which thread, complete stacks of "critical" are called guessed. "blame", too, is
 * in microseconds: what threads waited for locks, in the stacks of those who had the locks; without
 * a stack where it is not known who had one. Other kinds are events (GMON=event) and have their
 * names, such as "page-faults". A tick is one of the dimension, such as "Mcycles" for millions of
 * cycles, and the rate is 1; the abbreviation is a capital if they are samples, as in gmon_out.h.
 */
struct gmon_ext_kind {
	uint32_t name; /* "cpu" */
	uint32_t zero;
	uint64_t rate; /* ticks per unit of the dimension */
	char dimension[15];
	char abbreviation;
};

/*
 * A function on a call stack, below the one that called it; stacks share the nodes of their common
 * callers. The address is where the function was: in a leaf the instruction that was interrupted,
 * in a caller a byte of its call instruction. With a module it is a link-time address in the
 * module's range; without one it is a run-time address. GMON_EXT_GAP, without a module, stands for
 * functions that are missing there.
 *
 * GMON_EXT_ALL_WAIT, without a module and as the outermost node, is above stacks of "elapsed" and
 * "critical" in whose time no thread ran. It is no function.
 *
 * The leaf of a stack of waiting has no module either: its address is GMON_EXT_WAITING plus the
 * number of the system call in which the thread waited, on the profiled machine, and its parent is
 * the function that made the call. GMON_EXT_WAITING_LAST: the number is not known, or too large.
 * Where the call was for a descriptor, and it is known what that was, GMON_EXT_WAITING_STEP times
 * one of enum gmon_ext_awaited is added.
 */
enum {
	GMON_EXT_GAP = 1,
	GMON_EXT_ALL_WAIT = 2,
	GMON_EXT_WAITING = 4096,
	GMON_EXT_WAITING_STEP = 4096,
	GMON_EXT_WAITING_LAST = GMON_EXT_WAITING + GMON_EXT_WAITING_STEP - 1
};

/* What a descriptor was when a thread waited for it. */
enum gmon_ext_awaited {
	GMON_EXT_AWAITED_UNKNOWN = 0,
	GMON_EXT_AWAITED_FILE = 1,    /* a file, directory or block device */
	GMON_EXT_AWAITED_PIPE = 2,    /* a pipe, with or without a name */
	GMON_EXT_AWAITED_SOCKET = 3,  /* a socket inside the machine, or of an unknown family */
	GMON_EXT_AWAITED_NETWORK = 4, /* a socket of another family than AF_UNIX */
	GMON_EXT_AWAITED_TERMINAL = 5,
	GMON_EXT_AWAITED_EVENT = 6,  /* eventfd, timerfd, signalfd, inotify and their like */
	GMON_EXT_AWAITED_DEVICE = 7, /* another character device */
	GMON_EXT_AWAITED_KINDS = 8   /* how many there are */
};

struct gmon_ext_node {
	uint32_t parent; /* the caller's node; its index is lower than the node's own */
	uint32_t module;
	uint64_t address;
};

enum gmon_ext_quality {
	GMON_EXT_COMPLETE = 0, /* complete: the outermost node is where the thread began */
	GMON_EXT_GUESSED = 1, /* complete, but callers were found by searching the stack; or as said
				 for kind "critical" */
	GMON_EXT_BROKEN = 2,  /* the callers of the outermost node are not known */
	GMON_EXT_CUT = 3, /* a limit of depth, number or memory left functions out: at the gap, or,
			     without a gap, below the node */
};

/* Ticks of the stack that ends in a node. */
struct gmon_ext_sample {
	/*
	 * GMON_EXT_NONE: the stack is not known; unless the quality is cut, no sample was taken for
	 * these ticks.
	 */
	uint32_t node;
	uint32_t thread;
	uint32_t kind;
	uint32_t quality; /* enum gmon_ext_quality */
	uint64_t ticks;
};

/*
 * How exactly the waiting in a stack is known. What a thread waited between two looks counts half
 * for the stack at each of them, so a look decides on some time by chance: `squares` is the sum of
 * the squares of these times, in microseconds, over the looks that found the stack; of waits that
 * several looks found, the squares of the half at the beginning and of that at the end.
 * Waiting in which the thread demonstrably stayed is known and in no square. The section exists
 * only if threads were watched; without it, it is not known how exact waiting is.
 */
struct gmon_ext_square {
	uint32_t node; /* GMON_EXT_NONE: the stack is not known */
	uint32_t thread;
	uint64_t squares;
};

enum gmon_ext_hold_flags {
	GMON_EXT_DEADLOCK = 1, /* the holder waited for a lock that the waiter had, directly or by
				  way of others: none of them could go on */
	GMON_EXT_WAKER = 2,    /* the holder had no lock: it is the thread that wakes those who wait
				  there, as for a condition variable, a semaphore or a barrier */
	GMON_EXT_UNWOKEN = 4,  /* beside that: nobody has woken them so far, and the holder is the
				  thread that would have, as it seemed */
};

/*
 * Who held others up: what threads waited in one stack for a lock that another thread had in
 * another stack, or to be woken by it. All `ticks` together, but for those with GMON_EXT_WAKER, are
 * those of kind "blame". The lock is known by the address for which threads wait. If it has a
 * module, that is a link-time address, which may lie outside of the module's range, since that is
 * of code.
 */
struct gmon_ext_hold {
	uint32_t waiter; /* the node where the stack of those who waited ends; GMON_EXT_NONE: it is
			    not known */
	uint32_t holder; /* the node where the stack of the thread that had the lock ends;
			    GMON_EXT_NONE: it is not known */
	uint32_t first;  /* the node where the stack of the thread that was first seen waiting for
			    the lock ends, which tells locks without a name apart; GMON_EXT_NONE: it
			    is not known */
	uint32_t module; /* GMON_EXT_NONE: it is not known */
	uint64_t lock;   /* 0: it is not known */
	uint64_t ticks;
	uint32_t flags; /* enum gmon_ext_hold_flags */
	uint32_t zero;
};

/*
 * When a recording began, and the slices of equal length into which its time is divided. There is
 * at most one record for a recording, and none without slices (GMON=slices).
 */
struct gmon_ext_timeline {
	uint32_t recording; /* as in struct gmon_ext_thread */
	uint32_t slices;    /* how many slices there are, at most GMON_EXT_SLICES_MOST */
	uint64_t start_ns;  /* when the first slice began, in nanoseconds since 1970 */
	uint64_t slice_ns;  /* the length of each slice, in nanoseconds */
};

enum { GMON_EXT_SLICES_MOST = 4096 };

/*
 * How many ticks of a sample were counted in a slice of the recording of its thread. Ticks of CPU
 * time are in the slice in which the clock's signal arrived. Waiting is divided among the slices
 * that it touches. A sample has at most as many ticks in slices as it has at all: when the others
 * were counted is not known, for lack of memory or because nothing was recorded then.
 */
struct gmon_ext_slice {
	uint32_t sample;
	uint32_t slice;
	uint64_t ticks;
};

/*
 * Calls that were counted, within modules and between them. The caller's address is in its call
 * instruction. Addresses are as in nodes.
 */
struct gmon_ext_arc {
	uint32_t from_module, self_module;
	uint64_t from, self;
	uint64_t calls;
	uint32_t thread; /* GMON_EXT_NONE: calls of all threads */
	uint32_t first;  /* rank by first call, from 1; 0: not known */
};

/*
 * An object whose calls were counted where they are, in its code (GMON=calls), and not by functions
 * that count themselves. If there are such records, the calls of a function are all of its calls
 * only if its object has a record and the function has no struct gmon_ext_part; others may have
 * been called more often than the arcs say.
 */
struct gmon_ext_site {
	uint32_t module;
	uint32_t functions;  /* functions of the object, by its call-frame information */
	uint32_t dropped;    /* of these, functions whose calls of others are not counted, since
				their instructions are not known for sure */
	uint32_t first_site; /* 0; in a window (gmon_live.h) the number of its first call site */
	uint64_t sites;      /* call sites that are counted */
	uint64_t direct;     /* calls of a certain function that are not counted */
	uint64_t indirect;   /* calls through pointers, which are not counted */
	/* Records of 40 bytes end before this. */
	uint32_t entries; /* functions that are counted where they begin (GMON=calls=entries), by
			     whatever they are called */
	uint32_t zero;
};

enum { GMON_EXT_SITE_LEAST = 40 /* bytes */ };

/* Why a function may have been called more often than its arcs say. */
enum gmon_ext_partial {
	GMON_EXT_PARTIAL_TAKEN = 1,     /* its address is taken: it may be called by pointer */
	GMON_EXT_PARTIAL_EXPORTED = 2,  /* other objects may call it */
	GMON_EXT_PARTIAL_UNCOUNTED = 4, /* a call or jump that is not counted may lead to it */
	GMON_EXT_PARTIAL_CALLED = 7,    /* all of these */
	GMON_EXT_PARTIAL_EARLY = 8,     /* it may have been called before counting began */
	/* With GMON=calls=entries also why it is not counted where it begins: */
	GMON_EXT_PARTIAL_ENTERED = 16,  /* a loop, or something else, may lead to where it begins */
	GMON_EXT_PARTIAL_FIXED = 32,    /* its first instructions cannot be moved */
	GMON_EXT_PARTIAL_SHORT = 64,    /* it is too short */
	GMON_EXT_PARTIAL_UNKNOWN = 128, /* its instructions are not known for sure */
};

/* A function of which that holds. The link-time address is that of its first byte. */
struct gmon_ext_part {
	uint32_t module;
	uint32_t reasons; /* enum gmon_ext_partial, added up */
	uint64_t address;
};

/*
 * Ticks outside the program. Addresses are as in nodes. Address 0 in no module: the address is not
 * known.
 */
struct gmon_ext_bin {
	uint32_t module, kind;
	uint64_t address;
	uint64_t ticks;
};

/* How a process ended, as far as it was known when its profile was written. */
enum gmon_ext_ending {
	GMON_EXT_GOES_ON = 0, /* it still runs, or it is not known how it ended */
	GMON_EXT_EXITED = 1,
	GMON_EXT_KILLED = 2,   /* a signal ended it */
	GMON_EXT_REPLACED = 3, /* exec() replaced the program by another one */
};

/* A process that was recorded with GMON=run; others have no record. */
struct gmon_ext_process {
	uint32_t pid, parent;
	uint32_t recording; /* as in struct gmon_ext_thread */
	uint32_t command; /* a string: the words of the command line, possibly cut off at the end */
	uint32_t ending;  /* enum gmon_ext_ending */
	uint32_t status;  /* exit status, or number of the signal */
	uint64_t start_ns; /* when the recording began, in nanoseconds since 1970 */
	uint64_t end_ns;   /* when the profile was written, in nanoseconds since 1970; 0: end_ns and
			      cpu_ns are not known */
	uint64_t cpu_ns;   /* CPU time of the process until end_ns, in nanoseconds */
	uint64_t before_ns; /* the part of cpu_ns that was used before start_ns */
	/*
	 * Records of 56 bytes end before this. 0: the process executed the module with
	 * GMON_EXT_PROGRAM.
	 */
	uint32_t program; /* in a sum: path of the executable */
	uint32_t zero;
};

enum { GMON_EXT_PROCESS_LEAST = 56 /* bytes */ };

/*
 * The recordings that a sum was made of; a file of one recording needs no such section. A file
 * without this section has call stacks if it has section SAMP or neither ARCS nor HIST, and calls
 * and ticks of modules if it has ARCS or HIST, even if they are empty.
 */
struct gmon_ext_sum {
	uint32_t recordings; /* number of recordings with call stacks; threads refer to them by
				number, from 0 */
	uint32_t lacking;    /* number of profiles without call stacks, whose ticks are not in this
				file */
	/*
	 * Records of 8 bytes end before this: then either all recordings have calls and ticks of
	 * modules, or none.
	 */
	uint32_t objects; /* how many recordings have calls and ticks of modules */
	uint32_t zero;
};

enum { GMON_EXT_SUM_LEAST = 8 /* bytes */ };

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The format of gmon.out.ext: what a recording has that gmon.out has no place for, such as call
 * stacks. It lies beside the profile, whose name it has with ".ext" added, and says by its stamp
 * which one it belongs to.
 *
 * Numbers are in the byte order of the profiled machine. The file begins with struct gmon_ext_head;
 * behind it comes a table of `sections` entries, struct gmon_ext_section. Sections lie behind the
 * table at multiples of 8 bytes and do not overlap. A reader passes over those whose tag it does
 * not know, and over what a longer record has behind the part that it knows.
 *
 * Strings are offsets into the section STRS; offset 0 is "". An index counts the records of the
 * section named, from 0; GMON_EXT_NONE is none.
 */
#ifndef GMON_EXT_H
#define GMON_EXT_H

#include <stdint.h>

#define GMON_EXT_MAGIC   "gmonext\n"
#define GMON_EXT_VERSION 1
#define GMON_EXT_ORDER   0x01020304u /* reads otherwise where the byte order differs */
#define GMON_EXT_NONE    0xffffffffu
#define GMON_EXT_SUFFIX  ".ext"

/* FNV-1a, 64 bits, of all bytes of the profile: head.stamp. */
#define GMON_EXT_STAMP_START  UINT64_C(0xcbf29ce484222325)
#define GMON_EXT_STAMP_FACTOR UINT64_C(0x100000001b3)

struct gmon_ext_head {
	char magic[8];
	uint32_t version;
	uint32_t byte_order;    /* GMON_EXT_ORDER */
	uint32_t pointer_bytes; /* of the profiled machine: 4 or 8 */
	uint32_t sections;
	uint64_t stamp;
	uint64_t bytes; /* of the whole file */
};

struct gmon_ext_section {
	char tag[4];
	uint32_t record_bytes;
	uint64_t offset; /* from the beginning of the file */
	uint64_t records;
};

/* Tags. STRS has records of one byte: strings that end with NUL, of any bytes but that. */
#define GMON_EXT_STRINGS "STRS"
#define GMON_EXT_MODULES "MODS" /* struct gmon_ext_module */
#define GMON_EXT_THREADS "THRD" /* struct gmon_ext_thread */
#define GMON_EXT_KINDS   "KIND" /* struct gmon_ext_kind */
#define GMON_EXT_NODES   "NODE" /* struct gmon_ext_node */
#define GMON_EXT_SAMPLES "SAMP" /* struct gmon_ext_sample */
#define GMON_EXT_ARCS    "ARCS" /* struct gmon_ext_arc */
#define GMON_EXT_BINS    "HIST" /* struct gmon_ext_bin */
#define GMON_EXT_PROCESS "PROC" /* struct gmon_ext_process */
#define GMON_EXT_SUM     "SUM " /* struct gmon_ext_sum, one record */

enum gmon_ext_flags {
	GMON_EXT_PROGRAM = 1,
	GMON_EXT_VDSO = 2,
	GMON_EXT_UNLOADED = 4,  /* it was closed, so others may have been in its place */
	GMON_EXT_SEVERAL = 8,   /* no object: see below */
	GMON_EXT_RECORDER = 16, /* what made the recording: its functions are not the program's */
};
enum { GMON_EXT_BUILD_ID_BYTES = 20 };

/*
 * An object that was loaded. One that comes again, or at another place, has another record; ranges
 * share addresses only if all of these objects but one were unloaded, or in a sum. The bias is a
 * multiple of 4096. At most GMON_EXT_MODULES_MOST records for each recording.
 *
 * A record with GMON_EXT_SEVERAL is none of an object, has no range, no bias and no build id, and
 * is called "[unloaded]": in it are addresses of which it is not known which object they were in,
 * since several had been there one after the other. They are run-time addresses.
 */
enum { GMON_EXT_MODULES_MOST = 4096 };

struct gmon_ext_module {
	uint64_t low, high; /* its code at run time: [low, high) */
	uint64_t bias;      /* run-time less link-time address */
	uint64_t bytes;     /* of its file, or 0 */
	uint32_t path;
	uint8_t build_id_bytes; /* 0: it has none */
	uint8_t flags;          /* enum gmon_ext_flags */
	uint16_t zero;
	uint8_t build_id[GMON_EXT_BUILD_ID_BYTES];
	uint8_t more_zeros[12];
};

/* Only where there are samples. */
struct gmon_ext_thread {
	uint32_t tid;
	uint32_t name;      /* as the kernel has it */
	uint64_t cpu_ns;    /* that it used while recorded */
	uint32_t recording; /* in a sum: the process that it ran in; else 0 */
	uint32_t zero;
	/* Records of 24 bytes end here, or both are 0: not known. A signal of the clock counts as
	 * many ticks as fell due since the one before it. */
	uint64_t looks;   /* signals that counted ticks, where a stack was looked for, */
	uint64_t squares; /* and the sum of the squares of their ticks: looks <= ticks <= squares */
	/* Records of 40 bytes end here, or both are 0: the thread was not watched. */
	uint64_t runnable_ns; /* that it could have run, but others ran instead, */
	uint64_t life_ns;     /* of so much time that it was watched */
};

enum { GMON_EXT_THREAD_LEAST = 24, GMON_EXT_THREAD_LOOKS = 40 /* bytes */ };

/*
 * What ticks are of. Kind 0, "cpu", is CPU time, with the rate of the profile. Kind 1, "off-cpu",
 * is there if threads were watched (GMON=clock=wall): the time that they waited, by the clock on
 * the wall, in microseconds; the rate is 1000000, the dimension "seconds". It is in samples alone,
 * never in the profile's histogram. Other kinds are events (GMON=event), called like these:
 * "page-faults". Ticks are those of the dimension, with a rate of 1: "Mcycles" are millions of
 * cycles. Their abbreviation is a capital where they are samples, as gmon_out.h has it.
 */
struct gmon_ext_kind {
	uint32_t name; /* "cpu" */
	uint32_t zero;
	uint64_t rate; /* ticks a unit of the dimension */
	char dimension[15];
	char abbreviation;
};

/*
 * A function on a call stack, below the one that called it; equal stacks share nodes. The address
 * is where the function was: of a leaf the instruction that was interrupted, of a caller the last
 * byte of its call, or one before it. It is a link-time address of the module, inside of its range,
 * and without one a run-time address; GMON_EXT_GAP, without module, stands for functions that are
 * missing there.
 *
 * The leaf of a stack that waited has no module either: its address is GMON_EXT_WAITING plus the
 * number of the system call in which it waited, as the profiled machine numbers them. It is the
 * child of the function that made the call. GMON_EXT_WAITING_LAST: the number is not known, or
 * none of those that fit.
 */
enum { GMON_EXT_GAP = 1, GMON_EXT_WAITING = 4096, GMON_EXT_WAITING_LAST = GMON_EXT_WAITING + 4095 };

struct gmon_ext_node {
	uint32_t parent; /* index of the caller, smaller than its own */
	uint32_t module;
	uint64_t address;
};

enum gmon_ext_quality {
	GMON_EXT_COMPLETE = 0, /* the outermost node is where the thread began */
	GMON_EXT_GUESSED = 1,  /* part of the stack was found by searching it */
	GMON_EXT_BROKEN = 2,   /* whoever called the outermost node is not known */
	GMON_EXT_CUT = 3,      /* functions are missing for a limit of depth, number or memory: at
				  the gap, else behind the node */
};

/* Ticks of stacks that end in a node. */
struct gmon_ext_sample {
	/* None: nothing is known of the stack; if it is not cut, nobody looked at that time. */
	uint32_t node;
	uint32_t thread;
	uint32_t kind;
	uint32_t quality; /* enum gmon_ext_quality */
	uint64_t ticks;
};

/*
 * Calls between any two modules, those inside of the program among them: all that were counted. The
 * caller's address lies in its call. Addresses are as those of nodes.
 */
struct gmon_ext_arc {
	uint32_t from_module, self_module;
	uint64_t from, self;
	uint64_t calls;
	uint32_t thread; /* none: all */
	uint32_t first;  /* place in the order of first calls, from 1; 0: not known */
};

/*
 * Ticks outside of the program, at an address that is as those of nodes. Address 0 in no module:
 * nobody knows where.
 */
struct gmon_ext_bin {
	uint32_t module, kind;
	uint64_t address;
	uint64_t ticks;
};

/* How a process was about to end when its profile was written. */
enum gmon_ext_ending {
	GMON_EXT_GOES_ON = 0, /* or nothing is known */
	GMON_EXT_EXITED = 1,
	GMON_EXT_KILLED = 2,   /* by a signal */
	GMON_EXT_REPLACED = 3, /* by exec: it goes on with another program */
};

/* A process that was recorded by GMON=run; others have no such section. */
struct gmon_ext_process {
	uint32_t pid, parent;
	uint32_t recording; /* as that of threads */
	uint32_t command;   /* its words, or the beginning of that */
	uint32_t ending;    /* enum gmon_ext_ending */
	uint32_t status;    /* that of exit, or the signal */
	uint64_t start_ns;  /* when the recording began, since 1970 */
	uint64_t end_ns;    /* when it was written; 0: not known, nor is cpu_ns */
	uint64_t cpu_ns;    /* CPU time of the process until then, */
	uint64_t before_ns; /* of which so much was before the recording */
	/* Records of 56 bytes end here, or it is 0: it ran the module with GMON_EXT_PROGRAM. */
	uint32_t program; /* in a sum: path of the executable */
	uint32_t zero;
};

enum { GMON_EXT_PROCESS_LEAST = 56 /* bytes */ };

/*
 * What profiles a sum is of; a file of one recording needs no such section. Such a file has call
 * stacks if it has the section SAMP or neither ARCS nor HIST, and calls and ticks of modules if it
 * has one of these two, empty or not.
 */
struct gmon_ext_sum {
	uint32_t recordings; /* with call stacks: numbers of threads' recordings are below */
	uint32_t lacking;    /* profiles that had none, so that their ticks are not here */
	/* Records of 8 bytes end here, and all recordings or none have calls and ticks of modules.
	 */
	uint32_t objects; /* recordings, of all those, with calls and ticks of modules */
	uint32_t zero;
};

enum { GMON_EXT_SUM_LEAST = 8 /* bytes */ };

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data that gmon.out.ext adds to a profile: call stacks, and calls and ticks of all modules. */
#ifndef MODEL_RECORDED_H
#define MODEL_RECORDED_H

#include "base/array.h"
#include "base/join.h"
#include "base/path.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The index that refers to nothing. */
#define RECORDED_NONE UINT32_MAX

enum {
	MODULE_BUILD_ID_BYTES = 20,
	RECORDED_MODULES = 4096 /* the most modules of one recording */
};
enum module_flags {
	MODULE_PROGRAM = 1,
	MODULE_VDSO = 2,
	MODULE_UNLOADED = 4,
	MODULE_SEVERAL = 8,   /* not an object: see recorded_module_is_several() */
	MODULE_RECORDER = 16, /* the library that made the recording */
	/* not an object: address i is element i of the recording's array `made` */
	MODULE_MADE = 32
};

/*
 * The program, or a shared object that it loaded. If modules of one recording share addresses, at
 * most one of them was still loaded at the end.
 */
struct module {
	uint64_t lo, hi; /* [lo, hi): addresses of its code at run time */
	uint64_t bias;   /* run-time address less link-time address; a multiple of the page size; no
			    range wraps around */
	uint64_t bytes;  /* size of its file in bytes; 0: not known */
	const char *path; /* as the program knew the path; may be "" */
	unsigned flags;   /* enum module_flags */
	unsigned build_id_bytes;
	unsigned char build_id[MODULE_BUILD_ID_BYTES];
};

/*
 * Whether the module is not an object, but represents all addresses at which several objects were
 * loaded, one after the other, so that the object is not known. These are run-time addresses; the
 * module has no range.
 */
static inline bool recorded_module_is_several(const struct module *module)
{
	return module->flags & MODULE_SEVERAL;
}

/* Sets the bytes of the array after the build id to 0. */
static inline void recorded_module_end_build_id(struct module *module)
{
	memset(module->build_id + module->build_id_bytes, 0,
	       MODULE_BUILD_ID_BYTES - module->build_id_bytes);
}

/* Returns the build id in hexadecimal, in mem; NULL: there is none. */
static inline const char *recorded_module_build_id(const struct module *module, struct arena *mem)
{
	return module->build_id_bytes > 0 ? join_hex(mem, module->build_id, module->build_id_bytes)
					  : NULL;
}

/*
 * Code of a function that was made at run time, as a just-in-time compiler told it. Code of the
 * same name is one function, wherever it was; the first line of each function is where it begins.
 * All that has no line is one element.
 */
struct recorded_made {
	const char *name;
	const char *file; /* "", with line 0: the line is not known */
	uint32_t line;
};

/* A thread. Several may have the same name or tid, so threads are identified by their index. */
struct recorded_thread {
	uint32_t tid;       /* 0: no thread, but the time of those that are not known */
	uint32_t recording; /* number of the recording of its process */
	const char *name;
	uint64_t cpu_ns; /* CPU time in nanoseconds while it was recorded */
	/*
	 * How many signals of the clock counted ticks, and the sum of the squares of their ticks.
	 * If both are 0, they are not known, or the thread has no such ticks. They are not checked
	 * and may contradict the samples.
	 */
	uint64_t looks, squares;
	/*
	 * Nanoseconds in which the thread was ready to run while others ran, and in which it was
	 * watched; both 0: not known.
	 */
	uint64_t runnable_ns, life_ns;
};

static inline bool recorded_thread_is_known(const struct recorded_thread *thread)
{
	return thread->tid != 0;
}

/* Returns what reports call the thread: its name, which may be "". */
static inline const char *recorded_thread_called(const struct recorded_thread *thread)
{
	return recorded_thread_is_known(thread) || *thread->name ? thread->name
								 : "[unknown thread]";
}

/*
 * How a process ended: at the time when its recording was written. PROCESS_GOES_ON: it still ran,
 * or it is not known how it ended.
 */
enum process_ending { PROCESS_GOES_ON, PROCESS_EXITED, PROCESS_KILLED, PROCESS_REPLACED };

/* A process that gprof --run has started, or a descendant of it. */
struct recorded_process {
	uint32_t pid, parent;
	uint32_t recording; /* number of its recording, as in threads */
	enum process_ending ending;
	uint32_t status;     /* exit status, or number of the signal */
	const char *command; /* its command line, cut if it is long */
	const char *program; /* path of the executable, or "" */
	uint64_t start, end; /* when the recording began and ended, in nanoseconds since 1970; if
				end is 0, end and cpu_ns are not known */
	uint64_t cpu_ns;     /* CPU time of the process before `end`, in nanoseconds */
	uint64_t before_ns;  /* CPU time of the process before `start`, in nanoseconds */
};

/*
 * Returns what the process was called as, in mem: the last part of its first word, which may be the
 * name of a link to its program.
 */
static inline const char *recorded_process_called(const struct recorded_process *process,
						  struct arena *mem)
{
	const char *word = arena_strndup(mem, process->command, strcspn(process->command, " "));

	return *path_base(word) ? path_base(word) : path_base(process->program);
}

/* A kind of ticks. The first one is CPU time, "cpu", in the unit of the profile. */
struct recorded_kind {
	const char *name;
	struct unit unit;
};

/* Name of the kind that is time in which threads waited, measured by a clock, not sampled. */
#define RECORDED_WAITING_KIND  "off-cpu"
#define RECORDED_ELAPSED_KIND  "elapsed"
#define RECORDED_CRITICAL_KIND "critical"
#define RECORDED_BLAME_KIND    "blame"

/*
 * A function on a stack, as a child of its caller. The address is inside of the interrupted
 * instruction, or of the call instruction. It is a link-time address in the range of the module;
 * without a module, it is a run-time address. RECORDED_GAP without a module stands for missing
 * functions.
 */
enum { RECORDED_GAP = 1, RECORDED_ALL_WAIT = 2 /* as the outermost node: no thread ran */ };

/*
 * The innermost node of a thread that waited has no module: its address is RECORDED_WAITING plus
 * the number of the system call, plus RECORDED_CALLS times what a descriptor was for which it was
 * (enum gmon_ext_awaited; 0: not known). The last number of a call means that it is not known.
 */
enum { RECORDED_WAITING = 4096, RECORDED_CALLS = 4096, RECORDED_WAITS = 8 * RECORDED_CALLS };

struct recorded_node {
	uint32_t parent; /* index of the caller's node, smaller than the node's own index;
			    RECORDED_NONE: no caller */
	uint32_t module; /* RECORDED_NONE: in no module */
	uint64_t address;
};

enum stack_quality {
	STACK_COMPLETE,
	STACK_GUESSED,
	STACK_BROKEN, /* the caller of the outermost function is not known */
	STACK_CUT,    /* functions are missing: at the gap if there is one, else at the inner end */
	STACK_UNSEEN, /* there is no stack, because no sample was taken */
	STACK_QUALITIES
};

/* Ticks of the stack that ends in a node. */
struct recorded_sample {
	uint32_t node; /* RECORDED_NONE: nothing is known of the stack, which is cut or unseen */
	uint32_t thread, kind;
	enum stack_quality quality;
	uint64_t ticks;
};

/*
 * How exactly the waiting of a thread in the stack that ends in a node is known: each look
 * attributes some microseconds by chance, and `squares` is the sum of their squares. See
 * gmon_ext.h.
 */
struct recorded_square {
	uint32_t node, thread; /* as in samples */
	uint64_t squares;
};

enum hold_flags {
	HOLD_DEADLOCK = 1, /* the waiter has a lock for which the holder waits */
	HOLD_WAKER = 2,    /* the holder had no lock: it wakes those who wait there */
	HOLD_UNWOKEN = 4   /* beside that: it has not done so, for all that was seen */
};

/*
 * What threads that waited in one stack waited for a lock that another thread had in another one.
 * The address of the lock is a link-time address of its module's data; without a module, one of any
 * memory.
 */
struct recorded_hold {
	uint32_t waiter, holder; /* the nodes where these stacks end; RECORDED_NONE: not known */
	uint32_t first;          /* the node where the first stack that was seen waiting for the
				    lock ends, or RECORDED_NONE */
	uint32_t module;         /* RECORDED_NONE: the lock is in none */
	uint64_t lock;           /* 0: not known */
	uint64_t ticks;          /* of the kind RECORDED_BLAME_KIND; with HOLD_WAKER, as such */
	uint32_t flags;          /* enum hold_flags */
};

/*
 * When a recording began, and the slices of equal length into which its time is divided. A
 * recording has one of these, or none if its slices are not known.
 */
enum { RECORDED_SLICES = 4096 /* the most slices of a recording */ };

struct recorded_timeline {
	uint32_t recording; /* number of the recording, as in threads */
	uint32_t nslices;   /* at most RECORDED_SLICES */
	uint64_t start;     /* of the first slice, in nanoseconds since 1970 */
	uint64_t slice_ns;  /* length of a slice in nanoseconds, not 0 */
};

/* Ticks of a sample in a slice of the recording of its thread. */
struct recorded_slice {
	uint32_t sample; /* index of the sample */
	uint32_t slice;  /* may be too large, in a damaged file, or for a recording without slices:
			    then it is not known when the ticks were counted */
	uint64_t ticks;
};

/* Calls of a function from an address inside of a call instruction. Addresses are as in nodes. */
struct recorded_arc {
	uint32_t from_module, self_module; /* RECORDED_NONE: in no module */
	uint64_t from, self;
	uint64_t calls;
	uint32_t thread; /* RECORDED_NONE: calls of all threads */
	uint32_t first;  /* position in the order of first calls, from 1; 0: not known */
};

/*
 * An object whose calls were counted where they are, in its code. If there are any, the calls of a
 * function in other modules, and of one with a struct recorded_part, are not all that it had.
 */
struct recorded_site {
	uint32_t module;
	uint32_t nfunctions, ndropped; /* functions; those in which no calls are counted */
	uint32_t nentries; /* functions of which all calls are counted, where they begin */
	uint64_t nsites;   /* call sites that are counted */
	uint64_t ndirect, nindirect; /* call sites that are not: of known functions, by pointers */
};

/* Why a function may have had more calls than are counted: bits. */
enum part_reason {
	PART_TAKEN = 1,     /* its address is taken */
	PART_EXPORTED = 2,  /* other objects may call it */
	PART_UNCOUNTED = 4, /* a call or jump that is not counted may lead to it */
	/* Why it is not counted where it begins, if others are: */
	PART_EARLY = 8,     /* it may have been called before counting began */
	PART_ENTERED = 16,  /* something may lead to where it begins that is no call */
	PART_FIXED = 32,    /* its first instructions cannot be moved */
	PART_SHORT = 64,    /* it is too short */
	PART_UNKNOWN = 128, /* its instructions are not known for sure */
};

/*
 * A function whose calls are counted in code only partly: it may have had more calls than are
 * counted.
 */
struct recorded_part {
	uint32_t module;
	uint32_t reasons; /* enum part_reason, added up */
	uint64_t address; /* its first byte, as in nodes */
};

/* Ticks outside of the program. Address 0 without module: the address is not known. */
struct recorded_bin {
	uint32_t module; /* RECORDED_NONE: in no module */
	uint32_t kind;
	uint64_t address; /* as in nodes */
	uint64_t ticks;
};

/*
 * The data of one file, or the sum of several. All indices are in range. If there are samples or
 * bins, there are kinds. Arcs include the calls inside of the program. In a sum no two nodes, arcs
 * or bins are the same; in a single file arcs and bins may repeat.
 */
struct recorded {
	ARRAY(struct recorded_made) made; /* with MODULE_MADE, whose range is [0, made.n) */
	ARRAY(struct module) modules;
	ARRAY(struct recorded_thread) threads;
	ARRAY(struct recorded_kind) kinds;
	ARRAY(struct recorded_node) nodes;
	ARRAY(struct recorded_sample) samples;
	ARRAY(struct recorded_square) squares;     /* of waiting; none: not known, or no waiting */
	ARRAY(struct recorded_hold) holds;         /* none: nobody waited for a lock */
	ARRAY(struct recorded_timeline) timelines; /* none: slices are not known */
	ARRAY(struct recorded_slice) slices;
	ARRAY(struct recorded_process) processes; /* filled in if gprof --run recorded */
	uint64_t used_ns;   /* CPU time in nanoseconds of all processes of a run that has ended; 0:
			       not known */
	uint64_t displaced; /* how often their threads had to leave a processor to another one */
	ARRAY(struct recorded_arc) arcs;
	ARRAY(struct recorded_bin) bins;
	ARRAY(struct recorded_site) sites; /* at most one for a module */
	ARRAY(struct recorded_part) parts;
	uint64_t ticks; /* sum of the ticks of all samples of all kinds, which fits into 64 bits */
	uint64_t squares_total; /* the sum of all squares; UINT64_MAX: too large, and `squares` is
				   empty */
	uint64_t hold_ticks;    /* the sum of the ticks of all holds */
	uint64_t slice_ticks;   /* the sum of the ticks of all slices */
	uint64_t ncalls;        /* the sum of the calls of all arcs */
	uint64_t bin_ticks;     /* the sum of the ticks of all bins */
	uint32_t nfiles; /* number of recordings with stacks; threads refer to them by number, from
			    0 */
	uint32_t nlack;  /* recordings without stacks */
	uint32_t nignored; /* how many of the nlack recordings have a file of stacks that was
			      ignored with a warning */
	uint32_t nobjects; /* how many of the nfiles + nlack recordings have arcs and bins */
};

/* Whether there are neither stacks nor calls and ticks of modules. */
static inline bool recorded_is_empty(const struct recorded *rec)
{
	return rec->nfiles == 0 && rec->nobjects == 0;
}

/* Whether all recordings have calls and ticks of modules. */
static inline bool recorded_has_objects(const struct recorded *rec)
{
	return rec->nobjects > 0 && rec->nobjects == (uint64_t)rec->nfiles + rec->nlack;
}

/* The part of all call sites at which calls were counted, 0 to 1; 0: they were not counted in code.
 */
static inline double recorded_counted_part(const struct recorded *rec)
{
	double counted = 0.0, all = 0.0;

	for (size_t i = 0; i < rec->sites.n; i++) {
		const struct recorded_site *site = &rec->sites.at[i];

		counted += (double)site->nsites;
		all += (double)site->nsites + (double)site->ndirect + (double)site->nindirect;
	}
	return all > 0.0 ? counted / all : 0.0;
}

/* How many functions are counted where they begin, of all objects. */
static inline uint64_t recorded_entries(const struct recorded *rec)
{
	uint64_t n = 0;

	for (size_t i = 0; i < rec->sites.n; i++)
		n += rec->sites.at[i].nentries;
	return n;
}

/*
 * Changes the run-time address of a lock to a link-time address of the nearest module whose code
 * ends below it, as the lock may be in the data of that module. Only the module's file tells
 * whether it has data there. Linear in modules.
 */
static inline void recorded_place_lock(const struct recorded *rec, struct recorded_hold *hold)
{
	enum { NO_DATA = MODULE_VDSO | MODULE_UNLOADED | MODULE_SEVERAL | MODULE_MADE };
	const struct module *nearest = NULL;

	if (hold->module != RECORDED_NONE || hold->lock == 0)
		return;
	for (uint32_t i = 0; i < rec->modules.n; i++) {
		const struct module *module = &rec->modules.at[i];

		if (module->flags & NO_DATA || module->lo == module->hi ||
		    module->hi > hold->lock || (nearest && module->hi < nearest->hi))
			continue;
		nearest = module;
		hold->module = i;
	}
	if (nearest)
		hold->lock -= nearest->bias;
}

/* Returns the module that is the program, or NULL. */
static inline const struct module *recorded_program(const struct recorded *rec)
{
	for (size_t i = 0; i < rec->modules.n; i++) {
		if (rec->modules.at[i].flags & MODULE_PROGRAM)
			return &rec->modules.at[i];
	}
	return NULL;
}

#endif

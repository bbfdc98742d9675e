/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call stacks and calls and ticks of all modules, as the program recorded them: gmon.out.ext. */
#ifndef MODEL_RECORDED_H
#define MODEL_RECORDED_H

#include "base/array.h"
#include "base/join.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* An index that refers to nothing. */
#define RECORDED_NONE UINT32_MAX

enum { MODULE_BUILD_ID_BYTES = 20, RECORDED_MODULES = 4096 /* of a recording, at most */ };
enum module_flags {
	MODULE_PROGRAM = 1,
	MODULE_VDSO = 2,
	MODULE_UNLOADED = 4,
	MODULE_SEVERAL = 8,  /* no object: see module_is_several() */
	MODULE_RECORDER = 16 /* what made the recording */
};

/*
 * The program, or a shared object of it. Of one recording, those that share addresses were unloaded
 * but for one.
 */
struct module {
	uint64_t lo, hi;  /* its code at run time: [lo, hi) */
	uint64_t bias;    /* run-time less link-time address, whole pages; no range wraps around */
	uint64_t bytes;   /* of its file, or 0 */
	const char *path; /* as the program had it; may be "" */
	unsigned flags;   /* enum module_flags */
	unsigned build_id_bytes;
	unsigned char build_id[MODULE_BUILD_ID_BYTES];
};

/*
 * Whether the module stands for all addresses that were in several objects, one after the other,
 * and nobody knows in which. They are run-time addresses; it has no range itself.
 */
static inline bool module_is_several(const struct module *module)
{
	return module->flags & MODULE_SEVERAL;
}

/* Zeros what the array has after the build id, of at most MODULE_BUILD_ID_BYTES. */
static inline void module_end_build_id(struct module *module)
{
	memset(module->build_id + module->build_id_bytes, 0,
	       MODULE_BUILD_ID_BYTES - module->build_id_bytes);
}

/* In hexadecimal, in mem; NULL without one. */
static inline const char *module_build_id(const struct module *module, struct arena *mem)
{
	return module->build_id_bytes > 0 ? join_hex(mem, module->build_id, module->build_id_bytes)
					  : NULL;
}

/* Names and numbers repeat: what tells a thread from others is its place. */
struct recorded_thread {
	uint32_t tid;
	uint32_t recording; /* it ran in the same process as the others with this number */
	const char *name;
	uint64_t cpu_ns; /* CPU time while it was recorded */
	/* Signals of the clock that counted ticks, and the sum of the squares of how many each
	 * counted; both 0: not known, unless there are no such ticks. As the file has them: they
	 * may contradict the samples. */
	uint64_t looks, squares;
	/* Both 0: not known. Else for how long it could have run but another did, in ns, and for
	 * how long it was recorded. */
	uint64_t runnable_ns, life_ns;
};

/* How a process was about to end when its recording was written; not known: it goes on, maybe. */
enum process_ending { PROCESS_GOES_ON, PROCESS_EXITED, PROCESS_KILLED, PROCESS_REPLACED };

/* A process that gprof --run has started, or one of those below it. */
struct recorded_process {
	uint32_t pid, parent;
	uint32_t recording; /* as that of its threads */
	enum process_ending ending;
	uint32_t status;     /* of exit, or the signal */
	const char *command; /* its words, cut where there are many */
	const char *program; /* path of the executable, or "" */
	uint64_t start, end; /* of the recording, ns since 1970; end 0: not known, nor is cpu_ns */
	uint64_t cpu_ns;     /* CPU time of the process until it was written, */
	uint64_t before_ns;  /* of which so much was before the recording */
};

/* What ticks are of; the first is CPU time, "cpu", whose unit is that of the profile. */
struct recorded_kind {
	const char *name;
	struct unit unit;
};

/* The name of the kind that is time in which threads waited: its ticks are measured by the clock.
 */
#define RECORDED_WAITING_KIND "off-cpu"

/*
 * A function on a stack, below the one that called it. The address lies in the instruction that was
 * interrupted, or in the call: a link-time address of the module, inside of its range, and a
 * run-time one without; RECORDED_GAP without module stands for functions that are missing there.
 */
enum { RECORDED_GAP = 1 };

/*
 * At the end of a stack without module: the thread waited, in the system call of the number that is
 * the address less RECORDED_WAITING. The last of these is any that is not known.
 */
enum { RECORDED_WAITING = 4096, RECORDED_WAITS = 4096 };

struct recorded_node {
	uint32_t parent; /* index of the caller's, smaller than its own, or RECORDED_NONE */
	uint32_t module; /* or RECORDED_NONE */
	uint64_t address;
};

enum stack_quality {
	STACK_COMPLETE,
	STACK_GUESSED,
	STACK_BROKEN, /* who called the outermost function is not known */
	STACK_CUT,    /* functions are missing: at the gap, else at the inner end */
	STACK_UNSEEN, /* there is none: nobody looked at that time */
	STACK_QUALITIES
};

/* Ticks of stacks whose innermost function is a node. */
struct recorded_sample {
	uint32_t node; /* or RECORDED_NONE: nothing is known of a stack that is cut or unseen */
	uint32_t thread, kind;
	enum stack_quality quality;
	uint64_t ticks;
};

/* Calls of a function from a place that lies in the call. Addresses are as those of nodes. */
struct recorded_arc {
	uint32_t from_module, self_module; /* or RECORDED_NONE */
	uint64_t from, self;
	uint64_t calls;
	uint32_t thread; /* or RECORDED_NONE: all */
	uint32_t first;  /* place in the order of first calls, from 1; 0: not known */
};

/* Ticks outside of the program. Address 0 in no module: nobody knows where. */
struct recorded_bin {
	uint32_t module; /* or RECORDED_NONE */
	uint32_t kind;
	uint64_t address; /* as that of a node */
	uint64_t ticks;
};

/*
 * Of one data file, or the sum of several, in which no two nodes, arcs or bins are the same. All
 * indices are in range; kinds are there if samples or bins are. Arcs are all calls, also those
 * inside of the program; in a single file they may repeat, and so may bins.
 */
struct recorded {
	ARRAY(struct module) modules;
	ARRAY(struct recorded_thread) threads;
	ARRAY(struct recorded_kind) kinds;
	ARRAY(struct recorded_node) nodes;
	ARRAY(struct recorded_sample) samples;
	ARRAY(struct recorded_process) processes; /* of recordings by gprof --run */
	uint64_t used_ns; /* CPU time of all processes of a run that has ended, or 0: not known */
	ARRAY(struct recorded_arc) arcs;
	ARRAY(struct recorded_bin) bins;
	uint64_t ticks;     /* of all samples and kinds: no sum of some is too large for 64 bits; */
	uint64_t ncalls;    /* the same of all arcs, */
	uint64_t bin_ticks; /* and of all bins */
	uint32_t nfiles;    /* recordings with stacks, which number those of threads from 0, */
	uint32_t nlack;     /* and those without, */
	uint32_t nignored;  /* of which so many had a file of stacks that a warning told of */
	uint32_t nobjects;  /* of all nfiles + nlack recordings, those with arcs and bins */
};

/* Whether there are neither stacks nor calls and ticks of modules. */
static inline bool recorded_is_empty(const struct recorded *rec)
{
	return rec->nfiles == 0 && rec->nobjects == 0;
}

/* The same of the calls and ticks of modules alone: all recordings have them. */
static inline bool recorded_has_objects(const struct recorded *rec)
{
	return rec->nobjects > 0 && rec->nobjects == (uint64_t)rec->nfiles + rec->nlack;
}

/* The module that is the program, or NULL. */
static inline const struct module *recorded_program(const struct recorded *rec)
{
	for (size_t i = 0; i < rec->modules.n; i++) {
		if (rec->modules.at[i].flags & MODULE_PROGRAM)
			return &rec->modules.at[i];
	}
	return NULL;
}

#endif

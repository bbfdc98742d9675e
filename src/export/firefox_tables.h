/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a thread in the format of the Firefox Profiler, and how they are written. */
#ifndef EXPORT_FIREFOX_TABLES_H
#define EXPORT_FIREFOX_TABLES_H

#include "export/export_view.h"
#include "export/samples.h"

#include "base/index.h"
#include "base/json.h"
#include "base/strtable.h"

/* FIREFOX_NONE is null, or no object; FIREFOX_NO_ADDRESS is the address of a frame in no object. */
#define FIREFOX_NONE       UINT32_MAX
#define FIREFOX_NO_ADDRESS UINT64_MAX

struct firefox_function {
	uint64_t what; /* symbol, or flagged number of an inlined function, or STACKS_REST */
	uint32_t name, file, line, lib; /* indices of strings; `lib` is the index of an object */
};

struct firefox_frame {
	uint64_t address;
	uint32_t function, line, depth, category;
};

struct firefox_stack {
	uint32_t prefix, frame;
};

struct firefox_sample {
	uint32_t stack;
	uint64_t before; /* when it was, or else the sum of the weights of all samples before it */
	uint64_t weight; /* nanoseconds, or number of samples if these have no times */
};

struct firefox_resource {
	uint32_t lib, name; /* index of an object; index of a string */
};

struct firefox {
	const struct export_view *e;
	struct json *json;
	uint32_t *lib; /* for each module, the index of its object; FIREFOX_NONE: it is not on
			  stacks */
	uint32_t nlibs;
	const char **lib_text; /* name of each object */
	struct export_threads threads;
	uint32_t nthreads;                      /* threads written so far */
	const struct recorded_process *process; /* of the thread written last; NULL: not known, or
						   there are not several */
	/* The fields below are about the current thread. */
	uint32_t thread; /* index in the recording, or RECORDED_NONE */
	uint64_t before; /* the end of its last sample */
	struct strtable strings;
	ARRAY(struct firefox_function) functions;
	ARRAY(struct firefox_frame) frames;
	ARRAY(struct firefox_stack) stacks;
	ARRAY(struct firefox_sample) samples;
	ARRAY(struct firefox_resource) resources; /* the objects, in order of first use */
	struct index function_index, stack_index;
	uint32_t *first; /* for each sample_frame number, the index of its outermost row + 1; 0:
			    none yet */
	uint32_t *last;  /* for each sample_frame number, the index of its innermost row */
	struct arena mem;
};

/* Writes the current thread, of that process. All references in its tables must be valid. */
void firefox_write_thread(const struct firefox *f, const char *name, uint32_t tid,
			  const struct recorded_process *process);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a thread in the form of the Firefox Profiler, and what they are written as. */
#ifndef EXPORT_FIREFOX_TABLES_H
#define EXPORT_FIREFOX_TABLES_H

#include "export/samples.h"
#include "export/view.h"

#include "base/index.h"
#include "base/json.h"
#include "base/strtable.h"

/* A null, or no object; and the address of a frame that is in no object. */
#define FIREFOX_NONE       UINT32_MAX
#define FIREFOX_NO_ADDRESS UINT64_MAX

struct firefox_function {
	uint64_t what;                  /* a symbol, or inlined, or STACKS_REST */
	uint32_t name, file, line, lib; /* strings; objects */
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
	uint64_t before; /* the weights of all samples before it */
	uint64_t weight; /* nanoseconds, or a number of samples if these are no times */
};

struct firefox_resource {
	uint32_t lib, name; /* an object; a string */
};

struct firefox {
	const struct export_view *e;
	struct json *json;
	uint32_t *lib; /* of modules; none: not on stacks */
	uint32_t nlibs;
	const char **lib_text; /* of objects */
	struct export_threads threads;
	uint32_t nthreads; /* written so far */
	/* of the thread at hand: */
	uint32_t thread; /* in the recording, or RECORDED_NONE */
	uint64_t before; /* the weights of its samples so far */
	struct strtable strings;
	ARRAY(struct firefox_function) functions;
	ARRAY(struct firefox_frame) frames;
	ARRAY(struct firefox_stack) stacks;
	ARRAY(struct firefox_sample) samples;
	ARRAY(struct firefox_resource) resources; /* the objects, in their order */
	struct index function_index, stack_index;
	uint32_t *first; /* of frames with a number: their outermost row plus 1; */
	uint32_t *last;  /* and their innermost */
	struct arena mem;
};

/* Writes the thread at hand, all of whose rows refer to rows that are there. */
void firefox_write_thread(const struct firefox *f, const char *name, uint32_t tid);

#endif

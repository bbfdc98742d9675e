/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the file of call stacks that goes with a profile, version 1.
 */
#ifndef TESTS_TOOLS_STACKFILE_H
#define TESTS_TOOLS_STACKFILE_H

#include "extrecords.h"

#define STACKFILE_NONE 0xffffffffu

/* Records of each section so far, in the byte order of `big`. All zero but that is empty. */
struct stackfile {
	bool big;
	bool has_looks, has_life; /* of threads */
	struct bytes part[IN_PARTS];
};

struct stackfile_module {
	const char *path;
	uint64_t low, high, bias;
	unsigned flags;
	unsigned char build_id[20];
	unsigned build_id_bytes;
};

/* How many records a section has. */
uint32_t stackfile_count(const struct stackfile *f, enum ext_section_id id);

/* Each appends a record and returns its index; texts are copied. */
uint32_t stackfile_module(struct stackfile *f, const struct stackfile_module *m);
uint32_t stackfile_thread(struct stackfile *f, uint32_t tid, const char *name, uint64_t cpu_ns);
/* Says how often a thread was looked at, and the sum of the squares of what that counted. */
void stackfile_looks(struct stackfile *f, uint32_t thread, uint64_t looks, uint64_t squares);
/* The same of how long it could have run, but did not, and for how long it was watched. */
void stackfile_life(struct stackfile *f, uint32_t thread, uint64_t runnable_ns, uint64_t life_ns);

uint32_t stackfile_kind(struct stackfile *f, const char *name, uint64_t rate, const char *dimension,
			char abbreviation);
uint32_t stackfile_node(struct stackfile *f, uint32_t parent, uint32_t module, uint64_t address);
uint32_t stackfile_sample(struct stackfile *f, uint32_t node, uint32_t thread, uint32_t kind,
			  uint32_t quality, uint64_t ticks);

/* Says how exactly waiting in a stack is known. */
void stackfile_square(struct stackfile *f, uint32_t node, uint32_t thread, uint64_t squares);

/* Says who waited for whom. */
void stackfile_hold(struct stackfile *f, const struct gmon_ext_hold *hold);

/* The slices of the time of a recording, and ticks of a sample in one. */
void stackfile_timeline(struct stackfile *f, uint64_t start_ns, uint64_t slice_ns, uint32_t slices);
void stackfile_slice(struct stackfile *f, uint32_t sample, uint32_t slice, uint64_t ticks);

/* Where a call or a tick was: an address in a module, or in none. */
struct stackfile_place {
	uint32_t module;
	uint64_t address;
};

/* Each appends a record of calls between modules, or of ticks outside the program. */
void stackfile_arc(struct stackfile *f, struct stackfile_place from, struct stackfile_place self,
		   uint64_t calls, uint32_t first);
void stackfile_bin(struct stackfile *f, struct stackfile_place place, uint32_t kind,
		   uint64_t ticks);

/* That the calls of a module were counted in its code; and a function that may have had more. */
void stackfile_site(struct stackfile *f, const struct gmon_ext_site *site);
void stackfile_part(struct stackfile *f, struct stackfile_place place, uint32_t reasons);

/* The process that was recorded, and its command line; it ended well. */
void stackfile_process(struct stackfile *f, uint32_t pid, uint32_t parent, uint64_t cpu_ns,
		       const char *program, const char *command);

/* The node of a stack's function below `parent`: one that is there, or a new one. Linear. */
uint32_t stackfile_child(struct stackfile *f, uint32_t parent, uint32_t module, uint64_t address);

/* The module whose path ends in /name or is it, or STACKFILE_NONE. */
uint32_t stackfile_find_module(const struct stackfile *f, const char *name);

/* The thread of that number, the kind of that name, or STACKFILE_NONE. */
uint32_t stackfile_find_kind(const struct stackfile *f, const char *name);
uint32_t stackfile_find_thread(const struct stackfile *f, uint32_t tid);

/* Writes it, with the stamp of the profile, as `name` into `dir`. width: bytes of a pointer. */
void stackfile_save(const struct stackfile *f, const struct bytes *profile, unsigned width,
		    const char *dir, const char *name);

/* The stamp of a profile. */
uint64_t stackfile_stamp(const struct bytes *profile);

void stackfile_free(struct stackfile *f);

#endif

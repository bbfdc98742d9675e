/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines of code that was made at run time: the record JIT_CODE_DEBUG_INFO of jit-PID.dump.
 */
#ifndef IO_PROFILE_JITDUMP_LINES_H
#define IO_PROFILE_JITDUMP_LINES_H

#include "io/profile/made_names.h"

/*
 * V8, so node, adds the bytes of an ELF header to each address, since old versions of perf copied
 * such code behind one.
 */
enum { JITDUMP_LINES_SHIFT = 64 };

/* A record that is about the code of the next load at its address. */
struct jitdump_lines {
	uint64_t code;           /* that address */
	const unsigned char *at; /* its entries, nbytes in all */
	size_t nbytes;
	uint64_t n; /* how many entries it says that it has */
	bool big_endian;
	struct made_lines *made; /* NULL: not decoded yet */
};

/* Takes the body of a record, of n bytes; false: it is too short to be one. */
bool jitdump_lines_begin(struct jitdump_lines *lines, const unsigned char *body, size_t n,
			 bool big_endian);

/*
 * Returns the least offset into code of `size` bytes that an entry has. UINT64_MAX: the record is
 * of no use, because an entry is outside of the code, as V8's are for code of its baseline
 * compiler, or there is none. Linear in bytes.
 */
uint64_t jitdump_lines_least(const struct jitdump_lines *lines, uint64_t size);

/*
 * Returns the lines, with offsets that are less by `shift`, in mem; the same ones each time. An
 * entry has no file if its name has control characters or is too long for one. n log n.
 */
const struct made_lines *jitdump_lines_make(struct jitdump_lines *lines, uint64_t shift,
					    struct arena *mem);

#endif

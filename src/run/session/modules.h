/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The libraries of a session's program: which of them are shown, and the source lines of their
 * code.
 */
#ifndef RUN_SESSION_MODULES_H
#define RUN_SESSION_MODULES_H

#include "base/diag.h"
#include "io/image/program.h"
#include "model/address_space.h"
#include "run/session/libraries.h"

/* Reports an error: the profile has no calls and ticks of libraries. */
void modules_say_missing(const struct profile *prof, struct arena *mem, struct diag *diag);

/* Notes that the calls of libraries were not counted, if any other calls were. */
void modules_note_calls(const struct profile *prof, struct arena *mem, struct diag *diag);

/* Notes the data files without call stacks, if others have some. */
void modules_note_stacks(const struct profile *prof, const struct arena *mem, struct diag *diag);

/*
 * Returns the modules in `used` that match one of the patterns; all if there are no patterns; in
 * mem. A pattern with a slash is compared with the path, others with its last component. Warns of a
 * pattern without a match. Linear in modules times patterns.
 */
struct bitset modules_choose(const struct recorded *recorded, struct bitset used,
			     const string_array *patterns, struct arena *mem, struct diag *diag);

/*
 * Returns the same code with source lines as symbols, in mem, for modules whose file has line
 * tables, all of which are read.
 */
const struct module_code *modules_add_lines(const struct recorded *recorded,
					    const struct module_code *code,
					    const struct debug_places *places, struct arena *mem,
					    struct diag *diag);

/* A program with an address space; its symbols include those of all modules. */
struct modules_input {
	const struct program *program;
	const struct debug_places *places; /* where debug files are looked for */
	struct progress *progress;
	struct arena *mem;
};

/*
 * Returns the locations of all symbols. `own` has those of the program's own symbols; others are
 * looked up if they are in `wanted`, or if that is NULL.
 */
const struct location *modules_locate(const struct modules_input *input,
				      const struct bitset *wanted, const struct location *own);

/*
 * Returns the locations of all symbols of a table in which they are source lines; the first nown
 * are the program's own.
 */
const struct location *modules_line_locations(const struct modules_input *input, uint32_t nown);

/*
 * Returns the rows of `own`, the program's, then those of its modules for the n sorted addresses,
 * in mem, as program_lines_at() does. Linear in rows.
 */
struct line_table modules_lines_at(const struct modules_input *input, const struct line_table *own,
				   const uint64_t *pc, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's modules in a session: which are shown, and where their code comes from. */
#ifndef RUN_SESSION_MODULES_H
#define RUN_SESSION_MODULES_H

#include "base/diag.h"
#include "io/image/program.h"
#include "model/address_space.h"
#include "run/session/libraries.h"

/* Says that a profile, which lacks the calls and ticks of modules, does. */
void modules_say_missing(const struct profile *prof, struct arena *mem, struct diag *diag);

/* Says in a note that of libraries only what stacks tell is there, if any calls were counted. */
void modules_note_calls(const struct profile *prof, struct arena *mem, struct diag *diag);

/* Tells which data files lack stacks where others have some, as far as they fit into a line. */
void modules_note_stacks(const struct profile *prof, const struct arena *mem, struct diag *diag);

/*
 * The modules of a set whose name, or path if the pattern has a slash, matches one of the patterns,
 * or all if there are none; in mem. A pattern that matches nothing causes a warning. Linear in
 * modules times patterns.
 */
struct bitset modules_choose(const struct recorded *recorded, struct bitset used,
			     const string_array *patterns, struct arena *mem, struct diag *diag);

/*
 * The same code with its source lines as symbols, in mem: of modules whose file has some. Reads all
 * of their line tables.
 */
const struct module_code *modules_add_lines(const struct recorded *recorded,
					    const struct module_code *code, struct arena *mem,
					    struct diag *diag);

/* The program whose symbols are all of its space. */
struct modules_input {
	const struct program *program;
	struct progress *progress;
	struct arena *mem;
};

/* The locations of the program's own symbols, and with them those of modules that are wanted, or if
 * that is NULL, of all. */
const struct location *modules_locate(const struct modules_input *input,
				      const struct bitset *wanted, const struct location *own);

/* The locations that come with symbols of lines: of the program's nown symbols, and of modules'. */
const struct location *modules_line_locations(const struct modules_input *input, uint32_t nown);

/*
 * The lines of a program with those of its modules behind them, in mem, as far as they are at one
 * of the n sorted addresses, as program_read_places() has it. Linear in rows.
 */
struct line_table modules_read_places(const struct modules_input *input,
				      const struct line_table *own, const uint64_t *pc, size_t n);

#endif

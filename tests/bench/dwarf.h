/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes DWARF 4: units of functions, each with a subprogram and rows of lines.
 */
#ifndef TESTS_BENCH_DWARF_H
#define TESTS_BENCH_DWARF_H

#include "../tools/bytes.h"

struct dwarf {
	struct bytes abbrev, info, line;
};

/* Function i lies from starts[i] to starts[i + 1]; has `rows` rows, 4 bytes apart. */
void dwarf_write(struct dwarf *out, const uint64_t *starts, uint32_t nfunctions, unsigned rows);

void dwarf_free(struct dwarf *out);

#endif

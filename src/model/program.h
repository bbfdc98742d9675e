/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything known about the code. */
#ifndef MODEL_PROGRAM_H
#define MODEL_PROGRAM_H

#include "model/profile.h"
#include "model/symtab.h"

struct program {
	const char *path;
	struct target target;
	struct symtab symtab;
};

/* Where a symbol stands in the source. file is NULL where that is unknown. */
struct location {
	const char *file; /* as the debug information has it, directories included */
	unsigned line;
};

#endif

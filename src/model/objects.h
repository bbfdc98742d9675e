/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time and calls of the program and of each of its modules. */
#ifndef MODEL_OBJECTS_H
#define MODEL_OBJECTS_H

#include "model/address_space.h"

/* The program, a module, or code that is in none. */
struct object_row {
	const char *name;
	double ticks;                 /* ticks of its functions in the flat profile */
	uint64_t calls_in, calls_out; /* calls from other objects, and to others */
	bool is_called;               /* calls of its functions were counted, if there were any */
	bool is_file;                 /* the program or a module; `names` is set */
	enum module_names names;
};

/* The program first, then modules in the order of the space, then the rest. */
struct object_rows {
	const struct object_row *at;
	const uint32_t *of; /* for each symbol, its row */
	uint32_t n;         /* 0: the profile has no modules */
};

#endif

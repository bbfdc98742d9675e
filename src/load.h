/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One program with its profiles, from files to values. */
#ifndef LOAD_H
#define LOAD_H

#include "base/bitset.h"
#include "base/diag.h"
#include "io/image.h"
#include "model/profile.h"
#include "model/program.h"

struct input_options {
	const char *image;
	const char *const *profiles; /* one or more, to be added up */
	int nprofiles;
	struct image_choice symbols;
};

/*
 * Reads the symbols of an open image into prog and the data files into prof. Results live in mem.
 * 0, or -1 with the reason said.
 */
int load(struct program *prog, struct profile *prof, struct image *image,
	 const struct input_options *input, struct arena *mem, struct diag *diag);

/* One location for each symbol, in mem: those in `wanted` looked up, the others empty. */
const struct location *load_locations(struct image *image, const struct symtab *symtab,
				      struct bitset wanted, struct arena *mem);

#endif

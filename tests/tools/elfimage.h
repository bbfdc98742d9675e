/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes an ELF executable for tests: sections of code or data and a symbol table, no real program.
 */
#ifndef TESTS_TOOLS_ELFIMAGE_H
#define TESTS_TOOLS_ELFIMAGE_H

#include "bytes.h"

/* One kind of machine; `name` is what -m of the tools takes. */
struct machine {
	const char *name;
	bool is_64, big;
	uint16_t elf_machine;
	unsigned char nop[4];
	unsigned nop_size;
};

/* A section with contents is not loaded; its address and size do not count. */
struct section {
	const char *name;
	uint64_t addr, size;
	bool code;
	const struct bytes *contents;
};

enum { IN_UNDEF = -1, IN_ABS = -2 };

/* type and binding are the STT_ and STB_ numbers; section is an index or one of IN_. */
struct symbol {
	const char *name;
	uint64_t addr, size;
	unsigned char type, binding;
	int section;
};

/*
 * Symbols are written in the order given, and their names in the same order, each followed by an
 * empty string unless packed_names is set.
 */
struct image {
	const struct machine *machine;
	struct section *sections;
	size_t nsections;
	struct symbol *symbols;
	size_t nsymbols;
	bool packed_names;
};

/* NULL for an unknown name. */
const struct machine *machine_find(const char *name);

/* Bytes of an address in files of this machine. */
unsigned machine_width(const struct machine *m);

void image_write(const struct image *image, struct bytes *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the symbols of an ELF program one after the other, with the values that libbfd would give.
 */
#ifndef IO_IMAGE_IMAGE_ELF_H
#define IO_IMAGE_IMAGE_ELF_H

#include "base/arena.h"
#include "io/image/image_bfd.h"

enum { IMAGE_ELF_PIECE = 2048 }; /* number of symbols that are read at a time */

struct image_elf {
	bool failed; /* only libbfd can read the next symbol */
	size_t left; /* number of symbols not yet read */
	/* The rest is private. */
	bfd *abfd;
	bool big_endian;
	asection **section; /* by section number */
	size_t nsections;
	char *names;
	size_t nnames;
	uint64_t at; /* offset in the file of the next piece */
	unsigned char *piece;
	size_t n, next; /* number of symbols in the piece, and the next of them */
	asymbol symbol;
	uint64_t size; /* of the symbol that was read last, in bytes; public */
};

/*
 * Begins with the first symbol. Returns false if the file cannot be read this way; then libbfd can,
 * or says what is wrong. Names live in the arena `names`; scratch must last until the last symbol
 * was read.
 */
bool image_elf_begin(struct image_elf *e, bfd *abfd, struct arena *names, struct arena *scratch);

/* Returns the next symbol, valid until the next call; NULL after the last one, or if e->failed. */
asymbol *image_elf_next(struct image_elf *e);

#endif

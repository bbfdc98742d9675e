/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbols of an ELF program one after the other, as libbfd would have them. */
#ifndef IO_IMAGE_IMAGE_ELF_H
#define IO_IMAGE_IMAGE_ELF_H

#include "base/arena.h"
#include "io/image/image_bfd.h"

enum { IMAGE_ELF_PIECE = 2048 }; /* symbols that are read at a time */

struct image_elf {
	bool failed; /* what comes next is for libbfd alone to read */
	size_t left; /* symbols that have not been read */
	/* Its own: */
	bfd *abfd;
	bool big_endian;
	asection **section; /* by their numbers in the file */
	size_t nsections;
	char *names;
	size_t nnames;
	uint64_t at; /* in the file: where the next piece begins */
	unsigned char *piece;
	size_t n, next; /* symbols in the piece, and of these the next one */
	asymbol symbol;
};

/*
 * False if the file is not one that can be read in this way: libbfd can, or says what is wrong.
 * Names are in the arena `names`, as long as that is; what else is needed until the last symbol, in
 * scratch.
 */
bool image_elf_begin(struct image_elf *e, bfd *abfd, struct arena *names, struct arena *scratch);

/* The next symbol, until the next call; NULL behind the last one, or if e->failed. */
asymbol *image_elf_next(struct image_elf *e);

#endif

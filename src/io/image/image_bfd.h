/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of io/image/image.h share; they alone know libbfd. */
#ifndef IO_IMAGE_BFD_H
#define IO_IMAGE_BFD_H

#include "base/diag.h"
#include "io/image/machine.h"

#include <bfd.h>

struct image {
	bfd *bfd;
	bfd *debug; /* the separate file that has the symbols of a stripped image, or NULL */
	asection *text;
	const struct machine *machine; /* NULL: none that machine.h knows */
	unsigned flags;                /* e_flags as ELF has them */
	asymbol **syms; /* of one of the two, with a NULL behind them; NULL until they are read */
	asymbol **dynamic; /* of the image, NULL until they are read */
};

/* Says libbfd's last error. -1. */
int image_fail(const bfd *abfd, struct diag *diag);

/* Whether the section has code that is loaded. */
static inline bool image_section_is_code(const asection *section)
{
	return bfd_section_flags(section) & SEC_CODE && bfd_section_flags(section) & SEC_ALLOC;
}

/* Whether the file ends before the section does; libbfd does not report that. */
bool image_section_is_cut(bfd *abfd, asection *section);

/* Reads n bytes of the file itself. False if it has not so many there. */
bool image_read_at(bfd *abfd, uint64_t at, unsigned char *to, size_t n);

/*
 * False, with the reason said, if it is an ELF file whose symbol table has no table of names that
 * is in the file and ends with a null byte: libbfd since 2.44 reads names as empty then.
 */
bool image_check_names(bfd *abfd, struct diag *diag);

/* Reads the symbols of abfd into image->syms. Their number, or -1 with the reason said. */
long image_read_symbols(struct image *image, bfd *abfd, struct diag *diag);

/*
 * Reads the dynamic symbols into image->dynamic, once: libbfd keeps pointers into the array. Their
 * number, 0 if they cannot be read.
 */
long image_read_dynamic(struct image *image);

/*
 * Frees what libbfd holds of the symbols, by opening the image once more. 0, or -1 with the reason
 * said.
 */
int image_forget_symbols(struct image *image, struct diag *diag);

/*
 * Where the symbol's code or data begins. On ARM, an odd address says that a function is of Thumb
 * code; libbfd takes that away only where it is made for ARM.
 */
uint64_t image_symbol_pc(const struct image *image, const asymbol *symbol);

/* The image's build id in hexadecimal digits, in mem; NULL without one, or with one of odd size. */
const char *image_build_id(const struct image *image, struct arena *mem);

/* Opens image->debug, if the image names a separate debug file and that is found. */
void image_open_debug(struct image *image);

/*
 * Whether a static symbol is a function by its name: they include local labels and compilers'
 * notes. `prefix` is the character that the format puts before C names, or 0.
 */
bool image_is_function_name(const char *name, char prefix);

#endif

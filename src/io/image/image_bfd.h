/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of io/image/image.h share; they alone know libbfd. */
#ifndef IO_IMAGE_IMAGE_BFD_H
#define IO_IMAGE_IMAGE_BFD_H

#include "base/diag.h"
#include "io/image/line_damage.h"
#include "io/image/machine.h"
#include "model/address_space.h"

#include <bfd.h>

struct image {
	bfd *bfd;
	int fd;                              /* the same file */
	const struct bfd_build_id *build_id; /* or NULL */
	char *link;                          /* the name of its debug file, or NULL */
	BFD_LINK_CRC link_crc;               /* of that file */
	bool has_looked;                     /* for the debug file */
	char *debug_path;                    /* NULL and -1: it has not been found */
	int debug_fd;
	/* Copies for libdw in memory, or -1, see image_unpack(); and whether that was tried. */
	int unpacked_fd, unpacked_debug_fd;
	bool has_unpacked, has_unpacked_debug;
	struct line_damage damage; /* in the file that lines were read from */
	bfd *debug;        /* the separate file that has the symbols of a stripped image, or NULL */
	asection *text;    /* .text, or the first section with code */
	uint64_t text_end; /* of all text */
	unsigned number;   /* of the machine as ELF has them, or 0 */
	const struct machine *machine; /* NULL: none that machine.h knows */
	unsigned flags;                /* e_flags as ELF has them */
	asymbol **syms; /* of one of the two, with a NULL behind them; NULL until they are read */
	asymbol **dynamic;       /* of the image, NULL until they are read */
	enum module_names names; /* of the last table of functions */
};

/*
 * How many times as long as the file all names of symbols may be together. Linkers let them share
 * their ends, which is worth a few percent.
 */
enum { NAME_TIMES = 16 };

/* In bytes; linkers make them of 8 to 32. */
enum { MAX_BUILD_ID = 64 };

/*
 * The file behind fd as libbfd sees it, which gets a descriptor of its own and never opens the
 * path; both share their place in the file. NULL with libbfd's error set.
 */
bfd *image_open_descriptor(const char *path, int fd);

/* Whether it is an object file, with nothing said. */
bool image_check_format(bfd *abfd);

/* Makes libbfd forget what names other files, so that it opens none: it would wait for a FIFO. */
void image_hide_links(bfd *abfd);

/*
 * Looks, once, for the debug file that the image names by build id or link, checks that it fits,
 * and keeps it open. Only regular files are opened.
 */
void image_find_debug(struct image *image);

/*
 * A file in memory with the debug sections of the one behind fd, for libdw, if it has some that are
 * compressed with zstd; those are not. Else, or if it cannot be made, -1.
 */
int image_unpack(bfd *abfd, int fd);

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

/*
 * The functions of an image without symbols, in mem: each piece of code that its call-frame
 * information describes, with the name of the dynamic symbol at its start or else
 * "[FILE+0xADDRESS]", and what lies between them. Damaged information counts as far as it can be
 * read. n log n.
 */
struct symtab image_unnamed_functions(struct image *image, struct arena *mem);

/* Opens image->debug, if the image names a separate debug file and that is found. */
void image_open_debug(struct image *image);

/*
 * Whether a static symbol is a function by its name: they include local labels and compilers'
 * notes. `prefix` is the character that the format puts before C names, or 0.
 */
bool image_is_function_name(const char *name, char prefix);

#endif

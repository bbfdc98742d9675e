/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files image*.c share; they alone know libbfd. */
#ifndef IO_IMAGE_IMAGE_BFD_H
#define IO_IMAGE_IMAGE_BFD_H

#include "base/diag.h"
#include "io/image/debug_places.h"
#include "io/image/line_damage.h"
#include "io/image/machine.h"
#include "model/address_space.h"
#include "model/symtab.h"

#include <bfd.h>

struct image {
	bfd *bfd;
	int fd;                              /* descriptor of the same file */
	const struct bfd_build_id *build_id; /* or NULL */
	char *link;            /* the name that the image gives for its debug file, or NULL */
	BFD_LINK_CRC link_crc; /* the checksum that the debug file must have */
	const struct debug_places *places; /* where debug files are searched for; NULL: the usual */
	bool has_looked;                   /* the debug file was searched for */
	char *other_debug; /* a debug file that was found, but is of another build; or NULL */
	char *debug_path;  /* path and descriptor of the debug file; NULL and -1: not found */
	int debug_fd;
	/*
	 * Copies in memory for libdw, or -1, and whether making them was tried; see image_unpack().
	 */
	int unpacked_fd, unpacked_debug_fd;
	bool has_unpacked, has_unpacked_debug;
	struct line_damage damage; /* in the file from which lines were read */
	bfd *debug; /* the debug file, if it has the symbols of a stripped image; else NULL */
	bfd *mini;  /* the symbols in .gnu_debugdata, or NULL, and whether that was tried */
	bool has_mini;
	asection *text;                /* .text, or the first section with code */
	uint64_t text_end;             /* address after the last byte of text */
	unsigned number;               /* ELF's number of the machine; 0: none */
	const struct machine *machine; /* NULL: machine.h does not have it */
	unsigned flags;                /* e_flags, as in the ELF header */
	asymbol **syms; /* symbols of the image or the debug file, followed by NULL; NULL: not read
			   yet */
	asymbol **dynamic; /* dynamic symbols of the image; NULL: not read yet */
	asymbol *stubs;    /* see image_read_stubs() */
	size_t nstubs;
	bool has_stubs;          /* they were read */
	enum module_names names; /* where the last table of functions took its names from */
};

/*
 * Limit for the names of all symbols together: this many times the size of the file. Linkers let
 * names share their ends, which saves a few percent.
 */
enum { NAME_TIMES = 16 };

/* In bytes. Linkers write build ids of 8 to 32 bytes. */
enum { MAX_BUILD_ID = 64 };

/*
 * Opens the file of the descriptor fd with libbfd, which gets a duplicate of fd and never opens the
 * path; the two share their file position. NULL with libbfd's error set.
 */
bfd *image_open_descriptor(const char *path, int fd);

/* Whether libbfd knows the file as an object file. Gives no message. */
bool image_check_format(bfd *abfd);

/* Hides the names of other files from libbfd, so that it opens none: it would block on a FIFO. */
void image_hide_links(bfd *abfd);

/*
 * Makes a file in memory with the decompressed debug sections of the file of fd, for libdw, if some
 * are compressed with zstd. Returns its descriptor; -1 if none are, or on failure.
 */
int image_unpack(bfd *abfd, int fd);

/* Reports libbfd's last error. Returns -1. */
int image_fail(const bfd *abfd, struct diag *diag);

/* Whether the section has code that is loaded. */
static inline bool image_section_is_code(const asection *section)
{
	return bfd_section_flags(section) & SEC_CODE && bfd_section_flags(section) & SEC_ALLOC;
}

/* Whether the section's name matches a pattern of shells; NULL: all do. */
bool image_section_is_chosen(const asection *section, const char *pattern);

/*
 * Returns 0 if a section with code matches the pattern; else -1 after an error message that names
 * those that there are.
 */
int image_has_sections(const struct image *image, const char *pattern, struct diag *diag);

/*
 * Writes to `to`, unless that is NULL, a symbol for each section with code that the pattern does
 * not match, called "[SECTION]", with its name in mem; none for a section at whose addresses one
 * that matches has code, too. Returns their number; 0 if the pattern is NULL.
 */
size_t image_other_sections(const struct image *image, const char *pattern, struct sym *to,
			    struct arena *mem);

/* Whether the section extends beyond the end of the file; libbfd does not report that. */
bool image_section_is_cut(bfd *abfd, asection *section);

/* Reads n bytes at an offset of the file. Returns false if the file has fewer bytes there. */
bool image_read_at(bfd *abfd, uint64_t at, unsigned char *to, size_t n);

/*
 * Returns false after an error message, if the file is ELF and its symbol table has no string table
 * that lies in the file and ends with a NUL. Since 2.44, libbfd reads all names of such a file as
 * empty.
 */
bool image_check_names(bfd *abfd, struct diag *diag);

/*
 * Reads the symbols of abfd into image->syms. Returns their number, or -1 after an error message.
 */
long image_read_symbols(struct image *image, bfd *abfd, struct diag *diag);

/*
 * Reads the dynamic symbols into image->dynamic, once, since libbfd keeps pointers into the array.
 * Returns their number, 0 if they cannot be read.
 */
long image_read_dynamic(struct image *image);

/*
 * Returns the *n entries of the linkage tables, sorted by address, with names such as libbfd makes
 * up: "name@plt", or "*ABS*+0xaddress@plt" if a resolver chooses at run time. NULL and 0 without
 * dynamic symbols, or for machines whose tables libbfd does not know. They are read once and belong
 * to the image.
 */
const asymbol *image_read_stubs(struct image *image, size_t *n);

/*
 * Frees libbfd's memory for symbols by opening the image anew. Returns 0, or -1 after an error
 * message.
 */
int image_forget_symbols(struct image *image, struct diag *diag);

/*
 * Returns the address of the symbol's code or data. On ARM, an odd address marks a function of
 * Thumb code; only a libbfd that was built for ARM clears that bit.
 */
uint64_t image_symbol_pc(const struct image *image, const asymbol *symbol);

/*
 * Returns the image's build id in hexadecimal, in mem; NULL if it has none, or one of unusual size.
 */
const char *image_build_id(const struct image *image, struct arena *mem);

/*
 * Returns the functions of an image without symbols, in mem: each range of code that its call-frame
 * information describes, with the name of the dynamic symbol, or of that of image_mini(), at its
 * start or else "[FILE+0xADDRESS]", and the code between these ranges. Damaged information is used
 * as far as it can be read. n log n.
 */
struct symtab image_unnamed_functions(struct image *image, struct arena *mem);

/*
 * Returns the object file in .gnu_debugdata, which has symbols alone; NULL if there is none, or
 * none that can be read within limits, or without liblzma. The image closes it.
 */
bfd *image_mini(struct image *image);

/* Opens image->debug, if the image names a separate debug file and that is found. */
void image_open_debug(struct image *image);

/*
 * Whether the name of a static symbol looks like that of a function: static symbols include local
 * labels and compilers' notes. `prefix` is the character that the format puts before C names, or 0.
 */
bool image_is_function_name(const char *name, char prefix);

#endif

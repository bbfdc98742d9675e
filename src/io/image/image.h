/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads object files with libbfd: machine, symbols, code and source lines. */
#ifndef IO_IMAGE_IMAGE_H
#define IO_IMAGE_IMAGE_H

#include "base/diag.h"
#include "base/strtable.h"
#include "io/image/code.h"
#include "io/image/debug_places.h"
#include "io/image/line_damage.h"
#include "model/address_space.h"
#include "model/evidence.h"
#include "model/program.h"

struct image;

/*
 * Which symbols get into the table of functions. Code of other symbols counts as part of the
 * function before it.
 */
struct image_choice {
	bool no_static;         /* no static functions */
	bool no_untyped_static; /* no static functions that are not marked as functions */
	bool all;               /* also those left out by default: unusual static names, IFUNC */
	/* if the image has no symbols, make functions from its call-frame information */
	bool unnamed;
	const char *sections; /* a pattern: each section of code that it does not match is one
				 function; NULL: all match */
	const struct object_map *objects; /* functions that represent their object file, or NULL */
};

/*
 * Opens an executable or object file with code. Its text is the section .text, or all sections with
 * code if there is none. Its debug file is searched for at `places`, which must outlive the image;
 * NULL: at the usual ones. Returns NULL after an error message.
 */
struct image *image_open(const char *path, const struct debug_places *places, struct diag *diag);

/* Returns the address after the last byte of text. */
uint64_t image_text_end(const struct image *image);

/* Returns how the machine of the image writes addresses. */
struct target image_target(const struct image *image);

/*
 * Reads the functions of the image's symbol table, chosen as gprof always did: global and weak
 * functions, and static ones whose names look like a compiler's name of a function; `choice`
 * changes that. An image without symbols is replaced by its debug file, or its functions are all of
 * those in .gnu_debugdata and the dynamic symbols. Functions that
 * choice->objects maps are left out, but for the leading one of each object file, which gets the
 * file's name. With choice->unnamed, an image without symbols has the functions that its call-frame
 * information describes; they are named by address unless the dynamic symbols name them. `dropped`,
 * if not NULL, gets the functions that only `all` puts into a table; each ends where the next
 * symbol of either table begins. Symbols and names live in mem. Returns 0, or -1 after an error
 * message; an empty table is a failure. n log n.
 */
int image_symtab(struct image *image, const struct image_choice *choice, struct symtab *symtab,
		 struct symtab *dropped, struct arena *mem, struct diag *diag);

/*
 * Finds variables. For each of n sorted link-time addresses, name[i] gets, in mem, that of the
 * variable there, with the offset in it ("queue+0x28"); "" if the address is in data without a
 * symbol; or NULL if the image has no data there. Linear in symbols, times log n.
 */
void image_data_names(struct image *image, const uint64_t *address, size_t n, const char **name,
		      struct arena *mem);

/* Returns where image_symtab() took the names of functions from. */
enum module_names image_names(const struct image *image);

/*
 * Whether the image has a separate debug file. One that was not found before is searched for again.
 */
bool image_has_debug(struct image *image);

/*
 * Returns the path of a debug file that is where that of the image should be, but belongs to
 * another build of it, and was not used; NULL if there is none, or the right one was found, or none
 * was searched for.
 */
const char *image_other_debug(const struct image *image);

/* Returns the path that was opened, in mem. */
const char *image_path(const struct image *image, struct arena *mem);

/* Whether neither the image, nor its debug file, nor .gnu_debugdata has symbols. Slow if it has
 * many. */
bool image_is_stripped(struct image *image);

/*
 * Returns the executable sections that are not empty, sorted by address, in mem with their names;
 * *n is their number.
 */
const struct code_range *image_code_ranges(const struct image *image, size_t *n, struct arena *mem);

/* Returns where the code is in the image's file; the build id is in mem. */
struct mapping image_mapping(const struct image *image, struct arena *mem);

/* A file that the image keeps open until it is closed itself. */
struct image_file {
	const char *path; /* as it was opened, for messages and for finding files beside it */
	int fd;
	const struct debug_places *places; /* where files that it names are searched for */
};

/* Returns the image itself, or a copy of its debug information that libdw can read. */
struct image_file image_own_lines(struct image *image);

/* Returns the separate debug file; its descriptor is -1 if there is none. */
struct image_file image_debug_lines(struct image *image);

/*
 * Returns the bytes of the build id of the supplementary file, made by dwz, that the debug
 * information names, and writes the id, of at most `room` bytes, if that file is not on this
 * machine; else 0.
 */
size_t image_lacks_shared(struct image *image, unsigned char *id, size_t room);

/* Returns the damage in the line information that the functions which read lines have found. */
struct line_damage *image_line_damage(struct image *image);

/* Whether addresses are final: false for object files that have yet to be linked. */
bool image_is_linked(const struct image *image);

/* Whether the image may have line information. */
bool image_has_lines(const struct image *image);

/*
 * Returns the source line of the code at pc, from formats of debug information that line_table.h
 * cannot read. Slow; the first call reads all debug information.
 */
struct line_row image_line(struct image *image, uint64_t pc, struct strtable *names);

/*
 * Reads the code of all sections, with what the symbols say about it; after image_symtab() with the
 * same choice. It lives in mem. Returns 0, or -1 after an error message. n log n in the symbols.
 */
int image_code(struct image *image, const struct image_choice *choice, struct code *code,
	       struct arena *mem, struct diag *diag);

/* Returns the address for which the image is linked to be loaded: that of its first page. */
uint64_t image_base(const struct image *image);

/* Addresses of profiling entries such as mcount: in code, and of pointers to them. Sorted. */
struct entry_points {
	const uint64_t *code;
	size_t ncode;
	const uint64_t *slot;
	size_t nslots;
	/* code and pointers of functions that may return several times, like setjmp */
	const uint64_t *twice;
	size_t ntwice;
};

bool image_is_entry_point(const struct entry_points *points, uint64_t pc, bool is_slot);

/* Whether a call to this address, or through a pointer at it, may return more than once. */
bool image_returns_twice(const struct entry_points *points, uint64_t pc);

/*
 * Adds to *e what the image's headers, symbols and dynamic section say. All lives in mem. If
 * symbols cannot be read, there are none and diag gets a message. n log n.
 */
void image_evidence(struct image *image, struct evidence *e, struct entry_points *points,
		    struct arena *mem, struct diag *diag);

/* Closes an image; NULL is allowed. */
void image_close(struct image *image);

#endif

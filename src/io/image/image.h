/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An object file, through libbfd: its target, symbols and source locations. */
#ifndef IO_IMAGE_IMAGE_H
#define IO_IMAGE_IMAGE_H

#include "base/diag.h"
#include "base/strtable.h"
#include "io/image/code.h"
#include "io/image/line_damage.h"
#include "model/address_space.h"
#include "model/evidence.h"
#include "model/program.h"

struct image;

/* Which symbols are in the table. The code of others counts with what is below it. */
struct image_choice {
	bool no_static;         /* none at all */
	bool no_untyped_static; /* none that is not marked as a function */
	bool all;               /* also what is left out by default: odd static names, IFUNC */
	bool unnamed;           /* of an image without symbols, those that it calls by address */
	const struct object_map *objects; /* what functions may stand for, or NULL */
};

/*
 * Opens an executable or object file with code. Its text is the section .text or, if there is none,
 * all sections with code. NULL with the reason said.
 */
struct image *image_open(const char *path, struct diag *diag);

/* The address behind the last byte of text. */
uint64_t image_text_end(const struct image *image);

/* How the machine that the image is for writes addresses. */
struct target image_target(const struct image *image);

/*
 * The functions in the image's symbol table, chosen as gprof always did: global and weak ones, and
 * static ones whose names a compiler would give to a function, changed as `choice` says. An image
 * without symbols is looked up in its separate debug file. Of functions that choice->objects maps,
 * those that lead stand for their object file, under its name, and the others are left out.
 * With choice->unnamed, that of an image
 * without any has the functions that its call-frame information describes; their names are
 * addresses but for those that it shows to others. `dropped`, which may be NULL, gets those that
 * only `all` puts into a table; each ends where the next symbol of either table begins. Symbols and
 * names live in mem. 0, or -1 with the reason said; an empty table is a failure. n log n.
 */
int image_symtab(struct image *image, const struct image_choice *choice, struct symtab *symtab,
		 struct symtab *dropped, struct arena *mem, struct diag *diag);

/* Where the functions of image_symtab() were from, after it. */
enum module_names image_names(const struct image *image);

/* As it was opened, in mem. */
const char *image_path(const struct image *image, struct arena *mem);

/* Whether neither the image nor a debug file that it names has symbols. Slow, if it has many. */
bool image_is_stripped(struct image *image);

/* The executable sections that are not empty, *n of them, by address, in mem with their names. */
const struct code_range *image_code_ranges(const struct image *image, size_t *n, struct arena *mem);

/* Where the code is in the image's file; the build-id is in mem. */
struct mapping image_mapping(const struct image *image, struct arena *mem);

/* An open file of the image's, as long as that is open. */
struct image_file {
	const char *path; /* as it was opened; for messages, and where it names files beside it */
	int fd;
};

/* The image itself, or its debug information in a form that libdw can read. */
struct image_file image_own_lines(struct image *image);

/* The same of the separate file; its descriptor is -1 if there is none. */
struct image_file image_debug_lines(struct image *image);

/* What readers of lines found to be damaged; theirs to write. */
struct line_damage *image_line_damage(struct image *image);

/* Whether addresses are final: the image is no object file still to be linked. */
bool image_is_linked(const struct image *image);

/* Whether it may be worth asking for lines. */
bool image_has_lines(const struct image *image);

/*
 * Where the code at pc comes from, by the image's debug information, for those formats of it that
 * linetable.h cannot read: slow, and a first call reads all of it.
 */
struct line_row image_line(struct image *image, uint64_t pc, struct strtable *names);

/*
 * The code of all sections, with what the symbols say about it, after image_symtab() with the same
 * choice. It lives in mem. 0, or -1 with the reason said. n log n in the symbols.
 */
int image_code(struct image *image, const struct image_choice *choice, struct code *code,
	       struct arena *mem, struct diag *diag);

/* The address that the image is linked to be loaded at: that of its first page. */
uint64_t image_base(const struct image *image);

/* Where code calls a profiling entry: addresses in code, and of pointers to them. Sorted. */
struct entry_points {
	const uint64_t *code;
	size_t ncode;
	const uint64_t *slot;
	size_t nslots;
	const uint64_t *twice; /* code and slots of calls that may return again, like setjmp */
	size_t ntwice;
};

bool image_is_entry_point(const struct entry_points *points, uint64_t pc, bool is_slot);

/* Whether a call that leads to or through this address may return more than once. */
bool image_returns_twice(const struct entry_points *points, uint64_t pc);

/*
 * Fills in what the image's headers, symbols and dynamic section tell; the rest of *e stays. All
 * lives in mem. Symbols that cannot be read are as none, and diag is told. n log n.
 */
void image_evidence(struct image *image, struct evidence *e, struct entry_points *points,
		    struct arena *mem, struct diag *diag);

/* NULL is allowed. */
void image_close(struct image *image);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An object file opened by libdw, which opens no other file than those that were checked. */
#ifndef IO_IMAGE_DEBUGINFO_H
#define IO_IMAGE_DEBUGINFO_H

#include "io/image/image.h"
#include "io/image/line_program.h"

#include <elfutils/libdw.h>

/* Close with debuginfo_close(). */
struct debuginfo {
	Dwarf *dwarf;
	Dwarf *shared; /* the supplementary file made by dwz, or an empty one */
	Elf *elf;      /* the ELF file of `shared` */
	int shared_fd; /* descriptor of `shared`, or -1 */
	char *path;    /* path of the file, with symbolic links resolved */
};

/*
 * Opens the file. Returns false if libdw finds no debug information in it. The supplementary file
 * that it names is used if it is a regular file with the right build id: where debug files are by
 * build id, where its name says, or in the directory .dwz of a root. Sections that cannot be
 * read are added to *damage.
 */
bool debuginfo_open(struct debuginfo *info, const struct image_file *file,
		    struct line_damage *damage);

/*
 * Returns the bytes of the build id of the supplementary file that the file names, and writes the
 * id, if that file is nowhere; 0 if it is there, none is named, or the id has more than `room`
 * bytes.
 */
size_t debuginfo_lacks(const struct image_file *file, unsigned char *id, size_t room);

void debuginfo_close(struct debuginfo *info);

/* Returns the size of .debug_info in bytes, decompressed. */
uint64_t debuginfo_size(const struct debuginfo *info);

/* Returns the line programs of all units, which live as long as info; empty if there are none. */
struct line_program debuginfo_lines(const struct debuginfo *info);

/*
 * Finds the split unit that belongs to a skeleton unit, and its top entry, in the file that the
 * skeleton names. Returns false if there is no such file, or if it is not a regular file.
 */
bool debuginfo_split(const struct debuginfo *info, Dwarf_CU *cu, Dwarf_Die *unit, Dwarf_Die *split);

#endif

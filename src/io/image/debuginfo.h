/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An object file as libdw sees it, which opens no other file but those that were looked at. */
#ifndef IO_IMAGE_DEBUGINFO_H
#define IO_IMAGE_DEBUGINFO_H

#include "io/image/image.h"
#include "io/image/line_program.h"

#include <elfutils/libdw.h>

/* Close with debuginfo_close(). */
struct debuginfo {
	Dwarf *dwarf;
	Dwarf *shared; /* its supplementary file, which dwz makes, or one that is empty */
	Elf *elf;      /* that of `shared` */
	int shared_fd; /* or -1 */
	char *path;    /* the file's, without links */
};

/*
 * False if libdw finds no debug information in the file. The supplementary file that it names is
 * used if it is a regular one with the build id that it is to have. Adds sections that cannot be
 * read to damage.
 */
bool debuginfo_open(struct debuginfo *info, const struct image_file *file,
		    struct line_damage *damage);

void debuginfo_close(struct debuginfo *info);

/* Bytes of .debug_info, as they are when decompressed. */
uint64_t debuginfo_size(const struct debuginfo *info);

/* The line programs, which live as long as info. No bytes if there are none. */
struct line_program debuginfo_lines(const struct debuginfo *info);

/*
 * The split unit of a skeleton unit, with its top entry, from the file that the unit names. False
 * if there is none, or what has the name is no regular file.
 */
bool debuginfo_split(const struct debuginfo *info, Dwarf_CU *cu, Dwarf_Die *unit, Dwarf_Die *split);

#endif

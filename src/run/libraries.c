/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each library is opened as a program is, read, and closed. */
#include "config.h"

#include "run/libraries.h"

#include "base/bitset.h"
#include "io/image/image.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { HEX_BYTES = 2 * MODULE_BUILD_ID_BYTES + 1 };

/* Whether an open image is the file that was loaded. */
static bool libraries_fits(const struct module *module, const struct image *image,
			   struct arena *mem)
{
	const char *build_id = image_mapping(image, mem).build_id;
	char wanted[HEX_BYTES] = "";
	struct stat st;

	for (unsigned i = 0; i < module->build_id_bytes && i < MODULE_BUILD_ID_BYTES; i++)
		snprintf(wanted + (size_t)2 * i, 3, "%02x", module->build_id[i]);
	if (*wanted || build_id)
		return build_id && strcmp(wanted, build_id) == 0;
	return stat(module->path, &st) == 0 && (uint64_t)st.st_size == module->bytes;
}

/* Empty if there is none that fits. */
static struct symtab libraries_read_one(const struct module *module, struct arena *mem,
					struct diag *diag)
{
	const struct image_choice choice = { .all = true, .unnamed = true };
	struct diag silent = diag_silent(diag->progress);
	struct symtab symtab = { NULL, 0 };
	struct image *image = image_open(module->path, &silent);

	if (!image) {
		diag_note(diag, "%s: cannot be read: its functions have no names", module->path);
	} else if (!libraries_fits(module, image, mem)) {
		diag_note(diag, "%s: is another file than was loaded: its functions have no names",
			  module->path);
	} else if (image_symtab(image, &choice, &symtab, NULL, mem, &silent) < 0) {
		symtab.nsyms = 0;
	}
	image_close(image);
	return symtab;
}

const struct symtab *libraries_read(const struct recorded *recorded, struct arena *mem,
				    struct diag *diag)
{
	struct symtab *tables = arena_array(mem, struct symtab, recorded->modules.n);
	struct bitset used = bitset_empty(mem, recorded->modules.n);

	for (size_t i = 0; i < recorded->nodes.n; i++) {
		if (recorded->nodes.at[i].module != RECORDED_NONE)
			bitset_add(used, recorded->nodes.at[i].module);
	}
	progress_count(diag->progress, "read", "libraries", recorded->modules.n);
	for (uint32_t i = 0; i < recorded->modules.n; i++) {
		const struct module *module = &recorded->modules.at[i];

		progress_at(diag->progress, i);
		if (bitset_has(used, i) && !(module->flags & (MODULE_PROGRAM | MODULE_VDSO)) &&
		    module->path[0] == '/')
			tables[i] = libraries_read_one(module, mem, diag);
	}
	return tables;
}

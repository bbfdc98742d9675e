/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/libraries.h"

#include "base/join.h"
#include "base/path.h"
#include "io/image/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool libraries_fits(const struct module *module, const char *path, const struct image *image,
		    struct arena *mem)
{
	const char *build_id = image_mapping(image, mem).build_id;
	const char *wanted = recorded_module_build_id(module, mem);
	struct stat st;

	if (wanted || build_id)
		return wanted && build_id && strcmp(wanted, build_id) == 0;
	return stat(path, &st) == 0 && (uint64_t)st.st_size == module->bytes;
}

/* Files that were tried: the first one of another build, and the first one that cannot be read. */
struct libraries_found {
	const char *other, *bad;
};

static struct image *libraries_try(const struct module *module, const char *path,
				   const struct library_search *search,
				   struct libraries_found *found, struct arena *mem)
{
	struct diag silent = diag_silent(NULL);
	struct stat st;
	struct image *image;

	if (stat(path, &st) < 0)
		return NULL;
	image = image_open(path, &search->debug, &silent);
	if (image && libraries_fits(module, path, image, mem))
		return image;
	if (image && !found->other)
		found->other = path;
	else if (!image && !found->bad)
		found->bad = path;
	image_close(image);
	return NULL;
}

/* Opens the debug file of a module whose own file is gone, or is another one now. */
static struct image *libraries_open_debug(const struct module *module,
					  const struct library_search *search, struct arena *mem)
{
	struct libraries_found found = { NULL, NULL };
	struct image *image = NULL;
	char *path;

	for (size_t i = 0; !image && (path = debug_places_by_id(&search->debug, i, module->build_id,
								module->build_id_bytes));
	     i++) {
		image = libraries_try(module, JOIN(mem, path), search, &found, mem);
		free(path);
	}
	return image;
}

struct image *libraries_open(const struct module *module, const struct library_search *search,
			     struct arena *mem, struct diag *diag)
{
	const char *path =
		search->sysroot ? JOIN(mem, search->sysroot, module->path) : module->path;
	struct libraries_found found = { NULL, NULL };
	struct image *image = NULL;

	for (size_t i = 0; i < search->directories.n && !image; i++)
		image = libraries_try(
			module, JOIN(mem, search->directories.at[i], "/", path_base(module->path)),
			search, &found, mem);
	if (!image)
		image = libraries_try(module, path, search, &found, mem);
	if (!image)
		image = libraries_open_debug(module, search, mem);
	if (image)
		return image;
	if (found.other)
		diag_warn(diag,
			  "%s: is not the file that was loaded, so its functions have no names",
			  found.other);
	else
		diag_warn(diag, "%s: cannot be read, so its functions have no names",
			  found.bad ? found.bad : path);
	return NULL;
}

void libraries_check_program(const struct recorded *recorded, const struct image *image,
			     const char *path, struct arena *mem, struct diag *diag)
{
	const char *build_id = image_mapping(image, mem).build_id;

	for (size_t i = 0; i < recorded->modules.n; i++) {
		const struct module *module = &recorded->modules.at[i];

		if (!(module->flags & MODULE_PROGRAM) || !build_id || !module->build_id_bytes ||
		    strcmp(build_id, recorded_module_build_id(module, mem)) == 0)
			continue;
		diag_warn(diag,
			  "%s: is another build than the recorded one (their build ids "
			  "differ): time may be shown in the wrong functions",
			  path);
		return;
	}
}

const struct code_range *libraries_stubs(const struct image *image, size_t *n, struct arena *mem)
{
	size_t ncode;
	const struct code_range *code = image_code_ranges(image, &ncode, mem);
	struct code_range *stubs = arena_array(mem, struct code_range, ncode);

	*n = 0;
	for (size_t i = 0; i < ncode; i++) {
		if (strncmp(code[i].name, ".plt", 4) == 0 || strcmp(code[i].name, ".iplt") == 0 ||
		    strcmp(code[i].name, ".glink") == 0)
			stubs[(*n)++] = code[i];
	}
	return stubs;
}

/* Returns the functions that were made at run time as those of a module: recorded_made_group() has
 * brought what belongs to each of them together. */
static struct module_code libraries_made(const struct recorded *recorded, struct arena *mem)
{
	uint32_t n = (uint32_t)recorded->made.n, nsyms = 0;
	struct sym *sym = arena_array(mem, struct sym, n);

	for (uint32_t i = 0; i < n; i++) {
		const char *name = recorded->made.at[i].name;

		if (nsyms == 0 || strcmp(sym[nsyms - 1].name, name) != 0) {
			sym[nsyms] = (struct sym){ i, i, name, SYM_FUNC, nsyms };
			nsyms++;
		}
		sym[nsyms - 1].hi = (uint64_t)i + 1;
	}
	return (struct module_code){ .symtab = { sym, nsyms }, .names = NAMES_FULL, .made = true };
}

/* Returns the symbols of an image; none if there is no file. */
static struct module_code libraries_read_one(struct image *image, struct arena *mem)
{
	const struct image_choice choice = { .all = true, .unnamed = true };
	struct diag silent = diag_silent(NULL);
	struct module_code code = { .path = NULL };

	if (!image || image_symtab(image, &choice, &code.symtab, NULL, mem, &silent) < 0)
		return (struct module_code){ .path = NULL };
	code.path = image_path(image, mem);
	code.names = image_names(image);
	code.stubs = libraries_stubs(image, &code.nstubs, mem);
	return code;
}

const struct module_code *libraries_read(const struct recorded *recorded, struct bitset wanted,
					 const struct library_search *search, struct arena *mem,
					 struct diag *diag)
{
	struct module_code *codes = arena_array(mem, struct module_code, recorded->modules.n);

	progress_count(diag->progress, "read", "libraries", recorded->modules.n);
	for (uint32_t i = 0; i < recorded->modules.n; i++) {
		const struct module *module = &recorded->modules.at[i];
		struct image *image;

		progress_at(diag->progress, i);
		if (bitset_has(wanted, i) && module->flags & MODULE_MADE)
			codes[i] = libraries_made(recorded, mem);
		if (!bitset_has(wanted, i) || module->flags & (MODULE_PROGRAM | MODULE_VDSO) ||
		    module->path[0] != '/')
			continue;
		image = libraries_open(module, search, mem, diag);
		codes[i] = libraries_read_one(image, mem);
		if (image && image_other_debug(image))
			diag_warn(
				diag,
				"%s: is the debug file of another build than %s, so it is not used",
				image_other_debug(image), codes[i].path);
		image_close(image);
	}
	return codes;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One walk over the code, a look at the files' times, and at data files of libraries. */
#include "config.h"

#include "io/image/evidence.h"

#include "base/array.h"
#include "base/path.h"
#include "io/file.h"
#include "io/image/callscan.h"
#include "io/image/limits.h"
#include "io/image/machine.h"
#include "io/profile/gmon_read.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_LIBRARIES = 256 };

/* What the walk over the code adds to. */
struct evidence_walk {
	struct evidence *e;
	struct entry_points points;
	unsigned delay; /* bytes of the instruction behind a call that is executed before it */
	struct arena *mem;
	ARRAY(uint64_t) entered, returned;
};

/* A jump back within its function makes a loop; so may one into the middle of another function. */
static void evidence_see_jump(struct evidence *e, const struct code_branch *branch)
{
	const struct sym *own = &e->functions.sym[branch->owner];
	sym_id to;

	if (branch->target > branch->pc && branch->target < own->hi)
		return;
	to = symtab_find(&e->functions, branch->target);
	if (to == branch->owner || (to != SYM_NONE && e->functions.sym[to].lo != branch->target))
		bitset_add(e->loops, to);
}

static void evidence_see_branch(const struct code_branch *branch, void *arg)
{
	struct evidence_walk *walk = arg;
	struct evidence *e = walk->e;

	switch (branch->kind) {
	case BRANCH_CALL:
	case BRANCH_POINTER:
		array_push(walk->mem, &walk->returned) = branch->behind + walk->delay;
		if (!image_is_entry_point(&walk->points, branch->target,
					  branch->kind == BRANCH_POINTER))
			return;
		if (!bitset_has(e->counts, branch->owner))
			e->ncounting++;
		bitset_add(e->counts, branch->owner);
		array_push(walk->mem, &walk->entered) = branch->behind + walk->delay;
		break;
	case BRANCH_JUMP:
		evidence_see_jump(e, branch);
		break;
	case BRANCH_COMPUTED:
		bitset_add(e->loops, branch->owner);
		break;
	case BRANCH_NONE:
		break;
	}
}

/* Of an image without symbols, each section of code counts as one function. */
static struct symtab evidence_parts_as_functions(const struct evidence *e, struct arena *mem)
{
	struct sym *sym = arena_array(mem, struct sym, e->nparts);

	for (size_t i = 0; i < e->nparts; i++)
		sym[i] = (struct sym){ e->parts[i].lo, e->parts[i].hi, e->parts[i].name, SYM_FUNC,
				       (uint32_t)i };
	return symtab_build(sym, e->nparts, e->nparts > 0 ? e->parts[e->nparts - 1].hi : 0, mem);
}

static void evidence_walk_code(struct evidence_walk *walk, struct image *image, struct diag *diag)
{
	const struct image_choice all = { .all = true };
	struct arena scratch = arena_scratch(walk->mem);
	struct evidence *e = walk->e;
	struct code code;

	if (image_code(image, &all, &code, &scratch, diag) == 0 && code.nsections > 0) {
		walk->delay = code.machine ? code.machine->delay : 0;
		e->sees_jumps = code.machine && code.machine->sees_all;
		e->decoded = callscan_walk(&code, &e->functions, evidence_see_branch, walk,
					   diag->progress);
	}
	arena_free(&scratch);
	e->entered = walk->entered.at;
	e->nentered = walk->entered.n;
	e->returned = walk->returned.at;
	e->nreturned = e->sees_jumps ? walk->returned.n : 0;
	e->has_calls = walk->returned.n > 0;
}

static bool evidence_newer_than_any(const char *path, const struct profile *prof)
{
	struct stat image, file;

	if (stat(path, &image) < 0)
		return false;
	for (size_t i = 0; i < prof->files.n; i++) {
		if (stat(prof->files.at[i].name, &file) == 0 && file_is_newer(&image, &file))
			return true;
	}
	return false;
}

/* The ticks in a data file, 0 if it cannot be read. */
static uint64_t evidence_read_ticks(const char *path, const struct target *target,
				    const struct arena *mem)
{
	struct diag silent = diag_silent(NULL);
	struct arena scratch = arena_scratch(mem);
	struct profile_sum sum = { .prof.target = *target, .mem = &scratch };
	struct file file = { 0 };
	uint64_t ticks = 0;

	if (file_read(&file, path, NULL, NULL, &silent) == 0 &&
	    gmon_read(&sum, GMON_CURRENT, file.bytes, file.size, path, &silent) == 0)
		ticks = profile_ticks(&sum.prof);
	file_free(&file);
	arena_free(&scratch);
	return ticks;
}

static int evidence_compare_libraries(const void *x, const void *y)
{
	const struct library_profile *a = x, *b = y;

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? 1 : -1;
	return strcmp(a->path, b->path);
}

/* libgmon writes gmon.out.libfoo.so.1 beside gmon.out. */
static void evidence_find_libraries(struct evidence *e, const struct profile *prof,
				    struct arena *mem)
{
	const char *path = prof->files.at[0].name, *base = path_base(path);
	size_t ndir = (size_t)(base - path), nbase = strlen(base);
	const char *dir_name = ndir > 0 ? arena_strndup(mem, path, ndir) : ".";
	DIR *dir = opendir(dir_name);
	const struct dirent *entry;
	ARRAY(struct library_profile) found = { 0 };

	while (dir && found.n < MAX_LIBRARIES && (entry = readdir(dir))) {
		const char *name = entry->d_name;
		struct library_profile library;
		char *full;

		if (strncmp(name, base, nbase) != 0 || name[nbase] != '.' ||
		    !strstr(name + nbase, ".so") || entry->d_type != DT_REG)
			continue;
		full = arena_array(mem, char, ndir + strlen(name) + 1);
		memcpy(full, path, ndir);
		memcpy(full + ndir, name, strlen(name));
		library = (struct library_profile){ full,
						    evidence_read_ticks(full, &prof->target, mem) };
		if (library.ticks > 0)
			array_push(mem, &found) = library;
	}
	if (dir)
		closedir(dir);
	if (found.n > 0)
		qsort(found.at, found.n, sizeof(*found.at), evidence_compare_libraries);
	e->libraries = found.at;
	e->nlibraries = found.n;
}

struct evidence evidence_gather(struct image *image, const char *path, const struct profile *prof,
				struct progress *progress, struct arena *mem)
{
	const struct image_choice all = { .all = true };
	struct diag silent = diag_silent(progress);
	struct evidence e = { 0 };
	struct evidence_walk walk = { .e = &e, .mem = mem };
	struct limits limits = limits_begin(path);

	e.has_symbols = image_symtab(image, &all, &e.functions, NULL, mem, &silent) == 0;
	image_evidence(image, &e, &walk.points, mem, &silent);
	if (!e.has_symbols)
		e.functions = evidence_parts_as_functions(&e, mem);
	e.counts = bitset_empty(mem, e.functions.nsyms);
	e.loops = bitset_empty(mem, e.functions.nsyms);
	evidence_walk_code(&walk, image, &silent);
	limits_end(&limits);
	e.image_newer = evidence_newer_than_any(path, prof);
	if (prof->files.n == 1)
		evidence_find_libraries(&e, prof, mem);
	return e;
}

const char *evidence_missing(const char *const *files, size_t n)
{
	struct stat st;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(files[i], "-") != 0 && stat(files[i], &st) < 0 && errno == ENOENT)
			return files[i];
	}
	return NULL;
}

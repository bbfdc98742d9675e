/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects evidence by one pass over the code, and by the files' times. */
#include "config.h"

#include "io/image/evidence.h"

#include "base/array.h"
#include "io/file.h"
#include "io/image/callscan.h"
#include "io/image/limits.h"
#include "io/image/machine.h"
#include "io/profile/nearby.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* The state of the pass over the code. */
struct evidence_walk {
	struct evidence *e;
	struct entry_points points;
	unsigned delay; /* size of the instruction after a call that runs before it (a delay slot),
			   in bytes */
	struct arena *mem;
	ARRAY(uint64_t) entered, returned;
};

/*
 * A jump backwards within its function is a loop; so may be one into the middle of another
 * function. A jump to the start of another function is a tail call, whose callee is recorded with
 * the caller of the jumping function.
 */
static void evidence_note_jump(struct evidence *e, const struct code_branch *branch)
{
	const struct sym *own = &e->functions.sym[branch->owner];
	sym_id to;

	if (branch->target > branch->pc && branch->target < own->hi)
		return;
	if (branch->target <= own->lo || branch->target >= own->hi)
		bitset_add(e->leaves, branch->owner);
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
		array_push(walk->mem, &walk->returned) = branch->after + walk->delay;
		if (image_returns_twice(&walk->points, branch->target))
			bitset_add(e->loops, branch->owner);
		if (!image_is_entry_point(&walk->points, branch->target,
					  branch->kind == BRANCH_POINTER))
			return;
		if (!bitset_has(e->counts, branch->owner))
			e->ncounting++;
		bitset_add(e->counts, branch->owner);
		array_push(walk->mem, &walk->entered) = branch->after + walk->delay;
		break;
	case BRANCH_JUMP:
		evidence_note_jump(e, branch);
		break;
	case BRANCH_COMPUTED:
		bitset_add(e->loops, branch->owner);
		bitset_add(e->leaves, branch->owner);
		break;
	case BRANCH_NONE:
		break;
	}
}

/* For an image without symbols: each code section as one function. */
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

struct evidence evidence_gather(struct image *image, const char *path, const struct profile *prof,
				struct progress *progress, struct arena *mem)
{
	const struct image_choice all = { .all = true };
	struct diag silent = diag_silent(progress);
	struct evidence e = { 0 };
	struct evidence_walk walk = { .e = &e, .mem = mem };
	struct deadline deadline = limits_deadline_begin(path);

	e.has_symbols = image_symtab(image, &all, &e.functions, NULL, mem, &silent) == 0;
	image_evidence(image, &e, &walk.points, mem, &silent);
	if (!e.has_symbols)
		e.functions = evidence_parts_as_functions(&e, mem);
	e.counts = bitset_empty(mem, e.functions.nsyms);
	e.loops = bitset_empty(mem, e.functions.nsyms);
	e.leaves = bitset_empty(mem, e.functions.nsyms);
	evidence_walk_code(&walk, image, &silent);
	limits_deadline_end(&deadline);
	e.image_newer = evidence_newer_than_any(path, prof);
	if (prof->files.n == 1)
		nearby_find(&e, prof, mem);
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

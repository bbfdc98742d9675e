/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the calls in machine code, in one pass over each section.
 *
 * A decoder finds only the length of an instruction and the target of a branch. Data among the
 * code, or one wrong length, would mislead it for the rest of the section; so the pass starts anew
 * at every address where an instruction is known to begin, which symbols tell:
 *
 *   .text  0x1000        0x1040         0x1060                 0x1100
 *          |main         |$d (data)     |$x (code again)       |helper
 *          [== stretch ==]   skipped    [===== stretch =======][== ...
 *          bl 0x1100:  main calls helper
 *          b  0x1100:  a tail call, since helper is marked as a function
 *
 * A wrong length harms the rest of its stretch at most.
 */
#include "config.h"

#include "io/image/callscan.h"

#include "base/array.h"
#include "base/search.h"
#include "io/image/machine.h"

struct callscan_walker {
	const struct code *code;
	const struct symtab *symtab;
	branch_visit *visit;
	void *arg;
	sym_id owner,
		next; /* the function at the current address, or SYM_NONE; and the next function */
	size_t mark;  /* the next mark */
	bool data, thumb;
};

/* Decodes the code in [pc, end). */
static void callscan_stretch(struct callscan_walker *scan, const struct code_section *section,
			     uint64_t pc, uint64_t end)
{
	while (pc < end) {
		struct branch branch = { .kind = BRANCH_NONE };
		struct insn in = {
			.bytes = section->bytes + (pc - section->pc),
			.left = end - pc,
			.pc = pc,
			.flags = scan->code->flags,
			.is_64bit = scan->code->target.ptr_size == 8,
			.big_endian = scan->code->target.big_endian,
			.thumb = scan->thumb,
		};
		size_t length = scan->code->machine->decode(&in, &branch);

		if (length > 0 && branch.kind != BRANCH_NONE)
			scan->visit(&(struct code_branch){ pc, pc + length,
							   target_wrap(&scan->code->target,
								       branch.target),
							   branch.kind, scan->owner },
				    scan->arg);
		pc += length > 0 ? length : scan->code->machine->unit;
	}
}

static void callscan_pass_mark(struct callscan_walker *scan, enum mark_kind kind)
{
	switch (kind) {
	case MARK_START:
	case MARK_FUNCTION:
		break;
	case MARK_LEFT_OUT:
		scan->owner = SYM_NONE;
		break;
	case MARK_DATA:
		scan->data = true;
		break;
	case MARK_CODE:
	case MARK_ARM:
	case MARK_THUMB:
		scan->data = false;
		scan->thumb = kind == MARK_THUMB;
		break;
	}
}

/*
 * Updates owner, next and mark for all that begin at or before pc. Returns where the next of them
 * begins, at most end.
 */
static uint64_t callscan_pass_starts(struct callscan_walker *scan, uint64_t pc, uint64_t end)
{
	const struct code *code = scan->code;

	for (; scan->mark < code->nmarks && code->marks[scan->mark].pc <= pc; scan->mark++)
		callscan_pass_mark(scan, code->marks[scan->mark].kind);
	for (; scan->next < scan->symtab->nsyms && scan->symtab->sym[scan->next].lo <= pc;
	     scan->next++)
		scan->owner = scan->next;
	if (scan->mark < code->nmarks && code->marks[scan->mark].pc < end)
		end = code->marks[scan->mark].pc;
	if (scan->next < scan->symtab->nsyms && scan->symtab->sym[scan->next].lo < end)
		end = scan->symtab->sym[scan->next].lo;
	return end;
}

static void callscan_section(struct callscan_walker *scan, const struct code_section *section,
			     struct progress *progress)
{
	uint64_t pc = section->pc, end = pc + section->size;

	/* No function or mark of the section before applies to this one. */
	while (scan->mark < scan->code->nmarks && scan->code->marks[scan->mark].pc < pc)
		scan->mark++;
	while (scan->next < scan->symtab->nsyms && scan->symtab->sym[scan->next].lo < pc)
		scan->next++;
	scan->owner = SYM_NONE;
	scan->data = scan->thumb = false;
	while (pc < end) {
		uint64_t next = callscan_pass_starts(scan, pc, end);

		progress_at(progress, scan->next);
		if (scan->owner != SYM_NONE && !scan->data)
			callscan_stretch(scan, section, pc, next);
		pc = next;
	}
}

bool callscan_walk(const struct code *code, const struct symtab *symtab, branch_visit *visit,
		   void *arg, struct progress *progress)
{
	struct callscan_walker scan = {
		.code = code,
		.symtab = symtab,
		.visit = visit,
		.arg = arg,
	};

	if (!code->machine)
		return false;
	progress_step(progress, "looking for calls in the code", symtab->nsyms);
	for (size_t i = 0; i < code->nsections; i++)
		callscan_section(&scan, &code->sections[i], progress);
	return true;
}

/* The calls found so far, which callscan() passes to each branch. */
struct callscan_collection {
	const struct code *code;
	const struct symtab *symtab;
	struct arena *mem;
	ARRAY(struct call_site) sites;
};

static sym_id callscan_find_entered(const struct callscan_collection *to, uint64_t target)
{
	unsigned distance;

	for (size_t i = 0; machine_entry(to->code->machine, i, &distance); i++) {
		uint64_t lo = target - distance;
		sym_id s = symtab_find(to->symtab, lo);

		if (s != SYM_NONE && to->symtab->sym[s].lo == lo)
			return s;
	}
	return SYM_NONE;
}

static uint64_t callscan_through_stub(const struct code *code, uint64_t pc)
{
	const struct code_stub *stub = code->stubs;
	size_t i =
		search_from(stub, code->nstubs, sizeof(*stub), offsetof(struct code_stub, pc), pc);

	return i < code->nstubs && stub[i].pc == pc ? stub[i].to_pc : pc;
}

/* Whether any symbol at the start of function s is marked as a function, even one that is not in
 * the table. */
static bool callscan_is_function(const struct callscan_collection *to, sym_id s)
{
	const struct code *code = to->code;
	const struct code_mark *mark = code->marks;
	uint64_t pc = to->symtab->sym[s].lo;
	size_t i =
		search_from(mark, code->nmarks, sizeof(*mark), offsetof(struct code_mark, pc), pc);

	if (to->symtab->sym[s].flags & SYM_FUNC)
		return true;
	while (i < code->nmarks && mark[i].pc == pc && mark[i].kind != MARK_FUNCTION)
		i++;
	return i < code->nmarks && mark[i].pc == pc;
}

static void callscan_add_branch(const struct code_branch *branch, void *arg)
{
	struct callscan_collection *to = arg;
	sym_id s;

	if (branch->kind != BRANCH_CALL && branch->kind != BRANCH_JUMP)
		return;
	s = callscan_find_entered(to, callscan_through_stub(to->code, branch->target));
	if (s == SYM_NONE)
		return;
	if (branch->kind == BRANCH_JUMP && (s == branch->owner || !callscan_is_function(to, s)))
		return;
	array_push(to->mem, &to->sites) = (struct call_site){
		branch->pc,
		to->symtab->sym[s].lo,
	};
}

struct call_sites callscan(const struct code *code, const struct symtab *symtab, const char *path,
			   struct arena *mem, struct diag *diag)
{
	struct callscan_collection to = {
		.code = code,
		.symtab = symtab,
		.mem = mem,
	};

	if (!callscan_walk(code, symtab, callscan_add_branch, &to, diag->progress))
		diag_warn(
			diag,
			"%s: gprof cannot decode the code of this machine, so the calls in it are missing",
			path);
	return (struct call_sites){ to.sites.at, to.sites.n };
}

/* SPDX-License-Identifier: MIT */
/* Running the programs of call-frame information. See cfi.h. */
#include <registers.h>

#if ARCH_UNWINDS
#include "unwind/cfi.h"

enum {
	CFA_ADVANCE = 1, /* this and the next two are the upper two bits of the byte */
	CFA_OFFSET = 2,
	CFA_RESTORE = 3,

	CFA_NOP = 0x00,
	CFA_SET_LOC = 0x01,
	CFA_ADVANCE1 = 0x02,
	CFA_ADVANCE2 = 0x03,
	CFA_ADVANCE4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07,
	CFA_SAME_VALUE = 0x08,
	CFA_IN_REGISTER = 0x09,
	CFA_REMEMBER = 0x0a,
	CFA_RECALL = 0x0b,
	CFA_DEF = 0x0c,
	CFA_DEF_REGISTER = 0x0d,
	CFA_DEF_OFFSET = 0x0e,
	CFA_DEF_EXPRESSION = 0x0f,
	CFA_AT_EXPRESSION = 0x10,
	CFA_OFFSET_SF = 0x11,
	CFA_DEF_SF = 0x12,
	CFA_DEF_OFFSET_SF = 0x13,
	CFA_VALUE = 0x14,
	CFA_VALUE_SF = 0x15,
	CFA_IS_EXPRESSION = 0x16,
	CFA_NEGATE_RA_STATE =
		0x2d, /* the meaning on AArch64; no supported machine uses it as SPARC does */
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

struct cfi_run {
	struct eh_bytes bytes;
	const struct eh_object *object;
	const struct eh_fde *fde;
	struct cfi_row *row;
	struct cfi_scratch *scratch;
	uintptr_t at; /* `row` is valid from this address of code on */
	unsigned n;   /* number of rows saved */
};

/* Not an assignment: that may become a call of the C library's memcpy(). */
static void cfi_copy(struct cfi_row *to, const struct cfi_row *from)
{
	to->kind = from->kind;
	to->cfa_register = from->cfa_register;
	to->signal = from->signal;
	to->cfa_offset = from->cfa_offset;
	for (int i = 0; i < REGISTERS_KEPT; i++)
		to->rule[i] = from->rule[i];
}

static int64_t cfi_scaled(const struct cfi_run *run, uint64_t factor)
{
	return (int64_t)(factor * (uint64_t)run->fde->data_align);
}

static void cfi_put(struct cfi_run *run, uint64_t dwarf, enum cfi_rule rule, int64_t operand)
{
	int ours = arch_register(dwarf);

	if (ours < 0 || ours >= REGISTERS_KEPT)
		return;
	if (operand < -(1 << 28) || operand >= 1 << 28)
		run->bytes.bad = true;
	run->row->rule[ours] = (int32_t)((uint32_t)operand << 3 | rule);
}

/* Skips an expression and returns its offset. */
static int64_t cfi_expression(struct cfi_run *run)
{
	int64_t offset = (intptr_t)(run->bytes.at - run->object->base);

	eh_skip(&run->bytes, eh_leb(&run->bytes));
	return offset;
}

static void cfi_define(struct cfi_run *run, int64_t offset)
{
	if (offset != (int32_t)offset)
		run->bytes.bad = true;
	run->row->cfa_offset = (int32_t)offset;
}

/* Runs an instruction that defines the CFA. Returns false if `op` is no such instruction. */
static bool cfi_run_definition(struct cfi_run *run, unsigned op)
{
	struct eh_bytes *bytes = &run->bytes;

	if (op == CFA_DEF_EXPRESSION) {
		run->row->kind = CFI_CFA_EXPRESSION;
		cfi_define(run, cfi_expression(run));
		return true;
	}
	if (op == CFA_DEF || op == CFA_DEF_REGISTER || op == CFA_DEF_SF) {
		run->row->kind = CFI_CFA_REGISTER;
		run->row->cfa_register = (int8_t)arch_register(eh_leb(bytes));
	}
	if (op == CFA_DEF || op == CFA_DEF_OFFSET)
		cfi_define(run, (int64_t)eh_leb(bytes));
	else if (op == CFA_DEF_SF || op == CFA_DEF_OFFSET_SF)
		cfi_define(run, cfi_scaled(run, (uint64_t)eh_sleb(bytes)));
	else if (op != CFA_DEF_REGISTER)
		return false;
	return true;
}

static bool cfi_names_register(unsigned op)
{
	return (op >= CFA_OFFSET_EXTENDED && op <= CFA_IN_REGISTER) || op == CFA_AT_EXPRESSION ||
	       op == CFA_OFFSET_SF || (op >= CFA_VALUE && op <= CFA_IS_EXPRESSION) ||
	       op == CFA_GNU_NEGATIVE_OFFSET;
}

static void cfi_restore(struct cfi_run *run, uint64_t dwarf)
{
	int ours = arch_register(dwarf);

	if (ours >= 0 && ours < REGISTERS_KEPT)
		run->row->rule[ours] = run->scratch->first.rule[ours];
}

static void cfi_put_register(struct cfi_run *run, uint64_t dwarf, uint64_t from)
{
	int ours = arch_register(from);

	if (ours < 0)
		cfi_put(run, dwarf, CFI_UNDEFINED, 0);
	else
		cfi_put(run, dwarf, CFI_REGISTER, ours);
}

/* Runs one of the instructions of cfi_names_register(). */
static void cfi_run_register(struct cfi_run *run, unsigned op)
{
	struct eh_bytes *bytes = &run->bytes;
	uint64_t dwarf = eh_leb(bytes);

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		cfi_put(run, dwarf, CFI_OFFSET, cfi_scaled(run, eh_leb(bytes)));
		break;
	case CFA_OFFSET_SF:
		cfi_put(run, dwarf, CFI_OFFSET, cfi_scaled(run, (uint64_t)eh_sleb(bytes)));
		break;
	case CFA_GNU_NEGATIVE_OFFSET:
		cfi_put(run, dwarf, CFI_OFFSET, cfi_scaled(run, -eh_leb(bytes)));
		break;
	case CFA_VALUE:
		cfi_put(run, dwarf, CFI_VAL_OFFSET, cfi_scaled(run, eh_leb(bytes)));
		break;
	case CFA_VALUE_SF:
		cfi_put(run, dwarf, CFI_VAL_OFFSET, cfi_scaled(run, (uint64_t)eh_sleb(bytes)));
		break;
	case CFA_AT_EXPRESSION:
		cfi_put(run, dwarf, CFI_EXPRESSION, cfi_expression(run));
		break;
	case CFA_IS_EXPRESSION:
		cfi_put(run, dwarf, CFI_VAL_EXPRESSION, cfi_expression(run));
		break;
	case CFA_UNDEFINED:
		cfi_put(run, dwarf, CFI_UNDEFINED, 0);
		break;
	case CFA_SAME_VALUE:
		cfi_put(run, dwarf, CFI_SAME_VALUE, 0);
		break;
	case CFA_RESTORE_EXTENDED:
		cfi_restore(run, dwarf);
		break;
	case CFA_IN_REGISTER:
		cfi_put_register(run, dwarf, eh_leb(bytes));
		break;
	}
}

/* Runs one of the other instructions. Returns false if `op` is unknown, or not supported. */
static bool cfi_run_other(struct cfi_run *run, unsigned op)
{
	switch (op) {
	case CFA_NOP:
	case CFA_NEGATE_RA_STATE:
		return true;
	case CFA_GNU_ARGS_SIZE:
		eh_leb(&run->bytes);
		return true;
	case CFA_REMEMBER:
		if (run->n == CFI_REMEMBERED)
			return false;
		cfi_copy(&run->scratch->saved[run->n++], run->row);
		return true;
	case CFA_RECALL:
		if (!run->n)
			return false;
		cfi_copy(run->row, &run->scratch->saved[--run->n]);
		return true;
	}
	return false;
}

/* Runs an instruction that moves to the next row. Returns false if `op` is no such instruction. */
static bool cfi_advance(struct cfi_run *run, unsigned op)
{
	uint64_t units;

	if (op == CFA_SET_LOC) {
		run->at = ehframe_pointer(&run->bytes, run->fde->encoding);
		return true;
	}
	if (op >> 6 == CFA_ADVANCE)
		units = op & 63;
	else if (op >= CFA_ADVANCE1 && op <= CFA_ADVANCE4)
		units = eh_number(&run->bytes, 1U << (op - CFA_ADVANCE1));
	else
		return false;
	run->at += (uintptr_t)(units * run->fde->code_align);
	return true;
}

/* Runs a program up to the row for pc. Returns false if it is damaged, or not supported. */
static bool cfi_run(struct cfi_run *run, const struct eh_bytes *program, uintptr_t pc)
{
	run->bytes = *program;
	while (run->bytes.at < run->bytes.end) {
		unsigned op = eh_byte(&run->bytes);

		if (cfi_advance(run, op)) {
			if (run->at > pc)
				return !run->bytes.bad;
		} else if (op >> 6 == CFA_OFFSET) {
			cfi_put(run, op & 63, CFI_OFFSET, cfi_scaled(run, eh_leb(&run->bytes)));
		} else if (op >> 6 == CFA_RESTORE) {
			cfi_restore(run, op & 63);
		} else if (cfi_names_register(op)) {
			cfi_run_register(run, op);
		} else if (!cfi_run_definition(run, op) && !cfi_run_other(run, op)) {
			return false;
		}
		if (run->bytes.bad)
			return false;
	}
	return true;
}

static void cfi_begin(struct cfi_row *row, bool signal)
{
	row->kind = CFI_NONE;
	row->cfa_register = -1;
	row->signal = signal;
	row->cfa_offset = 0;
	for (int i = 0; i < REGISTERS_KEPT; i++)
		row->rule[i] = CFI_SAME_VALUE;
	row->rule[REGISTER_SP] = ARCH_SP_FROM_CFA * 8 + CFI_VAL_OFFSET;
}

bool cfi_find(const struct eh_object *object, struct readable *readable, uintptr_t pc,
	      struct cfi_row *row, struct cfi_scratch *scratch)
{
	struct eh_fde fde;
	struct cfi_run run;
	bool has_ra;

	cfi_begin(row, false);
	if (!ehframe_find(object, readable, pc, &fde))
		return false;
	has_ra = arch_register(fde.ra) == REGISTER_RA;
	if (!has_ra && !fde.signal)
		return false;
	row->signal = fde.signal;
	cfi_copy(&scratch->first, row);
	run.object = object;
	run.fde = &fde;
	run.row = row;
	run.scratch = scratch;
	run.at = fde.low;
	run.n = 0;
	if (cfi_run(&run, &fde.first, UINTPTR_MAX)) {
		cfi_copy(&scratch->first, row);
		run.at = fde.low;
		if (cfi_run(&run, &fde.code, pc) && row->kind != CFI_NONE) {
			if (cfi_rule(row->rule[REGISTER_RA]) == CFI_UNDEFINED)
				row->kind = CFI_OUTERMOST;
			if (!has_ra)
				row->rule[REGISTER_RA] = CFI_UNDEFINED;
			return true;
		}
	}
	cfi_begin(row, false);
	return false;
}
#endif

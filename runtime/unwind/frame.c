/* SPDX-License-Identifier: MIT */
/* Steps along a stack. See frame.h. */
#include <registers.h>

#if ARCH_UNWINDS
#include "unwind/frame.h"

#include <arch.h>

enum { WORD = sizeof(uintptr_t) };

enum { FRAME_MOST_BYTES = 64 << 20 /* of one frame: a larger one is taken for damage */ };

/* An address above this thread's stack: other threads' control blocks lie there. */
static uintptr_t frame_stack_top(const struct frame_kit *kit)
{
	uintptr_t own = arch_thread();

	return own == kit->starts->thread ? kit->starts->stack_top : own;
}

static void frame_load(struct frame_kit *kit, struct frame *frame, const ucontext_t *context)
{
	struct registers *registers = &frame->registers;

	arch_registers(context, registers->value);
	registers->known = registers->sure = ((uint64_t)1 << REGISTERS) - 1;
	frame->ip = arch_pc(context);
	frame->exact = true;
	readable_begin(&kit->readable, registers->value[REGISTER_SP], frame_stack_top(kit));
}

void frame_begin(struct frame_kit *kit, struct frame *frame, const ucontext_t *context)
{
	eh_objects_begin(&kit->objects);
	kit->top = arch_thread();
	frame->guessed = false;
	frame_load(kit, frame, context);
}

void frame_begin_blocked(struct frame_kit *kit, struct frame *frame, uintptr_t sp, uintptr_t pc)
{
	struct registers *registers = &frame->registers;

	eh_objects_begin(&kit->objects);
	kit->top = UINTPTR_MAX;
	frame->guessed = false;
	frame->ip = pc;
	frame->exact = true;
	for (int i = 0; i < REGISTERS; i++)
		registers->value[i] = 0;
	registers->value[REGISTER_SP] = sp;
	registers->known = registers->sure = (uint64_t)1 << REGISTER_SP;
	readable_begin(&kit->readable, sp, 0);
}

/* The row for pc, by the cache. NULL: there is none. *object: the one in which pc lies, or NULL. */
static const struct cfi_row *frame_row(struct frame_kit *kit, uintptr_t pc,
				       const struct eh_object **object)
{
	struct frame_cached *cached =
		&kit->cache[(uint32_t)(pc ^ pc >> 21) * 0x9e3779b9U >> (32 - FRAME_CACHE_BITS)];

	*object = eh_objects_find(&kit->objects, kit->starts, pc);
	if (!*object || !(*object)->n)
		return NULL;
	if (cached->pc != pc || cached->fingerprint != (*object)->fingerprint) {
		cached->pc = 0;
		cfi_find(*object, &kit->readable, pc, &cached->row, &kit->scratch);
		cached->fingerprint = (*object)->fingerprint;
		cached->pc = pc;
	}
	return cached->row.kind == CFI_NONE ? NULL : &cached->row;
}

bool frame_code(struct frame_kit *kit, uintptr_t at, void *to, size_t n)
{
	const struct eh_object *object = eh_objects_find(&kit->objects, kit->starts, at);
	/* Even, and not 0: what is made at run time is read anew in each walk. */
	uintptr_t made = 2 * (uintptr_t)kit->objects.walk;

	return readable_object(&kit->readable, object ? object->fingerprint : made, at, to, n);
}

bool frame_has_cfi(struct frame_kit *kit, uintptr_t pc)
{
	const struct eh_object *object;

	return frame_row(kit, pc, &object);
}

bool frame_lacks(struct frame_kit *kit, const struct frame *frame, struct frame_lack *lack)
{
	const struct eh_object *object;
	const struct cfi_row *row = frame_row(kit, frame_pc(frame), &object);
	struct eh_fde function;

	if (!row || row->kind != CFI_CFA_REGISTER || row->cfa_register < 0 ||
	    frame->registers.known >> row->cfa_register & 1 ||
	    cfi_rule(row->rule[REGISTER_RA]) != CFI_OFFSET ||
	    !ehframe_find(object, &kit->readable, frame_pc(frame), &function))
		return false;
	lack->number = row->cfa_register;
	lack->distance =
		(uintptr_t)(intptr_t)(row->cfa_offset + cfi_operand(row->rule[REGISTER_RA]));
	lack->entry = function.low;
	return true;
}

/* A step: its input, and the frame that it computes. */
struct frame_move {
	struct frame_kit *kit;
	const struct eh_object *object;
	const struct cfi_row *row;
	const struct frame *from;
	bool restored; /* rules by expressions do not hold any more: see frame_is_restored() */
	uintptr_t cfa;
	struct frame caller; /* without registers above REGISTERS_KEPT */
};

/* Evaluates the expression at an offset from the object's base. */
static bool frame_evaluate(struct frame_move *move, int32_t offset, const uintptr_t *first,
			   uintptr_t *value)
{
	struct expression expression;
	struct eh_bytes *bytes = &expression.bytes;
	uintptr_t at = move->object->base + (intptr_t)offset;
	uint64_t length;

	if (at < move->object->frames_low || at >= move->object->frames_high)
		return false;
	*bytes = ehframe_bytes(move->object, &move->kit->readable, at, move->object->frames_high);
	length = eh_leb(bytes);
	if (bytes->bad || length > bytes->end - bytes->at)
		return false;
	bytes->end = bytes->at + length;
	expression.registers = &move->from->registers;
	expression.readable = &move->kit->readable;
	expression.guessed = false;
	if (!expression_value(&expression, first, value))
		return false;
	move->caller.guessed |= expression.guessed;
	return true;
}

/* Computes the CFA. False: it is not known. */
static bool frame_cfa(struct frame_move *move)
{
	if (move->row->kind == CFI_CFA_EXPRESSION) {
		if (!frame_evaluate(move, move->row->cfa_offset, NULL, &move->cfa))
			return false;
	} else {
		if (!expression_register_value(&move->from->registers, move->row->cfa_register,
					       &move->cfa, &move->caller.guessed))
			return false;
		move->cfa += (uintptr_t)(intptr_t)move->row->cfa_offset;
	}
	return move->cfa % WORD == 0;
}

/* The caller's value of a register by its rule. False: it is not known. */
static bool frame_value(struct frame_move *move, int32_t rule, uintptr_t *value)
{
	struct readable *readable = &move->kit->readable;
	int32_t operand = cfi_operand(rule);

	switch (cfi_rule(rule)) {
	case CFI_OFFSET:
		return readable_word(readable, move->cfa + (uintptr_t)(intptr_t)operand, value);
	case CFI_VAL_OFFSET:
		*value = move->cfa + (uintptr_t)(intptr_t)operand;
		return true;
	case CFI_REGISTER:
		return expression_register_value(&move->from->registers, operand, value,
						 &move->caller.guessed);
	case CFI_EXPRESSION:
		return frame_evaluate(move, operand, &move->cfa, value) &&
		       readable_word(readable, *value, value);
	case CFI_VAL_EXPRESSION:
		return frame_evaluate(move, operand, &move->cfa, value);
	case CFI_SAME_VALUE:
	case CFI_UNDEFINED:
		break;
	}
	return false;
}

/* Whether the function has restored registers, and its rules do not say so. */
static bool frame_is_restored(const struct frame_move *move)
{
#ifdef ARCH_RESTORED
	uint8_t code[ARCH_RESTORED_BYTES];

	return move->from->exact && cfi_rule(move->row->rule[REGISTER_FP]) == CFI_EXPRESSION &&
	       frame_code(move->kit, move->from->ip, code, sizeof(code)) && ARCH_RESTORED(code);
#else
	(void)move;
	return false;
#endif
}

/* Computes the caller's registers. Those above REGISTERS_KEPT do not survive calls. */
static void frame_restore(struct frame_move *move)
{
	const struct registers *from = &move->from->registers;
	struct registers *to = &move->caller.registers;

	to->known = to->sure = 0;
	for (int i = 0; i < REGISTERS_KEPT; i++) {
		uint64_t bit = (uint64_t)1 << i;
		int32_t rule = move->row->rule[i];

		if (rule == CFI_SAME_VALUE ||
		    (move->restored && cfi_rule(rule) == CFI_EXPRESSION)) {
			to->value[i] = from->value[i];
			to->known |= from->known & bit;
			to->sure |= from->sure & bit;
		} else if (frame_value(move, rule, &to->value[i])) {
			to->known |= bit;
			to->sure |= bit;
		}
	}
}

/*
 * Whether the caller can have this stack pointer, on the same stack. Where calls leave the return
 * address in a register, a function without a frame can have saved it elsewhere, as in its caller's
 * frame on POWER.
 */
static bool frame_follows(const struct frame *frame, const struct frame *caller)
{
	uintptr_t size = caller->registers.value[REGISTER_SP] - frame->registers.value[REGISTER_SP];

	return size % WORD == 0 && size < FRAME_MOST_BYTES &&
	       (size || frame->exact || (ARCH_LINK && caller->ip != frame->ip));
}

/* Whether there may be code at an address. 0 means that there is no caller. */
static bool frame_can_run(struct frame_kit *kit, uintptr_t ip)
{
	uint8_t byte;

	return !ip || eh_objects_find(&kit->objects, kit->starts, ip) ||
	       frame_code(kit, ip, &byte, 1);
}

/* Computes the caller. False: it is not known. */
static bool frame_find_caller(struct frame_move *move)
{
	const uint64_t needed = (uint64_t)1 << REGISTER_RA | (uint64_t)1 << REGISTER_SP;
	const uintptr_t *value = move->caller.registers.value;

	/* A link register is overwritten by the function's own calls. */
	if (move->row->rule[REGISTER_RA] == CFI_SAME_VALUE && !(move->from->exact && ARCH_LINK))
		return false;
	move->caller.guessed = move->from->guessed;
	move->caller.exact = move->row->signal;
	if (!frame_cfa(move))
		return false;
	move->restored = frame_is_restored(move);
	frame_restore(move);
	if ((move->caller.registers.known & needed) != needed)
		return false;
	move->caller.ip = value[REGISTER_RA];
	if (!move->row->signal) {
		move->caller.ip = arch_plain(move->caller.ip);
		if (!frame_follows(move->from, &move->caller))
			return false;
	}
	return frame_can_run(move->kit, move->caller.ip);
}

/* Not an assignment: that may become a call of the C library's memcpy(). */
void frame_copy(struct frame *to, const struct frame *from)
{
	to->ip = from->ip;
	to->exact = from->exact;
	to->guessed = from->guessed;
	to->registers.known = from->registers.known;
	to->registers.sure = from->registers.sure;
	for (int i = 0; i < REGISTERS_KEPT; i++)
		to->registers.value[i] = from->registers.value[i];
}

bool frame_is_signal_return(struct frame_kit *kit, uintptr_t ip)
{
	uint8_t code[sizeof(arch_signal_return)];

	if (!frame_code(kit, ip, code, sizeof(code)))
		return false;
	for (size_t i = 0; i < sizeof(arch_signal_return); i++)
		if (code[i] != arch_signal_return[i])
			return false;
	return true;
}

/* Goes to what a signal interrupted, by its context. False: there can be none. */
static bool frame_load_context(struct frame_kit *kit, struct frame *frame, uintptr_t context)
{
	const ucontext_t *interrupted;

#ifdef ARCH_SIGNAL_POINTER
	if (!readable_word(&kit->readable, context, &context))
		return false;
#endif
	interrupted =
		context % WORD ? NULL : readable_bytes(&kit->readable, context, ARCH_CONTEXT_BYTES);
	if (!interrupted)
		return false;
	frame_load(kit, frame, interrupted);
	return true;
}

bool frame_leave_signal(struct frame_kit *kit, struct frame *frame)
{
	if (!frame_is_signal_return(kit, frame->ip) &&
	    !(frame->exact && frame_is_signal_return(kit, frame->ip - ARCH_SIGNAL_LAST)))
		return false;
	return frame_load_context(kit, frame,
				  frame->registers.value[REGISTER_SP] + ARCH_SIGNAL_CONTEXT);
}

/* The same where the code has a rule, in frame_step(). */
static bool frame_leave_ruled_signal(struct frame_kit *kit, struct frame *frame)
{
#ifdef ARCH_SIGNAL_RULED_CONTEXT
	return !frame->exact &&
	       frame_load_context(kit, frame,
				  frame->registers.value[REGISTER_SP] + ARCH_SIGNAL_RULED_CONTEXT);
#else
	return frame_leave_signal(kit, frame);
#endif
}

enum frame_step frame_step(struct frame_kit *kit, struct frame *frame)
{
	struct frame_move move;

	move.kit = kit;
	move.from = frame;
	move.row = frame_row(kit, frame_pc(frame), &move.object);
	if (!move.row)
		return FRAME_UNKNOWN;
	if (move.row->kind == CFI_OUTERMOST)
		return FRAME_OUTERMOST;
	if (move.row->signal && frame_leave_ruled_signal(kit, frame))
		return FRAME_STEPPED;
	if (!frame_find_caller(&move))
		return FRAME_UNKNOWN;
	if (!move.caller.ip)
		return FRAME_OUTERMOST;
	frame_copy(frame, &move.caller);
	return FRAME_STEPPED;
}
#endif

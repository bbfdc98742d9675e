/* SPDX-License-Identifier: MIT */
/* Steps along a stack. See frame.h. */
#include <registers.h>

#if ARCH_UNWINDS
#include "unwind/frame.h"

#include <arch.h>

enum { WORD = sizeof(uintptr_t) };

static const uintptr_t most_frame = (uintptr_t)64
				    << 20; /* bytes of one, so that a wrong rule is seen */

/* The nearest of what lies above stacks of this thread. */
static uintptr_t frame_stack_top(const struct frame_kit *kit, uintptr_t sp)
{
	uintptr_t first = kit->starts->stack_top;
	uintptr_t own = arch_thread();

	return own - sp < first - sp ? own : first;
}

static void frame_load(struct frame_kit *kit, struct frame *frame, const ucontext_t *context)
{
	struct registers *registers = &frame->registers;

	arch_registers(context, registers->value);
	registers->known = registers->sure = ((uint64_t)1 << REGISTERS) - 1;
	frame->ip = arch_pc(context);
	frame->exact = true;
	readable_begin(&kit->readable, registers->value[REGISTER_SP],
		       frame_stack_top(kit, registers->value[REGISTER_SP]));
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

/* *object: the one in which pc lies. NULL: there is no rule. */
static const struct cfi_rule *frame_rule(struct frame_kit *kit, uintptr_t pc,
					 const struct eh_object **object)
{
	struct frame_cached *cached =
		&kit->cache[(uint32_t)(pc ^ pc >> 21) * 0x9e3779b9U >> (32 - FRAME_CACHE_BITS)];

	*object = eh_objects_find(&kit->objects, kit->starts, &kit->readable, pc);
	if (!*object || !(*object)->n)
		return NULL;
	if (cached->pc != pc || cached->print != (*object)->print) {
		cached->pc = 0;
		cfi_find(*object, pc, &cached->rule, &kit->room);
		cached->print = (*object)->print;
		cached->pc = pc;
	}
	return cached->rule.kind == CFI_NONE ? NULL : &cached->rule;
}

bool frame_has_rule(struct frame_kit *kit, uintptr_t pc)
{
	const struct eh_object *object;

	return frame_rule(kit, pc, &object);
}

bool frame_lacks(struct frame_kit *kit, const struct frame *frame, struct frame_lack *lack)
{
	const struct eh_object *object;
	const struct cfi_rule *rule = frame_rule(kit, frame_pc(frame), &object);
	struct eh_fde function;

	if (!rule || rule->kind != CFI_REGISTER || rule->number < 0 ||
	    frame->registers.known >> rule->number & 1 ||
	    cfi_place(rule->place[REGISTER_RA]) != CFI_AT_END ||
	    !ehframe_find(object, frame_pc(frame), &function))
		return false;
	lack->number = rule->number;
	lack->distance = (uintptr_t)(intptr_t)(rule->offset + cfi_number(rule->place[REGISTER_RA]));
	lack->entry = function.low;
	return true;
}

/* A step under way: what is known, and what becomes of it. */
struct frame_move {
	struct frame_kit *kit;
	const struct eh_object *object;
	const struct cfi_rule *rule;
	const struct frame *from;
	uintptr_t end;       /* of the frame */
	struct frame caller; /* its first REGISTERS_KEPT values */
};

/* The value of the expression at an offset of the object's base. */
static bool frame_work_out(struct frame_move *move, int32_t offset, const uintptr_t *first,
			   uintptr_t *value)
{
	struct expression expression;
	struct eh_bytes *bytes = &expression.bytes;
	uintptr_t at = move->object->base + (intptr_t)offset;
	uint64_t length;

	if (at < move->object->frames_low || at >= move->object->frames_high)
		return false;
	bytes->at = (const uint8_t *)at;
	bytes->end = (const uint8_t *)move->object->frames_high;
	bytes->bad = false;
	length = eh_leb(bytes);
	if (bytes->bad || length > (size_t)(bytes->end - bytes->at))
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

/* Where the frame ends; false: unknown. */
static bool frame_end(struct frame_move *move)
{
	if (move->rule->kind == CFI_EXPRESSION) {
		if (!frame_work_out(move, move->rule->offset, NULL, &move->end))
			return false;
	} else {
		if (!registers_get(&move->from->registers, move->rule->number, &move->end,
				   &move->caller.guessed))
			return false;
		move->end += (uintptr_t)(intptr_t)move->rule->offset;
	}
	return move->end % WORD == 0;
}

/* The caller's value of a register, by its place; false: unknown. */
static bool frame_value(struct frame_move *move, int32_t place, uintptr_t *value)
{
	struct readable *readable = &move->kit->readable;
	int32_t number = cfi_number(place);

	switch (cfi_place(place)) {
	case CFI_AT_END:
		return readable_word(readable, move->end + (uintptr_t)(intptr_t)number, value);
	case CFI_END:
		*value = move->end + (uintptr_t)(intptr_t)number;
		return true;
	case CFI_IN:
		return registers_get(&move->from->registers, number, value, &move->caller.guessed);
	case CFI_AT_EXPRESSION:
		return frame_work_out(move, number, &move->end, value) &&
		       readable_word(readable, *value, value);
	case CFI_IS_EXPRESSION:
		return frame_work_out(move, number, &move->end, value);
	case CFI_KEPT:
	case CFI_LOST:
		break;
	}
	return false;
}

/* The registers that the caller gets back; others are unknown to it. */
static void frame_restore(struct frame_move *move)
{
	const struct registers *from = &move->from->registers;
	struct registers *to = &move->caller.registers;

	to->known = to->sure = 0;
	for (int i = 0; i < REGISTERS_KEPT; i++) {
		uint64_t bit = (uint64_t)1 << i;
		int32_t place = move->rule->place[i];

		if (place == CFI_KEPT) {
			to->value[i] = from->value[i];
			to->known |= from->known & bit;
			to->sure |= from->sure & bit;
		} else if (frame_value(move, place, &to->value[i])) {
			to->known |= bit;
			to->sure |= bit;
		}
	}
}

/* Whether a frame with this stack pointer can be the caller's, on the same stack. */
static bool frame_follows(const struct frame *frame, uintptr_t sp)
{
	uintptr_t size = sp - frame->registers.value[REGISTER_SP];

	return size % WORD == 0 && size < most_frame && (size || frame->exact);
}

/* Whether there may be code at an address. 0 stands for no caller. */
static bool frame_can_run(struct frame_kit *kit, uintptr_t ip)
{
	return !ip || eh_objects_find(&kit->objects, kit->starts, &kit->readable, ip) ||
	       readable_prove(&kit->readable, ip, 1);
}

/* Fills in the caller. False: it is unknown. */
static bool frame_find_caller(struct frame_move *move)
{
	const uint64_t needed = (uint64_t)1 << REGISTER_RA | (uint64_t)1 << REGISTER_SP;
	const uintptr_t *value = move->caller.registers.value;

	/* What a function returns to is not kept where it has called another since. */
	if (move->rule->place[REGISTER_RA] == CFI_KEPT && !(move->from->exact && ARCH_LINK))
		return false;
	move->caller.guessed = move->from->guessed;
	move->caller.exact = move->rule->exact;
	if (!frame_end(move))
		return false;
	frame_restore(move);
	if ((move->caller.registers.known & needed) != needed)
		return false;
	move->caller.ip = value[REGISTER_RA];
	if (!move->rule->exact) {
		move->caller.ip = arch_plain(move->caller.ip);
		if (!frame_follows(move->from, value[REGISTER_SP]))
			return false;
	}
	return frame_can_run(move->kit, move->caller.ip);
}

/* By hand: an assignment may become a call of the C library. */
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

static bool frame_is_signal_return(struct frame_kit *kit, uintptr_t ip)
{
	const uint8_t *code = (const uint8_t *)ip;

	if (!readable_prove(&kit->readable, ip, sizeof(arch_signal_return)))
		return false;
	for (size_t i = 0; i < sizeof(arch_signal_return); i++)
		if (code[i] != arch_signal_return[i])
			return false;
	return true;
}

bool frame_leave_signal(struct frame_kit *kit, struct frame *frame)
{
	uintptr_t context = frame->registers.value[REGISTER_SP] + ARCH_SIGNAL_CONTEXT;
	const ucontext_t *interrupted;

	if (!frame_is_signal_return(kit, frame->ip) &&
	    !(frame->exact && frame_is_signal_return(kit, frame->ip - ARCH_SIGNAL_LAST)))
		return false;
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

enum frame_step frame_step(struct frame_kit *kit, struct frame *frame)
{
	struct frame_move move;

	move.kit = kit;
	move.from = frame;
	move.rule = frame_rule(kit, frame_pc(frame), &move.object);
	if (!move.rule)
		return FRAME_UNKNOWN;
	if (move.rule->kind == CFI_OUTERMOST)
		return FRAME_OUTERMOST;
#ifndef ARCH_SIGNAL_HAS_RULE
	if (move.rule->exact && frame_leave_signal(kit, frame))
		return FRAME_STEPPED;
#endif
	if (!frame_find_caller(&move))
		return FRAME_UNKNOWN;
	if (!move.caller.ip)
		return FRAME_OUTERMOST;
	frame_copy(frame, &move.caller);
	return FRAME_STEPPED;
}
#endif

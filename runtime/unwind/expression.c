/* SPDX-License-Identifier: MIT */
/* Evaluating DWARF expressions. See expression.h. */
#include <registers.h>

#if ARCH_UNWINDS
#include "unwind/expression.h"

enum { MOST_VALUES = 16, MOST_STEPS = 100 };

enum {
	OP_ADDR = 0x03,
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08, /* then 1s, 2u, ... 8s */
	OP_CONSTU = 0x10,
	OP_CONSTS = 0x11,
	OP_DUP = 0x12,
	OP_DROP = 0x13,
	OP_OVER = 0x14,
	OP_PICK = 0x15,
	OP_SWAP = 0x16,
	OP_AND = 0x1a,
	OP_MINUS = 0x1c,
	OP_MUL = 0x1e,
	OP_NEG = 0x1f,
	OP_NOT = 0x20,
	OP_OR = 0x21,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23,
	OP_SHL = 0x24,
	OP_SHR = 0x25,
	OP_SHRA = 0x26,
	OP_XOR = 0x27,
	OP_BRA = 0x28,
	OP_EQ = 0x29,
	OP_GE = 0x2a,
	OP_GT = 0x2b,
	OP_LE = 0x2c,
	OP_LT = 0x2d,
	OP_NE = 0x2e,
	OP_SKIP = 0x2f,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_BREGX = 0x92,
	OP_NOP = 0x96,
};

/* The stack of values; at[n - 1] is its top. */
struct expression_values {
	uintptr_t at[MOST_VALUES];
	unsigned n;
	bool bad; /* the stack overflowed, or an operation found too few values */
};

static void expression_push(struct expression_values *values, uintptr_t value)
{
	if (values->n == MOST_VALUES)
		values->bad = true;
	else
		values->at[values->n++] = value;
}

static uintptr_t expression_pop(struct expression_values *values)
{
	if (values->n)
		return values->at[--values->n];
	values->bad = true;
	return 0;
}

/* Returns the value n below the top. */
static uintptr_t expression_pick(struct expression_values *values, unsigned n)
{
	if (n < values->n)
		return values->at[values->n - 1 - n];
	values->bad = true;
	return 0;
}

/*
 * Does an operation on two values, of which b was on top. Returns false if `op` is no such
 * operation.
 */
static bool expression_binary(unsigned op, uintptr_t a, uintptr_t b, uintptr_t *result)
{
	const unsigned bits = 8 * sizeof(a);

	switch (op) {
	case OP_AND:
		return *result = a & b, true;
	case OP_MINUS:
		return *result = a - b, true;
	case OP_MUL:
		return *result = a * b, true;
	case OP_OR:
		return *result = a | b, true;
	case OP_PLUS:
		return *result = a + b, true;
	case OP_SHL:
		return *result = b < bits ? a << b : 0, true;
	case OP_SHR:
		return *result = b < bits ? a >> b : 0, true;
	case OP_SHRA:
		return *result = (uintptr_t)((intptr_t)a >> (b < bits ? b : bits - 1)), true;
	case OP_XOR:
		return *result = a ^ b, true;
	case OP_EQ:
		return *result = a == b, true;
	case OP_GE:
		return *result = (intptr_t)a >= (intptr_t)b, true;
	case OP_GT:
		return *result = (intptr_t)a > (intptr_t)b, true;
	case OP_LE:
		return *result = (intptr_t)a <= (intptr_t)b, true;
	case OP_LT:
		return *result = (intptr_t)a < (intptr_t)b, true;
	case OP_NE:
		return *result = a != b, true;
	}
	return false;
}

static bool expression_register(struct expression *expression, unsigned op, uintptr_t *value)
{
	uint64_t number = op == OP_BREGX ? eh_leb(&expression->bytes) : op - OP_BREG0;
	uintptr_t offset = (uintptr_t)eh_sleb(&expression->bytes);

	if (!expression_register_value(expression->registers, arch_register(number), value,
				       &expression->guessed))
		return false;
	*value += offset;
	return true;
}

/*
 * Does an operation that pushes one value. Returns false if `op` is no such operation, or not
 * supported.
 */
static bool expression_load(struct expression *expression, struct expression_values *values,
			    unsigned op, uintptr_t *value)
{
	struct eh_bytes *bytes = &expression->bytes;

	if (op >= OP_LIT0 && op <= OP_LIT31)
		*value = op - OP_LIT0;
	else if ((op >= OP_BREG0 && op <= OP_BREG31) || op == OP_BREGX)
		return expression_register(expression, op, value);
	else if (op == OP_ADDR)
		*value = (uintptr_t)eh_number(bytes, sizeof(*value));
	else if (op >= OP_CONST1U && op < OP_CONSTU)
		*value = op & 1 ? (uintptr_t)eh_signed(bytes, 1U << (op - OP_CONST1U) / 2)
				: (uintptr_t)eh_number(bytes, 1U << (op - OP_CONST1U) / 2);
	else if (op == OP_CONSTU)
		*value = (uintptr_t)eh_leb(bytes);
	else if (op == OP_CONSTS)
		*value = (uintptr_t)eh_sleb(bytes);
	else if (op == OP_DUP || op == OP_OVER)
		*value = expression_pick(values, op == OP_OVER);
	else if (op == OP_PICK)
		*value = expression_pick(values, eh_byte(bytes));
	else if (op == OP_NEG)
		*value = -expression_pop(values);
	else if (op == OP_NOT)
		*value = ~expression_pop(values);
	else if (op == OP_PLUS_UCONST)
		*value = expression_pop(values) + (uintptr_t)eh_leb(bytes);
	else if (op == OP_DEREF)
		return readable_word(expression->readable, expression_pop(values), value);
	else
		return false;
	return true;
}

/*
 * Does an operation that pushes nothing, or a jump. Returns false if `op` is no such operation, or
 * not supported.
 */
static bool expression_move(struct expression *expression, struct expression_values *values,
			    uintptr_t start, unsigned op)
{
	struct eh_bytes *bytes = &expression->bytes;

	if (op == OP_DROP) {
		expression_pop(values);
	} else if (op == OP_SWAP) {
		uintptr_t last = expression_pop(values);
		uintptr_t other = expression_pop(values);

		expression_push(values, last);
		expression_push(values, other);
	} else if (op == OP_BRA || op == OP_SKIP) {
		int64_t distance = eh_signed(bytes, 2);

		if (op == OP_BRA && !expression_pop(values))
			return true;
		if (distance < (intptr_t)(start - bytes->at) ||
		    distance > (intptr_t)(bytes->end - bytes->at))
			return false;
		bytes->at += (uintptr_t)distance;
	} else {
		return op == OP_NOP;
	}
	return true;
}

bool expression_value(struct expression *expression, const uintptr_t *first, uintptr_t *value)
{
	struct eh_bytes *bytes = &expression->bytes;
	uintptr_t start = bytes->at;
	struct expression_values values;

	values.n = 0;
	values.bad = false;
	if (first)
		expression_push(&values, *first);
	for (int step = 0; bytes->at < bytes->end; step++) {
		unsigned op = eh_byte(bytes);
		uintptr_t result;

		if (step == MOST_STEPS)
			return false;
		if ((op >= OP_AND && op <= OP_XOR && op != OP_NEG && op != OP_NOT &&
		     op != OP_PLUS_UCONST) ||
		    (op >= OP_EQ && op <= OP_NE)) {
			uintptr_t b = expression_pop(&values);

			if (!expression_binary(op, expression_pop(&values), b, &result))
				return false;
			expression_push(&values, result);
		} else if (expression_load(expression, &values, op, &result)) {
			expression_push(&values, result);
		} else if (!expression_move(expression, &values, start, op)) {
			return false;
		}
		if (bytes->bad || values.bad)
			return false;
	}
	*value = expression_pop(&values);
	return !values.bad;
}
#endif

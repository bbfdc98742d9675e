/* SPDX-License-Identifier: MIT */
/* The slots to which call sites lead. See slots.h. */
#include "calls/slots.h"

enum {
	SLOTS_HALF = SLOTS_SLOT >> 1, /* so many in each direction */
	SLOTS_PLT_BYTES = 16
};

void slots_begin(struct slots *slots)
{
	slots->first = INT32_MAX;
	slots->last = INT32_MIN;
}

uint32_t slots_number(struct slots *slots, const struct code *code, uintptr_t slot)
{
	const uintptr_t from_first =
		slot / sizeof(slot) - code->low / sizeof(slot) + (uintptr_t)SLOTS_HALF;
	const int32_t number = (int32_t)from_first - SLOTS_HALF;

	if (!slot || slot % sizeof(slot) || from_first - 1 >= SLOTS_SLOT - 1)
		return SLOTS_NOTHING;
	if (number < slots->first)
		slots->first = number;
	if (number > slots->last)
		slots->last = number;
	return SLOTS_SLOT | ((uint32_t)number & (SLOTS_SLOT - 1));
}

uint32_t slots_number_plt(struct slots *slots, const struct code *code, uintptr_t at)
{
	const uint32_t key = (uint32_t)(at - code->low) + 1;
	struct slots_plt *known = &slots->plt[key / SLOTS_PLT_BYTES % SLOTS_PLT];

	if (at - code->low >= code->high - code->low)
		return SLOTS_NOTHING;
	if (known->key != key)
		*known = (struct slots_plt){ key,
					     slots_number(slots, code, code_plt_slot(code, at)) };
	return known->callee;
}

void slots_range(const struct slots *slots, int32_t *first, size_t *n)
{
	const bool some = slots->first <= slots->last;

	*first = some ? slots->first : 0;
	*n = some ? (size_t)((int64_t)slots->last - slots->first) + 1 : 0;
}
